//! The Cholesky factor of a symmetric positive definite matrix, and what it solves.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::{factor, inverse, solve};
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::{MatMut, Par};

use crate::cores::free_cores;
use crate::inverse::invert;
use crate::rectangle::Rectangle;
use crate::symmetric::Symmetric;

/// The Cholesky factor of a matrix.
#[derive(Clone, Debug)]
pub struct Cholesky {
    factor: Symmetric,
}

impl Cholesky {
    /// The factor; `None` unless the matrix is finite and positive definite.
    pub fn of(matrix: Symmetric) -> Option<Self> {
        Cholesky::with(matrix, Par::Seq)
    }

    /// The same factor of a large matrix, made on all cores that are free.
    pub fn of_large(matrix: Symmetric) -> Option<Self> {
        Cholesky::with(matrix, free_cores())
    }

    fn with(mut matrix: Symmetric, par: Par) -> Option<Self> {
        let n = matrix.n();
        let need = factor::cholesky_in_place_scratch::<f64>(n, par, Default::default());
        let mut memory = MemBuffer::new(need);
        let stack = MemStack::new(&mut memory);
        let (usual, params) = (Default::default(), Default::default());
        factor::cholesky_in_place(matrix.as_mut(), usual, par, stack, params).ok()?;
        let is_sound = (0..n).all(|idx| matrix.at(idx, idx).is_finite() && matrix.at(idx, idx) > 0.0);
        is_sound.then_some(Cholesky { factor: matrix })
    }

    /// How many rows and columns the matrix has.
    pub fn n(&self) -> usize {
        self.factor.n()
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

    /// Replaces right-hand sides by their solutions.
    ///
    /// # Panics
    /// They are not as long as the matrix.
    pub fn solve_all(&self, right: &mut Rectangle) {
        let need = solve::solve_in_place_scratch::<f64>(self.factor.n(), right.n_columns(), Par::Seq);
        let stack = &mut MemBuffer::new(need);
        solve::solve_in_place(self.factor.as_ref(), right.as_mut(), Par::Seq, MemStack::new(stack));
    }

    /// Replaces right-hand sides by what the factor alone makes of them: the inner products of two solutions are those of
    /// the inverse of the matrix.
    ///
    /// # Panics
    /// They are not as long as the matrix.
    pub fn solve_half(&self, right: &mut Rectangle) {
        solve_lower_triangular_in_place(self.factor.as_ref(), right.as_mut(), Par::Seq);
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

    /// Both triangles of the inverse of a large matrix, made on all cores that are free.
    ///
    /// ```
    /// use tribunal_algebra::{Cholesky, Symmetric};
    ///
    /// let mut matrix = Symmetric::zeros(2);
    /// matrix.add_diagonal(&[1.0, 0.5]);
    /// *matrix.at_mut(1, 0) = 0.5;
    /// let inverse = Cholesky::of(matrix).expect("positive definite").into_inverse();
    /// assert_eq!(inverse.values(), [2.0, -2.0, -2.0, 4.0]);
    /// ```
    pub fn into_inverse(mut self) -> Rectangle {
        let n = self.n();
        invert(self.factor.as_mut(), free_cores());
        Rectangle::of(n, n, self.factor.into_values())
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

    /// A positive definite matrix of any size, made of the inner products of random columns.
    fn sizeable(n: usize) -> Symmetric {
        let number = |idx: usize| ((idx * 7919 % 10_007) as f64 / 10_007.0) - 0.5;
        let columns = Rectangle::of(n + 3, n, (0..n * (n + 3)).map(number).collect());
        let mut matrix = Symmetric::inner_products_on(&columns, Par::rayon(0));
        matrix.add_diagonal(&vec![0.5; n]);
        matrix
    }

    #[test]
    fn halves_and_solutions_are_those_of_the_inverse() {
        let cholesky = Cholesky::of(sizeable(40)).expect("positive definite");
        let inverse = cholesky.inverse();
        let mut right = Rectangle::of(40, 2, (0..80).map(f64::from).collect());
        let (product, halves) = (inverse.times(&right), {
            let mut halves = right.clone();
            cholesky.solve_half(&mut halves);
            halves
        });
        let inner = halves.transposed_times(&halves);
        assert!((inner.column(1)[0] - crate::dot(right.column(0), product.column(1))).abs() < 1e-9);
        cholesky.solve_all(&mut right);
        for (product, solution) in product.values().iter().zip(right.values()) {
            assert!((product - solution).abs() < 1e-11, "{product} is not {solution}");
        }
    }

    #[test]
    fn all_cores_make_the_bytes_of_one() {
        for n in [5, 130, 300, 513, 700] {
            let on = |n_threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().expect("threads");
                let made = || Cholesky::with(sizeable(n), Par::rayon(0)).expect("positive definite").factor;
                pool.install(made)
            };
            let one = on(1);
            for n_threads in [2, 3, 8] {
                let other = on(n_threads);
                let is_same = |column: usize| one.below(column) == other.below(column);
                assert!((0..n).all(is_same), "{n} rows on {n_threads} threads");
            }
        }
    }
}
