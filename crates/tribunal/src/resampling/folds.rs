//! `folds`: folds that a column of the table names, so that figures can be compared with work done elsewhere.

use std::fmt;

use super::assignment::{Assigned, Assignment, FoldNumbers, Scheme};
use super::design::{Design, DesignForm, named};
use super::label_column::LabelColumn;
use super::rows::Rows;
use super::warning::missing_classes;
use crate::error::{Error, ErrorKind};

/// Cross-validation over given folds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folds {
    /// The column that names the fold of each row.
    pub column: String,
}

pub(super) const FORM: DesignForm = DesignForm {
    name: "folds",
    form: "folds:COLUMN",
    definition: "rows with the same value of COLUMN form a fold, each tested once; numbers by value, texts in natural order",
    reference: "Stone 1974",
    examples: &["folds:fold"],
    parse: |text| Ok(Design::Folds(Folds { column: named(text, "column of folds", FORM.form)? })),
};

impl fmt::Display for Folds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "folds:{}", self.column)
    }
}

impl Scheme for Folds {
    fn assign(&self, rows: &Rows<'_>, _seed: u64) -> Result<Assigned, Error> {
        let column = rows.column(&self.column)?;
        check_labels(column)?;
        if let Some(groups) = rows.groups() {
            check_groups(column, groups)?;
        }
        let n_folds = column.n_labels() as u32;
        let repetitions = vec![FoldNumbers::new(n_folds, column.codes().iter().copied())];
        let assignment = Assignment::Folds { n_folds, repetitions };
        let warnings = missing_classes(&assignment, rows.classes());
        Ok(Assigned { assignment, warnings })
    }
}

/// Two folds at least, all with rows.
pub(super) fn check_labels(folds: &LabelColumn) -> Result<(), Error> {
    let wrong = |words| Err(Error::new(ErrorKind::BadColumn, words));
    let name = folds.name();
    match folds.labels() {
        [] | [_] => {
            let only = folds.labels().first().map_or("", String::as_str);
            wrong(format!(
                "column \"{name}\" names one fold only (\"{only}\"), and one fold is tested by the others; is it the \
                 column of the folds?"
            ))
        }
        labels => match folds.counts().iter().position(|&n| n == 0) {
            Some(fold) => wrong(format!("column \"{name}\": fold \"{}\" has no rows", labels[fold])),
            None => Ok(()),
        },
    }
}

/// No group may stand in two folds: what is learned of it in one would be tested in the other.
fn check_groups(folds: &LabelColumn, groups: &LabelColumn) -> Result<(), Error> {
    let mut fold_of = vec![None; groups.n_labels()];
    for (row, (&group, &fold)) in groups.codes().iter().zip(folds.codes()).enumerate() {
        let first = *fold_of[group as usize].get_or_insert(fold);
        if first != fold {
            return Err(Error::new(
                ErrorKind::DividedGroup,
                format!(
                    "row {}: group \"{}\" of column \"{}\" stands in fold \"{}\" and in fold \"{}\" of column \"{}\", so a \
                     model would be tested on what it has learned; keep each group in one fold, or make new folds with \
                     group:K:{}",
                    row + 1,
                    groups.label(row),
                    groups.name(),
                    folds.labels()[first as usize],
                    folds.label(row),
                    folds.name(),
                    groups.name()
                ),
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::Plan;
    use super::*;

    fn plan(folds: &[&str], groups: Option<&[&str]>) -> Result<Plan, Error> {
        let folds = LabelColumn::of("f", folds.iter().copied());
        let groups = groups.map(|groups| LabelColumn::of("garage", groups.iter().copied()));
        let rows = Rows::new(folds.codes().len()).with_column(&folds);
        let rows = groups.as_ref().map_or(rows, |groups| rows.with_groups(groups));
        Plan::new(&Design::Folds(Folds { column: "f".into() }), &rows, 1)
    }

    #[test]
    fn folds_come_in_natural_order() {
        let plan = plan(&["10", "2", "x", "2"], None).expect("a plan");
        let tests: Vec<Vec<u32>> = (0..3).map(|fold| plan.split(fold).test).collect();
        assert_eq!(tests, [vec![1, 3], vec![0], vec![2]]);
    }

    #[test]
    fn one_fold_and_divided_groups_are_refused() {
        let check = |folds: &[&str], groups: Option<&[&str]>, kind, words: &str| {
            let error = plan(folds, groups).expect_err(words);
            assert_eq!(error.kind(), kind);
            assert!(error.to_string().contains(words), "{error}");
        };
        use ErrorKind as Kind;
        check(&["a", "a"], None, Kind::BadColumn, "names one fold only (\"a\")");
        let groups = ["g", "h", "h", "g"];
        assert!(plan(&["a", "b", "b", "a"], Some(&groups)).is_ok());
        check(
            &["a", "b", "c", "a"],
            Some(&groups),
            Kind::DividedGroup,
            "row 3: group \"h\" of column \"garage\" stands in fold \"b\" and in fold \"c\"",
        );
    }
}
