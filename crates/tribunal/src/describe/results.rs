//! What is said about a table: plain data that reports and programs read.

use serde::{Deserialize, Serialize};
use tribunal_learn::{DateReading, Kind, Role};

use crate::form::{Form, SchemaOf};
use crate::leaks::Leak;

impl Form for Description {
    const SCHEMA: &'static str = "tribunal.description/2";
}

/// A table described.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Description {
    /// The name and version of this form.
    pub schema: SchemaOf<Self>,
    /// The files.
    pub files: Vec<String>,
    /// How many rows they have.
    pub rows: u64,
    /// How many of them quartiles, histograms and AUROCs were computed from, if not all.
    pub sampled_rows: Option<u64>,
    /// The targets that were named.
    pub targets: Vec<TargetDescription>,
    /// The columns, in the order of the file; those of the targets are not among them.
    pub columns: Vec<ColumnDescription>,
    /// Columns that seem to be known only after the outcome, in the order of the file.
    pub leaks: Vec<Leak>,
    /// What a user should look at, the gravest first.
    pub notices: Vec<Notice>,
}

/// A target described.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct TargetDescription {
    /// Its name.
    pub name: String,
    /// The column it is made of.
    pub column: String,
    /// The classes with their rows; of two the second is the positive one.
    pub classes: Vec<ClassCount>,
    /// The share of the positive class among the rows that have one; `None` for more than two classes.
    pub base_rate: Option<f64>,
    /// Rows without a class.
    pub missing: u64,
    /// Whether the positive class was guessed.
    pub guessed: bool,
}

/// A class with its rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ClassCount {
    /// The class.
    pub class: String,
    /// How many rows it has.
    pub rows: u64,
}

/// A column described.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ColumnDescription {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: ColumnKind,
    /// What it is for.
    pub role: Role,
    /// Missing values.
    pub missing: u64,
    /// How many different values there are; a lower bound if `more_levels`.
    pub distinct: u64,
    /// Whether there are more levels than could be told apart.
    pub more_levels: bool,
    /// The numbers, if it holds any.
    pub numbers: Option<NumberSummary>,
    /// The first and the last date, if it holds dates that could be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dates: Option<DateRange>,
    /// The commonest levels, if it has levels.
    pub levels: Vec<LevelCount>,
    /// What it alone tells about each target; null where that cannot be told.
    pub alone: Vec<Option<Alone>>,
}

/// Numbers in short.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct NumberSummary {
    /// The least.
    pub min: f64,
    /// A quarter is at most this.
    pub lower_quartile: f64,
    /// Half is at most this.
    pub median: f64,
    /// Three quarters are at most this.
    pub upper_quartile: f64,
    /// The greatest.
    pub max: f64,
    /// The mean; nothing where the numbers are too large to be added up.
    pub mean: Option<f64>,
    /// The standard deviation; nothing for a single number, or where the squares are too large.
    pub sd: Option<f64>,
    /// How often each number occurs if there are at most ten; otherwise counts of ten equally wide bins between the
    /// first and the last hundredth, with what lies outside in the end bins.
    pub histogram: Vec<u64>,
}

/// From when to when dates reach.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct DateRange {
    /// The first, as 2024-01-31, with its time where dates have one.
    pub first: String,
    /// The last.
    pub last: String,
    /// How the dates were read.
    pub reading: DateReading,
}

/// A level with its rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct LevelCount {
    /// The level.
    pub level: String,
    /// How many rows have it.
    pub rows: u64,
}

/// What a column alone tells about the target: its AUROC as a score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Alone {
    /// The AUROC in the direction in which it is at least one half.
    pub auroc: f64,
    /// Lower end of the interval.
    pub lower: f64,
    /// Upper end of the interval.
    pub upper: f64,
    /// Level of the interval.
    pub level: f64,
    /// How the interval was made.
    pub method: AloneMethod,
    /// Rows it was computed from: those in which the column is not missing.
    pub n: u64,
    /// How many of them are of the rarer class.
    pub n_rarer: u64,
    /// Which way it points.
    pub direction: Direction,
    /// The class it tells from the others, where there are more than two.
    pub class: Option<String>,
}

/// How the interval of a column's AUROC was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum AloneMethod {
    /// DeLong's standard error.
    Delong,
    /// The same over held-out folds, on which levels are scored.
    #[serde(rename = "cross-validated delong")]
    CrossValidatedDelong,
}

impl AloneMethod {
    /// The name in JSON and CSV.
    pub fn name(self) -> &'static str {
        match self {
            Self::Delong => "delong",
            Self::CrossValidatedDelong => "cross-validated delong",
        }
    }
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ColumnKind {
    /// Yes or no.
    Flag,
    /// Levels without an order.
    Categorical,
    /// Levels in an order.
    Ordered,
    /// Numbers.
    Numeric,
    /// Numbers that learners see in bins.
    Binned,
}

impl ColumnKind {
    /// The kind in one word, as a schema says it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Flag => "flag",
            Self::Categorical => "categorical",
            Self::Ordered => "ordered",
            Self::Numeric => "numeric",
            Self::Binned => "binned",
        }
    }
}

impl From<&Kind> for ColumnKind {
    fn from(kind: &Kind) -> Self {
        match kind {
            Kind::Flag => Self::Flag,
            Kind::Categorical(_) => Self::Categorical,
            Kind::Ordered(_) => Self::Ordered,
            Kind::Numeric => Self::Numeric,
            Kind::Binned(_) => Self::Binned,
        }
    }
}

/// Which way a column points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// High values are more often positive.
    High,
    /// Low values are more often positive.
    Low,
    /// Some levels are more often positive than others.
    Levels,
}

/// Something to look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Notice {
    /// The column; empty where it concerns none.
    pub column: String,
    /// What it is about.
    pub about: Subject,
    /// In words.
    pub text: String,
}

/// What a notice is about, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Subject {
    /// A file that was given twice.
    RepeatedFile,
    /// Rows that stand there more than once.
    RepeatedRows,
    /// A column that seems to be known only after the outcome.
    Leak,
    /// Numbers with other cells among them.
    NearlyNumeric,
    /// Numbers in a notation that is not read.
    Notation,
    /// A column that names the row.
    Identifier,
    /// Dates as text.
    Dates,
    /// Sentences.
    FreeText,
    /// A type that is not read.
    Unreadable,
    /// Nothing but missing values.
    Empty,
    /// The same value in every row.
    Constant,
    /// Many rare levels.
    ManyLevels,
    /// Zeros that may mean missing.
    Zeros,
}
