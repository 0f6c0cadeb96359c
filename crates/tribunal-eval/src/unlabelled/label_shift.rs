//! Class priors of unlabelled rows under label shift, by black-box shift estimation (BBSE).

use serde::{Deserialize, Serialize};
use thiserror::Error as ThisError;

use super::linear_system::Square;
use super::predictions::{HeldOutPredictions, Predictions};

/// Confusion matrices worse than this have no inverse to speak of.
const LARGEST_CONDITION: f64 = 1e8;

/// Why nothing can be said about the class priors of unlabelled rows.
#[derive(Clone, Debug, PartialEq, ThisError, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "reason", rename_all = "snake_case")]
#[non_exhaustive]
pub enum NoTargetPriors {
    /// No held-out or no unlabelled row carries weight.
    #[error("there are no rows with positive weight")]
    NoRows,
    /// The held-out rows have other classes than the unlabelled ones.
    #[error("held-out rows have {held_out} classes, unlabelled ones {unlabelled}")]
    OtherClasses {
        /// Classes of the held-out rows.
        held_out: usize,
        /// Classes of the unlabelled rows.
        unlabelled: usize,
    },
    /// A class has no held-out row, so nobody knows how it is predicted.
    #[error("class {class} has no held-out row")]
    ClassWithoutRows {
        /// The index of the class.
        class: usize,
    },
    /// A class is predicted on unlabelled rows and never on held-out ones: what is predicted given the class has changed, so this is
    /// no label shift alone.
    #[error(
        "class {class} is predicted on unlabelled rows but never on held-out ones, which label shift cannot explain"
    )]
    PredictedOnUnlabelledOnly {
        /// The index of the class.
        class: usize,
    },
    /// A class is never predicted.
    #[error("class {class} is never predicted, so its share cannot be told from predictions")]
    ClassNeverPredicted {
        /// The index of the class.
        class: usize,
    },
    /// Predictions do not tell classes apart.
    #[error("the confusion matrix is singular: predictions do not tell the classes apart")]
    SingularConfusion {
        /// The condition number; nothing where it is infinite.
        condition: Option<f64>,
    },
}

/// Class priors of unlabelled rows.
///
/// **Definition** · With `C[i][j] = P(predicted i, true j)` on held-out rows and `mu[i] = P(predicted i)` on unlabelled ones, the ratios
/// `w = C^-1 mu` are `q(y) / p(y)`, and the priors `q[j] = w[j] p[j]`; negative priors become 0 and the others are divided by their
/// sum. The condition number is that of `P(predicted i | true j)` in the 1-norm: an error of `mu` may grow by so much.
///
/// **Undefined when** a class has no held-out row, is never predicted, or the condition number is above 1e8; see
/// [`NoTargetPriors`]. It holds if rows of a class look alike on both sides (label shift), which [`clipped`](Self::clipped) mass and
/// classes that are predicted on one side only speak against.
///
/// **Example**
/// ```
/// use tribunal_eval::unlabelled::{ClassLabels, ClassProbabilities, HeldOutPredictions, LabelShift, Predictions};
///
/// // Three of four of either class are recognised.
/// let truth = ClassLabels::binary(&[true, true, true, true, false, false, false, false]);
/// let held_out = ClassProbabilities::binary(&[0.9, 0.8, 0.7, 0.2, 0.6, 0.3, 0.2, 0.1])?;
/// let unlabelled = ClassProbabilities::binary(&[0.9, 0.8, 0.7, 0.6, 0.9, 0.2, 0.3, 0.1])?;
/// let held_out = HeldOutPredictions::new(Predictions::new(&held_out), &truth)?;
/// let shift = LabelShift::estimate(&held_out, &Predictions::new(&unlabelled)).expect("regular");
/// // Five of eight are predicted positive: .75 q + .25 (1 - q) = .625.
/// assert!((shift.priors[1] - 0.75).abs() < 1e-12 && (shift.ratios[1] - 1.5).abs() < 1e-12);
/// assert!((shift.condition - 2.0).abs() < 1e-12);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** · Lipton, Wang and Smola (2018), "Detecting and correcting for label shift with black box predictors"
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LabelShift {
    /// `q(y) / p(y)` of each class, as solved for; a negative one is an estimate below zero.
    pub ratios: Vec<f64>,
    /// The priors of the unlabelled rows.
    pub priors: Vec<f64>,
    /// The priors of the held-out rows.
    pub held_out_priors: Vec<f64>,
    /// How much the negative priors came to before they became 0.
    pub clipped: f64,
    /// By how much an error of the shares of predictions may grow.
    pub condition: f64,
}

impl LabelShift {
    /// From decisions on both sides, and the truth of the held-out rows.
    ///
    /// # Errors
    /// Why nothing can be said.
    pub fn estimate(
        held_out: &HeldOutPredictions<'_>,
        unlabelled: &Predictions<'_>,
    ) -> Result<Self, NoTargetPriors> {
        let rows = &held_out.predictions;
        let k = rows.n_classes();
        if unlabelled.n_classes() != k {
            return Err(NoTargetPriors::OtherClasses { held_out: k, unlabelled: unlabelled.n_classes() });
        }
        let total = rows.total_weight().map_err(|_| NoTargetPriors::NoRows)?;
        let target_total = unlabelled.total_weight().map_err(|_| NoTargetPriors::NoRows)?;
        let mut joint = Square::zeros(k);
        for row in 0..rows.n_rows() {
            let (predicted, truth) = (rows.decisions().of_row(row), held_out.truth.of_row(row));
            *joint.at_mut(predicted, truth) += rows.weight_of(row) / total;
        }
        let mut predicted = vec![0.0; k];
        for row in 0..unlabelled.n_rows() {
            predicted[unlabelled.decisions().of_row(row)] += unlabelled.weight_of(row) / target_total;
        }
        Self::solve(&joint, &predicted)
    }

    /// From the shares of pairs of a prediction and a truth on held-out rows, and of predictions on unlabelled ones.
    fn solve(joint: &Square, predicted: &[f64]) -> Result<Self, NoTargetPriors> {
        let k = predicted.len();
        let held_out_priors: Vec<f64> =
            (0..k).map(|truth| (0..k).map(|prediction| joint.at(prediction, truth)).sum()).collect();
        let of_prediction = |prediction: usize| (0..k).map(|truth| joint.at(prediction, truth)).sum::<f64>();
        for class in 0..k {
            if held_out_priors[class] <= 0.0 {
                return Err(NoTargetPriors::ClassWithoutRows { class });
            }
            match (of_prediction(class) > 0.0, predicted[class] > 0.0) {
                (false, true) => return Err(NoTargetPriors::PredictedOnUnlabelledOnly { class }),
                (false, false) => return Err(NoTargetPriors::ClassNeverPredicted { class }),
                (true, _) => {}
            }
        }
        // Given the class, so that a rare class does not look like an ill-conditioned one.
        let mut given_class = joint.clone();
        for prediction in 0..k {
            (0..k).for_each(|truth| *given_class.at_mut(prediction, truth) /= held_out_priors[truth]);
        }
        let singular = |condition| NoTargetPriors::SingularConfusion { condition };
        let inverse = given_class.inverse().ok_or(singular(None))?;
        let condition = given_class.norm() * inverse.norm();
        if condition > LARGEST_CONDITION {
            return Err(singular(Some(condition)));
        }
        let raw = inverse.times(predicted);
        let ratios = raw.iter().zip(&held_out_priors).map(|(prior, held_out)| prior / held_out).collect();
        let kept: f64 = raw.iter().map(|prior| prior.max(0.0)).sum();
        let clipped = raw.iter().map(|prior| (-prior).max(0.0)).sum();
        let priors = raw.iter().map(|prior| prior.max(0.0) / kept).collect();
        Ok(Self { ratios, priors, held_out_priors, clipped, condition })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unlabelled::worked_example::close;

    fn solved(joint: &[&[f64]], predicted: &[f64]) -> Result<LabelShift, NoTargetPriors> {
        let mut square = Square::zeros(joint.len());
        for (prediction, row) in joint.iter().enumerate() {
            row.iter().enumerate().for_each(|(truth, &share)| *square.at_mut(prediction, truth) = share);
        }
        LabelShift::solve(&square, predicted)
    }

    #[test]
    fn golden_bbse() {
        let shift = solved(&[&[0.40, 0.10], &[0.05, 0.45]], &[0.35, 0.65]).expect("regular");
        let found = shift.ratios.iter().chain(&shift.priors);
        let expected = [0.528571429, 1.385714286, 0.237857143, 0.762142857];
        found.zip(expected).for_each(|(&found, expected)| close(found, expected));
        assert_eq!(shift.clipped, 0.0);
    }

    #[test]
    fn what_label_shift_cannot_explain_has_a_reason() {
        let reason = |joint: &[&[f64]], predicted: &[f64]| solved(joint, predicted).expect_err("no priors");
        let never: &[&[f64]] = &[&[0.5, 0.5], &[0.0, 0.0]];
        assert_eq!(reason(never, &[1.0, 0.0]), NoTargetPriors::ClassNeverPredicted { class: 1 });
        assert_eq!(reason(never, &[0.5, 0.5]), NoTargetPriors::PredictedOnUnlabelledOnly { class: 1 });
        let absent: &[&[f64]] = &[&[0.5, 0.0], &[0.5, 0.0]];
        assert_eq!(reason(absent, &[0.5, 0.5]), NoTargetPriors::ClassWithoutRows { class: 1 });
        let chance: &[&[f64]] = &[&[0.3, 0.3], &[0.2, 0.2]];
        assert!(matches!(reason(chance, &[0.5, 0.5]), NoTargetPriors::SingularConfusion { .. }));
    }

    #[test]
    fn negative_priors_are_clipped_and_counted() {
        let shift = solved(&[&[0.40, 0.10], &[0.05, 0.45]], &[0.02, 0.98]).expect("regular");
        assert_eq!(shift.priors, [0.0, 1.0]);
        assert!(shift.ratios[0] < 0.0 && shift.clipped > 0.1, "{shift:?}");
    }

    #[test]
    fn a_rare_class_that_is_told_apart_is_well_conditioned() {
        let shift = solved(&[&[0.9999, 0.0], &[0.0, 0.0001]], &[0.5, 0.5]).expect("regular");
        close(shift.condition, 1.0);
        close(shift.priors[1], 0.5);
    }
}
