//! The paired t test on folds.
//!
//! Simple and known to everyone, and too sure of itself on one cross-validation, whose training sets overlap; see the
//! corrected test. References: Student (1908), "The probable error of a mean"; Dietterich (1998) for the caution.

use serde::{Deserialize, Deserializer, Serialize};

use super::differences::Differences;
use super::effect::{Effect, ratio};
use crate::intervals::{Interval, IntervalMethod, Level};
use tribunal_tails::{t_quantile, t_two_sided};

/// The outcome of a t test on differences.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TTest {
    /// The mean difference with its interval.
    pub effect: Effect,
    /// The standard deviation of the differences.
    pub standard_deviation: f64,
    /// The mean difference in standard errors; infinite when the differences do not vary and are not zero.
    #[serde(with = "crate::infinite")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub t: f64,
    /// The degrees of freedom.
    pub df: usize,
    /// The two-sided p value.
    pub p: f64,
}

impl<'de> Deserialize<'de> for TTest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Fields {
            effect: Effect,
            standard_deviation: f64,
            #[serde(with = "crate::infinite")]
            t: f64,
            df: usize,
            p: f64,
        }
        let Fields { effect, standard_deviation, t, df, p } = Fields::deserialize(deserializer)?;
        Ok(Self { effect, standard_deviation, t: effect.signed(t), df, p })
    }
}

impl TTest {
    /// The test with a given ratio of the variance of the mean to that of a difference.
    pub(crate) fn new(
        differences: &Differences,
        shrinkage: f64,
        level: Level,
        method: IntervalMethod,
    ) -> Self {
        let (difference, variance) = (differences.mean(), differences.variance());
        let df = differences.values().len() - 1;
        let error = (shrinkage * variance).sqrt();
        let t = ratio(difference, error);
        let interval =
            Interval::around(difference, t_quantile(level.tail(), df as f64) * error, level, method);
        let p = t_two_sided(t, df as f64);
        Self { effect: Effect { difference, interval }, standard_deviation: variance.sqrt(), t, df, p }
    }
}

/// The paired t test.
///
/// **Definition** `t = mean(d) / sqrt(var(d) / n)` with `n - 1` degrees of freedom, two-sided; the interval is
/// `mean(d) ± t* sqrt(var(d) / n)`. Without variance, `t = 0` and `p = 1` if the mean is 0, else `p = 0`.
///
/// **Undefined when** never, once the [`Differences`] exist.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::Level;
/// use tribunal_eval::significance::{Differences, paired_t};
/// let test = paired_t(&Differences::new(vec![0.02, 0.01, 0.03, 0.02])?, Level::P95);
/// assert!((test.t - 4.898979).abs() < 1e-6);
/// assert!(!test.effect.interval.contains(0.0));
/// # Ok::<(), tribunal_eval::intervals::Unusable>(())
/// ```
///
/// **Reference** Student (1908).
pub fn paired_t(differences: &Differences, level: Level) -> TTest {
    TTest::new(differences, 1.0 / differences.values().len() as f64, level, IntervalMethod::StudentT)
}

#[cfg(test)]
mod tests {
    use super::super::fold_table::tests::worked;
    use super::*;

    #[test]
    fn logit_against_naive_bayes_in_the_worked_table() {
        let differences = Differences::between(&worked(), 0, 4).expect("two algorithms");
        let test = paired_t(&differences, Level::P95);
        let expected = [
            (test.effect.difference, 0.842),
            (test.standard_deviation, 2.984154),
            (test.t, 0.892259),
            (test.p, 0.395484),
        ];
        for (found, expected) in expected {
            assert!((found - expected).abs() <= 5e-7, "{found}, expected {expected}");
        }
        assert_eq!(test.df, 9);
        // By scipy: ttest_rel(...).confidence_interval(0.95).
        assert!((test.effect.interval.lower + 1.2927355).abs() < 1e-6, "{:?}", test.effect.interval);
    }

    #[test]
    fn without_variance_the_mean_decides() {
        let test = |d: f64| paired_t(&Differences::new(vec![d; 5]).expect("five differences"), Level::P95);
        assert_eq!((test(0.0).t, test(0.0).p), (0.0, 1.0));
        assert_eq!((test(-0.1).t, test(-0.1).p), (f64::NEG_INFINITY, 0.0));
        assert_eq!(test(0.1).effect.interval.lower, 0.1);
    }
}
