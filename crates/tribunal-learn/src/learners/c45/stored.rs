//! Trees that are read back: nothing is believed before it was checked, so that no file can make scoring fail.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::tree::{Node, Test, Tree};
use crate::error::{Error, ErrorKind};

/// A tree as it was written.
#[derive(Deserialize)]
pub(crate) struct StoredTree {
    n_classes: usize,
    nodes: Vec<Node>,
    weights: Vec<f64>,
    codes: Vec<u32>,
}

/// What sums of fractional weights may be off by.
const ROUNDING: f64 = 1e-6;

impl TryFrom<StoredTree> for Tree {
    type Error = Error;

    fn try_from(stored: StoredTree) -> Result<Tree, Error> {
        let StoredTree { n_classes, nodes, weights, codes } = stored;
        let is_sized = nodes.len().checked_mul(n_classes) == Some(weights.len());
        if nodes.is_empty() || n_classes == 0 || !is_sized || nodes.len() > u32::MAX as usize {
            return Err(broken("its nodes and weights do not fit together"));
        }
        if !weights.iter().all(|weight| weight.is_finite() && *weight >= 0.0) {
            return Err(broken("a weight is not a number from zero"));
        }
        let tree = Tree { n_classes, nodes, weights, codes };
        tree.check_nodes()?;
        Ok(tree)
    }
}

impl Tree {
    /// Whether every node but the root is the child of one node before it, and every class and code is possible.
    fn check_nodes(&self) -> Result<(), Error> {
        let mut n_parents = vec![0_u32; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            if node.class as usize >= self.n_classes {
                return Err(broken("a node is of no class"));
            }
            let (first, n_branches) = self.check_test(&node.test)?;
            let end = first as usize + n_branches as usize;
            if n_branches > 0 && (first as usize <= at || end > self.nodes.len()) {
                return Err(broken("a branch leads nowhere"));
            }
            n_parents[first as usize..end].iter_mut().for_each(|n| *n += 1);
        }
        let is_tree = n_parents[0] == 0 && n_parents[1..].iter().all(|&n| n == 1);
        if !is_tree {
            return Err(broken("its nodes do not make a tree"));
        }
        match (0..self.nodes.len()).all(|node| self.divides_its_weight(node)) {
            true => Ok(()),
            false => Err(broken("the branches of a node weigh more than the node")),
        }
    }

    /// Whether branches weigh no more than the node they come from: a row without a value is divided by these weights.
    fn divides_its_weight(&self, node: usize) -> bool {
        let of_branches: f64 = self.branches(node).map(|(_, child)| self.items(child)).sum();
        of_branches <= self.items(node) * (1.0 + ROUNDING) + ROUNDING
    }

    /// Whether its tests are those of columns with so many codes each, `None` for numbers.
    pub(super) fn fits(&self, columns: &[Option<usize>]) -> bool {
        self.nodes.iter().all(|node| match node.test {
            Test::Leaf => true,
            Test::Numeric { column, .. } => columns.get(column as usize) == Some(&None),
            Test::Nominal { column, n_codes, .. } => {
                columns.get(column as usize) == Some(&Some(n_codes as usize))
            }
        })
    }

    /// The first child of a test, and how many it has.
    fn check_test(&self, test: &Test) -> Result<(u32, u32), Error> {
        match *test {
            Test::Leaf => Ok((0, 0)),
            Test::Numeric { cut, first, .. } if cut.is_finite() => Ok((first, 2)),
            Test::Numeric { .. } => Err(broken("a threshold is no number")),
            Test::Nominal { n_codes, empty, codes, n_branches, first, .. } => {
                let end = codes as usize + n_branches as usize;
                let listed = self.codes.get(codes as usize..end).unwrap_or(&[]);
                let are_rising = listed.windows(2).all(|pair| pair[0] < pair[1]);
                let are_known = listed.last().is_some_and(|&code| code < n_codes);
                if are_rising && are_known && (empty as usize) < self.n_classes {
                    Ok((first, n_branches))
                } else {
                    Err(broken("the values of a test are not rising codes"))
                }
            }
        }
    }
}

fn broken(problem: &str) -> Error {
    Error::new(ErrorKind::Inconsistent, format!("the tree is damaged: {problem}"))
}

/// A shared tree, written by value.
pub(crate) fn serialize<S: Serializer>(tree: &Arc<Tree>, serializer: S) -> Result<S::Ok, S::Error> {
    tree.as_ref().serialize(serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<Tree>, D::Error> {
    let stored = StoredTree::deserialize(deserializer)?;
    Tree::try_from(stored).map(Arc::new).map_err(serde::de::Error::custom)
}
