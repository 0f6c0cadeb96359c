//! Growing a tree: the best test at every node, until the rows are of one class, few, or nothing tells them apart
//! (Quinlan 1993, 1996).
//!
//! Nodes wait on a stack of their own, so that no data can make the tree too deep. Columns that cannot be tested at a node
//! and never will below are not looked at again.

use std::sync::Arc;

use rayon::prelude::*;

use super::candidate::{Candidate, EPSILON, Verdict, average_gain, worth};
use super::cases::{CaseValues, Cases};
use super::entropy::Bits;
use super::rows::{BranchRows, Index, Rows};
use super::tally::Tally;
use super::tree::{Test, Tree};
use super::weights::{Once, RowWeights, Weigh};
use super::{nominal, numeric};

/// Nodes of so many rows and more have their columns looked at on all cores.
const LARGE: usize = 4096;

/// The tree of all cases, with at least `min` rows in two branches of every test.
pub(crate) fn grow(cases: &Cases, weights: &RowWeights, min: f64) -> Tree {
    match weights {
        RowWeights::Unit => Grower::new(cases, &Once, min).grow(),
        RowWeights::Whole(weights) => Grower::new(cases, &&weights[..], min).grow(),
        RowWeights::Real(weights) => Grower::new(cases, weights, min).grow(),
    }
}

struct Grower<'a, W: Weigh> {
    cases: &'a Cases<'a>,
    weigh: &'a W,
    min: f64,
    bits: Bits,
    /// Whether the gain of a column counts towards the average: those of very many values would spoil it.
    counts: Vec<bool>,
    tally: Tally<W::Sum>,
    index: Index,
    tree: Tree,
}

/// A node that has yet to be looked at.
struct Pending {
    node: usize,
    rows: Rows,
    /// The columns that may be tested.
    open: Arc<[u32]>,
}

impl<'a, W: Weigh> Grower<'a, W> {
    fn new(cases: &'a Cases<'a>, weigh: &'a W, min: f64) -> Self {
        let index = Index::new(cases.rows.clone());
        let mut grower = Grower {
            cases,
            weigh,
            min,
            bits: Bits::new(cases.rows.len()),
            counts: Vec::new(),
            tally: Tally::new(cases.n_classes),
            index,
            tree: Tree::new(cases.n_classes),
        };
        let root = grower.push(&Rows::all(cases.rows.len()));
        grower.counts = counting(cases, grower.tree.items(root));
        grower
    }

    fn grow(mut self) -> Tree {
        let open: Arc<[u32]> = (0..self.cases.columns.len() as u32).collect();
        let mut stack = vec![Pending { node: 0, rows: Rows::all(self.cases.rows.len()), open }];
        while let Some(pending) = stack.pop() {
            self.grow_node(&pending, &mut stack);
        }
        collapse(&mut self.tree);
        self.tree.compacted()
    }

    fn push(&mut self, rows: &Rows) -> usize {
        let mut weights = vec![0.0; self.cases.n_classes];
        rows.add_classes(self.cases, &self.index.rows, self.weigh, &mut weights);
        self.tree.push(&weights)
    }

    fn grow_node(&mut self, pending: &Pending, stack: &mut Vec<Pending>) {
        let weights = self.tree.weights(pending.node);
        let is_pure = weights.iter().filter(|&&weight| weight > 0.0).count() < 2;
        if is_pure || self.tree.items(pending.node) < 2.0 * self.min {
            return;
        }
        let verdicts = self.evaluate(pending);
        let Some((column, candidate)) = self.choose(pending, &verdicts) else { return };
        let test = self.test(column, &candidate);
        let branches = pending.rows.split(self.cases, &test, &mut self.index, self.weigh);
        let open = self.open_below(pending, &verdicts, column);
        self.branch(pending.node, test, branches, &open, stack);
    }

    fn evaluate(&mut self, pending: &Pending) -> Vec<Verdict> {
        let (cases, weigh, index, min, bits) =
            (self.cases, self.weigh, &self.index.rows[..], self.min, &self.bits);
        let verdict = |tally: &mut Tally<W::Sum>, column: u32| {
            let column = &cases.columns[column as usize];
            tally.sum(column, index, &pending.rows, weigh);
            match &column.values {
                CaseValues::Codes(_) => nominal::evaluate(tally, min, bits),
                CaseValues::Numbers { distinct, .. } => numeric::evaluate(tally, distinct, min, bits),
            }
        };
        if pending.rows.n_entries() < LARGE {
            return pending.open.iter().map(|&column| verdict(&mut self.tally, column)).collect();
        }
        let tally = || Tally::new(cases.n_classes);
        pending.open.par_iter().map_init(tally, |tally, &column| verdict(tally, column)).collect()
    }

    /// The column of the best test, the first of equals.
    fn choose(&self, pending: &Pending, verdicts: &[Verdict]) -> Option<(u32, Candidate)> {
        let columns = || pending.open.iter().zip(verdicts);
        let counting = columns().filter(|(column, _)| self.counts[**column as usize]);
        let average = average_gain(counting.map(|(_, verdict)| verdict))?;
        let mut best: Option<(f64, u32, Candidate)> = None;
        for (&column, verdict) in columns() {
            let Some(candidate) = verdict.candidate() else { continue };
            let Some(worth) = worth(candidate, average) else { continue };
            if best.is_none_or(|(known, ..)| worth > known) {
                best = Some((worth, column, *candidate));
            }
        }
        best.map(|(_, column, candidate)| (column, candidate))
    }

    /// The test on a column; where its branches are comes later.
    fn test(&self, column: u32, candidate: &Candidate) -> Test {
        let (case, at) = (&self.cases.columns[column as usize], candidate.between);
        match (&case.values, at) {
            (CaseValues::Numbers { distinct, .. }, Some([low, high])) => {
                let middle = f64::midpoint(distinct[low], distinct[high]);
                // The greatest number of all training rows that is not above the middle.
                let n_below = distinct.partition_point(|&number| number <= middle);
                Test::Numeric { column, cut: distinct[n_below.max(low + 1) - 1], first: 0 }
            }
            _ => {
                let n_codes = case.n_codes as u32;
                Test::Nominal { column, n_codes, empty: 0, codes: 0, n_branches: 0, first: 0 }
            }
        }
    }

    fn open_below(&self, pending: &Pending, verdicts: &[Verdict], tested: u32) -> Arc<[u32]> {
        let is_used = |column: u32| column == tested && !self.cases.columns[column as usize].is_numeric();
        let columns = pending.open.iter().zip(verdicts);
        let open = columns.filter(|(column, verdict)| **verdict != Verdict::NeverBelow && !is_used(**column));
        open.map(|(&column, _)| column).collect()
    }

    fn branch(
        &mut self,
        node: usize,
        mut test: Test,
        branches: Vec<BranchRows>,
        open: &Arc<[u32]>,
        stack: &mut Vec<Pending>,
    ) {
        let place = self.tree.nodes.len() as u32;
        match &mut test {
            Test::Leaf => {}
            Test::Numeric { first, .. } => *first = place,
            Test::Nominal { empty, codes, n_branches, first, .. } => {
                (*empty, *first) = (self.tree.nodes[node].class, place);
                (*codes, *n_branches) = (self.tree.codes.len() as u32, branches.len() as u32);
                self.tree.codes.extend(branches.iter().map(|branch| branch.code));
            }
        }
        self.tree.nodes[node].test = test;
        for branch in branches {
            let node = self.push(&branch.rows);
            stack.push(Pending { node, rows: branch.rows, open: Arc::clone(open) });
        }
    }
}

/// Which columns count towards the average gain: all but those with three values or more for ten rows, unless there are
/// no others.
fn counting(cases: &Cases, n_rows: f64) -> Vec<bool> {
    let is_wide =
        |column: &super::cases::CaseColumn| !column.is_numeric() && column.n_codes as f64 >= 0.3 * n_rows;
    let are_all_wide = cases.columns.iter().all(is_wide);
    cases.columns.iter().map(|column| are_all_wide || !is_wide(column)).collect()
}

/// Makes leaves of tests that do not lower the errors on the training rows.
fn collapse(tree: &mut Tree) {
    let mut errors = vec![0.0; tree.nodes.len()];
    for node in (0..tree.nodes.len()).rev() {
        let as_leaf = tree.errors(node);
        let below: f64 = tree.branches(node).map(|(_, child)| errors[child]).sum();
        if tree.nodes[node].test == Test::Leaf || below >= as_leaf - EPSILON {
            tree.nodes[node].test = Test::Leaf;
            errors[node] = as_leaf;
        } else {
            errors[node] = below;
        }
    }
}
