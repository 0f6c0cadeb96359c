//! Rows as points: their numbers side by side.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use tribunal_algebra::{Rectangle, add_scaled, dot};

use crate::encoding::Matrix;

/// Numbers beyond this are taken for it: the ninth power of an inner product stays finite.
pub(super) const FARTHEST: f64 = 1e12;

/// The numbers of rows; none is missing or infinite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub(super) struct Points {
    /// A column for each row.
    pub(super) values: Rectangle,
}

#[derive(Serialize, Deserialize)]
struct Stored {
    n_rows: usize,
    n_columns: usize,
    values: Vec<f64>,
}

impl From<Points> for Stored {
    fn from(points: Points) -> Self {
        let (n_rows, n_columns) = (points.n_rows(), points.n_columns());
        Stored { n_rows, n_columns, values: points.values.values().to_vec() }
    }
}

impl TryFrom<Stored> for Points {
    type Error = &'static str;

    fn try_from(Stored { n_rows, n_columns, values }: Stored) -> Result<Self, Self::Error> {
        let is_sound = n_rows.checked_mul(n_columns) == Some(values.len())
            && values.iter().all(|value| value.abs() <= FARTHEST);
        match is_sound {
            true => Ok(Points { values: Rectangle::of(n_columns, n_rows, values) }),
            false => Err("rows of other lengths or numbers than they should have"),
        }
    }
}

impl Points {
    pub(super) fn of(matrix: &Matrix) -> Points {
        Points::of_rows(matrix, 0..matrix.n_rows(), matrix.n_rows())
    }

    /// Some of the rows of a matrix, and zeros up to a number of rows: products with as many rows have the same bits, whatever
    /// the rows beside them.
    pub(super) fn of_rows(matrix: &Matrix, rows: Range<usize>, n_rows: usize) -> Points {
        let n_columns = matrix.n_columns();
        let mut values = Rectangle::zeros(n_columns, n_rows);
        for idx in 0..n_columns {
            let to = values.values_mut().iter_mut().skip(idx).step_by(n_columns);
            let from = &matrix.column(idx)[rows.clone()];
            to.zip(from).for_each(|(to, from)| *to = from.clamp(-FARTHEST, FARTHEST));
        }
        Points { values }
    }

    pub(super) fn n_rows(&self) -> usize {
        self.values.n_columns()
    }

    pub(super) fn n_columns(&self) -> usize {
        self.values.n_rows()
    }

    /// The sum of all rows, each by a factor.
    pub(super) fn sum(&self, factors: &[f64]) -> Vec<f64> {
        let mut sum = vec![0.0; self.n_columns()];
        factors
            .iter()
            .enumerate()
            .for_each(|(row, &factor)| add_scaled(&mut sum, factor, self.values.column(row)));
        sum
    }

    /// The squared length of each row.
    pub(super) fn sizes(&self) -> Vec<f64> {
        (0..self.n_rows()).map(|row| self.values.column(row)).map(|row| dot(row, row)).collect()
    }
}

/// How many columns are not zero in all rows: the others say nothing.
pub(super) fn n_telling(matrix: &Matrix) -> usize {
    let is_telling = |idx: &usize| matrix.column(*idx).iter().any(|&value| value != 0.0);
    (0..matrix.n_columns()).filter(is_telling).count()
}
