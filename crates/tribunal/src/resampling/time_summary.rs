//! From when to when the parts of a split in time reach, and how dates were read: a wrong reading shows at once.

use std::fmt;

use serde::{Deserialize, Serialize};
use tribunal_learn::DateReading;

use super::assignment::Assignment;
use super::design::Design;
use super::label_column::LabelColumn;
use super::plan::Plan;
use super::split::Part;
use super::times::Times;

/// A split in time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct TimeSummary {
    /// The column of the times.
    pub column: String,
    /// How its dates were read; nothing for numbers.
    pub dates: Option<DateReading>,
    /// The parts.
    pub parts: Vec<PartSpan>,
}

/// From when to when a part reaches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PartSpan {
    /// The part.
    pub part: Part,
    /// Its first time; dates as 2024-01-31.
    pub from: String,
    /// Its last time.
    pub to: String,
}

impl TimeSummary {
    /// The spans of a plan that divides by time; `column` is that of its rows.
    pub fn of(plan: &Plan, column: &LabelColumn) -> Option<Self> {
        let (Design::Time(design), Assignment::Parts { repetitions }) = (plan.design(), plan.assignment())
        else {
            return None;
        };
        let (times, parts) = (Times::of(column, design).ok()?, repetitions.first()?);
        let span = |part: Part| {
            let rows = parts.iter().zip(column.codes()).filter(move |(found, _)| **found == part);
            let [from, to] = times.span(rows.map(|(_, &code)| code), column)?;
            Some(PartSpan { part, from, to })
        };
        Some(Self {
            column: design.column.clone(),
            dates: times.reading().cloned(),
            parts: Part::ALL.into_iter().filter_map(span).collect(),
        })
    }

    /// How dates were read, where that had to be told.
    pub fn reading(&self) -> Option<String> {
        self.dates.as_ref()?.explain(&self.column)
    }
}

impl fmt::Display for TimeSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let span =
            |span: &PartSpan| format!("the {} part from {} to {}", span.part.name(), span.from, span.to);
        let spans: Vec<String> = self.parts.iter().map(span).collect();
        write!(f, "by \"{}\" {}", self.column, spans.join(" and "))?;
        self.reading().map_or(Ok(()), |reading| write!(f, "; {reading}"))
    }
}
