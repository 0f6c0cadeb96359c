//! Predicted and true amounts: the numeric side of a two-stage model.

use crate::checks::{check_finite, check_length, check_weights};
use crate::error::Error;
use crate::sum::Sum;
use crate::undefined::{Undefined, Value};

/// True and predicted amounts of the same cases, validated once.
///
/// ```
/// use tribunal_eval::{AmountPairs, metrics::mae};
///
/// let amounts = AmountPairs::new(&[100.0, 50.0], &[80.0, 60.0])?;
/// assert_eq!(mae(&amounts), Ok(15.0));
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct AmountPairs<'a> {
    actual: &'a [f64],
    predicted: &'a [f64],
    weight: Option<&'a [f64]>,
    reference: Option<f64>,
}

impl<'a> AmountPairs<'a> {
    /// Pairs true with predicted amounts.
    pub fn new(actual: &'a [f64], predicted: &'a [f64]) -> Result<Self, Error> {
        check_length("predicted amount", predicted.len(), actual.len())?;
        check_finite("amount", actual)?;
        check_finite("predicted amount", predicted)?;
        Ok(Self { actual, predicted, weight: None, reference: None })
    }

    /// Gives each case a non-negative weight.
    pub fn with_weight(self, sample_weight: &'a [f64]) -> Result<Self, Error> {
        check_weights(sample_weight, self.actual.len())?;
        Ok(Self { weight: Some(sample_weight), ..self })
    }

    /// Measures relative errors against this prediction - the mean of the training amounts, say - instead
    /// of the mean of the amounts themselves.
    pub fn with_reference_mean(self, reference: f64) -> Self {
        Self { reference: Some(reference), ..self }
    }

    /// Weighted mean of a function of (actual, predicted).
    pub(crate) fn mean(&self, of: impl Fn(f64, f64) -> f64) -> Value {
        let weight = |row: usize| self.weight.map_or(1.0, |weight| weight[row]);
        let total = (0..self.actual.len()).map(weight).collect::<Sum>().value();
        if total <= 0.0 {
            return Err(Undefined::NoRows);
        }
        let term = |row: usize| weight(row) * of(self.actual[row], self.predicted[row]);
        Ok((0..self.actual.len()).map(term).collect::<Sum>().value() / total)
    }

    /// What relative errors are measured against.
    pub(crate) fn reference_mean(&self) -> Value {
        self.reference.map_or_else(|| self.mean(|actual, _| actual), Ok)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::{amount_correlation, mae, rae};

    #[test]
    fn relative_errors_can_be_measured_against_the_training_mean() {
        let amounts = AmountPairs::new(&[1.0, 3.0], &[1.0, 2.0]).expect("valid");
        assert_eq!((rae(&amounts), rae(&amounts.with_reference_mean(0.0))), (Ok(0.5), Ok(0.25)));
    }

    #[test]
    fn weight_two_is_the_row_twice_and_nothing_is_undefined_silently() {
        let twice = AmountPairs::new(&[1.0, 1.0, 4.0], &[2.0, 2.0, 1.0]).expect("valid");
        let once = AmountPairs::new(&[1.0, 4.0], &[2.0, 1.0])
            .expect("valid")
            .with_weight(&[2.0, 1.0])
            .expect("valid");
        assert_eq!(mae(&twice), mae(&once));
        let constant = AmountPairs::new(&[1.0, 1.0], &[0.0, 2.0]).expect("valid");
        let reason = amount_correlation(&constant).expect_err("constant").to_string();
        assert_eq!(reason, "the spread of the true or of the predicted amounts is zero");
        assert_eq!(mae(&AmountPairs::new(&[], &[]).expect("valid")), Err(Undefined::NoRows));
    }
}
