//! Rows that are sent down a tree.

use super::estimate::Smoothing;
use super::tree::{Test, Tree, Way};
use crate::encoding::NominalColumn;
use crate::learners::forest::Account;

/// A tree with what makes probabilities of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Classifier<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) smoothing: &'a Smoothing,
    /// The way down ends before a node of less weight.
    pub(crate) least: f64,
}

/// Where a row, or a part of it, comes to rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum End {
    Node(usize),
    /// A branch without training rows, of this class.
    Empty(u32),
    /// A node whose test asks for a value that the row lacks.
    Fork(usize),
}

impl Classifier<'_> {
    /// Adds the probability of each class for a row to `sums`, times `share`.
    pub(crate) fn add(&self, columns: &[NominalColumn], row: usize, share: f64, sums: &mut [f64]) {
        self.add_from(0, columns, row, share, sums);
    }

    /// The same for a row that has come to a node.
    pub(super) fn add_from(
        &self,
        node: usize,
        columns: &[NominalColumn],
        row: usize,
        share: f64,
        sums: &mut [f64],
    ) {
        match self.descend(node, columns, row) {
            End::Fork(node) => self.add_fork(node, columns, row, share, sums),
            end => self.add_end(end, share, sums),
        }
    }

    fn add_end(&self, end: End, share: f64, sums: &mut [f64]) {
        match end {
            End::Node(node) | End::Fork(node) => {
                self.smoothing.add(self.tree.weights(node), self.tree.nodes[node].class, share, sums);
            }
            End::Empty(class) => self.smoothing.add_empty(class, share, sums),
        }
    }

    fn add_fork(&self, node: usize, columns: &[NominalColumn], row: usize, share: f64, sums: &mut [f64]) {
        let mut stack = vec![(node, share)];
        while let Some((node, share)) = stack.pop() {
            for (_, child, share) in self.fork(node, share) {
                match child.map_or(End::Node(node), |child| self.descend(child, columns, row)) {
                    End::Fork(node) => stack.push((node, share)),
                    end => self.add_end(end, share, sums),
                }
            }
        }
    }

    /// The branches of a node, with the share that goes there; no child where the way ends before it.
    pub(crate) fn fork(&self, node: usize, share: f64) -> impl Iterator<Item = (u32, Option<usize>, f64)> {
        let items = self.tree.items(node);
        self.tree.branches(node).map(move |(code, child)| {
            let weight = self.tree.items(child);
            let part = if items > 0.0 { weight / items } else { 0.0 };
            (code, (weight >= self.least).then_some(child), share * part)
        })
    }

    /// From a node to where the way ends or forks.
    pub(crate) fn descend(&self, mut node: usize, columns: &[NominalColumn], row: usize) -> End {
        loop {
            if self.tree.nodes[node].test == Test::Leaf {
                return End::Node(node);
            }
            match self.way(node, columns, row) {
                Way::To(child) if self.least > 0.0 && self.tree.items(child) < self.least => {
                    return End::Node(node);
                }
                Way::To(child) => node = child,
                Way::Empty(_) if self.least > 0.0 => return End::Node(node),
                Way::Empty(class) => return End::Empty(class),
                Way::Unknown => return End::Fork(node),
            }
        }
    }

    /// The probability of a class where a row comes to rest.
    pub(crate) fn probability(&self, end: End, class: usize) -> f64 {
        let mut sums = vec![0.0; self.tree.n_classes];
        self.add_end(end, 1.0, &mut sums);
        sums.get(class).copied().unwrap_or(0.0)
    }

    /// Enters what every test changes on the way of a row.
    pub(crate) fn follow(&self, columns: &[NominalColumn], row: usize, account: &mut Account) {
        let mut stack = vec![(0, 1.0)];
        while let Some((node, share)) = stack.pop() {
            let Some(column) = self.tree.nodes[node].test.column() else { continue };
            let before = self.probability(End::Node(node), account.class());
            for (end, share) in self.ends(node, share, columns, row) {
                let after = self.probability(end, account.class());
                account.change(column, share * (after - before));
                if let End::Fork(child) = end {
                    stack.push((child, share));
                }
            }
        }
    }

    /// Where a row goes from a node with a test, with its share; a node from which it may go further is a fork.
    fn ends(&self, node: usize, share: f64, columns: &[NominalColumn], row: usize) -> Vec<(End, f64)> {
        match self.way(node, columns, row) {
            Way::To(child) if self.tree.items(child) < self.least => Vec::new(),
            Way::To(child) => vec![(End::Fork(child), share)],
            Way::Empty(_) if self.least > 0.0 => Vec::new(),
            Way::Empty(class) => vec![(End::Empty(class), share)],
            Way::Unknown => {
                let asked =
                    self.fork(node, share).filter_map(|(_, child, share)| Some((End::Fork(child?), share)));
                asked.collect()
            }
        }
    }

    /// Where a row goes from a node with a test.
    pub(crate) fn way(&self, node: usize, columns: &[NominalColumn], row: usize) -> Way {
        let value = |column: u32| columns.get(column as usize);
        match self.tree.nodes[node].test {
            Test::Nominal { column, .. } => match value(column) {
                Some(NominalColumn::Codes { codes, .. }) => self.tree.way(node, codes[row]),
                _ => Way::Unknown,
            },
            Test::Numeric { column, cut, first } => match value(column) {
                Some(NominalColumn::Numbers(numbers)) if !numbers[row].is_nan() => {
                    Way::To(first as usize + usize::from(numbers[row] > cut))
                }
                _ => Way::Unknown,
            },
            Test::Leaf => Way::Unknown,
        }
    }
}
