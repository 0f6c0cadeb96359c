//! What acting on so many cases brings in: amounts or profit, the last case, and what is left undone.

use serde::{Deserialize, Serialize};

use super::actions::ListLength;
use super::capacity::Capacity;
use super::case_values::CaseValues;
use super::interval_estimate::IntervalEstimate;
use crate::error::Error;
use crate::influence::BaseRate;
use crate::intervals::Level;
use crate::ranking::Ranking;
use crate::scored_set::ScoredSet;

/// What acting on so many cases brings in.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct CapacityValue {
    /// The capacity.
    pub capacity: Capacity,
    /// Expected value of the cases acted on: the mean over lists of the size that is spoken of.
    pub total: IntervalEstimate,
    /// The value of the next such list; the interval is a prediction interval.
    pub in_next_list: IntervalEstimate,
    /// Expected value of acting on the cases that are left undone.
    pub missed: IntervalEstimate,
    /// Value of acting on a case around the last one: what one case more would bring in.
    pub marginal: IntervalEstimate,
}

impl CaseValues<'_> {
    /// What acting on so many cases of a list brings in, from the highest score down. With the amounts of positives as values these
    /// are amounts, with benefits and costs profit.
    ///
    /// **Definition** · with a share `s` of the list acted on, `N/n Σ wᵢ (bᵢ + mᵢ vᵢ)`: see
    /// [`PolicyProfit`](super::PolicyProfit); `n` is the weight of the list at hand and `N` that of the lists that are spoken of.
    /// Missed is `N/n Σ wᵢ (1 - mᵢ) vᵢ`; the marginal value is the mean of `v` over half of the list's length on either side of its
    /// end.
    ///
    /// **Undefined when** no case carries weight or there are fewer than the capacity.
    ///
    /// **Example**
    /// ```
    /// use tribunal_eval::{ScoredSet, curves::{Benefit, Payoff}, decisions::CaseValues};
    /// use tribunal_eval::{influence::BaseRate, intervals::Level};
    ///
    /// let (truth, amount) = ([true, false, true, false, true, false], [50.0, 0.0, 40.0, 0.0, 30.0, 0.0]);
    /// let scores = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4];
    /// let set = ScoredSet::new(&truth, &scores)?.with_amount(&amount)?;
    /// let values = CaseValues::of_payoff(&set, &Payoff { benefit: Benefit::Amount, cost: 5.0 })?;
    /// let found = values.capacity(&scores, "3".parse()?, Level::P95, BaseRate::Random)?;
    /// assert_eq!((found.total.value, found.missed.value), (75.0, 15.0));
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    ///
    /// **Reference** · Hall 1992; Cornish & Fisher 1938
    pub fn capacity(
        &self,
        scores: &[f64],
        capacity: Capacity,
        level: Level,
        base_rate: BaseRate,
    ) -> Result<CapacityValue, Error> {
        let set = ScoredSet { weight: self.weight, ..ScoredSet::new(self.truth, scores)? };
        self.capacity_of(&Ranking::of(&set)?, scores, capacity, level, base_rate)
    }

    /// The same where the ranking of the cases by these scores is at hand.
    ///
    /// # Errors
    /// Those of [`capacity`](Self::capacity).
    pub fn capacity_of(
        &self,
        ranking: &Ranking,
        scores: &[f64],
        capacity: Capacity,
        level: Level,
        base_rate: BaseRate,
    ) -> Result<CapacityValue, Error> {
        let total = ranking.totals().total();
        let (share, list_size) = (capacity.share(total)?, capacity.list_size(total));
        let list = self.top_of(ranking, scores, ListLength::Share(share))?;
        let profit = self.profit(&list)?;
        let times = list_size / total;
        let expected = IntervalEstimate::new(profit.total, profit.interval(level, base_rate)).times(times);
        let next = profit.next_list(list_size, level, base_rate);
        let beyond = Self { passing: None, ..self.clone() };
        let missed = beyond.profit(&list.rest())?;
        let missed = IntervalEstimate::new(missed.total, missed.interval(level, base_rate)).times(times);
        let rows_at_cut = list.cut.as_ref().map_or(&[][..], |cut| &cut.rows_at_cut);
        Ok(CapacityValue {
            capacity,
            in_next_list: IntervalEstimate::new(
                expected.value,
                next.map(|next| next.holding_interval(expected.interval)),
            ),
            total: expected,
            missed,
            marginal: self.marginal(rows_at_cut, level, base_rate)?,
        })
    }

    /// The mean value of acting on some rows.
    fn marginal(&self, rows: &[u32], level: Level, base_rate: BaseRate) -> Result<IntervalEstimate, Error> {
        let rows = || rows.iter().map(|&row| row as usize);
        let truth: Vec<bool> = rows().map(|row| self.truth[row]).collect();
        let weight: Option<Vec<f64>> = self.weight.map(|weight| rows().map(|row| weight[row]).collect());
        let acting = rows().map(|row| self.acting[row]).collect();
        let values = CaseValues { truth: &truth, weight: weight.as_deref(), acting, passing: None };
        let profit = values.profit(&values.everybody())?;
        Ok(IntervalEstimate::new(profit.total, profit.interval(level, base_rate)).times(1.0 / profit.acted))
    }
}
