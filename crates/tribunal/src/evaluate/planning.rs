//! How many cases would it take? From the spread that the present file shows.

use tribunal_eval::metrics::Measure;
use tribunal_eval::significance::{Aim, cases_for_difference, detectable_difference};

use super::compare::RowTest;
use super::questions::Question;
use super::request::EvaluateRequest;
use crate::results::{Data, Planning};

/// The customary chance of seeing a difference that is there.
const POWER: f64 = 0.8;

/// Plans for every pair that was compared on rows.
pub(super) fn plan(
    tests: &[RowTest],
    questions: &[Question],
    data: &Data,
    request: &EvaluateRequest,
) -> Vec<Planning> {
    let Ok(aim) = Aim::new(request.level, POWER) else { return Vec::new() };
    let of = |test: &RowTest| {
        let tested = &test.tested.difference;
        let standard_error = Some(tested.standard_error).filter(|error| *error > 0.0)?;
        let seen = tested.effect.difference.abs();
        let difference = match request.margin_of_metrics() {
            margin if margin > 0.0 => margin,
            _ => seen,
        };
        let needed = cases_for_difference(data.rows, standard_error, difference, aim).ok();
        Some(Planning {
            a: data.models[test.pair.0].clone(),
            b: data.models[test.pair.1].clone(),
            metric: questions[test.question].measure.to_string(),
            power: POWER,
            detectable: detectable_difference(standard_error, aim).ok()?,
            difference,
            cases: needed.map(|needed| needed.total()),
        })
    };
    let is_planned =
        |test: &&RowTest| [Measure::AUROC, Measure::PCC].contains(&questions[test.question].measure);
    tests.iter().filter(is_planned).filter_map(of).collect()
}
