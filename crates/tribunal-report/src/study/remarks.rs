//! What a careful reader should know of a study: warnings, who failed where and why, figures that are undefined.

use tribunal::message::Phrasing;
use tribunal::{Gap, Leak, Study, StudyFigure};

use super::gathered;
use crate::cross::failures;
use crate::document::Part;
use crate::evaluation::{capacities_in_words, undefined};
use crate::fit::leave_out;

pub(super) fn parts(study: &Study, phrasing: &dyn Phrasing) -> Vec<Part> {
    let warnings =
        study.warnings.iter().map(|warning| format!("warning: {}", warning.message().said_by(phrasing)));
    let leaks = study.leaks.iter().map(|leak| leak_in_words(leak, study.scenarios.len() > 1, phrasing));
    let capacities = capacities_in_words(&study.capacities, "split");
    let remarks: Vec<String> = leaks
        .chain(warnings)
        .chain(capacities)
        .chain(gaps(study))
        .chain(missing(study))
        .chain(study.notices.iter().cloned())
        .collect();
    if remarks.is_empty() { Vec::new() } else { vec![Part::List(remarks)] }
}

/// A suspected leak with what to do about it.
fn leak_in_words(leak: &Leak, names_target: bool, phrasing: &dyn Phrasing) -> String {
    let target = if names_target { format!("{}: ", leak.target) } else { String::new() };
    format!("{target}{leak} {}", leave_out(&leak.column, phrasing))
}

/// Who failed where; what went wrong alike in several scenarios is told once.
fn gaps(study: &Study) -> impl Iterator<Item = String> {
    let told = |gap: &Gap| {
        let place = if gap.design == study.design {
            gap.scenario.clone()
        } else {
            format!("{} by {}", gap.scenario, gap.design)
        };
        failures(&gap.learner, &gap.failed).into_iter().map(move |failure| (failure, place.clone()))
    };
    let told = gathered(study.gaps.iter().flat_map(told));
    told.into_iter().map(|(failure, places)| format!("{failure} ({})", places.join("; ")))
}

/// Whether a learner failed in a scenario under the design of the study.
pub(super) fn is_gap(study: &Study, scenario: &str, learner: &str) -> bool {
    let is_this = |gap: &Gap| gap.scenario == scenario && gap.learner == learner;
    study.gaps.iter().any(|gap| gap.design == study.design && is_this(gap))
}

/// Why figures are undefined for learners that did not fail.
fn missing(study: &Study) -> Vec<String> {
    let is_open = |figure: &&StudyFigure| {
        figure.row.scope.is_all() && !is_gap(study, &figure.scenario, &figure.row.model)
    };
    undefined(study.figures.iter().filter(is_open).map(|figure| &figure.row))
}
