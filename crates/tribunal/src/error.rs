//! Why an evaluation could not be made.

use thiserror::Error as ThisError;

#[cfg(feature = "learners")]
use crate::bias::BiasError;
use crate::message::{Message, Verb};
#[cfg(feature = "learners")]
use crate::resampling::ResamplingError;

/// What kind of thing went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The request cannot be right: a missing file, an unknown column or metric, no positive class named.
    Usage,
    /// The data cannot be judged as they are.
    Data,
}

/// Why an evaluation could not be made: a message for people and a kind for programs.
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
    /// The request cannot be right.
    #[error("{0}")]
    Usage(Message),
    /// The data cannot be judged.
    #[error("{0}")]
    Data(Message),
    /// The rows cannot be divided as asked.
    #[cfg(feature = "learners")]
    #[error(transparent)]
    Resampling(#[from] ResamplingError),
    /// The biased sample cannot be made.
    #[cfg(feature = "learners")]
    #[error(transparent)]
    Bias(#[from] BiasError),
}

impl Error {
    /// The request cannot be right.
    pub fn usage(message: impl Into<Message>) -> Self {
        Self::Usage(message.into())
    }

    /// The data cannot be judged.
    pub fn data(message: impl Into<Message>) -> Self {
        Self::Data(message.into())
    }

    /// What is to be said, with advice as values.
    pub fn message(&self) -> Message {
        match self {
            Self::Usage(message) | Self::Data(message) => message.clone(),
            #[cfg(feature = "learners")]
            Self::Bias(error) => error.message().clone(),
            _ => self.to_string().into(),
        }
    }

    /// What kind of thing went wrong.
    pub fn kind(&self) -> ErrorKind {
        use tribunal_io::ErrorKind as Io;
        match self {
            Self::Usage(_) => ErrorKind::Usage,
            Self::Data(_) => ErrorKind::Data,
            #[cfg(feature = "learners")]
            Self::Learn(_) | Self::Resampling(_) | Self::Bias(_) => self.kind_in_learning(),
            Self::Io(error) => match error.kind() {
                Io::NoSuchFile
                | Io::Directory
                | Io::NoMatch
                | Io::UnknownColumn
                | Io::DuplicateColumn
                | Io::Overwrite => ErrorKind::Usage,
                _ => ErrorKind::Data,
            },
        }
    }

    /// The kind of what goes wrong before there is anything to judge.
    #[cfg(feature = "learners")]
    fn kind_in_learning(&self) -> ErrorKind {
        use tribunal_learn::ErrorKind as Learn;
        let is_usage = match self {
            Self::Learn(error) => matches!(error.kind(), Learn::BadText | Learn::UnknownColumn),
            Self::Resampling(error) => error.is_usage(),
            Self::Bias(error) => error.is_usage(),
            _ => false,
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
