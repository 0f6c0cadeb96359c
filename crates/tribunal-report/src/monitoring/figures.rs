//! Figures of the periods: those that a selection by score leaves alone, and those that it does not.

use tribunal::monitoring::{FIGURES, MonitorRow, MonitoredFigure, Monitoring};

use crate::description::Place;
use crate::document::{Align, Cell, Part, Table, columns, plain_row};
use crate::number::{figure, interval_of, percent};

pub(super) fn parts(found: &Monitoring, place: Place) -> Vec<Part> {
    let periods: Vec<&str> = found.periods.iter().map(|period| period.facts.period.as_str()).collect();
    match &periods[..] {
        [only] => beside_reference(found, only, place),
        _ if place == Place::Paper => {
            periods.iter().flat_map(|period| beside_reference(found, period, place)).collect()
        }
        _ => Vec::new(),
    }
}

/// A period beside the reference.
fn beside_reference(found: &Monitoring, period: &str, place: Place) -> Vec<Part> {
    let group = |title: &str, takes: &dyn Fn(&MonitoredFigure) -> bool| {
        let rows =
            FIGURES.iter().filter(|figure| takes(figure)).filter_map(|figure| row(found, period, figure));
        // A terminal has no room for what figures are.
        let n_columns = if place == Place::Paper { 5 } else { 4 };
        let short = |mut cells: Vec<Cell>| {
            cells.truncate(n_columns);
            cells
        };
        let rows: Vec<Vec<Cell>> = rows.map(short).collect();
        (!rows.is_empty()).then(|| {
            Part::Table(Table {
                title: format!("{period}: {title}"),
                columns: columns([
                    ("figure", Align::Left),
                    ("reference", Align::Right),
                    ("current", Align::Right),
                    (&format!("{} interval", percent(found.level)), Align::Right),
                    ("what it is", Align::Left),
                ])
                .into_iter()
                .take(n_columns)
                .collect(),
                rows,
            })
        })
    };
    let groups = [
        group("figures that a selection by score leaves alone", &|figure| {
            figure.survives_selection && !figure.compares
        }),
        group("figures that it does not leave alone", &|figure| {
            !figure.survives_selection && !figure.compares
        }),
        group("what moved, and what is expected if the model is as good as it was", &|figure| {
            figure.compares && is_shown_here(figure.id)
        }),
    ];
    groups.into_iter().flatten().collect()
}

/// Contributions and tests have tables of their own.
fn is_shown_here(id: &str) -> bool {
    const ELSEWHERE: [&str; 6] =
        ["drift", "selection", "mix", "decay", "odds_ratio_selection", "odds_ratio_decay"];
    !id.starts_with("p_") && !ELSEWHERE.contains(&id)
}

fn row(found: &Monitoring, period: &str, known: &MonitoredFigure) -> Option<Vec<Cell>> {
    let (before, now) = (found.row(&found.reference.period, known.id), found.row(period, known.id));
    let is_defined = |row: Option<&MonitorRow>| row.is_some_and(|row| row.estimate.is_some());
    if !is_defined(before) && !is_defined(now) {
        return None;
    }
    let value =
        |row: Option<&MonitorRow>| row.and_then(|row| row.estimate).map_or_else(|| "n/a".to_owned(), figure);
    let ends = now.and_then(|row| interval_of(row.estimate?, row.lower, row.upper)).unwrap_or_default();
    let reference = if known.compares { String::new() } else { value(before) };
    Some(plain_row([known.id.to_owned(), reference, value(now), ends, known.about.to_owned()]))
}
