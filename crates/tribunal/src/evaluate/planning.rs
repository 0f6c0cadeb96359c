//! How many cases would it take? From the spread that the present file shows.

use tribunal_eval::intervals::Level;
use tribunal_eval::significance::{Aim, cases_for_difference, detectable_difference};

use super::request::EvaluateRequest;
use crate::results::{Comparison, Data, Planning};

/// The customary chance of seeing a difference that is there.
const POWER: f64 = 0.8;

/// Plans for every pair that was compared on rows.
pub(super) fn plan(comparisons: &[Comparison], data: &Data, request: &EvaluateRequest) -> Vec<Planning> {
    let Ok(aim) = Aim::new(request.level, POWER) else { return Vec::new() };
    let of = |row: &Comparison| {
        let standard_error = standard_error(row, request.level)?;
        let difference = if request.margin > 0.0 { request.margin } else { row.difference.abs() };
        let needed = cases_for_difference(data.rows, standard_error, difference, aim).ok();
        Some(Planning {
            a: row.a.clone(),
            b: row.b.clone(),
            metric: row.metric.clone(),
            power: POWER,
            detectable: detectable_difference(standard_error, aim).ok()?,
            difference,
            cases: needed.map(|needed| needed.total()),
        })
    };
    let is_planned = |row: &&Comparison| matches!(row.metric.as_str(), "auroc" | "pcc");
    comparisons.iter().filter(is_planned).filter_map(of).collect()
}

/// Back from the interval to the standard error.
fn standard_error(row: &Comparison, level: Level) -> Option<f64> {
    let width = row.upper? - row.lower?;
    (width > 0.0).then(|| width / (2.0 * level.z()))
}
