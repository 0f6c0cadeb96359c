//! The gain in the top of a list: what the positives among the first cases bring in, and how far that may be believed.
//!
//! A few large amounts decide such a sum, so that its distribution is skewed and the usual interval is too short above. A [`Ranking`] keeps sums of the amounts of tied cases
//! and their squares, but the influence of a positive depends on its own amount, up to the fourth power: so rows are needed.
//!
//! References: Hall (1992), "On the removal of skewness by transformation"; Hampel (1974) for influence functions.

use super::interval::{Interval, Level};
use super::sampled::NoInterval;
use super::skewed_mean::SkewedMean;
use crate::checks::within;
use crate::error::Error;
use crate::influence::{BaseRate, RankedRows, Variance, local_mean_gain};
use crate::ranking::Ranking;
use crate::scored_set::ScoredSet;
use crate::undefined::Undefined;

/// What the positives among the first cases of a list bring in, each its amount.
///
/// **Definition** · `Σ wᵢ mᵢ gᵢ` over all rows: `gᵢ` is the amount of a positive and 0 for a negative, `wᵢ` the weight of the
/// row, and `mᵢ` how likely it is among the first cases, ties in random order. The profit is this gain less the cost of each
/// case in the list. The interval is that of the mean gain per case, times the weight of all cases.
///
/// **Undefined when** there are no amounts, no rows, or fewer cases than the list is to have. There is no interval when a
/// class has fewer than two cases, or none of the amounts in the list differs from zero.
///
/// **Example**
/// ```
/// use tribunal_eval::{ScoredSet, influence::BaseRate, intervals::{Level, TopGain}};
///
/// let truth = [true, false, true, true, false, false, true, false];
/// let scores = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2];
/// let amounts = [120.0, 0.0, 80.0, 95.0, 0.0, 0.0, 60.0, 0.0];
/// let gain = TopGain::in_share(&ScoredSet::new(&truth, &scores)?.with_amount(&amounts)?, 0.5)?;
/// assert_eq!((gain.estimate(), gain.profit(10.0)), (295.0, 255.0));
/// let interval = gain.interval(Level::P95, BaseRate::Random).expect("hits and two of each class");
/// assert!(interval.contains(295.0) && interval.lower > 0.0);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** · Hall 1992
#[derive(Clone, Debug)]
pub struct TopGain {
    /// Mean gain per case.
    mean: f64,
    /// The weight of all cases: what turns means into gains.
    total: f64,
    /// Weight of the list.
    list_weight: f64,
    /// Influence of each row on the mean.
    values: Vec<f64>,
    spread: SkewedMean,
    has_hit: bool,
}

impl TopGain {
    /// The gain in the first `share` of the list.
    ///
    /// # Errors
    /// The share is not above 0 and at most 1, or the gain is undefined.
    pub fn in_share(set: &ScoredSet<'_>, share: f64) -> Result<Self, Error> {
        let is_share = share > 0.0 && share <= 1.0;
        within("the share of the list", share, is_share, "a number above 0 and at most 1")?;
        let ranking = Ranking::of(set)?;
        let weight = share * ranking.totals().total();
        Self::of(set, &ranking, weight)
    }

    /// The gain in the first `count` cases of the list; of weighted cases in so much weight.
    ///
    /// # Errors
    /// The count is not above 0, or the gain is undefined.
    pub fn in_first(set: &ScoredSet<'_>, count: f64) -> Result<Self, Error> {
        within("the length of the list", count, count > 0.0, "a number of cases above 0")?;
        let ranking = Ranking::of(set)?;
        let available = ranking.totals().total();
        if available < count {
            return Err(Undefined::TooFewRows { asked: count, available }.into());
        }
        Self::of(set, &ranking, count)
    }

    fn of(set: &ScoredSet<'_>, ranking: &Ranking, list_weight: f64) -> Result<Self, Error> {
        let ScoredSet { truth, score, weight, amount, .. } = *set;
        let amount = amount.ok_or(Undefined::NoAmounts)?;
        let totals = ranking.totals();
        let total = totals.total();
        if total <= 0.0 {
            return Err(Undefined::NoRows.into());
        }
        let counts = |row: usize| truth[row] && weight.is_none_or(|weight| weight[row] > 0.0);
        let gain = |row: usize| if counts(row) { amount[row] } else { 0.0 };
        let gains = || (0..truth.len()).map(gain);

        let mean = ranking.top_amount(list_weight) / total;
        let local = local_mean_gain(ranking, list_weight);
        let centre = mean - local * list_weight / total;
        let rows = RankedRows::new(ranking, truth, score)?;
        let values: Vec<f64> = (rows.shares_in_list(list_weight).zip(gains()))
            .map(|(share, gain)| share * (gain - local) - centre)
            .collect();
        let has_hit = rows.shares_in_list(list_weight).zip(gains()).any(|(m, gain)| m > 0.0 && gain != 0.0);
        // The whole list holds all positives.
        let found = (list_weight < total).then(|| ranking.top(list_weight).positive / totals.positive);
        let is_signed = gains().any(|gain| gain < 0.0);
        let spread = SkewedMean::new(truth, weight, mean, &values, is_signed).with_found(found);
        Ok(Self { mean, total, list_weight, values, spread, has_hit })
    }

    /// The gain.
    pub fn estimate(&self) -> f64 {
        self.mean * self.total
    }

    /// The gain less this cost for each case in the list.
    pub fn profit(&self, cost: f64) -> f64 {
        self.estimate() - self.list_weight * cost
    }

    /// The influence value of each row on the gain. Differences of the values of two models on the same rows are the values
    /// of the difference ([`InfluenceDifference`](crate::significance::InfluenceDifference)).
    pub fn influence_values(&self) -> Vec<f64> {
        self.values.iter().map(|value| value * self.total).collect()
    }

    /// The variance of the gain.
    ///
    /// # Errors
    /// A class has fewer than two cases.
    pub fn variance(&self, base_rate: BaseRate) -> Result<Variance, NoInterval> {
        let variance = self.spread.variance(base_rate)?;
        Ok(Variance { total: variance.total * self.total * self.total, ..variance })
    }

    /// The interval of the gain.
    ///
    /// # Errors
    /// A class has fewer than two cases, or nothing in the list brings anything in.
    pub fn interval(&self, level: Level, base_rate: BaseRate) -> Result<Interval, NoInterval> {
        let of_mean = self.spread.interval(level, base_rate)?;
        if !self.has_hit {
            return Err(NoInterval::NoHit);
        }
        Ok(of_mean.mapped(|mean| mean * self.total).holding(self.estimate()))
    }

    /// The interval of the [`profit`](Self::profit).
    ///
    /// # Errors
    /// Those of [`interval`](Self::interval).
    pub fn profit_interval(
        &self,
        cost: f64,
        level: Level,
        base_rate: BaseRate,
    ) -> Result<Interval, NoInterval> {
        Ok(self.interval(level, base_rate)?.mapped(|gain| gain - self.list_weight * cost))
    }
}
