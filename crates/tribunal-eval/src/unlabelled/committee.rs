//! A committee: the mean of temperature-scaled scores, in which candidates with better scores weigh more.

use serde::{Deserialize, Serialize};

use super::class_probabilities::ClassProbabilities;
use super::consensus::{Consensus, ConsensusScores};
use super::criterion::LabelFreeCriterion;
use super::temperature::TemperatureScaling;
use crate::checks::{at_least, within};
use crate::error::Error;
use crate::undefined::Undefined;

/// A candidate that scores so much less than the best weighs `1 / e` of it.
const SCORE_UNIT: f64 = 0.02;

/// One candidate in a committee.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CommitteeMember {
    /// What the logarithms of its probabilities are divided by.
    pub scaling: TemperatureScaling,
    /// Its share of the mean.
    pub weight: f64,
}

/// Candidates that speak together, on any rows: plain data, to be kept beside their models.
///
/// **Definition** · The mean of the [temperature-scaled](TemperatureScaling) probabilities with weights proportional to
/// `w exp((score - best score) / 0.02)`, where `w` is the weight of a candidate among its [clones](super::Clones). A candidate
/// without a score has no weight.
///
/// **Undefined when** no candidate has a score, or the criterion does not range from 0 to 1, so that .02 has no meaning.
///
/// **Example**
/// ```
/// use tribunal_eval::unlabelled::{ClassProbabilities, Committee, CommitteeMember, TemperatureScaling};
///
/// let member = |weight| CommitteeMember { scaling: TemperatureScaling { temperature: 1.0, log_loss: 0.5 }, weight };
/// let committee = Committee { members: vec![member(0.75), member(0.25)] };
/// let scores = [ClassProbabilities::binary(&[0.8])?, ClassProbabilities::binary(&[0.4])?];
/// assert!((committee.combine(&[&scores[0], &scores[1]])?.row(0)[1] - 0.7).abs() < 1e-12);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** · exponential weights as in Littlestone and Warmuth (1994), "The weighted majority algorithm"
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Committee {
    /// The candidates in their order, those without weight included.
    pub members: Vec<CommitteeMember>,
}

impl Committee {
    /// The committee of candidates by the scores of a consensus under this criterion.
    ///
    /// # Errors
    /// No candidate has a score, or the criterion does not range from 0 to 1.
    pub fn of(
        consensus: &Consensus<'_>,
        scores: &ConsensusScores,
        criterion: &LabelFreeCriterion<'_>,
    ) -> Result<Self, Error> {
        let (least, most) = criterion.range();
        let expected = "1: a committee needs a criterion between 0 and 1, such as accuracy or AUROC";
        within("the range of the criterion", most - least, (least, most) == (0.0, 1.0), expected)?;
        let gain = |value: &f64| criterion.gain(*value);
        let gains: Vec<Option<f64>> =
            scores.candidates.iter().map(|one| one.score.as_ref().ok().map(gain)).collect();
        let Some(best) = gains.iter().flatten().copied().reduce(f64::max) else {
            let reason = scores.candidates.iter().find_map(|one| one.score.clone().err());
            return Err(reason.unwrap_or(Undefined::NoRows).into());
        };
        let power = |gain: &Option<f64>| gain.map_or(0.0, |gain| ((gain - best) / SCORE_UNIT).exp());
        let weights: Vec<f64> = gains
            .iter()
            .zip(consensus.clones().weights())
            .map(|(gain, weight)| weight * power(gain))
            .collect();
        let total: f64 = weights.iter().sum();
        let member = |(&scaling, weight): (&TemperatureScaling, f64)| CommitteeMember {
            scaling,
            weight: weight / total,
        };
        Ok(Self { members: consensus.scalings().iter().zip(weights).map(member).collect() })
    }

    /// What the members say together of rows, from the probabilities of each as its model gives them.
    ///
    /// # Errors
    /// There are not as many as members, or they have different rows or classes.
    pub fn combine(&self, of_members: &[&ClassProbabilities]) -> Result<ClassProbabilities, Error> {
        let n_found = of_members.len();
        at_least("members of a committee", n_found, 1)?;
        let is_complete = n_found == self.members.len();
        within(
            "the number of members with scores",
            n_found as f64,
            is_complete,
            "as many as the committee has",
        )?;
        let shape = (of_members[0].n_rows(), of_members[0].n_classes());
        for scores in of_members {
            if scores.n_classes() != shape.1 {
                let (found, expected) = (scores.n_classes(), shape.1);
                return Err(Error::ClassCount { what: "a member of the committee", found, expected });
            }
            if scores.n_rows() != shape.0 {
                let (found, expected) = (scores.n_rows(), shape.0);
                return Err(Error::LengthMismatch {
                    what: "a member of the committee".into(),
                    found,
                    expected,
                });
            }
        }
        let scaled: Vec<(ClassProbabilities, f64)> = self
            .members
            .iter()
            .zip(of_members)
            .filter(|(member, _)| member.weight > 0.0)
            .map(|(member, scores)| (member.scaling.apply(scores), member.weight))
            .collect();
        Ok(ClassProbabilities::weighted_mean(shape, scaled.iter().map(|(scores, weight)| (scores, *weight))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decisions::{BenefitMatrix, CaseBenefits};
    use crate::unlabelled::worked_example::{WorkedExample, close};

    #[test]
    fn golden_committee() {
        let example = WorkedExample::new();
        let candidates = example.candidates();
        let consensus = Consensus::of(&candidates).expect("the same rows");
        let scores = consensus.judge(&LabelFreeCriterion::Accuracy).expect("accuracies");
        let committee = Committee::of(&consensus, &scores, &LabelFreeCriterion::Accuracy).expect("scores");
        let expected = [0.32983386, 0.32366037, 0.32366037, 0.02284540];
        committee.members.iter().zip(expected).for_each(|(member, expected)| close(member.weight, expected));
        let unlabelled: Vec<&ClassProbabilities> =
            candidates.iter().map(|one| one.unlabelled.probabilities()).collect();
        close(committee.combine(&unlabelled).expect("the same rows").row(0)[1], 0.88476667);
        assert!(committee.combine(&unlabelled[..3]).is_err());
        assert!(Committee { members: Vec::new() }.combine(&[]).is_err());
    }

    #[test]
    fn money_has_no_unit_that_weights_could_come_from() {
        let example = WorkedExample::new();
        let candidates = example.candidates();
        let consensus = Consensus::of(&candidates).expect("the same rows");
        let cells: CaseBenefits<'_> = BenefitMatrix { hit: 10.0, ..BenefitMatrix::default() }.into();
        let benefit = LabelFreeCriterion::Benefit { held_out: cells, unlabelled: cells };
        let scores = consensus.judge(&benefit).expect("benefits");
        let error = Committee::of(&consensus, &scores, &benefit).expect_err("money");
        assert!(error.to_string().contains("a criterion between 0 and 1"), "{error}");
    }
}
