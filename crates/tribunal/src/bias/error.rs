//! Why a biased sample cannot be made: a kind for programs, a sentence for people.

use thiserror::Error as ThisError;

use crate::message::{Message, Setting};

/// What kind of thing went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BiasErrorKind {
    /// A share that is not between 0 and 1.
    BadFraction,
    /// A slope that is no finite number.
    BadBeta,
    /// No row, or more than can be numbered.
    TooFewRows,
    /// Columns of different lengths.
    BadLength,
    /// The kind looks at a column, and there is none.
    NoColumn,
    /// The kind looks at classes, and there are none.
    NoClasses,
    /// No row has the class.
    UnknownClass,
    /// No row would be kept.
    NothingLeft,
}

/// Why a biased sample cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, ThisError)]
#[error("{message}")]
pub struct BiasError {
    kind: BiasErrorKind,
    message: Message,
}

impl BiasError {
    /// What kind of thing went wrong.
    pub fn kind(&self) -> BiasErrorKind {
        self.kind
    }

    /// What is to be said, with advice as values.
    pub fn message(&self) -> &Message {
        &self.message
    }

    /// Whether the request is at fault and not the data.
    pub(crate) fn is_usage(&self) -> bool {
        !matches!(self.kind, BiasErrorKind::TooFewRows | BiasErrorKind::BadLength)
    }

    fn new(kind: BiasErrorKind, message: impl Into<Message>) -> Self {
        Self { kind, message: message.into() }
    }

    pub(super) fn bad_fraction(fraction: f64) -> Self {
        let words = format!(
            "{fraction} is no share of the rows to leave out; write a number from 0 to 1, such as 0.25"
        );
        Self::new(BiasErrorKind::BadFraction, words)
    }

    pub(super) fn bad_beta(beta: f64) -> Self {
        Self::new(
            BiasErrorKind::BadBeta,
            format!("{beta} is no slope; write a finite number, such as 1 or -2"),
        )
    }

    pub(super) fn no_rows() -> Self {
        Self::new(BiasErrorKind::TooFewRows, "there is no row to leave out or to keep")
    }

    pub(super) fn bad_length(column: &str, length: usize, n_rows: usize) -> Self {
        let words =
            format!("column \"{column}\" has {length} values for {n_rows} rows; give one value a row");
        Self::new(BiasErrorKind::BadLength, words)
    }

    pub(super) fn no_column() -> Self {
        let words =
            Message::from("this kind of bias looks at a column; name it with ").setting(Setting::Column);
        Self::new(BiasErrorKind::NoColumn, words)
    }

    pub(super) fn no_classes() -> Self {
        let words = Message::from("this kind of bias looks at classes; name their column with ");
        let words = words.setting(Setting::Target).text(" and the class with ").setting(Setting::Class);
        Self::new(BiasErrorKind::NoClasses, words)
    }

    pub(super) fn unknown_class(class: &str, column: &str, known: &[String]) -> Self {
        let near = tribunal_io::nearest(class, known.iter().map(String::as_str));
        let hint = near.map_or_else(String::new, |near| format!(" (did you mean \"{near}\"?)"));
        let known: Vec<String> = known.iter().take(6).map(|label| format!("\"{label}\"")).collect();
        let words =
            format!("column \"{column}\" has no class \"{class}\"{hint}; it has {}", known.join(", "));
        Self::new(BiasErrorKind::UnknownClass, words)
    }

    pub(super) fn nothing_left(n_rows: usize) -> Self {
        let words = format!("all {n_rows} rows would be left out; leave out a smaller share");
        Self::new(BiasErrorKind::NothingLeft, words)
    }
}
