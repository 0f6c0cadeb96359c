//! The tidy rows as CSV: of an evaluation every figure, then every comparison of two models; of a study every figure.

use tribunal::{Comparison, Evaluation, MetricRow, Standing, Study, StudyFigure};

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

const STUDY_HEADER: [&str; 13] = [
    "scenario",
    "model",
    "metric",
    "fold",
    "estimate",
    "lower",
    "upper",
    "level",
    "method",
    "sd",
    "n",
    "standing",
    "undefined",
];

pub(crate) fn render(evaluation: &Evaluation) -> Result<String, csv::Error> {
    let figures = evaluation.metrics.iter().map(figure);
    written(HEADER, figures.chain(evaluation.comparisons.iter().map(comparison)))
}

/// The figures of a study, a row each.
pub(crate) fn render_study(study: &Study) -> Result<String, csv::Error> {
    written(STUDY_HEADER, study.figures.iter().map(study_figure))
}

/// A table as it is shown, without its title.
pub(crate) fn render_table(table: &Table) -> Result<String, csv::Error> {
    let names = table.columns.iter().map(|(name, _)| name.as_str());
    written(names, table.rows.iter().map(|row| row.iter().map(|cell| cell.text.clone())))
}

fn written<'a>(
    header: impl IntoIterator<Item = &'a str>,
    mut rows: impl Iterator<Item = impl IntoIterator<Item = String>>,
) -> Result<String, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(header)?;
    rows.try_for_each(|row| writer.write_record(row))?;
    let bytes = writer.into_inner().map_err(|error| error.into_error())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

pub(crate) fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

fn text(value: &Option<String>) -> String {
    value.clone().unwrap_or_default()
}

fn standing(row: &MetricRow) -> String {
    match row.standing {
        Some(Standing::Best) => "best",
        Some(Standing::Level) => "level",
        None => "",
    }
    .to_owned()
}

fn study_figure(figure: &StudyFigure) -> [String; 13] {
    let row = &figure.row;
    [
        figure.scenario.clone(),
        row.model.clone(),
        row.metric.clone(),
        text(&row.fold),
        number(row.estimate),
        number(row.lower),
        number(row.upper),
        number(row.level),
        text(&row.method),
        number(figure.sd),
        row.n.to_string(),
        standing(row),
        text(&row.undefined),
    ]
}

fn figure(row: &MetricRow) -> [String; 15] {
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
        standing(row),
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
