//! The list of all metrics: definition, range, direction, reference.

use serde_json::{Value, json};
use tribunal_eval::metrics::{Better, Kind, METRICS, Metric};

use crate::csv_rows::written;
use crate::document::{Align, Document, Part, Table, plain_row};

pub(crate) fn direction(metric: &Metric) -> String {
    match metric.better {
        Better::Higher => "higher is better".into(),
        Better::Lower => "lower is better".into(),
        Better::Near(best) => format!("best at {best}"),
        Better::Neither => "describes the data".into(),
    }
}

fn range(metric: &Metric) -> String {
    let end = |value: f64| match value {
        v if v == f64::INFINITY => "inf".to_owned(),
        v if v == f64::NEG_INFINITY => "-inf".to_owned(),
        v => format!("{v:.4}").trim_end_matches('0').trim_end_matches('.').to_owned(),
    };
    format!("{} to {}", end(metric.range.0), end(metric.range.1))
}

fn kind(metric: &Metric) -> &'static str {
    match metric.kind {
        Kind::Cutoff => "at a cut-off",
        Kind::Ranking => "of the ranking",
        Kind::Probability => "of probabilities",
        Kind::Amount => "of amounts",
    }
}

pub(crate) fn text() -> String {
    let entry = |metric: &&Metric| {
        format!(
            "{}\n  {}, {}\n  definition:     {}\n  undefined when: {}\n  range:          {}, {}\n  interval:       {}\n  reference:      {}\n",
            metric.id,
            metric.name,
            kind(metric),
            metric.definition,
            metric.undefined_when,
            range(metric),
            direction(metric),
            metric.spread.name(),
            metric.reference
        )
    };
    METRICS.iter().map(entry).collect::<Vec<_>>().join("\n")
}

pub(crate) fn json() -> Value {
    let finite = |value: f64| value.is_finite().then_some(value);
    let entry = |metric: &&Metric| {
        json!({
            "id": metric.id,
            "name": metric.name,
            "kind": metric.kind,
            "definition": metric.definition,
            "undefined_when": metric.undefined_when,
            "range": [finite(metric.range.0), finite(metric.range.1)],
            "better": metric.better,
            "interval": metric.spread.name(),
            "reference": metric.reference,
        })
    };
    json!({ "schema": "tribunal.metrics/1", "metrics": METRICS.iter().map(entry).collect::<Vec<_>>() })
}

const COLUMNS: [&str; 9] =
    ["id", "name", "kind", "definition", "undefined when", "range", "direction", "interval", "reference"];

fn cells(metric: &Metric) -> [String; 9] {
    [
        metric.id.to_owned(),
        metric.name.to_owned(),
        kind(metric).to_owned(),
        metric.definition.to_owned(),
        metric.undefined_when.to_owned(),
        range(metric),
        direction(metric),
        metric.spread.name().to_owned(),
        metric.reference.to_owned(),
    ]
}

pub(crate) fn csv() -> Result<String, csv::Error> {
    written(COLUMNS, METRICS.iter().map(|metric| cells(metric)))
}

pub(crate) fn document() -> Document {
    // Definitions are long: the table leaves out what a reader looks up last.
    let shown = [0, 1, 3, 5, 6];
    let columns = shown.map(|column| (COLUMNS[column].to_owned(), Align::Left)).to_vec();
    let row = |metric: &&Metric| plain_row(shown.map(|column| cells(metric)[column].clone()));
    let rows = METRICS.iter().map(row).collect();
    let table = Table { title: format!("{} metrics", METRICS.len()), columns, rows };
    Document { title: "Metrics".into(), parts: vec![Part::Table(table)] }
}
