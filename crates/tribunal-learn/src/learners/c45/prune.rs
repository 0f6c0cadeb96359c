//! Pruning by estimated errors: a node becomes a leaf, or its largest branch, where that promises no more errors than the
//! subtree (Quinlan 1993).
//!
//! Whether the largest branch would do better with all rows of the node is asked at every node; the question is given up
//! as soon as the answer is known.

use super::add_errs::{AddErrs, Bound};
use super::candidate::TIE;
use super::cases::Cases;
use super::rows::{BranchRows, Index, Rows, in_leaf_order};
use super::tree::{Node, Test, Tree, Way};
use super::weights::{Once, RowWeights, Sample, Weigh};
use crate::error::{Error, ErrorKind};

/// So many errors more than the subtree are no reason to keep it.
const MARGIN: f64 = 0.1;
/// Sums are compared with a bound before they are complete only where rounding cannot matter.
const SLACK: f64 = 1e-6;
/// Trees of more tests on a way are pruned on a stack that is made for them.
const DEEP: usize = 64;
/// Bytes of the stack for a test on the way, generously.
const FRAME: usize = 16 << 10;

/// How to prune.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pruning {
    /// The confidence level of the estimated errors.
    pub(crate) level: f64,
    pub(crate) bound: Bound,
    /// Whether a node may be replaced by its largest branch.
    pub(crate) is_raising: bool,
}

/// The pruned tree, and how many errors it is expected to make on as many rows.
///
/// # Errors
/// The tree is deeper than there is memory for.
pub(crate) fn prune(
    tree: &Tree,
    cases: &Cases,
    sample: &Sample,
    pruning: Pruning,
) -> Result<(Tree, f64), Error> {
    match &sample.weights {
        RowWeights::Unit => prune_rows(tree, cases, &sample.rows, &Once, pruning),
        RowWeights::Whole(weights) => prune_rows(tree, cases, &sample.rows, weights, pruning),
        RowWeights::Real(weights) => prune_rows(tree, cases, &sample.rows, weights, pruning),
    }
}

fn prune_rows<W: Weigh>(
    tree: &Tree,
    cases: &Cases,
    rows: &[u32],
    weigh: &W,
    pruning: Pruning,
) -> Result<(Tree, f64), Error> {
    // The rows of a node are visited again and again: let them lie together.
    let order = in_leaf_order(tree, cases, rows);
    let mut columns: Vec<u32> = tree.tested().map(|(_, column)| column as u32).collect();
    columns.sort_unstable();
    columns.dedup();
    let (cases, weigh) = (cases.take(&order, &columns), weigh.take(&order));
    let depth = tree.depth();
    let run = || Pruner::new(tree, &cases, order.len(), &weigh, pruning).prune();
    if depth <= DEEP {
        return Ok(run());
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size((depth + DEEP) * FRAME);
        let pruning = thread.spawn_scoped(scope, run).map_err(|_| too_deep(depth))?;
        pruning.join().map_or_else(|panic| std::panic::resume_unwind(panic), Ok)
    })
}

fn too_deep(depth: usize) -> Error {
    Error::new(ErrorKind::TooDeep, format!("there is no memory to prune a tree of {depth} tests on a way"))
        .advise("ask for more rows in a branch, as in c45:min=20, or do not prune: c45:unpruned")
}

struct Pruner<'a, W> {
    cases: &'a Cases<'a>,
    weigh: &'a W,
    added: AddErrs,
    is_raising: bool,
    index: Index,
    tree: Tree,
}

impl<'a, W: Weigh> Pruner<'a, W> {
    fn new(tree: &Tree, cases: &'a Cases<'a>, n_rows: usize, weigh: &'a W, pruning: Pruning) -> Self {
        Pruner {
            cases,
            weigh,
            added: AddErrs::new(pruning.level, pruning.bound),
            is_raising: pruning.is_raising,
            index: Index::new((0..n_rows as u32).collect()),
            tree: tree.clone(),
        }
    }

    fn prune(mut self) -> (Tree, f64) {
        let errors = self.prune_node(0, &Rows::all(self.index.rows.len()));
        (self.tree.compacted(), errors)
    }

    /// Prunes below a node that has these rows; the errors that remain.
    fn prune_node(&mut self, node: usize, rows: &Rows) -> f64 {
        let as_leaf = self.refill(node, rows);
        let test = self.tree.nodes[node].test;
        if test == Test::Leaf {
            return as_leaf;
        }
        let branches = rows.split(self.cases, &test, &mut self.index, self.weigh);
        self.store_all(node, &branches);
        let mut as_tree = 0.0;
        for branch in &branches {
            let Way::To(child) = self.tree.child(node, branch.code) else { continue };
            as_tree += self.prune_node(child, &branch.rows);
        }
        let largest = largest(&branches).and_then(|code| match self.tree.child(node, code) {
            Way::To(child) => Some(child),
            Way::Empty(_) | Way::Unknown => None,
        });
        drop(branches);
        self.decide(node, rows, as_leaf, as_tree, largest.filter(|_| self.is_raising))
    }

    fn decide(
        &mut self,
        node: usize,
        rows: &Rows,
        as_leaf: f64,
        as_tree: f64,
        largest: Option<usize>,
    ) -> f64 {
        let is_leaf_fine = as_leaf <= as_tree + MARGIN;
        // Beyond this the largest branch is out of the question.
        let limit = if is_leaf_fine { as_leaf - MARGIN } else { as_tree + MARGIN };
        let as_branch = largest.map_or(f64::INFINITY, |child| self.fare(child, rows, limit + SLACK));
        match largest {
            _ if is_leaf_fine && as_leaf <= as_branch + MARGIN => {
                self.tree.nodes[node].test = Test::Leaf;
                as_leaf
            }
            Some(child) if as_branch <= as_tree + MARGIN => {
                let errors = self.prune_node(child, rows);
                self.replace(node, child);
                errors
            }
            _ => as_tree,
        }
    }

    /// The errors of a subtree, were these its rows; no more than that they are above the limit, if they are.
    fn fare(&mut self, node: usize, rows: &Rows, limit: f64) -> f64 {
        let test = self.tree.nodes[node].test;
        if test == Test::Leaf {
            return self.leaf_errors(&self.class_weights(rows));
        }
        let mut errors = 0.0;
        for branch in rows.split(self.cases, &test, &mut self.index, self.weigh) {
            errors += match self.tree.child(node, branch.code) {
                Way::To(child) => self.fare(child, &branch.rows, limit - errors),
                Way::Empty(_) | Way::Unknown => self.leaf_errors(&self.class_weights(&branch.rows)),
            };
            if errors > limit {
                break;
            }
        }
        errors
    }

    /// Gives a node its rows; the errors that are to be expected of it as a leaf.
    fn refill(&mut self, node: usize, rows: &Rows) -> f64 {
        let weights = self.class_weights(rows);
        let class = self.tree.nodes[node].class as usize;
        let heavier = |best: usize, class: usize| if weights[class] > weights[best] { class } else { best };
        self.tree.nodes[node].class = (0..weights.len()).fold(class, heavier) as u32;
        self.tree.weights_mut(node).copy_from_slice(&weights);
        self.leaf_errors(&weights)
    }

    fn class_weights(&self, rows: &Rows) -> Vec<f64> {
        let mut weights = vec![0.0; self.cases.n_classes];
        rows.add_classes(self.cases, &self.index.rows, self.weigh, &mut weights);
        weights
    }

    fn leaf_errors(&self, weights: &[f64]) -> f64 {
        let total: f64 = weights.iter().sum();
        let errors = total - weights.iter().copied().fold(0.0, f64::max);
        errors + self.added.of(total, errors)
    }

    /// Puts a node in the place of another.
    fn replace(&mut self, node: usize, child: usize) {
        self.tree.nodes[node] = self.tree.nodes[child];
        let n_classes = self.tree.n_classes;
        self.tree.weights.copy_within(child * n_classes..(child + 1) * n_classes, node * n_classes);
    }

    /// Stores the branches that had no rows before and have some now.
    fn store_all(&mut self, node: usize, branches: &[BranchRows]) {
        let is_new = |branch: &BranchRows| matches!(self.tree.child(node, branch.code), Way::Empty(_));
        if !branches.iter().any(is_new) {
            return;
        }
        let mut children: Vec<(u32, Option<usize>)> =
            self.tree.branches(node).map(|(code, child)| (code, Some(child))).collect();
        children.extend(branches.iter().filter(|branch| is_new(branch)).map(|branch| (branch.code, None)));
        children.sort_unstable_by_key(|&(code, _)| code);
        let (n_nodes, n_stored) = (self.tree.nodes.len() as u32, self.tree.codes.len() as u32);
        let Test::Nominal { empty, codes, n_branches, first, .. } = &mut self.tree.nodes[node].test else {
            return;
        };
        let class = *empty;
        (*first, *codes, *n_branches) = (n_nodes, n_stored, children.len() as u32);
        for (code, child) in children {
            self.tree.codes.push(code);
            let leaf = Node { class, test: Test::Leaf };
            self.tree.nodes.push(leaf);
            self.tree.weights.resize(self.tree.nodes.len() * self.tree.n_classes, 0.0);
            if let Some(child) = child {
                self.replace(self.tree.nodes.len() - 1, child);
            }
        }
    }
}

/// The branch of the greatest known weight, the last of equals.
fn largest(branches: &[BranchRows]) -> Option<u32> {
    let heavier = |best: Option<&BranchRows>, known: f64| best.is_none_or(|best| known >= best.known - TIE);
    let mut best = None;
    for branch in branches {
        best = if heavier(best, branch.known) { Some(branch) } else { best };
    }
    best.map(|branch| branch.code)
}
