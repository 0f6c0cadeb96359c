//! The charts of each model, figures at another base rate, and the conditions that each model owns: computed from rankings.
//!
//! Everything that people read is small and always there; what only a program draws - risk readings along the list, the proportion
//! score function - is computed where curves, bins or bands were asked for.

mod base_rate;
mod conditions;
mod cutoffs;
mod risk;

use rayon::prelude::*;
use tribunal_eval::Ranking;
use tribunal_eval::base_rate::ErrorCosts;
use tribunal_eval::curves::RiskChart;
use tribunal_eval::intervals::Sampled;

use super::decide::Panels;
use super::fold_tests::FoldDesign;
use super::gather::Model;
use super::measure::Report;
use super::request::{At, EvaluateRequest};
use crate::charts::{BaseRateReading, ConditionReading, FoldRisk, ModelCharts};
use crate::decision::Outcomes;
use crate::error::Error;

/// What is seen of the lists beyond their metrics.
pub(super) struct Charts {
    pub(super) models: Vec<ModelCharts>,
    pub(super) at_base_rate: Option<BaseRateReading>,
    pub(super) conditions: Option<ConditionReading>,
}

/// What all charts are made from.
pub(super) struct ChartSources<'a> {
    pub(super) models: &'a [Model],
    pub(super) reports: &'a [Report],
    pub(super) folds: &'a [String],
    pub(super) design: &'a FoldDesign,
    /// In how many repetitions of a cross-validation every case stands.
    pub(super) n_repetitions: f64,
    pub(super) request: &'a EvaluateRequest,
    /// Gains and losses of rows.
    pub(super) panels: &'a Panels<'a>,
}

impl ChartSources<'_> {
    /// # Errors
    /// More bins were asked for than there are rows.
    pub(super) fn charts(&self) -> Result<Charts, Error> {
        let models = (0..self.models.len()).into_par_iter().map(|place| self.of_model(place));
        Ok(Charts {
            models: models.collect::<Result<_, _>>()?,
            at_base_rate: self.at_base_rate()?,
            conditions: self.conditions()?,
        })
    }

    fn of_model(&self, place: usize) -> Result<ModelCharts, Error> {
        let (model, request) = (&self.models[place], self.request);
        let ranking = &model.ranking;
        let areas = areas(ranking).map_err(|reason| Error::data(format!("{}: {reason}", model.name)))?;
        let is_drawn = request.curves || request.charts.wants_error_matrix();
        Ok(ModelCharts {
            model: model.name.clone(),
            cases: areas.cases,
            amount: areas.amounts.as_ref().map(|amounts| amounts.total),
            amounts: areas.amount_limits().map(|limits| limits.area),
            amounts_undefined: areas.amounts_undefined,
            folds: self
                .folds
                .iter()
                .zip(&model.folds)
                .map(|(fold, ranking)| fold_risk(fold, ranking))
                .collect(),
            depths: request.at.iter().map(|at| self.depth(ranking, *at)).collect(),
            risk: if request.curves { self.risk(model)? } else { Vec::new() },
            cutoffs: if is_drawn { self.cutoffs(place)? } else { Vec::new() },
        })
    }

    fn sampled<'r>(&self, ranking: &'r Ranking) -> Sampled<'r> {
        Sampled { ranking, level: self.request.level, base_rate: self.request.base_rate }
    }

    /// What share of a list of such a weight a depth is.
    fn share(&self, at: At, whole: f64) -> f64 {
        match at {
            At::Share(share) => share,
            At::Count(count) => count * self.n_repetitions / whole,
        }
    }

    /// What the two errors cost beyond the right decisions, where that is the same for all cases.
    fn error_costs(&self) -> Option<ErrorCosts> {
        let costs = self.request.decision.effective_outcomes().as_ref().and_then(Outcomes::matrix)?.costs();
        Some(ErrorCosts {
            false_positive: costs.false_positive - costs.correct_rejection,
            false_negative: costs.false_negative - costs.hit,
        })
    }
}

/// The areas of the risk chart of a whole ranking; of its curves the end only.
fn areas(ranking: &Ranking) -> Result<RiskChart, tribunal_eval::Undefined> {
    let last: Vec<usize> = ranking.n_blocks().checked_sub(1).into_iter().collect();
    RiskChart::at_blocks(ranking, &last)
}

fn fold_risk(fold: &str, ranking: &Ranking) -> FoldRisk {
    let areas = areas(ranking).ok();
    FoldRisk {
        fold: fold.to_owned(),
        cases: areas.as_ref().map(|areas| areas.cases),
        amounts: areas.as_ref().and_then(|areas| areas.amount_limits()).map(|limits| limits.area),
    }
}
