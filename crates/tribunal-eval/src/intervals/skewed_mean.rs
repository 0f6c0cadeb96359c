//! The interval of a mean that a few large values decide: gains and profits.
//!
//! Where values cannot be negative the lower end is made on the log scale, and the upper end is the larger of that and of Hall's
//! correction for skewness; other means have Hall's on both sides. Quantiles are those of Student's t with the few degrees of
//! freedom that the kurtosis of the influence values leaves.
//!
//! Reference: Hall (1992), "On the removal of skewness by transformation".

use super::interval::{Interval, IntervalMethod, Level};
use super::sampled::NoInterval;
use crate::influence::{BaseRate, Moments, Variance};
use crate::ranking::Split;

/// An upper end so many times the estimate means that next to nothing was gained beside amounts that might have been: its
/// logarithm says nothing about how much it might be.
const LARGEST_FACTOR: f64 = 1e6;

/// A mean over cases with the moments of its influence values, both in one unit in which fourth powers are finite.
#[derive(Clone, Debug)]
pub(crate) struct SkewedMean {
    mean: f64,
    /// What the mean is a multiple of.
    unit: f64,
    moments: Moments,
    /// Whether values may be negative.
    is_signed: bool,
    /// Which share of the positives brings in what the mean is made of, where that is not known for sure: what is left to vary
    /// where all of them bring in the same.
    found: Option<f64>,
    /// The variance of a case to come, where weights or ties make it another one than that of the cases at hand.
    case_variance: Option<f64>,
}

impl SkewedMean {
    /// From the mean and its influence values, case by case. Rows of weight zero are left out.
    pub(crate) fn new(
        truth: &[bool],
        weight: Option<&[f64]>,
        mean: f64,
        influence: &[f64],
        is_signed: bool,
    ) -> Self {
        // Fourth powers of amounts in their own unit might not be finite.
        let largest = influence.iter().fold(mean.abs(), |largest, value| largest.max(value.abs()));
        let unit = if largest > 0.0 { largest } else { 1.0 };
        let scaled: Vec<f64> = influence.iter().map(|value| value / unit).collect();
        let all = Split { positive: 1.0, negative: 1.0 };
        let moments = Moments::of_values(truth, &scaled, weight, all);
        Self { mean: mean / unit, unit, moments, is_signed, found: None, case_variance: None }
    }

    /// The same where this share of the positives brings in what the mean is made of.
    pub(crate) fn with_found(self, found: Option<f64>) -> Self {
        Self { found, ..self }
    }

    /// The same where a case to come has this variance, if any.
    pub(crate) fn with_case_variance(self, case_variance: Option<f64>) -> Self {
        Self { case_variance, ..self }
    }

    /// The variance of the mean, in its own unit.
    pub(crate) fn variance(&self, base_rate: BaseRate) -> Result<Variance, NoInterval> {
        let variance = self.scaled_variance(base_rate)?;
        Ok(Variance { total: variance.total * self.unit * self.unit, ..variance })
    }

    fn scaled_variance(&self, base_rate: BaseRate) -> Result<Variance, NoInterval> {
        let Moments { rows, effective, .. } = self.moments;
        let is_enough = rows.iter().all(|rows| *rows >= 2.0) && effective.iter().all(|rows| *rows > 1.0);
        if is_enough { Ok(Variance::of(&self.moments, base_rate)) } else { Err(NoInterval::FewCases) }
    }

    /// The interval of the mean.
    ///
    /// # Errors
    /// A class has fewer than two cases.
    pub(crate) fn interval(&self, level: Level, base_rate: BaseRate) -> Result<Interval, NoInterval> {
        let variance = self.scaled_variance(base_rate)?;
        let [p, m] = self.moments.effective;
        let n_rows = self.moments.rows.iter().sum::<f64>();
        let (error, df, asymmetry) = match variance.vanishes(self.mean) {
            // The skewness of what rounding leaves says nothing.
            true => (self.unanimous_error(level), p.min(m) - 1.0, 0.0),
            false => (variance.standard_error(), variance.kurtosis_df, variance.skewness / n_rows.sqrt()),
        };
        let quantile = level.t(df);
        let skewed = level.on_skewed(self.mean, error, asymmetry, quantile);
        let interval = if self.is_signed || self.mean <= 0.0 {
            skewed
        } else {
            let logs = level.on_logs(self.mean, error, quantile);
            let says_something = logs.upper <= LARGEST_FACTOR * self.mean;
            let upper = if says_something { logs.upper.max(skewed.upper) } else { skewed.upper };
            Interval { upper, ..logs }
        };
        Ok(interval.holding(self.mean).mapped(|mean| mean * self.unit))
    }

    /// The mean over `n_cases` other cases: what a sample of that size will show.
    ///
    /// Unless somebody said how a case to come varies, the variance is that of a case at both sizes. Ends are those of the expansion for skewness (Cornish and Fisher 1938);
    /// where values are not negative, those of the log scale where these reach farther, and never below zero.
    ///
    /// # Errors
    /// A class has fewer than two cases.
    pub(crate) fn next(
        &self,
        n_cases: f64,
        level: Level,
        base_rate: BaseRate,
    ) -> Result<Interval, NoInterval> {
        let Variance { total, kurtosis_df, skewness, n_rows: n, .. } = self.scaled_variance(base_rate)?;
        let size = n_cases / n;
        let to_come = self.case_variance.map(|variance| variance / (self.unit * self.unit * n_cases));
        let error = (total + to_come.unwrap_or(total / size)).sqrt();
        // Third cumulants of the mean to come and of its forecast have opposite signs.
        let asymmetry = skewness * (1.0 - size * size) / (n_cases.sqrt() * (1.0 + size).powf(1.5));
        let quantile = level.t(kurtosis_df);
        let bent = |q: f64| self.mean + error * (q + asymmetry * (q * q - 1.0) / 6.0);
        let method = IntervalMethod::PredictedSum;
        let skewed = Interval { lower: bent(-quantile), upper: bent(quantile), level, method };
        let interval = if self.is_signed || self.mean <= 0.0 {
            skewed
        } else {
            let logs = level.on_logs(self.mean, error, quantile);
            // A short list may hold nothing at all, whatever the sample holds.
            let lower = skewed.lower.min(logs.lower).max(0.0);
            Interval { lower, upper: logs.upper.min(LARGEST_FACTOR * self.mean).max(skewed.upper), ..skewed }
        };
        Ok(interval.mapped(|mean| mean * self.unit))
    }

    /// The standard error where all positives that are found bring in the same, as if of the share of positives found:
    /// another sample need not be unanimous.
    fn unanimous_error(&self, level: Level) -> f64 {
        let relative = |found: f64| level.widened(found, self.moments.effective[0]).sqrt() / found;
        self.mean.abs() * self.found.map_or(0.0, relative)
    }
}
