//! How alike rows are: kernels of inner products or of squared distances.

use serde::{Deserialize, Serialize};
use tribunal_algebra::{Rectangle, Symmetric, exponentials};

use super::points::Points;
use crate::encoding::Matrix;

/// Rows that are compared with all training rows at a time.
const BLOCK: usize = 64;

/// A kernel with its settings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kernel {
    /// x.z
    Linear,
    /// (x.z + 1)^degree
    Poly { degree: i32 },
    /// exp(-|x - z|^2 / sigma^2)
    Rbf { sigma: f64 },
}

/// What kernels are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    InnerProducts,
    Distances,
}

impl Kernel {
    pub(super) fn base(self) -> Base {
        match self {
            Kernel::Linear | Kernel::Poly { .. } => Base::InnerProducts,
            Kernel::Rbf { .. } => Base::Distances,
        }
    }

    /// Whether it is a bell around each row.
    pub(super) fn is_bell(self) -> bool {
        matches!(self, Kernel::Rbf { .. })
    }

    /// Makes kernels of inner products or squared distances.
    pub(super) fn apply(self, values: &mut [f64]) {
        match self {
            Kernel::Linear => {}
            Kernel::Poly { degree: 2 } => raise(values, |value| value * value),
            Kernel::Poly { degree: 3 } => raise(values, |value| value * value * value),
            Kernel::Poly { degree } => raise(values, |value| value.powi(degree)),
            Kernel::Rbf { sigma } => {
                values.iter_mut().for_each(|value| *value = -*value / (sigma * sigma));
                exponentials(values);
            }
        }
    }

    /// The kernel of every two rows, from their base.
    pub(super) fn applied(self, mut base: Symmetric) -> Symmetric {
        base.change_columns(|_, below| self.apply(below));
        base
    }

    /// The kernel of points with the rows of a matrix, block by block: how many rows a block has, and a column for each.
    pub(super) fn blocks<'a>(
        self,
        points: &'a Points,
        matrix: &'a Matrix,
    ) -> impl Iterator<Item = (usize, Rectangle)> + 'a {
        let n_rows = matrix.n_rows();
        let blocks = (0..n_rows).step_by(BLOCK).map(move |start| start..(start + BLOCK).min(n_rows));
        blocks.map(move |rows| (rows.len(), self.between(points, &Points::of_rows(matrix, rows, BLOCK))))
    }

    /// The kernel of points with a row of a matrix.
    pub(super) fn with_row(self, points: &Points, matrix: &Matrix, row: usize) -> Vec<f64> {
        self.between(points, &Points::of_rows(matrix, row..row + 1, BLOCK)).column(0).to_vec()
    }

    /// The kernel of rows with others.
    fn between(self, rows: &Points, others: &Points) -> Rectangle {
        let mut found = self.base().between(rows, others);
        self.apply(found.values_mut());
        found
    }
}

impl Base {
    /// What kernels of every two rows are made of.
    pub(super) fn of(self, points: &Points) -> Symmetric {
        let mut found = Symmetric::inner_products(&points.values);
        if self == Base::Distances {
            let sizes = points.sizes();
            found.change_columns(|column, below| {
                let of_rows = below.iter_mut().zip(&sizes[column..]);
                of_rows.for_each(|(value, size)| *value = distance(*size, sizes[column], *value));
                below[0] = 0.0;
            });
        }
        found
    }

    /// The same of rows with others: a row of the result for each of the first.
    fn between(self, rows: &Points, others: &Points) -> Rectangle {
        let mut found = rows.values.transposed_times(&others.values);
        if self == Base::Distances {
            let sizes = rows.sizes();
            for (idx, size) in others.sizes().into_iter().enumerate() {
                let column = found.column_mut(idx).iter_mut().zip(&sizes);
                column.for_each(|(value, of_row)| *value = distance(*of_row, size, *value));
            }
        }
        found
    }
}

/// Powers of numbers and one.
fn raise(values: &mut [f64], power: impl Fn(f64) -> f64) {
    values.iter_mut().for_each(|value| *value = power(*value + 1.0));
}

/// The squared distance of rows by their squared lengths and their inner product.
fn distance(one: f64, other: f64, product: f64) -> f64 {
    (one + other - 2.0 * product).max(0.0)
}
