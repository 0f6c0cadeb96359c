//! Whether a figure is the same in several groups of cases, such as regions or channels, and whether one group differs from the
//! rest.
//!
//! The groups share no case, so their figures are independent. Each has the variance of its influence function. A figure between
//! two bounds is compared on the logit scale and one above zero on the logarithmic one: near a bound estimate and variance move
//! together, so that Welch's test on the plain scale finds differences among AUROCs of 0.97 in a third of all samples where there
//! are none. Shares of cases at a cut-off have the variance that the null hypothesis says, that of the common share, which is
//! Pearson's chi-square test of homogeneity on as many cases as vary alike.
//!
//! References: Welch (1951); Pearson (1900); DeLong, DeLong & Clarke-Pearson (1988) for the variance of an AUROC; Pepe (2003) for
//! its logit; Cochran (1954), "Some methods for strengthening the common chi-square tests", for the least expected counts.

use serde::{Deserialize, Serialize};
use thiserror::Error as ThisError;

use super::welch::{GroupEstimate, Welch, welch};
use crate::cutoff::Cutoff;
use crate::error::Error;
use crate::influence::{BaseRate, Moments, Variance};
use crate::intervals::{CellSample, NoInterval, Sampled};
use crate::metrics::{Measure, Spread};
use crate::ranking::Split;
use crate::undefined::Undefined;

/// Groups with fewer cases of a class, or fewer behind a share, are left out.
const FEWEST_CASES: f64 = 10.0;
/// Groups in which the common share makes one expect fewer cases of either kind are left out.
const LEAST_EXPECTED: f64 = 1.0;

/// Why a figure of a group cannot be tested against those of others.
#[derive(Clone, Debug, ThisError, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "reason", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Untestable {
    /// The figure has no value.
    #[error("{why}")]
    Undefined {
        /// Why.
        why: Undefined,
    },
    /// Nothing says how the figure varies: nobody stated its influence function.
    #[error("{why}")]
    NoVariation {
        /// Why.
        why: NoInterval,
    },
    /// A variance from a handful of cases is no variance.
    #[error("there are fewer than ten positives or negatives")]
    FewCases,
    /// The share is one of a handful of cases.
    #[error("the share is one of fewer than ten cases")]
    FewBehindShare,
    /// The common share makes one expect hardly a case of one kind.
    #[error("less than one case of one kind is to be expected")]
    FewExpected,
    /// All cases agree, which shows nothing of how the figure varies.
    #[error("the figure does not vary: every case agrees, or it stands at the end of its range")]
    NoVariance,
    /// The figure of a small group is larger by chance alone.
    #[error("chance alone makes the figure larger the fewer cases there are")]
    InflatedByChance,
}

impl From<Undefined> for Untestable {
    fn from(why: Undefined) -> Self {
        Self::Undefined { why }
    }
}

impl From<NoInterval> for Untestable {
    fn from(why: NoInterval) -> Self {
        match why {
            NoInterval::Undefined(why) => Self::Undefined { why },
            why => Self::NoVariation { why },
        }
    }
}

/// A figure in a group of cases, with how it varies over other samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupFigure {
    /// The figure.
    pub value: f64,
    spread: GroupSpread,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum GroupSpread {
    /// On a scale without ends.
    Scaled(GroupEstimate),
    /// A share of so many cases that vary alike.
    Share { share: f64, n: f64 },
}

impl GroupFigure {
    /// A figure of the cases of a ranking, at a cut-off that was given or found on other cases too.
    ///
    /// ```
    /// use tribunal_eval::{Ranking, intervals::Sampled, metrics::Measure, significance::{GroupFigure, Untestable}};
    ///
    /// let few = Ranking::from_scores(&[true, false, true, false], &[0.9, 0.8, 0.7, 0.2])?;
    /// assert_eq!(GroupFigure::of(&Measure::AUROC, &Sampled::new(&few), None), Err(Untestable::FewCases));
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    ///
    /// # Errors
    /// The figure or its variance is not known well enough.
    pub fn of(measure: &Measure, sampled: &Sampled<'_>, cutoff: Option<&Cutoff>) -> Result<Self, Untestable> {
        if measure.metric.is_inflated_by_chance() {
            return Err(Untestable::InflatedByChance);
        }
        let value = match cutoff {
            Some(cutoff) => measure.of_confusion(&cutoff.confusion),
            None => measure.of_ranking(sampled.ranking),
        };
        let value = value.ok_or(NoInterval::NeedsReplicates)??;
        let spread = match (measure.metric.spread, cutoff, sampled.base_rate) {
            (Spread::Share(parts), Some(cutoff), BaseRate::Random) if !cutoff.rule.is_list() => {
                share_spread(sampled, cutoff, parts, value)?
            }
            _ => scaled_spread(measure, value, sampled, cutoff)?,
        };
        Ok(Self { value, spread })
    }

    /// A share of so many cases that vary alike.
    pub(crate) fn of_share(value: f64, n: f64) -> Result<Self, Untestable> {
        let spread = GroupSpread::Share { share: value, n };
        if n < FEWEST_CASES { Err(Untestable::FewBehindShare) } else { Ok(Self { value, spread }) }
    }

    /// The same test of a figure that is told on another scale, such as a share of hits at another base rate: its odds are those of the
    /// cases at hand times a factor that all groups share, so that groups differ there if and only if they differ here.
    #[must_use]
    pub fn told_as(self, value: f64) -> Self {
        Self { value, ..self }
    }

    /// A mean with its influence values, case by case. A few large amounts decide such means, so that the degrees of freedom are
    /// those that the kurtosis leaves.
    pub(crate) fn of_mean(
        value: f64,
        influence: &[f64],
        (truth, weight): (&[bool], Option<&[f64]>),
        base_rate: BaseRate,
    ) -> Result<Self, Untestable> {
        // Fourth powers of amounts in their own unit might not be finite.
        let unit = influence.iter().fold(value.abs(), |largest, value| largest.max(value.abs()));
        if unit == 0.0 {
            return Err(Untestable::NoVariance);
        }
        let scaled: Vec<f64> = influence.iter().map(|value| value / unit).collect();
        let moments = Moments::of_values(truth, &scaled, weight, Split { positive: 1.0, negative: 1.0 });
        if moments.effective[0].min(moments.effective[1]) < FEWEST_CASES {
            return Err(Untestable::FewCases);
        }
        let variance = Variance::of(&moments, base_rate);
        if variance.vanishes(value / unit) {
            return Err(Untestable::NoVariance);
        }
        let (variance, df) = (variance.total * unit * unit, variance.kurtosis_df);
        Ok(Self { value, spread: GroupSpread::Scaled(GroupEstimate { estimate: value, variance, df }) })
    }
}

/// How many cases of equal weight a share is one of.
fn share_spread(
    sampled: &Sampled<'_>,
    cutoff: &Cutoff,
    parts: fn(&crate::Confusion) -> (f64, f64),
    share: f64,
) -> Result<GroupSpread, Untestable> {
    let sample = CellSample::of(sampled, cutoff)?;
    let ((_, weight), (_, squares)) = (parts(&sample.cells), parts(&sample.squares));
    let n = if squares > 0.0 { weight * weight / squares } else { 0.0 };
    if n < FEWEST_CASES { Err(Untestable::FewBehindShare) } else { Ok(GroupSpread::Share { share, n }) }
}

/// The figure on a scale without ends, with the variance of its influence function there.
fn scaled_spread(
    measure: &Measure,
    value: f64,
    sampled: &Sampled<'_>,
    cutoff: Option<&Cutoff>,
) -> Result<GroupSpread, Untestable> {
    let classes = sampled.classes().map_err(|_| Untestable::FewCases)?.effective;
    if classes[0].min(classes[1]) < FEWEST_CASES {
        return Err(Untestable::FewCases);
    }
    // Probabilities of exactly 0 or 1 that seldom prove wrong: what few of them do, other samples need not show.
    if let Err(reason @ NoInterval::FewCertainMistakes) = measure.interval_around(value, sampled, cutoff) {
        return Err(reason.into());
    }
    let influence = measure.influence(sampled.ranking, cutoff)?;
    let variance = Variance::of(&Moments::of(sampled.ranking, &influence), sampled.base_rate);
    let (low, high) = measure.metric.range;
    let (estimate, slope) = match (low.is_finite(), high.is_finite()) {
        (true, true) => {
            let (above, below) = (value - low, high - value);
            (libm::log(above / below), 1.0 / above + 1.0 / below)
        }
        (true, false) => (libm::log(value - low), 1.0 / (value - low)),
        _ => (value, 1.0),
    };
    let scaled =
        GroupEstimate { estimate, variance: variance.total * slope * slope, df: variance.satterthwaite_df };
    let is_known = estimate.is_finite() && scaled.variance.is_finite() && !variance.vanishes(value);
    if is_known { Ok(GroupSpread::Scaled(scaled)) } else { Err(Untestable::NoVariance) }
}

/// The outcome of a test of equal figures.
#[derive(Clone, Debug, PartialEq)]
pub struct Homogeneity {
    /// The test.
    pub test: Welch,
    /// The groups that could not be tested, by their places, and why.
    pub left_out: Vec<(usize, Untestable)>,
}

/// Tests whether a figure is the same in several groups of cases; those where it cannot be tested are left out.
///
/// **Definition** [`welch()`] of the figures on a scale without ends: the logit of a figure between two bounds, the logarithm of one
/// above zero. Shares of cases at a cut-off are compared by Pearson's chi-square, `sum n_i (x_i - x)² / (x (1 - x))` with their
/// common share `x`; where that is 0 or 1, nothing differs and `p = 1`.
///
/// **Undefined when** fewer than two groups are left. A group is left out with fewer than ten cases of a class or, of a share, with
/// fewer than ten cases behind it or less than one case of either kind to be expected; where the figure has no variance; and where
/// chance makes it larger the fewer cases there are.
///
/// **Example**
/// ```
/// use tribunal_eval::{CutoffRule, Ranking, intervals::Sampled, metrics::Measure};
/// use tribunal_eval::significance::{GroupFigure, homogeneity};
///
/// // Recall of 30 of 40 and of 20 of 40 positives: chi-square 5.333.
/// let recall: Measure = "sensitivity".parse()?;
/// let group = |hits: usize| {
///     let truth: Vec<bool> = (0..80).map(|row| row < 40).collect();
///     let scores: Vec<f64> = (0..80).map(|row| if row < hits { 0.9 } else { 0.1 }).collect();
///     let ranking = Ranking::from_scores(&truth, &scores)?;
///     let cutoff = CutoffRule::Score(0.5).find(&ranking)?;
///     Ok::<_, tribunal_eval::Error>(GroupFigure::of(&recall, &Sampled::new(&ranking), Some(&cutoff)))
/// };
/// let found = homogeneity(&[group(30)?, group(20)?])?;
/// assert!((found.test.f - 16.0 / 3.0).abs() < 1e-12 && (found.test.p - 0.0209).abs() < 1e-4);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** Welch (1951); Pearson (1900).
pub fn homogeneity(groups: &[Result<GroupFigure, Untestable>]) -> Result<Homogeneity, Error> {
    let common = common_share(groups.iter().flatten());
    let mut left_out = Vec::new();
    let mut tested = Vec::new();
    for (place, group) in groups.iter().enumerate() {
        let estimate = group.as_ref().map_err(Untestable::clone).and_then(|group| group.estimate(common));
        match estimate {
            Ok(estimate) => tested.push(estimate),
            Err(reason) => left_out.push((place, reason)),
        }
    }
    Ok(Homogeneity { test: welch(&tested)?, left_out })
}

/// The share of all cases together.
fn common_share<'g>(groups: impl Iterator<Item = &'g GroupFigure>) -> f64 {
    let cases = groups.map(|group| match group.spread {
        GroupSpread::Share { share, n } => (n * share, n),
        GroupSpread::Scaled(_) => (0.0, 0.0),
    });
    let (successes, n) = cases.fold((0.0, 0.0), |sum, case| (sum.0 + case.0, sum.1 + case.1));
    successes / n
}

impl GroupFigure {
    /// The figure with its variance; of a share the one that follows from the share which all groups have in common.
    fn estimate(&self, common: f64) -> Result<GroupEstimate, Untestable> {
        let (share, n) = match self.spread {
            GroupSpread::Scaled(estimate) => return Ok(estimate),
            GroupSpread::Share { share, n } => (share, n),
        };
        // Every case of every group agrees: any variance gives no difference.
        let spread = if common <= 0.0 || common >= 1.0 { 1.0 } else { common * (1.0 - common) };
        if spread < 1.0 && n * common.min(1.0 - common) < LEAST_EXPECTED {
            return Err(Untestable::FewExpected);
        }
        Ok(GroupEstimate { estimate: share, variance: spread / n, df: f64::INFINITY })
    }
}

#[cfg(test)]
mod tests {
    use tribunal_random::Random;

    use super::*;
    use crate::{CutoffRule, Ranking, RankingBuilder, ScoredSet};

    fn auroc(ranking: &Ranking) -> Result<GroupFigure, Untestable> {
        GroupFigure::of(&Measure::AUROC, &Sampled::new(ranking), None)
    }

    /// Binormal scores.
    fn sample(random: &mut Random, n: usize, base_rate: f64, shift: f64) -> Ranking {
        let truth: Vec<bool> = (0..n).map(|_| random.uniform() < base_rate).collect();
        let scores: Vec<f64> =
            truth.iter().map(|&positive| random.normal() + if positive { shift } else { 0.0 }).collect();
        Ranking::from_scores(&truth, &scores).expect("scores")
    }

    #[test]
    fn figures_that_say_nothing_are_left_out_with_the_reason() {
        let mut random = Random::new(3);
        let good = [0.2, 0.4].map(|base_rate| auroc(&sample(&mut random, 400, base_rate, 1.0)));
        let perfect = auroc(&sample(&mut random, 400, 0.3, 50.0));
        let few = auroc(&sample(&mut random, 20, 0.1, 1.0));
        let all = [good[0].clone(), perfect, good[1].clone(), few, auroc(&sample(&mut random, 50, 0.0, 0.0))];
        let found = homogeneity(&all).expect("two groups");
        assert_eq!(found.test, homogeneity(&good).expect("two groups").test);
        assert_eq!(found.left_out[0], (1, Untestable::NoVariance));
        assert_eq!(found.left_out[1], (3, Untestable::FewCases));
        assert_eq!(found.left_out.len(), 3);
        assert!(homogeneity(&all[3..]).is_err());
        let ece = GroupFigure::of(
            &"ece".parse().expect("a metric"),
            &Sampled::new(&sample(&mut random, 99, 0.5, 0.0)),
            None,
        );
        assert_eq!(ece, Err(Untestable::InflatedByChance));
    }

    #[test]
    fn reasons_are_read_as_they_were_written() {
        let reasons = [
            Untestable::from(Undefined::NoPositives),
            Untestable::from(NoInterval::Undefined(Undefined::NoRows)),
            Untestable::from(NoInterval::NeedsReplicates),
            Untestable::FewCases,
        ];
        for reason in reasons {
            let json = serde_json::to_string(&reason).expect("JSON");
            assert_eq!(serde_json::from_str::<Untestable>(&json).expect("the same"), reason, "{json}");
        }
    }

    #[test]
    fn shares_that_all_agree_do_not_differ() {
        let group = |n: usize| {
            let truth: Vec<bool> = (0..n).map(|row| row % 2 == 0).collect();
            let scores: Vec<f64> = truth.iter().map(|&truth| f64::from(u8::from(truth))).collect();
            let ranking = Ranking::from_scores(&truth, &scores).expect("scores");
            let cutoff = CutoffRule::Score(0.5).find(&ranking).expect("a cut-off");
            GroupFigure::of(&Measure::PCC, &Sampled::new(&ranking), Some(&cutoff))
        };
        assert_eq!(homogeneity(&[group(20), group(200)]).expect("two groups").test.p, 1.0);
        assert_eq!(group(9), Err(Untestable::FewBehindShare));
    }

    /// A weight of two on every row is no more cases.
    #[test]
    fn weights_that_are_all_equal_say_no_more_than_none() {
        let mut random = Random::new(8);
        let truth: Vec<bool> = (0..300).map(|row| row % 3 == 0).collect();
        let scores: Vec<f64> = truth.iter().map(|&y| random.normal() + f64::from(u8::from(y))).collect();
        let figures = |weight: Option<f64>| {
            let set = ScoredSet::new(&truth, &scores).expect("scores");
            let weights = vec![weight.unwrap_or(1.0); truth.len()];
            let set = if weight.is_some() { set.with_weight(&weights).expect("weights") } else { set };
            let mut builder = RankingBuilder::default();
            builder.push(&set).expect("a set");
            let ranking = builder.finish().expect("a ranking");
            let cutoff = CutoffRule::Score(0.5).find(&ranking).expect("a cut-off");
            let pcc = GroupFigure::of(&Measure::PCC, &Sampled::new(&ranking), Some(&cutoff));
            [auroc(&ranking), pcc]
                .map(|figure| figure.and_then(|figure| figure.estimate(0.7)).expect("a figure"))
        };
        for (plain, weighted) in figures(None).into_iter().zip(figures(Some(2.0))) {
            assert!((plain.estimate - weighted.estimate).abs() < 1e-12);
            assert!((plain.variance / weighted.variance - 1.0).abs() < 1e-9);
        }
    }

    /// Groups with the same AUROC, whatever their sizes and base rates, are found to differ in about 5 % of the samples. The whole
    /// table is made by `tests/coverage/groups.rs`.
    #[test]
    fn equal_aurocs_are_seldom_found_to_differ() {
        let (mut rejected, n_samples) = (0, 400);
        for seed in 0..n_samples {
            let mut random = Random::new(seed);
            let groups: Vec<_> = (0..6)
                .map(|group| {
                    let n = [30, 60, 120, 250, 500, 90][group];
                    let base_rate = [0.4, 0.3, 0.2, 0.1, 0.05, 0.5][group];
                    auroc(&sample(&mut random, n, base_rate, 1.8))
                })
                .collect();
            rejected += u32::from(homogeneity(&groups).is_ok_and(|found| found.test.p < 0.05));
        }
        assert!((8..=34).contains(&rejected), "{rejected} of {n_samples}");
    }
}
