//! Growing a tree: the best test at every node, until the rows are of one class, few, or nothing tells them apart
//! (Quinlan 1993, 1996).
//!
//! Nodes wait on a stack of their own, so that no data can make the tree too deep. Columns that cannot be tested at a node
//! and never will below are not looked at again. Nodes of an eighth of the rows or less are grown by themselves, on all
//! cores, from copies of their rows that lie close together.

use std::sync::Arc;

use rayon::prelude::*;

use super::candidate::{Candidate, EPSILON, TIE, Verdict, average_gain, worth};
use super::cases::{CaseColumn, Cases};
use super::entropy::Bits;
use super::flags::FlagSums;
use super::rows::{BranchRows, Index, Rows};
use super::tally::Tally;
use super::tree::{Test, Tree};
use super::weights::{Once, RowWeights, Sample, Weigh};
use super::{nominal, numeric};

/// Nodes of so many rows and more have their columns looked at on all cores.
const LARGE: usize = 4096;
/// Trees of fewer rows are grown in one go.
const SMALL: usize = 1024;
/// Nodes of fewer rows are not worth a copy.
const TINY: usize = 64;

/// The tree of a sample of the cases, with at least `min` rows in two branches of every test.
pub(crate) fn grow(cases: &Cases, sample: &Sample, min: f64) -> Tree {
    match &sample.weights {
        RowWeights::Unit => grow_all(cases, &sample.rows, &Once, min),
        RowWeights::Whole(weights) => grow_all(cases, &sample.rows, weights, min),
        RowWeights::Real(weights) => grow_all(cases, &sample.rows, weights, min),
    }
}

fn grow_all<W: Weigh>(cases: &Cases, rows: &[u32], weigh: &W, min: f64) -> Tree {
    let mut weights = vec![0.0; cases.n_classes];
    Rows::all(rows.len()).add_classes(cases, rows, weigh, &mut weights);
    let counts = counting(cases, weights.iter().sum());
    let rules = Rules { min, bits: Bits::new(rows.len()), counts };
    let open = (0..cases.columns.len() as u32).collect();
    let root = Pending { node: 0, rows: Rows::all(rows.len()), open };
    let can_sum_flags = FlagSums::can_hold::<W::Sum>(weights.iter().sum());
    let mut tree = Grower::new(cases, rows.to_vec(), weigh, &rules, &weights, can_sum_flags).grow(root);
    collapse(&mut tree);
    tree.compacted()
}

/// What holds for the whole tree.
struct Rules {
    min: f64,
    bits: Bits,
    /// Whether the gain of a column counts towards the average: those of very many values would spoil it.
    counts: Vec<bool>,
}

struct Grower<'a, W: Weigh> {
    cases: &'a Cases<'a>,
    weigh: &'a W,
    rules: &'a Rules,
    tally: Tally<W::Sum>,
    /// `None` where weights are not whole or too large.
    flags: Option<FlagSums>,
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
    /// Begins a tree whose root has these class weights.
    fn new(
        cases: &'a Cases<'a>,
        rows: Vec<u32>,
        weigh: &'a W,
        rules: &'a Rules,
        weights: &[f64],
        can_sum_flags: bool,
    ) -> Self {
        let mut tree = Tree::new(cases.n_classes);
        tree.push(weights);
        let (tally, flags) = (Tally::new(cases.n_classes), can_sum_flags.then(FlagSums::default));
        Grower { cases, weigh, rules, tally, flags, index: Index::new(rows), tree }
    }

    fn grow(mut self, root: Pending) -> Tree {
        let n_rows = root.rows.n_entries();
        let is_apart = |rows: &Rows| n_rows > SMALL && (TINY..=n_rows / 8).contains(&rows.n_entries());
        let (mut stack, mut apart) = (vec![root], Vec::new());
        while let Some(pending) = stack.pop() {
            if !self.is_leaf(pending.node) {
                if is_apart(&pending.rows) {
                    apart.push(pending);
                } else {
                    self.grow_node(&pending, &mut stack);
                }
            }
        }
        let subtrees: Vec<Tree> = apart.par_iter().map(|pending| self.grow_apart(pending)).collect();
        for (pending, subtree) in apart.iter().zip(&subtrees) {
            self.tree.graft(pending.node, subtree);
        }
        self.tree
    }

    fn is_leaf(&self, node: usize) -> bool {
        let is_pure = self.tree.weights(node).iter().filter(|&&weight| weight > 0.0).count() < 2;
        is_pure || self.tree.items(node) < 2.0 * (self.rules.min - TIE)
    }

    /// Grows a node from a copy of its rows.
    fn grow_apart(&self, pending: &Pending) -> Tree {
        let (listed, rows) = pending.rows.renumbered(&self.index.rows);
        let (cases, weigh) = (self.cases.take(&listed, &pending.open), self.weigh.take(&listed));
        let root = Pending { node: 0, rows, open: Arc::clone(&pending.open) };
        let index = (0..listed.len() as u32).collect();
        let weights = self.tree.weights(pending.node);
        Grower::new(&cases, index, &weigh, self.rules, weights, self.flags.is_some()).grow(root)
    }

    fn grow_node(&mut self, pending: &Pending, stack: &mut Vec<Pending>) {
        let verdicts = self.evaluate(pending);
        let Some((column, candidate)) = self.choose(pending, &verdicts) else { return };
        let test = self.test(column, &candidate);
        let branches = pending.rows.split(self.cases, &test, &mut self.index, self.weigh);
        let open = self.open_below(pending, &verdicts, column);
        self.branch(pending.node, test, branches, &open, stack);
    }

    fn evaluate(&mut self, pending: &Pending) -> Vec<Verdict> {
        let (cases, weigh, index, rules) = (self.cases, self.weigh, &self.index.rows[..], self.rules);
        let is_large = pending.rows.n_entries() >= LARGE;
        let mut flags = self.flags.as_mut().filter(|_| !is_large && cases.flags.are_many(&pending.open));
        if let Some(sums) = &mut flags {
            sums.sum(&cases.flags, (&cases.classes, cases.n_classes), index, &pending.rows, weigh);
        }
        let summed = |column: u32| flags.as_ref().and_then(|sums| sums.weights(&cases.flags, column));
        let verdict = |tally: &mut Tally<W::Sum>, idx: u32| {
            let column = &cases.columns[idx as usize];
            match summed(idx) {
                Some(weights) => tally.take(column, weights),
                None => tally.sum(column, index, &pending.rows, weigh),
            }
            match &column.distinct {
                None => nominal::evaluate(tally, rules.min, &rules.bits),
                Some(distinct) => numeric::evaluate(tally, distinct, rules.min, &rules.bits),
            }
        };
        if !is_large {
            return pending.open.iter().map(|&column| verdict(&mut self.tally, column)).collect();
        }
        let tally = || Tally::new(cases.n_classes);
        pending.open.par_iter().map_init(tally, |tally, &column| verdict(tally, column)).collect()
    }

    /// The column of the best test, the first of equals.
    fn choose(&self, pending: &Pending, verdicts: &[Verdict]) -> Option<(u32, Candidate)> {
        let columns = || pending.open.iter().zip(verdicts);
        let counting = columns().filter(|(column, _)| self.rules.counts[**column as usize]);
        let average = average_gain(counting.map(|(_, verdict)| verdict))?;
        let mut best: Option<(f64, u32, Candidate)> = None;
        for (&column, verdict) in columns() {
            let Some(candidate) = verdict.candidate() else { continue };
            let Some(worth) = worth(candidate, average) else { continue };
            if best.is_none_or(|(known, ..)| worth > known + TIE) {
                best = Some((worth, column, *candidate));
            }
        }
        best.map(|(_, column, candidate)| (column, candidate))
    }

    /// The test on a column; where its branches are comes later.
    fn test(&self, column: u32, candidate: &Candidate) -> Test {
        let case = &self.cases.columns[column as usize];
        match (&case.distinct, candidate.between) {
            (Some(distinct), Some([low, high])) => {
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
        let mut weights = vec![0.0; self.cases.n_classes];
        for branch in branches {
            weights.fill(0.0);
            branch.rows.add_classes(self.cases, &self.index.rows, self.weigh, &mut weights);
            let node = self.tree.push(&weights);
            stack.push(Pending { node, rows: branch.rows, open: Arc::clone(open) });
        }
    }
}

/// Which columns count towards the average gain: all but those with three values or more for ten rows, unless there are
/// no others.
fn counting(cases: &Cases, n_rows: f64) -> Vec<bool> {
    let is_wide = |column: &CaseColumn| !column.is_numeric() && column.n_codes as f64 >= 0.3 * n_rows;
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
