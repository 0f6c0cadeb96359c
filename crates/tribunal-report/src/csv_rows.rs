//! The tidy rows as CSV: of an evaluation every figure, then every comparison of two models, what was found
//! in segments and in the stress test of the selection; of a study every figure.
//!
//! These files are opened in spreadsheets. A text that begins like a formula gets an apostrophe before it, as OWASP advises
//! against CSV injection; hidden characters are written out. Numbers are left as they are, and so are tables that other
//! programs read back (`score`, `cross`, `split`, `bias`, `generate`), which keep every cell byte for byte.

use tribunal::{Comparison, Evaluation, MetricRow, Scope, Standing, Study, StudyFigure, printable};
use tribunal_eval::intervals::IntervalMethod;

use crate::decision;
use crate::document::Table;
use crate::segment_rows;
use crate::stress_rows;

const HEADER: [&str; 19] = [
    "model",
    "versus",
    "metric",
    "scope",
    "fold",
    "segment",
    "cutoff",
    "estimate",
    "corrected",
    "lower",
    "upper",
    "level",
    "method",
    "n",
    "standing",
    "p",
    "p_adjusted",
    "undefined",
    "no_interval",
];

const STUDY_HEADER: [&str; 14] = [
    "scenario",
    "model",
    "metric",
    "scope",
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
    let comparisons = evaluation.comparisons.iter().map(comparison);
    let of_segments = evaluation.segments.iter().flat_map(segment_rows::rows);
    let of_decision = evaluation.decision.iter().flat_map(decision::csv_rows);
    let of_stress = evaluation.stress_selection.iter().flat_map(stress_rows::rows);
    written(HEADER, figures.chain(comparisons).chain(of_decision).chain(of_segments).chain(of_stress))
}

/// The figures of a study, a row each.
pub(crate) fn render_study(study: &Study) -> Result<String, csv::Error> {
    let of_decisions = study.decisions.iter().flat_map(|found| {
        decision::csv_figures(&found.decision).map(|row| decision_figure(&found.scenario, row))
    });
    written(STUDY_HEADER, study.figures.iter().map(study_figure).chain(of_decisions))
}

/// A table as it is shown, without its title.
pub(crate) fn render_table(table: &Table) -> Result<String, csv::Error> {
    let names = table.columns.iter().map(|(name, _)| name.as_str());
    written(names, table.rows.iter().map(|row| row.iter().map(|cell| cell.text.clone())))
}

/// Rows below a header, with texts that no spreadsheet takes for formulas.
pub(crate) fn written<'a>(
    header: impl IntoIterator<Item = &'a str>,
    mut rows: impl Iterator<Item = impl IntoIterator<Item = String>>,
) -> Result<String, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(header.into_iter().map(inert))?;
    rows.try_for_each(|row| writer.write_record(row.into_iter().map(|cell| inert(&cell))))?;
    let bytes = writer.into_inner().map_err(|error| error.into_error())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A cell that a spreadsheet shows and does not compute.
fn inert(cell: &str) -> String {
    let is_formula = |text: &str| text.starts_with(['=', '+', '-', '@', '\t', '\r']) && !is_number(text);
    // Spreadsheets look past blanks at the start; a lone sign is no formula.
    let guard = if is_formula(cell) || is_formula(cell.trim_start()) { "'" } else { "" };
    format!("{guard}{}", printable(cell))
}

/// Whether a text is a number, with a percent sign perhaps, or a sign that stands for one.
fn is_number(text: &str) -> bool {
    let text = text.strip_suffix('%').unwrap_or(text).trim_end();
    text == "-" || text.parse::<f64>().is_ok()
}

pub(crate) fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

pub(crate) fn shown(value: &Option<impl ToString>) -> String {
    value.as_ref().map_or_else(String::new, ToString::to_string)
}

/// The name of a fold; nothing for all rows and for the mean over folds, which the scope names.
fn fold(scope: &Scope) -> String {
    scope.fold().unwrap_or_default().to_owned()
}

fn standing(row: &MetricRow) -> String {
    match row.standing {
        Some(Standing::Best) => "best",
        Some(Standing::Level) => "level",
        None => "",
    }
    .to_owned()
}

/// A figure of acting on a list, as the other figures of a study are written.
fn decision_figure(scenario: &str, row: [String; 19]) -> [String; 14] {
    let [model, _, metric, scope, _, _, _, estimate, _, lower, upper, level, method, ..] = row;
    let mut cells: [String; 14] = Default::default();
    (cells[0], cells[1], cells[2], cells[3]) = (scenario.to_owned(), model, metric, scope);
    (cells[5], cells[6], cells[7], cells[8], cells[9]) = (estimate, lower, upper, level, method);
    cells
}

fn study_figure(figure: &StudyFigure) -> [String; 14] {
    let row = &figure.row;
    [
        figure.scenario.clone(),
        row.model.clone(),
        row.metric.clone(),
        row.scope.name().to_owned(),
        fold(&row.scope),
        number(row.estimate),
        number(row.lower),
        number(row.upper),
        number(row.level),
        shown(&row.method.map(IntervalMethod::name)),
        number(figure.sd),
        row.n.to_string(),
        standing(row),
        shown(&row.undefined),
    ]
}

fn figure(row: &MetricRow) -> [String; 19] {
    [
        row.model.clone(),
        String::new(),
        row.metric.clone(),
        row.scope.name().to_owned(),
        fold(&row.scope),
        String::new(),
        shown(&row.cutoff),
        number(row.estimate),
        number(row.corrected),
        number(row.lower),
        number(row.upper),
        number(row.level),
        shown(&row.method.map(IntervalMethod::name)),
        row.n.to_string(),
        standing(row),
        String::new(),
        String::new(),
        shown(&row.undefined),
        shown(&row.no_interval),
    ]
}

/// The estimate is the difference, the method the test.
pub(crate) fn comparison(row: &Comparison) -> [String; 19] {
    [
        row.a.clone(),
        row.b.clone(),
        row.metric.clone(),
        if row.is_on_rows() { "all" } else { "mean" }.to_owned(),
        String::new(),
        String::new(),
        shown(&row.cutoff),
        number(Some(row.difference)),
        String::new(),
        number(row.lower),
        number(row.upper),
        number(row.level),
        row.test.to_string(),
        String::new(),
        String::new(),
        number(row.p),
        number(row.p_adjusted),
        String::new(),
        String::new(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(cell: &str, expected: &str) {
        assert_eq!(inert(cell), expected);
    }

    #[test]
    fn texts_are_no_formulas() {
        check("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0");
        check("+1+1", "'+1+1");
        check("-2+3", "'-2+3");
        check("@SUM(A1)", "'@SUM(A1)");
        check("\t=1", "'\\t=1");
        check(" =1", "' =1");
        check("a=b", "a=b");
    }

    #[test]
    fn numbers_stay() {
        for number in ["-0.5", "+1e-7", "-inf", "12", "", "-", "-3.5 %", "NaN"] {
            check(number, number);
        }
    }

    #[test]
    fn hidden_characters_are_written_out() {
        check("a\u{1b}[2J\u{202e}\nb", "a\\u{1b}[2J\\u{202e}\\nb");
    }
}
