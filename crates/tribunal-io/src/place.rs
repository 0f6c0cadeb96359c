//! Where a row stands: the file it came from and its line there, or its row number in a columnar file.
//!
//! A text file is opened in an editor, so its rows are known by line; a Parquet file is queried, so its
//! rows are known by number. Both count from one. Blank lines and quoted line breaks move the lines away
//! from the rows; [`LineMap`] remembers only the rows where that happens, so an ordinary file costs nothing.

use std::fmt;
use std::sync::Arc;

/// What a [`Location`] counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Lines of a text file, the header included.
    Line,
    /// Rows of a columnar file.
    Row,
}

/// One row of one file, printed as `scores.csv, line 18` or `scores.parquet, row 17`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    file: Arc<str>,
    unit: Unit,
    number: Option<u64>,
}

impl Location {
    pub(crate) fn of_file(file: &Arc<str>) -> Self {
        Location { file: file.clone(), unit: Unit::Line, number: None }
    }

    pub(crate) fn new(file: &Arc<str>, unit: Unit, number: u64) -> Self {
        Location { file: file.clone(), unit, number: Some(number) }
    }

    /// The file, as the user named it.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// What [`number`](Self::number) counts.
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// The line or row, from one; `None` when the whole file is meant.
    pub fn number(&self) -> Option<u64> {
        self.number
    }

    /// The same place, counted from the start of the file rather than from that of a chunk.
    pub(crate) fn shift(&mut self, by: u64) {
        self.number = self.number.map(|number| number + by);
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        match (self.number, self.unit) {
            (None, _) => Ok(()),
            (Some(number), Unit::Line) => write!(f, ", line {number}"),
            (Some(number), Unit::Row) => write!(f, ", row {number}"),
        }
    }
}

/// Where the rows of one [`Batch`](crate::Batch) stand.
#[derive(Clone, Debug)]
pub struct Place {
    pub(crate) file: Arc<str>,
    pub(crate) unit: Unit,
    /// The line or row, from one, of the batch's first line or row.
    pub(crate) first: u64,
    pub(crate) lines: LineMap,
}

impl Place {
    /// The file, as the user named it.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Where the row at `offset` of the batch (from zero) stands.
    pub fn locate(&self, offset: usize) -> Location {
        Location::new(&self.file, self.unit, self.first + self.lines.line_of(offset))
    }
}

/// Which line of a chunk each of its rows begins on, counted from zero.
#[derive(Clone, Debug, Default)]
pub(crate) struct LineMap {
    /// From this row on, lines run this far ahead of rows. Rows increase.
    leads: Vec<(u64, u64)>,
}

impl LineMap {
    /// Notes that `row` begins on `line`; called for the rows of a chunk in order.
    #[inline]
    pub(crate) fn note(&mut self, row: usize, line: u64) {
        let lead = line - row as u64;
        if lead != self.leads.last().map_or(0, |last| last.1) {
            self.leads.push((row as u64, lead));
        }
    }

    pub(crate) fn line_of(&self, row: usize) -> u64 {
        let row = row as u64;
        let after = self.leads.partition_point(|&(from, _)| from <= row);
        row + after.checked_sub(1).map_or(0, |last| self.leads[last].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lines: &[u64]) {
        let mut map = LineMap::default();
        lines.iter().enumerate().for_each(|(row, &line)| map.note(row, line));
        let found: Vec<u64> = (0..lines.len()).map(|row| map.line_of(row)).collect();
        assert_eq!(found, lines);
    }

    #[test]
    fn lines_follow_rows_blank_lines_and_quoted_breaks() {
        check(&[]);
        check(&[0, 1, 2, 3]);
        check(&[2, 3, 4]);
        check(&[0, 1, 5, 6, 7, 9, 10]);
    }

    #[test]
    fn ordinary_chunks_store_nothing() {
        let mut map = LineMap::default();
        (0..1000).for_each(|row| map.note(row, row as u64));
        assert!(map.leads.is_empty());
    }

    #[test]
    fn a_location_reads_like_a_sentence() {
        let file = Arc::from("scores.csv");
        let place = Place { file, unit: Unit::Line, first: 2, lines: LineMap::default() };
        assert_eq!(place.locate(16).to_string(), "scores.csv, line 18");
        assert_eq!(Location::new(&place.file, Unit::Row, 17).to_string(), "scores.csv, row 17");
        assert_eq!(Location::of_file(&place.file).to_string(), "scores.csv");
    }
}
