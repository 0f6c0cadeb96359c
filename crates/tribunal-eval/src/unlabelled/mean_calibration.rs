//! Temperature and a shift of the log-odds: probabilities of two classes that are right in the mean too.
//!
//! A temperature makes probabilities milder or bolder around one half; it cannot mend a mean that is wrong, and where probabilities
//! are multiplied by amounts a mean three times too high values every case three times too high. Learners on undersampled or
//! case-control data, curtailed trees and random decision trees have such means.
//!
//! The slope is one of [`TEMPERATURES`] and not estimated freely, as Platt's is: it stays positive, so that whoever says more stays
//! above whoever says less, and a learner that says nothing is not turned round by chance. The shift is fitted anew for every
//! temperature, so that the two together have the smallest log-loss.

use serde::{Deserialize, Serialize};

use super::class_probabilities::ClassProbabilities;
use super::predictions::HeldOutPredictions;
use super::temperature::{LEAST_PROBABILITY, ROUNDING, TEMPERATURES};
use crate::checks::within;
use crate::error::Error;
use crate::sum::Sum;
use crate::undefined::Undefined;

/// Steps after which the shift is as exact as doubles are: bisection alone would take fewer.
const MOST_STEPS: usize = 200;
/// Steps that move the shift by less, relative to it, are the last.
const LAST_STEP: f64 = 1e-14;

/// Log-odds divided by a temperature and moved by a shift.
///
/// **Definition** · For probabilities p of the second of two classes, `sigmoid(log-odds / t + b)`, where the log-odds are those of
/// `max(p, .005)` against `max(1 - p, .005)`. For each t of [`TEMPERATURES`] the shift b is the one with which the weighted mean of the
/// calibrated probabilities on the held-out rows is the weighted share of positives there - the intercept of greatest likelihood; of
/// all t the one with the smallest log-loss is taken, the first of equals.
///
/// **Undefined when** no positive, or no negative, has weight; more than two classes are refused.
///
/// **Example**
/// ```
/// use tribunal_eval::unlabelled::{ClassLabels, ClassProbabilities, HeldOutPredictions, MeanCalibration, Predictions};
///
/// // Four times too high, as of a learner that has seen each positive four times.
/// let truth = ClassLabels::binary(&[true, false, false, false, false]);
/// let said = ClassProbabilities::binary(&[0.9, 0.8, 0.8, 0.8, 0.7])?;
/// let held_out = HeldOutPredictions::new(Predictions::new(&said), &truth)?;
/// let calibrated = MeanCalibration::fit(&held_out)?.apply(&said);
/// assert!((calibrated.of_class(1).sum::<f64>() / 5.0 - 0.2).abs() < 1e-12);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** · temperature: Guo, Pleiss, Sun and Weinberger (2017), "On calibration of modern neural networks"; the shift is the
/// correction of King and Zeng (2001), "Logistic regression in rare events data", estimated instead of known
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MeanCalibration {
    /// What log-odds are divided by.
    pub temperature: f64,
    /// What is added then.
    pub log_odds_shift: f64,
    /// Mean log-loss on the held-out rows.
    pub log_loss: f64,
}

impl MeanCalibration {
    /// Fitted on held-out rows of two classes.
    ///
    /// # Errors
    /// There are more than two classes, or a class has no weight.
    pub fn fit(held_out: &HeldOutPredictions<'_>) -> Result<Self, Error> {
        let said = held_out.predictions();
        let n_classes = said.n_classes();
        within("the number of classes", n_classes as f64, n_classes == 2, "2, since log-odds are shifted")?;
        let rows: Vec<CalibrationRow> = (0..said.n_rows())
            .map(|row| CalibrationRow {
                log_odds: log_odds(said.probabilities().row(row)),
                is_positive: held_out.truth().of_row(row) == 1,
                weight: said.weight_of(row),
            })
            .filter(|row| row.weight > 0.0)
            .collect();
        let weight_of = |is_positive: bool| {
            let of_class = rows.iter().filter(|row| row.is_positive == is_positive);
            of_class.map(|row| row.weight).collect::<Sum>().value()
        };
        let weights = (weight_of(false), weight_of(true));
        match weights {
            (0.0, 0.0) => return Err(Undefined::NoRows.into()),
            (0.0, _) => return Err(Undefined::NoNegatives.into()),
            (_, 0.0) => return Err(Undefined::NoPositives.into()),
            _ => {}
        }
        let tried = TEMPERATURES.map(|temperature| Self::at(temperature, &rows, weights));
        let better = |best: Self, next: Self| match next.log_loss < best.log_loss - ROUNDING {
            true => next,
            false => best,
        };
        Ok(tried.into_iter().skip(1).fold(tried[0], better))
    }

    /// With the best shift for a temperature.
    fn at(temperature: f64, rows: &[CalibrationRow], (negatives, positives): (f64, f64)) -> Self {
        let total = negatives + positives;
        let base = positives / total;
        let ends = rows.iter().map(|row| row.log_odds / temperature);
        let (least, most) =
            ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        // With these no row is above the base rate, or none below.
        let base_log_odds = positives.ln() - negatives.ln();
        let (mut low, mut high) = (base_log_odds - most, base_log_odds - least);
        let mut shift = 0.0_f64.clamp(low, high);
        for _ in 0..MOST_STEPS {
            let p = |row: &CalibrationRow| sigmoid(row.log_odds / temperature + shift);
            let excess = rows.iter().map(|row| row.weight * p(row)).collect::<Sum>().value() / total - base;
            let slope =
                rows.iter().map(|row| row.weight * p(row) * (1.0 - p(row))).collect::<Sum>().value() / total;
            if excess > 0.0 {
                high = shift
            } else {
                low = shift
            }
            let step = shift - excess / slope;
            let next = if step > low && step < high { step } else { 0.5 * (low + high) };
            let moved = (next - shift).abs();
            shift = next;
            if moved <= LAST_STEP * (1.0 + shift.abs()) {
                break;
            }
        }
        let loss = |row: &CalibrationRow| {
            let x = row.log_odds / temperature + shift;
            row.weight * minus_log_sigmoid(if row.is_positive { x } else { -x })
        };
        let log_loss = rows.iter().map(loss).collect::<Sum>().value() / total;
        Self { temperature, log_odds_shift: shift, log_loss }
    }

    /// The calibrated probabilities; those of more than two classes stay as they are.
    #[must_use]
    pub fn apply(&self, probabilities: &ClassProbabilities) -> ClassProbabilities {
        probabilities.map_rows(|row| {
            let x = log_odds(row) / self.temperature + self.log_odds_shift;
            if let [negative, positive] = row {
                (*negative, *positive) = (sigmoid(-x), sigmoid(x));
            }
        })
    }
}

/// A held-out row.
struct CalibrationRow {
    log_odds: f64,
    is_positive: bool,
    weight: f64,
}

/// The log-odds of the second class, of probabilities that are not below the least.
fn log_odds(row: &[f64]) -> f64 {
    let log = |p: f64| p.max(LEAST_PROBABILITY).ln();
    match *row {
        [negative, positive] => log(positive) - log(negative),
        _ => 0.0,
    }
}

fn sigmoid(x: f64) -> f64 {
    match x >= 0.0 {
        true => 1.0 / (1.0 + (-x).exp()),
        false => x.exp() / (1.0 + x.exp()),
    }
}

/// `-ln(sigmoid(x))` without losing digits.
fn minus_log_sigmoid(x: f64) -> f64 {
    (-x).max(0.0) + (-x.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unlabelled::worked_example::probabilities;
    use crate::unlabelled::{ClassLabels, Predictions};
    use tribunal_random::Random;

    fn fit(
        said: &ClassProbabilities,
        truth: &[bool],
        weights: Option<&[f64]>,
    ) -> Result<MeanCalibration, Error> {
        let truth = ClassLabels::binary(truth);
        let said = Predictions::new(said);
        let said = weights.map_or(Ok(said.clone()), |weights| said.with_weight(weights))?;
        MeanCalibration::fit(&HeldOutPredictions::new(said, &truth)?)
    }

    /// The weighted mean is the weighted base rate, and any other shift or temperature of the grid has no smaller log-loss.
    #[test]
    fn the_weighted_mean_is_the_base_rate_and_the_log_loss_the_smallest() {
        let mut random = Random::new(5);
        let truth: Vec<bool> = (0..400).map(|_| random.uniform() < 0.3).collect();
        let said: Vec<f64> =
            truth.iter().map(|&y| (0.6 * random.uniform() + if y { 0.4 } else { 0.2 }).min(1.0)).collect();
        let weights: Vec<f64> = truth.iter().map(|&y| if y { 1.0 } else { 6.0 }).collect();
        let said = probabilities(&said);
        let found = fit(&said, &truth, Some(&weights)).expect("both classes");
        let total: f64 = weights.iter().sum();
        let mean =
            |p: &ClassProbabilities| p.of_class(1).zip(&weights).map(|(p, w)| p * w).sum::<f64>() / total;
        let base = truth.iter().zip(&weights).map(|(y, w)| f64::from(u8::from(*y)) * w).sum::<f64>() / total;
        assert!((mean(&found.apply(&said)) - base).abs() < 1e-13);
        let loss = |temperature: f64, shift: f64| {
            let calibrated =
                MeanCalibration { temperature, log_odds_shift: shift, log_loss: 0.0 }.apply(&said);
            let of_row = |row: usize| -weights[row] * calibrated.row(row)[usize::from(truth[row])].ln();
            (0..400).map(of_row).sum::<f64>() / total
        };
        assert!((loss(found.temperature, found.log_odds_shift) - found.log_loss).abs() < 1e-12);
        for temperature in TEMPERATURES {
            for step in -30..30 {
                assert!(loss(temperature, 0.2 * f64::from(step)) >= found.log_loss - 1e-12);
            }
        }
    }

    /// What is right already stays; odds that are wrong by a factor come back.
    #[test]
    fn odds_that_are_wrong_by_a_factor_come_back() {
        let honest: Vec<f64> =
            (0..1000).map(|row| 0.02 + 0.2 * f64::from(row % 10)).map(|p: f64| p.min(0.9)).collect();
        let n_of = |p: f64| (100.0 * p).round() as usize;
        let mut met = [0_usize; 10];
        let truth: Vec<bool> = (0..1000)
            .map(|row| {
                met[row % 10] += 1;
                met[row % 10] <= n_of(honest[row])
            })
            .collect();
        let wrong: Vec<f64> = honest.iter().map(|p| 5.0 * p / (5.0 * p + 1.0 - p)).collect();
        for (said, shift) in [(&honest, 0.0), (&wrong, -(5.0_f64.ln()))] {
            let found = fit(&probabilities(said), &truth, None).expect("both classes");
            assert_eq!(found.temperature, 1.0);
            assert!((found.log_odds_shift - shift).abs() < 1e-9, "{found:?}");
        }
    }

    #[test]
    fn what_cannot_be_calibrated_says_why() {
        let said = probabilities(&[0.2, 0.4, 0.9]);
        let why = |truth: &[bool], weights: Option<&[f64]>| {
            fit(&said, truth, weights).expect_err("undefined").to_string()
        };
        assert!(why(&[true; 3], None).contains("no negatives"));
        assert!(why(&[false, false, true], Some(&[1.0, 1.0, 0.0])).contains("no positives"));
        let constant = probabilities(&[0.0; 4]);
        let found = fit(&constant, &[true, false, false, false], None).expect("both classes");
        assert!(found.apply(&constant).of_class(1).all(|p| (p - 0.25).abs() < 1e-12), "{found:?}");
        let three = ClassProbabilities::new(3, vec![0.2, 0.3, 0.5]).expect("probabilities");
        let truth = ClassLabels::new(3, vec![1]).expect("labels");
        let held_out = HeldOutPredictions::new(Predictions::new(&three), &truth).expect("alike");
        assert!(MeanCalibration::fit(&held_out).expect_err("three").to_string().contains("expected 2"));
    }
}
