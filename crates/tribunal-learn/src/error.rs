//! What can be wrong with a data set, in words that say what to do.

use std::fmt;

/// What kind of thing went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A kind, a rule or a schema that cannot be understood.
    BadText,
    /// Columns of different lengths, a code beyond the levels, a name that occurs twice.
    Inconsistent,
    /// A column whose kind or levels are not those that a model was trained with.
    Unaligned,
    /// A column that is asked for and is not there.
    UnknownColumn,
    /// A value that the declared levels of its column do not list.
    UnknownValue,
    /// A negative lag or amount where the schema allows none.
    Negative,
    /// A missing value that nothing may stand in for.
    Missing,
    /// More levels than a matrix can have columns.
    TooWide,
    /// A tree that is deeper than there is memory for.
    TooDeep,
    /// A target of which only one class is there.
    SingleClass,
    /// There is no target where one is to be learned.
    NoTarget,
    /// There are no rows to learn from.
    NoRows,
    /// A setting of a learner is to be tuned before it can learn.
    Untuned,
    /// There are more rows than memory for what a learner makes of them.
    TooLarge,
    /// Rounding errors leave equations without a solution.
    Unsolvable,
    /// Costs under which one prediction would never be worth while.
    DegenerateCosts,
    /// Costs that weigh no row.
    ZeroWeight,
    /// A learner that is to mind costs, and nobody said which.
    NeedsCosts,
    /// Costs of other classes than the target has, or of a number of classes that the method does not know.
    WrongCosts,
    /// Costs would be counted twice, or applied to what is no probability.
    CostsTwice,
}

/// An error of a data set: what is wrong, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    problem: String,
    advice: Option<String>,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, problem: impl Into<String>) -> Self {
        Error { kind, problem: problem.into(), advice: None }
    }

    pub(crate) fn advise(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }

    pub(crate) fn in_column(mut self, column: &str) -> Self {
        self.problem = format!("column {column:?}: {}", self.problem);
        self
    }

    /// What kind of error it is.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem)?;
        self.advice.as_ref().map_or(Ok(()), |advice| write!(f, "; {advice}"))
    }
}

impl std::error::Error for Error {}
