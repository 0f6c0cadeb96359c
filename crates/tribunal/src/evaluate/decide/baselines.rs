//! The obvious alternatives to a model, and what nobody can do better than.

use tribunal_eval::Error as Refused;
use tribunal_eval::decisions::{Actions, CaseValues, ListLength, PolicyProfit};

use super::Asked;
use super::model::{ActedOn, Values};
use super::table::ModelRows;
use crate::decision::{BaselineDecision, BaselinePolicy, DecideBy, Policy};

/// What a policy without a model brings in.
pub(super) struct Baseline {
    pub(super) deciding: PolicyProfit,
    pub(super) result: BaselineDecision,
}

impl Asked<'_> {
    /// The policies that take no model, acting on as many cases as the best one where they choose a number.
    pub(super) fn baselines(&self, rows: &ModelRows<'_>, best: &ActedOn) -> Result<Vec<Baseline>, Refused> {
        let values = Values::of(rows)?;
        let deciding = values.deciding(self.by);
        let length = ListLength::Cases(best.acted.min(best.total));
        let mut policies = Vec::new();
        if self.by == DecideBy::Profit {
            policies.push((BaselinePolicy::Nobody, deciding.nobody()));
            // Whoever can act on so many cases only cannot act on everybody.
            if self.capacity().is_none() {
                policies.push((BaselinePolicy::Everybody, deciding.everybody()));
            }
        }
        // Whoever acts on everybody chooses nobody.
        if best.acted < best.total {
            policies.push((BaselinePolicy::AtRandom, deciding.at_random(length)?));
        }
        if let Some(at_stake) = rows.at_stake() {
            policies.push((BaselinePolicy::LargestAmounts, deciding.top(at_stake, length)?));
        }
        policies.push((BaselinePolicy::Ceiling, self.ceiling(deciding, best)?));
        policies
            .into_iter()
            .map(|(policy, actions)| self.baseline(&values, policy, &actions, best.total))
            .collect()
    }

    /// Acting exactly where it pays, on as many cases as can be.
    fn ceiling(&self, deciding: &CaseValues<'_>, best: &ActedOn) -> Result<Actions, Refused> {
        let all = deciding.where_it_pays();
        let most = match (self.policy, self.capacity()) {
            (Policy::TopOfList | Policy::CaseByCase, Some(capacity)) => {
                capacity.share(best.total)? * best.total
            }
            _ => best.total,
        };
        match deciding.profit(&all)?.acted > most {
            true => deciding.top(deciding.acting(), ListLength::Cases(most)),
            false => Ok(all),
        }
    }

    fn baseline(
        &self,
        values: &Values<'_>,
        policy: BaselinePolicy,
        actions: &Actions,
        total: f64,
    ) -> Result<Baseline, Refused> {
        let times = self.list_size(total) / total;
        let figure = |values: &CaseValues<'_>| {
            let profit = values.profit(actions)?;
            Ok::<_, Refused>(profit.expected(self.level(), self.base_rate()).times(times))
        };
        let deciding = values.deciding(self.by).profit(actions)?;
        // The ceiling of one is not that of the others.
        let is_told = |currency: DecideBy| {
            let is_told = policy != BaselinePolicy::Ceiling || self.by == currency;
            move |_: &&CaseValues<'_>| is_told
        };
        let result = BaselineDecision {
            policy,
            acted: deciding.acted * times,
            hits: figure(&values.hits)?,
            amount: values.amount.as_ref().filter(is_told(DecideBy::Amount)).map(figure).transpose()?,
            profit: values.profit.as_ref().filter(is_told(DecideBy::Profit)).map(figure).transpose()?,
            beaten_by: None,
        };
        Ok(Baseline { deciding, result })
    }
}
