//! Ten held-out and eight unlabelled rows with four candidates, two of them clones: what unit tests check themselves by.

use super::{Candidate, ClassLabels, ClassProbabilities, HeldOutPredictions, Predictions};

pub(super) struct WorkedExample {
    truth: ClassLabels,
    held_out: Vec<ClassProbabilities>,
    unlabelled: Vec<ClassProbabilities>,
}

impl WorkedExample {
    pub(super) fn new() -> Self {
        let truth = [1, 0, 1, 1, 0, 0, 1, 0, 1, 0].map(|class| class == 1);
        let held_out = [
            [0.9, 0.2, 0.8, 0.6, 0.4, 0.1, 0.7, 0.6, 0.3, 0.2],
            [0.99, 0.02, 0.97, 0.55, 0.3, 0.01, 0.95, 0.9, 0.05, 0.1],
            [0.985, 0.025, 0.975, 0.55, 0.31, 0.012, 0.948, 0.9, 0.052, 0.1],
            [0.6, 0.5, 0.4, 0.7, 0.6, 0.3, 0.5, 0.4, 0.6, 0.45],
        ];
        let unlabelled = [
            [0.85, 0.3, 0.55, 0.1, 0.65, 0.45, 0.2, 0.9],
            [0.98, 0.1, 0.7, 0.02, 0.9, 0.6, 0.05, 0.99],
            [0.978, 0.1, 0.702, 0.021, 0.9, 0.598, 0.05, 0.99],
            [0.6, 0.55, 0.4, 0.3, 0.5, 0.7, 0.45, 0.65],
        ];
        Self {
            truth: ClassLabels::binary(&truth),
            held_out: held_out.iter().map(|scores| probabilities(scores)).collect(),
            unlabelled: unlabelled.iter().map(|scores| probabilities(scores)).collect(),
        }
    }

    pub(super) fn candidates(&self) -> Vec<Candidate<'_>> {
        let candidate = |(held_out, unlabelled)| Candidate {
            held_out: HeldOutPredictions::new(Predictions::new(held_out), &self.truth).expect("alike"),
            unlabelled: Predictions::new(unlabelled),
        };
        self.held_out.iter().zip(&self.unlabelled).map(candidate).collect()
    }
}

pub(super) fn probabilities(of_positive: &[f64]) -> ClassProbabilities {
    ClassProbabilities::binary(of_positive).expect("probabilities")
}

#[track_caller]
pub(super) fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 6e-9, "{found}, expected {expected}");
}
