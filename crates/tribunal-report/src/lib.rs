//! # tribunal-report: results that people read
//!
//! Turns an [`Evaluation`], a [`tribunal::Study`] and other results into text for a terminal, Markdown, LaTeX, CSV or
//! JSON. It computes no statistic: every figure comes from the results. A [`Document`] - a title, paragraphs, tables -
//! is built once and rendered in each form.
//!
//! ```
//! use tribunal_report::Format;
//!
//! assert_eq!("latex".parse::<Format>(), Ok(Format::Latex));
//! ```

/// Its example is compiled with the others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod amounts;
mod bias;
mod charts;
mod comparisons;
mod conditions;
mod correction;
mod cross;
mod csv_rows;
mod decision;
mod description;
mod document;
mod evaluation;
mod explanation;
mod fit;
mod format;
mod latex;
mod learners;
#[cfg(test)]
mod made_up;
mod markdown;
mod monitoring;
mod number;
mod plan;
mod registry;
mod run_reports;
mod scores;
mod segment_rows;
mod segments;
mod selection;
mod shift;
mod stored;
mod stress_rows;
mod stress_selection;
mod study;
mod text;
mod tuning;

pub use document::{Align, Cell, Document, Mark, Part, Table};
pub use explanation::Shown;
pub use format::{
    Format, RenderError, Style, render, render_amount_explanation, render_amount_fit, render_amounts,
    render_bias, render_correction, render_cross, render_description, render_explanation, render_fit,
    render_graph, render_learners, render_metrics, render_monitoring, render_plan, render_scores,
    render_selection, render_study, render_study_times,
};
pub use selection::{selection_files, write_selection};
pub use shift::shift_parts;
pub use stored::render_stored;
pub use study::{study_files, write_study};
pub use tribunal::Evaluation;
