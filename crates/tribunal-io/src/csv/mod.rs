//! CSV and its relatives: any delimiter, quoted fields, gzip.

pub(crate) mod dialect;
pub(crate) mod fields;
mod grid;
mod kinds;
mod rows;
mod spans;

use std::borrow::Cow;
use std::sync::Arc;

use crate::error::Error;
use crate::file_table::{FileTable, Jobs, Slot};
use crate::place::Unit;
use crate::source::Input;
use crate::table::{ColumnInfo, Holds, ReadOptions};
use crate::text::blocks::jobs_of;
use crate::text::number::{self, Parsed};
use crate::text::{BYTE_ORDER_MARK, count_lines, decode, extend, whole_lines};
use fields::{Dialect, split_row};
use rows::RowPlan;

/// A CSV file whose header has been read.
pub(crate) struct CsvTable {
    input: Input,
    dialect: Dialect,
    columns: Vec<ColumnInfo>,
    /// The line of names as it stands, with the byte order mark and the line end there are.
    header: Vec<u8>,
    header_bytes: u64,
    header_lines: u64,
}

impl CsvTable {
    pub(crate) fn open(input: &Input, sample: &[u8], options: &ReadOptions) -> Result<Self, Error> {
        let sample = extend(input, sample, |bytes| memchr::memchr(b'\n', bytes).is_some())?;
        let mark = if sample.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        let text = decode(whole_lines(&sample[mark..]), input.name())?;
        let dialect = dialect::sniff(text, options);
        let start = dialect::blank_lines(text);
        let (names, end) = split_row(text, start, dialect);
        let columns = describe(told_apart(&names).into_iter(), dialect::rows(&text[end..], dialect));
        Ok(CsvTable {
            input: input.clone(),
            dialect,
            columns,
            header: [&sample[..mark], &text.as_bytes()[start..end]].concat(),
            header_bytes: (mark + end) as u64,
            header_lines: count_lines(&text.as_bytes()[..end]),
        })
    }
}

impl FileTable for CsvTable {
    fn name(&self) -> &Arc<str> {
        self.input.name()
    }

    fn columns(&self) -> &[ColumnInfo] {
        &self.columns
    }

    fn unit(&self) -> Unit {
        Unit::Line
    }

    fn lines_before(&self) -> u64 {
        self.header_lines
    }

    fn jobs<'a>(&'a self, slots: &'a [Slot]) -> Jobs<'a> {
        let dialect = self.dialect;
        let plan = Arc::new(RowPlan::new(self.name(), dialect, self.columns.len(), slots));
        jobs_of(
            &self.input,
            self.header_bytes,
            move |bytes| fields::cut(bytes, dialect),
            move |block| plan.parse(block),
        )
    }
}

/// The names of columns. Several without a name, as spreadsheets leave them behind the last column, are called by their place.
fn told_apart(names: &[Cow<'_, str>]) -> Vec<String> {
    let n_unnamed = names.iter().filter(|name| name.trim().is_empty()).count();
    let name = |(idx, name): (usize, &Cow<'_, str>)| match name.trim().is_empty() {
        true if n_unnamed > 1 => format!("column {}", idx + 1),
        _ => name.to_string(),
    };
    names.iter().enumerate().map(name).collect()
}

/// Names and what the first rows say the columns hold.
fn describe<'a>(
    names: impl Iterator<Item = String>,
    rows: impl Iterator<Item = Vec<Cow<'a, str>>>,
) -> Vec<ColumnInfo> {
    let mut columns: Vec<_> = names.map(|name| ColumnInfo { name, holds: Holds::Nothing }).collect();
    for row in rows {
        for (column, field) in columns.iter_mut().zip(row) {
            column.holds = match (column.holds, number::parse(&field)) {
                (holds, Parsed::Missing) => holds,
                (Holds::Nothing | Holds::Numbers, Parsed::Value(_)) => Holds::Numbers,
                _ => Holds::Texts,
            };
        }
    }
    columns
}
