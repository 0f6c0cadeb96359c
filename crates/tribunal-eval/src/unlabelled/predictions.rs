//! What a candidate says of some rows, with what the rows weigh and, where it is known, what was true.

use std::borrow::Cow;

use super::class_labels::ClassLabels;
use super::class_probabilities::ClassProbabilities;
use crate::checks::check_weights;
use crate::error::Error;
use crate::sum::Sum;
use crate::undefined::{Undefined, Value};

/// Probabilities of some rows, the decisions that follow from them, and the weights of the rows.
///
/// ```
/// use tribunal_eval::unlabelled::{ClassLabels, ClassProbabilities, Predictions};
///
/// let scores = ClassProbabilities::binary(&[0.9, 0.3])?;
/// assert_eq!(Predictions::new(&scores).decisions().classes(), [1, 0]);
/// // Whoever acts from a probability of .2 on decides otherwise.
/// let acts = ClassLabels::binary(&[true, true]);
/// assert_eq!(Predictions::new(&scores).with_decisions(&acts)?.decisions().classes(), [1, 1]);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Predictions<'a> {
    probabilities: &'a ClassProbabilities,
    decisions: Cow<'a, ClassLabels>,
    weight: Option<&'a [f64]>,
}

impl<'a> Predictions<'a> {
    /// Probabilities as the candidate gives them, before any scaling; see [`ClassProbabilities::decisions`] for what is decided.
    pub fn new(probabilities: &'a ClassProbabilities) -> Self {
        Self { probabilities, decisions: Cow::Owned(probabilities.decisions()), weight: None }
    }

    /// Other decisions: those of costs, or of margins.
    ///
    /// # Errors
    /// There is not one for each row, or they are of other classes.
    pub fn with_decisions(self, decisions: &'a ClassLabels) -> Result<Self, Error> {
        check_alike("decisions", decisions, self.probabilities)?;
        Ok(Self { decisions: Cow::Borrowed(decisions), ..self })
    }

    /// Gives each row a non-negative weight: 2 counts as the row twice, 0 as its absence.
    ///
    /// # Errors
    /// There is not one for each row, or one is negative or not finite.
    pub fn with_weight(self, sample_weight: &'a [f64]) -> Result<Self, Error> {
        check_weights(sample_weight, self.n_rows())?;
        Ok(Self { weight: Some(sample_weight), ..self })
    }

    /// The probabilities.
    pub fn probabilities(&self) -> &'a ClassProbabilities {
        self.probabilities
    }

    /// The decisions.
    pub fn decisions(&self) -> &ClassLabels {
        &self.decisions
    }

    /// The weight of each row, if they differ.
    pub fn weight(&self) -> Option<&'a [f64]> {
        self.weight
    }

    /// How many rows there are.
    pub fn n_rows(&self) -> usize {
        self.probabilities.n_rows()
    }

    /// How many classes there are.
    pub fn n_classes(&self) -> usize {
        self.probabilities.n_classes()
    }

    pub(super) fn weight_of(&self, row: usize) -> f64 {
        self.weight.map_or(1.0, |weight| weight[row])
    }

    /// Sums a function of a row, times its weight.
    pub(super) fn sum(&self, of: impl Fn(usize) -> f64) -> f64 {
        (0..self.n_rows()).map(|row| self.weight_of(row) * of(row)).collect::<Sum>().value()
    }

    /// Weight of all rows, where there is any.
    pub(super) fn total_weight(&self) -> Result<f64, Undefined> {
        let total = self.sum(|_| 1.0);
        if total > 0.0 { Ok(total) } else { Err(Undefined::NoRows) }
    }

    /// The mean of a function of a row, by weight.
    pub(super) fn mean(&self, of: impl Fn(usize) -> f64) -> Value {
        Ok(self.sum(of) / self.total_weight()?)
    }

    /// `Ok` when both have the same number of classes.
    pub(super) fn check_same_classes(&self, other: &Predictions<'_>) -> Result<(), Error> {
        match (self.n_classes(), other.n_classes()) {
            (found, expected) if found != expected => {
                Err(Error::ClassCount { what: "one of the predictions", found, expected })
            }
            _ => Ok(()),
        }
    }

    /// `Ok` when two candidates look at the same rows, as far as can be told.
    pub(super) fn check_same_rows(&self, what: &str, other: &Predictions<'_>) -> Result<(), Error> {
        self.check_same_classes(other)?;
        if self.n_rows() != other.n_rows() {
            let (found, expected) = (self.n_rows(), other.n_rows());
            return Err(Error::LengthMismatch { what: what.to_owned(), found, expected });
        }
        match (0..self.n_rows()).find(|&row| self.weight_of(row) != other.weight_of(row)) {
            Some(row) => Err(Error::OtherRows { what: "weight", row }),
            None => Ok(()),
        }
    }
}

/// Held-out predictions: each row was scored by a model that had not seen it, and its truth is known.
///
/// ```
/// use tribunal_eval::unlabelled::{ClassLabels, ClassProbabilities, HeldOutPredictions, Predictions};
///
/// let (truth, scores) = (ClassLabels::binary(&[true, false, true]), ClassProbabilities::binary(&[0.9, 0.3, 0.4])?);
/// let held_out = HeldOutPredictions::new(Predictions::new(&scores), &truth)?;
/// assert!((held_out.accuracy()? - 2.0 / 3.0).abs() < 1e-15);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct HeldOutPredictions<'a> {
    pub(super) predictions: Predictions<'a>,
    pub(super) truth: &'a ClassLabels,
}

impl<'a> HeldOutPredictions<'a> {
    /// Pairs predictions with the truth.
    ///
    /// # Errors
    /// There is not one truth for each row, or it is of other classes.
    pub fn new(predictions: Predictions<'a>, truth: &'a ClassLabels) -> Result<Self, Error> {
        check_alike("truth", truth, predictions.probabilities)?;
        Ok(Self { predictions, truth })
    }

    /// The predictions.
    pub fn predictions(&self) -> &Predictions<'a> {
        &self.predictions
    }

    /// The truth.
    pub fn truth(&self) -> &'a ClassLabels {
        self.truth
    }

    /// Whether the decision on a row is right.
    pub(super) fn is_right(&self, row: usize) -> bool {
        self.predictions.decisions().of_row(row) == self.truth.of_row(row)
    }

    /// The share of right decisions, by weight.
    ///
    /// # Errors
    /// No row carries weight.
    pub fn accuracy(&self) -> Value {
        self.predictions.mean(|row| f64::from(self.is_right(row)))
    }

    pub(super) fn check_same_rows(&self, other: &HeldOutPredictions<'_>) -> Result<(), Error> {
        self.predictions.check_same_rows("a candidate's held-out scores", &other.predictions)?;
        match (0..self.truth.n_rows()).find(|&row| self.truth.of_row(row) != other.truth.of_row(row)) {
            Some(row) => Err(Error::OtherRows { what: "truth", row }),
            None => Ok(()),
        }
    }
}

/// Whether labels are those of the same rows and classes.
fn check_alike(
    what: &'static str,
    labels: &ClassLabels,
    probabilities: &ClassProbabilities,
) -> Result<(), Error> {
    let (found, expected) = (labels.n_classes(), probabilities.n_classes());
    if found != expected {
        return Err(Error::ClassCount { what, found, expected });
    }
    let (found, expected) = (labels.n_rows(), probabilities.n_rows());
    if found != expected {
        return Err(Error::LengthMismatch { what: what.to_owned(), found, expected });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_other_rows_or_classes_are_refused() {
        let scores = ClassProbabilities::binary(&[0.9, 0.3]).expect("probabilities");
        let message = |truth: &ClassLabels| {
            HeldOutPredictions::new(Predictions::new(&scores), truth).expect_err("refused").to_string()
        };
        let three = ClassLabels::new(3, vec![0, 1]).expect("labels");
        assert_eq!(message(&three), "truth has 3 classes; expected 2");
        assert_eq!(message(&ClassLabels::binary(&[true])), "truth has 1 values; expected 2, one per row");
        let weighted = Predictions::new(&scores).with_weight(&[1.0, -1.0]).expect_err("negative");
        assert_eq!(weighted.row(), Some(1));
    }

    #[test]
    fn rows_without_weight_have_no_mean() {
        let scores = ClassProbabilities::binary(&[0.9]).expect("probabilities");
        let nothing = Predictions::new(&scores).with_weight(&[0.0]).expect("a weight");
        assert_eq!(nothing.mean(|_| 1.0), Err(Undefined::NoRows));
    }
}
