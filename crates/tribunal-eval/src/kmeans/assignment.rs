//! Rows and their nearest centres, with bounds that spare most distances.
//!
//! Every row keeps an upper bound of the distance to its own centre and a lower bound of that to any other (Hamerly 2010, "Making
//! k-means even faster"). When centres move, so do the bounds; only rows whose bounds cross are compared with all centres. These are
//! gathered in blocks, column by column, so that their distances are computed side by side.

use rayon::prelude::*;

use super::Points;

/// Rows that are worked on in one piece, whatever the number of threads.
const PIECE: usize = 8192;
/// Rows whose distances are computed side by side.
const BLOCK: usize = 128;

/// Which centre is nearest to each row, and what is known of the distances.
#[derive(Clone, Debug)]
pub(super) struct Assignment {
    pub(super) labels: Vec<u32>,
    /// The distance of each row to its own centre is at most this, ...
    upper: Vec<f64>,
    /// ... and to any other at least this.
    lower: Vec<f64>,
}

/// Sums and counts of clusters.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ClusterSums {
    pub(super) sums: Vec<f64>,
    pub(super) counts: Vec<i64>,
}

impl ClusterSums {
    fn zeros(n_clusters: usize, n_columns: usize) -> Self {
        Self { sums: vec![0.0; n_clusters * n_columns], counts: vec![0; n_clusters] }
    }

    fn add(&mut self, cluster: u32, row: &[f64], sign: f64) {
        let (cluster, width) = (cluster as usize, row.len());
        self.counts[cluster] += sign as i64;
        let sums = &mut self.sums[cluster * width..(cluster + 1) * width];
        sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += sign * value);
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.sums.iter_mut().zip(&other.sums).for_each(|(sum, more)| *sum += more);
        self.counts.iter_mut().zip(&other.counts).for_each(|(count, more)| *count += more);
    }
}

/// How far centres moved, and how far they are from each other.
pub(super) struct Moves {
    /// The way of each centre.
    pub(super) drifts: Vec<f64>,
    /// Half of the distance of each centre to the nearest other.
    pub(super) half_gaps: Vec<f64>,
}

impl Moves {
    /// The longest way of any centre but this one.
    fn longest_other(&self) -> Vec<f64> {
        let mut order: Vec<usize> = (0..self.drifts.len()).collect();
        order.sort_by(|&a, &b| self.drifts[b].total_cmp(&self.drifts[a]));
        let (first, second) = (order[0], order.get(1).copied());
        let other = |cluster: usize| match cluster == first {
            true => second.map_or(0.0, |second| self.drifts[second]),
            false => self.drifts[first],
        };
        (0..self.drifts.len()).map(other).collect()
    }
}

/// What a piece of rows comes to.
struct PieceResult {
    change: ClusterSums,
    n_moved: u64,
}

impl Assignment {
    /// Every row with its nearest centre.
    pub(super) fn of(points: &Points<'_>, centres: &[f64]) -> (Self, ClusterSums) {
        let n = points.n_rows();
        let mut found = Self { labels: vec![0; n], upper: vec![f64::INFINITY; n], lower: vec![0.0; n] };
        let n_clusters = centres.len() / points.n_columns();
        let moves = Moves { drifts: vec![0.0; n_clusters], half_gaps: vec![0.0; n_clusters] };
        found.reassign(points, centres, &moves);
        let sums = found.sums(points, n_clusters);
        (found, sums)
    }

    /// Gives rows to centres that moved; what that changes of the sums, and how many rows changed their cluster.
    pub(super) fn reassign(
        &mut self,
        points: &Points<'_>,
        centres: &[f64],
        moves: &Moves,
    ) -> (ClusterSums, u64) {
        let width = points.n_columns();
        let longest_other = moves.longest_other();
        let pieces = self.labels.par_chunks_mut(PIECE).zip(self.upper.par_chunks_mut(PIECE));
        let pieces =
            pieces.zip(self.lower.par_chunks_mut(PIECE)).zip(points.values().par_chunks(PIECE * width));
        let results: Vec<PieceResult> = pieces
            .map(|(((labels, upper), lower), values)| {
                Piece { labels, upper, lower, values, width }.reassign(centres, moves, &longest_other)
            })
            .collect();
        let mut change = ClusterSums::zeros(moves.drifts.len(), width);
        results.iter().for_each(|result| change.merge(&result.change));
        (change, results.iter().map(|result| result.n_moved).sum())
    }

    /// The sums of the clusters, from the rows.
    pub(super) fn sums(&self, points: &Points<'_>, n_clusters: usize) -> ClusterSums {
        let width = points.n_columns();
        let pieces = self.labels.par_chunks(PIECE).zip(points.values().par_chunks(PIECE * width));
        let of_pieces: Vec<ClusterSums> = pieces
            .map(|(labels, values)| {
                let mut sums = ClusterSums::zeros(n_clusters, width);
                labels
                    .iter()
                    .zip(values.chunks_exact(width))
                    .for_each(|(label, row)| sums.add(*label, row, 1.0));
                sums
            })
            .collect();
        let mut sums = ClusterSums::zeros(n_clusters, width);
        of_pieces.iter().for_each(|piece| sums.merge(piece));
        sums
    }

    /// The squared distance of each row to its centre.
    pub(super) fn squared_distances(&self, points: &Points<'_>, centres: &[f64]) -> Vec<f64> {
        let width = points.n_columns();
        let rows = self.labels.par_iter().zip(points.values().par_chunks_exact(width));
        rows.map(|(&label, row)| {
            let label = label as usize;
            super::squared_distance(row, &centres[label * width..(label + 1) * width])
        })
        .collect()
    }

    /// Forgets what is known of distances, for centres that were put somewhere else.
    pub(super) fn forget_bounds(&mut self) {
        self.upper.fill(f64::INFINITY);
        self.lower.fill(0.0);
    }
}

/// A piece of the rows with what is known of them.
struct Piece<'a> {
    labels: &'a mut [u32],
    upper: &'a mut [f64],
    lower: &'a mut [f64],
    values: &'a [f64],
    width: usize,
}

impl Piece<'_> {
    fn reassign(mut self, centres: &[f64], moves: &Moves, longest_other: &[f64]) -> PieceResult {
        let n_clusters = moves.drifts.len();
        let mut result = PieceResult { change: ClusterSums::zeros(n_clusters, self.width), n_moved: 0 };
        let mut block = Block::new(self.width);
        for row in 0..self.labels.len() {
            let label = self.labels[row] as usize;
            self.upper[row] += moves.drifts[label];
            self.lower[row] -= longest_other[label];
            // Rounding errors of the bounds must not hide a row that lies between two centres.
            if self.upper[row] * (1.0 + 1e-12) < self.lower[row].max(moves.half_gaps[label]) {
                continue;
            }
            block.take(row, &self.values[row * self.width..(row + 1) * self.width]);
            if block.n == BLOCK {
                self.settle(&mut block, centres, &mut result);
            }
        }
        self.settle(&mut block, centres, &mut result);
        result
    }

    /// Compares the rows of a block with all centres.
    fn settle(&mut self, block: &mut Block, centres: &[f64], result: &mut PieceResult) {
        block.compare(centres, self.width);
        for place in 0..block.n {
            let row = block.rows[place];
            let (old, new) = (self.labels[row], block.nearest[place]);
            self.upper[row] = block.best[place].sqrt();
            self.lower[row] = block.second[place].sqrt();
            if old != new {
                let values = &self.values[row * self.width..(row + 1) * self.width];
                result.change.add(old, values, -1.0);
                result.change.add(new, values, 1.0);
                result.n_moved += 1;
                self.labels[row] = new;
            }
        }
        block.n = 0;
    }
}

/// Rows whose distances are computed side by side, column by column.
struct Block {
    n: usize,
    rows: [usize; BLOCK],
    columns: Vec<[f64; BLOCK]>,
    best: [f64; BLOCK],
    second: [f64; BLOCK],
    nearest: [u32; BLOCK],
}

impl Block {
    fn new(width: usize) -> Self {
        Self {
            n: 0,
            rows: [0; BLOCK],
            columns: vec![[0.0; BLOCK]; width],
            best: [0.0; BLOCK],
            second: [0.0; BLOCK],
            nearest: [0; BLOCK],
        }
    }

    fn take(&mut self, row: usize, values: &[f64]) {
        self.rows[self.n] = row;
        self.columns.iter_mut().zip(values).for_each(|(column, value)| column[self.n] = *value);
        self.n += 1;
    }

    fn compare(&mut self, centres: &[f64], width: usize) {
        self.best = [f64::INFINITY; BLOCK];
        self.second = [f64::INFINITY; BLOCK];
        for (cluster, centre) in (0..).zip(centres.chunks_exact(width)) {
            let mut distance = [0.0; BLOCK];
            for (column, at) in self.columns.iter().zip(centre) {
                for (distance, value) in distance.iter_mut().zip(column) {
                    *distance += (value - at) * (value - at);
                }
            }
            let known = self.best.iter_mut().zip(&mut self.second).zip(&mut self.nearest);
            for (((best, second), nearest), d) in known.zip(distance) {
                let is_nearest = d < *best;
                let runner_up = if is_nearest { *best } else { d };
                *second = if runner_up < *second { runner_up } else { *second };
                *nearest = if is_nearest { cluster } else { *nearest };
                *best = if is_nearest { d } else { *best };
            }
        }
    }
}
