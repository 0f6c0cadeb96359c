//! The inverse of a small matrix: confusion matrices have as many rows as there are classes.

/// A square matrix, row by row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Square {
    n: usize,
    values: Vec<f64>,
}

impl Square {
    pub(crate) fn zeros(n: usize) -> Self {
        Self { n, values: vec![0.0; n * n] }
    }

    fn identity(n: usize) -> Self {
        let mut identity = Self::zeros(n);
        (0..n).for_each(|idx| *identity.at_mut(idx, idx) = 1.0);
        identity
    }

    pub(crate) fn at(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.n + column]
    }

    pub(crate) fn at_mut(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.values[row * self.n + column]
    }

    /// The product with a vector.
    pub(crate) fn times(&self, vector: &[f64]) -> Vec<f64> {
        let product = |row: &[f64]| row.iter().zip(vector).map(|(a, b)| a * b).sum();
        self.values.chunks_exact(self.n).map(product).collect()
    }

    /// The largest sum of sizes in a column.
    pub(crate) fn norm(&self) -> f64 {
        let column = |column: usize| (0..self.n).map(|row| self.at(row, column).abs()).sum::<f64>();
        (0..self.n).map(column).fold(0.0, f64::max)
    }

    /// The inverse by Gauss and Jordan with the largest pivot of each column; nothing where a pivot vanishes.
    pub(crate) fn inverse(&self) -> Option<Self> {
        let (n, mut left, mut right) = (self.n, self.clone(), Self::identity(self.n));
        for column in 0..n {
            let size = |row: &usize| left.at(*row, column).abs();
            let pivot = (column..n).max_by(|a, b| size(a).total_cmp(&size(b)))?;
            left.swap_rows(column, pivot);
            right.swap_rows(column, pivot);
            let divisor = left.at(column, column);
            if divisor == 0.0 || !divisor.is_finite() {
                return None;
            }
            left.scale_row(column, 1.0 / divisor);
            right.scale_row(column, 1.0 / divisor);
            for row in (0..n).filter(|&row| row != column) {
                let factor = left.at(row, column);
                left.subtract_row(row, factor, column);
                right.subtract_row(row, factor, column);
            }
        }
        right.values.iter().all(|value| value.is_finite()).then_some(right)
    }

    fn swap_rows(&mut self, a: usize, b: usize) {
        (0..self.n).for_each(|column| self.values.swap(a * self.n + column, b * self.n + column));
    }

    fn scale_row(&mut self, row: usize, factor: f64) {
        (0..self.n).for_each(|column| *self.at_mut(row, column) *= factor);
    }

    fn subtract_row(&mut self, from: usize, factor: f64, row: usize) {
        for column in 0..self.n {
            *self.at_mut(from, column) -= factor * self.at(row, column);
        }
    }
}

#[cfg(test)]
mod tests {
    use tribunal_random::Random;

    use super::*;

    #[test]
    fn an_inverse_undoes_its_matrix() {
        let mut random = Random::new(7);
        for n in [1, 2, 5, 30] {
            let mut matrix = Square::zeros(n);
            matrix.values.iter_mut().for_each(|value| *value = random.normal());
            let vector: Vec<f64> = (0..n).map(|_| random.normal()).collect();
            let back = matrix.inverse().expect("regular").times(&matrix.times(&vector));
            back.iter().zip(&vector).for_each(|(a, b)| assert!((a - b).abs() < 1e-9, "{n}: {a} {b}"));
        }
    }

    #[test]
    fn pivots_may_be_anywhere_and_singular_matrices_have_no_inverse() {
        let swap = Square { n: 2, values: vec![0.0, 1.0, 1.0, 0.0] };
        assert_eq!(swap.inverse(), Some(swap.clone()));
        assert_eq!(Square { n: 2, values: vec![1.0, 2.0, 2.0, 4.0] }.inverse(), None);
        assert_eq!(Square { n: 2, values: vec![0.25, -2.0, 0.5, 1.0] }.norm(), 3.0);
    }
}
