//! Tests of what one policy brings in more than another on the same cases.

use tribunal_eval::decisions::PolicyProfit;
use tribunal_eval::significance::{Effect, holm};

use super::Asked;
use super::baselines::Baseline;
use super::model::{ActedOn, Values};
use super::table::ModelRows;
use crate::decision::BaselinePolicy;
use crate::results::Comparison;
use crate::test_name::Test;

/// Two names, the difference and its p value.
struct Tested {
    names: [String; 2],
    effect: Effect,
    p: f64,
}

impl Asked<'_> {
    /// Every pair of models that were asked about the same cases.
    pub(super) fn comparisons(
        &self,
        rows: &[ModelRows<'_>],
        acted_on: &[ActedOn],
        pairs: &[(usize, usize)],
    ) -> Vec<Comparison> {
        let test = |&(a, b): &(usize, usize)| {
            let names = [a, b].map(|model| acted_on[model].result.model.clone());
            let beside = rows[a].is_beside(&rows[b]).then_some(&rows[a])?;
            self.test(beside, names, &acted_on[a].deciding, &acted_on[b].deciding)
        };
        self.adjusted(pairs.iter().filter_map(test).collect(), acted_on[0].total)
    }

    /// The best model against each policy that takes none.
    pub(super) fn against_baselines(
        &self,
        rows: &ModelRows<'_>,
        best: &ActedOn,
        baselines: &[Baseline],
    ) -> Vec<Comparison> {
        let others = baselines.iter().filter(|baseline| baseline.result.policy != BaselinePolicy::Ceiling);
        let test = |baseline: &Baseline| {
            let names = [best.result.model.clone(), baseline.result.policy.to_string()];
            self.test(rows, names, &best.deciding, &baseline.deciding)
        };
        self.adjusted(others.filter_map(test).collect(), best.total)
    }

    fn test(
        &self,
        rows: &ModelRows<'_>,
        names: [String; 2],
        first: &PolicyProfit,
        second: &PolicyProfit,
    ) -> Option<Tested> {
        let values = Values::of(rows).ok()?;
        let found = values.deciding(self.by).difference(first, second, self.level(), self.base_rate());
        let effect = Effect { difference: found.difference, interval: found.interval? };
        Some(Tested { names, effect, p: found.p? })
    }

    /// The tests as results, for lists of the size that is spoken of, with p values adjusted by Holm over all of them.
    fn adjusted(&self, tests: Vec<Tested>, total: f64) -> Vec<Comparison> {
        let times = self.list_size(total) / total;
        let adjusted = holm(&tests.iter().map(|test| test.p).collect::<Vec<f64>>()).unwrap_or_default();
        let comparison = |(test, p_adjusted): (Tested, f64)| {
            let Tested { names: [a, b], effect, p } = test;
            let effect = Effect {
                difference: times * effect.difference,
                interval: effect.interval.times(times),
            };
            Comparison::new(&a, &b, &effect, Test::Influence)
                .of(self.by.to_string(), None)
                .with_p(p, Some(p_adjusted))
        };
        tests.into_iter().zip(adjusted).map(comparison).collect()
    }
}
