//! What acting on the held-out scores of a scenario brings in, learner by learner and without any.

use tribunal::{ScenarioDecision, Study};

use super::detailed;
use crate::decision::DecisionTables;
use crate::description::Place;
use crate::document::Part;

/// The tables of each scenario that is shown in detail, with who is left out.
pub(super) fn parts(study: &Study, place: Place) -> Vec<Part> {
    let shown = detailed(study, place);
    let is_shown = |decision: &&ScenarioDecision| shown.iter().any(|one| one.name == decision.scenario);
    study.decisions.iter().filter(is_shown).flat_map(|decision| of_scenario(study, decision)).collect()
}

fn of_scenario(study: &Study, found: &ScenarioDecision) -> Vec<Part> {
    let decision = &found.decision;
    // Of a part of the rows figures are those of lists as long as the table.
    let of_lists = decision.models.iter().filter_map(|model| model.at_capacity.as_ref());
    let tables = DecisionTables {
        decision,
        ranking: &found.ranking,
        level_with_best: &found.level_with_best,
        is_of_lists: of_lists.map(|at| at.hits.capacity.is_of_lists()).next().unwrap_or(false),
    };
    let mut parts = match study.decisions.len() {
        1 => Vec::new(),
        _ => vec![Part::Paragraph(format!("{}:", found.scenario))],
    };
    parts.extend(tables.parts());
    let left_out = found.left_out.iter().map(|left| format!("{} is left out: {}", left.learner, left.reason));
    let left_out: Vec<String> = left_out.collect();
    if !left_out.is_empty() {
        parts.push(Part::List(left_out));
    }
    parts
}
