//! How far a copy has come: which rows of the source have been passed, and which lines of a file.

use std::ops::Range;

use crate::copy::{AddedColumn, CopySummary, RowCopy};
use crate::delivery::no_rows;
use crate::error::{Error, ErrorKind, quoted};
use crate::file_table::FileTable;
use crate::table::Progress;

/// How many lines of the current file have been passed, so that an error can name the line.
#[derive(Default)]
pub(crate) struct Passed {
    file: Option<usize>,
    lines: u64,
}

impl Passed {
    /// What was found in a file, or the error with its line counted from the start of the file.
    pub(crate) fn located<T>(
        &mut self,
        file_idx: usize,
        file: &dyn FileTable,
        found: Result<T, Error>,
    ) -> Result<T, Error> {
        if self.file != Some(file_idx) {
            *self = Passed { file: Some(file_idx), lines: file.lines_before() };
        }
        found.map_err(|error| error.shift(self.lines))
    }

    pub(crate) fn add(&mut self, lines: u64) {
        self.lines += lines;
    }
}

/// Counts the rows of a copy.
pub(crate) struct Tally<'a> {
    pub(crate) copying: &'a RowCopy<'a>,
    /// For how many rows the caller has values.
    n_expected: Option<usize>,
    n_rows: usize,
    bytes: u64,
    total_bytes: u64,
    on_progress: &'a dyn Fn(Progress),
}

impl<'a> Tally<'a> {
    pub(crate) fn new(
        copying: &'a RowCopy<'a>,
        total_bytes: u64,
        on_progress: &'a dyn Fn(Progress),
    ) -> Result<Self, Error> {
        copying.added.iter().try_for_each(AddedColumn::check)?;
        let n_expected = agreed_length(copying)?;
        Ok(Tally { copying, n_expected, n_rows: 0, bytes: 0, total_bytes, on_progress })
    }

    /// Passes over this many rows and returns which rows of the source they are.
    pub(crate) fn pass(&mut self, n_rows: usize, bytes: u64) -> Result<Range<usize>, Error> {
        let rows = self.n_rows..self.n_rows + n_rows;
        if let Some(expected) = self.n_expected.filter(|&expected| expected < rows.end) {
            return Err(other_length(expected, "more"));
        }
        (self.n_rows, self.bytes) = (rows.end, self.bytes + bytes);
        let (bytes, total_bytes) = (self.bytes.min(self.total_bytes), self.total_bytes);
        (self.on_progress)(Progress { rows: self.n_rows as u64, bytes, total_bytes });
        Ok(rows)
    }

    #[inline]
    pub(crate) fn keeps(&self, row: usize) -> bool {
        self.copying.keep.is_none_or(|keep| keep[row])
    }

    /// The summary, if there are rows and as many as the caller has values for.
    pub(crate) fn finish<'f>(self, files: impl Iterator<Item = &'f str>) -> Result<CopySummary, Error> {
        if self.n_rows == 0 {
            return Err(no_rows(files));
        }
        if let Some(expected) = self.n_expected.filter(|&expected| expected != self.n_rows) {
            return Err(other_length(expected, &self.n_rows.to_string()));
        }
        let n_kept = |keep: &[bool]| keep.iter().filter(|&&keep| keep).count();
        let kept = self.copying.keep.map_or(self.n_rows, n_kept) as u64;
        Ok(CopySummary { rows: self.n_rows as u64, kept })
    }
}

/// For how many rows there are values, if all that is given agrees.
fn agreed_length(copying: &RowCopy<'_>) -> Result<Option<usize>, Error> {
    let keep = copying.keep.map(|keep| ("the choice of rows".to_string(), keep.len()));
    let added = copying
        .added
        .iter()
        .map(|column| (format!("the added column {}", quoted(column.name)), column.len()));
    let mut lengths = keep.into_iter().chain(added);
    let Some((first, length)) = lengths.next() else { return Ok(None) };
    lengths.find(|(_, other)| *other != length).map_or(Ok(Some(length)), |(what, other)| {
        let problem = format!("{first} has values for {length} rows, {what} for {other}");
        Err(Error::new(ErrorKind::InvalidInput, problem).advise("give one value for each row of the source"))
    })
}

fn other_length(expected: usize, found: &str) -> Error {
    let problem = format!("values are given for {expected} rows, the table has {found}");
    Error::new(ErrorKind::InvalidInput, problem)
        .advise("give one value for each row of the source, kept or not; did the file change in between?")
}
