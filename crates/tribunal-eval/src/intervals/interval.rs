//! An interval with its level and its method, and the level itself.
//!
//! The ends alone mislead: an 80 % interval and a 95 % one look alike on paper, and a Wald interval is not a Wilson
//! interval. So the four travel together. Reference: Neyman (1937), "Outline of a theory of statistical estimation".

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::checks::within;
use crate::error::Error;
use tribunal_tails::normal_quantile_upper;

/// A confidence level, strictly between 0 and 1.
///
/// The same type says the level of a test: a test at the 5 % level is asked for with `Level::new(0.95)`.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(into = "f64", try_from = "f64")]
pub struct Level(f64);

impl Level {
    /// The usual 95 %.
    pub const P95: Level = Level(0.95);

    /// A level strictly between 0 and 1.
    ///
    /// **Undefined when** the level is 0, 1 or outside; 95 % is written 0.95.
    ///
    /// **Example**
    /// ```
    /// use tribunal_eval::intervals::Level;
    /// assert_eq!(Level::new(0.80)?.get(), 0.80);
    /// let refused = Level::new(95.0).expect_err("95 is not a level");
    /// assert_eq!(refused.to_string(), "the confidence level is 95; expected a number between 0 and 1, such as 0.95");
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    pub fn new(level: f64) -> Result<Self, Error> {
        let usable = level > 0.0 && level < 1.0;
        within("the confidence level", level, usable, "a number between 0 and 1, such as 0.95").map(Self)
    }

    /// The level as a number.
    pub fn get(self) -> f64 {
        self.0
    }

    /// What lies outside the interval in each tail, `(1 - level) / 2`.
    pub fn tail(self) -> f64 {
        self.alpha() / 2.0
    }

    /// The level of the matching test, `1 - level`.
    pub fn alpha(self) -> f64 {
        1.0 - self.0
    }

    /// The two-sided normal quantile of the level: 1.959964 for 95 %.
    ///
    /// **Example**
    /// ```
    /// use tribunal_eval::intervals::Level;
    /// assert!((Level::P95.z() - 1.959963984540054).abs() < 1e-15);
    /// ```
    pub fn z(self) -> f64 {
        normal_quantile_upper(self.tail())
    }
}

impl From<Level> for f64 {
    fn from(level: Level) -> f64 {
        level.0
    }
}

impl TryFrom<f64> for Level {
    type Error = Error;

    fn try_from(level: f64) -> Result<Self, Error> {
        Self::new(level)
    }
}

impl Default for Level {
    fn default() -> Self {
        Self::P95
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Rounded, so that 0.57 does not print as 56.99999999999999 %.
        write!(f, "{} %", (self.0 * 1e8).round() / 1e6)
    }
}

/// How an interval was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum IntervalMethod {
    /// Wilson's score interval of a proportion.
    Wilson,
    /// The normal interval of a proportion.
    Wald,
    /// The exact interval of a proportion.
    ClopperPearson,
    /// An AUROC with Hanley and McNeil's standard error.
    HanleyMcneil,
    /// The same on the logit scale.
    HanleyMcneilLogit,
    /// An AUROC with DeLong's standard error.
    Delong,
    /// The same on the logit scale.
    DelongLogit,
    /// Quantiles of the bootstrap replicates.
    BootstrapPercentile,
    /// Normal quantiles times the spread of the replicates.
    BootstrapNormal,
    /// The same around the estimate less its bias.
    BootstrapCorrected,
    /// Quantiles of the replicates mirrored at the estimate.
    BootstrapBasic,
    /// Quantiles of the replicates, corrected for bias and acceleration.
    BootstrapBca,
    /// Wilson's interval on as many independent cases as vary like the replicates.
    BootstrapWilson,
    /// A regression coefficient with a standard error that holds though the model may be wrong.
    Sandwich,
    /// A mean with Student's t.
    StudentT,
    /// A mean with Student's t and the variance corrected for overlapping training sets.
    CorrectedT,
    /// A mean over the folds of one cross-validation with Student's t and a larger standard error for shared training rows.
    FoldT,
    /// The first difference of a five by two cross-validation with Student's t.
    FiveByTwo,
    /// Simultaneous over all pairs, by the studentized range.
    Tukey,
    /// A difference of paired proportions, adjusted Wald.
    BonettPrice,
    /// Wilson's interval on as many independent cases as vary like the influence function.
    EffectiveWilson,
    /// The standard error of the influence function with Student's t, on the logit scale.
    InfluenceLogit,
    /// The same on the log scale.
    InfluenceLog,
    /// The same on the scale of the figure.
    InfluenceT,
    /// The same around the estimate less what chance adds to it.
    InfluenceCorrected,
    /// Arms of two intervals added as squares (Zou and Donner 2008).
    SquareAndAdd,
    /// Fisher's z of a correlation.
    FisherZ,
    /// The standard error of the influence function with Student's t, corrected for skewness (Hall 1992).
    InfluenceHall,
    /// A number of cases in another sample: both samples estimate the share (Krishnamoorthy and Peng 2011).
    PredictedCount,
    /// A sum over another sample, by the variance and the skewness of cases in both.
    PredictedSum,
}

impl IntervalMethod {
    /// The name used in results, for example `wilson`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wilson => "wilson",
            Self::Wald => "wald",
            Self::ClopperPearson => "clopper_pearson",
            Self::HanleyMcneil => "hanley_mcneil",
            Self::HanleyMcneilLogit => "hanley_mcneil_logit",
            Self::Delong => "delong",
            Self::DelongLogit => "delong_logit",
            Self::BootstrapPercentile => "bootstrap_percentile",
            Self::BootstrapNormal => "bootstrap_normal",
            Self::BootstrapCorrected => "bootstrap_corrected",
            Self::BootstrapBasic => "bootstrap_basic",
            Self::BootstrapBca => "bootstrap_bca",
            Self::BootstrapWilson => "bootstrap_wilson",
            Self::Sandwich => "sandwich",
            Self::StudentT => "student_t",
            Self::CorrectedT => "corrected_t",
            Self::FoldT => "fold_t",
            Self::FiveByTwo => "five_by_two",
            Self::Tukey => "tukey",
            Self::BonettPrice => "bonett_price",
            Self::EffectiveWilson => "effective_wilson",
            Self::InfluenceLogit => "influence_logit",
            Self::InfluenceLog => "influence_log",
            Self::InfluenceT => "influence_t",
            Self::InfluenceCorrected => "influence_corrected",
            Self::SquareAndAdd => "square_and_add",
            Self::FisherZ => "fisher_z",
            Self::InfluenceHall => "influence_hall",
            Self::PredictedCount => "predicted_count",
            Self::PredictedSum => "predicted_sum",
        }
    }
}

/// Two ends, the level they were asked at and the method that made them.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Interval {
    /// The lower end.
    pub lower: f64,
    /// The upper end.
    pub upper: f64,
    /// The confidence level.
    pub level: Level,
    /// How the interval was made.
    pub method: IntervalMethod,
}

impl Interval {
    /// The interval `centre ± half_width`.
    pub(crate) fn around(centre: f64, half_width: f64, level: Level, method: IntervalMethod) -> Self {
        Self { lower: centre - half_width, upper: centre + half_width, level, method }
    }

    /// The ends taken through a rising function.
    pub(crate) fn mapped(self, of: impl Fn(f64) -> f64) -> Self {
        Self { lower: of(self.lower), upper: of(self.upper), ..self }
    }

    /// The same, made in another way.
    pub(crate) fn mapped_as(self, of: impl Fn(f64) -> f64, method: IntervalMethod) -> Self {
        Self { method, ..self.mapped(of) }
    }

    /// The same interval, made wider where it does not hold the figure that is shown beside it.
    pub(crate) fn holding(self, figure: f64) -> Self {
        match figure.is_finite() {
            true => Self { lower: self.lower.min(figure), upper: self.upper.max(figure), ..self },
            false => self,
        }
    }

    /// The same interval, made wider where it does not hold all of another.
    pub(crate) fn holding_interval(self, other: Option<Self>) -> Self {
        other.map_or(self, |other| self.holding(other.lower).holding(other.upper))
    }

    /// The interval of a multiple.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        let ends = [factor * self.lower, factor * self.upper];
        Self { lower: ends[0].min(ends[1]), upper: ends[0].max(ends[1]), ..self }
    }

    /// The interval of a sum of two figures from those of the figures, their arms added as squares with the correlation of the
    /// figures (Zou and Donner 2008).
    pub(crate) fn plus(self, figure: f64, other: Self, other_figure: f64, correlation: f64) -> Self {
        let arm = |a: f64, b: f64| (a * a + b * b + 2.0 * correlation * a * b).max(0.0).sqrt();
        let sum = figure + other_figure;
        Self {
            lower: sum - arm(figure - self.lower, other_figure - other.lower),
            upper: sum + arm(self.upper - figure, other.upper - other_figure),
            level: self.level,
            method: IntervalMethod::SquareAndAdd,
        }
    }

    /// The same interval cut to `[lowest, highest]`.
    pub fn clipped(self, lowest: f64, highest: f64) -> Self {
        Self { lower: self.lower.clamp(lowest, highest), upper: self.upper.clamp(lowest, highest), ..self }
    }

    /// Whether `value` lies in the interval, ends included.
    pub fn contains(&self, value: f64) -> bool {
        self.lower <= value && value <= self.upper
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_outside_the_open_unit_interval_are_refused() {
        for level in [0.0, 1.0, -0.1, 95.0, f64::NAN, f64::INFINITY] {
            assert!(Level::new(level).is_err(), "{level} was taken for a level");
        }
    }

    #[test]
    fn a_level_prints_as_a_percentage() {
        assert_eq!(Level::new(0.57).expect("a level").to_string(), "57 %");
        assert_eq!(Level::new(0.999).expect("a level").to_string(), "99.9 %");
    }

    #[test]
    fn an_interval_serialises_flat_and_with_the_name_of_its_method() {
        let interval = Interval::around(0.5, 0.25, Level::P95, IntervalMethod::ClopperPearson);
        let json = serde_json::to_string(&interval).expect("an interval serialises");
        assert_eq!(json, r#"{"lower":0.25,"upper":0.75,"level":0.95,"method":"clopper_pearson"}"#);
        let name = serde_json::to_value(IntervalMethod::HanleyMcneilLogit).expect("a method serialises");
        assert_eq!(name, IntervalMethod::HanleyMcneilLogit.name());
    }
}
