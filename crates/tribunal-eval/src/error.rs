//! The one error of the crate: input that cannot be judged, and names that mean nothing.
//!
//! A figure that does not exist is no failure: it is a [`Value`](crate::Value) with a reason. [`Error`] takes that reason
//! over with `?`, so that a program that wants the figure or nothing needs this one type.

use thiserror::Error as ThisError;

use crate::undefined::Undefined;

/// What kind of thing failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Columns of the same rows have different lengths.
    LengthMismatch,
    /// A value is NaN or infinite.
    NotFinite,
    /// A number lies outside the range in which it has a meaning.
    OutOfRange,
    /// There are fewer observations than the figure needs.
    TooFew,
    /// There are more rows than can be counted.
    TooMany,
    /// A truth is neither 0 nor 1.
    NotBinary,
    /// Bytes are no ranking.
    InvalidBytes,
    /// Batches of one ranking have different columns, or candidates different rows.
    MixedColumns,
    /// Scores are not in the order that is needed.
    NotSorted,
    /// A table of algorithms by folds lacks a cell or has it twice.
    IncompleteTable,
    /// A text names no metric, or one without its parameter.
    UnknownMetric,
    /// A text names no cut-off.
    UnknownCutoff,
    /// A text names no capacity.
    UnknownCapacity,
    /// Costs under which one decision is never the better one.
    DegenerateCosts,
    /// The figure has no value on this input.
    Undefined,
}

/// Why something could not be computed: a message for people, a [kind](Error::kind) and data for programs.
///
/// ```
/// use tribunal_eval::{Error, ErrorKind, Ranking, ScoredSet, metrics};
///
/// fn auroc(y_true: &[bool], y_score: &[f64]) -> Result<f64, Error> {
///     Ok(metrics::auroc(&Ranking::of(&ScoredSet::new(y_true, y_score)?)?)?)
/// }
/// assert_eq!(auroc(&[true, false], &[0.9]).unwrap_err().kind(), ErrorKind::LengthMismatch);
/// assert_eq!(auroc(&[true, true], &[0.9, 0.1]).unwrap_err().to_string(), "there are no negatives");
/// ```
#[derive(Clone, Debug, ThisError, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A column has another length than the truth.
    #[error("{column} has {found} values, but truth has {expected}")]
    Length {
        /// Which column.
        column: &'static str,
        /// Its length.
        found: usize,
        /// The length of the truth.
        expected: usize,
    },
    /// A value of a row is not a finite number.
    #[error("{column} of row {row} is {value}; it must be a finite number")]
    NotFinite {
        /// Which column.
        column: &'static str,
        /// Position, from 0.
        row: usize,
        /// What stood there.
        value: f64,
    },
    /// A weight is below zero.
    #[error("weight of row {row} is {value}; weights must not be negative")]
    NegativeWeight {
        /// Position, from 0.
        row: usize,
        /// What stood there.
        value: f64,
    },
    /// A weight or an amount is finite and not zero, and its square is not.
    #[error(
        "{column} of row {row} is {value:e}; numbers beyond 1e100 and others than zero below 1e-100 cannot be squared and added up: choose another unit"
    )]
    Extreme {
        /// Which column.
        column: &'static str,
        /// Position, from 0.
        row: usize,
        /// What stood there.
        value: f64,
    },
    /// The squares of amounts cannot add up to so little.
    #[error(
        "the squared amounts of row {row} add up to {value}, but those of these positives to {least} or more; add up the squares, not the amounts"
    )]
    ImpossibleSquares {
        /// Position, from 0.
        row: usize,
        /// What stood there.
        value: f64,
        /// The least that they can add up to.
        least: f64,
    },
    /// A number that should say what a case was is neither 0 nor 1.
    #[error("truth of row {row} is {value}; write 0 or 1, or name the value that is positive")]
    NotBinary {
        /// Position, from 0.
        row: usize,
        /// What stood there.
        value: String,
    },
    /// The bytes are not those of a ranking.
    #[error("these bytes are no ranking: {reason}")]
    InvalidBytes {
        /// What gives them away.
        reason: &'static str,
    },
    /// One batch has weights or amounts and another has not.
    #[error("some batches have weights or amounts and others have not")]
    MixedColumns,
    /// There are more rows than positions can count.
    #[error("one class has more than 4,294,967,295 rows")]
    TooManyRows,
    /// A text names no cut-off.
    #[error(
        "`{0}` is no cut-off; write a score (0.5), a share of the list (10% or share:0.1), a count (top:500), or one of \
         max-pcc, max-f1, max-f@2, youden, precision>=0.8, recall>=0.9, cost:FP:FN, max-profit:BENEFIT:COST (the benefit a \
         number or `amount`), max-benefit:HIT:FP:FN:TN"
    )]
    UnknownCutoff(String),
    /// A text names no capacity.
    #[error(
        "`{0}` is no capacity; write a whole number of cases of this list (200) or of lists of so many (200/5000)"
    )]
    UnknownCapacity(String),
    /// No metric is called so.
    #[error("there is no metric `{0}`")]
    UnknownMetric(String),
    /// The parameter of a metric is missing.
    #[error("`{id}` needs a value for {parameter}: write `{stem}@VALUE`")]
    NeedsParameter {
        /// The metric's id.
        id: &'static str,
        /// The id before the `@`.
        stem: &'static str,
        /// What the parameter is called.
        parameter: &'static str,
    },
    /// The parameter of a metric is not a number in its range.
    #[error("`{value}` is no {parameter} for `{id}`: give a number above {above} and at most {at_most}")]
    BadParameter {
        /// The metric's id.
        id: &'static str,
        /// What was written.
        value: String,
        /// What the parameter is called.
        parameter: &'static str,
        /// Lower bound, excluded.
        above: f64,
        /// Upper bound, included.
        at_most: f64,
    },
    /// A wrong decision costs no more than the right one.
    #[error(
        "a {error} costs no more than a {right}, so one decision would always be the better one; exchange the two, or allow it"
    )]
    DegenerateCosts {
        /// The wrong decision.
        error: &'static str,
        /// The right one.
        right: &'static str,
    },
    /// A rule needs a probability and found another number.
    #[error("probability of row {row} is {value}; it must lie between 0 and 1: calibrate the scores first")]
    NotProbability {
        /// Position, from 0.
        row: usize,
        /// What stood there.
        value: f64,
    },
    /// The probabilities of the classes of a row are not those of one of them being true.
    #[error("the probabilities of row {row} add up to {sum}; those of all classes must add up to 1")]
    ProbabilitySum {
        /// Position, from 0.
        row: usize,
        /// What they add up to.
        sum: f64,
    },
    /// The class of a row is none of those that there are.
    #[error("class of row {row} is {class}; there are {n_classes} classes, counted from 0")]
    UnknownClass {
        /// Position, from 0.
        row: usize,
        /// The index that was given.
        class: usize,
        /// How many classes there are.
        n_classes: usize,
    },
    /// Two inputs that describe the same classes have different numbers of them.
    #[error("{what} has {found} classes; expected {expected}")]
    ClassCount {
        /// The input.
        what: &'static str,
        /// Its classes.
        found: usize,
        /// Those of the other.
        expected: usize,
    },
    /// Candidates that should be compared were judged on different rows.
    #[error(
        "{what} of row {row} differs between candidates; give all of them the same rows in the same order"
    )]
    OtherRows {
        /// What differs.
        what: &'static str,
        /// Position, from 0.
        row: usize,
    },
    /// A number lies outside the range in which the figure is defined.
    #[error("{what} is {value}; expected {expected}")]
    OutOfRange {
        /// The quantity, in the user's words.
        what: &'static str,
        /// The value that was given.
        value: f64,
        /// The range that would have been usable.
        expected: &'static str,
    },
    /// No order of the cases has such an area under its recall curve.
    #[error(
        "no order has an area of {area} under its recall curve at a base rate of {base_rate}; it lies between {lowest} and {highest}"
    )]
    ImpossibleArea {
        /// The area that was given.
        area: f64,
        /// The base rate that was given.
        base_rate: f64,
        /// The area of the worst order.
        lowest: f64,
        /// The area of the best order.
        highest: f64,
    },
    /// There are fewer observations than the figure needs.
    #[error("{found} {what}; at least {needed} needed")]
    TooFew {
        /// What is counted, in the plural.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        needed: usize,
    },
    /// Two inputs that describe the same rows have different lengths.
    #[error("{what} has {found} values; expected {expected}, one per row")]
    LengthMismatch {
        /// The shorter or longer input.
        what: String,
        /// Its length.
        found: usize,
        /// The length of the other.
        expected: usize,
    },
    /// A value is NaN or infinite where a number is needed.
    #[error("{what} {position} is {value}; remove or repair it first")]
    NotFiniteValue {
        /// What the value is.
        what: &'static str,
        /// Its place, counted from 0.
        position: usize,
        /// The value itself.
        value: f64,
    },
    /// The scores of a class are not in ascending order.
    #[error("{what} fall at position {position}; sort them ascending first")]
    NotSorted {
        /// Which scores.
        what: &'static str,
        /// The first position whose score is below its predecessor.
        position: usize,
    },
    /// A table of algorithms by folds lacks a cell.
    #[error(
        "no value for algorithm {algorithm:?} in fold {fold:?}; every algorithm needs one value in every fold"
    )]
    IncompleteTable {
        /// The algorithm's name.
        algorithm: String,
        /// The fold's name.
        fold: String,
    },
    /// A table of algorithms by folds has a cell twice.
    #[error("two values for algorithm {algorithm:?} in fold {fold:?}; keep one")]
    RepeatedCell {
        /// The algorithm's name.
        algorithm: String,
        /// The fold's name.
        fold: String,
    },
    /// A cell of a table of algorithms by folds is NaN or infinite.
    #[error(
        "the value of algorithm {algorithm:?} in fold {fold:?} is {value}; only finite numbers can be compared"
    )]
    NotFiniteCell {
        /// The algorithm's name.
        algorithm: String,
        /// The fold's name.
        fold: String,
        /// The value itself.
        value: f64,
    },
    /// A stratum that has to gain rows has none that could be repeated.
    #[error(
        "stratum {stratum} has no row of incidence, and {needed} are needed of it; merge it with another or leave it out"
    )]
    EmptyStratum {
        /// Its position, from 0.
        stratum: usize,
        /// How many rows it lacks.
        needed: u64,
    },
    /// An interval or a test has no value on this input.
    #[error("{figure} is undefined: {reason}")]
    UndefinedFigure {
        /// The figure.
        figure: &'static str,
        /// Why it has no value, and what would give it one.
        reason: &'static str,
    },
    /// A statistic has no value on this input.
    #[error(transparent)]
    Undefined(#[from] Undefined),
}

impl Error {
    /// What kind of thing failed.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Length { .. } | Self::LengthMismatch { .. } | Self::ClassCount { .. } => {
                ErrorKind::LengthMismatch
            }
            Self::NotFinite { .. } | Self::NotFiniteValue { .. } | Self::NotFiniteCell { .. } => {
                ErrorKind::NotFinite
            }
            Self::NegativeWeight { .. }
            | Self::Extreme { .. }
            | Self::ImpossibleSquares { .. }
            | Self::NotProbability { .. }
            | Self::ProbabilitySum { .. }
            | Self::UnknownClass { .. }
            | Self::ImpossibleArea { .. }
            | Self::OutOfRange { .. } => ErrorKind::OutOfRange,
            Self::NotBinary { .. } => ErrorKind::NotBinary,
            Self::InvalidBytes { .. } => ErrorKind::InvalidBytes,
            Self::TooFew { .. } | Self::EmptyStratum { .. } => ErrorKind::TooFew,
            Self::TooManyRows => ErrorKind::TooMany,
            Self::MixedColumns | Self::OtherRows { .. } => ErrorKind::MixedColumns,
            Self::NotSorted { .. } => ErrorKind::NotSorted,
            Self::IncompleteTable { .. } | Self::RepeatedCell { .. } => ErrorKind::IncompleteTable,
            Self::UnknownMetric(_) | Self::NeedsParameter { .. } | Self::BadParameter { .. } => {
                ErrorKind::UnknownMetric
            }
            Self::UnknownCapacity(_) => ErrorKind::UnknownCapacity,
            Self::DegenerateCosts { .. } => ErrorKind::DegenerateCosts,
            Self::UnknownCutoff(_) => ErrorKind::UnknownCutoff,
            Self::UndefinedFigure { .. } | Self::Undefined(_) => ErrorKind::Undefined,
        }
    }

    /// The offending row, counted from 0, where there is one.
    pub fn row(&self) -> Option<usize> {
        match self {
            Self::NotFinite { row, .. }
            | Self::Extreme { row, .. }
            | Self::ImpossibleSquares { row, .. }
            | Self::NegativeWeight { row, .. }
            | Self::NotProbability { row, .. }
            | Self::ProbabilitySum { row, .. }
            | Self::UnknownClass { row, .. }
            | Self::OtherRows { row, .. }
            | Self::NotBinary { row, .. } => Some(*row),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_say_what_and_what_to_do() {
        let missing = Error::IncompleteTable { algorithm: "TAN".into(), fold: "3".into() };
        assert_eq!(
            missing.to_string(),
            "no value for algorithm \"TAN\" in fold \"3\"; every algorithm needs one value in every fold"
        );
        assert_eq!(missing.kind(), ErrorKind::IncompleteTable);
    }

    #[test]
    fn an_undefined_figure_becomes_an_error_that_says_the_same() {
        let error = Error::from(Undefined::NoPositives);
        assert_eq!(error.to_string(), Undefined::NoPositives.to_string());
        assert_eq!(error.kind(), ErrorKind::Undefined);
    }
}
