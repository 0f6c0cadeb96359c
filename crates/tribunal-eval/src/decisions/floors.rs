//! A policy beside what needs no model - act on nobody, on everybody, at random, on the largest amounts - and beside what nobody can
//! beat: act exactly where it pays.

use serde::{Deserialize, Serialize};

use super::actions::{Actions, ListLength};
use super::case_values::CaseValues;
use super::policy_profit::{PolicyProfit, ProfitFigure};
use super::profit_difference::ProfitDifference;
use crate::error::Error;
use crate::influence::BaseRate;
use crate::intervals::Level;

/// A policy that needs no model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FloorPolicy {
    /// Act on no case.
    Nobody,
    /// Act on every case.
    Everybody,
    /// Act on as many cases, drawn at random.
    AtRandom,
    /// Act on as many cases, those of the largest amounts.
    LargestAmounts,
}

/// A policy that needs no model, and what the policy in question earns more.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Floor {
    /// Which one.
    pub policy: FloorPolicy,
    /// Its profit.
    pub profit: ProfitFigure,
    /// The profit in question less this one.
    pub gained: ProfitDifference,
}

/// A policy between its floors and its ceiling.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ProfitBesideFloors {
    /// The profit in question.
    pub profit: ProfitFigure,
    /// Policies that need no model.
    pub floors: Vec<Floor>,
    /// Act exactly where it pays.
    pub ceiling: ProfitFigure,
    /// What the policy earns beyond acting on nobody, as a share of what the ceiling does; nothing where acting pays nowhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share_of_ceiling: Option<f64>,
}

impl CaseValues<'_> {
    /// What these actions bring in, beside the floors and the ceiling. The floor of the largest amounts needs amounts that are known of
    /// every case before acting.
    ///
    /// ```
    /// use tribunal_eval::decisions::{Actions, AmountRule, CaseValues};
    /// use tribunal_eval::{ScoredSet, influence::BaseRate, intervals::Level};
    ///
    /// let truth = [true, false, true, false, true];
    /// let (p, amount) = ([0.3, 0.05, 0.9, 0.5, 0.02], [400.0, 2500.0, 80.0, 180.0, 6000.0]);
    /// let set = ScoredSet::new(&truth, &p)?.with_amount(&amount)?;
    /// let values = CaseValues::of_payoff(&set, &AmountRule::FRAUD.payoff())?;
    /// let flagged = Actions::on(&AmountRule::FRAUD.acts(&p, &amount)?);
    /// let found = values.beside_floors(&flagged, Some(&amount), Level::P95, BaseRate::Random)?;
    /// assert_eq!((found.profit.total, found.ceiling.total, found.floors[1].profit.total), (6130.0, 6220.0, 6030.0));
    /// assert_eq!(found.share_of_ceiling, Some(6130.0 / 6220.0));
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    ///
    /// # Errors
    /// No case carries weight, or there is not one action and one finite amount a case.
    pub fn beside_floors(
        &self,
        actions: &Actions,
        amounts: Option<&[f64]>,
        level: Level,
        base_rate: BaseRate,
    ) -> Result<ProfitBesideFloors, Error> {
        let profit = self.profit(actions)?;
        // Sums of shares may exceed the weight of all cases by rounding.
        let as_many = ListLength::Share((profit.acted / self.total_weight()?).min(1.0));
        let mut floors = vec![
            (FloorPolicy::Nobody, self.nobody()),
            (FloorPolicy::Everybody, self.everybody()),
            (FloorPolicy::AtRandom, self.at_random(as_many)?),
        ];
        if let Some(amounts) = amounts {
            floors.push((FloorPolicy::LargestAmounts, self.top(amounts, as_many)?));
        }
        let floor = |(policy, actions): (FloorPolicy, Actions)| {
            let of_floor = self.profit(&actions)?;
            let gained = self.difference(&profit, &of_floor, level, base_rate);
            Ok(Floor { policy, profit: of_floor.figure(level, base_rate), gained })
        };
        let ceiling = self.profit(&self.where_it_pays())?;
        Ok(ProfitBesideFloors {
            floors: floors.into_iter().map(floor).collect::<Result<_, Error>>()?,
            share_of_ceiling: self.share_of(&profit, &ceiling)?,
            ceiling: ceiling.figure(level, base_rate),
            profit: profit.figure(level, base_rate),
        })
    }

    fn share_of(&self, profit: &PolicyProfit, ceiling: &PolicyProfit) -> Result<Option<f64>, Error> {
        let nobody = self.profit(&self.nobody())?.total;
        let most = ceiling.total - nobody;
        Ok((most > 0.0).then(|| (profit.total - nobody) / most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decisions::{BenefitMatrix, CellValue};
    use proptest::prelude::*;

    proptest! {
        /// No policy beats acting exactly where it pays; acting on nobody is worth what leaving cases alone is.
        #[test]
        fn every_policy_lies_below_the_ceiling(
            rows in prop::collection::vec((any::<bool>(), any::<bool>(), -50i32..50, 0u8..4, 0u8..5), 1..40),
            passing in -5i32..5
        ) {
            let truth: Vec<bool> = rows.iter().map(|row| row.0).collect();
            let acts: Vec<bool> = rows.iter().map(|row| row.1).collect();
            let hit: Vec<f64> = rows.iter().map(|row| f64::from(row.2)).collect();
            let weight: Vec<f64> = rows.iter().map(|row| f64::from(row.3)).collect();
            let scores: Vec<f64> = rows.iter().map(|row| f64::from(row.4)).collect();
            prop_assume!(weight.iter().sum::<f64>() > 0.0);
            let benefits = crate::decisions::CaseBenefits {
                hit: CellValue::Column(&hit),
                false_positive: CellValue::Constant(-3.0),
                false_negative: CellValue::Constant(f64::from(passing)),
                correct_rejection: CellValue::Constant(0.0),
            };
            let values = CaseValues::new(&truth, &benefits)?.with_weight(&weight)?;
            let total = |actions: &Actions| values.profit(actions).expect("weight").total;
            let ceiling = total(&values.where_it_pays());
            let list = values.top(&scores, ListLength::Share(0.4))?;
            for actions in [Actions::on(&acts), values.everybody(), values.nobody(), list] {
                prop_assert!(total(&actions) <= ceiling + 1e-9);
            }
            let positives: f64 = truth.iter().zip(&weight).filter(|(t, _)| **t).map(|(_, w)| w).sum();
            prop_assert!((total(&values.nobody()) - f64::from(passing) * positives).abs() < 1e-9);
        }

        /// A weight of two is the row twice, and a weight of zero is its absence.
        #[test]
        fn weights_count_rows(
            rows in prop::collection::vec((any::<bool>(), 1i32..50, 0u8..3, 0u8..5), 8..40)
        ) {
            let expanded: Vec<_> = rows.iter().flat_map(|row| vec![*row; usize::from(row.2)]).collect();
            prop_assume!(!expanded.is_empty());
            let judged = |rows: &[(bool, i32, u8, u8)], is_weighted: bool| {
                let truth: Vec<bool> = rows.iter().map(|row| row.0).collect();
                let hit: Vec<f64> = rows.iter().map(|row| f64::from(row.1)).collect();
                let weight: Vec<f64> = rows.iter().map(|row| f64::from(row.2)).collect();
                let scores: Vec<f64> = rows.iter().map(|row| f64::from(row.3)).collect();
                let [cost, nothing] = [-3.0, 0.0].map(CellValue::Constant);
                let benefits = crate::decisions::CaseBenefits {
                    hit: CellValue::Column(&hit), false_positive: cost, false_negative: nothing, correct_rejection: nothing,
                };
                let values = CaseValues::new(&truth, &benefits).expect("finite");
                let values = if is_weighted { values.with_weight(&weight).expect("weights") } else { values };
                let list = values.top(&scores, ListLength::Share(0.3)).expect("rows");
                let best = values.best_list(&scores).expect("rows");
                [values.profit(&list).expect("rows").total, values.profit(&values.everybody()).expect("rows").total,
                 best.profit, best.cases]
            };
            for (found, expected) in judged(&rows, true).into_iter().zip(judged(&expanded, false)) {
                prop_assert!((found - expected).abs() < 1e-9, "{found} {expected}");
            }
        }
    }

    #[test]
    fn where_acting_pays_nowhere_there_is_no_share_of_the_ceiling() {
        let matrix = BenefitMatrix { hit: -1.0, false_positive: -1.0, ..BenefitMatrix::default() };
        let values = CaseValues::new(&[true, false], &matrix.into()).expect("finite");
        let found =
            values.beside_floors(&values.everybody(), None, Level::P95, BaseRate::Random).expect("rows");
        assert_eq!((found.share_of_ceiling, found.ceiling.total, found.floors.len()), (None, 0.0, 3));
    }
}
