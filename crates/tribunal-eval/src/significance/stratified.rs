//! Two samples compared within strata: the Cochran-Mantel-Haenszel test, the common odds ratio, and whether it is common at all.
//!
//! Where strata differ between two samples, the plain comparison mixes what differs within strata with which strata there are. The
//! test compares within each stratum and adds up, so many strata of few rows are as good as few of many. A sample is the second
//! beside the first: odds ratios above one and differences above zero say that the second has more.
//!
//! References: Cochran (1954); Mantel and Haenszel (1959); Mantel (1963) and Landis, Heyman and Koch (1978) on scores; Robins, Breslow
//! and Greenland (1986) for the interval; Breslow and Day (1980) and Tarone (1985) for heterogeneity; Mantel and Fleiss (1980) for when
//! chi-square will do.

use serde::{Deserialize, Serialize};
use tribunal_tails::chi_square_sf;

use super::chi_square::ChiSquare;
use crate::checks::at_least;
use crate::error::Error;
use crate::intervals::Level;

/// The rows of a sample in a stratum with what is known of an outcome: 0 and 1, or a number such as an amount.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SampleMoments {
    /// How many rows.
    pub rows: u64,
    /// The sum of their outcomes.
    pub sum: f64,
    /// The sum of the squares.
    pub squares: f64,
}

impl SampleMoments {
    /// Rows of which some are positive.
    pub fn counts(rows: u64, positives: u64) -> Self {
        Self { rows, sum: positives as f64, squares: positives as f64 }
    }

    /// Takes another row in.
    pub fn add(&mut self, outcome: f64) {
        *self = self.plus(Self { rows: 1, sum: outcome, squares: outcome * outcome });
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            rows: self.rows + other.rows,
            sum: self.sum + other.sum,
            squares: self.squares + other.squares,
        }
    }

    /// The mean outcome, for 0 and 1 the share of positives; none without rows.
    pub fn mean(self) -> Option<f64> {
        (self.rows > 0).then(|| self.sum / self.rows as f64)
    }

    /// The sum of squared deviations from the mean.
    fn deviations(self) -> f64 {
        self.mean().map_or(0.0, |mean| (self.squares - self.sum * mean).max(0.0))
    }

    /// The unbiased variance of an outcome; none of fewer than two rows.
    fn variance(self) -> Option<f64> {
        (self.rows > 1).then(|| self.deviations() / (self.rows - 1) as f64)
    }
}

/// A stratum: the rows of both samples that are alike.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Stratum {
    /// Of the first sample.
    pub first: SampleMoments,
    /// Of the second.
    pub second: SampleMoments,
}

impl Stratum {
    /// A two-by-two table: rows and positives of the first sample and of the second.
    pub fn table(first: (u64, u64), second: (u64, u64)) -> Self {
        Self {
            first: SampleMoments::counts(first.0, first.1),
            second: SampleMoments::counts(second.0, second.1),
        }
    }

    /// The cells of the table: positives and negatives of the second sample, then of the first.
    fn cells(&self) -> [f64; 4] {
        let of = |sample: SampleMoments| (sample.sum, sample.rows as f64 - sample.sum);
        let ((a, b), (c, d)) = (of(self.second), of(self.first));
        [a, b, c, d]
    }

    fn n(&self) -> f64 {
        (self.first.rows + self.second.rows) as f64
    }

    /// Whether the stratum says anything: both samples have rows, and not all outcomes are alike.
    fn is_informative(&self) -> bool {
        let all = self.first.plus(self.second);
        self.first.rows > 0 && self.second.rows > 0 && all.deviations() > 1e-12 * all.squares
    }
}

/// The outcome of a Cochran-Mantel-Haenszel test.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StratifiedTest {
    /// The statistic, chi-square with one degree of freedom where the samples do not differ within any stratum.
    pub statistic: f64,
    /// The chance of so large a statistic then.
    pub p: f64,
    /// How many strata say anything: both samples have rows, and outcomes differ.
    pub informative_strata: u64,
    /// For outcomes 0 and 1, how far the positives of the second sample could lie on either side of what is expected; below 5
    /// chi-square is a rough guide.
    pub mantel_fleiss: Option<f64>,
}

impl StratifiedTest {
    /// From here on chi-square is near enough (Mantel and Fleiss 1980).
    pub const LEAST_MANTEL_FLEISS: f64 = 5.0;
}

/// The Cochran-Mantel-Haenszel test, without a correction for continuity.
///
/// **Definition** `(sum (T - E))² / sum V` over strata, with `T` the sum of outcomes in the second sample, and `E` and `V` its mean and
/// variance if the rows of the stratum had been dealt to the samples at random: `E` the rows of the second sample times the mean of
/// all, `V = n1 n2 S / (n (n - 1))` for `S` the sum of squared deviations. For outcomes 0 and 1 that is Cochran's and Mantel's and
/// Haenszel's, for amounts the mean score test.
///
/// **Undefined when** no stratum has rows of both samples and outcomes that differ.
///
/// **Example**
/// ```
/// use tribunal_eval::significance::{Stratum, cochran_mantel_haenszel};
/// let strata = [Stratum::table((180, 108), (140, 70)), Stratum::table((150, 45), (280, 70)), Stratum::table((50, 5), (210, 16))];
/// let test = cochran_mantel_haenszel(&strata)?;
/// assert!((test.statistic - 4.515377080).abs() < 1e-9 && (test.p - 0.033591481).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** Cochran (1954); Mantel and Haenszel (1959); Landis, Heyman and Koch (1978).
pub fn cochran_mantel_haenszel(strata: &[Stratum]) -> Result<StratifiedTest, Error> {
    let informative: Vec<&Stratum> = strata.iter().filter(|stratum| stratum.is_informative()).collect();
    at_least("strata in which both samples have rows and outcomes differ", informative.len(), 1)?;
    let (mut excess, mut variance) = (0.0, 0.0);
    for stratum in &informative {
        let (all, n) = (stratum.first.plus(stratum.second), stratum.n());
        let (n1, n2) = (stratum.first.rows as f64, stratum.second.rows as f64);
        excess += stratum.second.sum - n2 * all.sum / n;
        variance += n1 * n2 * all.deviations() / (n * (n - 1.0));
    }
    let statistic = excess * excess / variance;
    Ok(StratifiedTest {
        statistic,
        p: chi_square_sf(statistic, 1),
        informative_strata: informative.len() as u64,
        mantel_fleiss: mantel_fleiss(&informative),
    })
}

/// The smaller of the distances from the expected positives of the second sample to the least and the most that there could be.
fn mantel_fleiss(strata: &[&Stratum]) -> Option<f64> {
    let is_binary = |sample: SampleMoments| sample.sum == sample.squares && sample.sum.fract() == 0.0;
    if !strata.iter().all(|stratum| is_binary(stratum.first) && is_binary(stratum.second)) {
        return None;
    }
    let ends = |stratum: &&Stratum| {
        let (n, n2) = (stratum.n(), stratum.second.rows as f64);
        let positives = stratum.first.sum + stratum.second.sum;
        let expected = n2 * positives / n;
        (expected - (n2 + positives - n).max(0.0), n2.min(positives) - expected)
    };
    let (below, above) =
        strata.iter().map(ends).fold((0.0, 0.0), |sum, ends| (sum.0 + ends.0, sum.1 + ends.1));
    Some(below.min(above))
}

/// A ratio or a difference that strata have in common, with its interval.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CommonEffect {
    /// The estimate.
    pub estimate: f64,
    /// Its standard error; of an odds ratio that of its logarithm.
    pub standard_error: f64,
    /// Lower end of the interval.
    pub lower: f64,
    /// Upper end.
    pub upper: f64,
    /// Level of the interval.
    pub level: f64,
}

/// The Mantel-Haenszel odds ratio of the second sample to the first.
///
/// **Definition** `sum (a d / n) / sum (b c / n)` over strata, with `a` and `b` the positives and negatives of the second sample and
/// `c` and `d` those of the first; the interval by the variance of Robins, Breslow and Greenland on the scale of logarithms.
///
/// **Undefined when** one of the sums is zero: one sample has no positive, or one no negative, wherever both have rows.
///
/// **Example**
/// ```
/// use tribunal_eval::{intervals::Level, significance::{Stratum, common_odds_ratio}};
/// let strata = [Stratum::table((180, 108), (140, 70)), Stratum::table((150, 45), (280, 70)), Stratum::table((50, 5), (210, 16))];
/// let ratio = common_odds_ratio(&strata, Level::P95)?;
/// assert!((ratio.estimate - 0.721882012).abs() < 1e-9 && ratio.lower < ratio.estimate && ratio.upper < 1.0);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** Mantel and Haenszel (1959); Robins, Breslow and Greenland (1986).
pub fn common_odds_ratio(strata: &[Stratum], level: Level) -> Result<CommonEffect, Error> {
    let [mut r, mut s, mut pr, mut mixed, mut qs] = [0.0; 5];
    for stratum in strata.iter().filter(|stratum| stratum.n() > 0.0) {
        let ([a, b, c, d], n) = (stratum.cells(), stratum.n());
        let (p, q, own_r, own_s) = ((a + d) / n, (b + c) / n, a * d / n, b * c / n);
        r += own_r;
        s += own_s;
        pr += p * own_r;
        mixed += p * own_s + q * own_r;
        qs += q * own_s;
    }
    if r <= 0.0 || s <= 0.0 {
        let reason = "one of the samples has no positive, or one has no negative, in the strata of both";
        return Err(Error::UndefinedFigure { figure: "the common odds ratio", reason });
    }
    let standard_error = (pr / (2.0 * r * r) + mixed / (2.0 * r * s) + qs / (2.0 * s * s)).sqrt();
    let (log, half_width) = (libm::log(r / s), level.z() * standard_error);
    Ok(CommonEffect {
        estimate: r / s,
        standard_error,
        lower: libm::exp(log - half_width),
        upper: libm::exp(log + half_width),
        level: level.get(),
    })
}

/// The difference of means, second sample less first, that strata have in common.
///
/// **Definition** the mean of the differences within strata, weighted by `n1 n2 / n`, as Mantel and Haenszel weight differences of
/// shares; normal interval by the variances within samples and strata.
///
/// **Undefined when** no stratum has two rows of each sample.
///
/// **Example**
/// ```
/// use tribunal_eval::{intervals::Level, significance::{SampleMoments, Stratum, common_mean_difference}};
/// let sample = |values: [f64; 3]| values.iter().fold(SampleMoments::default(), |mut sum, value| { sum.add(*value); sum });
/// let strata = [Stratum { first: sample([1.0, 2.0, 3.0]), second: sample([2.0, 3.0, 4.0]) }];
/// assert_eq!(common_mean_difference(&strata, Level::P95)?.estimate, 1.0);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** Greenland and Robins (1985), "Estimation of a common effect parameter from sparse follow-up data".
pub fn common_mean_difference(strata: &[Stratum], level: Level) -> Result<CommonEffect, Error> {
    let (mut total, mut sum, mut variance, mut used) = (0.0, 0.0, 0.0, 0);
    for stratum in strata {
        let Stratum { first, second } = *stratum;
        let (Some(v1), Some(v2)) = (first.variance(), second.variance()) else { continue };
        let (n1, n2) = (first.rows as f64, second.rows as f64);
        let weight = n1 * n2 / (n1 + n2);
        total += weight;
        sum += weight * (second.sum / n2 - first.sum / n1);
        variance += weight * weight * (v1 / n1 + v2 / n2);
        used += 1;
    }
    at_least("strata with two rows of each sample", used, 1)?;
    let (estimate, standard_error) = (sum / total, variance.sqrt() / total);
    let half_width = level.z() * standard_error;
    Ok(CommonEffect {
        estimate,
        standard_error,
        lower: estimate - half_width,
        upper: estimate + half_width,
        level: level.get(),
    })
}

/// The Breslow-Day test of whether the odds ratio is the same in every stratum, with Tarone's correction.
///
/// **Definition** `sum (a - A)² / V - (sum (a - A))² / sum V` over strata, with `A` the positives of the second sample that the common
/// odds ratio expects within the margins of the stratum, and `V = 1 / (1/A + 1/B + 1/C + 1/D)`; chi-square with one degree of freedom
/// less than there are strata in which both samples have rows and outcomes differ.
///
/// **Undefined when** fewer than two strata are such, or the common odds ratio is undefined.
///
/// **Example**
/// ```
/// use tribunal_eval::significance::{Stratum, breslow_day};
/// let strata = [Stratum::table((180, 108), (140, 70)), Stratum::table((150, 45), (280, 70)), Stratum::table((50, 5), (210, 16))];
/// assert_eq!(breslow_day(&strata)?.df, 2);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** Breslow and Day (1980), section 4.4; Tarone (1985).
pub fn breslow_day(strata: &[Stratum]) -> Result<ChiSquare, Error> {
    let common = common_odds_ratio(strata, Level::P95)?.estimate;
    let informative: Vec<&Stratum> = strata.iter().filter(|stratum| stratum.is_informative()).collect();
    at_least("strata in which both samples have rows and outcomes differ", informative.len(), 2)?;
    let (mut statistic, mut excess, mut variance) = (0.0, 0.0, 0.0);
    for stratum in &informative {
        let (expected, own) = fitted(stratum, common);
        let deviation = stratum.second.sum - expected;
        statistic += deviation * deviation / own;
        excess += deviation;
        variance += own;
    }
    let statistic = (statistic - excess * excess / variance).max(0.0);
    let df = informative.len() - 1;
    Ok(ChiSquare { statistic, df, p: chi_square_sf(statistic, df) })
}

/// The positives of the second sample that an odds ratio expects within the margins of a stratum, and their variance.
fn fitted(stratum: &Stratum, odds_ratio: f64) -> (f64, f64) {
    let [a, b, c, _] = stratum.cells();
    let (n2, positives, n) = (a + b, a + c, stratum.n());
    // (1 - r) A² + (n - n2 - positives + r (n2 + positives)) A - r n2 positives = 0
    let square = 1.0 - odds_ratio;
    let linear = n - n2 - positives + odds_ratio * (n2 + positives);
    let constant = -odds_ratio * n2 * positives;
    // Of the two roots the one within the margins, in the form that loses no digits as the ratio nears one.
    let root = (linear * linear - 4.0 * square * constant).max(0.0).sqrt();
    let expected = -2.0 * constant / (linear + root);
    let variance = 1.0
        / (1.0 / expected
            + 1.0 / (n2 - expected)
            + 1.0 / (positives - expected)
            + 1.0 / (n - n2 - positives + expected));
    (expected, variance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tribunal_random::Random;

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9 * expected.abs().max(1.0), "{found}, expected {expected}");
    }

    /// Golden values of the selection example: actioned among all, by period and band.
    #[test]
    fn golden_selection() {
        let strata = [((200, 180), (150, 140)), ((300, 150), (350, 280)), ((500, 50), (700, 210))];
        let strata = strata.map(|(first, second)| Stratum::table(first, second));
        let test = cochran_mantel_haenszel(&strata).expect("strata");
        close(test.statistic, 129.977310031);
        assert!((test.p / 4.1449e-30 - 1.0).abs() < 1e-4);
        close(common_odds_ratio(&strata, Level::P95).expect("both classes").estimate, 3.628701895);
    }

    #[test]
    fn what_says_nothing_is_refused_or_passed_over() {
        let empty = [Stratum::table((0, 0), (10, 3)), Stratum::table((5, 5), (5, 5)), Stratum::default()];
        assert!(cochran_mantel_haenszel(&empty).is_err() && cochran_mantel_haenszel(&[]).is_err());
        assert!(common_odds_ratio(&empty, Level::P95).is_err() && breslow_day(&empty).is_err());
        let one = Stratum::table((30, 10), (20, 9));
        let with = [one, empty[0], empty[1], empty[2]];
        assert_eq!(cochran_mantel_haenszel(&with), cochran_mantel_haenszel(&[one]));
        assert!(breslow_day(&with).is_err());
    }

    #[test]
    fn equal_odds_ratios_are_homogeneous_and_opposite_ones_are_not() {
        let alike = [Stratum::table((30, 10), (30, 20)), Stratum::table((300, 100), (300, 200))];
        assert!(breslow_day(&alike).expect("two strata").statistic < 1e-9);
        let opposite = [Stratum::table((30, 10), (30, 20)), Stratum::table((30, 20), (30, 10))];
        assert!(breslow_day(&opposite).expect("two strata").p < 1e-3);
        assert!(cochran_mantel_haenszel(&opposite).expect("two strata").p > 0.99);
    }

    /// Strata of different rates, and samples of different mixes of them.
    #[test]
    fn the_null_hypothesis_is_rejected_as_often_as_it_says() {
        let mut random = Random::new(5);
        let draw = |random: &mut Random, n: u64, rate: f64| (n, random.binomial(n, rate));
        for sizes in [[(40, 20), (20, 30), (10, 60)], [(3, 4), (5, 3), (30, 30)]] {
            let mut n_rejected = [0; 2];
            for _ in 0..2000 {
                let strata: Vec<Stratum> = sizes
                    .iter()
                    .zip([0.5, 0.25, 0.1])
                    .map(|((n, m), rate)| {
                        Stratum::table(draw(&mut random, *n, rate), draw(&mut random, *m, rate))
                    })
                    .collect();
                let is_below = |test: Result<f64, Error>| usize::from(test.is_ok_and(|p| p < 0.05));
                n_rejected[0] += is_below(cochran_mantel_haenszel(&strata).map(|test| test.p));
                n_rejected[1] += is_below(breslow_day(&strata).map(|test| test.p));
            }
            assert!((60..=140).contains(&n_rejected[0]) && n_rejected[1] <= 140, "{n_rejected:?} of 2000");
        }
    }

    #[test]
    fn intervals_of_common_effects_hold_the_truth_as_often_as_they_say() {
        let mut random = Random::new(6);
        let (mut ratios, mut differences) = (0, 0);
        for _ in 0..1000 {
            let table = |random: &mut Random, odds: f64| {
                let of = |random: &mut Random, odds: f64| (60, random.binomial(60, odds / (1.0 + odds)));
                Stratum::table(of(random, odds), of(random, 1.6 * odds))
            };
            let strata = [0.2, 0.7, 1.5].map(|odds| table(&mut random, odds));
            let found = common_odds_ratio(&strata, Level::P95).expect("both classes");
            ratios += usize::from((found.lower..=found.upper).contains(&1.6));
            let mut sample = |mean: f64| {
                let mut sample = SampleMoments::default();
                (0..40).for_each(|_| sample.add(mean + random.normal().powi(2)));
                sample
            };
            let strata = [1.0, 5.0].map(|mean| Stratum { first: sample(mean), second: sample(mean + 0.5) });
            let found = common_mean_difference(&strata, Level::P95).expect("rows");
            differences += usize::from((found.lower..=found.upper).contains(&0.5));
        }
        assert!(
            (930..=970).contains(&ratios) && (925..=970).contains(&differences),
            "{ratios} {differences}"
        );
    }

    proptest! {
        #[test]
        fn exchanging_samples_turns_the_effect_round(
            rows in prop::collection::vec((1u64..40, 0u64..40, 1u64..40, 0u64..40), 1..6),
        ) {
            let strata: Vec<Stratum> =
                rows.iter().map(|(n, x, m, y)| Stratum::table((*n, *x.min(n)), (*m, *y.min(m)))).collect();
            let turned: Vec<Stratum> =
                strata.iter().map(|stratum| Stratum { first: stratum.second, second: stratum.first }).collect();
            if let (Ok(one), Ok(other)) = (cochran_mantel_haenszel(&strata), cochran_mantel_haenszel(&turned)) {
                prop_assert!((one.statistic - other.statistic).abs() < 1e-9 * one.statistic.max(1.0));
                prop_assert!((0.0..=1.0).contains(&one.p));
            }
            if let (Ok(one), Ok(other)) = (common_odds_ratio(&strata, Level::P95), common_odds_ratio(&turned, Level::P95)) {
                prop_assert!((one.estimate * other.estimate - 1.0).abs() < 1e-9);
                prop_assert!((one.lower * other.upper - 1.0).abs() < 1e-9);
            }
            if let (Ok(one), Ok(other)) = (breslow_day(&strata), breslow_day(&turned)) {
                prop_assert!((one.statistic - other.statistic).abs() < 1e-6 * one.statistic.max(1.0));
            }
        }
    }
}
