//! How long learners took, apart from what they found.

use tribunal::{LearnerTimes, StudyTimes};

use super::{gathered, without_empty_columns};
use crate::csv_rows::number;
use crate::description::counted;
use crate::document::{Align, Document, Part, Table, columns, plain_row};
use crate::number::seconds;

pub(crate) fn document(times: &StudyTimes) -> Document {
    let about =
        format!("Models of all rows, each made alone on {}.", counted(times.threads as u64, "thread"));
    let scenarios = gathered(times.learners.iter().map(|one| (one.scenario.as_str(), one)));
    let tables = scenarios.iter().map(|(scenario, learners)| Part::Table(table(scenario, learners)));
    Document { title: "Times".into(), parts: [Part::Paragraph(about)].into_iter().chain(tables).collect() }
}

fn table(scenario: &str, learners: &[&LearnerTimes]) -> Table {
    let row = |one: &&LearnerTimes| {
        plain_row([one.learner.clone(), tuning(one), seconds(one.training), per_thousand(one)])
    };
    without_empty_columns(Table {
        title: scenario.to_owned(),
        columns: columns([
            ("learner", Align::Left),
            ("tuning", Align::Right),
            ("training", Align::Right),
            ("scoring 1,000 rows", Align::Right),
        ]),
        rows: learners.iter().map(row).collect(),
    })
}

/// Every time in seconds, with every digit.
pub(crate) fn full_table(times: &StudyTimes) -> Table {
    let row = |one: &LearnerTimes| {
        plain_row([
            one.scenario.clone(),
            one.learner.clone(),
            number(one.tuning),
            number(Some(one.training)),
            number(Some(one.scoring)),
            one.rows.to_string(),
            times.threads.to_string(),
        ])
    };
    let names = ["scenario", "learner", "tuning", "training", "scoring", "rows", "threads"];
    Table {
        title: String::new(),
        columns: columns(names.map(|name| (name, Align::Left))),
        rows: times.learners.iter().map(row).collect(),
    }
}

/// Nothing where no settings are to be chosen.
pub(super) fn tuning(times: &LearnerTimes) -> String {
    times.tuning.map_or_else(String::new, seconds)
}

/// The time for scoring a thousand rows.
pub(super) fn per_thousand(times: &LearnerTimes) -> String {
    match times.rows {
        0 => "n/a".to_owned(),
        rows => seconds(1000.0 * times.scoring / rows as f64),
    }
}
