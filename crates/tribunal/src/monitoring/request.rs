//! What is asked of monitoring.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tribunal_eval::ScoreBands;
use tribunal_eval::intervals::Level;

use super::limits::Limit;
use crate::error::Error;
use crate::message::{Message, Setting};

/// More bootstrap replicates than this nobody waits for.
const MOST_REPLICATES: usize = 1_000_000;
/// With fewer the ends of an interval are those of a handful of draws.
const LEAST_REPLICATES: usize = 100;

/// Two periods, or a reference and many, and how to compare them.
#[derive(Clone, Debug)]
pub struct MonitorRequest {
    /// The columns that rows are known by.
    pub columns: MonitorColumns,
    /// How rows of one table fall into periods; none where a table is one period.
    pub periods: Option<PeriodRule>,
    /// The bands of the score.
    pub bands: AskedBands,
    /// What must hold.
    pub limits: Vec<Limit>,
    /// The level of intervals and tests.
    pub level: Level,
    /// How many bootstrap replicates are drawn.
    pub replicates: usize,
    /// The seed of the draws.
    pub seed: u64,
}

/// The columns of a table of scored cases.
#[derive(Clone, Debug, Default)]
pub struct MonitorColumns {
    /// The score; larger means more likely positive.
    pub score: String,
    /// The outcome, where it is known.
    pub truth: String,
    /// The label of the outcome that is positive.
    pub positive: Option<String>,
    /// Every label but the positive one is negative.
    pub rest_is_negative: bool,
    /// Whether a case was acted on; without it those with an outcome were.
    pub actioned: Option<String>,
    /// The label that says so, where it is none of the usual words for yes.
    pub actioned_value: Option<String>,
    /// What a positive case is worth.
    pub amount: Option<String>,
}

/// How rows fall into periods.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeriodRule {
    /// The column that is looked at.
    pub column: String,
    /// Which periods of its dates; none where every value of the column is a period.
    pub span: Option<Span>,
}

/// A period of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Span {
    /// A month.
    Month,
    /// Three months.
    Quarter,
    /// Twelve months.
    Year,
}

impl Span {
    /// Every span with its name.
    pub const NAMES: [(&'static str, Span); 3] =
        [("month", Span::Month), ("quarter", Span::Quarter), ("year", Span::Year)];

    /// The span of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, span)| *span)
    }
}

/// The bands of the score that are asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum AskedBands {
    /// So many, of about equally many rows of the reference.
    Count(usize),
    /// Between these edges.
    Edges(Vec<f64>),
}

impl Default for AskedBands {
    fn default() -> Self {
        Self::Count(ScoreBands::DEFAULT)
    }
}

/// A whole number asks for so many bands, anything else is a list of edges; a single edge is written with a point or a comma behind
/// it: `0.5`, `3,`.
impl FromStr for AskedBands {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if let Ok(count) = text.parse::<usize>() {
            return match count {
                1..=1000 => Ok(Self::Count(count)),
                _ => Err(format!(
                    "{count} bands make no sense; write a whole number from 1 to 1000, or the edges of bands"
                )),
            };
        }
        let edges: Result<Vec<f64>, _> =
            text.trim_end_matches(',').split(',').map(|edge| edge.trim().parse()).collect();
        let edges = edges.map_err(|_| {
            format!("`{text}` is neither a number of bands (10) nor a list of rising edges (0.2,0.5)")
        })?;
        ScoreBands::from_edges(&edges).map(|_| Self::Edges(edges)).map_err(|error| error.to_string())
    }
}

impl fmt::Display for AskedBands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(count) => write!(f, "{count}"),
            Self::Edges(edges) => {
                let edges: Vec<String> = edges.iter().map(f64::to_string).collect();
                f.write_str(&edges.join(","))
            }
        }
    }
}

impl MonitorRequest {
    /// A score and an outcome by their columns; everything else is as usual.
    pub fn new(score: &str, truth: &str) -> Self {
        MonitorRequest {
            columns: MonitorColumns {
                score: score.to_owned(),
                truth: truth.to_owned(),
                ..MonitorColumns::default()
            },
            periods: None,
            bands: AskedBands::default(),
            limits: Vec::new(),
            level: Level::P95,
            replicates: 1000,
            seed: 1,
        }
    }

    /// Refuses what cannot be right whatever the data are.
    pub(super) fn check(&self) -> Result<(), Error> {
        let columns = &self.columns;
        let named = [
            Some(&columns.score),
            Some(&columns.truth),
            columns.actioned.as_ref(),
            columns.amount.as_ref(),
            self.periods.as_ref().map(|periods| &periods.column),
        ];
        let named: Vec<&String> = named.into_iter().flatten().collect();
        for (at, name) in named.iter().enumerate() {
            if let Some(first) = named[..at].iter().find(|first| first == &name) {
                let message =
                    format!("column \"{first}\" is named for two things; each has a column of its own");
                return Err(Error::usage(message));
            }
        }
        if columns.actioned_value.is_some() && columns.actioned.is_none() {
            let message = Message::from("which column says that a case was acted on? Add ");
            return Err(Error::usage(message.set(Setting::Actioned, "COLUMN")));
        }
        if !(LEAST_REPLICATES..=MOST_REPLICATES).contains(&self.replicates) {
            let message = Message::from(format!(
                "{} bootstrap replicates make no interval; write a number from {LEAST_REPLICATES} to {MOST_REPLICATES}, such as ",
                self.replicates
            ));
            return Err(Error::usage(message.set(Setting::Replicates, "1000")));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_are_a_number_or_edges() {
        let read = |text: &str| text.parse::<AskedBands>();
        assert_eq!(read("20"), Ok(AskedBands::Count(20)));
        assert_eq!(read("0.2,0.5"), Ok(AskedBands::Edges(vec![0.2, 0.5])));
        assert_eq!(read("3,"), Ok(AskedBands::Edges(vec![3.0])));
        assert_eq!(read("-1.5"), Ok(AskedBands::Edges(vec![-1.5])));
        for (text, says) in [
            ("0", "from 1 to 1000"),
            ("ten", "neither"),
            ("0.5,0.2", "sort them"),
            ("0.1,nan", "NaN"),
            ("", "neither"),
        ] {
            assert!(read(text).is_err_and(|error| error.contains(says)), "{text}");
        }
    }

    #[test]
    fn requests_that_cannot_be_right_say_so() {
        let check = |change: fn(&mut MonitorRequest), says: &str| {
            let mut request = MonitorRequest::new("p", "fraud");
            change(&mut request);
            let error = request.check().expect_err(says).to_string();
            assert!(error.contains(says), "{error}");
        };
        check(|request| request.columns.truth = "p".into(), "\"p\" is named for two things");
        check(|request| request.columns.actioned_value = Some("x".into()), "Add `actioned = COLUMN`");
        check(|request| request.replicates = 3, "3 bootstrap replicates");
        assert!(MonitorRequest::new("p", "fraud").check().is_ok());
    }
}
