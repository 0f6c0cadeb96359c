//! A dense matrix of numbers, column by column.

/// Numbers in columns, none of them missing.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    n_rows: usize,
    n_columns: usize,
    values: Vec<f64>,
}

impl Matrix {
    /// A matrix of columns that have `n_rows` each.
    pub(crate) fn from_columns(n_rows: usize, columns: Vec<Vec<f64>>) -> Matrix {
        let n_columns = columns.len();
        debug_assert!(columns.iter().all(|column| column.len() == n_rows));
        Matrix { n_rows, n_columns, values: columns.concat() }
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
