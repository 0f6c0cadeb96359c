//! Neighbours of rows that are left out one by one, each on the scale of all others, from one set of numbers.
//!
//! Leaving a row out changes the deviation of every column a little and nothing else. The distances on the new scale are
//! those on the scale of all rows with each squared difference divided by the new variance, so that nothing has to be
//! encoded again.

use rayon::prelude::*;

use super::blocks::Blocks;
use super::electorate::Electorate;
use super::near::Ruler;
use super::points::Points;
use super::voters::Voters;
use crate::encoding::Matrix;

/// Where a single row makes more than this share of a variance, what it leaves is added up from the others.
const MOST_TAKEN: f64 = 0.999;

/// Rows on the scale of all of them.
pub(super) struct Stretched {
    matrix: Matrix,
    points: Points,
    blocks: Blocks,
    moments: Vec<Moments>,
}

/// The weight, the mean and the squared deviations of a column.
#[derive(Clone, Copy)]
struct Moments {
    total: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    fn of(column: &[f64], weight: impl Fn(usize) -> f64) -> Moments {
        let (mut total, mut sum) = (0.0, 0.0);
        for (row, value) in column.iter().enumerate() {
            total += weight(row);
            sum += weight(row) * value;
        }
        let mean = if total > 0.0 { sum / total } else { 0.0 };
        let squares =
            column.iter().enumerate().map(|(row, value)| weight(row) * (value - mean).powi(2)).sum();
        Moments { total, mean, squares }
    }

    /// What is left without a row; `None` where too few digits would be.
    fn without(&self, value: f64, weight: f64) -> Option<Moments> {
        let total = self.total - weight;
        let taken = weight * (value - self.mean).powi(2) * self.total / total;
        let is_safe = total > 0.0 && taken <= MOST_TAKEN * self.squares;
        let mean = (self.mean * self.total - weight * value) / total;
        is_safe.then_some(Moments { total, mean, squares: self.squares - taken })
    }

    /// What squared differences are multiplied by; nothing remains of a column that is the same in all rows.
    fn stretch(&self) -> f64 {
        let divisor = if self.total > 1.0 { self.total - 1.0 } else { self.total };
        let variance = self.squares / divisor;
        let is_constant = variance.sqrt() <= self.mean.abs() * f64::EPSILON * 8.0;
        if is_constant { 0.0 } else { 1.0 / variance }
    }
}

impl Stretched {
    /// Rows as an encoder of all of them gives them.
    pub(super) fn new(matrix: Matrix, voters: &Voters) -> Stretched {
        let of_column = |idx: usize| Moments::of(matrix.column(idx), |row| voters.weight(row as u32));
        let moments = (0..matrix.n_columns()).into_par_iter().map(of_column).collect();
        let points = Points::of(&matrix);
        Stretched { blocks: Blocks::of(&points), matrix, points, moments }
    }

    /// The shares of a row on the scale of all others.
    pub(super) fn elect(&self, row: usize, election: &Electorate<'_>) -> Vec<f64> {
        let mut distances = Vec::new();
        self.blocks.stretched_distances(
            self.points.row(row),
            &self.stretches(row, election.voters),
            &mut distances,
        );
        let all = distances.iter().copied().zip(0..);
        let found = all.filter(|(_, voter)| election.may_vote(row, *voter));
        let mut shares = vec![0.0; election.n_shares()];
        election.elect(row, found, &mut Ruler::default(), &mut shares);
        shares
    }

    /// What the squared differences of each column are multiplied by where a row is left out.
    fn stretches(&self, row: usize, voters: &Voters) -> Vec<f64> {
        let stretch = |(idx, moments): (usize, &Moments)| {
            let column = self.matrix.column(idx);
            let weight = |other: usize| if other == row { 0.0 } else { voters.weight(other as u32) };
            let left = moments.without(column[row], voters.weight(row as u32));
            left.unwrap_or_else(|| Moments::of(column, weight)).stretch()
        };
        self.moments.iter().enumerate().map(stretch).collect()
    }
}
