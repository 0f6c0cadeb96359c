//! What learners that average trees have in common: which columns a row's probability comes from.
//!
//! Wherever a tree tests a column, the probability changes from the node to its child. These changes, added up for each
//! column and averaged over the trees, lead from the mean of the roots to the score (Saabas 2014).

use crate::column::MISSING;
use crate::encoding::NominalColumn;
use crate::explanation::{Contribution, Reasons, contest};
use crate::names::{ColumnNames, Names};

/// How the probability of a class changes on the way down many trees.
#[derive(Clone, Debug)]
pub(crate) struct Account {
    class: usize,
    n_trees: usize,
    start: f64,
    changes: Vec<f64>,
}

impl Account {
    /// The class whose probability is followed.
    pub(crate) fn class(&self) -> usize {
        self.class
    }

    /// Begins a tree, whose root gives the class this probability.
    pub(crate) fn enter_tree(&mut self, root: f64) {
        self.n_trees += 1;
        self.start += root;
    }

    /// Adds what a test on a column changes.
    pub(crate) fn change(&mut self, column: usize, change: f64) {
        if let Some(sum) = self.changes.get_mut(column) {
            *sum += change;
        }
    }
}

/// What each column contributes to the probability of a class, the positive one of two or else the predicted one.
/// `follow` sends the row down every tree and enters what changes.
pub(crate) fn contributions(
    names: &Names,
    columns: &[NominalColumn],
    row: usize,
    posteriors: &[f64],
    follow: impl FnOnce(&mut Account),
) -> Reasons {
    let class = contest(posteriors).0;
    let mut account = Account { class, n_trees: 0, start: 0.0, changes: vec![0.0; columns.len()] };
    follow(&mut account);
    let n_trees = account.n_trees.max(1) as f64;
    let item = |((column, values), sum): ((&ColumnNames, &NominalColumn), &f64)| Contribution {
        what: with_value(column, values, row),
        change: sum / n_trees,
    };
    let changed = names.columns.iter().zip(columns).zip(&account.changes).filter(|(_, sum)| **sum != 0.0);
    let mut items: Vec<Contribution> = changed.map(item).collect();
    items.sort_by(|a, b| b.change.abs().total_cmp(&a.change.abs()));
    let for_class = names.classes.get(class).cloned().unwrap_or_default();
    Reasons::Contributions { for_class, start: account.start / n_trees, items }
}

/// A column with its value, `AGE = 21 to 40`.
fn with_value(column: &ColumnNames, values: &NominalColumn, row: usize) -> String {
    match values {
        NominalColumn::Codes { codes, .. } if codes[row] != MISSING => {
            format!("{} = {}", column.name, column.value(codes[row]))
        }
        NominalColumn::Numbers(numbers) if !numbers[row].is_nan() => {
            format!("{} = {}", column.name, numbers[row])
        }
        NominalColumn::Codes { .. } | NominalColumn::Numbers(_) => format!("{} missing", column.name),
    }
}
