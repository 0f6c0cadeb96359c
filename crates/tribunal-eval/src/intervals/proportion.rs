//! Intervals of a share of cases: Wilson, Wald and Clopper-Pearson.
//!
//! Counts may be real numbers, so that weighted cases can come in as effective counts. References: Wilson (1927),
//! "Probable inference"; Clopper & Pearson (1934); Brown, Cai & DasGupta (2001) for which to prefer (Wilson); Kish
//! (1965) for the effective number of weighted cases.

use super::interval::{Interval, IntervalMethod, Level};
use crate::checks::within;
use crate::error::Error;
use tribunal_tails::beta_quantile;

/// So many successes among so many cases.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Proportion {
    successes: f64,
    n: f64,
}

impl Proportion {
    /// `successes` out of `n`; both may be fractions of a case.
    ///
    /// **Undefined when** there is no case, or the successes are negative or more than the cases.
    ///
    /// **Example**
    /// ```
    /// use tribunal_eval::intervals::Proportion;
    /// assert_eq!(Proportion::new(3.0, 4.0)?.share(), 0.75);
    /// assert!(Proportion::new(5.0, 4.0).is_err());
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    pub fn new(successes: f64, n: f64) -> Result<Self, Error> {
        within("the number of cases", n, n > 0.0 && n.is_finite(), "more than 0")?;
        let usable = (0.0..=n).contains(&successes);
        within("the number of successes", successes, usable, "from 0 to the number of cases")?;
        Ok(Self { successes, n })
    }

    /// The share of weighted cases, on as many equally weighted cases as would vary as much.
    ///
    /// **Definition** share `successes / total` on `n = total^2 / squares` cases, where `total` is the sum of the
    /// weights, `squares` the sum of their squares and `successes` the sum over the successes.
    ///
    /// **Undefined when** no weight is positive, or the successes weigh more than all cases.
    ///
    /// **Example**
    /// ```
    /// use tribunal_eval::intervals::Proportion;
    /// // Ten cases of weight 2, five of them successes, count as ten.
    /// let share = Proportion::weighted(10.0, 20.0, 40.0)?;
    /// assert_eq!((share.share(), share.n()), (0.5, 10.0));
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    ///
    /// **Reference** Kish (1965), "Survey sampling".
    pub fn weighted(successes: f64, total: f64, squares: f64) -> Result<Self, Error> {
        let weights = Self::new(successes, total)?;
        within("the sum of squared weights", squares, squares > 0.0 && squares.is_finite(), "more than 0")?;
        let n = total * total / squares;
        Self::new(weights.share() * n, n)
    }

    /// Successes per case.
    pub fn share(self) -> f64 {
        self.successes / self.n
    }

    /// The number of cases.
    pub fn n(self) -> f64 {
        self.n
    }

    /// The number of successes.
    pub fn successes(self) -> f64 {
        self.successes
    }
}

/// Wilson's score interval.
///
/// **Definition** `(f + z²/2n ± z sqrt(f/n - f²/n + z²/4n²)) / (1 + z²/n)`, where `f` is the share, `n` the number of
/// cases and `z` the two-sided normal quantile of the level.
///
/// **Undefined when** never, once the [`Proportion`] exists.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::{Level, Proportion, wilson};
/// let none_of_twenty = wilson(Proportion::new(0.0, 20.0)?, Level::P95);
/// assert_eq!(none_of_twenty.lower, 0.0);
/// assert!((none_of_twenty.upper - 0.161125158).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** Wilson (1927).
pub fn wilson(proportion: Proportion, level: Level) -> Interval {
    wilson_with_z(proportion, level, level.z())
}

/// [`wilson`] with a `z` read from a table instead of computed from the level.
///
/// **Definition** as [`wilson`]; the level is only carried along.
///
/// **Undefined when** never; the sign of `z` is ignored.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::{Level, Proportion, wilson_with_z};
/// // With the table's 1.28 the lower end prints as 0.549; with the exact quantile it would print as 0.548.
/// let interval = wilson_with_z(Proportion::new(7.5, 10.0)?, Level::new(0.80)?, 1.28);
/// assert_eq!(format!("{:.3} {:.3}", interval.lower, interval.upper), "0.549 0.881");
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** Wilson (1927); Witten & Frank (2005) for the table's z.
pub fn wilson_with_z(proportion: Proportion, level: Level, z: f64) -> Interval {
    let (f, n) = (proportion.share(), proportion.n);
    let z2_n = z * z / n;
    let centre = (f + z2_n / 2.0) / (1.0 + z2_n);
    let half_width = z.abs() * ((f * (1.0 - f) + z2_n / 4.0) / n).sqrt() / (1.0 + z2_n);
    let interval = Interval::around(centre, half_width, level, IntervalMethod::Wilson).clipped(0.0, 1.0);
    with_exact_ends(interval, proportion)
}

/// At no successes the lower end is 0, at all successes the upper end is 1; rounding must not say otherwise.
fn with_exact_ends(interval: Interval, proportion: Proportion) -> Interval {
    let lower = if proportion.successes == 0.0 { 0.0 } else { interval.lower };
    let upper = if proportion.successes == proportion.n { 1.0 } else { interval.upper };
    Interval { lower, upper, ..interval }
}

/// The normal interval, clipped to `[0, 1]`.
///
/// **Definition** `f ± z sqrt(f (1 - f) / n)`. It has no width at shares of 0 and 1 and is too narrow near them; prefer
/// [`wilson`].
///
/// **Undefined when** never, once the [`Proportion`] exists.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::{Level, Proportion, wald};
/// let interval = wald(Proportion::new(75.0, 100.0)?, Level::new(0.80)?);
/// assert!((interval.lower - 0.694507189).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** Laplace (1812); Brown, Cai & DasGupta (2001) for its faults.
pub fn wald(proportion: Proportion, level: Level) -> Interval {
    wald_with_z(proportion, level, level.z())
}

/// [`wald`] with a `z` read from a table instead of computed from the level.
///
/// **Definition** as [`wald`]; the level is only carried along.
///
/// **Undefined when** never; the sign of `z` is ignored.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::{Level, Proportion, wald_with_z};
/// let interval = wald_with_z(Proportion::new(50.0, 100.0)?, Level::new(0.80)?, 1.28);
/// assert!((interval.upper - 0.564).abs() < 1e-12);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** as [`wald`].
pub fn wald_with_z(proportion: Proportion, level: Level, z: f64) -> Interval {
    let f = proportion.share();
    let half_width = z.abs() * (f * (1.0 - f) / proportion.n).sqrt();
    Interval::around(f, half_width, level, IntervalMethod::Wald).clipped(0.0, 1.0)
}

/// The exact interval of Clopper and Pearson.
///
/// **Definition** the beta quantiles `B(a; s, n - s + 1)` and `B(1 - a; s + 1, n - s)`, where `s` is the number of
/// successes and `a = (1 - level) / 2`; 0 below when `s = 0`, 1 above when `s = n`. It covers at least its level, often
/// more.
///
/// **Undefined when** never, once the [`Proportion`] exists.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::{Level, Proportion, clopper_pearson};
/// let interval = clopper_pearson(Proportion::new(75.0, 100.0)?, Level::new(0.80)?);
/// assert!((interval.lower - 0.685968854).abs() < 1e-9);
/// assert!((interval.upper - 0.806224026).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** Clopper & Pearson (1934).
pub fn clopper_pearson(proportion: Proportion, level: Level) -> Interval {
    let (s, failures, a) = (proportion.successes, proportion.n - proportion.successes, level.tail());
    let lower = if s > 0.0 { beta_quantile(a, s, failures + 1.0) } else { 0.0 };
    // By symmetry, so that an upper end near 1 keeps its distance from it.
    let upper = if failures > 0.0 { 1.0 - beta_quantile(a, failures, s + 1.0) } else { 1.0 };
    Interval { lower, upper, level, method: IntervalMethod::ClopperPearson }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(interval: Interval, lower: f64, upper: f64, tolerance: f64) {
        assert!((interval.lower - lower).abs() < tolerance, "lower end of {interval:?}, expected {lower}");
        assert!((interval.upper - upper).abs() < tolerance, "upper end of {interval:?}, expected {upper}");
    }

    fn of(successes: f64, n: f64) -> Proportion {
        Proportion::new(successes, n).expect("a proportion")
    }

    /// Three quarters of 1000, 100 and 10 cases at 80 %: Wilson with the table's z of 1.28 and with the exact one.
    #[test]
    fn wilson_at_three_quarters() {
        let level = Level::new(0.80).expect("a level");
        for (n, table, exact) in [
            (1000.0, (0.732074, 0.767109), (0.732051, 0.767129)),
            (100.0, (0.690845, 0.801095), (0.690770, 0.801151)),
            (10.0, (0.548571, 0.881041), (0.548317, 0.881148)),
        ] {
            check(wilson_with_z(of(0.75 * n, n), level, 1.28), table.0, table.1, 5.1e-7);
            check(wilson(of(0.75 * n, n), level), exact.0, exact.1, 5.1e-7);
        }
    }

    #[test]
    fn the_published_ends_of_the_other_intervals() {
        let level = Level::new(0.80).expect("a level");
        check(wilson(of(0.0, 20.0), Level::P95), 0.0, 0.161125158, 1e-9);
        check(wilson(of(20.0, 20.0), Level::P95), 0.838874842, 1.0, 1e-9);
        check(clopper_pearson(of(75.0, 100.0), level), 0.685968854, 0.806224026, 1e-9);
        check(wald(of(75.0, 100.0), level), 0.694507189, 0.805492811, 1e-9);
    }

    /// At no successes the exact upper end is `1 - a^(1/n)`.
    #[test]
    fn clopper_pearson_without_successes_has_a_closed_form() {
        check(clopper_pearson(of(0.0, 20.0), Level::P95), 0.0, 1.0 - 0.025f64.powf(1.0 / 20.0), 1e-14);
        check(clopper_pearson(of(20.0, 20.0), Level::P95), 0.025f64.powf(1.0 / 20.0), 1.0, 1e-14);
    }

    #[test]
    fn impossible_counts_are_refused() {
        for (s, n) in
            [(0.0, 0.0), (-1.0, 4.0), (5.0, 4.0), (f64::NAN, 4.0), (1.0, f64::NAN), (1.0, f64::INFINITY)]
        {
            assert!(Proportion::new(s, n).is_err(), "{s} of {n}");
        }
        assert!(Proportion::weighted(1.0, 2.0, 0.0).is_err());
    }

    proptest! {
        #[test]
        fn intervals_hold_their_share_and_mirror(s in 0u32..500, more in 0u32..500, level in 0.5f64..0.999) {
            prop_assume!(s + more > 0);
            let (s, n) = (f64::from(s), f64::from(s + more));
            let level = Level::new(level).expect("a level");
            for make in [wilson, wald, clopper_pearson] {
                let (there, mirrored) = (make(of(s, n), level), make(of(n - s, n), level));
                prop_assert!(there.contains(s / n), "{there:?}");
                prop_assert!((there.lower - (1.0 - mirrored.upper)).abs() < 1e-12);
                prop_assert!((0.0..=1.0).contains(&there.lower) && (0.0..=1.0).contains(&there.upper));
            }
        }
    }
}
