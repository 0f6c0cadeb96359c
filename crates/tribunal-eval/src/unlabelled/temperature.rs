//! Temperature scaling: one number that makes over-confident probabilities milder and timid ones bolder.

use serde::{Deserialize, Serialize};

use super::class_probabilities::ClassProbabilities;
use super::predictions::HeldOutPredictions;
use crate::sum::Sum;
use crate::undefined::Undefined;

/// The temperatures that are tried, in this order.
pub const TEMPERATURES: [f64; 9] = [0.5, 0.7, 1.0, 1.4, 2.0, 3.0, 4.5, 7.0, 12.0];

/// Smaller probabilities are taken for this: a logarithm of zero would be infinite at any temperature.
pub(super) const LEAST_PROBABILITY: f64 = 0.005;

/// A log-loss is smaller than another if it is so by more than rounding.
pub(super) const ROUNDING: f64 = 1e-12;

/// The temperature of a candidate, chosen on held-out rows.
///
/// **Definition** · `softmax(ln(max(p, 0.005)) / t)` with the `t` of [`TEMPERATURES`] whose log-loss on held-out rows, by weight,
/// is smallest, the first of ties. `t > 1` makes probabilities milder. Decisions and, but for probabilities beyond .005 and .995 that
/// become equal, the order of rows stay what they are.
///
/// **Undefined when** no row carries weight.
///
/// **Example**
/// ```
/// use tribunal_eval::unlabelled::{ClassLabels, ClassProbabilities, HeldOutPredictions, Predictions, TemperatureScaling};
///
/// let truth = ClassLabels::binary(&[true, false, true, false]);
/// let boastful = ClassProbabilities::binary(&[0.99, 0.01, 0.02, 0.03])?;
/// let scaling = TemperatureScaling::fit(&HeldOutPredictions::new(Predictions::new(&boastful), &truth)?)?;
/// assert_eq!(scaling.temperature, 3.0);
/// let milder = scaling.apply(&boastful);
/// assert!((milder.row(0)[1] - 0.8223).abs() < 1e-4);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** · Guo, Pleiss, Sun and Weinberger (2017), "On calibration of modern neural networks"
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TemperatureScaling {
    /// What logarithms of probabilities are divided by.
    pub temperature: f64,
    /// The log-loss on the held-out rows, scaled.
    pub log_loss: f64,
}

impl TemperatureScaling {
    /// The best temperature on held-out rows.
    ///
    /// # Errors
    /// No row carries weight.
    pub fn fit(held_out: &HeldOutPredictions<'_>) -> Result<Self, Undefined> {
        let total = held_out.predictions.total_weight()?;
        let logarithms = held_out.predictions.probabilities().map_rows(to_logarithms);
        let loss_at = |temperature: f64| {
            let loss = |row: usize| {
                let surprise = surprise(logarithms.row(row), held_out.truth.of_row(row), temperature);
                held_out.predictions.weight_of(row) * surprise
            };
            (0..logarithms.n_rows()).map(loss).collect::<Sum>().value() / total
        };
        let tried = TEMPERATURES.map(|temperature| Self { temperature, log_loss: loss_at(temperature) });
        let better = |best: Self, next: Self| match next.log_loss < best.log_loss - ROUNDING {
            true => next,
            false => best,
        };
        Ok(tried.into_iter().skip(1).fold(tried[0], better))
    }

    /// Scaled probabilities of any rows.
    #[must_use]
    pub fn apply(&self, probabilities: &ClassProbabilities) -> ClassProbabilities {
        probabilities.map_rows(|row| {
            to_logarithms(row);
            softmax(row, self.temperature);
        })
    }
}

fn to_logarithms(row: &mut [f64]) {
    row.iter_mut().for_each(|value| *value = value.max(LEAST_PROBABILITY).ln());
}

/// Minus the logarithm of the scaled probability of the true class.
fn surprise(logarithms: &[f64], truth: usize, temperature: f64) -> f64 {
    let largest = logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let power = |logarithm: &f64| ((logarithm - largest) / temperature).exp();
    let total: f64 = logarithms.iter().map(power).sum();
    total.ln() - (logarithms[truth] - largest) / temperature
}

fn softmax(row: &mut [f64], temperature: f64) {
    let largest = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    row.iter_mut().for_each(|value| *value = ((*value - largest) / temperature).exp());
    let total: f64 = row.iter().sum();
    row.iter_mut().for_each(|value| *value /= total);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unlabelled::worked_example::{WorkedExample, close};
    use crate::unlabelled::{ClassLabels, Predictions};

    #[test]
    fn golden_temperatures_and_their_log_losses() {
        let example = WorkedExample::new();
        let expected = [(0.7, 0.411878717), (2.0, 0.519417306), (2.0, 0.522158681), (0.5, 0.569650127)];
        let scaled_first = [0.922585177, 0.875, 0.869578102, 0.692307692];
        for ((candidate, (temperature, log_loss)), first) in
            example.candidates().iter().zip(expected).zip(scaled_first)
        {
            let scaling = TemperatureScaling::fit(&candidate.held_out).expect("rows");
            assert_eq!(scaling.temperature, temperature);
            close(scaling.log_loss, log_loss);
            close(scaling.apply(candidate.unlabelled.probabilities()).row(0)[1], first);
        }
    }

    #[test]
    fn the_first_of_equal_temperatures_is_taken() {
        let truth = ClassLabels::new(3, vec![0, 1, 2]).expect("labels");
        let third = 1.0 / 3.0;
        let uniform = ClassProbabilities::new(3, vec![third; 9]).expect("probabilities");
        let held_out = HeldOutPredictions::new(Predictions::new(&uniform), &truth).expect("alike");
        let scaling = TemperatureScaling::fit(&held_out).expect("rows");
        assert_eq!(scaling.temperature, TEMPERATURES[0]);
        close(scaling.log_loss, 3.0_f64.ln());
    }
}
