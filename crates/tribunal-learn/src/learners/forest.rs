//! Trees that are averaged: what bagged and random trees have in common.
//!
//! Wherever a tree tests a column, the probability changes from the node to its child. These changes, added up for each
//! column and averaged over the trees, lead from the mean of the roots to the score (Saabas 2014).

use serde::{Deserialize, Serialize};

use super::c45::TreeModel;
use crate::encoding::Encoded;
use crate::error::{Error, ErrorKind};
use crate::explanation::{Contribution, Explanation, Reasons, contest};
use crate::model::{Case, Scorer};
use crate::model_shape::ModelShape;
use crate::names::Names;
use crate::posteriors::Posteriors;

/// Trees that are averaged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StoredForest")]
pub(crate) struct Forest {
    pub(crate) trees: Vec<TreeModel>,
}

#[derive(Deserialize)]
struct StoredForest {
    trees: Vec<TreeModel>,
}

impl TryFrom<StoredForest> for Forest {
    type Error = Error;

    fn try_from(StoredForest { trees }: StoredForest) -> Result<Forest, Error> {
        let is_alike = |pair: &[TreeModel]| pair[0].n_classes() == pair[1].n_classes();
        if trees.is_empty() || !trees.windows(2).all(is_alike) {
            return Err(Error::new(ErrorKind::Inconsistent, "the trees are damaged: their classes differ"));
        }
        Ok(Forest { trees })
    }
}

impl Forest {
    fn n_classes(&self) -> usize {
        self.trees.first().map_or(0, TreeModel::n_classes)
    }
}

impl Scorer for Forest {
    fn fits(&self, shape: &ModelShape) -> bool {
        self.trees.iter().all(|tree| tree.fits(shape))
    }

    fn posteriors(&self, rows: &Encoded<'_>) -> Posteriors {
        let (columns, n_rows) = (rows.columns(), rows.n_rows());
        let n_classes = self.n_classes();
        let mut values = vec![0.0; n_rows * n_classes];
        self.trees.iter().for_each(|tree| tree.add_posteriors(columns, &mut values));
        values.iter_mut().for_each(|value| *value /= self.trees.len() as f64);
        Posteriors::new(n_classes, values)
    }

    fn text(&self, names: &Names) -> String {
        let sizes: Vec<usize> = self.trees.iter().map(|tree| tree.tree.n_nodes()).collect();
        let mean = sizes.iter().sum::<usize>() as f64 / sizes.len() as f64;
        let (least, most) = (sizes.iter().min().unwrap_or(&0), sizes.iter().max().unwrap_or(&0));
        let head = format!("{} trees of {least} to {most} nodes, {mean:.1} on average\n\n", sizes.len());
        head + &self.uses(names)
    }

    fn explain(&self, case: &Case<'_>, names: &Names) -> Explanation {
        let (columns, row) = (case.rows.columns(), case.row);
        let posteriors = self.posteriors(case.rows).row(row).to_vec();
        let reasons = contributions(names, case.readings, &posteriors, |account| {
            self.trees.iter().for_each(|tree| tree.follow(columns, row, account));
        });
        Explanation { posteriors, reasons }
    }
}

impl Forest {
    /// How often each column is tested, at the root and anywhere, the most tested first.
    fn uses(&self, names: &Names) -> String {
        let mut uses: Vec<(&str, usize, usize)> =
            names.columns.iter().map(|column| (column.name.as_str(), 0, 0)).collect();
        for tested in self.trees.iter().map(|tree| tree.tree.tested()) {
            for (node, column) in tested {
                if let Some((_, at_root, anywhere)) = uses.get_mut(column) {
                    *at_root += usize::from(node == 0);
                    *anywhere += 1;
                }
            }
        }
        uses.retain(|&(.., anywhere)| anywhere > 0);
        uses.sort_by_key(|&(_, at_root, anywhere)| std::cmp::Reverse((anywhere, at_root)));
        let line = |(name, at_root, anywhere): (&str, usize, usize)| {
            format!("{name}: tested {anywhere} times, {at_root} times at the root\n")
        };
        uses.into_iter().map(line).collect()
    }
}

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
fn contributions(
    names: &Names,
    readings: &[String],
    posteriors: &[f64],
    follow: impl FnOnce(&mut Account),
) -> Reasons {
    let class = contest(posteriors).0;
    let mut account = Account { class, n_trees: 0, start: 0.0, changes: vec![0.0; readings.len()] };
    follow(&mut account);
    let n_trees = account.n_trees.max(1) as f64;
    let item =
        |(reading, sum): (&String, &f64)| Contribution { what: reading.clone(), change: sum / n_trees };
    let changed = readings.iter().zip(&account.changes).filter(|(_, sum)| **sum != 0.0);
    let mut items: Vec<Contribution> = changed.map(item).collect();
    items.sort_by(|a, b| b.change.abs().total_cmp(&a.change.abs()));
    let for_class = names.classes.get(class).cloned().unwrap_or_default();
    Reasons::Contributions { for_class, start: account.start / n_trees, items }
}
