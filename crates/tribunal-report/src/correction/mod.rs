//! A correction as a document: the answer first, then the figures before and after side by side, the strata in the form of the
//! published tables, and how strata were made.

mod csv;
mod strata;
#[cfg(test)]
mod tests;

use tribunal::MetricRow;
use tribunal::correction::{CorrectedSide, Correction, MethodCorrection};
use tribunal::message::{Message, Phrasing, Setting};
use tribunal_eval::CutoffRule;

pub(crate) use self::csv::csv;
use crate::description::{Place, counted};
use crate::document::{Align, Cell, Document, Part, Table, columns, plain_row};
use crate::number::{count, figure, interval_of, percent};

/// The metrics in the order of tables, with what their columns are called.
const METRICS: [(&str, &str); 6] = [
    ("strike_rate", "strike rate"),
    ("auroc", "AUROC"),
    ("precision", "precision"),
    ("sensitivity", "recall"),
    ("specificity", "specificity"),
    ("pcc", "PCC"),
];

pub(crate) fn document(correction: &Correction, place: Place, phrasing: &dyn Phrasing) -> Document {
    let mut parts =
        vec![Part::Paragraph(correction.verdict.clone()), Part::Paragraph(introduction(correction))];
    let warnings: Vec<String> = correction
        .warnings
        .iter()
        .map(|warning| format!("warning: {}.", warning.sentence.said_by(phrasing)))
        .collect();
    if !warnings.is_empty() {
        parts.push(Part::List(warnings));
    }
    parts.push(Part::Heading("Before and after".into()));
    // Each figure takes as much room as its interval.
    let per_table = if place == Place::Terminal { 2 } else { METRICS.len() };
    parts.extend(
        known_metrics(correction).chunks(per_table).map(|metrics| Part::Table(figures(correction, metrics))),
    );
    parts.push(Part::Table(sizes(correction)));
    parts.push(Part::Paragraph(notes(correction)));
    parts.extend(strata::parts(correction, place));
    if place == Place::Terminal {
        let message = Message::from("Every table, of every method: ").set(Setting::Format, "markdown");
        parts.push(Part::Paragraph(message.text(".").said_by(phrasing)));
    }
    Document { title: format!("Correction of {}", correction.data.incidence_files.join(", ")), parts }
}

/// What was compared with what.
fn introduction(correction: &Correction) -> String {
    let data = &correction.data;
    let positives = match (data.positives, &correction.request.outcome) {
        (Some(positives), Some(outcome)) => {
            format!(", {} with {} = {}", count(positives as f64), outcome.truth, outcome.positive)
        }
        _ => String::new(),
    };
    let rows = data.prevalence_rows as f64;
    let total = match data.total_prevalence {
        total if total == rows => String::new(),
        total if total > rows => format!(" (of {} in all)", count(total)),
        in_strata => format!(" (of which {} lie in the strata)", count(in_strata)),
    };
    format!(
        "{} acted on in {}{positives}; {} of the population{total} in {}; {} by {}; seed {}.",
        counted(data.incidence_rows, "case"),
        data.incidence_files.join(", "),
        counted(data.prevalence_rows, "row"),
        data.prevalence_files.join(", "),
        match correction.strata.len() {
            1 => "1 stratum".to_owned(),
            n => format!("{n} strata"),
        },
        correction.stratification.columns.join(", "),
        correction.request.seed,
    )
}

/// The name of a method in tables.
fn method_name(method: &MethodCorrection) -> String {
    match (method.method.as_str(), method.beta) {
        ("over", Some(beta)) => format!("over (beta {})", figure(beta)),
        ("doubly_robust", _) => "doubly robust".to_owned(),
        (name, _) => name.to_owned(),
    }
}

/// The metrics that any side has, in the order of tables.
fn known_metrics(correction: &Correction) -> Vec<(&'static str, &'static str)> {
    let rows = || {
        correction
            .before
            .metrics
            .iter()
            .chain(correction.methods.iter().flat_map(|method| &method.side.metrics))
    };
    METRICS.into_iter().filter(|(id, _)| rows().any(|row| row.metric == *id)).collect()
}

fn metric_cell(side: &CorrectedSide, metric: &str) -> Cell {
    let row = side.metrics.iter().find(|row| row.metric == metric);
    row.map_or_else(Cell::default, |row| Cell::from(shown(row)))
}

/// A figure with its interval.
fn shown(row: &MetricRow) -> String {
    match row.estimate {
        None => "n/a".to_owned(),
        Some(value) => match interval_of(value, row.lower, row.upper) {
            Some(interval) => format!("{} {interval}", figure(value)),
            None => figure(value),
        },
    }
}

/// The figures of the actioned cases as they stand and of every method, one row each.
fn figures(correction: &Correction, metrics: &[(&str, &str)]) -> Table {
    let row = |name: String, side: &CorrectedSide| -> Vec<Cell> {
        let figures = metrics.iter().map(|(id, _)| metric_cell(side, id));
        std::iter::once(Cell::from(name)).chain(figures).collect()
    };
    let methods = correction.methods.iter().map(|method| match &method.failed {
        Some(_) => row(format!("{} (failed)", method_name(method)), &method.side),
        None => row(method_name(method), &method.side),
    });
    let names = metrics.iter().map(|(_, name)| ((*name).to_owned(), Align::Right));
    Table {
        title: format!(
            "{} before and after, with {} intervals",
            in_words(metrics),
            percent(correction.request.level.get())
        ),
        columns: std::iter::once(("sample".to_owned(), Align::Left)).chain(names).collect(),
        rows: std::iter::once(row("as acted on".to_owned(), &correction.before)).chain(methods).collect(),
    }
}

/// What a table shows.
fn in_words(metrics: &[(&str, &str)]) -> String {
    let names: Vec<&str> = metrics.iter().map(|(_, name)| *name).collect();
    let words = match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    };
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// How large the samples are, and how much they are worth.
fn sizes(correction: &Correction) -> Table {
    let row = |name: String, side: &CorrectedSide| {
        plain_row([
            name,
            count((10.0 * side.rows).round() / 10.0),
            count(side.distinct_rows as f64),
            figure(side.effective_rows),
            figure(side.design_effect),
        ])
    };
    let weighs = |method: &&MethodCorrection| method.failed.is_none() && !method.strata.is_empty();
    let methods =
        correction.methods.iter().filter(weighs).map(|method| row(method_name(method), &method.side));
    Table {
        title: "Rows of the samples, and as many rows of equal weight as vary like them (Kish)".into(),
        columns: columns([
            ("sample", Align::Left),
            ("rows", Align::Right),
            ("different cases", Align::Right),
            ("effective rows", Align::Right),
            ("design effect", Align::Right),
        ]),
        rows: std::iter::once(row("as acted on".to_owned(), &correction.before)).chain(methods).collect(),
    }
}

/// What the figures are about.
fn notes(correction: &Correction) -> String {
    let cutoff = correction.before.metrics.iter().find_map(|row| match row.cutoff {
        Some(CutoffRule::Score(cutoff)) => Some(cutoff),
        _ => None,
    });
    let cutoff = match cutoff {
        Some(cutoff) => format!(" Cases that score at least {cutoff} are predicted positive."),
        None => String::new(),
    };
    let assumption = match correction.data.positives {
        Some(_) => {
            " Every correction takes being acted on to say nothing of the outcome within a stratum: where whoever chose saw more than \
             these columns say, it does."
        }
        None => "",
    };
    format!(
        "A row that stands in a sample twice is no new evidence: intervals follow from the strata, the weights and the size of the \
         population, not from the number of rows.{cutoff}{assumption}"
    )
}
