//! The eigenvalues and eigenvectors of a symmetric matrix.

use faer::diag::DiagMut;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{ComputeEigenvectors, self_adjoint_evd, self_adjoint_evd_scratch};
use faer::{MatMut, Par, Spec};

use crate::symmetric::Symmetric;

/// A symmetric matrix as `V diag(values) V'`.
#[derive(Clone, Debug, PartialEq)]
pub struct Eigen {
    /// In rising order.
    pub values: Vec<f64>,
    /// Of length one each, in the order of the values, one after the other.
    pub vectors: Vec<f64>,
}

impl Eigen {
    /// The eigenvalues and eigenvectors; `None` unless the matrix is finite.
    pub fn of(matrix: &Symmetric) -> Option<Self> {
        let n = matrix.n();
        if !(0..n).all(|column| matrix.below(column).iter().all(|value| value.is_finite())) {
            return None;
        }
        let (mut values, mut vectors) = (vec![0.0; n], vec![0.0; n * n]);
        if n == 0 {
            return Some(Eigen { values, vectors });
        }
        let with_vectors = ComputeEigenvectors::Yes;
        let need = self_adjoint_evd_scratch::<f64>(n, with_vectors, Par::Seq, Spec::default());
        self_adjoint_evd(
            matrix.as_ref(),
            DiagMut::from_slice_mut(&mut values),
            Some(MatMut::from_column_major_slice_mut(&mut vectors, n, n)),
            Par::Seq,
            MemStack::new(&mut MemBuffer::new(need)),
            Spec::default(),
        )
        .ok()?;
        Some(Eigen { values, vectors })
    }

    /// The vector of an eigenvalue.
    ///
    /// # Panics
    /// There is no such eigenvalue.
    pub fn vector(&self, idx: usize) -> &[f64] {
        let n = self.values.len();
        &self.vectors[idx * n..(idx + 1) * n]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(n: usize, numbers: &[f64]) -> Result<(), TestCaseError> {
        let mut matrix = Symmetric::zeros(n);
        let places = (0..n).flat_map(|column| (column..n).map(move |row| (row, column)));
        places.zip(numbers).for_each(|((row, column), &number)| *matrix.at_mut(row, column) = number);
        let eigen = Eigen::of(&matrix).expect("finite");
        prop_assert!(eigen.values.is_sorted());
        for row in 0..n {
            for column in 0..n {
                let part =
                    |idx: usize| eigen.values[idx] * eigen.vector(idx)[row] * eigen.vector(idx)[column];
                let whole: f64 = (0..n).map(part).sum();
                prop_assert!((whole - matrix.at(row, column)).abs() < 1e-13, "{row} {column}: {whole}");
            }
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn values_and_vectors_make_the_matrix(
            n in 1_usize..8,
            numbers in prop::collection::vec(-1.0_f64..1.0, 28),
        ) {
            check(n, &numbers)?;
            // Equal values, and none but zero.
            check(n, &[0.0; 28])?;
        }
    }

    #[test]
    fn what_is_not_finite_has_none() {
        let mut matrix = Symmetric::zeros(2);
        *matrix.at_mut(1, 0) = f64::NAN;
        assert_eq!(Eigen::of(&matrix), None);
        assert_eq!(Eigen::of(&Symmetric::zeros(0)).map(|eigen| eigen.values.len()), Some(0));
    }
}
