//! A difference of two figures on the same rows, from the influence functions of both.
//!
//! Row by row the difference of the influence values is the influence value of the difference, whatever the two models have in
//! common. Interval and p value come from the same standard error and quantile, so the interval excludes zero if and only if
//! the p value is below the level.

use super::effect::{Effect, ratio};
use crate::influence::{BaseRate, Moments, Variance};
use crate::intervals::{Interval, IntervalMethod, Level};
use tribunal_tails::{normal_two_sided, t_two_sided};

/// What is compared.
#[derive(Clone, Copy, Debug)]
pub struct InfluenceDifference {
    /// The first figure less the second.
    pub difference: f64,
    /// Moments of the differences of the influence values.
    pub moments: Moments,
    /// Which other samples are meant.
    pub base_rate: BaseRate,
    /// The variance that one case more or less makes, where single cases decide. Quantiles are normal then.
    pub one_case: Option<f64>,
}

/// A difference with its test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DifferenceTest {
    /// The difference with its interval.
    pub effect: Effect,
    /// The standard error of the difference.
    pub standard_error: f64,
    /// Degrees of freedom of Student's t; infinite for normal quantiles.
    pub df: f64,
    /// The two-sided p value.
    pub p: f64,
}

impl DifferenceTest {
    /// Symmetric around the difference, with Student's t.
    pub fn new(difference: f64, standard_error: f64, df: f64, level: Level, method: IntervalMethod) -> Self {
        let interval = Interval::around(difference, level.t(df) * standard_error, level, method);
        let p = two_sided(ratio(difference, standard_error), df);
        Self { effect: Effect { difference, interval }, standard_error, df, p }
    }

    /// The same test of a multiple of the difference.
    #[must_use]
    pub fn times(mut self, factor: f64) -> Self {
        let Effect { difference, interval } = &mut self.effect;
        *difference *= factor;
        let ends = [factor * interval.lower, factor * interval.upper];
        (interval.lower, interval.upper) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        Self { standard_error: self.standard_error * factor.abs(), ..self }
    }

    /// The two-sided p value of a difference beyond this margin: twice the tail beyond |difference| - margin.
    pub fn beyond(&self, margin: f64) -> f64 {
        let beyond = self.effect.difference.abs() - margin;
        let p = two_sided(ratio(beyond, self.standard_error), self.df);
        if beyond > 0.0 { p } else { (2.0 - p).min(1.0) }
    }
}

/// How likely so many standard errors are by chance, both signs counted.
fn two_sided(statistic: f64, df: f64) -> f64 {
    if df.is_finite() { t_two_sided(statistic, df) } else { normal_two_sided(statistic) }
}

impl InfluenceDifference {
    /// Tests whether there is a difference.
    ///
    /// ```
    /// use tribunal_eval::influence::{BaseRate, Moments};
    /// use tribunal_eval::intervals::Level;
    /// use tribunal_eval::significance::InfluenceDifference;
    /// use tribunal_eval::Split;
    ///
    /// // Two means over six rows differ by 0.2 on average.
    /// let truth = [true, true, true, false, false, false];
    /// let values = [0.1, -0.2, 0.1, 0.0, 0.2, -0.2];
    /// let moments = Moments::of_values(&truth, &values, None, Split { positive: 1.0, negative: 1.0 });
    /// let compared = InfluenceDifference { difference: 0.2, moments, base_rate: BaseRate::Random, one_case: None };
    /// let test = compared.test(Level::P95);
    /// assert_eq!(test.p < 0.05, !test.effect.interval.contains(0.0));
    /// ```
    pub fn test(&self, level: Level) -> DifferenceTest {
        let variance = Variance::of(&self.moments, self.base_rate);
        let (total, df) = match self.one_case {
            Some(one_case) => (variance.total + one_case, f64::INFINITY),
            None => (variance.total, variance.kurtosis_df),
        };
        DifferenceTest::new(self.difference, total.sqrt(), df, level, IntervalMethod::InfluenceT)
    }
}
