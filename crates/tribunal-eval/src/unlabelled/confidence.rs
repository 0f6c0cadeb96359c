//! Accuracy without labels from the confidence of a candidate in its decisions: thresholded (ATC) or averaged (DoC).

use serde::{Deserialize, Serialize};

use super::predictions::{HeldOutPredictions, Predictions};
use crate::error::Error;
use crate::sum::Sum;

/// Confidences that differ by less are tied: `1 - 0.2` and `0.8` need not be the same number.
const TIE: f64 = 1e-12;
/// Weights that add up to the same may differ by rounding.
const ROUNDING: f64 = 1e-12;

/// How sure a candidate is of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// The largest probability.
    MaxProbability,
    /// The sum of `p ln p` over classes.
    NegativeEntropy,
}

impl Confidence {
    /// The confidence in a row of probabilities.
    ///
    /// ```
    /// use tribunal_eval::unlabelled::Confidence;
    ///
    /// assert_eq!(Confidence::MaxProbability.of(&[0.25, 0.75]), 0.75);
    /// assert!((Confidence::NegativeEntropy.of(&[0.48, 0.52]) + 0.692346967).abs() < 1e-9);
    /// assert_eq!(Confidence::NegativeEntropy.of(&[0.0, 1.0]), 0.0);
    /// ```
    pub fn of(self, probabilities: &[f64]) -> f64 {
        match self {
            Self::MaxProbability => probabilities.iter().copied().fold(0.0, f64::max),
            Self::NegativeEntropy => {
                probabilities.iter().filter(|&&p| p > 0.0).map(|&p| p * p.ln()).collect::<Sum>().value()
            }
        }
    }
}

/// Average thresholded confidence; see [`atc`].
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ThresholdedConfidence {
    /// The confidence above which a row counts as right; nothing where no held-out row is wrong, and all count.
    pub threshold: Option<f64>,
    /// The share of rows at the threshold that counts as right.
    pub share_at_threshold: f64,
    /// The accuracy on the held-out rows.
    pub held_out_accuracy: f64,
    /// The estimated accuracy on the unlabelled rows.
    pub estimate: f64,
}

/// Average thresholded confidence (ATC): the threshold is set so that the share of held-out rows above it is the accuracy there.
///
/// **Definition** · Held-out rows run from the least confident up. The threshold is the confidence at which as many rows (as much
/// weight) have been passed as there are wrong decisions: there `|fp - fn|` of the authors' search is smallest. The estimate is the
/// share of unlabelled rows above it, plus of those at it the share `(accuracy - share of held-out rows above) / share of held-out
/// rows at`, so that the held-out accuracy comes back whatever is tied. Without a wrong decision every row counts as right.
///
/// **Undefined when** no held-out or no unlabelled row carries weight.
///
/// **Example**
/// ```
/// use tribunal_eval::unlabelled::{ClassLabels, ClassProbabilities, Confidence, HeldOutPredictions, Predictions, atc};
///
/// let truth = ClassLabels::binary(&[true, false, true, true]);
/// let held_out = ClassProbabilities::binary(&[0.9, 0.6, 0.7, 0.8])?;
/// let unlabelled = ClassProbabilities::binary(&[0.55, 0.35, 0.95])?;
/// let held_out = HeldOutPredictions::new(Predictions::new(&held_out), &truth)?;
/// let found = atc(Confidence::MaxProbability, &held_out, &Predictions::new(&unlabelled))?;
/// assert_eq!((found.threshold, found.held_out_accuracy), (Some(0.6), 0.75));
/// assert!((found.estimate - 2.0 / 3.0).abs() < 1e-15);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** · Garg, Balakrishnan, Lipton, Neyshabur and Sedghi (2022), "Leveraging unlabeled data to predict
/// out-of-distribution performance"; their code counts rows at the threshold, which over-counts
pub fn atc(
    confidence: Confidence,
    held_out: &HeldOutPredictions<'_>,
    unlabelled: &Predictions<'_>,
) -> Result<ThresholdedConfidence, Error> {
    let labelled = &held_out.predictions;
    unlabelled.check_same_classes(labelled)?;
    let held_out_accuracy = held_out.accuracy()?;
    unlabelled.total_weight()?;
    let Some(threshold) = threshold(confidence, held_out) else {
        let everything = 1.0;
        return Ok(ThresholdedConfidence {
            threshold: None,
            share_at_threshold: 0.0,
            held_out_accuracy,
            estimate: everything,
        });
    };
    let shares = |rows: &Predictions<'_>| -> Result<(f64, f64), Error> {
        let distance = |row: usize| confidence.of(rows.probabilities().row(row)) - threshold;
        let above = rows.mean(|row| f64::from(distance(row) > TIE))?;
        Ok((above, rows.mean(|row| f64::from(distance(row).abs() <= TIE))?))
    };
    let ((above, at), (target_above, target_at)) = (shares(labelled)?, shares(unlabelled)?);
    let share_at_threshold = ((held_out_accuracy - above) / at).clamp(0.0, 1.0);
    let estimate = target_above + share_at_threshold * target_at;
    Ok(ThresholdedConfidence { threshold: Some(threshold), share_at_threshold, held_out_accuracy, estimate })
}

/// The confidence at which as much weight has been passed as wrong decisions have; nothing where none is wrong.
fn threshold(confidence: Confidence, held_out: &HeldOutPredictions<'_>) -> Option<f64> {
    let rows = &held_out.predictions;
    let wrong = rows.sum(|row| f64::from(!held_out.is_right(row)));
    let mut order: Vec<(f64, f64)> = (0..rows.n_rows())
        .map(|row| (confidence.of(rows.probabilities().row(row)), rows.weight_of(row)))
        .filter(|(_, weight)| *weight > 0.0)
        .collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut passed = Sum::default();
    let is_reached = |(_, weight): &&(f64, f64)| {
        passed.add(*weight);
        passed.value() >= wrong * (1.0 - ROUNDING)
    };
    (wrong > 0.0).then(|| order.iter().find(is_reached).or(order.last()).map(|(value, _)| *value)).flatten()
}

/// Difference of average confidences; see [`doc`].
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AverageConfidence {
    /// The accuracy on the held-out rows.
    pub held_out_accuracy: f64,
    /// The mean of the largest probabilities of held-out rows.
    pub held_out: f64,
    /// The mean of those of unlabelled rows.
    pub unlabelled: f64,
}

impl AverageConfidence {
    /// The estimated accuracy on the unlabelled rows, which may leave 0 to 1.
    pub fn estimate(&self) -> f64 {
        self.held_out_accuracy + self.unlabelled - self.held_out
    }
}

/// Difference of confidences (DoC): the accuracy moves as the average confidence does.
///
/// **Definition** · held-out accuracy + mean largest probability on unlabelled rows - mean largest probability on held-out rows
///
/// **Undefined when** no held-out or no unlabelled row carries weight.
///
/// **Example**
/// ```
/// use tribunal_eval::unlabelled::{ClassLabels, ClassProbabilities, HeldOutPredictions, Predictions, doc};
///
/// let truth = ClassLabels::binary(&[true, false]);
/// let (held_out, unlabelled) = (ClassProbabilities::binary(&[0.75, 0.75])?, ClassProbabilities::binary(&[0.125, 1.0])?);
/// let held_out = HeldOutPredictions::new(Predictions::new(&held_out), &truth)?;
/// let found = doc(&held_out, &Predictions::new(&unlabelled))?;
/// assert_eq!(found.estimate(), 0.5 + 0.9375 - 0.75);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** · Guillory, Shankar, Ebrahimi, Darrell and Schmidt (2021), "Predicting with confidence on unseen distributions"
pub fn doc(
    held_out: &HeldOutPredictions<'_>,
    unlabelled: &Predictions<'_>,
) -> Result<AverageConfidence, Error> {
    unlabelled.check_same_classes(&held_out.predictions)?;
    let mean = |rows: &Predictions<'_>| rows.mean(|row| rows.probabilities().largest(row));
    Ok(AverageConfidence {
        held_out_accuracy: held_out.accuracy()?,
        held_out: mean(&held_out.predictions)?,
        unlabelled: mean(unlabelled)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unlabelled::worked_example::{close, probabilities};
    use crate::unlabelled::{ClassLabels, ClassProbabilities};

    const HELD_OUT: [f64; 10] = [0.55, 0.60, 0.62, 0.70, 0.75, 0.80, 0.85, 0.90, 0.95, 0.99];
    const RIGHT: [bool; 10] = [false, true, false, true, false, true, true, true, true, true];

    fn found(held_out: &[f64], right: &[bool], unlabelled: &[f64]) -> ThresholdedConfidence {
        // Every score is above one half, so every decision is positive.
        let (truth, scores) = (ClassLabels::binary(right), probabilities(held_out));
        let held_out = HeldOutPredictions::new(Predictions::new(&scores), &truth).expect("alike");
        let unlabelled = probabilities(unlabelled);
        atc(Confidence::MaxProbability, &held_out, &Predictions::new(&unlabelled)).expect("rows")
    }

    #[test]
    fn golden_atc() {
        let target = [0.52, 0.58, 0.66, 0.72, 0.81, 0.88, 0.93, 0.97];
        let estimate = found(&HELD_OUT, &RIGHT, &target);
        assert_eq!(estimate.threshold, Some(0.62));
        close(estimate.held_out_accuracy, 0.7);
        close(estimate.estimate, 0.75);
        // The accuracy of the held-out rows comes back.
        close(found(&HELD_OUT, &RIGHT, &HELD_OUT).estimate, 0.7);
    }

    #[test]
    fn golden_negative_entropy() {
        let expected = [(0.52, -0.692346967), (0.88, -0.366924991), (0.97, -0.134742168)];
        for (p, expected) in expected {
            close(Confidence::NegativeEntropy.of(&[1.0 - p, p]), expected);
        }
    }

    #[test]
    fn ties_at_the_threshold_are_shared() {
        let tied = [0.6, 0.6, 0.6, 0.6, 0.9, 0.9];
        let right = [false, true, true, true, true, true];
        let estimate = found(&tied, &right, &[0.6, 0.6, 0.9, 0.7]);
        assert_eq!((estimate.threshold, estimate.share_at_threshold), (Some(0.6), 0.75));
        close(estimate.estimate, 0.5 + 0.75 * 0.5);
        close(found(&tied, &right, &tied).estimate, 5.0 / 6.0);
    }

    #[test]
    fn mirrored_probabilities_are_equally_certain() {
        let (truth, scores) = (ClassLabels::binary(&[false, true]), probabilities(&[0.8, 0.2]));
        let held_out = HeldOutPredictions::new(Predictions::new(&scores), &truth).expect("alike");
        let right = ClassLabels::binary(&[true, true]);
        let half_right = HeldOutPredictions::new(Predictions::new(&scores), &right).expect("alike");
        for confidence in [Confidence::MaxProbability, Confidence::NegativeEntropy] {
            let estimate = atc(confidence, &half_right, held_out.predictions()).expect("rows");
            assert_eq!((estimate.share_at_threshold, estimate.estimate), (0.5, 0.5));
        }
    }

    #[test]
    fn without_an_error_everything_is_right() {
        for confidence in [Confidence::MaxProbability, Confidence::NegativeEntropy] {
            let (truth, scores) = (ClassLabels::binary(&[true, true]), probabilities(&[0.8, 0.7]));
            let held_out = HeldOutPredictions::new(Predictions::new(&scores), &truth).expect("alike");
            let unlabelled = ClassProbabilities::binary(&[0.1, 0.5]).expect("probabilities");
            let estimate = atc(confidence, &held_out, &Predictions::new(&unlabelled)).expect("rows");
            assert_eq!((estimate.threshold, estimate.estimate), (None, 1.0));
        }
    }
}
