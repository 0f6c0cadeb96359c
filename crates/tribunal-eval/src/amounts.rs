//! Predicted and true amounts: the numeric side of a two-stage model.

use crate::checks::{check_amounts, check_length, check_weights};
use crate::error::Error;
use crate::intervals::{Interval, IntervalMethod, Level, NoInterval};
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

/// The standard error of a figure of amounts.
pub(crate) struct AmountError {
    standard_error: f64,
    df: f64,
}

impl AmountError {
    /// Student's t on the log scale, for errors above zero.
    pub(crate) fn on_logs(&self, value: f64, level: Level) -> Result<Interval, NoInterval> {
        if value <= 0.0 {
            return Err(NoInterval::NoLoss);
        }
        Ok(level.on_logs(value, self.standard_error, level.t(self.df)))
    }

    /// The same on Fisher's z scale, for correlations.
    pub(crate) fn on_fisher_z(&self, value: f64, level: Level) -> Interval {
        let step = level.t(self.df) * self.standard_error / (1.0 - value * value).max(f64::MIN_POSITIVE);
        let end = |z: f64| if z.is_nan() { value } else { z.tanh() };
        let (lower, upper) = (end(value.atanh() - step), end(value.atanh() + step));
        Interval { lower, upper, level, method: IntervalMethod::FisherZ }
    }
}

impl<'a> AmountPairs<'a> {
    /// Pairs true with predicted amounts.
    pub fn new(actual: &'a [f64], predicted: &'a [f64]) -> Result<Self, Error> {
        check_length("predicted amount", predicted.len(), actual.len())?;
        check_amounts("amount", actual, |_| true)?;
        check_amounts("predicted amount", predicted, |_| true)?;
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

    /// The standard error of a figure with this influence function of (actual, predicted), and the degrees of freedom that
    /// its kurtosis leaves.
    ///
    /// # Errors
    /// There are fewer than two cases.
    pub(crate) fn error_of(&self, influence: impl Fn(f64, f64) -> f64) -> Result<AmountError, NoInterval> {
        let weight = |row: usize| self.weight.map_or(1.0, |weight| weight[row]);
        let rows = || (0..self.actual.len()).filter(|&row| weight(row) > 0.0);
        let (n, total) = (rows().count() as f64, rows().map(weight).collect::<Sum>().value());
        let squares = rows().map(|row| weight(row).powi(2)).collect::<Sum>().value();
        if n < 2.0 {
            return Err(NoInterval::FewCases);
        }
        let value = |row: usize| influence(self.actual[row], self.predicted[row]) * weight(row) * n / total;
        let power = |k: i32| rows().map(|row| value(row).powi(k)).collect::<Sum>().value() / n;
        let (effective, second) = (total * total / squares, power(2));
        let variance = second / n * effective / (effective - 1.0).max(1.0);
        let kurtosis_df =
            if second > 0.0 { 2.0 * effective / (power(4) / second.powi(2) - 1.0) } else { n - 1.0 };
        let df = if kurtosis_df.is_finite() { kurtosis_df.max(1.0) } else { f64::INFINITY };
        Ok(AmountError { standard_error: variance.sqrt(), df })
    }

    /// Whether relative errors are measured against the mean of these amounts, which varies with them.
    pub(crate) fn has_own_mean(&self) -> bool {
        self.reference.is_none()
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
