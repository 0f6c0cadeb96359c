//! A dense matrix of numbers, column by column.

use crate::error::{Error, ErrorKind};

/// Numbers in columns; NaN only where missing values were to be kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    n_rows: usize,
    n_columns: usize,
    values: Vec<f64>,
}

impl Matrix {
    /// Numbers that were made elsewhere, column after column.
    ///
    /// ```
    /// use tribunal_learn::encoding::Matrix;
    ///
    /// let matrix = Matrix::from_values(2, 3, vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    /// assert_eq!(matrix.column(1), [3.0, 4.0]);
    /// assert!(Matrix::from_values(2, 3, vec![1.0]).is_err());
    /// # Ok::<(), tribunal_learn::Error>(())
    /// ```
    ///
    /// # Errors
    /// There are more or fewer numbers than that, or one is not finite.
    pub fn from_values(n_rows: usize, n_columns: usize, values: Vec<f64>) -> Result<Matrix, Error> {
        if Some(values.len()) != n_rows.checked_mul(n_columns) {
            let problem = format!("{} numbers are no {n_rows} rows of {n_columns} columns", values.len());
            return Err(Error::new(ErrorKind::Inconsistent, problem));
        }
        if let Some(place) = values.iter().position(|value| !value.is_finite()) {
            let (row, column, value) = (place % n_rows + 1, place / n_rows + 1, values[place]);
            let problem = format!("row {row} of column {column} is {value}");
            return Err(Error::new(ErrorKind::Missing, problem).advise("fill it in first"));
        }
        Ok(Matrix::new(n_rows, n_columns, values))
    }

    /// A matrix of columns one after another.
    pub(crate) fn new(n_rows: usize, n_columns: usize, values: Vec<f64>) -> Matrix {
        debug_assert_eq!(values.len(), n_rows * n_columns);
        Matrix { n_rows, n_columns, values }
    }

    /// A matrix of columns that have `n_rows` each.
    #[cfg(test)]
    pub(crate) fn from_columns(n_rows: usize, columns: Vec<Vec<f64>>) -> Matrix {
        let n_columns = columns.len();
        debug_assert!(columns.iter().all(|column| column.len() == n_rows));
        Matrix { n_rows, n_columns, values: columns.concat() }
    }

    /// No rows and no columns.
    pub(crate) fn empty() -> &'static Matrix {
        static EMPTY: Matrix = Matrix { n_rows: 0, n_columns: 0, values: Vec::new() };
        &EMPTY
    }

    /// Some of the rows, by their position.
    pub(crate) fn take(&self, positions: &[u32]) -> Matrix {
        let taken = |idx: usize| positions.iter().map(move |&position| self.column(idx)[position as usize]);
        let values = (0..self.n_columns).flat_map(taken).collect();
        Matrix { n_rows: positions.len(), n_columns: self.n_columns, values }
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
    pub fn column(&self, idx: usize) -> &[f64] {
        &self.values[idx * self.n_rows..(idx + 1) * self.n_rows]
    }

    /// All numbers, column after column.
    pub fn values(&self) -> &[f64] {
        &self.values
    }
}
