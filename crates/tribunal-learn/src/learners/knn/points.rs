//! Rows as points: their numbers side by side, row after row.

use serde::{Deserialize, Serialize};

use crate::encoding::Matrix;

/// Numbers beyond this are taken for it, so that squares of differences, and sums of 10^7 of them, stay finite.
const FARTHEST: f64 = 1e150;

/// The numbers of rows, row by row; none is missing or infinite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Points {
    pub(super) n_rows: usize,
    pub(super) n_columns: usize,
    values: Vec<f64>,
}

impl Points {
    pub(super) fn of(matrix: &Matrix) -> Points {
        let (n_rows, n_columns) = (matrix.n_rows(), matrix.n_columns());
        let mut values = vec![0.0; n_rows * n_columns];
        for idx in 0..n_columns {
            for (row, value) in matrix.column(idx).iter().enumerate() {
                values[row * n_columns + idx] = value.clamp(-FARTHEST, FARTHEST);
            }
        }
        Points { n_rows, n_columns, values }
    }

    pub(super) fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.n_columns..][..self.n_columns]
    }

    /// Whether there are as many numbers as there should be, each of them one that was stored by this type.
    pub(super) fn is_sound(&self) -> bool {
        self.n_rows.checked_mul(self.n_columns) == Some(self.values.len())
            && self.values.iter().all(|value| value.abs() <= FARTHEST)
    }
}

/// The squares of the differences, added in the order of the columns: whatever computes distances adds them like this.
pub(super) fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    let square = |(a, b): (&f64, &f64)| (a - b) * (a - b);
    a.iter().zip(b).map(square).fold(0.0, |sum, square| sum + square)
}
