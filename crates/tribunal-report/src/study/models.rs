//! What is to be said of models beyond their figures: size, settings, whether they explain themselves, and times.

use tribunal::{LearnerTimes, ModelNote, Study, StudyScenario, StudyTimes};

use super::scale::Scale;
use super::times::{per_thousand, tuning};
use super::{detailed, elsewhere, without_empty_columns};
use crate::description::Place;
use crate::document::{Align, Part, Table, columns, plain_row};
use crate::number::{bytes, count, seconds};

pub(super) fn parts(study: &Study, times: Option<&StudyTimes>, place: Place) -> Vec<Part> {
    if study.models.is_empty() {
        return Vec::new();
    }
    let tables = detailed(study, place).into_iter().map(|scenario| table(study, times, scenario, place));
    let tables = tables.filter(|table| !table.rows.is_empty()).map(without_empty_columns).map(Part::Table);
    tables.chain(elsewhere(study, place)).collect()
}

fn table(study: &Study, times: Option<&StudyTimes>, scenario: &StudyScenario, place: Place) -> Table {
    let scale = Scale::of(&study.verdict.metric);
    let apparent = format!("apparent {}", scale.label(&study.verdict.metric));
    let row = |note: &ModelNote| {
        let of_model = [
            note.learner.clone(),
            note.bytes.map_or_else(|| "n/a".to_owned(), bytes),
            if note.explains { "yes" } else { "no" }.to_owned(),
            if note.probabilities { "probabilities" } else { "margins" }.to_owned(),
            scale.optional(note.apparent),
        ];
        let settings = [at_edge(note, scenario), settings(note, place)];
        plain_row(of_model.into_iter().chain(taken(times, note)).chain(settings))
    };
    Table {
        title: title(scenario, times),
        columns: columns([
            ("learner", Align::Left),
            ("size", Align::Right),
            ("explains", Align::Left),
            ("scores", Align::Left),
            (&apparent, Align::Right),
            ("tuning", Align::Right),
            ("training", Align::Right),
            ("scoring 1,000", Align::Right),
            ("at edge", Align::Right),
            ("chosen", Align::Left),
        ]),
        rows: study.models.iter().filter(|note| note.scenario == scenario.name).map(row).collect(),
    }
}

fn title(scenario: &StudyScenario, times: Option<&StudyTimes>) -> String {
    let timed = match times.map(|times| times.threads) {
        None => String::new(),
        Some(1) => "; times on 1 thread".to_owned(),
        Some(threads) => format!("; times on {} threads", count(threads as f64)),
    };
    format!(
        "{}: models of all rows, and what they seem to be worth on the rows they learned from (apparent){timed}",
        scenario.name
    )
}

/// Nothing where no settings are to be chosen.
fn at_edge(note: &ModelNote, scenario: &StudyScenario) -> String {
    match &note.tuned[..] {
        [] => String::new(),
        _ => format!("{} of {}", note.at_edge, scenario.splits),
    }
}

/// The settings of the model; on paper also those of the splits.
fn settings(note: &ModelNote, place: Place) -> String {
    let chosen = note.chosen.clone().unwrap_or_default();
    let tuned: Vec<String> = note.tuned.iter().map(|(settings, n)| format!("{settings} on {n}")).collect();
    match place {
        Place::Paper if !tuned.is_empty() => format!("{chosen} (splits: {})", tuned.join(", ")),
        _ => chosen,
    }
}

/// Times of tuning, training and scoring, where they were taken.
fn taken(times: Option<&StudyTimes>, note: &ModelNote) -> [String; 3] {
    let is_this = |one: &&LearnerTimes| one.scenario == note.scenario && one.learner == note.learner;
    match times.and_then(|times| times.learners.iter().find(is_this)) {
        Some(one) => [tuning(one), seconds(one.training), per_thousand(one)],
        None => Default::default(),
    }
}
