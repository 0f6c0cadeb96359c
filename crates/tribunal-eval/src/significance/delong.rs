//! DeLong's test of two AUROCs on the same rows.
//!
//! The two AUROCs rise and fall together with the sample; the covariance of their placements takes that out. References:
//! DeLong, DeLong & Clarke-Pearson (1988), "Comparing the areas under two or more correlated receiver operating
//! characteristic curves".

use serde::{Deserialize, Deserializer, Serialize};

use super::effect::{Effect, ratio};
use crate::intervals::{AurocCovariance, Interval, IntervalMethod, Level, Unusable, at_least};
use tribunal_tails::normal_two_sided;

/// The outcome of a test of two AUROCs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AurocTest {
    /// The first AUROC.
    pub first: f64,
    /// The second.
    pub second: f64,
    /// The first less the second, with its interval.
    pub effect: Effect,
    /// The standard error of the difference.
    pub standard_error: f64,
    /// The difference in standard errors; infinite when it has none.
    #[serde(with = "crate::infinite")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub z: f64,
    /// The two-sided normal p value.
    pub p: f64,
}

impl<'de> Deserialize<'de> for AurocTest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Fields {
            first: f64,
            second: f64,
            effect: Effect,
            standard_error: f64,
            #[serde(with = "crate::infinite")]
            z: f64,
            p: f64,
        }
        let Fields { first, second, effect, standard_error, z, p } = Fields::deserialize(deserializer)?;
        Ok(Self { first, second, effect, standard_error, z: effect.signed(z), p })
    }
}

impl AurocTest {
    pub(crate) fn new(first: f64, second: f64, variance: f64, level: Level, method: IntervalMethod) -> Self {
        let (difference, standard_error) = (first - second, variance.sqrt());
        let z = ratio(difference, standard_error);
        let interval =
            Interval::around(difference, level.z() * standard_error, level, method).clipped(-1.0, 1.0);
        let effect = Effect { difference, interval };
        Self { first, second, effect, standard_error, z, p: normal_two_sided(z) }
    }
}

/// DeLong's test of two of the models judged by [`delong_pair`](crate::intervals::delong_pair).
///
/// **Definition** `z = (A_1 - A_2) / sqrt(S_11 + S_22 - 2 S_12)`, two-sided normal. Without variance, `p = 1` if the
/// AUROCs are equal, else 0.
///
/// **Undefined when** there is no such model.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::{Level, ScoredModels, delong_pair};
/// use tribunal_eval::significance::delong_test;
/// let positive = [true, true, false, true, false, true, false, false, true, false];
/// let a = [0.9, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.4, 0.3, 0.1];
/// let b = [0.7, 0.9, 0.3, 0.8, 0.5, 0.2, 0.6, 0.1, 0.65, 0.4];
/// let both = delong_pair(&ScoredModels { positive: &positive, scores: vec![&a, &b] })?;
/// let test = delong_test(&both, 0, 1, Level::P95)?;
/// assert!((test.p - 0.532069).abs() < 1e-6);
/// # Ok::<(), tribunal_eval::intervals::Unusable>(())
/// ```
///
/// **Reference** DeLong, DeLong & Clarke-Pearson (1988).
pub fn delong_test(
    models: &AurocCovariance,
    first: usize,
    second: usize,
    level: Level,
) -> Result<AurocTest, Unusable> {
    at_least("models", models.aurocs.len(), first.max(second) + 1)?;
    let s = &models.covariance;
    let sum = s[first][first] + s[second][second];
    let variance = sum - 2.0 * s[first][second];
    // Equal placements leave nothing over but rounding.
    let variance = if variance <= 8.0 * f64::EPSILON * sum { 0.0 } else { variance };
    let (a, b) = (models.aurocs[first], models.aurocs[second]);
    Ok(AurocTest::new(a, b, variance, level, IntervalMethod::Delong))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intervals::{ScoredModels, delong_pair};

    fn test(positive: &[bool], a: &[f64], b: &[f64]) -> AurocTest {
        let both = delong_pair(&ScoredModels { positive, scores: vec![a, b] }).expect("two classes");
        delong_test(&both, 0, 1, Level::P95).expect("two models")
    }

    #[test]
    fn the_published_pair() {
        let positive = [true, true, false, true, false, true, false, false, true, false];
        let a = [0.9, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.4, 0.3, 0.1];
        let b = [0.7, 0.9, 0.3, 0.8, 0.5, 0.2, 0.6, 0.1, 0.65, 0.4];
        let test = test(&positive, &a, &b);
        for (found, expected) in [
            (test.effect.difference, -0.14),
            (test.z, -0.624851),
            (test.p, 0.532069),
            (test.standard_error, 0.224053565),
        ] {
            assert!((found - expected).abs() <= 5e-7, "{found}, expected {expected}");
        }
        assert!(test.effect.interval.contains(0.0));
    }

    #[test]
    fn without_variance_the_difference_decides() {
        let positive = [true, true, false, false];
        let (ranked, turned) = ([0.9, 0.8, 0.2, 0.1], [0.1, 0.2, 0.8, 0.9]);
        assert_eq!((test(&positive, &ranked, &ranked).z, test(&positive, &ranked, &ranked).p), (0.0, 1.0));
        assert_eq!(
            (test(&positive, &ranked, &turned).z, test(&positive, &ranked, &turned).p),
            (f64::INFINITY, 0.0)
        );
    }

    #[test]
    fn a_model_that_is_not_there_is_refused() {
        let both = delong_pair(&ScoredModels { positive: &[true, false], scores: vec![&[0.2, 0.1]] });
        assert!(delong_test(&both.expect("two classes"), 0, 1, Level::P95).is_err());
    }
}
