//! A regression tree of an ensemble: nodes in the order in which they are met from the left.
//!
//! The left child of a split is the next node. So a list of splits and leaves is a tree or it is none, and a file can hold
//! no child that is not there and no way that leads round in a circle.

use serde::{Deserialize, Serialize};

use super::grow::GrownTree;
use crate::encoding::Matrix;

/// A tree that adds a value to the log-odds of a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Written>", into = "Vec<Written>")]
pub(super) struct Tree {
    nodes: Vec<Node>,
}

/// A node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Node {
    Split(Split),
    Leaf(Leaf),
}

/// Rows below a number go to the next node, others to the right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Split {
    pub(super) feature: u32,
    below: f64,
    missing_is_below: bool,
    pub(super) right: u32,
}

/// A node with the column that it asks for; a leaf has itself as both children.
struct Step<'a> {
    column: &'a [f64],
    split: Split,
    left: u32,
    value: f64,
}

/// In trees up to here every row takes the same number of steps, which leaves nothing to guess but which child is next.
const SHALLOW: usize = 8;

/// The value of the leaf that so many steps lead to.
#[inline]
fn value_of(steps: &[Step<'_>], depth: usize, row: usize) -> f64 {
    let mut idx = 0;
    for _ in 0..depth {
        let Step { column, split, left, .. } = &steps[idx];
        idx = (if split.is_below(column[row]) { *left } else { split.right }) as usize;
    }
    steps[idx].value
}

/// What a leaf adds, and the weight of the training rows in it: their sum of p (1 - p).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Leaf {
    pub(super) value: f32,
    pub(super) cover: f32,
}

impl Split {
    /// Whether a value goes to the next node.
    pub(super) fn is_below(&self, value: f64) -> bool {
        (value < self.below) | (self.missing_is_below & value.is_nan())
    }
}

/// A node as it is written: a split is a feature, a number and where missing values go, a leaf its value and cover.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    Split(u32, f64, bool),
    Leaf(f32, f32),
}

impl From<Tree> for Vec<Written> {
    fn from(tree: Tree) -> Self {
        let write = |node: Node| match node {
            Node::Split(split) => Written::Split(split.feature, split.below, split.missing_is_below),
            Node::Leaf(leaf) => Written::Leaf(leaf.value, leaf.cover),
        };
        tree.nodes.into_iter().map(write).collect()
    }
}

impl TryFrom<Vec<Written>> for Tree {
    type Error = &'static str;

    fn try_from(written: Vec<Written>) -> Result<Tree, Self::Error> {
        let mut nodes = Vec::with_capacity(written.len());
        // The splits whose right child is still to come.
        let mut waiting: Vec<usize> = Vec::new();
        for (idx, node) in written.into_iter().enumerate() {
            if let Some(Node::Leaf(_)) = nodes.last() {
                let split = waiting.pop().ok_or("a tree that goes on behind its end")?;
                if let Some(Node::Split(split)) = nodes.get_mut(split) {
                    split.right = idx as u32;
                }
            }
            let node = node.checked()?;
            if let Node::Split(_) = node {
                waiting.push(idx);
            }
            nodes.push(node);
        }
        let is_whole = waiting.is_empty() && !nodes.is_empty();
        if is_whole { Ok(Tree { nodes }) } else { Err("a tree that ends before its leaves") }
    }
}

impl Written {
    fn checked(self) -> Result<Node, &'static str> {
        match self {
            Written::Split(feature, below, missing_is_below) if below.is_finite() => {
                Ok(Node::Split(Split { feature, below, missing_is_below, right: 0 }))
            }
            Written::Leaf(value, cover) if value.is_finite() && cover.is_finite() && cover >= 0.0 => {
                Ok(Node::Leaf(Leaf { value, cover }))
            }
            _ => Err("a tree with numbers that are not finite"),
        }
    }
}

impl Tree {
    /// The tree that was grown, whose columns are these features.
    ///
    /// # Errors
    /// Its numbers are not finite.
    pub(super) fn new(grown: &GrownTree, features: &[usize]) -> Result<Tree, &'static str> {
        let mut written = Vec::with_capacity(grown.nodes.len());
        let mut open = vec![0];
        while let Some(idx) = open.pop() {
            let node = &grown.nodes[idx];
            match &node.split {
                // A sum over rows that cancel each other may fall short of zero by a rounding error.
                None => written.push(Written::Leaf(node.value, node.hessian.max(0.0))),
                Some(split) => {
                    let feature = features[split.column] as u32;
                    written.push(Written::Split(feature, split.below, split.missing_is_left));
                    open.extend([split.left + 1, split.left]);
                }
            }
        }
        Tree::try_from(written)
    }

    /// Its nodes, each split before what is left of it, that before what is right of it.
    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Its leaves.
    pub(super) fn leaves(&self) -> impl Iterator<Item = &Leaf> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Leaf(leaf) => Some(leaf),
            Node::Split(_) => None,
        })
    }

    /// Whether it asks for no more than so many features.
    pub(super) fn fits(&self, n_features: usize) -> bool {
        let is_there = |node: &Node| match node {
            Node::Split(split) => (split.feature as usize) < n_features,
            Node::Leaf(_) => true,
        };
        self.nodes.iter().all(is_there)
    }

    /// Adds what it says of every row of a matrix.
    pub(super) fn add_to(&self, matrix: &Matrix, sums: &mut [f64]) {
        match self.steps(matrix) {
            Some((steps, depth)) => {
                sums.iter_mut().enumerate().for_each(|(row, sum)| *sum += value_of(&steps, depth, row));
            }
            None => {
                let leaf = |row: usize| self.leaf(|feature| matrix.column(feature)[row]);
                sums.iter_mut().enumerate().for_each(|(row, sum)| *sum += f64::from(leaf(row).value));
            }
        }
    }

    /// The nodes as steps that every row of a matrix takes as many of as the tree is deep, unless it is too deep for that.
    fn steps<'a>(&self, matrix: &'a Matrix) -> Option<(Vec<Step<'a>>, usize)> {
        let mut depths = vec![0; self.nodes.len()];
        let mut steps = Vec::with_capacity(self.nodes.len());
        let root = match self.nodes.first()? {
            Node::Split(split) => matrix.column(split.feature as usize),
            Node::Leaf(_) => &[],
        };
        for (idx, node) in self.nodes.iter().enumerate() {
            steps.push(match node {
                Node::Split(split) => {
                    (depths[idx + 1], depths[split.right as usize]) = (depths[idx] + 1, depths[idx] + 1);
                    let column = matrix.column(split.feature as usize);
                    Step { column, split: *split, left: idx as u32 + 1, value: 0.0 }
                }
                // Whoever is there stays there.
                Node::Leaf(leaf) => {
                    let split = Split { feature: 0, below: 0.0, missing_is_below: false, right: idx as u32 };
                    Step { column: root, split, left: idx as u32, value: f64::from(leaf.value) }
                }
            });
        }
        let depth = depths.into_iter().max()?;
        (depth <= SHALLOW).then_some((steps, depth))
    }

    /// The leaf of a row with these features.
    fn leaf(&self, value: impl Fn(usize) -> f64) -> &Leaf {
        let mut idx = 0;
        loop {
            match &self.nodes[idx] {
                Node::Leaf(leaf) => return leaf,
                Node::Split(split) if split.is_below(value(split.feature as usize)) => idx += 1,
                Node::Split(split) => idx = split.right as usize,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x0 < 1.5, missing below: then x1 < 0, missing above.
    const TEXT: &str = "[[0,1.5,true],[1,0.0,false],[-0.25,2.0],[0.5,1.0],[1.0,3.0]]";

    fn read(text: &str) -> Result<Tree, serde_json::Error> {
        serde_json::from_str(text)
    }

    #[test]
    fn rows_find_their_leaf() {
        let tree = read(TEXT).expect("a tree");
        let check =
            |row: [f64; 2], expected: f32| assert_eq!(tree.leaf(|idx| row[idx]).value, expected, "{row:?}");
        check([1.0, -1.0], -0.25);
        check([1.0, 0.0], 0.5);
        check([1.5, -1.0], 1.0);
        check([f64::NAN, -1.0], -0.25);
        check([1.0, f64::NAN], 0.5);
        check([f64::MAX, f64::NAN], 1.0);
    }

    /// Trees that are shallow and one that is not.
    #[test]
    fn all_rows_find_the_leaf_that_each_finds() {
        let chain = |depth: usize| {
            let splits =
                (0..depth).map(|idx| format!("[{},{idx}.5,{}],[0.{idx},1.0]", idx % 2, idx % 3 == 0));
            // Of every split the left child is a leaf.
            format!("[{},[9.0,1.0]]", splits.collect::<Vec<String>>().join(","))
        };
        let columns = (0..2).map(|idx| (0..40).map(|row| f64::from(row * (idx + 3) % 13)).collect());
        let mut columns: Vec<Vec<f64>> = columns.collect();
        columns[1][7] = f64::NAN;
        let matrix = Matrix::from_columns(40, columns);
        for text in [TEXT, "[[0.5,1.0]]", &chain(1), &chain(SHALLOW), &chain(SHALLOW + 5)] {
            let tree = read(text).expect("a tree");
            let mut sums = vec![1.0; 40];
            tree.add_to(&matrix, &mut sums);
            let leaf = |row: usize| tree.leaf(|idx| matrix.column(idx)[row]).value;
            assert!(sums.iter().enumerate().all(|(row, sum)| *sum == 1.0 + f64::from(leaf(row))), "{text}");
        }
    }

    #[test]
    fn trees_are_written_as_they_are_read() {
        assert_eq!(serde_json::to_string(&read(TEXT).expect("a tree")).expect("as text"), TEXT);
        assert!(read(TEXT).expect("a tree").fits(2) && !read(TEXT).expect("a tree").fits(1));
    }

    #[test]
    fn what_is_no_tree_is_refused() {
        let check = |text: &str, expected: &str| {
            let error = read(text).expect_err(text).to_string();
            assert!(error.contains(expected), "{error}");
        };
        check("[]", "ends before its leaves");
        check("[[0,1.5,true]]", "ends before its leaves");
        check("[[0,1.5,true],[1.0,1.0]]", "ends before its leaves");
        check("[[1.0,1.0],[1.0,1.0]]", "goes on behind its end");
        check("[[0,1.5,true],[1.0,1.0],[1.0,1.0],[0,1.5,true]]", "goes on behind its end");
        check("[[1e39,1.0]]", "not finite");
        check("[[1.0,-1.0]]", "not finite");
        check("[[1.0,null]]", "did not match");
        check("[[-1,1.5,true],[1.0,1.0],[1.0,1.0]]", "did not match");
    }
}
