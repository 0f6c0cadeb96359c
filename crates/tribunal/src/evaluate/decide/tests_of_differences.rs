//! Tests of what one policy brings in more than another on the same cases.

use tribunal_eval::decisions::PolicyProfit;
use tribunal_eval::significance::{Effect, holm};

use super::Asked;
use super::baselines::Baseline;
use super::model::{ActedOn, Values};
use super::table::ModelRows;
use crate::decision::{BaselinePolicy, DecideBy, Lead};
use crate::results::Comparison;
use crate::test_name::Test;

/// A difference and its p value.
pub(super) struct Tested {
    pub(super) effect: Effect,
    pub(super) p: f64,
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
            let beside = rows[a].is_beside(&rows[b]).then_some(&rows[a])?;
            let times = self.list_size(acted_on[a].total) / acted_on[a].total;
            let margin = self.request.margin_of_acting() / times;
            Some(((a, b), self.test(beside, &acted_on[a].deciding, &acted_on[b].deciding, margin)?))
        };
        let is_same =
            |&(a, b): &(usize, usize)| rows[a].is_beside(&rows[b]) && acted_on[a].acts_like(&acted_on[b]);
        let (same, others): (Vec<_>, Vec<_>) = pairs.iter().partition(|pair| is_same(pair));
        let tests: Vec<((usize, usize), Tested)> = others.into_iter().filter_map(test).collect();
        let adjusted = holm(&tests.iter().map(|(_, test)| test.p).collect::<Vec<f64>>()).unwrap_or_default();
        let comparison = |(((a, b), Tested { effect, p }), p_adjusted): (((usize, usize), Tested), f64)| {
            let times = self.list_size(acted_on[a].total) / acted_on[a].total;
            let interval = effect.interval.times(times);
            let effect = Effect { difference: times * effect.difference, interval };
            let [a, b] = [a, b].map(|model| acted_on[model].result.model.as_str());
            Comparison::new(a, b, &effect, Test::Influence)
                .of(self.by.to_string(), None)
                .with_p(p, Some(p_adjusted))
        };
        // Whoever acts on the same cases brings in the same, which no sample can change: there is nothing to test.
        let equal = |&(a, b): &(usize, usize)| {
            let [a, b] = [a, b].map(|model| acted_on[model].result.model.as_str());
            Comparison::of_the_same(a, b, Test::Influence).of(self.by.to_string(), None)
        };
        tests.into_iter().zip(adjusted).map(comparison).chain(same.into_iter().map(equal)).collect()
    }

    /// Sets the best model beside each policy that takes none.
    pub(super) fn set_beside(&self, rows: &ModelRows<'_>, best: &ActedOn, baselines: &mut [Baseline]) {
        let times = self.list_size(best.total) / best.total;
        let test = |(place, baseline): (usize, &Baseline)| {
            let is_floor = baseline.result.policy != BaselinePolicy::Ceiling;
            let tested =
                is_floor.then(|| self.test(rows, &best.deciding, &baseline.deciding, 0.0)).flatten()?;
            Some((place, tested))
        };
        let tests: Vec<(usize, Tested)> = baselines.iter().enumerate().filter_map(test).collect();
        let adjusted = holm(&tests.iter().map(|(_, test)| test.p).collect::<Vec<f64>>()).unwrap_or_default();
        for ((place, Tested { effect, .. }), p_adjusted) in tests.into_iter().zip(adjusted) {
            let interval = effect.interval.times(times);
            baselines[place].result.beaten_by = Some(Lead {
                difference: times * effect.difference,
                lower: interval.lower,
                upper: interval.upper,
                p_adjusted,
            });
        }
    }

    /// The test of a difference, of none beyond a margin where there is one: in units of the cases at hand.
    pub(super) fn test(
        &self,
        rows: &ModelRows<'_>,
        first: &PolicyProfit,
        second: &PolicyProfit,
        margin: f64,
    ) -> Option<Tested> {
        let values = Values::of(rows).ok()?;
        let sampling = (self.level(), self.base_rate());
        let found = values.deciding(self.by).difference_beyond(first, second, margin, sampling);
        let interval = match self.by {
            // No list holds more positives than cases.
            DecideBy::Hits => {
                found.interval?.clipped(-first.acted.max(second.acted), first.acted.max(second.acted))
            }
            _ => found.interval?,
        };
        let effect = Effect { difference: found.difference, interval };
        Some(Tested { effect, p: found.p? })
    }
}
