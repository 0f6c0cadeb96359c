//! Consensus selection: candidates are judged on unlabelled rows by what all of them together, calibrated, say of each row.

use std::cmp::Ordering;

use rayon::prelude::*;

use super::class_probabilities::ClassProbabilities;
use super::clones::Clones;
use super::criterion::{LabelFreeCriterion, Population};
use super::expected::ExpectedPerformance;
use super::mean_calibration::MeanCalibration;
use super::predictions::{HeldOutPredictions, Predictions};
use super::temperature::TemperatureScaling;
use crate::checks::at_least;
use crate::error::Error;
use crate::undefined::{Undefined, Value};

/// With fewer distinct candidates cross-validation alone is better.
const FEWEST_DISTINCT: f64 = 3.0;
/// Thirds and sixths need not add up to whole numbers.
const ROUNDING: f64 = 1e-9;

/// What one candidate says of all rows: probabilities as it gives them. Margins are calibrated first, by Platt's sigmoid fitted on
/// held-out rows.
#[derive(Clone, Debug)]
pub struct Candidate<'a> {
    /// Rows with labels, each scored by a model that had not seen it.
    pub held_out: HeldOutPredictions<'a>,
    /// Rows without labels, scored by the model of all rows with labels.
    pub unlabelled: Predictions<'a>,
}

/// What candidates agree on, row by row.
///
/// **Definition** · Every candidate is [temperature-scaled](TemperatureScaling); with the weights of [`Clones`], the consensus of a
/// row is the weighted mean of the scaled probabilities. It is a soft label for every row.
///
/// **Undefined when** there is no candidate, or no row carries weight.
///
/// **Example**
/// ```
/// use tribunal_eval::unlabelled::{
///     Candidate, ClassLabels, ClassProbabilities, Consensus, HeldOutPredictions, LabelFreeCriterion, Predictions,
/// };
///
/// let truth = ClassLabels::binary(&[true, false, true, false]);
/// let scores = |of_positive: &[f64]| ClassProbabilities::binary(of_positive);
/// let held_out = [scores(&[0.9, 0.2, 0.7, 0.4])?, scores(&[0.8, 0.4, 0.6, 0.1])?, scores(&[0.4, 0.6, 0.9, 0.3])?];
/// let unlabelled = [scores(&[0.8, 0.1, 0.6])?, scores(&[0.9, 0.3, 0.7])?, scores(&[0.3, 0.8, 0.4])?];
/// let candidates: Vec<Candidate<'_>> = held_out.iter().zip(&unlabelled).map(|(held_out, unlabelled)| Ok(Candidate {
///     held_out: HeldOutPredictions::new(Predictions::new(held_out), &truth)?,
///     unlabelled: Predictions::new(unlabelled),
/// })).collect::<Result<_, tribunal_eval::Error>>()?;
///
/// let consensus = Consensus::of(&candidates)?;
/// assert_eq!(consensus.lambda(), Some(0.5));
/// let scores = consensus.judge(&LabelFreeCriterion::Accuracy)?;
/// assert_eq!(scores.recommended(), Some(0));
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** · the ensemble of Hu, Luo, Liang and Foo (2024), "Towards reliable model selection for unsupervised domain
/// adaptation", with calibrated members, clones counted once, and shrunk to cross-validation
#[derive(Clone, Debug)]
pub struct Consensus<'a> {
    candidates: &'a [Candidate<'a>],
    scalings: Vec<TemperatureScaling>,
    scaled_unlabelled: Vec<ClassProbabilities>,
    clones: Clones,
    held_out: ClassProbabilities,
    unlabelled: ClassProbabilities,
    /// How members were made right in the mean, where they were.
    calibrations: Option<Vec<MeanCalibration>>,
}

impl<'a> Consensus<'a> {
    /// The consensus of candidates that were given the same rows.
    ///
    /// # Errors
    /// There is no candidate, they differ in rows, truth, weights or classes, or no row carries weight.
    pub fn of(candidates: &'a [Candidate<'a>]) -> Result<Self, Error> {
        at_least("candidates", candidates.len(), 1)?;
        let first = &candidates[0];
        for candidate in candidates {
            candidate.held_out.check_same_rows(&first.held_out)?;
            candidate.unlabelled.check_same_rows("a candidate's unlabelled scores", &first.unlabelled)?;
        }
        first.unlabelled.check_same_classes(first.held_out.predictions())?;
        let scale = |candidate: &Candidate<'_>| {
            let scaling = TemperatureScaling::fit(&candidate.held_out)?;
            let held_out = scaling.apply(candidate.held_out.predictions().probabilities());
            Ok((scaling, held_out, scaling.apply(candidate.unlabelled.probabilities())))
        };
        let scaled = candidates.par_iter().map(scale).collect::<Vec<Result<_, Undefined>>>();
        let (mut scalings, mut scaled_held_out, mut scaled_unlabelled) = (Vec::new(), Vec::new(), Vec::new());
        for one in scaled {
            let (scaling, held_out, unlabelled) = one?;
            scalings.push(scaling);
            scaled_held_out.push(held_out);
            scaled_unlabelled.push(unlabelled);
        }
        let clones = Clones::among(&scaled_unlabelled, &first.unlabelled)?;
        let (held_out, unlabelled) = (mean(&scaled_held_out, &clones), mean(&scaled_unlabelled, &clones));
        Ok(Self { candidates, scalings, scaled_unlabelled, clones, held_out, unlabelled, calibrations: None })
    }

    /// The same consensus of members that are right in the mean too ([`MeanCalibration`]), for figures that multiply probabilities by
    /// amounts. Who is a clone of whom, and so weights, stay those of temperature scaling: where positives are rare, everybody who is
    /// right in the mean is close to everybody else.
    ///
    /// # Errors
    /// There are more than two classes, or one of them has no weight on the held-out rows.
    pub fn calibrated_in_the_mean(self) -> Result<Self, Error> {
        let calibrate = |candidate: &Candidate<'_>| {
            let calibration = MeanCalibration::fit(&candidate.held_out)?;
            let held_out = calibration.apply(candidate.held_out.predictions().probabilities());
            Ok((calibration, held_out, calibration.apply(candidate.unlabelled.probabilities())))
        };
        let calibrated = self.candidates.par_iter().map(calibrate).collect::<Vec<Result<_, Error>>>();
        let (mut calibrations, mut held_out, mut unlabelled) = (Vec::new(), Vec::new(), Vec::new());
        for one in calibrated {
            let (calibration, of_held_out, of_unlabelled) = one?;
            calibrations.push(calibration);
            held_out.push(of_held_out);
            unlabelled.push(of_unlabelled);
        }
        let (held_out, unlabelled) = (mean(&held_out, &self.clones), mean(&unlabelled, &self.clones));
        Ok(Self { held_out, unlabelled, calibrations: Some(calibrations), ..self })
    }

    /// How each candidate was made right in the mean, where that was asked for.
    pub fn calibrations(&self) -> Option<&[MeanCalibration]> {
        self.calibrations.as_deref()
    }

    /// The candidates.
    pub fn candidates(&self) -> &'a [Candidate<'a>] {
        self.candidates
    }

    /// The temperature of each candidate.
    pub fn scalings(&self) -> &[TemperatureScaling] {
        &self.scalings
    }

    /// The scaled probabilities of each candidate on the unlabelled rows.
    pub fn scaled_unlabelled(&self) -> &[ClassProbabilities] {
        &self.scaled_unlabelled
    }

    /// Which candidates are clones.
    pub fn clones(&self) -> &Clones {
        &self.clones
    }

    /// The consensus on the held-out rows, from held-out scores.
    pub fn held_out(&self) -> &ClassProbabilities {
        &self.held_out
    }

    /// The consensus on the unlabelled rows.
    pub fn unlabelled(&self) -> &ClassProbabilities {
        &self.unlabelled
    }

    /// How much the consensus counts beside cross-validation: `(L - 1) / (L + 1)` with `L` distinct candidates, nothing of fewer than
    /// three.
    pub fn lambda(&self) -> Option<f64> {
        let distinct = self.clones.n_distinct();
        (distinct > FEWEST_DISTINCT - ROUNDING).then(|| (distinct - 1.0) / (distinct + 1.0))
    }

    /// Judges the candidates on the unlabelled rows.
    ///
    /// **Definition** · `score = (1 - lambda) CV + lambda EnsCal`: the [criterion](LabelFreeCriterion) on held-out rows under their
    /// labels, and on unlabelled rows under the consensus. With fewer than three distinct candidates there is no lambda, and the score
    /// is CV alone. The best score is recommended; of ties the better CV, then the first candidate.
    ///
    /// **Undefined when** the criterion is undefined on held-out rows or, where there is a lambda, on unlabelled ones.
    ///
    /// **Example** · see [`Consensus`].
    ///
    /// **Reference** · that of [`Consensus`]
    ///
    /// # Errors
    /// Those of [`LabelFreeCriterion::value`].
    pub fn judge(&self, criterion: &LabelFreeCriterion<'_>) -> Result<ConsensusScores, Error> {
        let lambda = self.lambda();
        let scores = self.candidates.par_iter().map(|one| self.score(one, criterion, lambda));
        let candidates = scores.collect::<Vec<_>>().into_iter().collect::<Result<Vec<_>, Error>>()?;
        let mut order: Vec<usize> = (0..candidates.len()).collect();
        order.sort_by(|&a, &b| compare(&candidates[a], &candidates[b], criterion));
        Ok(ConsensusScores { lambda, candidates, order })
    }

    fn score(
        &self,
        candidate: &Candidate<'_>,
        criterion: &LabelFreeCriterion<'_>,
        lambda: Option<f64>,
    ) -> Result<CandidateScore, Error> {
        let (held_out, unlabelled) = (candidate.held_out.predictions(), &candidate.unlabelled);
        let on_held_out = criterion.on_part(held_out.total_weight()?, unlabelled.total_weight()?);
        let truth = ClassProbabilities::certain(candidate.held_out.truth());
        let cross_validated = on_held_out.value(Population::HeldOut, held_out, &truth)?;
        let consensus_held_out = on_held_out.value(Population::HeldOut, held_out, &self.held_out)?;
        let consensus_unlabelled = criterion.value(Population::Unlabelled, unlabelled, &self.unlabelled)?;
        let score = match (lambda, cross_validated.clone()) {
            (Some(lambda), Ok(cross_validated)) => consensus_unlabelled
                .clone()
                .map(|consensus| (1.0 - lambda) * cross_validated + lambda * consensus),
            (_, cross_validated) => cross_validated,
        };
        Ok(CandidateScore { cross_validated, consensus_held_out, consensus_unlabelled, score })
    }
}

/// The mean of what members say, by their weights as voices.
fn mean(members: &[ClassProbabilities], clones: &Clones) -> ClassProbabilities {
    let shape = (members[0].n_rows(), members[0].n_classes());
    ClassProbabilities::weighted_mean(shape, members.iter().zip(clones.weights().iter().copied()))
}

/// The order of two candidates, the better first; what has no score is last.
fn compare(a: &CandidateScore, b: &CandidateScore, criterion: &LabelFreeCriterion<'_>) -> Ordering {
    let gain = |value: &Value| value.as_ref().map_or(f64::NEG_INFINITY, |&value| criterion.gain(value));
    let by = |of: fn(&CandidateScore) -> &Value| gain(of(b)).total_cmp(&gain(of(a)));
    by(|one| &one.score).then_with(|| by(|one| &one.cross_validated))
}

/// What became of one candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct CandidateScore {
    /// CV: the criterion on held-out rows, under their labels.
    pub cross_validated: Value,
    /// EnsCal on D: the same under the consensus.
    pub consensus_held_out: Value,
    /// EnsCal on T: the criterion on unlabelled rows, under the consensus.
    pub consensus_unlabelled: Value,
    /// What it is chosen by.
    pub score: Value,
}

impl CandidateScore {
    /// What to expect of it on the unlabelled rows.
    ///
    /// # Errors
    /// One of the values that it is made of is undefined.
    pub fn expected(&self) -> Result<ExpectedPerformance, Undefined> {
        Ok(ExpectedPerformance {
            cross_validated: self.cross_validated.clone()?,
            consensus_held_out: self.consensus_held_out.clone()?,
            consensus_unlabelled: self.consensus_unlabelled.clone()?,
        })
    }
}

/// What became of all candidates, under one criterion.
#[derive(Clone, Debug, PartialEq)]
pub struct ConsensusScores {
    /// How much the consensus counts beside cross-validation; nothing where there are fewer than three distinct candidates, and
    /// scores are those of cross-validation alone.
    pub lambda: Option<f64>,
    /// The candidates as they were given.
    pub candidates: Vec<CandidateScore>,
    /// The places of the candidates, the best first.
    pub order: Vec<usize>,
}

impl ConsensusScores {
    /// The place of the best candidate; nothing where no candidate has a score.
    pub fn recommended(&self) -> Option<usize> {
        self.order.first().copied().filter(|&best| self.candidates[best].score.is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::Measure;
    use crate::unlabelled::ClassLabels;
    use crate::unlabelled::worked_example::{WorkedExample, close, probabilities};

    fn all_close(found: impl IntoIterator<Item = Value>, expected: [f64; 4]) {
        let found: Vec<f64> = found.into_iter().map(|value| value.expect("a value")).collect();
        found.iter().zip(expected).for_each(|(&found, expected)| close(found, expected));
    }

    #[test]
    fn golden_consensus() {
        let example = WorkedExample::new();
        let candidates = example.candidates();
        let consensus = Consensus::of(&candidates).expect("the same rows");
        let expected =
            [0.82906064, 0.35954522, 0.49459993, 0.10769280, 0.65257371, 0.60788045, 0.23628987, 0.88079097];
        consensus.unlabelled().of_class(1).zip(expected).for_each(|(found, expected)| close(found, expected));
        let scores = consensus.judge(&LabelFreeCriterion::Accuracy).expect("accuracies");
        let of = |of: fn(&CandidateScore) -> Value| scores.candidates.iter().map(of);
        all_close(of(|one| one.cross_validated.clone()), [0.8, 0.8, 0.8, 0.7]);
        all_close(
            of(|one| one.consensus_unlabelled.clone()),
            [0.69320211, 0.72017223, 0.72017223, 0.68640855],
        );
        all_close(of(|one| one.consensus_held_out.clone()), [0.70024383, 0.70024383, 0.70024383, 0.57168270]);
        all_close(of(|one| one.score.clone()), [0.74660106, 0.76008611, 0.76008611, 0.69320427]);
        assert_eq!((scores.recommended(), &scores.order[..]), (Some(1), &[1, 2, 0, 3][..]));
    }

    #[test]
    fn two_distinct_candidates_are_judged_by_cross_validation() {
        let example = WorkedExample::new();
        let candidates = &example.candidates()[..3];
        let consensus = Consensus::of(candidates).expect("the same rows");
        let scores = consensus.judge(&LabelFreeCriterion::Accuracy).expect("accuracies");
        assert_eq!((consensus.lambda(), scores.lambda), (None, None));
        assert!(scores.candidates.iter().all(|one| one.score == one.cross_validated));
        assert_eq!(scores.recommended(), Some(0));
    }

    #[test]
    fn without_a_class_there_is_no_area_and_no_recommendation() {
        let truth = ClassLabels::binary(&[true; 4]);
        let scores =
            [[0.9, 0.8, 0.7, 0.4], [0.2, 0.3, 0.9, 0.1], [0.6, 0.1, 0.2, 0.9]].map(|one| probabilities(&one));
        let candidate = |scores| Candidate {
            held_out: HeldOutPredictions::new(Predictions::new(scores), &truth).expect("alike"),
            unlabelled: Predictions::new(scores),
        };
        let candidates: Vec<Candidate<'_>> = scores.iter().map(candidate).collect();
        let consensus = Consensus::of(&candidates).expect("the same rows");
        let judged = consensus.judge(&LabelFreeCriterion::Measure(Measure::AUROC)).expect("areas");
        assert_eq!((judged.recommended(), &judged.candidates[0].score), (None, &Err(Undefined::NoNegatives)));
    }

    #[test]
    fn costs_are_better_the_lower() {
        let example = WorkedExample::new();
        let candidates = example.candidates();
        let consensus = Consensus::of(&candidates).expect("the same rows");
        let cost = LabelFreeCriterion::Measure(Measure::of_costs(1.0, 5.0).expect("costs"));
        let judged = consensus.judge(&cost).expect("costs");
        let score = |place: usize| judged.candidates[place].score.clone().expect("a cost");
        assert!(judged.order.windows(2).all(|pair| score(pair[0]) <= score(pair[1])));
    }

    /// One candidate that believes in four times as many positives as there are values everybody's cases four times too high; made right
    /// in the mean it says of held-out rows what is true of them. Weights, clones and accuracies before stay as they are.
    #[test]
    fn a_consensus_that_is_right_in_the_mean_values_no_case_too_high() {
        let truth: Vec<bool> = (0..200).map(|row| row % 10 == 0).collect();
        let sure = |high: f64, low: f64, every: usize| -> Vec<f64> {
            (0..200).map(|row| if row % every == 0 { high } else { low }).collect()
        };
        let scores =
            [sure(0.6, 0.05, 10), sure(0.7, 0.35, 5), sure(0.2, 0.08, 7)].map(|one| probabilities(&one));
        let labels = ClassLabels::binary(&truth);
        let candidate = |scores| Candidate {
            held_out: HeldOutPredictions::new(Predictions::new(scores), &labels).expect("alike"),
            unlabelled: Predictions::new(scores),
        };
        let candidates: Vec<Candidate<'_>> = scores.iter().map(candidate).collect();
        let plain = Consensus::of(&candidates).expect("the same rows");
        let mean = |consensus: &Consensus<'_>| consensus.held_out().of_class(1).sum::<f64>() / 200.0;
        assert!(mean(&plain) > 0.13, "{}", mean(&plain));
        let right = plain.clone().calibrated_in_the_mean().expect("two classes");
        assert!((mean(&right) - 0.1).abs() < 1e-12, "{}", mean(&right));
        assert_eq!(right.calibrations().map(<[MeanCalibration]>::len), Some(3));
        assert_eq!((plain.calibrations(), plain.clones()), (None, right.clones()));
    }

    #[test]
    fn candidates_of_other_rows_are_refused() {
        let example = WorkedExample::new();
        let other = ClassLabels::binary(&[false; 10]);
        let mut candidates = example.candidates();
        let scores = candidates[2].held_out.predictions().clone();
        candidates[2].held_out = HeldOutPredictions::new(scores, &other).expect("alike");
        let error = Consensus::of(&candidates).expect_err("another truth");
        assert_eq!(
            error.to_string(),
            "truth of row 0 differs between candidates; give all of them the same rows in the same order"
        );
        assert_eq!(Consensus::of(&[]).expect_err("nobody").to_string(), "0 candidates; at least 1 needed");
    }
}
