//! Which model owns which costs and base rates, and what to mix between two of them, from the joint ROC hull.

use tribunal_eval::base_rate::ErrorCosts;
use tribunal_eval::conditions::{IsoPerformance, MixtureRange, Owner, Ownership};
use tribunal_eval::curves::Curve;
use tribunal_eval::{Condition, Error as Judge, Ranking, Split};

use super::ChartSources;
use crate::charts::{ConditionReading, DepthRecipe};
use crate::error::Error;
use crate::evaluate::At;

impl ChartSources<'_> {
    /// Who owns what; nothing for a single model, or where a class is absent.
    pub(super) fn conditions(&self) -> Result<Option<ConditionReading>, Error> {
        let hulls = self.models.iter().zip(self.reports).map(|(model, report)| {
            let hull = report.shapes.hull.as_ref()?.curve();
            Some(with_few_digits(hull, &model.ranking))
        });
        let curves: Option<Vec<Curve>> = hulls.collect();
        let (Some(curves), Some(first)) = (curves.filter(|_| self.models.len() > 1), self.models.first())
        else {
            return Ok(None);
        };
        let own = first.ranking.base_rate().map_err(|reason| Error::data(reason.to_string()))?;
        let base_rate = self.request.charts.base_rate.unwrap_or(own);
        let ownership = Ownership::of_curves(&curves.iter().collect::<Vec<_>>());
        let read = || -> Result<ConditionReading, Judge> {
            Ok(ConditionReading {
                base_rate,
                area: ownership.hull.area(),
                stretches: ownership.stretches(Some(base_rate), self.error_costs())?,
                mixtures: ownership.mixtures(base_rate)?.into_iter().filter(is_of_two_models).collect(),
                recipes: self.recipes(&ownership, base_rate, first.ranking.totals().total()),
                iso_performance: self.iso_performance(&ownership, own),
                dominated: ownership
                    .dominated()
                    .into_iter()
                    .map(|model| self.models[model].name.clone())
                    .collect(),
            })
        };
        read().map(Some).map_err(|error| Error::data(error.to_string()))
    }

    /// The lines of equal cost under the conditions that were asked about.
    fn iso_performance(&self, ownership: &Ownership, own: f64) -> Vec<IsoPerformance> {
        let (costs, other) = (self.error_costs(), self.request.charts.base_rate);
        if costs.is_none() && other.is_none() {
            return Vec::new();
        }
        let equal = ErrorCosts { false_positive: 1.0, false_negative: 1.0 };
        let ErrorCosts { false_positive, false_negative } = costs.unwrap_or(equal);
        let line = |base_rate: f64| {
            let condition = Condition { base_rate, false_positive, false_negative };
            ownership.iso_performance(&condition).ok()
        };
        [Some(own), other].into_iter().flatten().filter_map(line).collect()
    }

    /// How to reach the asked depths of a list of such a weight.
    fn recipes(&self, ownership: &Ownership, base_rate: f64, total: f64) -> Vec<DepthRecipe> {
        let whole = total / self.n_repetitions;
        let population = Split { positive: base_rate * whole, negative: (1.0 - base_rate) * whole };
        let recipe = |&asked: &At| {
            let cases = self.share(asked, total) * whole;
            Some(DepthRecipe { asked, recipe: ownership.at_caseload(cases, population).ok()? })
        };
        self.request.at.iter().filter_map(recipe).collect()
    }
}

/// A curve with as many digits of its thresholds as are needed to cut there.
fn with_few_digits(mut curve: Curve, ranking: &Ranking) -> Curve {
    for threshold in curve.thresholds.iter_mut().filter(|threshold| threshold.is_finite()) {
        *threshold = ranking.threshold_at(*threshold);
    }
    curve
}

fn is_of_two_models(range: &MixtureRange) -> bool {
    match (range.first_owner, range.second_owner) {
        (Owner::Model(first), Owner::Model(second)) => first != second,
        _ => false,
    }
}
