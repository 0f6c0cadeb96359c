//! The same figures under several designs, side by side.

use tribunal::{DesignFigure, Study, StudyScenario};

use super::scale::Scale;
use super::tables::in_families;
use super::{detailed, gathered};
use crate::description::Place;
use crate::document::{Align, Part, Table, plain_row};

pub(super) fn parts(study: &Study, place: Place) -> Vec<Part> {
    let of_scenario = |scenario: &StudyScenario| {
        let figures = study.designs.iter().filter(|figure| figure.scenario == scenario.name);
        let metrics = gathered(figures.map(|figure| (figure.metric.as_str(), figure)));
        let tables = metrics.iter().map(|(metric, figures)| table(study, scenario, metric, figures));
        tables.map(Part::Table).collect::<Vec<_>>()
    };
    let mut parts: Vec<Part> = detailed(study, place).into_iter().flat_map(of_scenario).collect();
    let reasons = undefined(study);
    if place == Place::Paper && !reasons.is_empty() {
        parts.push(Part::List(reasons));
    }
    parts
}

fn table(study: &Study, scenario: &StudyScenario, metric: &str, figures: &[&DesignFigure]) -> Table {
    let scale = Scale::of(metric);
    let designs = gathered(figures.iter().map(|figure| (figure.design.as_str(), *figure)));
    let row = |learner: &str| {
        let of = |(_, figures): &(&str, Vec<&DesignFigure>)| {
            let figure = figures.iter().find(|figure| figure.learner == learner);
            figure.map_or_else(|| "n/a".to_owned(), |figure| shown(figure, scale))
        };
        plain_row([learner.to_owned()].into_iter().chain(designs.iter().map(of)))
    };
    let is_judged = |learner: &&str| figures.iter().any(|figure| figure.learner == *learner);
    let learners = in_families(&study.learners).into_iter().map(|(learner, _)| learner.learner.as_str());
    let columns = designs.iter().map(|(design, _)| ((*design).to_owned(), Align::Right));
    Table {
        title: format!(
            "{}: {} by design (in parentheses: standard deviation over splits)",
            scenario.name,
            scale.label(metric)
        ),
        columns: [("learner".to_owned(), Align::Left)].into_iter().chain(columns).collect(),
        rows: learners.filter(is_judged).map(row).collect(),
    }
}

fn shown(figure: &DesignFigure, scale: Scale) -> String {
    let estimate = scale.optional(figure.estimate);
    match figure.sd {
        Some(sd) => format!("{estimate} ({})", scale.figure(sd)),
        None => estimate,
    }
}

/// Why a figure is missing, once per learner, design and reason.
fn undefined(study: &Study) -> Vec<String> {
    let told = |figure: &DesignFigure| {
        let reason = figure.undefined.as_ref()?;
        let key = format!("n/a, {} by {}: {reason}", figure.learner, figure.design);
        Some((key, format!("{} in {}", figure.metric, figure.scenario)))
    };
    let reasons = gathered(study.designs.iter().filter_map(told));
    reasons.into_iter().map(|(reason, places)| format!("{reason} ({})", places.join(", "))).collect()
}
