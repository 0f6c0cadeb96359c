//! Tests on five repetitions of two-fold cross-validation.
//!
//! The two training sets of a repetition share no row, so the variance within repetitions is honest where that of
//! ten-fold cross-validation is not. The F test uses all ten differences and does not depend on which comes first.
//! References: Dietterich (1998), "Approximate statistical tests for comparing supervised classification learning
//! algorithms"; Alpaydin (1999), "Combined 5x2 cv F test".

use serde::{Deserialize, Deserializer, Serialize};

use super::effect::{Effect, ratio};
use crate::intervals::{Interval, IntervalMethod, Level, Unusable, all_finite};
use tribunal_tails::{f_sf, t_quantile, t_two_sided};

/// The differences of two algorithms in both folds of five repetitions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FiveByTwo([[f64; 2]; 5]);

/// The outcome of Dietterich's t test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct FiveByTwoT {
    /// The first difference of the first repetition with its interval: what the test is about.
    pub effect: Effect,
    /// The mean of all ten differences.
    pub mean_difference: f64,
    /// The statistic, with 5 degrees of freedom.
    #[serde(with = "crate::infinite")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub t: f64,
    /// The degrees of freedom.
    pub df: usize,
    /// The two-sided p value.
    pub p: f64,
}

/// The outcome of Alpaydin's F test.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct FiveByTwoF {
    /// The mean of all ten differences. The test gives no interval.
    pub mean_difference: f64,
    /// The statistic.
    #[serde(with = "crate::infinite")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub f: f64,
    /// The degrees of freedom of numerator and denominator.
    pub df: (usize, usize),
    /// The p value.
    pub p: f64,
}

impl<'de> Deserialize<'de> for FiveByTwoT {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Fields {
            effect: Effect,
            mean_difference: f64,
            #[serde(with = "crate::infinite")]
            t: f64,
            df: usize,
            p: f64,
        }
        let Fields { effect, mean_difference, t, df, p } = Fields::deserialize(deserializer)?;
        Ok(Self { effect, mean_difference, t: effect.signed(t), df, p })
    }
}

impl FiveByTwo {
    /// The differences, two for each repetition.
    ///
    /// **Undefined when** one is not finite.
    pub fn new(differences: [[f64; 2]; 5]) -> Result<Self, Unusable> {
        all_finite("difference", differences.as_flattened())?;
        Ok(Self(differences))
    }

    /// `s²` of each repetition: the sum of the squared deviations from its mean.
    pub fn variances(&self) -> [f64; 5] {
        self.0.map(|[a, b]| (a - b) * (a - b) / 2.0)
    }

    /// The mean of all ten differences.
    pub fn mean_difference(&self) -> f64 {
        self.0.as_flattened().iter().sum::<f64>() / 10.0
    }
}

/// Dietterich's 5x2cv t test.
///
/// **Definition** `t = p_1 / sqrt(mean of the five s²)`, where `p_1` is the first difference of the first repetition,
/// with 5 degrees of freedom. Without variance, `p = 1` if `p_1 = 0`, else 0.
///
/// **Undefined when** never, once the [`FiveByTwo`] exists.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::Level;
/// use tribunal_eval::significance::{FiveByTwo, five_by_two_t};
/// let runs = FiveByTwo::new([[0.04, 0.06], [0.02, 0.05], [0.07, 0.03], [0.05, 0.01], [0.03, 0.04]])?;
/// assert!((five_by_two_t(&runs, Level::P95).p - 0.121188).abs() < 1e-6);
/// # Ok::<(), tribunal_eval::intervals::Unusable>(())
/// ```
///
/// **Reference** Dietterich (1998).
pub fn five_by_two_t(runs: &FiveByTwo, level: Level) -> FiveByTwoT {
    let difference = runs.0[0][0];
    let error = (runs.variances().iter().sum::<f64>() / 5.0).sqrt();
    let t = ratio(difference, error);
    let half_width = t_quantile(level.tail(), 5.0) * error;
    let interval = Interval::around(difference, half_width, level, IntervalMethod::FiveByTwo);
    let effect = Effect { difference, interval };
    FiveByTwoT { effect, mean_difference: runs.mean_difference(), t, df: 5, p: t_two_sided(t, 5.0) }
}

/// Alpaydin's combined 5x2cv F test.
///
/// **Definition** `F = sum of the ten squared differences / (2 sum of the five s²)`, with 10 and 5 degrees of freedom.
/// Without variance, `p = 1` if all differences are 0, else 0.
///
/// **Undefined when** never, once the [`FiveByTwo`] exists.
///
/// **Example**
/// ```
/// use tribunal_eval::significance::{FiveByTwo, five_by_two_f};
/// let runs = FiveByTwo::new([[0.04, 0.06], [0.02, 0.05], [0.07, 0.03], [0.05, 0.01], [0.03, 0.04]])?;
/// assert!((five_by_two_f(&runs).f - 4.130435).abs() < 1e-6);
/// # Ok::<(), tribunal_eval::intervals::Unusable>(())
/// ```
///
/// **Reference** Alpaydin (1999).
pub fn five_by_two_f(runs: &FiveByTwo) -> FiveByTwoF {
    let squares: f64 = runs.0.as_flattened().iter().map(|d| d * d).sum();
    let f = ratio(squares, 2.0 * runs.variances().iter().sum::<f64>());
    FiveByTwoF { mean_difference: runs.mean_difference(), f, df: (10, 5), p: f_sf(f, 10.0, 5.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_differences() {
        let runs = FiveByTwo::new([[0.04, 0.06], [0.02, 0.05], [0.07, 0.03], [0.05, 0.01], [0.03, 0.04]]);
        let runs = runs.expect("finite differences");
        for (found, expected) in runs.variances().iter().zip([2e-4, 4.5e-4, 8e-4, 8e-4, 5e-5]) {
            assert!((found - expected).abs() < 1e-15);
        }
        let (t, f) = (five_by_two_t(&runs, Level::P95), five_by_two_f(&runs));
        for (found, expected) in [(t.t, 1.865010), (t.p, 0.121188), (f.f, 4.130435), (f.p, 0.065451)] {
            assert!((found - expected).abs() <= 5e-7, "{found}, expected {expected}");
        }
        assert!((t.mean_difference - 0.04).abs() < 1e-15);
        assert!(t.effect.interval.contains(0.0));
    }

    #[test]
    fn without_variance_the_differences_decide() {
        let runs = |d: f64| FiveByTwo::new([[d; 2]; 5]).expect("finite differences");
        assert_eq!((five_by_two_t(&runs(0.0), Level::P95).p, five_by_two_f(&runs(0.0)).p), (1.0, 1.0));
        assert_eq!((five_by_two_t(&runs(0.1), Level::P95).p, five_by_two_f(&runs(0.1)).p), (0.0, 0.0));
    }

    #[test]
    fn a_missing_difference_is_refused() {
        assert!(FiveByTwo::new([[f64::NAN; 2]; 5]).is_err());
    }
}
