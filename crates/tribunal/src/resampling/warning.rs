//! What a careful person would say about a plan before it is used; it works all the same.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::assignment::{Assignment, FoldNumbers};
use super::label_column::LabelColumn;
use super::split::Part;

/// A caution about a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Warning {
    /// The design would share classes alike, but none were given.
    NotStratified,
    /// A class has fewer rows than there are folds, so some folds are tested without it.
    ClassSmallerThanFolds {
        /// The class.
        class: String,
        /// How many rows it has.
        n_rows: usize,
        /// How many folds there are.
        n_folds: u32,
    },
    /// A part lacks a class in some splits.
    PartWithoutClass {
        /// The part.
        part: Part,
        /// The class.
        class: String,
        /// In how many splits it is missing.
        n_missing: usize,
        /// How many splits there are.
        n_splits: usize,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStratified => f.write_str(
                "no classes were given, so the rows are divided without regard to them; name the column of the classes \
                 to share each class alike",
            ),
            Self::ClassSmallerThanFolds { class, n_rows, n_folds } => write!(
                f,
                "class \"{class}\" has {n_rows} row{} for {n_folds} folds: {} of them test without it, and figures that \
                 need both classes are undefined there; take fewer folds",
                if *n_rows == 1 { "" } else { "s" },
                *n_folds as usize - n_rows
            ),
            Self::PartWithoutClass { part, class, n_missing, n_splits } => write!(
                f,
                "the {} part has no row of class \"{class}\" in {n_missing} of {n_splits} splits; figures that need \
                 both classes are undefined there",
                part.name()
            ),
        }
    }
}

/// Classes with fewer rows than folds.
pub(super) fn small_classes(classes: &LabelColumn, n_folds: u32) -> Vec<Warning> {
    let sizes = classes.counts();
    let small = classes.labels().iter().zip(sizes).filter(|&(_, n)| n > 0 && n < n_folds as usize);
    let warn = |(class, n_rows): (&String, usize)| Warning::ClassSmallerThanFolds {
        class: class.clone(),
        n_rows,
        n_folds,
    };
    small.map(warn).collect()
}

/// Parts that lack a class, whatever divided the rows; draws with replacement are not looked at.
pub(super) fn missing_classes(assignment: &Assignment, classes: Option<&LabelColumn>) -> Vec<Warning> {
    let Some(classes) = classes else { return Vec::new() };
    let tables: Vec<[Vec<usize>; 3]> = match assignment {
        Assignment::Folds { n_folds, repetitions } => {
            let table = |numbers: &FoldNumbers| count(classes, *n_folds as usize, numbers.iter());
            repetitions.iter().flat_map(|numbers| as_parts(table(numbers))).collect()
        }
        Assignment::Parts { repetitions } => {
            let table = |parts: &Vec<Part>| {
                count(classes, Part::ALL.len(), parts.iter().map(|&part| part as u32)).try_into().ok()
            };
            repetitions.iter().filter_map(table).collect()
        }
        _ => Vec::new(),
    };
    let is_used = |part: Part| tables.iter().any(|table| table[part as usize].iter().any(|&n| n > 0));
    let used = Part::ALL.into_iter().filter(|&part| is_used(part));
    used.flat_map(|part| lacking(&tables, part, classes)).collect()
}

fn lacking(tables: &[[Vec<usize>; 3]], part: Part, classes: &LabelColumn) -> Vec<Warning> {
    let warn = |(code, class): (usize, &String)| {
        let n_missing = tables.iter().filter(|table| table[part as usize][code] == 0).count();
        let warning =
            Warning::PartWithoutClass { part, class: class.clone(), n_missing, n_splits: tables.len() };
        (n_missing > 0).then_some(warning)
    };
    let sizes = classes.counts();
    classes.labels().iter().enumerate().filter(|(code, _)| sizes[*code] > 0).filter_map(warn).collect()
}

/// How many rows of each class have each number.
pub(super) fn count(
    classes: &LabelColumn,
    n_numbers: usize,
    numbers: impl Iterator<Item = u32>,
) -> Vec<Vec<usize>> {
    let mut table = vec![vec![0; classes.n_labels()]; n_numbers];
    numbers.zip(classes.codes()).for_each(|(number, &class)| table[number as usize][class as usize] += 1);
    table
}

/// The classes of the parts of each split, from those of the folds.
fn as_parts(folds: Vec<Vec<usize>>) -> impl Iterator<Item = [Vec<usize>; 3]> {
    let n_classes = folds.first().map_or(0, Vec::len);
    let total: Vec<usize> = (0..n_classes).map(|class| folds.iter().map(|fold| fold[class]).sum()).collect();
    folds.into_iter().map(move |test| {
        let train = total.iter().zip(&test).map(|(total, test)| total - test).collect();
        [train, vec![0; test.len()], test]
    })
}
