//! `loo`: every row is tested once by what was learned from all others (Lachenbruch and Mickey 1968).
//!
//! It cannot be stratified, and it can fail badly: where classes are equally frequent, the held-out row is always in the
//! minority of what is left, so that a rule which follows the majority is always wrong.

use std::fmt;

use super::assignment::{Assigned, Assignment, Scheme};
use super::design::{Design, DesignForm, no_more};
use super::rows::Rows;
use crate::error::Error;

/// Leave-one-out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loo;

pub(super) const FORM: DesignForm = DesignForm {
    name: "loo",
    form: "loo",
    definition: "every row is tested once by what was learned from all others; nothing is random",
    reference: "Lachenbruch and Mickey 1968",
    examples: &["loo"],
    parse: |text| no_more(text, "loo").map(|()| Design::Loo(Loo)),
};

impl fmt::Display for Loo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("loo")
    }
}

impl Scheme for Loo {
    fn assign(&self, _rows: &Rows<'_>, _seed: u64) -> Result<Assigned, Error> {
        Ok(Assigned { assignment: Assignment::LeaveOneOut, warnings: Vec::new() })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Plan;
    use tribunal_random::Random;

    use super::*;

    /// The share of rows that the majority of the training rows gets wrong; the first class wins ties.
    fn error_of_the_majority(labels: &[u8]) -> f64 {
        let plan = Plan::new(&Design::Loo(Loo), &Rows::new(labels.len()), 0).expect("a plan");
        let wrong = (0..plan.n_splits()).filter(|&fold| {
            let split = plan.split(fold);
            let ones = split.train.iter().filter(|&&row| labels[row as usize] == 1).count();
            let majority = u8::from(2 * ones > split.train.len());
            split.test.iter().any(|&row| labels[row as usize] != majority)
        });
        wrong.count() as f64 / labels.len() as f64
    }

    #[test]
    fn the_majority_is_always_wrong_on_balanced_classes() {
        assert_eq!(error_of_the_majority(&[1, 1, 1, 1, 1, 0, 0, 0, 0, 0]), 1.0);
        for seed in 0..20 {
            let mut labels: Vec<u8> = (0..60).map(|row| row % 2).collect();
            Random::new(seed).shuffle(&mut labels);
            assert_eq!(error_of_the_majority(&labels), 1.0);
            labels.extend([1, 1]);
            assert_eq!(error_of_the_majority(&labels), 30.0 / 62.0);
        }
    }

    #[test]
    fn a_hundred_thousand_rows_take_no_memory() {
        let plan = Plan::new(&Design::Loo(Loo), &Rows::new(100_000), 0).expect("a plan");
        assert_eq!(plan.n_splits(), 100_000);
        let split = plan.split(99_999);
        assert_eq!((split.test, split.train.len()), (vec![99_999], 99_999));
        assert!(serde_json::to_string(&plan).expect("JSON").len() < 200);
    }
}
