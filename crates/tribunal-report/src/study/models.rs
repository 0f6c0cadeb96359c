//! What is to be said of models beyond their figures: size, settings, whether they explain themselves, and times.

use tribunal::{LearnerTimes, ModelNote, Study, StudyScenario, StudyTimes};

use super::scale::Scale;
use super::times::{per_thousand, tuning};
use super::{detailed, without_empty_columns};
use crate::description::{Place, counted};
use crate::document::{Align, Part, Table, columns, plain_row};
use crate::number::{bytes, seconds};

pub(super) fn parts(study: &Study, times: Option<&StudyTimes>, place: Place) -> Vec<Part> {
    let tables = detailed(study, place).into_iter().map(|scenario| table(study, times, scenario, place));
    tables.filter(|table| !table.rows.is_empty()).map(without_empty_columns).map(Part::Table).collect()
}

fn table(study: &Study, times: Option<&StudyTimes>, scenario: &StudyScenario, place: Place) -> Table {
    let scale = Scale::of(&study.verdict.metric);
    let row = |note: &ModelNote| {
        let of_model = [
            note.learner.clone(),
            note.bytes.map_or_else(|| "n/a".to_owned(), bytes),
            if note.explains { "yes" } else { "no" }.to_owned(),
            if note.probabilities { "probabilities" } else { "margins" }.to_owned(),
            scale.optional(note.apparent),
        ];
        let settings = [at_edge(note, scenario), note.chosen.clone().unwrap_or_default(), tuned(note, place)];
        plain_row(of_model.into_iter().chain(taken(times, note)).chain(settings))
    };
    Table {
        title: title(study, scenario, times),
        columns: columns([
            ("learner", Align::Left),
            ("size", Align::Right),
            ("explains", Align::Left),
            ("scores", Align::Left),
            ("apparent", Align::Right),
            ("tuning", Align::Right),
            ("training", Align::Right),
            ("scoring", Align::Right),
            ("at edge", Align::Right),
            ("chosen", Align::Left),
            ("chosen in splits", Align::Left),
        ]),
        rows: study.models.iter().filter(|note| note.scenario == scenario.name).map(row).collect(),
    }
}

fn title(study: &Study, scenario: &StudyScenario, times: Option<&StudyTimes>) -> String {
    let has_times = |times: &&StudyTimes| times.learners.iter().any(|one| one.scenario == scenario.name);
    let timed = times.filter(has_times).map_or_else(String::new, |times| {
        format!("; times on {}, scoring of 1,000 rows", counted(times.threads as u64, "thread"))
    });
    let metric = &study.verdict.metric;
    format!(
        "{}: models of all rows (apparent: {} on the rows they learned from{timed})",
        scenario.name,
        Scale::of(metric).label(metric)
    )
}

/// Nothing where no settings are to be chosen.
fn at_edge(note: &ModelNote, scenario: &StudyScenario) -> String {
    match &note.tuned[..] {
        [] => String::new(),
        _ => format!("{} of {}", note.at_edge, scenario.splits),
    }
}

/// Which settings were chosen inside how many training parts: more than a terminal has room for.
fn tuned(note: &ModelNote, place: Place) -> String {
    let tuned: Vec<String> = note.tuned.iter().map(|(settings, n)| format!("{settings} on {n}")).collect();
    if place == Place::Paper { tuned.join(", ") } else { String::new() }
}

/// Times of tuning, training and scoring, where they were taken.
fn taken(times: Option<&StudyTimes>, note: &ModelNote) -> [String; 3] {
    let is_this = |one: &&LearnerTimes| one.scenario == note.scenario && one.learner == note.learner;
    match times.and_then(|times| times.learners.iter().find(is_this)) {
        Some(one) => [tuning(one), seconds(one.training), per_thousand(one)],
        None => Default::default(),
    }
}
