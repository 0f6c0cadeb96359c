//! A matrix of any shape, column after column, and products of such matrices.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};

/// Numbers in rows and columns.
///
/// ```
/// use tribunal_algebra::Rectangle;
///
/// let left = Rectangle::of(2, 1, vec![1.0, 2.0]);
/// let right = Rectangle::of(2, 2, vec![3.0, 4.0, 5.0, 6.0]);
/// assert_eq!(left.transposed_times(&right), Rectangle::of(1, 2, vec![11.0, 17.0]));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Rectangle {
    n_rows: usize,
    n_columns: usize,
    values: Vec<f64>,
}

impl Rectangle {
    /// Nothing but zeros.
    pub fn zeros(n_rows: usize, n_columns: usize) -> Self {
        Rectangle { n_rows, n_columns, values: vec![0.0; n_rows * n_columns] }
    }

    /// Numbers that stand column after column.
    ///
    /// # Panics
    /// There are not as many as rows times columns.
    pub fn of(n_rows: usize, n_columns: usize, values: Vec<f64>) -> Self {
        assert_eq!(values.len(), n_rows * n_columns, "{n_rows} rows of {n_columns} columns");
        Rectangle { n_rows, n_columns, values }
    }

    /// How many rows there are.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// How many columns there are.
    pub fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// A column.
    ///
    /// # Panics
    /// There is no such column.
    pub fn column(&self, idx: usize) -> &[f64] {
        &self.values[idx * self.n_rows..(idx + 1) * self.n_rows]
    }

    /// A column, to be written.
    ///
    /// # Panics
    /// There is no such column.
    pub fn column_mut(&mut self, idx: usize) -> &mut [f64] {
        &mut self.values[idx * self.n_rows..(idx + 1) * self.n_rows]
    }

    /// All numbers, column after column.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// All numbers, to be written.
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// Some of the columns, one after another.
    ///
    /// # Panics
    /// There is no such column.
    pub fn take(&self, columns: &[u32]) -> Rectangle {
        let mut values = Vec::with_capacity(self.n_rows * columns.len());
        columns.iter().for_each(|&idx| values.extend_from_slice(self.column(idx as usize)));
        Rectangle { n_rows: self.n_rows, n_columns: columns.len(), values }
    }

    /// Some of the rows.
    ///
    /// # Panics
    /// There is no such row.
    pub fn rows(&self, rows: &[u32]) -> Rectangle {
        let mut values = Vec::with_capacity(rows.len() * self.n_columns);
        for idx in 0..self.n_columns {
            let column = self.column(idx);
            values.extend(rows.iter().map(|&row| column[row as usize]));
        }
        Rectangle { n_rows: rows.len(), n_columns: self.n_columns, values }
    }

    /// The product `self' right`.
    ///
    /// # Panics
    /// Their numbers of rows differ.
    pub fn transposed_times(&self, right: &Rectangle) -> Rectangle {
        let mut product = Rectangle::zeros(self.n_columns, right.n_columns);
        matmul(product.as_mut(), Accum::Replace, self.as_ref().transpose(), right.as_ref(), 1.0, Par::Seq);
        product
    }

    /// The product `self right`.
    ///
    /// # Panics
    /// There are not as many columns as the other has rows.
    pub fn times(&self, right: &Rectangle) -> Rectangle {
        let mut product = Rectangle::zeros(self.n_rows, right.n_columns);
        matmul(product.as_mut(), Accum::Replace, self.as_ref(), right.as_ref(), 1.0, Par::Seq);
        product
    }

    /// Rows as columns.
    pub fn transposed(&self) -> Rectangle {
        let mut transposed = Rectangle::zeros(self.n_columns, self.n_rows);
        transposed.as_mut().copy_from(self.as_ref().transpose());
        transposed
    }

    pub(crate) fn as_ref(&self) -> MatRef<'_, f64> {
        MatRef::from_column_major_slice(&self.values, self.n_rows, self.n_columns)
    }

    pub(crate) fn as_mut(&mut self) -> MatMut<'_, f64> {
        MatMut::from_column_major_slice_mut(&mut self.values, self.n_rows, self.n_columns)
    }
}
