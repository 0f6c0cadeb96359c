//! The standardised area under the curve of amounts of a risk chart: how far a list lies between the worst and the best order by
//! amount.
//!
//! The worst order is the best one from its end, so that the areas of the two add up to 1, and the standardised area is
//! `(1 + Γ) / 2` with the Gini correlation `Γ = cov(m, F(s)) / cov(m, F(m))` of amounts `m` and scores `s`. It lies between 0 and
//! 1 for amounts of any sign. Where every positive has the amount 1 it is the AUROC.
//!
//! References: Koesmarno (2019); Schechtman & Yitzhaki (1987), "A measure of association based on Gini's mean difference".

use super::{Better, Compute, Estimate, Spread, metric};
use crate::influence::{AmountRow, Influence, Moments, Variance};
use crate::intervals::{Interval, IntervalMethod, NoInterval, Sampled};
use crate::ranking::Ranking;
use crate::undefined::{Undefined, Value};

metric! {
    METRIC = "omega_amount", "standardised area under the curve of amounts", Ranking;
    definition: "(A - min) / (max - min), where A is the area under the share of the amount over caseload and min and max are those of the order by amount, ascending and descending; 0.5 where all amounts are equal";
    undefined when: "there are no amounts, they are known as sums by score only, or they add up to nothing or less";
    range: 0.0, 1.0; better: Better::Higher;
    reference: "Koesmarno 2019; Schechtman and Yitzhaki 1987";
    compute: Compute::Ranking(omega_amount);
    interval: Spread::Influence { influence: |ranking, _| influence(ranking), interval };
    needs: amounts;
}

/// standardised area under the curve of amounts; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Ranking, ScoredSet, metrics::omega_amount};
///
/// let set = ScoredSet::new(&[true, false, true, false], &[0.9, 0.8, 0.3, 0.1])?;
/// let ranking = Ranking::of(&set.with_amount(&[20.0, 0.0, 80.0, 0.0])?)?;
/// // The best order has the 80 first: areas of 0.825 at best, 0.175 at worst and 0.475 here.
/// assert!((omega_amount(&ranking)? - 0.3 / 0.65).abs() < 1e-12);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
pub fn omega_amount(ranking: &Ranking) -> Value {
    Ok(AmountAreas::of(ranking)?.standardised())
}

/// The areas between curves of amounts and the diagonal, per case.
pub(crate) struct AmountAreas {
    /// The mean amount of a case, which is above zero: what turns the areas into those of shares.
    pub(crate) mean: f64,
    /// Of the ranking.
    pub(crate) found: f64,
    /// Of the order by amount; zero where all amounts are equal.
    pub(crate) best: f64,
}

impl AmountAreas {
    pub(crate) fn of(ranking: &Ranking) -> Result<Self, Undefined> {
        let best = ranking.amount_order()?.gini_area();
        let mean = positive_total(ranking)? / ranking.totals().total();
        Ok(Self { mean, found: ranking.amount_area(), best })
    }

    pub(crate) fn standardised(&self) -> f64 {
        if self.best > 0.0 { (0.5 + self.found / self.best / 2.0).clamp(0.0, 1.0) } else { 0.5 }
    }
}

/// The amount of all cases, where shares of it have a meaning.
pub(crate) fn positive_total(ranking: &Ranking) -> Value {
    if !ranking.has_amounts() {
        return Err(Undefined::NoAmounts);
    }
    if ranking.n_blocks() == 0 {
        return Err(Undefined::NoRows);
    }
    let total = ranking.amount_of_everybody_through(ranking.n_blocks());
    if total > 0.0 { Ok(total) } else { Err(Undefined::NonPositiveTotal { total }) }
}

/// The area between a curve of amounts and the diagonal is the mean of `m (1/2 - F)` over the rows, where `F` is the share of the
/// rows above a row: a row moves it by its own amount and by the amounts that it passes. The area of the best order is the same of the
/// order by amount.
fn influence(ranking: &Ranking) -> Result<Influence<'_>, Undefined> {
    let areas = AmountAreas::of(ranking)?;
    let AmountAreas { mean, best, .. } = areas;
    if best <= 0.0 {
        return Ok(Influence::Amounts(Box::new(|_| 0.0)));
    }
    let (order, total) = (ranking.amount_order()?, ranking.totals().total());
    let moved = move |row: &AmountRow, area: f64| {
        row.amount * (0.5 - row.mid_share(total)) + row.mid_amount(total) - mean / 2.0 - 2.0 * area
    };
    let correlation = 2.0 * areas.standardised() - 1.0;
    let found = correlation * best;
    Ok(Influence::Amounts(Box::new(move |row: &AmountRow| {
        (moved(row, found) - correlation * moved(&order.row(row.amount), best)) / (2.0 * best)
    })))
}

/// Wilson's interval on three times as many cases as there are rows of equal amounts that vary like the amounts, as the AUROC has
/// it with positives, with the few degrees of freedom that the kurtosis of the influence values leaves.
fn interval(sampled: &Sampled<'_>, Estimate { value, .. }: Estimate) -> Result<Interval, NoInterval> {
    let (ranking, level) = (sampled.ranking, sampled.level);
    let classes = sampled.classes()?.effective;
    let variance = Variance::of(&Moments::of(ranking, &influence(ranking)?), sampled.base_rate);
    let rarer = ranking.effective_amounts().min(classes[1]).max(1.0);
    let n = level.effective(value, variance.total, 3.0 * rarer);
    let df = if variance.vanishes(1.0) { rarer - 1.0 } else { variance.kurtosis_df };
    let interval = level.wilson(value, n, level.t(df));
    Ok(Interval { method: IntervalMethod::EffectiveWilson, ..interval })
}
