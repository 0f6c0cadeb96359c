//! Confidence-based performance estimation (CBPE): calibrated probabilities are soft labels for the scores that they are.

use super::criterion::{LabelFreeCriterion, Population};
use super::predictions::Predictions;
use super::soft_labels::soft_confusion;
use crate::confusion::Confusion;
use crate::error::Error;
use crate::undefined::Value;

/// Expected performance on rows without labels, from calibrated probabilities alone.
///
/// **Definition** · Any [`LabelFreeCriterion`] of the predictions, under their own probabilities as soft labels. So TP is the sum of
/// `p` over rows decided to be positive, FP that of `1 - p`; FN and TN likewise over the others; metrics follow from these cells. In
/// rankings, AUROC and lift among them, a row adds `p` to the positives and `1 - p` to the negatives, blocks of ties at once.
///
/// **Undefined when** no row carries weight or the metric is undefined. It is as good as the calibration is: isotonic regression on
/// held-out rows, if the distribution of the truth given the scores is the same on both.
///
/// **Example**
/// ```
/// use tribunal_eval::metrics::Measure;
/// use tribunal_eval::unlabelled::{CalibratedPerformance, ClassProbabilities, LabelFreeCriterion, Predictions};
///
/// let calibrated = ClassProbabilities::binary(&[0.92, 0.85, 0.70, 0.60, 0.45, 0.30, 0.20, 0.05])?;
/// let predictions = Predictions::new(&calibrated);
/// let performance = CalibratedPerformance::of(&predictions);
/// assert!((performance.cells()?.tp - 3.07).abs() < 1e-12);
/// assert!((performance.value(&LabelFreeCriterion::Measure(Measure::AUROC))?? - 0.834164838).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** · NannyML (2022), "Confidence-based performance estimation"
#[derive(Clone, Copy, Debug)]
pub struct CalibratedPerformance<'a> {
    predictions: &'a Predictions<'a>,
}

impl<'a> CalibratedPerformance<'a> {
    /// Of predictions whose probabilities are calibrated.
    pub fn of(predictions: &'a Predictions<'a>) -> Self {
        Self { predictions }
    }

    /// The expected cells of the confusion matrix.
    ///
    /// # Errors
    /// There are not two classes.
    pub fn cells(&self) -> Result<Confusion, Error> {
        soft_confusion(self.predictions, self.predictions.probabilities())
    }

    /// The expected value of a criterion.
    ///
    /// # Errors
    /// Those of [`LabelFreeCriterion::value`].
    pub fn value(&self, criterion: &LabelFreeCriterion<'_>) -> Result<Value, Error> {
        criterion.value(Population::Unlabelled, self.predictions, self.predictions.probabilities())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unlabelled::worked_example::{close, probabilities};

    #[test]
    fn golden_cbpe() {
        let calibrated = probabilities(&[0.92, 0.85, 0.70, 0.60, 0.45, 0.30, 0.20, 0.05]);
        let predictions = Predictions::new(&calibrated);
        let performance = CalibratedPerformance::of(&predictions);
        let cells = performance.cells().expect("two classes");
        let found = [cells.tp, cells.fp, cells.fn_, cells.tn];
        found.into_iter().zip([3.07, 0.93, 1.0, 3.0]).for_each(|(found, expected)| close(found, expected));
        let value = |criterion: &LabelFreeCriterion<'_>| {
            performance.value(criterion).expect("usable").expect("defined")
        };
        close(value(&LabelFreeCriterion::Accuracy), 0.75875);
        let expected = [
            ("pcc", 0.75875),
            ("precision", 0.7675),
            ("sensitivity", 0.754299754),
            ("f1", 0.760842627),
            ("auroc", 0.834164838),
        ];
        for (metric, expected) in expected {
            close(value(&LabelFreeCriterion::Measure(metric.parse().expect("a metric"))), expected);
        }
    }
}
