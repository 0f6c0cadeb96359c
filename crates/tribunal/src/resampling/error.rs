//! Why rows cannot be divided as asked: a kind for programs, a sentence for people.

use thiserror::Error as ThisError;

/// What kind of thing went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ResamplingErrorKind {
    /// The text names no design, or its numbers make no sense.
    BadDesign,
    /// Fewer than two folds, or more folds than rows.
    BadFoldCount,
    /// Too few replicates for an estimate to settle.
    BadReplicateCount,
    /// A share that is not between 0 and 1.
    BadShare,
    /// Fewer than two rows, or too few for any replicate.
    TooFewRows,
    /// More rows than a 32-bit number counts.
    TooManyRows,
    /// A part would hold no row.
    EmptyPart,
    /// A class has fewer rows than were asked of it.
    NotEnoughRows,
    /// Fewer groups than folds.
    TooFewGroups,
    /// A group stands in two folds.
    DividedGroup,
    /// A column that the design needs is absent.
    NoColumn,
    /// A column does not say what the design needs.
    BadColumn,
    /// Columns of different lengths, or rows outside the table.
    BadLength,
    /// A stored plan contradicts itself.
    BadPlan,
}

/// Why rows cannot be divided as asked.
#[derive(Clone, Debug, PartialEq, Eq, ThisError)]
#[error("{message}")]
pub struct ResamplingError {
    kind: ResamplingErrorKind,
    message: String,
}

impl ResamplingError {
    /// An error with words for people: what, why, what to do.
    pub(crate) fn new(kind: ResamplingErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    /// What kind of thing went wrong.
    pub fn kind(&self) -> ResamplingErrorKind {
        self.kind
    }

    /// Whether the request is at fault and not the data.
    pub(crate) fn is_usage(&self) -> bool {
        use ResamplingErrorKind as Kind;
        matches!(
            self.kind,
            Kind::BadDesign
                | Kind::BadFoldCount
                | Kind::BadReplicateCount
                | Kind::BadShare
                | Kind::EmptyPart
                | Kind::TooFewGroups
                | Kind::NoColumn
        )
    }
}
