//! The inverse of a Cholesky factor, from which blocks of the inverse of the matrix follow without the whole of it.

use faer::MatRef;
use faer::Par;
use faer::linalg::triangular_inverse::invert_lower_triangular;

use crate::symmetric::Symmetric;

/// The inverse `W` of a factor: the inverse of the matrix is `W' W`.
#[derive(Clone, Debug)]
pub struct InverseRoot {
    /// Only the lower triangle is kept true.
    values: Symmetric,
}

impl InverseRoot {
    pub(crate) fn of(factor: MatRef<'_, f64>) -> Self {
        let mut values = Symmetric::zeros(factor.nrows());
        invert_lower_triangular(values.as_mut(), factor, Par::Seq);
        InverseRoot { values }
    }

    /// An element of the diagonal of the inverse.
    ///
    /// # Panics
    /// There is no such row.
    pub fn diagonal(&self, row: usize) -> f64 {
        let column = self.values.below(row);
        crate::dot(column, column)
    }

    /// The rows and columns of the inverse that are asked for.
    ///
    /// # Panics
    /// There is no such row.
    pub fn block(&self, rows: &[u32]) -> Symmetric {
        let n = self.values.n();
        let first = rows.iter().min().map_or(n, |&first| first as usize);
        let mut columns = vec![0.0; (n - first) * rows.len()];
        for (to, &row) in columns.chunks_exact_mut((n - first).max(1)).zip(rows) {
            to[row as usize - first..].copy_from_slice(self.values.below(row as usize));
        }
        let mut block = Symmetric::zeros(rows.len());
        block.add_product(&columns, &columns, n - first);
        block
    }
}
