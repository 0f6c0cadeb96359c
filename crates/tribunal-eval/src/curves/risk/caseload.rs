//! A risk chart at one caseload: what the list, the best and the worst order hold, and how much of what was possible was reached.

use serde::{Deserialize, Serialize};

use crate::checks::within;
use crate::error::Error;
use crate::metrics::omega_amount::positive_total;
use crate::ranking::Ranking;

/// What the first cases of a list hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RiskPoint {
    /// Caseload: share of the list.
    pub share: f64,
    /// The lowest score in it; none where nobody is.
    pub score: Option<f64>,
    /// Share of the positives in it.
    pub recall: f64,
    /// Share of positives among its cases; none where nobody is in it.
    pub strike_rate: Option<f64>,
    /// Share of the amount of all cases in it, where there are amounts. Negative amounts may take it beyond 1 or below 0.
    pub amount: Option<f64>,
}

/// What the best and the worst order of the cases hold at a caseload.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RiskLimits {
    /// Share of the positives in the best order.
    pub best_recall: f64,
    /// The same in the worst.
    pub worst_recall: f64,
    /// Share of the amount in the order by amount, where the amounts of the rows are known.
    pub best_amount: Option<f64>,
    /// The same in the reverse order.
    pub worst_amount: Option<f64>,
}

/// How much of what was possible at a caseload was reached.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Capture {
    /// The caseload.
    pub share: f64,
    /// Share of the positives that was reached.
    pub recall: f64,
    /// That of the best order.
    pub best_recall: f64,
    /// `recall / best_recall`.
    pub of_cases: f64,
    /// Share of the amount that was reached, where there are amounts.
    pub amount: Option<f64>,
    /// That of the best order, where the amounts of the rows are known.
    pub best_amount: Option<f64>,
    /// `amount / best_amount`.
    pub of_amount: Option<f64>,
}

impl RiskPoint {
    /// What the first `share` of a list holds, ties in random order: a point of the [`RiskChart`](super::RiskChart) without the chart.
    ///
    /// # Errors
    /// The caseload is no share, or a class is absent.
    pub fn of_ranking(ranking: &Ranking, share: f64) -> Result<Self, Error> {
        within("the caseload", share, (0.0..=1.0).contains(&share), "a share from 0 to 1")?;
        let totals = ranking.both_classes()?;
        let weight = share * totals.total();
        let above = ranking.top(weight);
        let amount = |total: f64| ranking.top_amount_of_everybody(weight) / total;
        let is_listed = share > 0.0;
        Ok(Self {
            share,
            score: is_listed.then(|| ranking.score(ranking.block_at(weight))),
            recall: above.positive / totals.positive,
            strike_rate: is_listed.then(|| above.positive / weight),
            amount: positive_total(ranking).ok().map(amount),
        })
    }
}

impl RiskLimits {
    /// What the best and the worst order of the cases of a ranking hold at a caseload.
    ///
    /// ```
    /// use tribunal_eval::{Ranking, curves::RiskLimits};
    ///
    /// let ranking = Ranking::from_scores(&[true, false, true, false], &[0.9, 0.8, 0.3, 0.1])?;
    /// let limits = RiskLimits::of_ranking(&ranking, 0.75)?;
    /// assert_eq!((limits.best_recall, limits.worst_recall, limits.best_amount), (1.0, 0.5, None));
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    ///
    /// # Errors
    /// The caseload is no share, or a class is absent.
    pub fn of_ranking(ranking: &Ranking, share: f64) -> Result<Self, Error> {
        within("the caseload", share, (0.0..=1.0).contains(&share), "a share from 0 to 1")?;
        let totals = ranking.both_classes()?;
        let base_rate = totals.positive / totals.total();
        let best = |share: f64| (share / base_rate).min(1.0);
        let amounts = positive_total(ranking).and_then(|total| Ok((total, ranking.amount_order()?))).ok();
        let best_amount = |share: f64| {
            let (total, order) = amounts?;
            Some(order.top_amount(share * totals.total()) / total)
        };
        Ok(Self {
            best_recall: best(share),
            worst_recall: 1.0 - best(1.0 - share),
            best_amount: best_amount(share),
            worst_amount: best_amount(1.0 - share).map(|rest| 1.0 - rest),
        })
    }
}

impl Capture {
    /// How much of what was possible in the first `share` of a list was reached: [`RiskChart::capture`](super::RiskChart::capture) without the chart.
    ///
    /// # Errors
    /// The caseload is not above 0 and at most 1, or a class is absent.
    pub fn of_ranking(ranking: &Ranking, share: f64) -> Result<Self, Error> {
        let is_share = share > 0.0 && share <= 1.0;
        within("the caseload", share, is_share, "a share above 0 and at most 1")?;
        let limits = RiskLimits::of_ranking(ranking, share)?;
        Ok(Self::of(RiskPoint::of_ranking(ranking, share)?, limits.best_recall, limits.best_amount))
    }

    pub(super) fn of(reached: RiskPoint, best_recall: f64, best_amount: Option<f64>) -> Self {
        let RiskPoint { share, recall, amount, .. } = reached;
        let of_amount =
            amount.zip(best_amount.filter(|best| *best > 0.0)).map(|(amount, best)| amount / best);
        Self { share, recall, best_recall, of_cases: recall / best_recall, amount, best_amount, of_amount }
    }
}
