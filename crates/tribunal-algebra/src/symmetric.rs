//! A symmetric matrix, kept as its lower triangle.

use faer::linalg::matmul::triangular::{BlockStructure, matmul};
use faer::{Accum, MatMut, MatRef, Par};

/// A symmetric matrix. Only its lower triangle is kept true; the place of the upper one is there, and not meant.
#[derive(Clone, Debug, PartialEq)]
pub struct Symmetric {
    n: usize,
    values: Vec<f64>,
}

impl Symmetric {
    /// Nothing but zeros.
    pub fn zeros(n: usize) -> Self {
        Symmetric { n, values: vec![0.0; n * n] }
    }

    /// How many rows and columns there are.
    pub fn n(&self) -> usize {
        self.n
    }

    /// An element, by its row and column in any order.
    ///
    /// # Panics
    /// There is no such row or column.
    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.values[row.min(column) * self.n + row.max(column)]
    }

    /// The place of an element, by its row and column in any order.
    ///
    /// # Panics
    /// There is no such row or column.
    pub fn at_mut(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.values[row.min(column) * self.n + row.max(column)]
    }

    /// A column from the diagonal down.
    ///
    /// # Panics
    /// There is no such column.
    pub fn below(&self, column: usize) -> &[f64] {
        &self.values[column * self.n + column..(column + 1) * self.n]
    }

    /// The place of a column from the diagonal down.
    ///
    /// # Panics
    /// There is no such column.
    pub fn below_mut(&mut self, column: usize) -> &mut [f64] {
        &mut self.values[column * self.n + column..(column + 1) * self.n]
    }

    /// Adds another of the same size.
    pub fn add(&mut self, other: &Symmetric) {
        self.values.iter_mut().zip(&other.values).for_each(|(sum, other)| *sum += other);
    }

    /// Adds `left' right`, where both have `n_rows` rows, stand column by column, and make a symmetric product.
    ///
    /// # Panics
    /// There are not as many columns as this has.
    pub fn add_product(&mut self, left: &[f64], right: &[f64], n_rows: usize) {
        let (lower, any) = (BlockStructure::TriangularLower, BlockStructure::Rectangular);
        let left = MatRef::from_column_major_slice(left, n_rows, self.n).transpose();
        let right = MatRef::from_column_major_slice(right, n_rows, self.n);
        matmul(self.as_mut(), lower, Accum::Add, left, any, right, any, 1.0, Par::Seq);
    }

    pub(crate) fn as_mut(&mut self) -> MatMut<'_, f64> {
        MatMut::from_column_major_slice_mut(&mut self.values, self.n, self.n)
    }

    pub(crate) fn as_ref(&self) -> MatRef<'_, f64> {
        MatRef::from_column_major_slice(&self.values, self.n, self.n)
    }
}
