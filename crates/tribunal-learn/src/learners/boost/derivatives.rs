//! The first and second derivative of the weighted log-loss by the log-odds of rows: gradients and Hessians.

use std::ops::{Add, AddAssign, Sub, SubAssign};

use super::bins::N_LANES;

/// Of a row, or summed over rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Derivatives<T> {
    pub(super) gradient: T,
    pub(super) hessian: T,
}

impl Derivatives<f32> {
    /// Of a row of these log-odds.
    pub(super) fn of_row(log_odds: f64, is_class: f64, weight: f64) -> Self {
        let p = 1.0 / (1.0 + (-log_odds).exp());
        Derivatives { gradient: ((p - is_class) * weight) as f32, hessian: (p * (1.0 - p) * weight) as f32 }
    }

    pub(super) fn widened(self) -> Derivatives<f64> {
        Derivatives { gradient: f64::from(self.gradient), hessian: f64::from(self.hessian) }
    }

    pub(super) fn is_zero(self) -> bool {
        self == Self::default()
    }

    /// The sum over all rows, every sixteenth added to each other.
    pub(super) fn sum_of_all(of_rows: &[Self]) -> Self {
        let chunks = of_rows.chunks_exact(N_LANES);
        let rest = sum(chunks.remainder().iter().map(|row| row.widened()));
        let lanes = chunks.fold([Derivatives::<f64>::default(); N_LANES], |mut lanes, chunk| {
            lanes.iter_mut().zip(chunk).for_each(|(lane, row)| *lane += row.widened());
            lanes
        });
        (sum(lanes.into_iter()) + rest).rounded()
    }

    /// The sum over some rows, in their order.
    pub(super) fn sum_of(of_rows: &[Self], rows: &[u32]) -> Self {
        sum(rows.iter().map(|&row| of_rows[row as usize].widened())).rounded()
    }
}

fn sum(terms: impl Iterator<Item = Derivatives<f64>>) -> Derivatives<f64> {
    terms.fold(Derivatives::default(), |sum, term| sum + term)
}

impl Derivatives<f64> {
    pub(super) fn rounded(self) -> Derivatives<f32> {
        Derivatives { gradient: self.gradient as f32, hessian: self.hessian as f32 }
    }
}

impl<T: Add<Output = T>> Add for Derivatives<T> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Derivatives { gradient: self.gradient + other.gradient, hessian: self.hessian + other.hessian }
    }
}

impl<T: Sub<Output = T>> Sub for Derivatives<T> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Derivatives { gradient: self.gradient - other.gradient, hessian: self.hessian - other.hessian }
    }
}

impl<T: Copy + Add<Output = T>> AddAssign for Derivatives<T> {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<T: Copy + Sub<Output = T>> SubAssign for Derivatives<T> {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}
