//! A decision tree: nodes in one list, parents before children, the root first.
//!
//! The branches of a nominal test that no training row took are not stored: they are leaves without weight, all of the
//! same class, however many there are.

use serde::{Deserialize, Serialize};

use crate::column::MISSING;

/// A tree with the training rows in it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Tree {
    pub(crate) n_classes: usize,
    pub(crate) nodes: Vec<Node>,
    /// The weight of each class, node by node.
    pub(crate) weights: Vec<f64>,
    /// The codes of branches that are there, rising for each node.
    pub(crate) codes: Vec<u32>,
}

/// A node; its children stand one after another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Node {
    pub(crate) class: u32,
    pub(crate) test: Test,
}

/// What a node asks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Test {
    Leaf,
    /// A branch for each value.
    Nominal {
        column: u32,
        n_codes: u32,
        /// The class of the branches that are not stored.
        empty: u32,
        /// Where the codes of the stored branches are.
        codes: u32,
        n_branches: u32,
        /// The child of the first of them.
        first: u32,
    },
    /// A branch for numbers up to the cut, then one for those above.
    Numeric {
        column: u32,
        cut: f64,
        first: u32,
    },
}

/// Where a value leads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Way {
    To(usize),
    /// To a branch without training rows, of this class.
    Empty(u32),
    /// Everywhere: the value is missing or nobody declared it.
    Unknown,
}

impl Tree {
    pub(crate) fn new(n_classes: usize) -> Self {
        Tree { n_classes, nodes: Vec::new(), weights: Vec::new(), codes: Vec::new() }
    }

    /// Adds a leaf of the heaviest class, the first of equals.
    pub(crate) fn push(&mut self, weights: &[f64]) -> usize {
        let heavier = |best: usize, class: usize| if weights[class] > weights[best] { class } else { best };
        let class = (0..weights.len()).fold(0, heavier) as u32;
        self.nodes.push(Node { class, test: Test::Leaf });
        self.weights.extend_from_slice(weights);
        self.nodes.len() - 1
    }

    /// The weight of each class in a node.
    pub(crate) fn weights(&self, node: usize) -> &[f64] {
        &self.weights[node * self.n_classes..][..self.n_classes]
    }

    pub(crate) fn weights_mut(&mut self, node: usize) -> &mut [f64] {
        &mut self.weights[node * self.n_classes..][..self.n_classes]
    }

    /// The weight of the training rows in a node.
    pub(crate) fn items(&self, node: usize) -> f64 {
        self.weights(node).iter().sum()
    }

    /// The weight of the training rows in a node that are not of its class.
    pub(crate) fn errors(&self, node: usize) -> f64 {
        self.items(node) - self.weights(node)[self.nodes[node].class as usize]
    }

    /// The stored branches of a node, with their children.
    pub(crate) fn branches(&self, node: usize) -> impl Iterator<Item = (u32, usize)> {
        let (codes, first) = match self.nodes[node].test {
            Test::Leaf => (&[][..], 0),
            Test::Nominal { codes, n_branches, first, .. } => {
                (&self.codes[codes as usize..][..n_branches as usize], first)
            }
            Test::Numeric { first, .. } => (&[0, 1][..], first),
        };
        codes.iter().enumerate().map(move |(at, &code)| (code, first as usize + at))
    }

    /// How many branches of a node have no training rows.
    pub(crate) fn n_empty(&self, node: usize) -> usize {
        match self.nodes[node].test {
            Test::Nominal { n_codes, n_branches, .. } => (n_codes - n_branches) as usize,
            Test::Leaf | Test::Numeric { .. } => 0,
        }
    }

    /// Where a code leads from a node with a nominal test.
    pub(crate) fn way(&self, node: usize, code: u32) -> Way {
        let Test::Nominal { n_codes, empty, codes, n_branches, first, .. } = self.nodes[node].test else {
            return Way::Unknown;
        };
        if code == MISSING || code >= n_codes {
            return Way::Unknown;
        }
        if n_branches == n_codes {
            return Way::To((first + code) as usize);
        }
        match self.codes[codes as usize..][..n_branches as usize].binary_search(&code) {
            Ok(at) => Way::To(first as usize + at),
            Err(_) => Way::Empty(empty),
        }
    }

    /// How many leaves there are, empty ones counted.
    pub(crate) fn n_leaves(&self) -> usize {
        let leaves = |node: usize| usize::from(self.nodes[node].test == Test::Leaf) + self.n_empty(node);
        (0..self.nodes.len()).map(leaves).sum()
    }

    /// How many nodes there are, empty leaves counted.
    pub(crate) fn n_nodes(&self) -> usize {
        self.nodes.len() + (0..self.nodes.len()).map(|node| self.n_empty(node)).sum::<usize>()
    }

    /// How many tests there are on the longest way down.
    pub(crate) fn depth(&self) -> usize {
        let mut depths = vec![0; self.nodes.len()];
        for node in 0..self.nodes.len() {
            self.branches(node).for_each(|(_, child)| depths[child] = depths[node] + 1);
        }
        depths.into_iter().max().unwrap_or(0)
    }

    /// The tree without the nodes that nothing leads to, subtree by subtree.
    pub(crate) fn compacted(&self) -> Tree {
        let mut tree = Tree::new(self.n_classes);
        tree.copy(self, 0);
        let mut stack = vec![(0, 0)];
        while let Some((old, new)) = stack.pop() {
            let place = tree.nodes.len();
            for (_, child) in self.branches(old) {
                stack.push((child, tree.nodes.len()));
                tree.copy(self, child);
            }
            match &mut tree.nodes[new].test {
                Test::Leaf => {}
                Test::Numeric { first, .. } => *first = place as u32,
                Test::Nominal { codes, n_branches, first, .. } => {
                    let listed = &self.codes[*codes as usize..][..*n_branches as usize];
                    (*first, *codes) = (place as u32, tree.codes.len() as u32);
                    tree.codes.extend_from_slice(listed);
                }
            }
        }
        tree
    }

    /// Adds a node of another tree.
    fn copy(&mut self, other: &Tree, node: usize) {
        self.nodes.push(other.nodes[node]);
        self.weights.extend_from_slice(other.weights(node));
    }
}
