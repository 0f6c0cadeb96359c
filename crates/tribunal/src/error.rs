//! The one error of the crate: what could not be done, as a kind for programs and a sentence for people.

use thiserror::Error as ThisError;

use crate::message::{Message, Verb};

/// What kind of thing went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The request cannot be right: a missing file, an unknown column or metric, no positive class named.
    Usage,
    /// The data cannot be judged as they are.
    Data,
    /// A text names no design, or its numbers make no sense.
    BadDesign,
    /// Fewer than two folds, or more folds than rows.
    BadFoldCount,
    /// Too few replicates for an estimate to settle.
    BadReplicateCount,
    /// A share that is not between 0 and 1.
    BadShare,
    /// A slope that is no finite number.
    BadBeta,
    /// No row, fewer than two, or too few for any replicate.
    TooFewRows,
    /// More rows than a 32-bit number counts.
    TooManyRows,
    /// A part would hold no row.
    EmptyPart,
    /// No row would be kept.
    NothingLeft,
    /// A class has fewer rows than were asked of it.
    NotEnoughRows,
    /// Fewer groups than folds.
    TooFewGroups,
    /// A group stands in two folds.
    DividedGroup,
    /// A column that is needed is absent.
    NoColumn,
    /// A column does not say what the design needs.
    BadColumn,
    /// Classes are needed, and there are none.
    NoClasses,
    /// No row has the class.
    UnknownClass,
    /// Columns of different lengths, or rows outside the table.
    BadLength,
    /// A stored plan contradicts itself.
    BadPlan,
}

impl ErrorKind {
    /// Whether the request is at fault and not the data.
    pub fn is_usage(self) -> bool {
        match self {
            Self::Usage
            | Self::BadDesign
            | Self::BadFoldCount
            | Self::BadReplicateCount
            | Self::BadShare
            | Self::BadBeta
            | Self::EmptyPart
            | Self::NothingLeft
            | Self::TooFewGroups
            | Self::NoColumn
            | Self::NoClasses
            | Self::UnknownClass => true,
            Self::Data
            | Self::TooFewRows
            | Self::TooManyRows
            | Self::NotEnoughRows
            | Self::DividedGroup
            | Self::BadColumn
            | Self::BadLength
            | Self::BadPlan => false,
        }
    }
}

/// Why something could not be done: a message for people and a kind for programs.
#[derive(Debug, ThisError)]
#[non_exhaustive]
pub enum Error {
    /// The table cannot be read.
    #[error(transparent)]
    Io(#[from] tribunal_io::Error),
    /// The table is not a data set.
    #[cfg(feature = "learners")]
    #[error(transparent)]
    Learn(#[from] tribunal_learn::Error),
    /// What learners say of rows cannot be judged.
    #[error(transparent)]
    Eval(#[from] tribunal_eval::Error),
    /// The request or the data cannot be right.
    #[error("{message}")]
    Refused {
        /// What is wrong.
        kind: ErrorKind,
        /// What, why and what to do.
        message: Message,
    },
}

impl Error {
    /// An error with words for people: what, why, what to do.
    pub(crate) fn new(kind: ErrorKind, message: impl Into<Message>) -> Self {
        Self::Refused { kind, message: message.into() }
    }

    /// The request cannot be right.
    pub fn usage(message: impl Into<Message>) -> Self {
        Self::new(ErrorKind::Usage, message)
    }

    /// The data cannot be judged.
    pub fn data(message: impl Into<Message>) -> Self {
        Self::new(ErrorKind::Data, message)
    }

    /// What is to be said, with advice as values.
    pub fn message(&self) -> Message {
        match self {
            Self::Refused { message, .. } => message.clone(),
            _ => self.to_string().into(),
        }
    }

    /// What kind of thing went wrong.
    pub fn kind(&self) -> ErrorKind {
        let is_usage = match self {
            Self::Refused { kind, .. } => return *kind,
            Self::Eval(_) => false,
            #[cfg(feature = "learners")]
            Self::Learn(error) => {
                use tribunal_learn::ErrorKind as Learn;
                matches!(error.kind(), Learn::BadText | Learn::UnknownColumn)
            }
            Self::Io(error) => {
                use tribunal_io::ErrorKind as Io;
                matches!(
                    error.kind(),
                    Io::NoSuchFile
                        | Io::Directory
                        | Io::NoMatch
                        | Io::UnknownColumn
                        | Io::DuplicateColumn
                        | Io::Overwrite
                )
            }
        };
        if is_usage { ErrorKind::Usage } else { ErrorKind::Data }
    }

    /// There is not enough memory for a table of such a size.
    pub(crate) fn table_too_large(size: &str, shortage: &tribunal_memory::Shortage) -> Self {
        Self::data(format!(
            "a table {size} cannot be kept: {shortage}; take fewer columns or a sample of the rows, or allow more memory"
        ))
    }

    /// An unknown metric, with the nearest known one.
    pub fn unknown_metric(error: &tribunal_eval::Error) -> Self {
        let known = tribunal_eval::metrics::METRICS.iter().map(|metric| metric.stem());
        let hint = match error {
            tribunal_eval::Error::UnknownMetric(name) => {
                let stem = name.split('@').next().unwrap_or(name);
                usual_name(stem).or_else(|| tribunal_io::nearest(stem, known))
            }
            _ => None,
        };
        let hint = hint.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        Self::usage(Message::from(format!("{error}{hint} (`")).verb(Verb::Metrics).text("` lists them all)"))
    }
}

/// Errors are equal that are of one kind and say the same.
impl PartialEq for Error {
    fn eq(&self, other: &Self) -> bool {
        self.kind() == other.kind() && self.to_string() == other.to_string()
    }
}

/// The metric that other tools call by this name.
fn usual_name(name: &str) -> Option<&'static str> {
    match name.to_lowercase().as_str() {
        "auc" | "roc" | "roc_auc" | "c_statistic" | "concordance" => Some("auroc"),
        "ap" | "pr_auc" | "auprc" | "auc_pr" => Some("average_precision"),
        "accuracy" | "acc" => Some("pcc"),
        "recall" | "tpr" | "hit_rate" => Some("sensitivity"),
        "tnr" | "selectivity" => Some("specificity"),
        "ppv" => Some("precision"),
        "logloss" | "cross_entropy" | "nll" => Some("log_loss"),
        "brier_score" => Some("brier"),
        _ => None,
    }
}
