//! `group`: folds that never tear a group apart, such as all claims of one garage.
//!
//! Groups go, the largest first, to the fold that is smallest so far, as in scikit-learn's `GroupKFold`. Nothing is random.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;

use super::assignment::{Assigned, Assignment, FoldNumbers, Scheme};
use super::cv::check_folds;
use super::design::{Design, DesignForm, counted, named};
use super::label_column::LabelColumn;
use super::rows::Rows;
use super::warning::missing_classes;
use crate::error::{Error, ErrorKind};

/// Cross-validation over groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// How many folds.
    pub n_folds: u32,
    /// The column of the groups.
    pub column: String,
}

pub(super) const FORM: DesignForm = DesignForm {
    name: "group",
    form: "group:K:COLUMN",
    definition: "K folds, each tested once; rows with the same value of COLUMN stay together",
    reference: "Roberts et al. 2017",
    examples: &["group:10:garage"],
    parse,
};

fn parse(text: &str) -> Result<Design, Error> {
    let (n_folds, column) = text.split_once(':').unwrap_or((text, ""));
    let n_folds = counted(n_folds, "folds")?;
    check_folds(n_folds, usize::MAX)?;
    Ok(Design::Group(Group { n_folds, column: named(column, "column of groups", FORM.form)? }))
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "group:{}:{}", self.n_folds, self.column)
    }
}

impl Scheme for Group {
    fn assign(&self, rows: &Rows<'_>, _seed: u64) -> Result<Assigned, Error> {
        check_folds(self.n_folds, rows.n_rows())?;
        let groups = rows.column(&self.column)?;
        let folds = folds_of_groups(groups, self.n_folds)?;
        let numbers = groups.codes().iter().map(|&group| folds[group as usize]);
        let repetitions = vec![FoldNumbers::new(self.n_folds, numbers)];
        let assignment = Assignment::Folds { n_folds: self.n_folds, repetitions };
        let warnings = missing_classes(&assignment, rows.classes());
        Ok(Assigned { assignment, warnings })
    }
}

/// The fold of each group.
fn folds_of_groups(groups: &LabelColumn, n_folds: u32) -> Result<Vec<u32>, Error> {
    let mut order = in_order_of_appearance(groups);
    if order.len() < n_folds as usize {
        return Err(Error::new(
            ErrorKind::TooFewGroups,
            format!(
                "column \"{}\" has {} groups for {n_folds} folds, and a group cannot be divided; take at most {} folds",
                groups.name(),
                order.len(),
                order.len()
            ),
        ));
    }
    let sizes = groups.counts();
    order.sort_by_key(|&group| Reverse(sizes[group as usize]));
    let mut folds = vec![0; groups.n_labels()];
    let mut smallest: BinaryHeap<_> = (0..n_folds).map(|fold| Reverse((0, fold))).collect();
    for group in order {
        let Some(Reverse((size, fold))) = smallest.pop() else { break };
        folds[group as usize] = fold;
        smallest.push(Reverse((size + sizes[group as usize], fold)));
    }
    Ok(folds)
}

fn in_order_of_appearance(groups: &LabelColumn) -> Vec<u32> {
    let mut is_known = vec![false; groups.n_labels()];
    let is_new = |group: &u32| !std::mem::replace(&mut is_known[*group as usize], true);
    groups.codes().iter().copied().filter(is_new).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Plan;
    use super::*;

    fn plan(n_folds: u32, groups: &[&str]) -> Result<Plan, Error> {
        let groups = LabelColumn::of("garage", groups.iter().copied());
        let design = Design::Group(Group { n_folds, column: "garage".into() });
        Plan::new(&design, &Rows::new(groups.codes().len()).with_groups(&groups), 1)
    }

    #[test]
    fn the_largest_groups_go_first_to_the_smallest_fold() {
        // c has three rows and opens fold 0; a and b have two each and fill fold 1; d goes to fold 0, now the smaller.
        let plan = plan(2, &["a", "b", "c", "c", "c", "a", "b", "d"]).expect("a plan");
        assert_eq!(plan.split(0).test, [2, 3, 4, 7]);
        assert_eq!(plan.split(1).test, [0, 1, 5, 6]);
    }

    #[test]
    fn groups_of_equal_size_go_in_order_of_appearance() {
        let plan = plan(3, &["z", "y", "x"]).expect("a plan");
        assert_eq!((0..3).map(|fold| plan.split(fold).test).collect::<Vec<_>>(), [[0], [1], [2]]);
    }

    #[test]
    fn fewer_groups_than_folds_are_refused() {
        let error = plan(3, &["a", "b", "a", "b"]).expect_err("two groups");
        assert_eq!(error.kind(), ErrorKind::TooFewGroups);
        assert!(error.to_string().contains("\"garage\" has 2 groups for 3 folds"), "{error}");
    }
}
