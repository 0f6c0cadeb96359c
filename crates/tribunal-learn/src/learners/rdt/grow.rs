//! Growing a random tree: columns and thresholds are drawn, classes are only counted.

use tribunal_random::Random;

use crate::column::MISSING;
use crate::encoding::NominalColumn;
use crate::learners::c45::{Test, Tree};
use crate::training::Training;

/// A row in a node, with the weight that it has there.
#[derive(Clone, Copy, Debug)]
struct Case {
    row: u32,
    weight: f64,
}

/// A node that has yet to be looked at.
struct Pending {
    node: usize,
    depth: usize,
    cases: Vec<Case>,
    /// The columns that were not used up on the way here.
    open: Vec<u32>,
}

struct Grower<'a> {
    training: &'a Training<'a>,
    random: Random,
    most_depth: usize,
    tree: Tree,
}

/// The tree that a stream of random numbers grows of columns that vary, with half as many tests on a way at most.
pub(super) fn grow(training: &Training<'_>, random: Random, columns: &[u32]) -> Tree {
    let most_depth = (columns.len() / 2).max(1);
    let tree = Tree::new(training.n_classes);
    let mut grower = Grower { training, random, most_depth, tree };
    let case = |row: u32| Case { row, weight: training.weight(row as usize) };
    let cases: Vec<Case> = (0..training.n_rows() as u32).map(case).collect();
    let node = grower.push(&cases);
    let mut stack = vec![Pending { node, depth: 0, cases, open: columns.to_vec() }];
    while let Some(pending) = stack.pop() {
        grower.grow_node(pending, &mut stack);
    }
    grower.tree
}

impl Grower<'_> {
    fn push(&mut self, cases: &[Case]) -> usize {
        let mut weights = vec![0.0; self.training.n_classes];
        cases
            .iter()
            .for_each(|case| weights[self.training.classes[case.row as usize] as usize] += case.weight);
        self.tree.push(&weights)
    }

    fn grow_node(&mut self, pending: Pending, stack: &mut Vec<Pending>) {
        let is_pure = self.tree.weights(pending.node).iter().filter(|&&weight| weight > 0.0).count() < 2;
        if pending.depth == self.most_depth || is_pure {
            return;
        }
        let usable: Vec<u32> =
            pending.open.iter().copied().filter(|&column| self.is_usable(column, &pending)).collect();
        if usable.is_empty() {
            return;
        }
        let column = usable[self.random.below(usable.len() as u64) as usize];
        let branches = match &self.training.columns()[column as usize] {
            NominalColumn::Codes { codes, n_codes } => self.split_codes(&pending, column, codes, *n_codes),
            NominalColumn::Numbers(numbers) => self.split_numbers(&pending, column, numbers),
        };
        self.add_children(&pending, column, branches, stack);
    }

    /// Levels can be asked once, numbers as long as they differ.
    fn is_usable(&self, column: u32, pending: &Pending) -> bool {
        match &self.training.columns()[column as usize] {
            NominalColumn::Codes { codes, .. } => {
                pending.cases.iter().any(|case| codes[case.row as usize] != MISSING)
            }
            NominalColumn::Numbers(numbers) => range(&pending.cases, numbers).is_some(),
        }
    }

    /// The rows of each code that there is, in order.
    fn split_codes(
        &mut self,
        pending: &Pending,
        column: u32,
        codes: &[u32],
        n_codes: usize,
    ) -> Vec<(u32, Vec<Case>)> {
        let mut known: Vec<(u32, Case)> = pending
            .cases
            .iter()
            .map(|&case| (codes[case.row as usize], case))
            .filter(|(code, _)| *code != MISSING)
            .collect();
        known.sort_by_key(|(code, _)| *code);
        let branches = known
            .chunk_by(|a, b| a.0 == b.0)
            .map(|run| (run[0].0, run.iter().map(|(_, case)| *case).collect()));
        let branches: Vec<(u32, Vec<Case>)> = branches.collect();
        let (at, n_branches) = (self.tree.codes.len() as u32, branches.len() as u32);
        self.tree.codes.extend(branches.iter().map(|(code, _)| *code));
        let (empty, first) = (self.tree.nodes[pending.node].class, self.tree.nodes.len() as u32);
        self.tree.nodes[pending.node].test =
            Test::Nominal { column, n_codes: n_codes as u32, empty, codes: at, n_branches, first };
        branches
    }

    /// The rows up to a drawn threshold, and those above.
    fn split_numbers(&mut self, pending: &Pending, column: u32, numbers: &[f64]) -> Vec<(u32, Vec<Case>)> {
        let [least, most] = range(&pending.cases, numbers).unwrap_or_default();
        let share = self.random.uniform();
        // The difference of two huge numbers may be no number, halves of it are.
        let cut = if (most - least).is_finite() {
            least + share * (most - least)
        } else {
            2.0 * (least / 2.0 + share * (most / 2.0 - least / 2.0))
        };
        self.tree.nodes[pending.node].test =
            Test::Numeric { column, cut, first: self.tree.nodes.len() as u32 };
        let known = pending.cases.iter().filter(|case| !numbers[case.row as usize].is_nan());
        let (low, high) = known.partition(|case| numbers[case.row as usize] <= cut);
        vec![(0, low), (1, high)]
    }

    /// Adds the branches of a node. Rows that lack the value go down every branch, in the proportion of those that do not.
    fn add_children(
        &mut self,
        pending: &Pending,
        column: u32,
        branches: Vec<(u32, Vec<Case>)>,
        stack: &mut Vec<Pending>,
    ) {
        let weight = |cases: &[Case]| cases.iter().map(|case| case.weight).sum::<f64>();
        let known: f64 = branches.iter().map(|(_, cases)| weight(cases)).sum();
        let lacking: Vec<Case> =
            pending.cases.iter().copied().filter(|case| self.lacks(column, case.row)).collect();
        let is_numeric = matches!(self.training.columns()[column as usize], NominalColumn::Numbers(_));
        let open: Vec<u32> =
            pending.open.iter().copied().filter(|&other| other != column || is_numeric).collect();
        let from = stack.len();
        for (_, mut cases) in branches {
            let share = if known > 0.0 { weight(&cases) / known } else { 0.0 };
            cases.extend(lacking.iter().map(|case| Case { weight: case.weight * share, ..*case }));
            let node = self.push(&cases);
            stack.push(Pending { node, depth: pending.depth + 1, cases, open: open.clone() });
        }
        // The first branch is looked at first.
        stack[from..].reverse();
    }

    fn lacks(&self, column: u32, row: u32) -> bool {
        match &self.training.columns()[column as usize] {
            NominalColumn::Codes { codes, .. } => codes[row as usize] == MISSING,
            NominalColumn::Numbers(numbers) => numbers[row as usize].is_nan(),
        }
    }
}

/// The least and the greatest number, if they differ.
fn range(cases: &[Case], numbers: &[f64]) -> Option<[f64; 2]> {
    let known = || cases.iter().map(|case| numbers[case.row as usize]).filter(|number| !number.is_nan());
    let (least, most) = (known().fold(f64::INFINITY, f64::min), known().fold(f64::NEG_INFINITY, f64::max));
    (least < most).then_some([least, most])
}
