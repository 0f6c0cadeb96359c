//! A symmetric matrix, kept as its lower triangle.

use faer::linalg::matmul::triangular::{BlockStructure, matmul};
use faer::{Accum, MatMut, MatRef, Par};
use rayon::prelude::*;

use crate::cores::free_cores;
use crate::rectangle::Rectangle;

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

    /// Subtracts another of the same size.
    pub fn subtract(&mut self, other: &Symmetric) {
        self.values.iter_mut().zip(&other.values).for_each(|(sum, other)| *sum -= other);
    }

    /// Multiplies every element.
    pub fn scale(&mut self, factor: f64) {
        self.values.iter_mut().for_each(|value| *value *= factor);
    }

    /// Adds `left' right`, where both have `n_rows` rows, stand column by column, and make a symmetric product.
    ///
    /// # Panics
    /// There are not as many columns as this has.
    pub fn add_product(&mut self, left: &[f64], right: &[f64], n_rows: usize) {
        self.add_multiple(1.0, left, right, n_rows, Par::Seq);
    }

    /// Subtracts the inner products of columns.
    ///
    /// # Panics
    /// There are not as many columns as this has.
    pub fn subtract_inner(&mut self, columns: &Rectangle) {
        self.add_multiple(-1.0, columns.values(), columns.values(), columns.n_rows(), Par::Seq);
    }

    /// The inner products of columns, made on all cores that are free.
    pub fn inner_products(columns: &Rectangle) -> Self {
        Symmetric::inner_products_on(columns, free_cores())
    }

    /// The products of every two rows.
    ///
    /// ```
    /// use tribunal_algebra::{Rectangle, Symmetric};
    ///
    /// let products = Symmetric::outer_products(&Rectangle::of(2, 2, vec![1.0, 2.0, 3.0, 4.0]));
    /// assert_eq!((products.at(0, 0), products.at(1, 0), products.at(1, 1)), (10.0, 14.0, 20.0));
    /// ```
    pub fn outer_products(columns: &Rectangle) -> Self {
        let mut products = Symmetric::zeros(columns.n_rows());
        let (lower, any) = (BlockStructure::TriangularLower, BlockStructure::Rectangular);
        let (left, right) = (columns.as_ref(), columns.as_ref().transpose());
        matmul(products.as_mut(), lower, Accum::Replace, left, any, right, any, 1.0, Par::Seq);
        products
    }

    pub(crate) fn inner_products_on(columns: &Rectangle, par: Par) -> Self {
        let mut products = Symmetric::zeros(columns.n_columns());
        products.add_multiple(1.0, columns.values(), columns.values(), columns.n_rows(), par);
        products
    }

    fn add_multiple(&mut self, factor: f64, left: &[f64], right: &[f64], n_rows: usize, par: Par) {
        let (lower, any) = (BlockStructure::TriangularLower, BlockStructure::Rectangular);
        let left = MatRef::from_column_major_slice(left, n_rows, self.n).transpose();
        let right = MatRef::from_column_major_slice(right, n_rows, self.n);
        matmul(self.as_mut(), lower, Accum::Add, left, any, right, any, factor, par);
    }

    /// The product with columns.
    ///
    /// # Panics
    /// They are not as long as this has rows.
    pub fn times(&self, columns: &Rectangle) -> Rectangle {
        let mut product = Rectangle::zeros(self.n, columns.n_columns());
        let (lower, any) = (BlockStructure::TriangularLower, BlockStructure::Rectangular);
        let (this, right) = (self.as_ref(), columns.as_ref());
        matmul(product.as_mut(), any, Accum::Replace, this, lower, right, any, 1.0, Par::Seq);
        let upper = BlockStructure::StrictTriangularUpper;
        matmul(product.as_mut(), any, Accum::Add, this.transpose(), upper, right, any, 1.0, Par::Seq);
        product
    }

    /// Changes every column from the diagonal down, on all cores that are free.
    pub fn change_columns(&mut self, change: impl Fn(usize, &mut [f64]) + Sync) {
        let n = self.n.max(1);
        let of_column = |(column, values): (usize, &mut [f64])| change(column, &mut values[column..]);
        match free_cores() {
            Par::Seq => self.values.chunks_exact_mut(n).enumerate().for_each(of_column),
            Par::Rayon(_) => self.values.par_chunks_exact_mut(n).enumerate().for_each(of_column),
        }
    }

    /// Adds numbers to the diagonal.
    ///
    /// # Panics
    /// There are not as many as rows.
    pub fn add_diagonal(&mut self, numbers: &[f64]) {
        assert_eq!(numbers.len(), self.n, "one number a row");
        numbers.iter().enumerate().for_each(|(idx, number)| self.values[idx * self.n + idx] += number);
    }

    pub(crate) fn into_values(self) -> Vec<f64> {
        self.values
    }

    pub(crate) fn as_mut(&mut self) -> MatMut<'_, f64> {
        MatMut::from_column_major_slice_mut(&mut self.values, self.n, self.n)
    }

    pub(crate) fn as_ref(&self) -> MatRef<'_, f64> {
        MatRef::from_column_major_slice(&self.values, self.n, self.n)
    }
}
