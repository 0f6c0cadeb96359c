//! A linear machine by its weights: as many equations as columns, however many rows there are.
//!
//! Columns and targets are taken less their weighted means, which makes the bias drop out. Sums over blocks of rows are made
//! on all cores and added in their order.

use rayon::prelude::*;
use tribunal_algebra::{Cholesky, Symmetric, add_scaled, dot};

use super::points::FARTHEST;
use super::system::{targets, with_lowered};
use crate::encoding::Matrix;
use crate::error::Error;
use crate::training::Training;

/// Rows whose sums are made in one piece.
const CHUNK: usize = 4096;

/// Weights of columns and a bias, for each output.
#[derive(Clone, Debug)]
pub(super) struct Primal {
    pub(super) weights: Vec<Vec<f64>>,
    pub(super) biases: Vec<f64>,
}

/// Sums over training rows that serve every gamma.
#[derive(Clone, Debug)]
pub(super) struct Sums {
    column_means: Vec<f64>,
    target_means: Vec<f64>,
    products: Products,
}

/// Products of columns with each other and, for each output, with its targets.
#[derive(Clone, Debug)]
struct Products {
    gram: Symmetric,
    with_targets: Vec<Vec<f64>>,
}

impl Sums {
    pub(super) fn of(training: &Training<'_>) -> Sums {
        let matrix = training.matrix();
        let weights: Vec<f64> = (0..training.n_rows()).map(|row| training.weight(row)).collect();
        let total: f64 = weights.iter().sum();
        let mean = |values: &[f64]| dot(values, &weights) / total;
        let targets = targets(&training.classes, training.n_classes);
        let outputs: Vec<&[f64]> = (0..targets.n_columns()).map(|idx| targets.column(idx)).collect();
        let target_means: Vec<f64> = outputs.iter().map(|targets| mean(targets)).collect();
        let column_means: Vec<f64> = (0..matrix.n_columns()).map(|idx| mean(&clamped(matrix, idx))).collect();
        let rows = Rows { matrix, outputs, weights: &weights };
        let products = rows.products(&column_means, &target_means);
        Sums { column_means, target_means, products }
    }

    /// The machine of a gamma, and the gamma that it is of.
    ///
    /// # Errors
    /// The equations cannot be solved.
    pub(super) fn solved(&self, gamma: f64) -> Result<(Primal, f64), Error> {
        with_lowered(gamma, |gamma| {
            let mut gram = self.products.gram.clone();
            gram.add_diagonal(&vec![1.0 / gamma; gram.n()]);
            let factor = Cholesky::of(gram)?;
            let solution = |products: &Vec<f64>| factor.solution(products);
            let weights: Vec<Vec<f64>> = self.products.with_targets.iter().map(solution).collect();
            let bias = |(mean, weights): (&f64, &Vec<f64>)| mean - dot(weights, &self.column_means);
            let biases = self.target_means.iter().zip(&weights).map(bias).collect();
            Some(Primal { weights, biases })
        })
    }
}

/// Training rows with what is to be said of them.
struct Rows<'a> {
    matrix: &'a Matrix,
    outputs: Vec<&'a [f64]>,
    weights: &'a [f64],
}

impl Rows<'_> {
    fn products(&self, column_means: &[f64], target_means: &[f64]) -> Products {
        let starts: Vec<usize> = (0..self.matrix.n_rows()).step_by(CHUNK).collect();
        let chunk = |&start: &usize| self.products_from(start, column_means, target_means);
        let chunks: Vec<Products> = starts.par_iter().map(chunk).collect();
        let n_columns = column_means.len();
        let mut sum = Products {
            gram: Symmetric::zeros(n_columns),
            with_targets: vec![vec![0.0; n_columns]; target_means.len()],
        };
        for Products { gram, with_targets } in &chunks {
            sum.gram.add(gram);
            sum.with_targets.iter_mut().zip(with_targets).for_each(|(to, from)| add_scaled(to, 1.0, from));
        }
        sum
    }

    /// The products of a block of rows.
    fn products_from(&self, start: usize, column_means: &[f64], target_means: &[f64]) -> Products {
        let rows = start..(start + CHUNK).min(self.matrix.n_rows());
        let weights = &self.weights[rows.clone()];
        let less = |values: &[f64], mean: f64| {
            values.iter().map(|value| value.clamp(-FARTHEST, FARTHEST) - mean).collect::<Vec<f64>>()
        };
        let column = |(idx, mean): (usize, &f64)| less(&self.matrix.column(idx)[rows.clone()], *mean);
        let columns: Vec<f64> = column_means.iter().enumerate().flat_map(column).collect();
        let weighted: Vec<f64> = columns.iter().zip(weights.iter().cycle()).map(|(x, w)| x * w).collect();
        let mut gram = Symmetric::zeros(column_means.len());
        gram.add_product(&columns, &weighted, rows.len());
        let of_target = |(targets, mean): (&&[f64], &f64)| {
            let targets = less(&targets[rows.clone()], *mean);
            weighted.chunks_exact(rows.len()).map(|column| dot(column, &targets)).collect::<Vec<f64>>()
        };
        let with_targets = self.outputs.iter().zip(target_means).map(of_target).collect();
        Products { gram, with_targets }
    }
}

/// A column without what lies too far out.
pub(super) fn clamped(matrix: &Matrix, idx: usize) -> Vec<f64> {
    matrix.column(idx).iter().map(|value| value.clamp(-FARTHEST, FARTHEST)).collect()
}
