//! How alike two rows are: the product of their columns, or a bell around each of them.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use tribunal_algebra::{add_scaled, exponentials, vectorised};

use crate::encoding::Matrix;

/// What lies further out is taken for this: squares of it stay numbers.
const FURTHEST: f64 = 1e140;

/// So many rows are worked on at a time: what is found for them stays in the fastest memory.
const ROWS_AT_ONCE: usize = 1024;

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

    /// The same rows, not copied.
    pub(super) fn borrowed(&self) -> Points<'_> {
        Points { matrix: Cow::Borrowed(&self.matrix), squares: self.squares.clone() }
    }

    /// Some of these rows, by their position.
    pub(super) fn take(&self, positions: &[u32]) -> Points<'static> {
        Points {
            matrix: Cow::Owned(self.matrix.take(positions)),
            squares: positions.iter().map(|&position| self.squares[position as usize]).collect(),
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
        let starts = (0..self.n_rows()).step_by(ROWS_AT_ONCE);
        sums.chunks_mut(ROWS_AT_ONCE).zip(starts).for_each(|(sums, start)| self.weigh(weights, start, sums));
        sums
    }

    /// Adds the columns, each times its weight, of the rows from `start` on.
    fn weigh(&self, weights: &[f64], start: usize, sums: &mut [f64]) {
        let column = |idx: usize| (weights[idx], &self.matrix.column(idx)[start..start + sums.len()]);
        let columns: Vec<(f64, &[f64])> =
            (0..weights.len()).filter(|&idx| weights[idx] != 0.0).map(column).collect();
        let (fours, rest) = columns.as_chunks::<4>();
        fours.iter().for_each(|four| add_four(sums, four));
        rest.iter().for_each(|(weight, column)| add_scaled(sums, *weight, column));
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

/// Adds four columns, each times its weight, one after the other: sums are read and written once, and rounded as if columns
/// had been added by themselves.
fn add_four(sums: &mut [f64], [a, b, c, d]: &[(f64, &[f64]); 4]) {
    let n = sums.len();
    let [(a, a_numbers), (b, b_numbers), (c, c_numbers), (d, d_numbers)] =
        [a, b, c, d].map(|(weight, numbers)| (*weight, &numbers[..n]));
    vectorised(
        #[inline(always)]
        || {
            for (idx, sum) in sums.iter_mut().enumerate() {
                let half = *sum + a * a_numbers[idx] + b * b_numbers[idx];
                *sum = half + c * c_numbers[idx] + d * d_numbers[idx];
            }
        },
    );
}

fn clamped(matrix: &Matrix) -> Matrix {
    let values = matrix.values().iter().map(|value| value.clamp(-FURTHEST, FURTHEST)).collect();
    Matrix::new(matrix.n_rows(), matrix.n_columns(), values)
}

impl Kernel {
    /// How alike a vector is to every row.
    pub(super) fn row(self, points: &Points<'_>, vector: &[f64]) -> Vec<f64> {
        let mut values = Vec::new();
        self.row_into(points, vector, &mut values);
        values
    }

    /// The same in memory that is at hand. A value depends on its two rows alone, not on where they stand.
    pub(super) fn row_into(self, points: &Points<'_>, vector: &[f64], values: &mut Vec<f64>) {
        values.clear();
        values.resize(points.n_rows(), 0.0);
        // In the order of the columns, as the squares of rows are: a row is at no distance from itself.
        let square = vector.iter().fold(0.0, |sum, value| sum + value * value);
        let squares = points.squares.chunks(ROWS_AT_ONCE);
        for (number, (values, squares)) in values.chunks_mut(ROWS_AT_ONCE).zip(squares).enumerate() {
            points.weigh(vector, number * ROWS_AT_ONCE, values);
            if let Kernel::Rbf { sigma } = self {
                bells(values, squares, square, sigma);
            }
        }
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

/// Turns inner products into `exp(-d^2 / sigma^2)`.
fn bells(products: &mut [f64], squares: &[f64], square: f64, sigma: f64) {
    vectorised(
        #[inline(always)]
        || {
            for (product, row_square) in products.iter_mut().zip(squares) {
                let distance = row_square + square - 2.0 * *product;
                *product = if distance > 0.0 { -distance / (sigma * sigma) } else { 0.0 };
            }
        },
    );
    exponentials(products);
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
