//! The tidy rows as CSV: every figure, then every comparison of two models.

use tribunal::{Comparison, Evaluation, MetricRow, Standing};

use crate::document::Table;

const HEADER: [&str; 15] = [
    "model",
    "versus",
    "metric",
    "fold",
    "cutoff",
    "estimate",
    "lower",
    "upper",
    "level",
    "method",
    "n",
    "standing",
    "p",
    "p_adjusted",
    "undefined",
];

pub(crate) fn render(evaluation: &Evaluation) -> Result<String, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(HEADER)?;
    evaluation.metrics.iter().try_for_each(|row| writer.write_record(figure(row)))?;
    evaluation.comparisons.iter().try_for_each(|row| writer.write_record(comparison(row)))?;
    let bytes = writer.into_inner().map_err(|error| error.into_error())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A table as it is shown, without its title.
pub(crate) fn render_table(table: &Table) -> Result<String, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(table.columns.iter().map(|(name, _)| name))?;
    table.rows.iter().try_for_each(|row| writer.write_record(row.iter().map(|cell| &cell.text)))?;
    let bytes = writer.into_inner().map_err(|error| error.into_error())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

fn text(value: &Option<String>) -> String {
    value.clone().unwrap_or_default()
}

fn figure(row: &MetricRow) -> [String; 15] {
    let standing = match row.standing {
        Some(Standing::Best) => "best",
        Some(Standing::Level) => "level",
        None => "",
    };
    [
        row.model.clone(),
        String::new(),
        row.metric.clone(),
        text(&row.fold),
        text(&row.cutoff),
        number(row.estimate),
        number(row.lower),
        number(row.upper),
        number(row.level),
        text(&row.method),
        row.n.to_string(),
        standing.to_owned(),
        String::new(),
        String::new(),
        text(&row.undefined),
    ]
}

/// The estimate is the difference, the method the test.
fn comparison(row: &Comparison) -> [String; 15] {
    [
        row.a.clone(),
        row.b.clone(),
        row.metric.clone(),
        String::new(),
        text(&row.cutoff),
        number(Some(row.difference)),
        number(row.lower),
        number(row.upper),
        number(row.level),
        row.test.to_owned(),
        String::new(),
        String::new(),
        number(row.p),
        number(row.p_adjusted),
        String::new(),
    ]
}
