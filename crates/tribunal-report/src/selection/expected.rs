//! What to expect of each learner on the population.

use tribunal::message::{Message, Phrasing, Setting};
use tribunal::selection::{ExpectedRow, Selection};

use super::gathered;
use crate::description::Place;
use crate::document::{Align, Cell, Mark, Part, Table, columns};
use crate::number::{figure, interval, percent};

pub(super) fn parts(selection: &Selection, place: Place, phrasing: &dyn Phrasing) -> Vec<Part> {
    let metrics = gathered(selection.expected.iter().map(|row| (row.metric.as_str(), row)));
    let mut parts = vec![];
    // The metric that decides comes first; a terminal shows the others of whom is recommended alone.
    for (place_of_metric, (metric, rows)) in metrics.iter().enumerate() {
        if (place_of_metric == 0 || place == Place::Paper) && rows.iter().any(|row| row.estimate.is_some()) {
            parts.push(Part::Table(of_learners(selection, metric, rows)));
        }
    }
    let others = &metrics[metrics.len().min(1)..];
    if place == Place::Terminal && !others.is_empty() {
        parts.extend(of_recommended(selection, others).map(Part::Table));
    }
    let without = without_estimate(selection);
    if !without.is_empty() {
        parts.push(Part::List(without));
    }
    if !parts.is_empty() {
        parts.push(Part::Paragraph(legend(selection, phrasing)));
    }
    parts
}

fn of_learners(selection: &Selection, metric: &str, rows: &[&ExpectedRow]) -> Table {
    let recommended = selection.recommended.as_ref().map(|found| found.learner.as_str());
    let row = |row: &&ExpectedRow| {
        let mark = if Some(row.learner.as_str()) == recommended { Mark::Best } else { Mark::None };
        let mut cells = cells(row);
        cells.insert(0, Cell { text: row.learner.clone(), mark });
        cells
    };
    Table {
        title: format!("Expected {} on the population (recommended: bold, or *)", words(metric)),
        columns: head(selection, "learner"),
        rows: rows.iter().map(row).collect(),
    }
}

fn of_recommended(selection: &Selection, metrics: &[(&str, Vec<&ExpectedRow>)]) -> Option<Table> {
    let recommended = &selection.recommended.as_ref()?.learner;
    let row = |(metric, rows): &(&str, Vec<&ExpectedRow>)| {
        let row = rows.iter().find(|row| row.learner == *recommended && row.estimate.is_some())?;
        let mut cells = cells(row);
        cells.insert(0, Cell::from(words(metric)));
        Some(cells)
    };
    let rows: Vec<Vec<Cell>> = metrics.iter().filter_map(row).collect();
    let title = format!("Of {recommended} by other metrics");
    (!rows.is_empty()).then(|| Table { title, columns: head(selection, "metric"), rows })
}

fn head(selection: &Selection, first: &str) -> Vec<(String, Align)> {
    let level = selection.expected.iter().find_map(|row| row.level);
    let interval =
        level.map_or_else(|| "interval".to_owned(), |level| format!("{} interval", percent(level)));
    columns([
        (first, Align::Left),
        ("expected", Align::Right),
        (interval.as_str(), Align::Right),
        ("on labelled rows", Align::Right),
    ])
}

fn cells(row: &ExpectedRow) -> Vec<Cell> {
    let optional = |value: Option<f64>| value.map_or_else(|| "n/a".to_owned(), figure);
    [
        optional(row.estimate),
        interval(row.lower, row.upper).unwrap_or_else(|| "n/a".to_owned()),
        optional(row.cross_validated),
    ]
    .map(Cell::from)
    .to_vec()
}

/// How a metric is called.
pub(super) fn words(metric: &str) -> String {
    match metric {
        "pcc" => "accuracy (pcc)".to_owned(),
        "benefit" => "mean benefit a row".to_owned(),
        other => other.to_owned(),
    }
}

/// Why there are no estimates, each reason once.
fn without_estimate(selection: &Selection) -> Vec<String> {
    let reasons = selection.expected.iter().filter_map(|row| {
        let why = row.undefined.as_deref()?;
        Some(((row.metric.as_str(), why), row.learner.as_str()))
    });
    let n_learners = super::taking_part(selection).len();
    let said = |((metric, why), learners): ((&str, &str), Vec<&str>)| match learners.len() == n_learners {
        true => format!("no estimate of {}: {why}", words(metric)),
        false => format!("no estimate of {} for {}: {why}", words(metric), learners.join(", ")),
    };
    gathered(reasons).into_iter().map(said).collect()
}

/// That another learner has the highest estimate, which is not what learners are chosen by.
fn higher_estimate(selection: &Selection) -> String {
    let Some(recommended) = &selection.recommended else { return String::new() };
    let first = selection.expected.first().map(|row| row.metric.as_str());
    let of_metric = || selection.expected.iter().filter(|row| Some(row.metric.as_str()) == first);
    let own = of_metric().find(|row| row.learner == recommended.learner).and_then(|row| row.estimate);
    let best = of_metric().filter(|row| row.estimate > own).max_by(|a, b| {
        a.estimate.unwrap_or(f64::NEG_INFINITY).total_cmp(&b.estimate.unwrap_or(f64::NEG_INFINITY))
    });
    match (own, best) {
        (Some(_), Some(best)) => format!(
            " {} has the highest estimate; learners are chosen by the score of {}, which was measured to choose better than estimates do.",
            best.learner,
            super::method_name(selection, &recommended.method)
        ),
        _ => String::new(),
    }
}

fn legend(selection: &Selection, phrasing: &dyn Phrasing) -> String {
    let how = "Estimates are those of cross-validation on the labelled rows, moved by what the consensus of the learners says of the change \
               from these to the population.";
    let how = format!("{how}{}", higher_estimate(selection));
    let has_interval = selection.expected.iter().any(|row| row.lower.is_some());
    match (has_interval, selection.audit_asked == 0) {
        (true, _) => format!("{how} Intervals come from the audit."),
        (false, true) => Message::from(format!("{how} An audit gives intervals: add "))
            .setting(Setting::Audit)
            .text(".")
            .said_by(phrasing),
        (false, false) => how.to_owned(),
    }
}
