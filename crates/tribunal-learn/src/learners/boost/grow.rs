//! Growing a tree on gradients and Hessians: level by level, or where the loss is.
//!
//! The histogram of the child with fewer rows is summed, that of the other is what it leaves of its parent's. Children that
//! no split can follow have none.
//!
//! **Reference** Chen and Guestrin 2016; Shi 2007 (best-first).

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};
use std::ops::Range;

use super::bins::Bins;
use super::derivatives::Derivatives;
use super::histogram::{Histogram, Tiles, Workspace};
use super::parting::Sides;
use super::settings::Boost;
use super::split::{BestSplit, Side, SplitRule};

/// On fewer cells one core sums a histogram: handing out work takes longer than doing it.
const PARALLEL_CELLS: usize = 1 << 18;

/// What trees are grown on.
pub(super) struct Grower<'a> {
    pub(super) bins: &'a Bins,
    pub(super) tiles: &'a Tiles,
    pub(super) of_rows: &'a [Derivatives<f32>],
    pub(super) settings: &'a Boost,
    pub(super) rule: SplitRule,
}

/// A tree with the rows it was grown on. The first node is the root; children stand behind their parents.
pub(super) struct GrownTree {
    pub(super) nodes: Vec<GrownNode>,
    /// The rows of each node stand together.
    rows: Vec<u32>,
    /// Whether a split whose rows all go left has its last row on the right, so that leaves are not told by where rows stand.
    is_astray: bool,
}

pub(super) struct GrownNode {
    /// What a leaf adds to the log-odds.
    pub(super) value: f32,
    pub(super) hessian: f32,
    rows: Range<usize>,
    pub(super) split: Option<GrownSplit>,
}

/// A split; its right child is behind the left one.
pub(super) struct GrownSplit {
    /// The place of the column among all.
    pub(super) column: usize,
    bin: u16,
    /// The number that rows on the left are below.
    pub(super) below: f64,
    pub(super) missing_is_left: bool,
    pub(super) gain: f32,
    pub(super) left: usize,
}

/// A node that may be split.
struct OpenNode {
    idx: usize,
    depth: usize,
    side: Side,
    rows: Range<usize>,
    /// Empty where it is known to be a leaf.
    histogram: Histogram,
}

/// Nodes in the order in which they are split.
enum OpenNodes {
    LevelByLevel(VecDeque<OpenNode>),
    LargestGain(BinaryHeap<OpenNode>),
}

impl Grower<'_> {
    /// Grows a tree on some rows, in ascending order.
    pub(super) fn grow(&self, rows: Vec<u32>, workspace: &mut Workspace) -> GrownTree {
        let root = self.root(&rows, workspace);
        let mut tree = GrownTree { nodes: vec![self.leaf(&root)], rows, is_astray: false };
        let most_leaves = self.settings.leaves.unwrap_or(usize::MAX);
        let mut n_leaves = 1;
        let mut open = OpenNodes::new(self.settings.leaves.is_some());
        open.add(root);
        while n_leaves < most_leaves {
            let Some(node) = open.next() else { break };
            match self.rule.best_split(&node.side, &node.histogram, self.tiles.columns()) {
                Some(split) => {
                    n_leaves += 1;
                    let [left, right] = self.split(node, &split, &mut tree, workspace);
                    open.add(left);
                    open.add(right);
                }
                None => workspace.give_back(node.histogram),
            }
        }
        open.into_nodes().for_each(|node| workspace.give_back(node.histogram));
        tree
    }

    /// All rows. Sums over all there are and over a sample of them are added up in different orders.
    fn root(&self, rows: &[u32], workspace: &mut Workspace) -> OpenNode {
        let is_sampled = self.settings.sample < 1.0;
        let sums = match is_sampled {
            true => Derivatives::sum_of(self.of_rows, rows),
            false => Derivatives::sum_of_all(self.of_rows),
        };
        let mut root = OpenNode::new(0, 0, self.rule.root(sums), 0..rows.len());
        if !self.is_leaf(&root) {
            root.histogram = self.histogram(&root, rows, workspace);
        }
        root
    }

    /// A node as long as nothing splits it.
    fn leaf(&self, node: &OpenNode) -> GrownNode {
        let value = node.side.step * self.settings.rate;
        GrownNode { value, hessian: node.side.sums.hessian, rows: node.rows.clone(), split: None }
    }

    /// Whether a node cannot be split, whatever its rows.
    fn is_leaf(&self, node: &OpenNode) -> bool {
        self.settings.depth.is_some_and(|most| node.depth >= most) || self.rule.is_leaf(node.side.sums)
    }

    fn histogram(&self, node: &OpenNode, rows: &[u32], workspace: &mut Workspace) -> Histogram {
        let on_all_cores = node.rows.len().saturating_mul(self.tiles.columns().len()) >= PARALLEL_CELLS;
        self.tiles.histogram(&rows[node.rows.clone()], self.of_rows, workspace, on_all_cores)
    }

    /// The children of a node.
    fn split(
        &self,
        node: OpenNode,
        split: &BestSplit,
        tree: &mut GrownTree,
        workspace: &mut Workspace,
    ) -> [OpenNode; 2] {
        let OpenNode { idx, depth, rows, histogram, .. } = node;
        let column = self.bins.column(split.column);
        let sides = Sides::new(column.bins(), split.bin, split.missing_is_left);
        let n_left = sides.part(&mut tree.rows[rows.clone()], &mut workspace.places);
        let middle = rows.start + n_left;
        tree.is_astray |= tree.rows[middle..rows.end].first().is_none_or(|&row| sides.is_left(row));
        let next = tree.nodes.len();
        let mut left = OpenNode::new(next, depth + 1, split.left, rows.start..middle);
        let mut right = OpenNode::new(next + 1, depth + 1, split.right, middle..rows.end);
        self.hand_down(histogram, [&mut left, &mut right], &tree.rows, workspace);
        tree.nodes[idx].split = Some(GrownSplit {
            column: split.column,
            bin: split.bin,
            below: column.lower_end(split.bin),
            missing_is_left: split.missing_is_left,
            gain: split.gain,
            left: next,
        });
        tree.nodes.extend([self.leaf(&left), self.leaf(&right)]);
        [left, right]
    }

    /// Makes the histograms of two children out of that of their parent.
    fn hand_down(
        &self,
        parent: Histogram,
        [left, right]: [&mut OpenNode; 2],
        rows: &[u32],
        workspace: &mut Workspace,
    ) {
        let (fewer, more) = if left.rows.len() < right.rows.len() { (left, right) } else { (right, left) };
        let (fewer_is_leaf, more_is_leaf) = (self.is_leaf(fewer), self.is_leaf(more));
        if !(fewer_is_leaf && more_is_leaf) {
            fewer.histogram = self.histogram(fewer, rows, workspace);
        }
        match more_is_leaf {
            true => workspace.give_back(parent),
            false => more.histogram = Workspace::without(parent, &fewer.histogram),
        }
        if fewer_is_leaf {
            workspace.give_back(std::mem::take(&mut fewer.histogram));
        }
    }
}

impl GrownTree {
    /// Adds what the tree says of the rows that it was grown on, and of some others.
    pub(super) fn add_to(&self, log_odds: &mut [f64], bins: &Bins, others: &[u32]) {
        if self.is_astray {
            self.rows.iter().for_each(|&row| log_odds[row as usize] += self.value_of(row, bins));
        } else {
            for leaf in self.nodes.iter().filter(|node| node.split.is_none()) {
                let value = f64::from(leaf.value);
                self.rows[leaf.rows.clone()].iter().for_each(|&row| log_odds[row as usize] += value);
            }
        }
        others.iter().for_each(|&row| log_odds[row as usize] += self.value_of(row, bins));
    }

    /// The value of the leaf that a row is in by its bins.
    fn value_of(&self, row: u32, bins: &Bins) -> f64 {
        let mut node = &self.nodes[0];
        while let Some(split) = &node.split {
            let sides = Sides::new(bins.column(split.column).bins(), split.bin, split.missing_is_left);
            node = &self.nodes[split.left + usize::from(!sides.is_left(row))];
        }
        f64::from(node.value)
    }
}

impl OpenNode {
    fn new(idx: usize, depth: usize, side: Side, rows: Range<usize>) -> OpenNode {
        OpenNode { idx, depth, side, rows, histogram: Vec::new() }
    }
}

impl OpenNodes {
    fn new(by_gain: bool) -> OpenNodes {
        if by_gain { Self::LargestGain(BinaryHeap::new()) } else { Self::LevelByLevel(VecDeque::new()) }
    }

    fn add(&mut self, node: OpenNode) {
        match self {
            Self::LevelByLevel(nodes) => nodes.push_back(node),
            Self::LargestGain(nodes) => nodes.push(node),
        }
    }

    fn next(&mut self) -> Option<OpenNode> {
        match self {
            Self::LevelByLevel(nodes) => nodes.pop_front(),
            Self::LargestGain(nodes) => nodes.pop(),
        }
    }

    /// What was never split.
    fn into_nodes(self) -> impl Iterator<Item = OpenNode> {
        match self {
            Self::LevelByLevel(nodes) => Vec::from(nodes),
            Self::LargestGain(nodes) => nodes.into_vec(),
        }
        .into_iter()
    }
}

impl Ord for OpenNode {
    fn cmp(&self, other: &Self) -> Ordering {
        self.side.gain.total_cmp(&other.side.gain)
    }
}

impl PartialOrd for OpenNode {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for OpenNode {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for OpenNode {}
