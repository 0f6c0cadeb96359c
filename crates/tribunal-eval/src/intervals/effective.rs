//! Intervals from a variance that was estimated: on as many cases as vary like it, or on transformed scales.
//!
//! A variance estimated from few or unanimous cases is too small where it matters most: three of three positives ranked above
//! all negatives have a variance of zero. So shares are smoothed as Wilson does it before a variance is turned into a number
//! of cases, and that number is given to Wilson's interval. References: Wilson (1927); Brown, Cai & DasGupta (2001), "Interval
//! estimation for a binomial proportion"; Korn & Graubard (1998) for effective sample sizes; Zou & Donner (2008) for adding arms of intervals;
//! Hall (1992), "On the removal of skewness by transformation".

use super::interval::{Interval, IntervalMethod, Level};
use super::proportion::{Proportion, wilson_with_z};
use tribunal_tails::{gamma_quantile, t_quantile};

/// Beyond so many degrees of freedom Student's t is normal to the last digits that anybody reads.
const MANY_DF: f64 = 1e7;
/// A variance below so much of that of one case is what rounding leaves of none.
const ROUNDING: f64 = 1e-12;
/// Up to so many successes Wilson's lower end is too high.
const FEW: f64 = 3.5;

impl Level {
    /// The two-sided quantile of Student's t.
    pub(crate) fn t(self, df: f64) -> f64 {
        if df < MANY_DF { t_quantile(self.tail(), df.max(1.0)) } else { self.z() }
    }

    /// `f` of `m` cases with Wilson's `z²/2` successes and failures added.
    pub(crate) fn smoothed(self, f: f64, m: f64) -> f64 {
        let z2 = self.z().powi(2);
        (f * m + z2 / 2.0) / (m + z2)
    }

    /// By how much smoothing widens the variance of a share of `m` cases.
    pub(crate) fn widened(self, f: f64, m: f64) -> f64 {
        let s = self.smoothed(f, m);
        (s * (1.0 - s) - f * (1.0 - f)).max(0.0) / m
    }

    /// As many independent cases as a share needs to vary like `variance`; `m` where the variance vanishes.
    pub(crate) fn effective(self, f: f64, variance: f64, m: f64) -> f64 {
        // Shares near one half are not widened by smoothing, and unanimous cases would be worth any number.
        if variance * m <= ROUNDING {
            return m;
        }
        let s = self.smoothed(f, m);
        s * (1.0 - s) / (variance + self.widened(f, m))
    }

    /// Wilson's interval of a share of so many cases, with any quantile.
    pub(crate) fn wilson(self, f: f64, n: f64, quantile: f64) -> Interval {
        let f = f.clamp(0.0, 1.0);
        let interval = match Proportion::new(f * n, n) {
            Ok(share) => wilson_with_z(share, self, quantile),
            Err(_) => Interval { lower: 0.0, upper: 1.0, level: self, method: IntervalMethod::Wilson },
        };
        // At the edges rounding of `f n / n` must not leave the exact end.
        Interval {
            lower: if f == 0.0 { 0.0 } else { interval.lower },
            upper: if f == 1.0 { 1.0 } else { interval.upper },
            ..interval
        }
    }

    /// Wilson's interval whose ends are moved out where a few successes or failures decide: by the quantile of the number of
    /// events that the observed ones exclude.
    pub(crate) fn edge_wilson(self, f: f64, n: f64) -> Interval {
        let Interval { mut lower, mut upper, .. } = self.wilson(f, n, self.z());
        let events = |share: f64| Some(share * n).filter(|events| *events > 0.0 && *events <= FEW);
        if let Some(successes) = events(f) {
            lower = lower.min(gamma_quantile(successes, self.alpha()) / n);
        }
        if let Some(failures) = events(1.0 - f) {
            upper = upper.max(1.0 - gamma_quantile(failures, self.alpha()) / n);
        }
        Interval { lower, upper, level: self, method: IntervalMethod::EffectiveWilson }
    }

    /// `x exp(∓ q SE / x)`: for figures above zero.
    pub(crate) fn on_logs(self, x: f64, standard_error: f64, quantile: f64) -> Interval {
        let step = (quantile * standard_error / x).exp();
        Interval { lower: x / step, upper: x * step, level: self, method: IntervalMethod::InfluenceLog }
    }

    /// The mean of skewed values on their own scale: `x - SE g(q)` and `x - SE g(-q)`, where `g` undoes the skewness of the
    /// studentised mean by a cubic. `asymmetry` is the skewness of the values over the root of their number (Hall 1992).
    pub(crate) fn on_skewed(self, x: f64, standard_error: f64, asymmetry: f64, quantile: f64) -> Interval {
        let a = asymmetry;
        let straight = |t: f64| match a.abs() < 1e-9 {
            true => t,
            false => 3.0 * ((1.0 + a * (t - a / 6.0)).cbrt() - 1.0) / a,
        };
        Interval {
            lower: x - standard_error * straight(quantile),
            upper: x - standard_error * straight(-quantile),
            level: self,
            method: IntervalMethod::InfluenceHall,
        }
    }

    /// `logit x ∓ q SE / (x (1 - x))`, taken back: for figures strictly between 0 and 1.
    pub(crate) fn on_logits(self, x: f64, standard_error: f64, quantile: f64) -> Interval {
        let (odds, step) = (x / (1.0 - x), (quantile * standard_error / (x * (1.0 - x))).exp());
        let share = |odds: f64| if odds.is_finite() { odds / (1.0 + odds) } else { 1.0 };
        Interval {
            lower: share(odds / step),
            upper: share(odds * step),
            level: self,
            method: IntervalMethod::InfluenceLogit,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_independent_cases_is_worth_about_as_many_cases() {
        let level = Level::P95;
        let (f, n) = (0.3, 400.0);
        assert!((level.effective(f, f * (1.0 - f) / n, n) - n).abs() < 1.0);
        for f in [0.0, 0.3, 0.5, 1.0] {
            assert_eq!(level.effective(f, 0.0, 12.0), 12.0);
        }
    }
}
