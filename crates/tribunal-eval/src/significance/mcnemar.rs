//! McNemar's test: two classifiers on the same rows, judged by the rows on which only one of them is wrong.
//!
//! Four p values are in use. The exact one never errs too often and is the default for fewer than 25 discordant rows;
//! above that the corrected chi-square is the default. The mid-p is less timid than the exact and a good choice at any
//! size. References: McNemar (1947); Edwards (1948) for the correction; Fagerland, Lydersen & Laake (2013) for the mid-p;
//! Bonett & Price (2012) for the interval of the difference.

use serde::{Deserialize, Serialize};

use super::effect::{Effect, ratio};
use super::influence_difference::DifferenceTest;
use crate::checks::within;
use crate::error::Error;
use crate::intervals::{Interval, IntervalMethod, Level};
use tribunal_tails::{binomial_half_cdf, binomial_half_mass, chi_square_sf, normal_two_sided};

/// From so many discordant rows on, chi-square is close enough.
const ENOUGH_FOR_CHI_SQUARE: u64 = 25;

/// How two classifiers fared on the same rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Disagreement {
    only_first_wrong: u64,
    only_second_wrong: u64,
    n_rows: u64,
}

impl Disagreement {
    /// The rows only the first gets wrong, those only the second gets wrong, and all rows.
    ///
    /// **Undefined when** there is no row, or fewer rows than disagreements.
    pub fn new(only_first_wrong: u64, only_second_wrong: u64, n_rows: u64) -> Result<Self, Error> {
        let enough =
            only_first_wrong.checked_add(only_second_wrong).is_some_and(|discordant| discordant <= n_rows);
        within(
            "the number of rows",
            n_rows as f64,
            n_rows > 0 && enough,
            "at least as many as disagreements, and 1",
        )?;
        Ok(Self { only_first_wrong, only_second_wrong, n_rows })
    }

    /// Counted over rows, each saying whether the first and whether the second got it right.
    ///
    /// **Undefined when** there is no row.
    ///
    /// **Example**
    /// ```
    /// use tribunal_eval::significance::Disagreement;
    /// let rows = [(true, true), (false, true), (false, true), (true, false)];
    /// assert_eq!(Disagreement::count(rows)?, Disagreement::new(2, 1, 4)?);
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    pub fn count(right: impl IntoIterator<Item = (bool, bool)>) -> Result<Self, Error> {
        let add = |(first, second, n): (u64, u64, u64), (a, b): (bool, bool)| {
            (first + u64::from(!a && b), second + u64::from(a && !b), n + 1)
        };
        let (first, second, n) = right.into_iter().fold((0, 0, 0), add);
        Self::new(first, second, n)
    }

    fn discordant(self) -> u64 {
        self.only_first_wrong + self.only_second_wrong
    }

    fn smaller(self) -> u64 {
        self.only_first_wrong.min(self.only_second_wrong)
    }

    fn distance(self) -> f64 {
        self.only_first_wrong.abs_diff(self.only_second_wrong) as f64
    }

    /// The first's error rate less the second's, tested by its interval: the p value is below the level if and only if the
    /// interval of Bonett and Price (2012) excludes zero. McNemar's tests need not agree with it.
    ///
    /// ```
    /// use tribunal_eval::{intervals::Level, significance::Disagreement};
    /// let rows = (0..40).map(|row| (row % 4 == 0, row % 10 == 0));
    /// let test = Disagreement::count(rows)?.paired_proportions(Level::P95);
    /// assert_eq!(test.p < 0.05, !test.effect.interval.contains(0.0));
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    pub fn paired_proportions(self, level: Level) -> DifferenceTest {
        let effect = self.effect(level);
        let Interval { lower, upper, .. } = self.unclipped(level);
        let (centre, error) = ((lower + upper) / 2.0, (upper - lower) / (2.0 * level.z()));
        let p = normal_two_sided(ratio(centre, error));
        DifferenceTest { effect, standard_error: error, df: f64::INFINITY, p }
    }

    /// The first's error rate less the second's.
    fn effect(self, level: Level) -> Effect {
        let ahead = self.only_first_wrong as f64 - self.only_second_wrong as f64;
        let difference = ahead / self.n_rows as f64;
        Effect { difference, interval: self.unclipped(level).clipped(-1.0, 1.0) }
    }

    /// The adjusted Wald interval.
    fn unclipped(self, level: Level) -> Interval {
        let share = |part: u64| (part as f64 + 1.0) / (self.n_rows as f64 + 2.0);
        let (first, second) = (share(self.only_first_wrong), share(self.only_second_wrong));
        let centre = first - second;
        let error = ((first + second - centre * centre) / (self.n_rows as f64 + 2.0)).sqrt();
        Interval::around(centre, level.z() * error, level, IntervalMethod::BonettPrice)
    }
}

/// Which p value McNemar's test takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum McnemarVariant {
    /// Chi-square.
    Uncorrected,
    /// Chi-square with Edwards's correction for continuity.
    Corrected,
    /// The binomial distribution.
    Exact,
    /// The binomial distribution, the observed split counting half.
    MidP,
}

/// The outcome of McNemar's test.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Mcnemar {
    /// Which p value was taken.
    pub variant: McnemarVariant,
    /// The error rate of the first less that of the second, with its interval.
    pub effect: Effect,
    /// Chi-square with one degree of freedom; none for the exact variants.
    pub chi_square: Option<f64>,
    /// The degrees of freedom of chi-square.
    pub df: Option<usize>,
    /// The two-sided p value.
    pub p: f64,
}

/// McNemar's test with the usual p value: exact for fewer than 25 discordant rows, else corrected.
///
/// **Definition** see [`mcnemar_with`].
///
/// **Undefined when** never, once the [`Disagreement`] exists.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::Level;
/// use tribunal_eval::significance::{Disagreement, McnemarVariant, mcnemar};
/// let test = mcnemar(Disagreement::new(10, 2, 100)?, Level::P95);
/// assert_eq!(test.variant, McnemarVariant::Exact);
/// assert!((test.p - 0.038574).abs() < 1e-6);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** McNemar (1947).
pub fn mcnemar(disagreement: Disagreement, level: Level) -> Mcnemar {
    let few = disagreement.discordant() < ENOUGH_FOR_CHI_SQUARE;
    mcnemar_with(if few { McnemarVariant::Exact } else { McnemarVariant::Corrected }, disagreement, level)
}

/// McNemar's test with a p value of one's choice.
///
/// **Definition** with `n01` rows only the first gets wrong and `n10` only the second: uncorrected
/// `chi² = (n01 - n10)² / (n01 + n10)`; corrected `max(0, |n01 - n10| - 1)² / (n01 + n10)`; exact
/// `p = min(1, 2 P(X <= min))` for `X` binomial with one half; mid-p the exact one less `P(X = min)`. Without
/// discordant rows `p = 1`.
///
/// **Undefined when** never, once the [`Disagreement`] exists.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::Level;
/// use tribunal_eval::significance::{Disagreement, McnemarVariant, mcnemar_with};
/// let rows = Disagreement::new(25, 15, 500)?;
/// let test = mcnemar_with(McnemarVariant::Uncorrected, rows, Level::P95);
/// assert_eq!(test.chi_square, Some(2.5));
/// assert_eq!(test.effect.difference, 0.02);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** McNemar (1947); Edwards (1948); Fagerland, Lydersen & Laake (2013).
pub fn mcnemar_with(variant: McnemarVariant, disagreement: Disagreement, level: Level) -> Mcnemar {
    let n = disagreement.discordant();
    let chi_square = match variant {
        McnemarVariant::Uncorrected => Some(disagreement.distance()),
        McnemarVariant::Corrected => Some((disagreement.distance() - 1.0).max(0.0)),
        McnemarVariant::Exact | McnemarVariant::MidP => None,
    }
    .map(|distance| if n == 0 { 0.0 } else { distance * distance / n as f64 });
    let p =
        chi_square.map_or_else(|| binomial_p(disagreement, variant), |statistic| chi_square_sf(statistic, 1));
    Mcnemar { variant, effect: disagreement.effect(level), chi_square, df: chi_square.map(|_| 1), p }
}

fn binomial_p(disagreement: Disagreement, variant: McnemarVariant) -> f64 {
    let (smaller, n) = (disagreement.smaller(), disagreement.discordant());
    if n == 0 {
        return 1.0;
    }
    let exact = (2.0 * binomial_half_cdf(smaller, n)).min(1.0);
    if variant == McnemarVariant::MidP { exact - binomial_half_mass(smaller, n) } else { exact }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(n01: u64, n10: u64, uncorrected: (f64, f64), corrected: (f64, f64), exact: f64, mid: f64) {
        let rows = Disagreement::new(n01, n10, 200).expect("enough rows");
        let test = |variant| mcnemar_with(variant, rows, Level::P95);
        for (variant, (chi_square, p)) in
            [(McnemarVariant::Uncorrected, uncorrected), (McnemarVariant::Corrected, corrected)]
        {
            let found = test(variant).chi_square.expect("a chi-square");
            assert!((found - chi_square).abs() <= 5e-7, "{found}, expected {chi_square}");
            assert!((test(variant).p - p).abs() <= 5e-7, "{}, expected {p}", test(variant).p);
        }
        for (variant, p) in [(McnemarVariant::Exact, exact), (McnemarVariant::MidP, mid)] {
            assert!((test(variant).p - p).abs() <= 5e-7, "{}, expected {p}", test(variant).p);
        }
    }

    #[test]
    fn the_published_splits() {
        check(25, 15, (2.5, 0.113846), (2.025, 0.154729), 0.153860, 0.117275);
        check(10, 2, (5.333333, 0.020921), (4.083333, 0.043308), 0.038574, 0.022461);
        check(5, 0, (5.0, 0.025347), (3.2, 0.073638), 0.0625, 0.03125);
        check(7, 7, (0.0, 1.0), (0.0, 1.0), 1.0, 0.790527);
        check(0, 0, (0.0, 1.0), (0.0, 1.0), 1.0, 1.0);
    }

    #[test]
    fn the_default_depends_on_the_discordant_rows() {
        let variant =
            |n01, n10| mcnemar(Disagreement::new(n01, n10, 100).expect("enough rows"), Level::P95).variant;
        assert_eq!(variant(12, 12), McnemarVariant::Exact);
        assert_eq!(variant(13, 12), McnemarVariant::Corrected);
    }

    #[test]
    fn the_interval_covers_the_difference_and_turns_with_it() {
        let effect = |n01, n10| Disagreement::new(n01, n10, 100).expect("enough rows").effect(Level::P95);
        let (there, back) = (effect(10, 2), effect(2, 10));
        assert!((there.difference - 0.08).abs() < 1e-15 && there.interval.contains(0.08));
        assert!((there.interval.lower + back.interval.upper).abs() < 1e-15);
        assert!(effect(0, 0).interval.contains(0.0));
    }

    #[test]
    fn more_disagreements_than_rows_are_refused() {
        assert!(Disagreement::new(3, 3, 5).is_err());
        assert!(Disagreement::new(0, 0, 0).is_err());
        assert!(Disagreement::new(u64::MAX, 1, u64::MAX).is_err());
    }
}
