//! Bootstrap intervals: arithmetic on replicates that someone else drew.
//!
//! Percentile, basic and bias-corrected accelerated intervals of any figure. Ends are order statistics, not
//! interpolations between them, so that an end is a value the figure really took. References: Efron (1987), "Better
//! bootstrap confidence intervals"; Davison & Hinkley (1997) for the basic interval.

use super::interval::{Interval, IntervalMethod, Level};
use super::normal::normal_quantile;
use crate::checks::{all_finite, at_least, within};
use crate::error::Error;
use tribunal_tails::{normal_sf, normal_two_sided};

/// The values a figure took on bootstrap samples, ascending.
#[derive(Debug, Clone, PartialEq)]
pub struct Replicates(Vec<f64>);

impl Replicates {
    /// Sorts the values.
    ///
    /// **Undefined when** there is none or one is not finite.
    ///
    /// **Example**
    /// ```
    /// use tribunal_eval::intervals::Replicates;
    /// assert_eq!(Replicates::new(vec![0.8, 0.7])?.values(), [0.7, 0.8]);
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    pub fn new(mut values: Vec<f64>) -> Result<Self, Error> {
        at_least("bootstrap replicates", values.len(), 1)?;
        all_finite("replicate", &values)?;
        values.sort_unstable_by(f64::total_cmp);
        Ok(Self(values))
    }

    /// The values, ascending.
    pub fn values(&self) -> &[f64] {
        &self.0
    }

    /// The `ceil(B share)`-th value, the index kept within `1..=B`.
    fn order_statistic(&self, share: f64) -> f64 {
        let n = self.0.len() as f64;
        // 200 * 0.025 comes out a hair above 5; the hair must not move the index.
        let index = (n * share - 1e-12 * n).ceil().clamp(1.0, n);
        self.0[index as usize - 1]
    }

    fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len() as f64
    }

    /// Standard deviation with divisor `B - 1`.
    pub fn standard_deviation(&self) -> Result<f64, Error> {
        at_least("bootstrap replicates", self.0.len(), 2)?;
        let (n, mean) = (self.0.len() as f64, self.mean());
        Ok((self.0.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt())
    }

    /// The share of replicates below `value`, those equal to it counting half.
    fn share_below(&self, value: f64) -> f64 {
        let below = self.0.partition_point(|replicate| *replicate < value);
        let up_to = self.0.partition_point(|replicate| *replicate <= value);
        (below + up_to) as f64 / (2.0 * self.0.len() as f64)
    }
}

/// The percentile interval.
///
/// **Definition** the `ceil(B a)`-th and `ceil(B (1 - a))`-th smallest of `B` replicates, `a = (1 - level) / 2`, indices
/// kept within `1..=B`.
///
/// **Undefined when** never, once the [`Replicates`] exist.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::{Level, Replicates, bootstrap_percentile};
/// let replicates = Replicates::new((1..=200).map(f64::from).collect())?;
/// let interval = bootstrap_percentile(&replicates, Level::P95);
/// assert_eq!((interval.lower, interval.upper), (5.0, 195.0));
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** Efron (1979), "Bootstrap methods: another look at the jackknife".
pub fn bootstrap_percentile(replicates: &Replicates, level: Level) -> Interval {
    Interval {
        lower: replicates.order_statistic(level.tail()),
        upper: replicates.order_statistic(1.0 - level.tail()),
        level,
        method: IntervalMethod::BootstrapPercentile,
    }
}

/// The normal interval: the estimate and normal quantiles times the standard deviation of the replicates.
///
/// **Definition** `estimate ± level.z() s`, `s` with divisor `B - 1`. It asks little of the number of replicates and
/// agrees with the test of [`bootstrap_p`].
///
/// **Undefined when** the estimate is not finite or there is a single replicate.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::{Level, Replicates, bootstrap_normal};
/// let replicates = Replicates::new(vec![-0.1, 0.0, 0.1])?;
/// let interval = bootstrap_normal(&replicates, 0.5, Level::P95)?;
/// assert!((interval.upper - 0.6959963984540054).abs() < 1e-12);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** Efron & Tibshirani (1993), "An introduction to the bootstrap", chapter 13.
pub fn bootstrap_normal(replicates: &Replicates, estimate: f64, level: Level) -> Result<Interval, Error> {
    within("the estimate", estimate, estimate.is_finite(), "a finite number")?;
    let half_width = level.z() * replicates.standard_deviation()?;
    let method = IntervalMethod::BootstrapNormal;
    Ok(Interval { lower: estimate - half_width, upper: estimate + half_width, level, method })
}

/// The normal interval around the estimate less its bias: for figures that are the best of many, which chance inflates.
///
/// **Definition** `2 estimate - mean ± level.z() s` with mean and standard deviation of the replicates: by how much the
/// replicates overshoot the estimate, the estimate is taken to overshoot the truth.
///
/// **Undefined when** the estimate is not finite or there is a single replicate.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::{Level, Replicates, bootstrap_corrected};
/// let replicates = Replicates::new(vec![0.5, 0.6, 0.7])?;
/// let interval = bootstrap_corrected(&replicates, 0.5, Level::P95)?;
/// assert!((interval.lower + interval.upper - 0.8).abs() < 1e-12);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** Davison & Hinkley (1997), section 5.2.1.
pub fn bootstrap_corrected(replicates: &Replicates, estimate: f64, level: Level) -> Result<Interval, Error> {
    let centre = 2.0 * estimate - replicates.mean();
    let interval = bootstrap_normal(replicates, centre, level)?;
    Ok(Interval { method: IntervalMethod::BootstrapCorrected, ..interval })
}

/// The interval of a figure between 0 and 1 that varies like its replicates: Wilson's, on as many cases as vary alike.
///
/// **Definition** Wilson's interval with Student's t on `rarer - 1` degrees of freedom around the centre - the estimate, or where
/// chance inflates the figure the estimate less its bias, for the lower end less twice the bias - with as many cases as give the variance of the replicates, made wider
/// where it does not hold the estimate. Replicates that never vary count as `rarer` cases, so that it always has a width.
///
/// **Undefined when** the estimate is not finite, there is a single replicate, or the rarer class has fewer than two cases.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::{Inflation, Level, Replicates, bootstrap_wilson};
/// let perfect = Replicates::new(vec![1.0; 200])?;
/// let interval = bootstrap_wilson(&perfect, 1.0, 12.0, Inflation::None, Level::P95)?;
/// assert!(interval.lower > 0.5 && interval.lower < 0.8 && interval.upper == 1.0);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** Wilson (1927); Korn & Graubard (1998) for the effective number of cases.
pub fn bootstrap_wilson(
    replicates: &Replicates,
    estimate: f64,
    rarer: f64,
    inflation: Inflation,
    level: Level,
) -> Result<Interval, Error> {
    within("the estimate", estimate, (0.0..=1.0).contains(&estimate), "from 0 to 1")?;
    within("the number of cases of the rarer class", rarer, rarer >= 2.0, "2 or more")?;
    let bias = match inflation {
        Inflation::None => 0.0,
        Inflation::ByChance => replicates.mean() - estimate,
    };
    let variance = replicates.standard_deviation()?.powi(2);
    let around = |centre: f64| {
        let centre = centre.clamp(0.0, 1.0);
        level.wilson(centre, level.effective(centre, variance, rarer), level.t(rarer - 1.0))
    };
    let interval = around(estimate - bias).holding(estimate);
    // Replicates of a sample show a part of what chance adds to the sample itself.
    let lower = interval.lower.min(around(estimate - 2.0 * bias.max(0.0)).lower);
    Ok(Interval { lower, method: IntervalMethod::BootstrapWilson, ..interval })
}

/// Whether chance inflates a figure, as it does the best of many and distances that cannot fall below zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Inflation {
    /// It does not.
    None,
    /// It does: by how much the replicates overshoot the estimate, the estimate is taken to overshoot the truth.
    ByChance,
}

/// How likely so large a difference is where there is none, both signs counted.
///
/// **Definition** the two-sided normal tail of the difference divided by the standard deviation of its replicates;
/// 1 where the difference is 0, 0 where it is not and the replicates never vary.
///
/// **Undefined when** the difference is not finite or there is a single replicate.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::{Replicates, bootstrap_p};
/// let replicates = Replicates::new(vec![-0.1, 0.0, 0.1])?;
/// assert!((bootstrap_p(&replicates, 0.1959963984540054)? - 0.05).abs() < 1e-12);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** Hanley & McNeil (1983); the bootstrap test of Robin and colleagues (2011), pROC.
pub fn bootstrap_p(replicates: &Replicates, difference: f64) -> Result<f64, Error> {
    within("the difference", difference, difference.is_finite(), "a finite number")?;
    let error = replicates.standard_deviation()?;
    Ok(if difference == 0.0 { 1.0 } else { normal_two_sided(difference / error) })
}

/// The basic interval: the percentile interval mirrored at the estimate.
///
/// **Definition** `2 estimate - upper` to `2 estimate - lower`, with the ends of [`bootstrap_percentile`]. It can leave
/// the range of the figure.
///
/// **Undefined when** the estimate is not finite.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::{Level, Replicates, bootstrap_basic};
/// let replicates = Replicates::new((1..=200).map(f64::from).collect())?;
/// let interval = bootstrap_basic(&replicates, 90.0, Level::P95)?;
/// assert_eq!((interval.lower, interval.upper), (-15.0, 175.0));
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** Davison & Hinkley (1997), "Bootstrap methods and their application".
pub fn bootstrap_basic(replicates: &Replicates, estimate: f64, level: Level) -> Result<Interval, Error> {
    within("the estimate", estimate, estimate.is_finite(), "a finite number")?;
    let percentile = bootstrap_percentile(replicates, level);
    Ok(Interval {
        lower: 2.0 * estimate - percentile.upper,
        upper: 2.0 * estimate - percentile.lower,
        level,
        method: IntervalMethod::BootstrapBasic,
    })
}

/// The acceleration of a figure, from its values with one case left out at a time.
///
/// **Definition** `sum d³ / (6 (sum d²)^1.5)`, `d` being the mean of the values less each value; 0 when they are all
/// equal.
///
/// **Undefined when** there are fewer than two values or one is not finite.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::acceleration;
/// assert_eq!(acceleration(&[1.0, 2.0, 3.0])?, 0.0);
/// assert!(acceleration(&[0.0, 0.0, 0.0, 4.0])? < 0.0);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** Efron (1987).
pub fn acceleration(jackknife: &[f64]) -> Result<f64, Error> {
    stratified_acceleration(&[jackknife])
}

/// The same where cases were drawn within strata: for each stratum the values with one of its cases, or one of its
/// equal groups of cases, left out.
///
/// **Definition** with `d = (G - 1) (mean - value)` over the `G` groups of a stratum,
/// `sum d³ / G³ / (6 (sum d² / G²)^1.5)`, the sums running over all strata; 0 when every stratum's values are equal.
///
/// **Undefined when** there is no stratum, one has fewer than two values, or a value is not finite.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::{acceleration, stratified_acceleration};
/// let values = [0.0, 0.0, 0.0, 4.0];
/// let (one, two) = (acceleration(&values)?, stratified_acceleration(&[&values, &values])?);
/// // Twice as many independent groups are less skewed by the root of two.
/// assert!((one / two - 2f64.sqrt()).abs() < 1e-12);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** Efron (1987); Davison & Hinkley (1997), section 5.4, for several samples.
pub fn stratified_acceleration(strata: &[&[f64]]) -> Result<f64, Error> {
    at_least("strata", strata.len(), 1)?;
    let (mut squares, mut cubes) = (0.0, 0.0);
    for jackknife in strata {
        at_least("jackknife values", jackknife.len(), 2)?;
        all_finite("jackknife value", jackknife)?;
        let n = jackknife.len() as f64;
        let mean = jackknife.iter().sum::<f64>() / n;
        let deviations = || jackknife.iter().map(|value| (mean - value) * (n - 1.0) / n);
        let spread: f64 = deviations().map(|d| d * d).sum();
        // Values that differ by rounding alone are equal.
        if spread > n * (1e-14 * mean).powi(2) {
            squares += spread;
            cubes += deviations().map(|d| d * d * d).sum::<f64>();
        }
    }
    Ok(if squares > 0.0 { cubes / (6.0 * squares.powf(1.5)) } else { 0.0 })
}

/// The bias-corrected accelerated interval.
///
/// **Definition** with `z0` the normal quantile of the share of replicates below the estimate (equal ones count half)
/// and `a` the [`acceleration`], each end is the order statistic at `Phi(z0 + (z0 + z) / (1 - a (z0 + z)))` for
/// `z = ± level.z()`.
///
/// **Undefined when** all replicates lie on one side of the estimate, or the acceleration is so large that the
/// correction turns over.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::{Level, Replicates, bootstrap_bca, bootstrap_percentile};
/// let replicates = Replicates::new((1..=200).map(f64::from).collect())?;
/// // Without bias or acceleration it is the percentile interval.
/// let plain = bootstrap_bca(&replicates, 100.5, 0.0, Level::P95)?;
/// assert_eq!(plain.lower, bootstrap_percentile(&replicates, Level::P95).lower);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** Efron (1987).
pub fn bootstrap_bca(
    replicates: &Replicates,
    estimate: f64,
    acceleration: f64,
    level: Level,
) -> Result<Interval, Error> {
    within("the estimate", estimate, estimate.is_finite(), "a finite number")?;
    within("the acceleration", acceleration, acceleration.is_finite(), "a finite number")?;
    let bias = normal_quantile(replicates.share_below(estimate)).map_err(|_| one_sided())?;
    let share = |z: f64| corrected_share(bias, acceleration, z);
    Ok(Interval {
        lower: replicates.order_statistic(share(-level.z())?),
        upper: replicates.order_statistic(share(level.z())?),
        level,
        method: IntervalMethod::BootstrapBca,
    })
}

/// The share of replicates at which an end of the corrected interval lies.
fn corrected_share(bias: f64, acceleration: f64, z: f64) -> Result<f64, Error> {
    let shifted = bias + z;
    let slack = 1.0 - acceleration * shifted;
    if slack <= 0.0 {
        let reason = "the acceleration is too large for this level; take the percentile interval";
        return Err(Error::UndefinedFigure { figure: "the BCa interval", reason });
    }
    Ok(normal_sf(-(bias + shifted / slack)))
}

fn one_sided() -> Error {
    let reason = "all replicates lie on one side of the estimate; draw more or take the percentile interval";
    Error::UndefinedFigure { figure: "the BCa interval", reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hundred() -> Replicates {
        Replicates::new((1..=100).rev().map(f64::from).collect()).expect("finite replicates")
    }

    #[test]
    fn indices_are_rounded_up_and_kept_inside() {
        let check = |n: i32, level: f64, expected: (f64, f64)| {
            let replicates = Replicates::new((1..=n).map(f64::from).collect()).expect("finite replicates");
            let interval = bootstrap_percentile(&replicates, Level::new(level).expect("a level"));
            assert_eq!((interval.lower, interval.upper), expected, "{n} replicates at {level}");
        };
        check(200, 0.95, (5.0, 195.0));
        check(1000, 0.95, (25.0, 975.0));
        check(1_000_000, 0.95, (25_000.0, 975_000.0));
        check(50, 0.95, (2.0, 49.0));
        check(10, 0.999, (1.0, 10.0));
        check(1, 0.95, (1.0, 1.0));
        check(100, 0.80, (10.0, 90.0));
    }

    #[test]
    fn the_basic_interval_mirrors_the_percentile_interval() {
        let interval =
            bootstrap_basic(&hundred(), 40.0, Level::new(0.80).expect("a level")).expect("an estimate");
        assert_eq!((interval.lower, interval.upper), (-10.0, 70.0));
    }

    /// Against the formula worked by hand: bias z0 = Phi^-1(0.395), a = 0.05, 90 %.
    #[test]
    fn bca_shifts_the_ends() {
        let level = Level::new(0.90).expect("a level");
        let interval = bootstrap_bca(&hundred(), 40.0, 0.05, level).expect("replicates on both sides");
        assert_eq!((interval.lower, interval.upper), (3.0, 89.0));
    }

    #[test]
    fn equal_replicates_give_a_point() {
        let replicates = Replicates::new(vec![0.7; 50]).expect("finite replicates");
        let interval = bootstrap_bca(&replicates, 0.7, 0.0, Level::P95).expect("no bias");
        assert_eq!((interval.lower, interval.upper), (0.7, 0.7));
        assert_eq!(acceleration(&[0.7; 9]).expect("finite values"), 0.0);
    }

    #[test]
    fn unusable_replicates_are_refused() {
        assert!(Replicates::new(vec![]).is_err());
        assert!(Replicates::new(vec![1.0, f64::NAN]).is_err());
        assert!(bootstrap_bca(&hundred(), 0.0, 0.0, Level::P95).is_err());
        assert!(bootstrap_bca(&hundred(), 50.0, 0.9, Level::P95).is_err());
        assert!(bootstrap_basic(&hundred(), f64::NAN, Level::P95).is_err());
    }
}
