//! What a common policy does in a segment of the cases.
//!
//! A policy of the whole list, such as its first 200 cases, is a given one to each of its segments: which cases are acted on does not
//! depend on the segment. So the figures of segments add up to those of the whole, and they are independent. Segments differ in size;
//! what is compared among them are hits and amounts for each case acted on, and profit, which leaving cases alone adds to, for each
//! case of the segment.

use super::actions::Actions;
use super::case_values::CaseValues;
use super::interval_estimate::IntervalEstimate;
use super::policy_profit::PolicyProfit;
use crate::error::Error;
use crate::influence::BaseRate;
use crate::intervals::{Level, SkewedMean};
use crate::significance::{GroupFigure, Untestable};
use crate::sum::Sum;

/// What a common policy brings in in a segment of the cases.
///
/// **Definition** · `value` is `Σ wᵢ (bᵢ + mᵢ vᵢ)` over the cases of the segment, as in [`PolicyProfit`]; `per_case` is that over
/// `Σ wᵢ` and `per_acted_case` that over `Σ wᵢ mᵢ`, whose influence values are `(bᵢ + mᵢ vᵢ - r mᵢ) Σ wᵢ / Σ wᵢ mᵢ` with the ratio `r`
/// itself. A share of hits is compared among segments as a share of as many cases as vary alike.
///
/// **Undefined when** no case of the segment carries weight. A figure cannot be compared with fewer than ten cases of a class or, of
/// the share of hits, with fewer than ten cases acted on.
///
/// **Example**
/// ```
/// use tribunal_eval::decisions::{BenefitMatrix, CaseValues, ListLength};
/// use tribunal_eval::{influence::BaseRate, intervals::Level};
///
/// let hits = BenefitMatrix { hit: 1.0, ..BenefitMatrix::default() };
/// let values = CaseValues::new(&[true, false, true, false], &hits.into())?;
/// let list = values.top(&[0.9, 0.8, 0.7, 0.1], ListLength::Cases(2.0))?;
/// let north = CaseValues::new(&[true, true], &hits.into())?;
/// let found = north.in_segment(&list.of_rows(&[0, 2]), Level::P95, BaseRate::Random)?;
/// assert_eq!((found.value.value, found.acted, found.share.value), (1.0, 1.0, 0.5));
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** · Hampel 1974 for the influence values of a ratio
#[derive(Clone, Debug)]
pub struct PolicyInSegment {
    /// Weight of the cases of the segment.
    pub cases: f64,
    /// Weight of those that are acted on.
    pub acted: f64,
    /// Their share of the cases of the segment.
    pub share: IntervalEstimate,
    /// What the policy brings in there.
    pub value: IntervalEstimate,
    /// The same for each case of the segment, to be compared with other segments.
    pub per_case: Result<GroupFigure, Untestable>,
    /// The same for each case acted on.
    pub per_acted_case: Result<GroupFigure, Untestable>,
}

impl Actions {
    /// What is done to some of the cases. To them the policy is a given one, also where it was a list of given length.
    #[must_use]
    pub fn of_rows(&self, rows: &[u32]) -> Self {
        Self {
            shares: rows.iter().map(|&row| self.shares[row as usize]).collect(),
            cut: None,
            is_ceiling: self.is_ceiling,
        }
    }
}

impl CaseValues<'_> {
    /// What a common policy does to these cases, which are a segment of those that it was made for.
    ///
    /// # Errors
    /// No case carries weight, or there is not one action a case.
    pub fn in_segment(
        &self,
        actions: &Actions,
        level: Level,
        base_rate: BaseRate,
    ) -> Result<PolicyInSegment, Error> {
        let profit = self.profit(actions)?;
        let cases = self.total_weight()?;
        let rows = (self.truth, self.weight);
        Ok(PolicyInSegment {
            cases,
            acted: profit.acted,
            share: self.share_acted_on(actions, profit.acted / cases, (level, base_rate)),
            per_case: GroupFigure::of_mean(profit.mean, profit.influence_on_mean(), rows, base_rate),
            per_acted_case: self.per_acted_case(actions, &profit, cases, base_rate),
            value: profit.expected(level, base_rate),
        })
    }

    fn share_acted_on(
        &self,
        actions: &Actions,
        share: f64,
        (level, base_rate): (Level, BaseRate),
    ) -> IntervalEstimate {
        let influence: Vec<f64> = actions.shares.iter().map(|own| own - share).collect();
        let spread = SkewedMean::new(self.truth, self.weight, share, &influence, false);
        let n = self.n_alike(|_| 1.0);
        let value = share.clamp(0.0, 1.0);
        let n = spread.variance(base_rate).map_or(n, |variance| level.effective(value, variance.total, n));
        IntervalEstimate::new(share, Ok(level.edge_wilson(value, n)))
    }

    fn per_acted_case(
        &self,
        actions: &Actions,
        profit: &PolicyProfit,
        cases: f64,
        base_rate: BaseRate,
    ) -> Result<GroupFigure, Untestable> {
        if profit.acted <= 0.0 {
            return Err(Untestable::FewBehindShare);
        }
        let ratio = profit.total / profit.acted;
        if self.counts_hits() {
            return GroupFigure::of_share(ratio.clamp(0.0, 1.0), self.n_alike(|row| actions.shares[row]));
        }
        let influence = |row: usize| {
            let share = actions.shares[row];
            (self.passing_of(row) + share * self.acting[row] - ratio * share) * cases / profit.acted
        };
        let influence: Vec<f64> = (0..self.n_rows()).map(influence).collect();
        GroupFigure::of_mean(ratio, &influence, (self.truth, self.weight), base_rate)
    }

    /// Whether acting on a positive is worth one and everything else nothing.
    fn counts_hits(&self) -> bool {
        self.passing.is_none()
            && self.acting.iter().zip(self.truth).all(|(value, &positive)| *value == f64::from(positive))
    }

    /// As many cases of equal weight as vary like these, each taken to this share (Kish 1965).
    fn n_alike(&self, share: impl Fn(usize) -> f64) -> f64 {
        let power = |k: i32| {
            let of_row = |row: usize| share(row) * self.weight_of(row).powi(k);
            (0..self.n_rows()).map(of_row).collect::<Sum>().value()
        };
        let squares = power(2);
        if squares > 0.0 { power(1).powi(2) / squares } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decisions::{CaseBenefits, CellValue, ListLength};
    use crate::significance::homogeneity;

    const NOTHING: CellValue<'static> = CellValue::Constant(0.0);

    /// Two segments whose cases were picked out of a list of given length: their figures add up to those of the whole.
    #[test]
    fn segments_add_up_to_the_whole() {
        let truth: Vec<bool> = (0..60).map(|row| row % 3 == 0).collect();
        let scores: Vec<f64> = (0..60).map(|row| f64::from(row / 7)).collect();
        let hit: Vec<f64> = (0..60).map(|row| f64::from(row * 17 % 23) - 4.0).collect();
        let passing: Vec<f64> = (0..60).map(|row| f64::from(row % 5) - 2.0).collect();
        let weight: Vec<f64> = (0..60).map(|row| f64::from(row % 4) / 2.0).collect();
        let of = |rows: &[u32]| {
            let pick = |values: &[f64]| rows.iter().map(|&row| values[row as usize]).collect::<Vec<f64>>();
            (
                rows.iter().map(|&row| truth[row as usize]).collect::<Vec<bool>>(),
                pick(&hit),
                pick(&passing),
                pick(&weight),
            )
        };
        let all: Vec<u32> = (0..60).collect();
        let list = {
            let (truth, hit, passing, weight) = of(&all);
            let passing = CellValue::Column(&passing);
            let benefits = CaseBenefits {
                hit: CellValue::Column(&hit),
                false_positive: CellValue::Constant(-2.0),
                false_negative: passing,
                correct_rejection: passing,
            };
            let values = CaseValues::new(&truth, &benefits)
                .and_then(|values| values.with_weight(&weight))
                .expect("valid");
            let list = values.top(&scores, ListLength::Share(0.35)).expect("a list");
            (values.profit(&list).expect("rows").total, list)
        };
        let judged = |rows: &[u32]| {
            let (truth, hit, passing, weight) = of(rows);
            let passing = CellValue::Column(&passing);
            let benefits = CaseBenefits {
                hit: CellValue::Column(&hit),
                false_positive: CellValue::Constant(-2.0),
                false_negative: passing,
                correct_rejection: passing,
            };
            let values = CaseValues::new(&truth, &benefits)
                .and_then(|values| values.with_weight(&weight))
                .expect("valid");
            values.in_segment(&list.1.of_rows(rows), Level::P95, BaseRate::Random).expect("rows")
        };
        let (even, odd): (Vec<u32>, Vec<u32>) = all.iter().partition(|row| *row % 2 == 0);
        let (even, odd) = (judged(&even), judged(&odd));
        assert!((even.value.value + odd.value.value - list.0).abs() < 1e-9);
        let total: f64 = weight.iter().sum();
        assert!(
            (even.acted + odd.acted - 0.35 * total).abs() < 1e-9
                && (even.cases + odd.cases - total).abs() < 1e-9
        );
        assert!(even.share.interval.is_some_and(|ends| ends.lower < even.share.value));
    }

    #[test]
    fn shares_of_hits_are_compared_by_chi_square() {
        let group = |hits: usize| {
            let truth: Vec<bool> = (0..80).map(|row| row < hits || row > 60).collect();
            let acts: Vec<bool> = (0..80).map(|row| row < 40).collect();
            let benefits = CaseBenefits {
                hit: CellValue::Constant(1.0),
                false_positive: NOTHING,
                false_negative: NOTHING,
                correct_rejection: NOTHING,
            };
            let values = CaseValues::new(&truth, &benefits).expect("valid");
            values.in_segment(&Actions::on(&acts), Level::P95, BaseRate::Random).expect("rows").per_acted_case
        };
        // 30 and 20 hits of 40 cases each.
        let found = homogeneity(&[group(30), group(20)]).expect("two groups");
        assert!((found.test.f - 16.0 / 3.0).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn few_cases_are_not_compared() {
        let truth = [true, false, true, false];
        let benefits = CaseBenefits {
            hit: CellValue::Constant(3.0),
            false_positive: CellValue::Constant(-1.0),
            false_negative: NOTHING,
            correct_rejection: NOTHING,
        };
        let values = CaseValues::new(&truth, &benefits).expect("valid");
        let found = values.in_segment(&values.nobody(), Level::P95, BaseRate::Random).expect("rows");
        assert_eq!((found.share.value, found.value.value), (0.0, 0.0));
        assert_eq!(found.per_acted_case, Err(Untestable::FewBehindShare));
        assert_eq!(found.per_case, Err(Untestable::NoVariance));
        let all = values.in_segment(&values.everybody(), Level::P95, BaseRate::Random).expect("rows");
        assert_eq!(all.per_case, Err(Untestable::FewCases));
    }
}
