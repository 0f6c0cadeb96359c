//! The one error of this crate: what went wrong, where, and what to do next.
//!
//! A message has the shape `scores.csv, line 18, column "score": "0,75" is not a number; write 0.75`.
//! Programs ask for [`Error::kind`]; people read the message.

use std::fmt;
use std::sync::Arc;

use crate::place::Location;

/// What kind of thing went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file does not exist.
    NoSuchFile,
    /// A directory was given where a file is needed.
    Directory,
    /// A glob matches no file, or no input was given at all.
    NoMatch,
    /// A file holds nothing at all.
    EmptyFile,
    /// The table has columns but not one row.
    NoRows,
    /// A column was asked for that the table does not have.
    UnknownColumn,
    /// A column was asked for whose name appears more than once.
    DuplicateColumn,
    /// A column was asked for that holds lists, structs, dates or bytes that cannot be read as asked.
    ColumnType,
    /// A value is not a number.
    NotANumber,
    /// A row has more or fewer fields than the header.
    RaggedRow,
    /// A text file is not UTF-8.
    Encoding,
    /// A quote is never closed.
    UnclosedQuote,
    /// A line is not valid JSON or ARFF.
    Malformed,
    /// A file is truncated or damaged.
    Corrupt,
    /// A file takes more memory than there is.
    TooLarge,
    /// A file is of a format that is not read.
    UnknownFormat,
    /// Files of one source have different columns.
    DifferentColumns,
    /// A file for results is one of the inputs, or another file for results.
    Overwrite,
    /// Rows that come once were read already.
    AlreadyRead,
    /// What was given to be written does not fit together.
    InvalidInput,
    /// The operating system refused to read or write.
    Io,
}

/// What went wrong, where, and what to do next.
pub struct Error(Box<Details>);

struct Details {
    kind: ErrorKind,
    location: Option<Location>,
    column: Option<String>,
    problem: String,
    advice: Option<String>,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, problem: impl Into<String>) -> Self {
        Error(Box::new(Details {
            kind,
            location: None,
            column: None,
            problem: problem.into(),
            advice: None,
            source: None,
        }))
    }

    /// Adds the file, line or row.
    pub(crate) fn at(mut self, location: Location) -> Self {
        self.0.location = Some(location);
        self
    }

    /// Adds the file as a whole.
    pub(crate) fn in_file(self, file: &Arc<str>) -> Self {
        self.at(Location::of_file(file))
    }

    /// Adds the column.
    pub(crate) fn in_column(mut self, column: &str) -> Self {
        self.0.column = Some(column.to_string());
        self
    }

    /// Adds what to do next.
    pub(crate) fn advise(mut self, advice: impl Into<String>) -> Self {
        self.0.advice = Some(advice.into());
        self
    }

    /// Adds the error that caused this one.
    pub(crate) fn because(mut self, source: impl std::error::Error + Send + Sync + 'static) -> Self {
        self.0.source = Some(Box::new(source));
        self
    }

    /// Turns a line or row counted within a chunk into one counted within its file.
    pub(crate) fn shift(mut self, by: u64) -> Self {
        if let Some(location) = &mut self.0.location {
            location.shift(by);
        }
        self
    }

    pub(crate) fn io(problem: impl Into<String>, source: std::io::Error) -> Self {
        let problem = format!("{}: {source}", problem.into());
        Error::new(ErrorKind::Io, problem).because(source)
    }

    /// Adds the file and what to do next, if the system refused to write and nothing is said of a file yet.
    pub(crate) fn in_written_file(self, file: &Arc<str>) -> Self {
        if self.0.kind != ErrorKind::Io || self.0.location.is_some() {
            return self;
        }
        self.in_file(file).advise("check that its directory exists, has room and may be written to")
    }

    /// What kind of thing went wrong.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The file, and the line or row in it, where it went wrong.
    pub fn location(&self) -> Option<&Location> {
        self.0.location.as_ref()
    }

    /// The column in which it went wrong.
    pub fn column(&self) -> Option<&str> {
        self.0.column.as_deref()
    }

    /// What to do next.
    pub fn advice(&self) -> Option<&str> {
        self.0.advice.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Details { location, column, problem, advice, .. } = &*self.0;
        match (location, column) {
            (Some(location), Some(column)) => write!(f, "{location}, column \"{column}\": ")?,
            (Some(location), None) => write!(f, "{location}: ")?,
            (None, Some(column)) => write!(f, "column \"{column}\": ")?,
            (None, None) => {}
        }
        f.write_str(problem)?;
        advice.as_ref().map_or(Ok(()), |advice| write!(f, "; {advice}"))
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {self}", self.0.kind)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_ref().map(|source| source.as_ref() as _)
    }
}

/// Lets an error of this crate out of a closure that writes; [`write_whole`](crate::write_whole) unpacks it again.
impl From<Error> for std::io::Error {
    fn from(error: Error) -> Self {
        std::io::Error::other(error)
    }
}

/// A value cut to a length that fits a message, in double quotes.
pub(crate) fn quoted(value: &str) -> String {
    const LONGEST: usize = 60;
    match value.char_indices().nth(LONGEST) {
        None => format!("{value:?}"),
        Some((end, _)) => format!("{:?}...", &value[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::Unit;

    #[test]
    fn a_message_says_where_what_and_what_next() {
        let file = Arc::from("scores.csv");
        let error = Error::new(ErrorKind::NotANumber, "\"0,75\" is not a number")
            .at(Location::new(&file, Unit::Line, 8))
            .in_column("score")
            .advise("write 0.75")
            .shift(10);
        let message = r#"scores.csv, line 18, column "score": "0,75" is not a number; write 0.75"#;
        assert_eq!(error.to_string(), message);
        assert_eq!(error.kind(), ErrorKind::NotANumber);
    }

    #[test]
    fn long_values_are_cut_between_characters() {
        assert_eq!(quoted("short"), "\"short\"");
        let cut = quoted(&"\u{e9}".repeat(100));
        assert_eq!(cut.chars().filter(|&c| c == '\u{e9}').count(), 60);
        assert!(cut.ends_with("..."));
    }
}
