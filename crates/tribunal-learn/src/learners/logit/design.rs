//! The columns of a regression: an intercept, and those of a matrix that say something new.

use rayon::prelude::*;
use tribunal_algebra::{Symmetric, add_scaled, dot};

use crate::encoding::Matrix;

/// A column is dropped if what the intercept and earlier columns leave of its squared norm is less than this share.
const LEAST_NEW: f64 = 1e-8;

/// Rows whose sums are made by one thread, and in one piece whatever the number of threads.
pub(super) const CHUNK: usize = 16_384;

/// Rows that a product takes at a time: they stay close to the processor.
const BLOCK: usize = 256;

/// An intercept and some of the columns of a matrix.
#[derive(Clone, Debug)]
pub(super) struct Design<'a> {
    matrix: &'a Matrix,
    kept: Vec<usize>,
}

impl<'a> Design<'a> {
    /// The columns that are not, for rows of some weight, a combination of the intercept and earlier ones.
    pub(super) fn of(matrix: &'a Matrix, weights: &[f64]) -> Self {
        let all = Design { matrix, kept: (0..matrix.n_columns()).collect() };
        let kept = new_columns(&all.gram(weights));
        Design { matrix, kept }
    }

    /// The same rows without some columns of the matrix.
    pub(super) fn without(&self, is_left_out: impl Fn(usize) -> bool) -> Self {
        let kept = self.kept.iter().copied().filter(|&column| !is_left_out(column)).collect();
        Design { matrix: self.matrix, kept }
    }

    /// The columns of the matrix that are used.
    pub(super) fn kept(&self) -> &[usize] {
        &self.kept
    }

    /// How many coefficients there are: the intercept and one for each column.
    pub(super) fn width(&self) -> usize {
        self.kept.len() + 1
    }

    pub(super) fn n_rows(&self) -> usize {
        self.matrix.n_rows()
    }

    /// The linear predictor of some rows.
    pub(super) fn predict(&self, coefficients: &[f64], start: usize, predictors: &mut [f64]) {
        predictors.fill(coefficients[0]);
        for (&column, &slope) in self.kept.iter().zip(&coefficients[1..]) {
            let values = &self.matrix.column(column)[start..start + predictors.len()];
            add_scaled(predictors, slope, values);
        }
    }

    /// Adds what rows from `start` on contribute to a gradient, each by its residual.
    pub(super) fn add_gradient(&self, residuals: &[f64], start: usize, gradient: &mut [f64]) {
        gradient[0] += residuals.iter().sum::<f64>();
        for (&column, slope) in self.kept.iter().zip(&mut gradient[1..]) {
            *slope += dot(&self.matrix.column(column)[start..start + residuals.len()], residuals);
        }
    }

    /// The lower triangle of `X' W X`, for a weight of each row.
    pub(super) fn gram(&self, weights: &[f64]) -> Symmetric {
        let of_chunk = |(chunk, weights): (usize, &[f64])| self.gram_of(chunk * CHUNK, weights);
        let chunks: Vec<Symmetric> = weights.par_chunks(CHUNK).enumerate().map(of_chunk).collect();
        let mut gram = Symmetric::zeros(self.width());
        chunks.iter().for_each(|chunk| gram.add(chunk));
        gram
    }

    /// The same of rows from `start` on.
    pub(super) fn gram_of(&self, start: usize, weights: &[f64]) -> Symmetric {
        let width = self.width();
        let mut gram = Symmetric::zeros(width);
        let (mut plain, mut weighted) = (vec![1.0; width * BLOCK], vec![0.0; width * BLOCK]);
        for (block, weights) in weights.chunks(BLOCK).enumerate() {
            let (start, n_rows) = (start + block * BLOCK, weights.len());
            for (idx, &column) in self.kept.iter().enumerate() {
                let values = &self.matrix.column(column)[start..start + n_rows];
                plain[(idx + 1) * n_rows..][..n_rows].copy_from_slice(values);
            }
            plain[..n_rows].fill(1.0);
            for (weighted, plain) in
                weighted.chunks_exact_mut(n_rows).zip(plain.chunks_exact(n_rows)).take(width)
            {
                weighted
                    .iter_mut()
                    .zip(plain)
                    .zip(weights)
                    .for_each(|((to, from), weight)| *to = from * weight);
            }
            gram.add_product(&plain[..width * n_rows], &weighted[..width * n_rows], n_rows);
        }
        gram
    }

    /// A row: one for the intercept, then the columns.
    pub(super) fn row(&self, row: usize) -> Vec<f64> {
        std::iter::once(1.0).chain(self.kept.iter().map(|&column| self.matrix.column(column)[row])).collect()
    }

    /// Adds `weight` times the outer product of a row with itself to a lower triangle.
    pub(super) fn add_row(&self, gram: &mut Symmetric, row: usize, weight: f64) {
        let values = self.row(row);
        for column in 0..self.width() {
            add_scaled(gram.below_mut(column), weight * values[column], &values[column..]);
        }
    }
}

/// The columns that add something to earlier ones, by the Gram matrix of an intercept and all columns: its Cholesky factor,
/// row by row, without those that do not.
pub(super) fn new_columns(gram: &Symmetric) -> Vec<usize> {
    let mut kept: Vec<usize> = Vec::new();
    let mut factor: Vec<Vec<f64>> = Vec::new();
    for row in 0..gram.n() {
        let mut shares: Vec<f64> = Vec::with_capacity(kept.len() + 1);
        for (idx, &column) in kept.iter().enumerate() {
            let known = dot(&shares, &factor[idx][..idx]);
            shares.push((gram.at(row, column) - known) / factor[idx][idx]);
        }
        let norm = gram.at(row, row);
        let left = norm - dot(&shares, &shares);
        if left > LEAST_NEW * norm && left.is_finite() {
            shares.push(left.sqrt());
            kept.push(row);
            factor.push(shares);
        }
    }
    kept.into_iter().filter(|&column| column > 0).map(|column| column - 1).collect()
}
