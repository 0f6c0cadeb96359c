//! The obvious alternatives to a model, and what nobody can do better than.

use tribunal_eval::Error as Refused;
use tribunal_eval::decisions::{Actions, CaseValues, IntervalEstimate, ListLength, PolicyProfit};
use tribunal_eval::influence::BaseRate;

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

    /// Whether what a policy brings in follows from how many positives there are, which are as many in every sample: it does not
    /// choose among the cases of a class, and all of them are worth the same.
    fn is_known(&self, policy: BaselinePolicy, currency: DecideBy) -> bool {
        let is_same_in_class = match currency {
            DecideBy::Hits => true,
            DecideBy::Profit => self.has_one_matrix(),
            DecideBy::Amount | DecideBy::Metric(_) => false,
        };
        let treats_classes_alike = match policy {
            BaselinePolicy::Nobody | BaselinePolicy::Everybody | BaselinePolicy::AtRandom => true,
            // Where all positives are worth the same, acting where it pays is acting on them.
            BaselinePolicy::Ceiling => {
                self.by == currency || self.by == DecideBy::Profit && self.has_one_matrix()
            }
            BaselinePolicy::LargestAmounts => false,
        };
        self.base_rate() == BaseRate::Fixed && is_same_in_class && treats_classes_alike
    }

    /// Whether the outcomes of all cases are worth the same.
    fn has_one_matrix(&self) -> bool {
        let outcomes = self.request.decision.effective_outcomes();
        outcomes.is_some_and(|outcomes| outcomes.matrix().is_some())
    }

    fn baseline(
        &self,
        values: &Values<'_>,
        policy: BaselinePolicy,
        actions: &Actions,
        total: f64,
    ) -> Result<Baseline, Refused> {
        let times = self.list_size(total) / total;
        let figure = |currency: DecideBy| {
            move |values: &CaseValues<'_>| {
                let profit = values.profit(actions)?;
                let expected = match self.is_known(policy, currency) {
                    true => IntervalEstimate::known(profit.total),
                    false => profit.expected(self.level(), self.base_rate()),
                };
                Ok::<_, Refused>(expected.times(times))
            }
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
            hits: figure(DecideBy::Hits)(&values.hits)?,
            amount: values
                .amount
                .as_ref()
                .filter(is_told(DecideBy::Amount))
                .map(figure(DecideBy::Amount))
                .transpose()?,
            profit: values
                .profit
                .as_ref()
                .filter(is_told(DecideBy::Profit))
                .map(figure(DecideBy::Profit))
                .transpose()?,
            beaten_by: None,
        };
        Ok(Baseline { deciding, result })
    }
}
