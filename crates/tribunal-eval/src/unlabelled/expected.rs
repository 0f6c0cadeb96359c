//! What to expect of a candidate on unlabelled rows: cross-validation, moved by what the consensus says of the change.

use serde::{Deserialize, Serialize};

use super::criterion::LabelFreeCriterion;

/// The expected performance of a candidate (CV+dCal).
///
/// **Definition** · `CV + EnsCal(T) - EnsCal(D)`: the criterion on held-out rows under their labels, plus the difference between
/// what it is under the consensus on unlabelled rows and on held-out ones. The estimate itself may leave the range of the criterion,
/// as errors of estimates need it; [`within_range`](Self::within_range) is for people.
///
/// **Undefined when** one of the three values is.
///
/// **Example**
/// ```
/// use tribunal_eval::unlabelled::{ExpectedPerformance, LabelFreeCriterion};
///
/// let expected = ExpectedPerformance { cross_validated: 0.875, consensus_held_out: 0.625, consensus_unlabelled: 0.875 };
/// assert_eq!((expected.change(), expected.estimate()), (0.25, 1.125));
/// assert_eq!(expected.within_range(&LabelFreeCriterion::Accuracy), 1.0);
/// ```
///
/// **Reference** · a difference of confidences as in Guillory, Shankar, Ebrahimi, Darrell and Schmidt (2021), "Predicting with
/// confidence on unseen distributions", with the confidence of the consensus
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExpectedPerformance {
    /// On held-out rows under their labels.
    pub cross_validated: f64,
    /// On held-out rows under the consensus.
    pub consensus_held_out: f64,
    /// On unlabelled rows under the consensus.
    pub consensus_unlabelled: f64,
}

impl ExpectedPerformance {
    /// What the unlabelled rows change, going by the consensus.
    pub fn change(&self) -> f64 {
        self.consensus_unlabelled - self.consensus_held_out
    }

    /// The expected performance, which may leave the range of the criterion.
    pub fn estimate(&self) -> f64 {
        self.cross_validated + self.change()
    }

    /// The expected performance, as far as the criterion can reach.
    pub fn within_range(&self, criterion: &LabelFreeCriterion<'_>) -> f64 {
        let (least, most) = criterion.range();
        self.estimate().clamp(least, most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unlabelled::Consensus;
    use crate::unlabelled::worked_example::{WorkedExample, close};

    #[test]
    fn golden_expected_performance() {
        let example = WorkedExample::new();
        let candidates = example.candidates();
        let consensus = Consensus::of(&candidates).expect("the same rows");
        let scores = consensus.judge(&LabelFreeCriterion::Accuracy).expect("accuracies");
        for (one, expected) in scores.candidates.iter().zip([0.79295828, 0.81992839, 0.81992839, 0.81472585])
        {
            close(one.expected().expect("defined").estimate(), expected);
        }
    }
}
