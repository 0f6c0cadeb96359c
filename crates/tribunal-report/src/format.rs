//! The forms in which results come.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use tribunal::correction::Correction;
use tribunal::message::{Neutral, Phrasing};
use tribunal::monitoring::Monitoring;
use tribunal::resampling::PlanSummary;
use tribunal::selection::Selection;
use tribunal::{
    AmountExplanation, AmountFitSummary, AmountSummary, BiasSummary, CrossSummary, Description, Evaluation,
    Explanation, FitSummary, ScoreSummary, Study, StudyTimes, is_hidden,
};

use crate::description::Place;
use crate::document::{Document, Table};
use crate::explanation::Shown;
use crate::{
    amounts, bias, correction, cross, csv_rows, description, evaluation, explanation, fit, latex, learners,
    markdown, monitoring, plan, registry, scores, selection, study, text,
};

/// A form of output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// For a terminal.
    #[default]
    Text,
    /// For programs.
    Json,
    /// Tidy metric rows.
    Csv,
    /// For tickets and READMEs.
    Markdown,
    /// For papers.
    Latex,
}

impl Format {
    /// Every form.
    pub const ALL: [Self; 5] = [Self::Text, Self::Json, Self::Csv, Self::Markdown, Self::Latex];
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Csv => "csv",
            Self::Markdown => "markdown",
            Self::Latex => "latex",
        })
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|format| format.to_string() == name);
        known.ok_or_else(|| format!("`{name}` is no format; choose text, json, csv, markdown or latex"))
    }
}

/// A form of output and the words in which a front end names its settings. A bare [`Format`] names them neutrally.
#[derive(Clone, Copy)]
pub struct Style<'a> {
    /// The form.
    pub format: Format,
    /// How settings and verbs are named.
    pub phrasing: &'a dyn Phrasing,
}

impl From<Format> for Style<'static> {
    fn from(format: Format) -> Self {
        Style { format, phrasing: &Neutral }
    }
}

/// Why results could not be written down.
pub type RenderError = Box<dyn std::error::Error + Send + Sync>;

/// An evaluation in some form.
pub fn render<'a>(results: &Evaluation, style: impl Into<Style<'a>>) -> Result<String, RenderError> {
    let Style { format, phrasing } = style.into();
    let document = || evaluation::document(results, phrasing);
    Ok(match format {
        Format::Text => text::render(&document()),
        Format::Json => json(results)?,
        Format::Csv => csv_rows::render(results)?,
        Format::Markdown => markdown::render(&document()),
        Format::Latex => latex::render(&document()),
    })
}

/// A description of a table in some form.
pub fn render_description<'a>(
    description: &Description,
    style: impl Into<Style<'a>>,
) -> Result<String, RenderError> {
    let Style { format, phrasing } = style.into();
    let document = |place| description::document(description, place, phrasing);
    Ok(match format {
        Format::Text => text::render(&document(Place::Terminal)),
        Format::Json => json(description)?,
        Format::Csv => description::csv(description)?,
        Format::Markdown => markdown::render(&document(Place::Paper)),
        Format::Latex => latex::render(&document(Place::Paper)),
    })
}

/// The list of all metrics in some form.
pub fn render_metrics(format: Format) -> Result<String, RenderError> {
    Ok(match format {
        Format::Text => registry::text(),
        Format::Json => json(&registry::json())?,
        Format::Csv => registry::csv()?,
        Format::Markdown => markdown::render(&registry::document()),
        Format::Latex => latex::render(&registry::document()),
    })
}

/// The list of all learners in some form.
pub fn render_learners<'a>(style: impl Into<Style<'a>>) -> Result<String, RenderError> {
    let Style { format, phrasing } = style.into();
    Ok(match format {
        Format::Text => learners::text(phrasing),
        Format::Json => json(&learners::json())?,
        Format::Csv => csv_rows::render_table(&learners::table())?,
        Format::Markdown => markdown::render(&learners::document()),
        Format::Latex => latex::render(&learners::document()),
    })
}

/// How a model was made, in some form.
pub fn render_fit<'a>(summary: &FitSummary, style: impl Into<Style<'a>>) -> Result<String, RenderError> {
    let Style { format, phrasing } = style.into();
    let place = if format == Format::Text { Place::Terminal } else { Place::Paper };
    described(summary, &fit::document(summary, place, phrasing), &fit::table(summary), format)
}

/// What came of the scoring of a table, in some form.
pub fn render_scores(summary: &ScoreSummary, format: Format) -> Result<String, RenderError> {
    described(summary, &scores::document(summary), &scores::table(summary), format)
}

/// What came of a line-up, in some form.
pub fn render_cross(summary: &CrossSummary, format: Format) -> Result<String, RenderError> {
    described(summary, &cross::document(summary), &cross::table(summary), format)
}

/// A model or its reasons in some form; as text with the strongest of them or with all, other forms hold all.
pub fn render_explanation<'a>(
    explanation: &Explanation,
    shown: Shown,
    style: impl Into<Style<'a>>,
) -> Result<String, RenderError> {
    let Style { format, phrasing } = style.into();
    let document = |place| explanation::document(explanation, shown, place, phrasing);
    Ok(match format {
        Format::Text => text::render(&document(Place::Terminal)),
        Format::Json => json(explanation)?,
        Format::Csv => csv_rows::render_table(&explanation::table(explanation))?,
        Format::Markdown => markdown::render(&document(Place::Paper)),
        Format::Latex => latex::render(&document(Place::Paper)),
    })
}

/// A graph in the DOT language, with hidden characters of its labels written out.
pub fn render_graph(graph: &str) -> String {
    let written = |c: char| match is_hidden(c) && c != '\n' {
        true => format!("\\\\u{{{:x}}}", u32::from(c)),
        false => c.to_string(),
    };
    graph.chars().map(written).collect()
}

/// How a model of amounts was made, in some form.
pub fn render_amount_fit(summary: &AmountFitSummary, format: Format) -> Result<String, RenderError> {
    described(summary, &amounts::fit_document(summary), &amounts::fit_table(summary), format)
}

/// What came of the prediction of amounts, in some form.
pub fn render_amounts(summary: &AmountSummary, format: Format) -> Result<String, RenderError> {
    described(summary, &amounts::scores_document(summary), &amounts::scores_table(summary), format)
}

/// A model of amounts or how amounts come about, in some form; as text with the strongest changes or with all.
pub fn render_amount_explanation<'a>(
    explanation: &AmountExplanation,
    shown: Shown,
    style: impl Into<Style<'a>>,
) -> Result<String, RenderError> {
    let Style { format, phrasing } = style.into();
    let place = if format == Format::Text { Place::Terminal } else { Place::Paper };
    let document = amounts::document(explanation, shown, place, phrasing);
    described(explanation, &document, &amounts::table(explanation), format)
}

/// A plan in some form.
pub fn render_plan(plan: &PlanSummary, format: Format) -> Result<String, RenderError> {
    described(plan, &plan::document(plan), &plan::table(plan), format)
}

/// A study in some form, with the times of its learners where a person reads them; CSV holds its figures.
pub fn render_study<'a>(
    study: &Study,
    times: Option<&StudyTimes>,
    style: impl Into<Style<'a>>,
) -> Result<String, RenderError> {
    let Style { format, phrasing } = style.into();
    let document = |place| study::document(study, times, place, phrasing);
    Ok(match format {
        Format::Text => text::render(&document(Place::Terminal)),
        Format::Json => json(study)?,
        Format::Csv => csv_rows::render_study(study)?,
        Format::Markdown => markdown::render(&document(Place::Paper)),
        Format::Latex => latex::render(&document(Place::Paper)),
    })
}

/// A selection in some form; CSV holds its figures.
pub fn render_selection<'a>(found: &Selection, style: impl Into<Style<'a>>) -> Result<String, RenderError> {
    let Style { format, phrasing } = style.into();
    let document = |place| selection::document(found, place, phrasing);
    Ok(match format {
        Format::Text => text::render(&document(Place::Terminal)),
        Format::Json => json(found)?,
        Format::Csv => selection::csv(found)?,
        Format::Markdown => markdown::render(&document(Place::Paper)),
        Format::Latex => latex::render(&document(Place::Paper)),
    })
}

/// What was found about periods in some form; CSV holds its figures.
pub fn render_monitoring<'a>(found: &Monitoring, style: impl Into<Style<'a>>) -> Result<String, RenderError> {
    let Style { format, phrasing } = style.into();
    let document = |place| monitoring::document(found, place, phrasing);
    Ok(match format {
        Format::Text => text::render(&document(Place::Terminal)),
        Format::Json => json(found)?,
        Format::Csv => monitoring::csv(found)?,
        Format::Markdown => markdown::render(&document(Place::Paper)),
        Format::Latex => latex::render(&document(Place::Paper)),
    })
}

/// A correction in some form.
pub fn render_correction<'a>(found: &Correction, style: impl Into<Style<'a>>) -> Result<String, RenderError> {
    let Style { format, phrasing } = style.into();
    let document = |place| correction::document(found, place, phrasing);
    Ok(match format {
        Format::Text => text::render(&document(Place::Terminal)),
        Format::Json => json(found)?,
        Format::Csv => correction::csv(found)?,
        Format::Markdown => markdown::render(&document(Place::Paper)),
        Format::Latex => latex::render(&document(Place::Paper)),
    })
}

/// How long the learners of a study took, in some form.
pub fn render_study_times(times: &StudyTimes, format: Format) -> Result<String, RenderError> {
    described(times, &study::times::document(times), &study::times::full_table(times), format)
}

/// What a bias did to a table, in some form.
pub fn render_bias<'a>(bias: &BiasSummary, style: impl Into<Style<'a>>) -> Result<String, RenderError> {
    let Style { format, phrasing } = style.into();
    described(bias, &bias::document(bias, phrasing), &bias::table(bias), format)
}

/// JSON of the very texts. Hidden characters that JSON allows within texts are escaped, which means the same to whoever
/// reads it and nothing to a terminal.
fn json(results: &impl Serialize) -> Result<String, RenderError> {
    let text = serde_json::to_string_pretty(results)? + "\n";
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match is_hidden(c) && c != '\n' {
            true => out.extend(c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}"))),
            false => out.push(c),
        }
    }
    Ok(out)
}

/// Results that are one document with one table.
fn described(
    results: &impl Serialize,
    document: &Document,
    table: &Table,
    format: Format,
) -> Result<String, RenderError> {
    Ok(match format {
        Format::Text => text::render(document),
        Format::Json => json(results)?,
        Format::Csv => csv_rows::render_table(table)?,
        Format::Markdown => markdown::render(document),
        Format::Latex => latex::render(document),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_holds_the_very_texts_without_a_hidden_character() {
        let name = "a\u{1b}\u{9b}\u{202e}\u{e0041}\n\"é";
        let written = json(&[name]).expect("JSON");
        assert!(!written.chars().any(|c| is_hidden(c) && c != '\n'), "{written:?}");
        assert_eq!(serde_json::from_str::<[String; 1]>(&written).expect("read"), [name]);
    }
}
