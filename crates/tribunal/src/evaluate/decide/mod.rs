//! What acting on the list of each model brings in, beside policies that take no model, with tests.
//!
//! A policy says how likely each case is acted on. Hits, amounts and profit of a policy are sums over the same rows, so one
//! machinery gives all three their intervals, and the differences between models theirs.

mod amount_leak;
mod baselines;
#[cfg(feature = "learners")]
mod leads;
mod model;
mod other_base_rate;
mod panels;
mod rows;
mod segments;
mod table;
mod tests_of_differences;

pub(in crate::evaluate) use amount_leak::amount_leak;
#[cfg(feature = "learners")]
pub(crate) use leads::LeadOver;
#[cfg(feature = "learners")]
pub(in crate::evaluate) use leads::leads;
pub(in crate::evaluate) use panels::Panels;
use rayon::prelude::*;
pub(in crate::evaluate) use rows::DecisionRows;
use tribunal_eval::decisions::Capacity;
use tribunal_eval::influence::BaseRate;
use tribunal_eval::intervals::Level;
use tribunal_eval::{Error as Refused, Undefined};

use self::model::ActedOn;
use self::other_base_rate::AtBaseRate;
use self::segments::SegmentedLists;
use self::table::ModelRows;
use super::request::EvaluateRequest;
use crate::decision::{DecideBy, Decision, Policy};
use crate::error::Error;
use crate::segment_results::SegmentDecisions;

/// A model whose list is acted on.
pub(super) struct Candidate<'a> {
    pub(super) name: &'a str,
    pub(super) rows: &'a DecisionRows,
}

/// What was found about acting on the lists, and about their segments.
pub(super) struct Decided {
    pub(super) decision: Decision,
    pub(super) by_segment: Option<SegmentDecisions>,
}

/// What is asked, settled.
struct Asked<'a> {
    request: &'a EvaluateRequest,
    policy: Policy,
    by: DecideBy,
}

/// What was found about acting on the lists; nothing where nobody asked. `segments` are the places of the segments, in the order in
/// which they are told.
///
/// # Errors
/// The question does not fit the data: more cases than the list has, scores that are no probabilities where a rule needs them.
pub(super) fn decide(
    candidates: &[Candidate<'_>],
    request: &EvaluateRequest,
    pairs: &[(usize, usize)],
    segments: &[usize],
) -> Result<Option<Decided>, Error> {
    if !request.decision.is_asked() {
        return Ok(None);
    }
    let asked = Asked::of(request);
    let refused = |model: usize, error: &Refused| {
        let name = candidates[model].name;
        Error::data(match error {
            Refused::NotProbability { row, value } => format!(
                "{name} gives case {} of the list the score {value}, and the rule needs probabilities between 0 and 1: calibrate \
                 the scores first",
                row + 1
            ),
            Refused::Undefined(reason @ Undefined::TooFewRows { .. }) => format!(
                "{reason}; ask for fewer cases, or name the length of the lists that are meant, as in {}",
                asked.longer_list()
            ),
            error => format!("{name}: {error}"),
        })
    };
    let shifted;
    let mut rows =
        ModelRows::of_models(&candidates.iter().map(|candidate| candidate.rows).collect::<Vec<_>>());
    if let Some(other) = rows.iter().position(|other| other.contradicts(&rows[0])) {
        let [one, other] = [0, other].map(|model| candidates[model].name);
        return Err(Error::data(format!(
            "the rows of {one} and of {other} state other amounts or weights for the same cases; what acting on a case is worth does \
             not depend on the model"
        )));
    }
    if let Some(base_rate) = request.charts.base_rate {
        let by_probabilities = asked.policy == Policy::CaseByCase;
        shifted = AtBaseRate::of(&rows, base_rate, by_probabilities).map_err(|error| refused(0, &error))?;
        rows = shifted.rows(rows);
    }
    let judge = |(model, rows): (usize, &ModelRows<'_>)| {
        ActedOn::of(&asked, rows, candidates[model].name).map_err(|error| refused(model, &error))
    };
    let acted_on: Vec<ActedOn> = rows.par_iter().enumerate().map(judge).collect::<Result<_, Error>>()?;
    let Some(best) = asked.best(&acted_on) else { return Ok(None) };
    let mut baselines =
        asked.baselines(&rows[best], &acted_on[best]).map_err(|error| refused(best, &error))?;
    let comparisons = asked.comparisons(&rows, &acted_on, pairs);
    asked.set_beside(&rows[best], &acted_on[best], &mut baselines);
    let by_segment = SegmentedLists { asked: &asked, rows: &rows, acted_on: &acted_on, order: segments };
    let by_segment = by_segment.decisions().map_err(|error| refused(best, &error))?;
    let decision = Decision {
        by: asked.by,
        policy: asked.policy,
        list_size: asked.list_size(acted_on[best].total),
        base_rate: request.charts.base_rate,
        models: acted_on.into_iter().map(|acted_on| acted_on.result).collect(),
        baselines: baselines.into_iter().map(|baseline| baseline.result).collect(),
        comparisons,
    };
    Ok(Some(Decided { decision, by_segment }))
}

impl<'a> Asked<'a> {
    fn of(request: &'a EvaluateRequest) -> Self {
        let decision = &request.decision;
        let policy = match (decision.rule, decision.capacity) {
            (Some(_), _) => Policy::CaseByCase,
            (None, Some(_)) => Policy::TopOfList,
            (None, None) => Policy::BestCut,
        };
        let by = match decision.decide_by {
            Some(by) if !matches!(by, DecideBy::Metric(_)) => by,
            _ if decision.effective_outcomes().is_some() => DecideBy::Profit,
            _ => DecideBy::Hits,
        };
        Self { request, policy, by }
    }

    /// The capacity as one of longer lists.
    fn longer_list(&self) -> String {
        self.capacity().map_or_else(
            || "200/5000".to_owned(),
            |capacity| format!("{}/{}", capacity.cases(), 10.0 * capacity.cases()),
        )
    }

    fn capacity(&self) -> Option<Capacity> {
        self.request.decision.capacity
    }

    /// Cases of the lists that are spoken of, that at hand having so many.
    fn list_size(&self, total: f64) -> f64 {
        self.capacity().map_or(total, |capacity| capacity.list_size(total))
    }

    fn level(&self) -> Level {
        self.request.level
    }

    /// Another base rate is taken as known.
    fn base_rate(&self) -> BaseRate {
        if self.request.charts.base_rate.is_some() { BaseRate::Fixed } else { self.request.base_rate }
    }

    /// The model with the most of what decides, of equals the first.
    fn best(&self, acted_on: &[ActedOn]) -> Option<usize> {
        let value = |model: &ActedOn| model.deciding.total;
        let better = |best: usize, next: usize| {
            if value(&acted_on[next]) > value(&acted_on[best]) { next } else { best }
        };
        (0..acted_on.len()).reduce(better)
    }
}
