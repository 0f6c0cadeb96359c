//! The Cholesky factor of a symmetric positive definite matrix, and what it solves.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::{factor, inverse, solve};
use faer::{MatMut, Par};

use crate::symmetric::Symmetric;

/// The Cholesky factor of a matrix.
#[derive(Clone, Debug)]
pub struct Cholesky {
    factor: Symmetric,
}

impl Cholesky {
    /// The factor; `None` unless the matrix is finite and positive definite.
    pub fn of(mut matrix: Symmetric) -> Option<Self> {
        let n = matrix.n();
        let need = factor::cholesky_in_place_scratch::<f64>(n, Par::Seq, Default::default());
        let mut memory = MemBuffer::new(need);
        let stack = MemStack::new(&mut memory);
        let (usual, params) = (Default::default(), Default::default());
        factor::cholesky_in_place(matrix.as_mut(), usual, Par::Seq, stack, params).ok()?;
        let is_sound = (0..n).all(|idx| matrix.at(idx, idx).is_finite() && matrix.at(idx, idx) > 0.0);
        is_sound.then_some(Cholesky { factor: matrix })
    }

    /// Replaces a right-hand side by the solution.
    ///
    /// # Panics
    /// It is not as long as the matrix.
    pub fn solve(&self, right: &mut [f64]) {
        let n = self.factor.n();
        let right = MatMut::from_column_major_slice_mut(right, n, 1);
        let mut memory = MemBuffer::new(solve::solve_in_place_scratch::<f64>(n, 1, Par::Seq));
        solve::solve_in_place(self.factor.as_ref(), right, Par::Seq, MemStack::new(&mut memory));
    }

    /// The solution of a right-hand side.
    ///
    /// # Panics
    /// It is not as long as the matrix.
    pub fn solution(&self, right: &[f64]) -> Vec<f64> {
        let mut solution = right.to_vec();
        self.solve(&mut solution);
        solution
    }

    /// The logarithm of the determinant of the matrix.
    pub fn log_determinant(&self) -> f64 {
        2.0 * (0..self.factor.n()).map(|idx| self.factor.at(idx, idx).ln()).sum::<f64>()
    }

    /// The inverse of the matrix.
    pub fn inverse(&self) -> Symmetric {
        let n = self.factor.n();
        let mut found = Symmetric::zeros(n);
        let mut memory = MemBuffer::new(inverse::inverse_scratch::<f64>(n, Par::Seq));
        inverse::inverse(found.as_mut(), self.factor.as_ref(), Par::Seq, MemStack::new(&mut memory));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(diagonal: f64, element: impl Fn(usize, usize) -> f64) -> Symmetric {
        let mut matrix = Symmetric::zeros(3);
        for row in 0..3 {
            for column in 0..=row {
                *matrix.at_mut(row, column) = if row == column { diagonal } else { element(row, column) };
            }
        }
        matrix
    }

    #[test]
    fn a_factor_solves_and_inverts() {
        let matrix = matrix(4.0, |row, column| 1.0 + (row + column) as f64 / 4.0);
        let cholesky = Cholesky::of(matrix.clone()).expect("positive definite");
        let (solution, inverse) = (cholesky.solution(&[1.0, 2.0, 3.0]), cholesky.inverse());
        for row in 0..3 {
            let back: f64 = (0..3).map(|column| matrix.at(row, column) * solution[column]).sum();
            assert!((back - (row + 1) as f64).abs() < 1e-14);
            let same: f64 = (0..3).map(|column| inverse.at(row, column) * (column + 1) as f64).sum();
            assert!((same - solution[row]).abs() < 1e-14);
        }
    }

    #[test]
    fn the_determinant_is_that_of_the_matrix() {
        // 4^3 + 2 * 1.25 * 1.5 * 1.75 - 4 (1.25^2 + 1.5^2 + 1.75^2)
        let matrix = matrix(4.0, |row, column| 1.0 + (row + column) as f64 / 4.0);
        let cholesky = Cholesky::of(matrix).expect("positive definite");
        assert!((cholesky.log_determinant() - 43.0625_f64.ln()).abs() < 1e-14);
    }

    #[test]
    fn what_is_not_positive_definite_has_no_factor() {
        for diagonal in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(Cholesky::of(matrix(diagonal, |_, _| 0.5)).is_none(), "{diagonal}");
        }
    }
}
