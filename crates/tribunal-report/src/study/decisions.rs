//! What acting on the held-out scores of a scenario brings in, learner by learner and without any.

use tribunal::resampling::{Cv, Design};
use tribunal::{ScenarioDecision, Study};

use super::detailed;
use crate::decision::DecisionTables;
use crate::description::Place;
use crate::document::Part;
use crate::number::count;

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
        judged_by: judged_by(study, found),
    };
    let mut parts = match study.decisions.len() {
        1 => Vec::new(),
        _ => vec![Part::Paragraph(format!("{}:", found.scenario))],
    };
    parts.extend(tables.parts());
    if !tables.judged_by.is_empty() {
        parts.push(Part::Paragraph(
            "Intervals and tests of what acting brings in take these rows for one sample: repeating the splits does not narrow them."
                .into(),
        ));
    }
    let left_out = found.left_out.iter().map(|left| format!("{} is left out: {}", left.learner, left.reason));
    let left_out: Vec<String> = left_out.collect();
    if !left_out.is_empty() {
        parts.push(Part::List(left_out));
    }
    parts
}

/// By which rows and scores acting was judged, where the splits were repeated.
fn judged_by(study: &Study, found: &ScenarioDecision) -> String {
    let splits = study.scenarios.iter().find(|one| one.name == found.scenario).map_or(0, |one| one.splits);
    if found.rows < study.data.rows && splits > 1 {
        let (rows, all) = (count(found.rows as f64), count(study.data.rows as f64));
        return format!(", judged on the {rows} of {all} rows that the first splits test");
    }
    match study.design.parse() {
        Ok(Design::Cv(Cv { n_repetitions: Some(n), .. })) if n > 1 => {
            format!(", by mean scores over {n} repetitions")
        }
        _ => String::new(),
    }
}
