//! Drawing many rows with replacement without touching each: how often rows are drawn is divided from the top.
//!
//! Of n draws from n rows, the number that falls into the first half is binomial, and given that number both halves are
//! drawn independently. So the counts of a multinomial draw are found by going down a tree of ranges of rows, exactly in
//! distribution. Rows that are alike - in the same cell of every model, of the same weight - stand together and need no
//! division: a model with two thousand cells costs two thousand binomial numbers, whatever the number of rows. Where hardly
//! any rows are alike, ranges end at a size that the nearest cache holds, and rows are drawn one by one there. Reference:
//! Davis (1993), "The computer generation of multinomial random variates".

use std::ops::Range;

use rayon::prelude::*;
use tribunal_random::Random;

/// Rows of a range in which they are drawn one by one; their cells fit the nearest cache.
const NEAR: usize = 1 << 12;

/// A range with fewer than so many rows for each that differs is drawn row by row.
const ALIKE: usize = 8;

/// Rows in an order in which those that are alike stand together, and how to draw from them.
#[derive(Clone, Debug)]
pub(crate) struct DrawTree {
    n_rows: usize,
    n_models: usize,
    /// Row by row the cell of each model, in the new order.
    cells: Vec<u16>,
    weight: Option<Vec<f64>>,
    /// Depth first, the left side of a division before its right one.
    nodes: Vec<Node>,
}

#[derive(Clone, Debug)]
enum Node {
    /// The share of the draws that goes left.
    Divided(f64),
    /// Rows that are all like this one.
    Alike(usize),
    /// Rows that are drawn one by one.
    Single(Range<usize>),
}

impl DrawTree {
    /// From the cells of rows, `n_models` for each, and their weights.
    pub(crate) fn new(cells: &[u16], n_models: usize, weight: Option<&[f64]>) -> Self {
        let n_rows = cells.len() / n_models.max(1);
        let of_row = |row: u32| &cells[row as usize * n_models..][..n_models];
        let weight_of = |row: u32| weight.map_or(0, |weight| weight[row as usize].to_bits());
        let mut order: Vec<u32> = (0..n_rows as u32).collect();
        order.par_sort_unstable_by(|&a, &b| {
            of_row(a).cmp(of_row(b)).then(weight_of(a).cmp(&weight_of(b))).then(a.cmp(&b))
        });
        let mut tree = DrawTree {
            n_rows,
            n_models,
            cells: order.iter().flat_map(|&row| of_row(row)).copied().collect(),
            weight: weight.map(|weight| order.iter().map(|&row| weight[row as usize]).collect()),
            nodes: Vec::new(),
        };
        let starts: Vec<usize> =
            (0..n_rows).filter(|&row| row == 0 || !tree.are_alike(row - 1, row)).collect();
        tree.divide(&starts, 0..starts.len());
        tree
    }

    fn are_alike(&self, one: usize, other: usize) -> bool {
        let weight_of = |row: usize| self.weight.as_ref().map(|weight| weight[row].to_bits());
        self.of_row(one) == self.of_row(other) && weight_of(one) == weight_of(other)
    }

    fn of_row(&self, row: usize) -> &[u16] {
        &self.cells[row * self.n_models..][..self.n_models]
    }

    /// Adds the nodes of some runs of rows that are alike, each known by its first row.
    fn divide(&mut self, starts: &[usize], runs: Range<usize>) {
        let n_rows = self.n_rows;
        let end_of = |run: usize| starts.get(run).copied().unwrap_or(n_rows);
        let rows = end_of(runs.start)..end_of(runs.end);
        if runs.len() <= 1 {
            return self.nodes.push(Node::Alike(rows.start));
        }
        if rows.len() <= NEAR && rows.len() < ALIKE * runs.len() {
            return self.nodes.push(Node::Single(rows));
        }
        let middle = runs.start + runs.len() / 2;
        self.nodes.push(Node::Divided((end_of(middle) - rows.start) as f64 / rows.len() as f64));
        self.divide(starts, runs.start..middle);
        self.divide(starts, middle..runs.end);
    }

    /// Draws so many rows and adds their weights to the cells that they fall into; the cells of each model start where
    /// `starts` says.
    pub(crate) fn draw(&self, random: &mut Random, n_draws: u64, starts: &[usize], sums: &mut [f64]) {
        // The draws of the nodes that come next, the nearest last.
        let mut waiting = vec![n_draws];
        for node in &self.nodes {
            let n_draws = waiting.pop().unwrap_or(0);
            match node {
                Node::Divided(share) => {
                    let left = random.binomial(n_draws, *share);
                    waiting.extend([n_draws - left, left]);
                }
                Node::Alike(row) => self.add(*row, n_draws as f64, starts, sums),
                Node::Single(rows) => {
                    for _ in 0..n_draws {
                        let row = rows.start + random.below(rows.len() as u64) as usize;
                        self.add(row, 1.0, starts, sums);
                    }
                }
            }
        }
    }

    fn add(&self, row: usize, n_draws: f64, starts: &[usize], sums: &mut [f64]) {
        let weight = self.weight.as_ref().map_or(1.0, |weight| weight[row]);
        for (&cell, &start) in self.of_row(row).iter().zip(starts) {
            sums[start + usize::from(cell)] += weight * n_draws;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of two models, of which the first has few cells and the second some or many.
    fn rows(n_rows: usize, n_cells: [u64; 2], is_weighted: bool) -> (Vec<u16>, Option<Vec<f64>>) {
        let mut random = Random::new(11);
        let cells = (0..n_rows).flat_map(|_| n_cells.map(|n| random.below(n) as u16)).collect();
        let weight = is_weighted.then(|| (0..n_rows).map(|row| 1.0 + (row % 3) as f64).collect());
        (cells, weight)
    }

    /// The mean and the variance of every cell of both models over many draws, and the covariance of neighbours.
    fn moments(draws: &[Vec<f64>]) -> Vec<[f64; 3]> {
        let n = draws.len() as f64;
        let mean = |cell: usize| draws.iter().map(|sums| sums[cell]).sum::<f64>() / n;
        let covariance = |a: usize, b: usize| {
            let (mean_a, mean_b) = (mean(a), mean(b));
            draws.iter().map(|sums| (sums[a] - mean_a) * (sums[b] - mean_b)).sum::<f64>() / (n - 1.0)
        };
        let n_cells = draws[0].len();
        (0..n_cells)
            .map(|cell| [mean(cell), covariance(cell, cell), covariance(cell, (cell + 1) % n_cells)])
            .collect()
    }

    /// Draws by the tree and row by row have the same means, variances and covariances.
    fn check(n_rows: usize, n_cells: [u64; 2], is_weighted: bool) {
        const DRAWS: u64 = 4_000;
        let (cells, weight) = rows(n_rows, n_cells, is_weighted);
        let tree = DrawTree::new(&cells, 2, weight.as_deref());
        let (starts, n_sums) = ([0, n_cells[0] as usize], (n_cells[0] + n_cells[1]) as usize);
        let by_tree = |seed: u64| {
            let mut sums = vec![0.0; n_sums];
            tree.draw(&mut Random::derived(1, &[seed]), n_rows as u64, &starts, &mut sums);
            sums
        };
        let by_row = |seed: u64| {
            let (mut sums, mut random) = (vec![0.0; n_sums], Random::derived(2, &[seed]));
            for _ in 0..n_rows {
                let row = random.below(n_rows as u64) as usize;
                let weight = weight.as_ref().map_or(1.0, |weight| weight[row]);
                starts.iter().enumerate().for_each(|(model, start)| {
                    sums[start + usize::from(cells[2 * row + model])] += weight;
                });
            }
            sums
        };
        let trees: Vec<Vec<f64>> = (0..DRAWS).map(by_tree).collect();
        let total: f64 = (0..n_rows).map(|row| weight.as_ref().map_or(1.0, |weight| weight[row])).sum();
        if weight.is_none() {
            assert!(trees.iter().all(|sums| sums[..starts[1]].iter().sum::<f64>() == total));
        }
        let plain: Vec<Vec<f64>> = (0..DRAWS).map(by_row).collect();
        for (cell, (found, expected)) in moments(&trees).into_iter().zip(moments(&plain)).enumerate() {
            let (deviation, n) = (expected[1].sqrt(), DRAWS as f64);
            let what = format!("{n_rows} rows, {n_cells:?}, cell {cell}: {found:?} {expected:?}");
            assert!((found[0] - expected[0]).abs() <= 6.0 * deviation * (2.0 / n).sqrt(), "{what}");
            assert!((found[1] - expected[1]).abs() <= 6.0 * expected[1] * (4.0 / n).sqrt(), "{what}");
            assert!(
                (found[2] - expected[2]).abs() <= 6.0 * expected[1].max(1.0) * (4.0 / n).sqrt() * 4.0,
                "{what}"
            );
        }
    }

    #[test]
    fn the_tree_draws_like_row_by_row() {
        check(600, [5, 4], false);
        check(600, [5, 4], true);
        check(900, [3, 200], false);
        check(900, [40, 40], true);
    }

    #[test]
    fn rows_that_are_alike_are_not_drawn_one_by_one() {
        let (cells, _) = rows(50_000, [20, 10], false);
        let tree = DrawTree::new(&cells, 2, None);
        assert!(tree.nodes.len() < 400 && !tree.nodes.iter().any(|node| matches!(node, Node::Single(_))));
        let (cells, _) = rows(50_000, [200, 2000], false);
        let tree = DrawTree::new(&cells, 2, None);
        assert!(tree.nodes.len() < 100, "{}", tree.nodes.len());
    }
}
