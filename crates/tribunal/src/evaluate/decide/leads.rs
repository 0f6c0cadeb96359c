//! Every model beside the best policy that takes none: whether it is worth having at all.

use tribunal_eval::Error as Refused;
use tribunal_eval::significance::holm;

use super::baselines::Baseline;
use super::model::ActedOn;
use super::table::ModelRows;
use super::{Asked, Candidate};
use crate::decision::{BaselinePolicy, Lead};
use crate::error::Error;
use crate::evaluate::request::EvaluateRequest;

/// What a model brings in more than the best policy that takes none, acting on as many cases.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeadOver {
    /// The policy.
    pub(crate) policy: BaselinePolicy,
    /// The difference, its p value adjusted by Holm over the models.
    pub(crate) lead: Lead,
}

/// The lead of each model; nothing where there is no such policy or no test.
///
/// # Errors
/// The question does not fit the data.
pub(in crate::evaluate) fn leads(
    candidates: &[Candidate<'_>],
    request: &EvaluateRequest,
) -> Result<Vec<Option<LeadOver>>, Error> {
    let asked = Asked::of(request);
    let rows = ModelRows::of_models(&candidates.iter().map(|candidate| candidate.rows).collect::<Vec<_>>());
    let found = rows.iter().zip(candidates).map(|(rows, candidate)| asked.lead(rows, candidate.name));
    let mut found: Vec<Option<LeadOver>> =
        found.collect::<Result<_, Refused>>().map_err(|error| Error::data(error.to_string()))?;
    let p_values: Vec<f64> = found.iter().flatten().map(|over| over.lead.p_adjusted).collect();
    let adjusted = holm(&p_values).unwrap_or(p_values);
    found.iter_mut().flatten().zip(adjusted).for_each(|(over, p)| over.lead.p_adjusted = p);
    Ok(found)
}

impl Asked<'_> {
    /// The lead of a model over the best of the policies that take none, with its p value as it is.
    fn lead(&self, rows: &ModelRows<'_>, name: &str) -> Result<Option<LeadOver>, Refused> {
        let acted_on = ActedOn::of(self, rows, name)?;
        let baselines = self.baselines(rows, &acted_on)?;
        let floors = baselines.iter().filter(|one| one.result.policy != BaselinePolicy::Ceiling);
        let better = |a: &'_ Baseline, b: &'_ Baseline| b.deciding.total > a.deciding.total;
        let Some(floor) = floors.reduce(|best, next| if better(best, next) { next } else { best }) else {
            return Ok(None);
        };
        let times = self.list_size(acted_on.total) / acted_on.total;
        Ok(self.test(rows, &acted_on.deciding, &floor.deciding, 0.0).map(|tested| {
            let interval = tested.effect.interval.times(times);
            let difference = times * tested.effect.difference;
            let lead =
                Lead { difference, lower: interval.lower, upper: interval.upper, p_adjusted: tested.p };
            LeadOver { policy: floor.result.policy, lead }
        }))
    }
}
