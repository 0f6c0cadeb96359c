//! Tables in, whole files out.
//!
//! Scores come from anywhere: a CSV from a spreadsheet, Parquet from a warehouse, Feather from a notebook, ARFF from
//! WEKA, JSON lines from a service. This crate opens one or several such files as *one* table, and streams the
//! columns that are wanted, in batches, in file order. It computes no statistic and knows no metric.
//!
//! The main type is [`TableReader`]. A [`Source`] says which files; a [`Want`] says which column, and whether as
//! numbers or as labels; a [`Batch`] brings them, and knows on which line of which file each of its rows stands:
//!
//! ```
//! use tribunal_io::{Error, ReadOptions, Source, TableReader, Want};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("scores.csv").to_string_lossy().into_owned();
//! # std::fs::write(&path, "claim,score,label\nC-1,0.91,fraud\nC-2,0.12,legit\n")?;
//! let source = Source::open(&[path])?;
//! let table = TableReader::open(&source, &ReadOptions::default())?;
//! let wanted = [Want::number("score"), Want::label("label")];
//!
//! let mut total = 0.0;
//! let summary = table.read::<Error>(&wanted, &|_progress| (), &mut |batch| {
//!     total += batch.numbers(0).map_or(0.0, |scores| scores.values.iter().sum());
//!     assert!(batch.place.locate(1).to_string().ends_with("scores.csv, line 3"));
//!     Ok(())
//! })?;
//!
//! assert_eq!((summary.rows, total), (2, 1.03));
//! assert_eq!(summary.dictionaries[1].text(0), Some("fraud"));
//! # Ok(())
//! # }
//! ```
//!
//! The way back is [`TableWriter`], which writes record batches in the format that the name of a file asks for
//! ([`TableFormat`]), and [`copy_table`], which copies rows of a table with columns added and leaves everything else as
//! it was. Both belong inside [`write_whole`].
//!
//! # What holds
//!
//! - The format is told from the content of a file, not from its name.
//! - The same table reads the same in every format: the class `1` is the label `1` from a text, an integer, a float.
//! - Codes of labels, batches and errors do not depend on the number of threads. The error that is reported is the
//!   first in file order.
//! - Memory is bounded by the number of threads, not by the size of the files. The exception is a columnar file
//!   written as one record batch.
//! - What is written does not depend on the number of threads either.
//! - A file written with [`write_whole`] appears complete or does not appear.
//!
//! # Features
//!
//! `parquet`, on by default, reads and writes Parquet. Without it such a file is told apart and refused
//! ([`ErrorKind::UnknownFormat`]).
//!
//! # What was rejected
//!
//! - *A data frame.* It would hold the whole file, and a judge needs to see each row once.
//! - *Mapping files into memory.* It needs `unsafe`, and a file that shrinks while it is read would end the program.
//! - *Guessing that a CSV file has no header.* A wrong guess is a wrong number; the error asks instead.
//! - *Reading CSV through Arrow.* A number can be parsed where it stands and a field that is not wanted need not be
//!   built.

/// Its example is compiled with the others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod arff;
mod batch;
mod caught;
mod chunk;
mod columnar;
mod condition;
mod copy;
mod csv;
mod delivery;
mod dictionary;
mod draft;
mod error;
mod file_identity;
mod file_table;
mod files;
mod format;
mod ipc;
mod json_lines;
mod kind;
mod nearest;
#[cfg(feature = "parquet")]
mod parquet;
mod pipeline;
mod place;
mod printable;
mod record_batches;
mod source;
mod table;
mod text;
mod unnamed_file;
mod write;
mod write_whole;

pub use arrow_array;
pub use batch::{Batch, Column, Labels, Numbers, Stray};
pub use caught::hush_caught_panics;
pub use copy::{AddedColumn, AddedValues, CopySummary, RowCopy, copy_table};
pub use dictionary::Dictionary;
pub use draft::{CodedNumbers, Draft, DraftLabels, Visit};
pub use error::{Error, ErrorKind};
pub use files::{Files, STANDARD_OUTPUT};
pub use nearest::nearest;
pub use place::{Location, Place, Unit};
pub use printable::{is_hidden, printable, printable_lines, printable_message};
pub use source::{RepeatedFile, Source};
pub use table::{ColumnInfo, Holds, Progress, Quote, ReadOptions, Summary, TableReader, Want, WantKind};
pub use text::number::{Notation, PlainNumber, plain_number};
pub use write::{Compression, TableFormat, TableWriter};
pub use write_whole::write_whole;
