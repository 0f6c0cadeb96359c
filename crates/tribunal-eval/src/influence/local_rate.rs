//! The cut of a list of given length: a sample quantile, so that cases at the cut come and go with the sample.
//!
//! How much that moves a figure depends on the share of positives at the cut, which is smoothed over neighbouring ranks.

use super::{ClassValues, Influence, class_shares, divided};
use crate::intervals::NoInterval;
use crate::ranking::{Ranking, Split, kish};
use crate::undefined::Undefined;

/// The first cases of a list: how many, how many of them are positive, and what the cases at the cut are like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListCut {
    /// Weight of the list.
    pub(crate) weight: f64,
    /// The list as a share of all cases.
    pub(crate) share: f64,
    /// Positives in the list as a share of all cases.
    pub(crate) hits: f64,
    /// Share of positives among the cases at the cut.
    pub(crate) local_rate: f64,
    /// The share of positives among all cases.
    pub(crate) base_rate: f64,
    /// Cases in the list, of equal weight (Kish).
    pub(crate) n_cases: f64,
    /// Positives among all cases, of equal weight.
    pub(crate) n_positives: f64,
}

/// Fewer cases in a list show nothing of how others would do.
pub(crate) const FEWEST_LISTED: f64 = 4.0;

impl ListCut {
    /// The first `weight` of a list, where it is long enough for an interval.
    pub(crate) fn judged(ranking: &Ranking, weight: f64) -> Result<Self, NoInterval> {
        let cut = Self::at(ranking, weight)?;
        // Weights may miss a whole number of cases by rounding.
        if cut.n_cases < FEWEST_LISTED - 1e-9 { Err(NoInterval::ShortList) } else { Ok(cut) }
    }

    /// The first `weight` of a list.
    pub(crate) fn at(ranking: &Ranking, weight: f64) -> Result<Self, Undefined> {
        let totals = ranking.both_classes()?;
        let total = totals.total();
        let top = ranking.top(weight);
        let n_cases = match ranking.is_weighted() {
            true => cases_of_equal_weight(ranking, weight),
            false => weight,
        };
        Ok(Self {
            weight,
            share: weight / total,
            hits: top.positive / total,
            local_rate: local_rate(ranking, weight, total / ranking.n_rows()),
            base_rate: class_shares(totals).positive,
            n_cases,
            n_positives: ranking.effective_rows().effective[0],
        })
    }

    /// The influence of a row on the share of all cases that are positive and in the list, `H`.
    fn of_hits(&self) -> (ClassValues, ClassValues) {
        let Self { share, hits, local_rate: c, .. } = *self;
        let centre = hits - c * share;
        (
            ClassValues { positive: 1.0 - c - centre, negative: -c - centre },
            ClassValues { positive: -centre, negative: -centre },
        )
    }

    /// The influence function of a figure that depends on `H` and the base rate, by its derivatives in the two.
    pub(crate) fn influence(&self, in_hits: f64, in_base_rate: f64) -> Influence<'static> {
        let (inside, outside) = self.of_hits();
        let of = |values: ClassValues| ClassValues {
            positive: in_hits * values.positive + in_base_rate * (1.0 - self.base_rate),
            negative: in_hits * values.negative - in_base_rate * self.base_rate,
        };
        Influence::List { weight: self.weight, inside: of(inside), outside: of(outside) }
    }
}

/// How many cases of equal weight would vary like the weighted ones in the first `weight` of the list.
fn cases_of_equal_weight(ranking: &Ranking, weight: f64) -> f64 {
    let (start, end, share) = divided(ranking, weight);
    let ([p, m], [p_cut, m_cut]) = (ranking.powers_between(0, start), ranking.powers_between(start, end));
    kish(std::array::from_fn(|k| p[k] + m[k] + share * (p_cut[k] + m_cut[k])))
}

/// The share of positives among the cases at the cut. `unit` is the weight of a case.
fn local_rate(ranking: &Ranking, weight: f64, unit: f64) -> f64 {
    let (from, to) = blocks_at_cut(ranking, weight, unit);
    let (above, through) = (ranking.through(from), ranking.through(to));
    let own =
        Split { positive: through.positive - above.positive, negative: through.negative - above.negative };
    if own.total() > 0.0 { own.positive / own.total() } else { 0.0 }
}

/// The mean of amount times label among the cases at the cut of the first `weight` of a list.
pub(crate) fn local_mean_gain(ranking: &Ranking, weight: f64) -> f64 {
    local_mean(ranking, weight, |n_blocks| ranking.amount_through(n_blocks))
}

/// The mean amount of the cases at the cut of the first `weight` of a list; negatives have 0 unless everybody has an amount.
pub(crate) fn local_mean_amount(ranking: &Ranking, weight: f64) -> f64 {
    local_mean(ranking, weight, |n_blocks| ranking.amount_of_everybody_through(n_blocks))
}

fn local_mean(ranking: &Ranking, weight: f64, through: impl Fn(usize) -> f64) -> f64 {
    let unit = ranking.totals().total() / ranking.n_rows();
    let (from, to) = blocks_at_cut(ranking, weight, unit);
    let own = ranking.through(to).total() - ranking.through(from).total();
    if own > 0.0 { (through(to) - through(from)) / own } else { 0.0 }
}

/// The first block at the cut and the first one below it: over the ranks up to half of the list's length, and five cases at
/// least, above and below the cut; the block that the cut divides where that is wider. `unit` is the weight of a case.
pub(crate) fn blocks_at_cut(ranking: &Ranking, weight: f64, unit: f64) -> (usize, usize) {
    let half = (weight / 2.0).max(5.0 * unit).min(weight);
    let last = ranking.n_blocks().saturating_sub(1);
    let at = ranking.block_at(weight);
    let block = ranking.block(at);
    // Sums of weights may miss the end of a block by rounding.
    let little = 1e-9 * unit;
    let straddles = block.above.total() < weight - little && weight + little < block.through.total();
    if straddles && block.own().total() >= 2.0 * half - little {
        return (at, at + 1);
    }
    // All blocks that meet the open stretch of ranks around the cut.
    let from = ranking.n_blocks_within(weight - half + little);
    let to = ranking.first_block(|through| through.total() >= weight + half - little).min(last);
    (from, to + 1)
}
