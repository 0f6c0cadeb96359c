//! How alike two rows are: the product of their columns, or a bell around each of them.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use tribunal_algebra::add_scaled;

use crate::encoding::Matrix;

/// What lies further out is taken for this: squares of it stay numbers.
const FURTHEST: f64 = 1e140;

/// A kernel with all that it needs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kernel {
    /// `x . z`
    Linear,
    /// `exp(-|x - z|^2 / sigma^2)`
    Rbf { sigma: f64 },
}

/// Rows on a common scale.
#[derive(Clone, Debug)]
pub(super) struct Points<'a> {
    matrix: Cow<'a, Matrix>,
    /// `x . x`
    squares: Vec<f64>,
}

impl<'a> Points<'a> {
    pub(super) fn of(matrix: &'a Matrix) -> Self {
        Points::from(Cow::Borrowed(matrix))
    }

    /// Some of the rows of a matrix, by their position.
    pub(super) fn some(matrix: &'a Matrix, positions: &[u32]) -> Self {
        match positions.len() == matrix.n_rows() {
            true => Points::of(matrix),
            false => Points::from(Cow::Owned(matrix.take(positions))),
        }
    }

    fn from(matrix: Cow<'a, Matrix>) -> Self {
        let matrix = if matrix.values().iter().all(|value| value.abs() <= FURTHEST) {
            matrix
        } else {
            Cow::Owned(clamped(&matrix))
        };
        let mut squares = vec![0.0; matrix.n_rows()];
        for column in 0..matrix.n_columns() {
            squares.iter_mut().zip(matrix.column(column)).for_each(|(sum, value)| *sum += value * value);
        }
        Points { matrix, squares }
    }

    pub(super) fn n_rows(&self) -> usize {
        self.squares.len()
    }

    pub(super) fn row(&self, row: usize) -> Vec<f64> {
        (0..self.matrix.n_columns()).map(|column| self.matrix.column(column)[row]).collect()
    }

    /// The sum of the columns, each times its weight, for every row.
    pub(super) fn weighed(&self, weights: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.n_rows()];
        for (column, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
            add_scaled(&mut sums, weight, self.matrix.column(column));
        }
        sums
    }

    /// The sum of the rows, each times its coefficient, for every column.
    pub(super) fn combined(&self, coefficients: &[f64]) -> Vec<f64> {
        let product = |column: usize| tribunal_algebra::dot(self.matrix.column(column), coefficients);
        (0..self.matrix.n_columns()).map(product).collect()
    }

    /// How many columns are not the same in all rows.
    pub(super) fn n_varying(&self) -> usize {
        let varies = |column: &usize| self.matrix.column(*column).windows(2).any(|pair| pair[0] != pair[1]);
        (0..self.matrix.n_columns()).filter(varies).count()
    }
}

fn clamped(matrix: &Matrix) -> Matrix {
    let values = matrix.values().iter().map(|value| value.clamp(-FURTHEST, FURTHEST)).collect();
    Matrix::new(matrix.n_rows(), matrix.n_columns(), values)
}

impl Kernel {
    /// How alike a vector is to every row.
    pub(super) fn row(self, points: &Points<'_>, vector: &[f64]) -> Vec<f64> {
        let mut products = points.weighed(vector);
        if let Kernel::Rbf { sigma } = self {
            // In the order of the columns, as the squares of rows are: a row is at no distance from itself.
            let square = vector.iter().fold(0.0, |sum, value| sum + value * value);
            for (product, row_square) in products.iter_mut().zip(&points.squares) {
                let distance = (row_square + square - 2.0 * *product).max(0.0);
                *product = (-distance / (sigma * sigma)).exp();
            }
        }
        products
    }

    /// How alike every row is to itself.
    pub(super) fn diagonal(self, points: &Points<'_>) -> Vec<f64> {
        match self {
            Kernel::Linear => points.squares.clone(),
            Kernel::Rbf { .. } => vec![1.0; points.n_rows()],
        }
    }

    pub(super) fn is_sound(self) -> bool {
        match self {
            Kernel::Linear => true,
            Kernel::Rbf { sigma } => sigma.is_finite() && sigma > 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points() -> Matrix {
        Matrix::from_columns(3, vec![vec![1.0, -0.3, 1e300], vec![0.1, 2.0, -1e300]])
    }

    #[test]
    fn kernels_are_those_of_their_formulas() {
        let matrix = points();
        let points = Points::of(&matrix);
        let first = points.row(0);
        assert!((Kernel::Linear.row(&points, &first)[1] - (-0.3 + 0.2)).abs() < 1e-15);
        let found = Kernel::Rbf { sigma: 2.0 }.row(&points, &first);
        assert!((found[1] - (-(1.3_f64.powi(2) + 1.9_f64.powi(2)) / 4.0).exp()).abs() < 1e-15);
        assert_eq!((found[0], found[2]), (1.0, 0.0));
    }

    #[test]
    fn what_is_far_out_stays_a_number() {
        let matrix = points();
        let points = Points::of(&matrix);
        let far = points.row(2);
        assert_eq!(far, [1e140, -1e140]);
        assert!(Kernel::Linear.row(&points, &far).iter().all(|value| value.is_finite()));
        assert_eq!(Kernel::Rbf { sigma: 1e-100 }.row(&points, &far), [0.0, 0.0, 1.0]);
    }
}
