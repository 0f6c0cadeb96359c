//! Intervals of an AUROC from its standard error, and Hanley and McNeil's standard error.
//!
//! Hanley and McNeil need only the AUROC and the class sizes, by assuming exponential scores; DeLong's error, in
//! the file next door, needs the scores and assumes nothing. References: Hanley & McNeil (1982), "The meaning and use
//! of the area under a ROC curve"; Pepe (2003) for the logit scale.

use serde::{Deserialize, Serialize};

use super::interval::{Interval, IntervalMethod, Level};
use super::unusable::{Unusable, within};

/// How many cases of each class there are; fractions come from weights.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClassCounts {
    /// Positive cases.
    pub positives: f64,
    /// Negative cases.
    pub negatives: f64,
}

impl ClassCounts {
    /// Itself, when each class has at least one case.
    pub(crate) fn validated(self) -> Result<Self, Unusable> {
        let enough = |n: f64| n >= 1.0 && n.is_finite();
        within("the number of positives", self.positives, enough(self.positives), "at least 1")?;
        within("the number of negatives", self.negatives, enough(self.negatives), "at least 1")?;
        Ok(self)
    }
}

/// Where the standard error of an AUROC came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AurocMethod {
    /// From the AUROC and the class sizes.
    HanleyMcneil,
    /// From the placements of the scores.
    Delong,
}

/// An AUROC with the variance of its sampling error.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AurocEstimate {
    /// The area under the ROC curve.
    pub auroc: f64,
    /// The variance of its sampling error.
    pub variance: f64,
    /// Where the variance came from.
    pub method: AurocMethod,
    /// The cases it was computed from.
    pub counts: ClassCounts,
}

impl AurocEstimate {
    /// The standard error, the root of the variance.
    pub fn standard_error(&self) -> f64 {
        self.variance.sqrt()
    }

    /// The plain interval, clipped to `[0, 1]`.
    ///
    /// **Definition** `A ± z SE`.
    ///
    /// **Undefined when** never; at an AUROC of 0 or 1 it has no width, which says nothing about how sure that is.
    ///
    /// **Example**
    /// ```
    /// use tribunal_eval::intervals::{ClassCounts, Level, hanley_mcneil};
    /// let counts = ClassCounts { positives: 50.0, negatives: 100.0 };
    /// let interval = hanley_mcneil(0.8, counts)?.interval(Level::P95);
    /// assert!((interval.lower - 0.719157).abs() < 1e-6);
    /// # Ok::<(), tribunal_eval::intervals::Unusable>(())
    /// ```
    ///
    /// **Reference** Hanley & McNeil (1982); DeLong, DeLong & Clarke-Pearson (1988).
    pub fn interval(&self, level: Level) -> Interval {
        let method = match self.method {
            AurocMethod::HanleyMcneil => IntervalMethod::HanleyMcneil,
            AurocMethod::Delong => IntervalMethod::Delong,
        };
        Interval::around(self.auroc, level.z() * self.standard_error(), level, method).clipped(0.0, 1.0)
    }

    /// The interval on the logit scale, which stays inside `(0, 1)` by itself.
    ///
    /// **Definition** `expit(logit A ± z SE / (A (1 - A)))`.
    ///
    /// **Undefined when** the AUROC is 0 or 1.
    ///
    /// **Example**
    /// ```
    /// use tribunal_eval::intervals::{ClassCounts, Level, hanley_mcneil};
    /// let counts = ClassCounts { positives: 50.0, negatives: 100.0 };
    /// let interval = hanley_mcneil(0.8, counts)?.logit_interval(Level::P95)?;
    /// assert!((interval.lower - 0.707035).abs() < 1e-6);
    /// # Ok::<(), tribunal_eval::intervals::Unusable>(())
    /// ```
    ///
    /// **Reference** Pepe (2003), "The statistical evaluation of medical tests".
    pub fn logit_interval(&self, level: Level) -> Result<Interval, Unusable> {
        let a = self.auroc;
        if a <= 0.0 || a >= 1.0 {
            let reason = "the AUROC is 0 or 1, where the logit is infinite; take the plain interval";
            return Err(Unusable::Undefined { figure: "the logit interval", reason });
        }
        let method = match self.method {
            AurocMethod::HanleyMcneil => IntervalMethod::HanleyMcneilLogit,
            AurocMethod::Delong => IntervalMethod::DelongLogit,
        };
        let logit = libm::log(a / (1.0 - a));
        let on_logits =
            Interval::around(logit, level.z() * self.standard_error() / (a * (1.0 - a)), level, method);
        Ok(Interval { lower: expit(on_logits.lower), upper: expit(on_logits.upper), ..on_logits })
    }
}

fn expit(x: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-x))
}

/// The standard error of an AUROC from its value and the class sizes.
///
/// **Definition** with `Q1 = A / (2 - A)` and `Q2 = 2A² / (1 + A)`:
/// `SE² = [A (1 - A) + (P - 1)(Q1 - A²) + (M - 1)(Q2 - A²)] / (P M)`, for `P` positives and `M` negatives.
///
/// **Undefined when** the AUROC is outside `[0, 1]` or a class has less than one case.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::{ClassCounts, hanley_mcneil_se};
/// let se = hanley_mcneil_se(0.8, ClassCounts { positives: 50.0, negatives: 100.0 })?;
/// assert!((se - 0.041247222).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::intervals::Unusable>(())
/// ```
///
/// **Reference** Hanley & McNeil (1982).
pub fn hanley_mcneil_se(auroc: f64, counts: ClassCounts) -> Result<f64, Unusable> {
    hanley_mcneil(auroc, counts).map(|estimate| estimate.standard_error())
}

/// An AUROC with Hanley and McNeil's variance, ready for an interval.
///
/// **Definition** the square of [`hanley_mcneil_se`].
///
/// **Undefined when** the AUROC is outside `[0, 1]` or a class has less than one case.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::{ClassCounts, Level, hanley_mcneil};
/// let estimate = hanley_mcneil(0.8653, ClassCounts { positives: 396.0, negatives: 1003.0 })?;
/// assert!((estimate.standard_error() - 0.012266073).abs() < 1e-9);
/// assert!(estimate.interval(Level::P95).contains(0.85));
/// # Ok::<(), tribunal_eval::intervals::Unusable>(())
/// ```
///
/// **Reference** Hanley & McNeil (1982).
pub fn hanley_mcneil(auroc: f64, counts: ClassCounts) -> Result<AurocEstimate, Unusable> {
    let a = within("the AUROC", auroc, (0.0..=1.0).contains(&auroc), "from 0 to 1")?;
    let ClassCounts { positives: p, negatives: m } = counts.validated()?;
    let (of_negatives, of_positives) = exponential_excess(a);
    let sum = a * (1.0 - a) + (p - 1.0) * of_negatives + (m - 1.0) * of_positives;
    Ok(AurocEstimate { auroc, variance: sum / (p * m), method: AurocMethod::HanleyMcneil, counts })
}

/// `Q1 - A²` and `Q2 - A²`: the variances of the placements of negatives and of positives under exponential scores.
pub(crate) fn exponential_excess(a: f64) -> (f64, f64) {
    // Factored, so that neither can come out below zero: A(1-A)²/(2-A) and A²(1-A)/(1+A).
    (a * (1.0 - a) * (1.0 - a) / (2.0 - a), a * a * (1.0 - a) / (1.0 + a))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(positives: f64, negatives: f64) -> ClassCounts {
        ClassCounts { positives, negatives }
    }

    #[test]
    fn the_published_standard_errors() {
        for (auroc, positives, negatives, expected) in [
            (0.75, 5.0, 5.0, 0.162348831),
            (0.8, 50.0, 100.0, 0.041247222),
            (0.8653, 396.0, 1003.0, 0.012266073),
        ] {
            let se = hanley_mcneil_se(auroc, counts(positives, negatives)).expect("an AUROC");
            assert!((se - expected).abs() < 1e-9, "{se}");
        }
    }

    #[test]
    fn a_perfect_auroc_has_a_plain_interval_only() {
        let perfect = hanley_mcneil(1.0, counts(10.0, 10.0)).expect("an AUROC");
        assert_eq!((perfect.interval(Level::P95).lower, perfect.interval(Level::P95).upper), (1.0, 1.0));
        assert!(perfect.logit_interval(Level::P95).is_err());
    }

    #[test]
    fn the_plain_interval_is_clipped_and_the_logit_interval_needs_no_clipping() {
        let high = hanley_mcneil(0.95, counts(5.0, 5.0)).expect("an AUROC");
        assert_eq!(high.interval(Level::P95).upper, 1.0);
        let logit = high.logit_interval(Level::P95).expect("an AUROC inside (0, 1)");
        assert!(logit.upper < 1.0 && logit.contains(0.95));
    }

    #[test]
    fn impossible_figures_are_refused() {
        assert!(hanley_mcneil(1.1, counts(5.0, 5.0)).is_err());
        assert!(hanley_mcneil(f64::NAN, counts(5.0, 5.0)).is_err());
        assert!(hanley_mcneil(0.7, counts(0.0, 5.0)).is_err());
    }
}
