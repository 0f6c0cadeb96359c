//! The evidence framework: how strongly each group of weights should decay, judged by the training rows themselves.
//!
//! Around the best weights the posterior is taken for normal, with the inverse of H, the second derivatives of the
//! cross-entropy plus the decay, as covariance. A group of n weights, with E half the sum of their squares, has
//! `gamma = n - alpha trace(H^-1)` well-determined ones, and `alpha = gamma / 2E` is where its evidence is greatest.
//!
//! The log evidence of a network is `-F - ln det(H) / 2 + sum of n ln(alpha) / 2 + ln(h! 2^h)`: F is cross-entropy and
//! decay at the best weights, n and alpha are those of each group, and the last term counts the ways in which h hidden units
//! can change places and signs without a change of the network. The powers of two pi in the prior and in the integral over
//! weights cancel. What is not known about alphas is not taken off.
//!
//! **Reference** MacKay 1992; Bishop 1995, section 10.6.

use tribunal_algebra::{Cholesky, Eigen, Symmetric, add_scaled};

use super::layout::Layout;

/// Alphas stay in this range: at its end an input says nothing.
pub(super) const LEAST_ALPHA: f64 = 1e-6;
pub(super) const LARGEST_ALPHA: f64 = 1e6;

/// So often alphas follow from each other for the same second derivatives.
const N_ESTIMATES: usize = 2;

/// The curvature around weights.
#[derive(Clone, Debug)]
pub(super) struct Curvature {
    layout: Layout,
    /// The second derivatives of the cross-entropy.
    plain: Symmetric,
    /// The same with nothing in the place of negative eigenvalues; none where there are none.
    projected: Option<Symmetric>,
}

impl Curvature {
    /// The second derivatives of the cross-entropy; `None` where they are not finite.
    pub(super) fn new(layout: Layout, plain: Symmetric) -> Option<Self> {
        // What has a factor has no negative eigenvalues, and a factor is found far sooner than those.
        let projected = match Cholesky::of(plain.clone()) {
            Some(_) => None,
            None => Some(project(&plain)?),
        };
        Some(Curvature { layout, plain, projected })
    }

    fn positive(&self) -> &Symmetric {
        self.projected.as_ref().unwrap_or(&self.plain)
    }

    /// The factor of second derivatives with decay, of the projected ones where the exact ones have none.
    fn factor(&self, alphas: &[f64]) -> Option<Cholesky> {
        let of = |matrix: &Symmetric| Cholesky::of(decaying(self.layout, matrix, alphas));
        of(&self.plain).or_else(|| firm(decaying(self.layout, self.positive(), alphas)))
    }

    /// Alphas for weights from those that led to them; returns how many weights of each group are well determined.
    pub(super) fn re_estimate(&self, weights: &[f64], alphas: &mut [f64]) -> Option<Vec<f64>> {
        let halved_squares = self.layout.group_sums(|idx| 0.5 * weights[idx] * weights[idx]);
        let mut determined = vec![0.0; alphas.len()];
        for _ in 0..N_ESTIMATES {
            let inverse = firm(decaying(self.layout, self.positive(), alphas))?.inverse();
            let traces = self.layout.group_sums(|idx| inverse.at(idx, idx));
            for (group, alpha) in alphas.iter_mut().enumerate() {
                let size = self.layout.group_size(group) as f64;
                determined[group] = (size - *alpha * traces[group]).clamp(0.0, size);
                *alpha = new_alpha(determined[group], halved_squares[group]);
            }
        }
        Some(determined)
    }

    /// The log evidence of alphas whose best weights have this value of cross-entropy and decay.
    pub(super) fn log_evidence(&self, value: f64, alphas: &[f64]) -> Option<f64> {
        let log_determinant = self.factor(alphas)?.log_determinant();
        let sizes = (0..self.layout.n_groups()).map(|group| self.layout.group_size(group) as f64);
        let log_prior: f64 = sizes.zip(alphas).map(|(size, alpha)| 0.5 * size * alpha.ln()).sum();
        let log_ways: f64 = (1..=self.layout.n_hidden).map(|unit| (2.0 * unit as f64).ln()).sum();
        Some(-value - 0.5 * log_determinant + log_prior + log_ways).filter(|evidence| evidence.is_finite())
    }

    /// The covariance of weights: the lower triangle, row by row.
    pub(super) fn covariance(&self, alphas: &[f64]) -> Option<Vec<f64>> {
        let inverse = self.factor(alphas)?.inverse();
        let row = |row: usize| (0..=row).map(move |column| (row, column));
        let places = (0..inverse.n()).flat_map(row);
        Some(places.map(|(row, column)| inverse.at(row, column)).collect())
    }
}

/// The alpha of a group; nothing is known where its weights have no size.
fn new_alpha(determined: f64, halved_squares: f64) -> f64 {
    match determined / (2.0 * halved_squares) {
        alpha if alpha.is_nan() => LARGEST_ALPHA,
        alpha => alpha.clamp(LEAST_ALPHA, LARGEST_ALPHA),
    }
}

/// A matrix with the alpha of each weight on its diagonal.
fn decaying(layout: Layout, matrix: &Symmetric, alphas: &[f64]) -> Symmetric {
    let mut sum = matrix.clone();
    (0..sum.n()).for_each(|idx| *sum.at_mut(idx, idx) += alphas[layout.group(idx)]);
    sum
}

/// The factor of a matrix that has no negative eigenvalues but by rounding errors, which the least ridge undoes that is
/// enough.
fn firm(mut matrix: Symmetric) -> Option<Cholesky> {
    let largest = (0..matrix.n()).map(|idx| matrix.at(idx, idx)).fold(0.0, f64::max);
    (-15..=-6).find_map(|exponent| {
        let found = Cholesky::of(matrix.clone());
        let ridge = largest * 10_f64.powi(exponent);
        (0..matrix.n()).for_each(|idx| *matrix.at_mut(idx, idx) += ridge);
        found
    })
}

/// A matrix with nothing in the place of its negative eigenvalues.
fn project(matrix: &Symmetric) -> Option<Symmetric> {
    let eigen = Eigen::of(matrix)?;
    let mut projected = matrix.clone();
    for (idx, value) in eigen.values.iter().enumerate().take_while(|(_, value)| **value < 0.0) {
        let vector = eigen.vector(idx);
        for column in 0..vector.len() {
            add_scaled(projected.below_mut(column), -value * vector[column], &vector[column..]);
        }
    }
    Some(projected)
}
