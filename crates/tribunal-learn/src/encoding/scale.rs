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
        let (n, sum) = values.clone().into_iter().fold((0.0, 0.0), |(n, sum), value| (n + 1.0, sum + value));
        let mean = if n > 0.0 { sum / n } else { 0.0 };
        let squares: f64 = values.into_iter().map(|value| (value - mean).powi(2)).sum();
        let sd = if n > 1.0 { (squares / (n - 1.0)).sqrt() } else { 0.0 };
        // A constant column may deviate from its rounded mean by a few bits.
        let sd = if sd > mean.abs() * f64::EPSILON * 8.0 { sd } else { 0.0 };
        Scale { mean, sd }
    }

    /// Whether nothing deviates.
    pub fn is_constant(&self) -> bool {
        self.sd == 0.0
    }

    /// A number on this scale.
    pub fn apply(&self, value: f64) -> f64 {
        if self.is_constant() { 0.0 } else { (value - self.mean) / self.sd }
    }
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
    fn constant_columns_are_zero_and_never_nan() {
        for values in [vec![], vec![3.0], vec![0.1; 7], vec![1e300; 3]] {
            let scale = Scale::fit(values.iter().copied());
            assert!(scale.is_constant(), "{values:?}");
            assert_eq!(scale.apply(9.0), 0.0);
        }
    }
}
