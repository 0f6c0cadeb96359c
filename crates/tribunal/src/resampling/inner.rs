//! Plans inside a training part, for choosing settings without a glance at the rows that judge them.
//!
//! Choosing and judging on the same rows flatters the chosen (Varma and Simon 2006). An inner plan is made from the classes
//! of the training rows alone.

use tribunal_random::derive_seed;

use super::cv::Cv;
use super::design::Design;
use super::label_column::LabelColumn;
use super::plan::{Plan, SplitPlace};
use super::rows::Rows;
use super::split::Split;
use crate::error::Error;

const USUAL_FOLDS: u32 = 10;
/// Inner seeds lie apart from all others that are derived for a fold.
const INNER: u64 = 1000;

/// A plan over the training rows of a split.
#[derive(Clone, Debug, PartialEq)]
pub struct InnerPlan {
    plan: Plan,
    rows: Vec<u32>,
}

impl Plan {
    /// The inner plan of a split: ten folds of its training rows that share classes alike, fewer where the smallest class
    /// has fewer rows. Rows that a replicate drew several times are divided once, so that none tests itself.
    ///
    /// # Errors
    /// The training part has fewer than two rows.
    ///
    /// # Panics
    /// There is no such split, or the classes are not those of all rows.
    pub fn inner(&self, split_idx: usize, classes: Option<&LabelColumn>) -> Result<InnerPlan, Error> {
        let SplitPlace { repetition, fold } = self.place(split_idx);
        let seed = derive_seed(self.seed(), &[repetition as u64, INNER + fold as u64]);
        InnerPlan::of(self.split(split_idx).train, classes, seed)
    }
}

/// At most so many folds, and no more than the smallest class has rows, but never fewer than two.
fn n_folds(most_folds: u32, rows: &Rows<'_>) -> u32 {
    let counts = rows.classes().map_or_else(|| vec![rows.n_rows()], LabelColumn::counts);
    let smallest = counts.into_iter().filter(|&n| n > 0).min().unwrap_or(0);
    smallest.clamp(2, most_folds.max(2) as usize) as u32
}

impl InnerPlan {
    /// An inner plan of any rows; `classes` are those of all rows of the table.
    ///
    /// # Errors
    /// There are fewer than two rows.
    pub fn of(rows: Vec<u32>, classes: Option<&LabelColumn>, seed: u64) -> Result<InnerPlan, Error> {
        InnerPlan::of_at_most(USUAL_FOLDS, rows, classes, seed)
    }

    /// The same with at most so many folds instead of ten.
    ///
    /// # Errors
    /// There are fewer than two rows.
    pub fn of_at_most(
        most_folds: u32,
        mut rows: Vec<u32>,
        classes: Option<&LabelColumn>,
        seed: u64,
    ) -> Result<InnerPlan, Error> {
        rows.sort_unstable();
        rows.dedup();
        let classes = classes.map(|classes| classes.select(&rows));
        let inside = classes.as_ref().map_or_else(|| Rows::new(rows.len()), Rows::of_classes);
        let n_folds = n_folds(most_folds, &inside);
        let design = Design::Cv(Cv { n_folds, n_repetitions: None, plain: classes.is_none() });
        Ok(InnerPlan { plan: Plan::new(&design, &inside, seed)?, rows })
    }

    /// The rows of the table that it divides.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// The plan, whose rows count from zero within the training part.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// How many inner splits there are.
    pub fn n_splits(&self) -> usize {
        self.plan.n_splits()
    }

    /// An inner split in the numbers of the whole table.
    ///
    /// # Panics
    /// There is no such split.
    pub fn split(&self, split_idx: usize) -> Split {
        self.plan.split(split_idx).renumbered(&self.rows)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Fixture, all_designs};
    use super::*;

    fn codes(n: usize, seed: u64) -> Vec<String> {
        let mut random = tribunal_random::Random::new(seed);
        (0..n).map(|_| random.below(2).to_string()).collect()
    }

    #[test]
    fn no_inner_split_holds_a_row_of_the_outer_test_part() {
        for design in all_designs() {
            let fixture = Fixture::new(&design, &codes(60, 4));
            let plan = fixture.plan(&design, 11);
            for split_idx in 0..plan.n_splits().min(12) {
                let outer = plan.split(split_idx);
                let inner = plan.inner(split_idx, Some(&fixture.classes)).expect("an inner plan");
                for split in (0..inner.n_splits()).map(|inner_idx| inner.split(inner_idx)) {
                    for row in split.train.iter().chain(&split.test) {
                        assert!(outer.train.contains(row) && !outer.test.contains(row), "{design}");
                    }
                    assert!(split.train.iter().all(|row| !split.test.contains(row)), "{design}");
                }
            }
        }
    }

    #[test]
    fn poisoned_labels_of_the_outer_test_part_change_nothing() {
        for design in all_designs() {
            let fixture = Fixture::new(&design, &codes(60, 4));
            let plan = fixture.plan(&design, 11);
            for split_idx in 0..plan.n_splits().min(12) {
                let test = plan.split(split_idx).test;
                let label = |row: usize| {
                    let is_poisoned = test.contains(&(row as u32));
                    if is_poisoned { "poison".to_owned() } else { fixture.classes.label(row).to_owned() }
                };
                let poisoned = LabelColumn::of("y", (0..60).map(label));
                let clean = plan.inner(split_idx, Some(&fixture.classes)).expect("an inner plan");
                let fouled = plan.inner(split_idx, Some(&poisoned)).expect("an inner plan");
                assert!((0..clean.n_splits()).all(|i| clean.split(i) == fouled.split(i)), "{design}");
                assert_eq!(clean.plan().hash(), fouled.plan().hash(), "{design}");
            }
        }
    }

    #[test]
    fn the_smallest_class_limits_the_folds() {
        let check = |sizes: [usize; 2], expected: usize| {
            let labels = (0..2).flat_map(|class| vec![class.to_string(); sizes[class]]);
            let y = LabelColumn::of("y", labels);
            assert_eq!(n_folds(10, &Rows::of_classes(&y)) as usize, expected, "{sizes:?}");
        };
        check([40, 30], 10);
        check([40, 7], 7);
        check([40, 1], 2);
        check([40, 0], 10);
        assert_eq!(n_folds(10, &Rows::new(4)), 4);
        assert_eq!(n_folds(3, &Rows::new(4)), 3);
    }

    #[test]
    fn the_seed_is_that_of_the_fold_and_repetition() {
        let design: Design = "cv:3x2".parse().expect("a design");
        let fixture = Fixture::new(&design, &codes(60, 4));
        let plan = fixture.plan(&design, 11);
        let inner = plan.inner(4, Some(&fixture.classes)).expect("an inner plan");
        assert_eq!(inner.plan().seed(), derive_seed(11, &[1, 1001]));
    }
}
