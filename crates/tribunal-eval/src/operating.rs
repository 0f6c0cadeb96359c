//! Operating conditions: base rate and costs, and what they mean in ROC space (Provost and Fawcett 2001).

use serde::{Deserialize, Serialize};

/// A base rate and the costs of the two errors.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Condition {
    /// Share of positives where the classifier will be used.
    pub base_rate: f64,
    /// Cost of acting on a negative.
    pub false_positive: f64,
    /// Cost of missing a positive.
    pub false_negative: f64,
}

impl Condition {
    /// Slope of the iso-performance lines: `c(FP) p(-) / (c(FN) p(+))`.
    ///
    /// ```
    /// use tribunal_eval::Condition;
    ///
    /// let condition = Condition { base_rate: 0.2831, false_positive: 1.0, false_negative: 5.0 };
    /// assert!((condition.slope() - 0.506464147).abs() < 1e-9);
    /// ```
    pub fn slope(&self) -> f64 {
        self.false_positive * (1.0 - self.base_rate) / (self.false_negative * self.base_rate)
    }

    /// Expected cost per case of a classifier with this false-positive and true-positive rate.
    pub fn cost(&self, fpr: f64, tpr: f64) -> f64 {
        self.base_rate * (1.0 - tpr) * self.false_negative
            + (1.0 - self.base_rate) * fpr * self.false_positive
    }

    /// Probability cost of the positives, the abscissa of a cost curve (Drummond and Holte 2006).
    pub fn probability_cost(&self) -> f64 {
        let positive = self.base_rate * self.false_negative;
        positive / (positive + (1.0 - self.base_rate) * self.false_positive)
    }
}
