//! The formats a table can be written in, told from the name of the file to be.
//!
//! A file that is read is known by its content; one that does not exist yet has nothing but its name.

use std::fmt;
use std::path::Path;

use crate::error::{Error, ErrorKind, quoted};

/// A format that tables are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TableFormat {
    /// Fields set apart by commas (RFC 4180, lines ended by a line feed).
    Csv,
    /// Fields set apart by tabs, otherwise like [`Csv`](Self::Csv).
    Tsv,
    /// Apache Parquet.
    Parquet,
    /// The Arrow IPC file format, which is also Feather version 2.
    ArrowIpc,
    /// One JSON object a line.
    JsonLines,
}

const EXTENSIONS: &[(&str, TableFormat)] = &[
    ("csv", TableFormat::Csv),
    ("tsv", TableFormat::Tsv),
    #[cfg(feature = "parquet")]
    ("parquet", TableFormat::Parquet),
    ("arrow", TableFormat::ArrowIpc),
    ("feather", TableFormat::ArrowIpc),
    ("jsonl", TableFormat::JsonLines),
    ("ndjson", TableFormat::JsonLines),
];

impl TableFormat {
    /// The format that a name ends in, in capitals or not.
    ///
    /// ```
    /// use tribunal_io::TableFormat;
    ///
    /// # fn main() -> Result<(), tribunal_io::Error> {
    /// assert_eq!(TableFormat::from_extension("scored.parquet".as_ref())?, TableFormat::Parquet);
    /// assert!(TableFormat::from_extension("scored.xlsx".as_ref()).is_err());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The name ends in nothing, or in something that is not written; the message lists what is.
    pub fn from_extension(path: &Path) -> Result<TableFormat, Error> {
        let extension = path.extension().map(|extension| extension.to_string_lossy());
        let is_named = |(name, _): &&(&str, TableFormat)| {
            extension.as_ref().is_some_and(|extension| extension.eq_ignore_ascii_case(name))
        };
        let found = EXTENSIONS.iter().find(is_named).map(|&(_, format)| format);
        found.ok_or_else(|| unknown(path, extension.as_deref()))
    }

    /// What sets fields apart, if this is a text of fields.
    pub(crate) fn delimiter(self) -> Option<u8> {
        match self {
            TableFormat::Csv => Some(b','),
            TableFormat::Tsv => Some(b'\t'),
            _ => None,
        }
    }
}

impl fmt::Display for TableFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TableFormat::Csv => "CSV",
            TableFormat::Tsv => "TSV",
            TableFormat::Parquet => "Parquet",
            TableFormat::ArrowIpc => "Arrow IPC",
            TableFormat::JsonLines => "JSON lines",
        })
    }
}

fn unknown(path: &Path, extension: Option<&str>) -> Error {
    let problem = match extension {
        Some(extension) => format!("tables are not written as {}", quoted(&format!(".{extension}"))),
        None => "the name does not say in which format to write".to_string(),
    };
    let endings: Vec<String> = EXTENSIONS.iter().map(|(name, _)| format!(".{name}")).collect();
    Error::new(ErrorKind::UnknownFormat, problem)
        .in_file(&path.to_string_lossy().into())
        .advise(format!("end the name in {}", endings.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, expected: Option<TableFormat>) {
        assert_eq!(TableFormat::from_extension(Path::new(name)).ok(), expected, "{name}");
    }

    #[test]
    fn names_say_the_format() {
        check("a.csv", Some(TableFormat::Csv));
        check("folder.parquet/a.TSV", Some(TableFormat::Tsv));
        check("a.b.parquet", cfg!(feature = "parquet").then_some(TableFormat::Parquet));
        check("a.arrow", Some(TableFormat::ArrowIpc));
        check("a.feather", Some(TableFormat::ArrowIpc));
        check("a.jsonl", Some(TableFormat::JsonLines));
        check("a.ndjson", Some(TableFormat::JsonLines));
        check("a.csv.gz", None);
        check("csv", None);
        check(".csv", None);
    }

    #[cfg(feature = "parquet")]
    #[test]
    fn other_names_are_told_what_there_is() {
        let error = TableFormat::from_extension(Path::new("out.xlsx")).expect_err("not written");
        assert_eq!(error.kind(), ErrorKind::UnknownFormat);
        let message = error.to_string();
        let expected = "out.xlsx: tables are not written as \".xlsx\"; end the name in .csv, .tsv, .parquet, \
                        .arrow, .feather, .jsonl, .ndjson";
        assert_eq!(message, expected);
    }
}
