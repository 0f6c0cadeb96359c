//! Mean and deviation of a column, and what they make of a number.

use serde::{Deserialize, Serialize};

/// `z = (x - mean) / sd`, the deviation with divisor n - 1. Where nothing deviates, every z is zero.
///
/// ```
/// use tribunal_learn::encoding::Scale;
///
/// let scale = Scale::fit([1.0, 2.0, 3.0]);
/// assert_eq!((scale.mean, scale.sd), (2.0, 1.0));
/// assert_eq!(scale.apply(4.0), 2.0);
/// assert_eq!(Scale::fit([5.0, 5.0]).apply(7.0), 0.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scale {
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub sd: f64,
}

impl Scale {
    /// The scale that changes nothing.
    pub const UNIT: Scale = Scale { mean: 0.0, sd: 1.0 };

    /// The scale of some numbers, none of them missing.
    pub fn fit(values: impl IntoIterator<Item = f64> + Clone) -> Scale {
        Scale::fit_weighted(values.into_iter().map(|value| (value, 1.0)).collect::<Vec<_>>())
    }

    /// The scale of numbers with weights: a weight of 2 is the number twice.
    pub(crate) fn fit_weighted(values: impl IntoIterator<Item = (f64, f64)> + Clone) -> Scale {
        let largest = values.clone().into_iter().map(|(value, _)| value.abs()).fold(0.0, f64::max);
        let unit = power_of_two(largest);
        let values = || values.clone().into_iter().map(|(value, weight)| (value / unit, weight));
        let (total, sum) = values().fold((0.0, 0.0), |(total, sum), (x, w)| (total + w, sum + w * x));
        let mean = if total > 0.0 { sum / total } else { 0.0 };
        let squares: f64 = values().map(|(value, weight)| weight * (value - mean).powi(2)).sum();
        // Weights that are shares rather than counts have no row to spare for the mean.
        let divisor = if total > 1.0 { total - 1.0 } else { total };
        let sd = if squares > 0.0 { (squares / divisor).sqrt() } else { 0.0 };
        // A constant column may deviate from its rounded mean by a few bits.
        let sd = if sd > mean.abs() * f64::EPSILON * 8.0 { sd } else { 0.0 };
        Scale { mean: mean * unit, sd: (sd * unit).min(f64::MAX) }
    }

    /// Whether this can be a scale, for a model that was read.
    pub(crate) fn is_sound(&self) -> bool {
        self.mean.is_finite() && self.sd.is_finite() && self.sd >= 0.0
    }

    /// Whether nothing deviates.
    pub fn is_constant(&self) -> bool {
        self.sd == 0.0
    }

    /// A number on this scale.
    pub fn apply(&self, value: f64) -> f64 {
        if self.is_constant() {
            return 0.0;
        }
        let deviation = value - self.mean;
        if deviation.is_finite() { deviation / self.sd } else { value / self.sd - self.mean / self.sd }
    }
}

/// A power of two near the largest of some sizes, as a unit that costs no digit: squares of what is huge or tiny leave the
/// range of numbers.
pub(crate) fn power_of_two(largest: f64) -> f64 {
    // The exponent alone; a logarithm of the largest double would be rounded up.
    const EXPONENT: u64 = 0x7ff << 52;
    if largest > 0.0 { f64::from_bits(largest.to_bits() & EXPONENT).max(f64::MIN_POSITIVE) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deviation_is_that_of_a_sample() {
        let x = [1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 1, 1, 3].map(f64::from);
        let scale = Scale::fit(x);
        assert_eq!(scale.mean, 2.0);
        assert!((scale.sd - 0.87705802).abs() < 5e-9);
        assert!((scale.apply(1.0) + 1.14017543).abs() < 5e-9);
    }

    #[test]
    fn a_weight_of_two_is_the_number_twice() {
        let weighted = Scale::fit_weighted([(1.0, 2.0), (4.0, 1.0), (9.0, 0.0), (6.0, 3.0)]);
        let repeated = Scale::fit([1.0, 1.0, 4.0, 6.0, 6.0, 6.0]);
        assert!((weighted.mean - repeated.mean).abs() < 1e-15);
        assert!((weighted.sd - repeated.sd).abs() < 1e-15);
    }

    #[test]
    fn huge_and_tiny_numbers_keep_their_scale() {
        for size in [f64::MAX / 2.0, 1e300, 1.0, 1e-300] {
            let scale = Scale::fit([-size, size]);
            assert!((scale.apply(size) - 0.5_f64.sqrt()).abs() < 1e-15, "{size}");
        }
    }

    #[test]
    fn constant_columns_are_zero_and_never_nan() {
        for values in [vec![], vec![3.0], vec![0.1; 7], vec![1e300; 3], vec![1e-310; 3]] {
            let scale = Scale::fit(values.iter().copied());
            assert!(scale.is_constant(), "{values:?}");
            assert_eq!(scale.apply(9.0), 0.0);
        }
    }
}
