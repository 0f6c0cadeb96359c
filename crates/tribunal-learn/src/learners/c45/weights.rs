//! What a row counts: once, a whole number of times, or any weight.
//!
//! Whole weights are summed as integers, which is quicker and, like sums of whole `f64`, exact: a row of weight two is
//! the same as the row twice.

use std::ops::AddAssign;

use crate::training::Training;

/// The weights of rows, in the narrowest form that holds them.
#[derive(Clone, Debug)]
pub(crate) enum RowWeights<'a> {
    /// Every row counts once.
    Unit,
    /// Every row counts so many times.
    Whole(Vec<u32>),
    /// Every row has its weight.
    Real(&'a [f64]),
}

impl<'a> RowWeights<'a> {
    pub(crate) fn of(training: &'a Training<'_>) -> Self {
        let Some(weights) = training.weights.as_deref() else { return RowWeights::Unit };
        let is_whole = weights.iter().all(|weight| weight.fract() == 0.0);
        if is_whole && weights.iter().sum::<f64>() < f64::from(u32::MAX) {
            RowWeights::Whole(weights.iter().map(|&weight| weight as u32).collect())
        } else {
            RowWeights::Real(weights)
        }
    }
}

/// Says what a row counts.
pub(crate) trait Weigh: Sync {
    /// In which form weights are summed.
    type Sum: Sum;

    fn weight(&self, row: u32) -> Self::Sum;
}

/// A sum of weights.
pub(crate) trait Sum: Copy + Default + PartialEq + AddAssign + Into<f64> + Send {}

impl Sum for u32 {}
impl Sum for f64 {}

/// Every row counts once.
pub(crate) struct Once;

impl Weigh for Once {
    type Sum = u32;

    fn weight(&self, _row: u32) -> u32 {
        1
    }
}

impl Weigh for &[u32] {
    type Sum = u32;

    fn weight(&self, row: u32) -> u32 {
        self[row as usize]
    }
}

impl Weigh for &[f64] {
    type Sum = f64;

    fn weight(&self, row: u32) -> f64 {
        self[row as usize]
    }
}
