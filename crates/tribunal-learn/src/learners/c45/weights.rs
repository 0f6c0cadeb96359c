//! What a row counts: once, a whole number of times, or any weight.
//!
//! Whole weights are summed as integers, which is quicker and, like sums of whole `f64`, exact: a row of weight two is
//! the same as the row twice.

use std::ops::AddAssign;

use crate::training::Training;

/// The rows that a tree is made of.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    /// Those of any weight, rising.
    pub(crate) rows: Vec<u32>,
    pub(crate) weights: RowWeights,
}

/// The weights of rows, in the narrowest form that holds them.
#[derive(Clone, Debug)]
pub(crate) enum RowWeights {
    /// Every row counts once.
    Unit,
    /// Every row counts so many times.
    Whole(Vec<u32>),
    /// Every row has its weight.
    Real(Vec<f64>),
}

impl Sample {
    /// All rows of a training set.
    pub(crate) fn of(training: &Training<'_>) -> Self {
        let rows = 0..training.n_rows() as u32;
        Sample {
            rows: rows.filter(|&row| training.weight(row as usize) > 0.0).collect(),
            weights: RowWeights::of(training),
        }
    }

    /// Rows that are there so many times.
    pub(crate) fn repeated(times: Vec<u32>) -> Self {
        let rows = (0..times.len() as u32).filter(|&row| times[row as usize] > 0).collect();
        Sample { rows, weights: RowWeights::Whole(times) }
    }

    /// The weight of each class.
    pub(crate) fn class_weights(&self, training: &Training<'_>) -> Vec<f64> {
        let mut weights = vec![0.0; training.n_classes];
        for &row in &self.rows {
            weights[training.classes[row as usize] as usize] += match &self.weights {
                RowWeights::Unit => 1.0,
                RowWeights::Whole(times) => f64::from(times[row as usize]),
                RowWeights::Real(weights) => weights[row as usize],
            };
        }
        weights
    }
}

impl RowWeights {
    fn of(training: &Training<'_>) -> Self {
        let Some(weights) = training.weights.as_deref() else { return RowWeights::Unit };
        let is_whole = weights.iter().all(|weight| weight.fract() == 0.0);
        if is_whole && weights.iter().sum::<f64>() < f64::from(u32::MAX) {
            RowWeights::Whole(weights.iter().map(|&weight| weight as u32).collect())
        } else {
            RowWeights::Real(weights.to_vec())
        }
    }
}

/// Says what a row counts.
pub(crate) trait Weigh: Send + Sync + Sized {
    /// In which form weights are summed.
    type Sum: Sum;

    fn weight(&self, row: u32) -> Self::Sum;

    /// The same for some rows, which are numbered anew.
    fn take(&self, rows: &[u32]) -> Self;
}

/// A sum of weights.
pub(crate) trait Sum: Copy + Default + PartialEq + AddAssign + Into<f64> + Send + Sync {
    /// Whether all weights are whole, so that sums are exact in any order.
    const IS_WHOLE: bool;
}

impl Sum for u32 {
    const IS_WHOLE: bool = true;
}

impl Sum for f64 {
    const IS_WHOLE: bool = false;
}

/// Every row counts once.
pub(crate) struct Once;

impl Weigh for Once {
    type Sum = u32;

    fn weight(&self, _row: u32) -> u32 {
        1
    }

    fn take(&self, _rows: &[u32]) -> Self {
        Once
    }
}

impl<S: Sum> Weigh for Vec<S> {
    type Sum = S;

    fn weight(&self, row: u32) -> S {
        self[row as usize]
    }

    fn take(&self, rows: &[u32]) -> Self {
        rows.iter().map(|&row| self[row as usize]).collect()
    }
}
