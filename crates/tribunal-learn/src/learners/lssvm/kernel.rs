//! How alike rows are: kernels of inner products or of squared distances.

use serde::{Deserialize, Serialize};
use tribunal_algebra::{Rectangle, Symmetric};

use super::points::Points;

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

    /// The kernel of an inner product or a squared distance.
    fn value(self, base: f64) -> f64 {
        match self {
            Kernel::Linear => base,
            Kernel::Poly { degree } => (base + 1.0).powi(degree),
            Kernel::Rbf { sigma } => (-base / (sigma * sigma)).exp(),
        }
    }

    /// The kernel of every two rows, from their base.
    pub(super) fn applied(self, mut base: Symmetric) -> Symmetric {
        match self {
            Kernel::Linear => {}
            kernel => base.change(|_, _, value| kernel.value(value)),
        }
        base
    }

    /// The kernel of rows with others.
    pub(super) fn between(self, rows: &Points, others: &Points) -> Rectangle {
        let mut found = self.base().between(rows, others);
        found.values_mut().iter_mut().for_each(|value| *value = self.value(*value));
        found
    }
}

impl Base {
    /// What kernels of every two rows are made of.
    pub(super) fn of(self, points: &Points) -> Symmetric {
        let mut found = Symmetric::inner_products(&points.values);
        if self == Base::Distances {
            let sizes = points.sizes();
            found.change(|row, column, product| match row == column {
                true => 0.0,
                false => distance(sizes[row], sizes[column], product),
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

/// The squared distance of rows by their squared lengths and their inner product.
fn distance(one: f64, other: f64, product: f64) -> f64 {
    (one + other - 2.0 * product).max(0.0)
}
