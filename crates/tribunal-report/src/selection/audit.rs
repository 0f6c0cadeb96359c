//! The audit: how the methods did on labelled rows that were biased on purpose.

use tribunal::bias::BiasName;
use tribunal::message::{Message, Phrasing, Setting};
use tribunal::selection::{AuditErrorRow, AuditRow, Selection};

use super::{gathered, method_name};
use crate::description::{Place, counted};
use crate::document::{Align, Cell, Mark, Part, Table, columns, plain_row};
use crate::number::{figure, percent};

/// A standard error below is what rounding leaves of none.
const ROUNDING: f64 = 1e-12;

pub(super) fn parts(selection: &Selection, place: Place, phrasing: &dyn Phrasing) -> Vec<Part> {
    if selection.audit.is_empty() && selection.audit_asked > 0 {
        let words = "An audit was asked for, and the labelled rows are too few for it: see the warnings.";
        return vec![Part::Paragraph(words.to_owned())];
    }
    if selection.audit.is_empty() {
        let message = Message::from("No audit was asked for; ").setting(Setting::Audit).text(
            " biases the labelled rows in known ways, asks every method and compares with the truth held back.",
        );
        return vec![Part::Paragraph(message.said_by(phrasing))];
    }
    let mut parts = vec![Part::Paragraph(about(selection)), Part::Table(regrets(selection, place))];
    if !selection.audit_errors.is_empty() {
        parts.push(Part::Table(errors(selection, place)));
    }
    parts
}

fn about(selection: &Selection) -> String {
    let simulations = counted(
        selection.audit.iter().filter(|row| row.kind.is_none()).map(|row| row.n).max().unwrap_or(0),
        "simulation",
    );
    let level = selection.expected.iter().find_map(|row| row.level);
    let interval = level.map_or_else(String::new, |level| {
        format!(" The {} intervals of what to expect come from here.", percent(level))
    });
    format!(
        "Two thirds of the labelled rows were biased in {simulations}, and the methods judged by the third held back: the \
         regret is how much worse the choice of a method did there than the best learner. The audit warns and gives intervals; \
         it does not choose the method.{interval}"
    )
}

/// The kinds of bias, each once, all of them together last.
fn kinds(of_rows: impl Iterator<Item = Option<BiasName>>) -> Vec<Option<BiasName>> {
    let mut kinds: Vec<Option<BiasName>> = Vec::new();
    for kind in of_rows.flatten().map(Some) {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds.push(None);
    kinds
}

fn kind_name(kind: Option<BiasName>) -> String {
    kind.map_or_else(|| "all".to_owned(), |kind| kind.to_string())
}

fn regrets(selection: &Selection, place: Place) -> Table {
    let kinds = kinds(selection.audit.iter().map(|row| row.kind));
    let of_methods = gathered(selection.audit.iter().map(|row| (row.method.as_str(), row)));
    let overall = |rows: &[&AuditRow]| rows.iter().find(|row| row.kind.is_none()).map(|row| row.regret);
    let least = of_methods.iter().filter_map(|(_, rows)| overall(rows)).fold(f64::INFINITY, f64::min);
    let row = |(method, rows): &(&str, Vec<&AuditRow>)| {
        let cell = |kind: &Option<BiasName>| {
            let row = rows.iter().find(|row| row.kind == *kind);
            row.map_or_else(|| Cell::from("n/a"), |row| Cell::from(with_se(row, kind.is_none())))
        };
        let is_best = overall(rows) == Some(least);
        let name = match place {
            Place::Terminal => (*method).to_owned(),
            Place::Paper => method_name(selection, method).to_owned(),
        };
        let name = Cell { text: name, mark: if is_best { Mark::Best } else { Mark::None } };
        [name].into_iter().chain(kinds.iter().map(cell)).collect()
    };
    Table {
        title: format!(
            "Mean regret in {} by kind of bias, over all with its standard error (least: bold, or *)",
            super::expected::words(&selection.metric.to_string())
        ),
        columns: [("method".to_owned(), Align::Left)]
            .into_iter()
            .chain(kinds.iter().map(|kind| (kind_name(*kind), Align::Right)))
            .collect(),
        rows: of_methods.iter().map(row).collect(),
    }
}

fn with_se(row: &AuditRow, shows_se: bool) -> String {
    match row.se.filter(|_| shows_se) {
        Some(se) => format!("{} +- {}", figure(row.regret), figure(if se < ROUNDING { 0.0 } else { se })),
        None => figure(row.regret),
    }
}

fn errors(selection: &Selection, place: Place) -> Table {
    let is_shown = |row: &&AuditErrorRow| place == Place::Paper || row.kind.is_none();
    let row = |row: &AuditErrorRow| {
        plain_row([
            row.method.clone(),
            kind_name(row.kind),
            figure(row.mean_absolute_error),
            figure(row.bias),
            row.n.to_string(),
        ])
    };
    Table {
        title: "How far estimates lay from the truth there, over simulations and learners: mean absolute error, and mean of truth less \
                estimate (cv_plus_consensus_change gives what to expect)"
            .to_owned(),
        columns: columns([
            ("method", Align::Left),
            ("kind of bias", Align::Left),
            ("error", Align::Right),
            ("truth less estimate", Align::Right),
            ("n", Align::Right),
        ]),
        rows: selection.audit_errors.iter().filter(is_shown).map(row).collect(),
    }
}
