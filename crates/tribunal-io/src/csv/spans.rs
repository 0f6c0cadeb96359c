//! Where the rows of a block of CSV begin and end, for those who take them as they stand.
//!
//! What a row is, is the same here as for the parser of [`rows`](super::rows); a property test holds them together.

use crate::csv::CsvTable;
use crate::csv::fields::{Dialect, cut, field_end};
use crate::csv::rows::ragged;
use crate::error::Error;
use crate::place::{Location, Unit};
use crate::text::blocks::{BlockIter, RowSpan, blocks_of};
use crate::text::{count_lines, decode};

impl CsvTable {
    pub(crate) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The line of names without its line end, and the line end.
    pub(crate) fn header(&self) -> (&[u8], &'static [u8]) {
        match self.header.as_slice() {
            [names @ .., b'\r', b'\n'] => (names, b"\r\n"),
            [names @ .., b'\n'] => (names, b"\n"),
            names => (names, b"\n"),
        }
    }

    /// The rows in blocks; a last row that nothing ends is ended as the header is.
    pub(crate) fn blocks(&self) -> BlockIter<'_> {
        blocks_of(&self.input, self.header_bytes, self.header().1, |bytes| cut(bytes, self.dialect))
    }

    /// The rows of a block of whole rows.
    ///
    /// # Errors
    /// What the reader would not take for a row either; lines count from the start of the block.
    pub(crate) fn spans(&self, block: &[u8]) -> Result<Vec<RowSpan>, Error> {
        decode(block, self.input.name())?;
        let n_columns = self.columns.len();
        spans(block, self.dialect, n_columns).map_err(|Ragged { start, n_fields }| {
            let line = count_lines(&block[..start]) + 1;
            ragged(n_columns, n_fields, Location::new(self.input.name(), Unit::Line, line))
        })
    }
}

/// A row with more or fewer fields than the header.
struct Ragged {
    start: usize,
    n_fields: usize,
}

fn spans(block: &[u8], dialect: Dialect, n_columns: usize) -> Result<Vec<RowSpan>, Ragged> {
    let is_plain = dialect.is_plain(block);
    let mut spans = Vec::new();
    let mut start = 0;
    while start < block.len() {
        match block[start..] {
            [b'\n', ..] => start += 1,
            [b'\r', b'\n', ..] => start += 2,
            _ => {
                let (feed, n_fields) =
                    if is_plain { plain_row(block, start, dialect) } else { row(block, start, dialect) };
                if n_fields != n_columns {
                    return Err(Ragged { start, n_fields });
                }
                let end = if block[start..feed].ends_with(b"\r") { feed - 1 } else { feed };
                let next = (feed + 1).min(block.len());
                spans.push(RowSpan { start, end, next });
                start = next;
            }
        }
    }
    Ok(spans)
}

/// The line feed that ends the row at `start`, and how many fields it has, where no quotes are about.
fn plain_row(block: &[u8], start: usize, dialect: Dialect) -> (usize, usize) {
    let feed = memchr::memchr(b'\n', &block[start..]).map_or(block.len(), |found| start + found);
    (feed, 1 + memchr::memchr_iter(dialect.delimiter, &block[start..feed]).count())
}

/// The same where there are.
fn row(block: &[u8], start: usize, dialect: Dialect) -> (usize, usize) {
    let mut n_fields = 1;
    let mut end = field_end(block, start, dialect);
    while block.get(end) == Some(&dialect.delimiter) {
        end = field_end(block, end + 1, dialect);
        n_fields += 1;
    }
    (end, n_fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMA: Dialect = Dialect { delimiter: b',', quote: Some(b'"') };

    fn check(block: &str, expected: &[(&str, &str)]) {
        let found = spans(block.as_bytes(), COMMA, 2).ok().expect("no ragged row");
        let text = |span: &RowSpan| (&block[span.start..span.end], &block[span.end..span.next]);
        assert_eq!(found.iter().map(text).collect::<Vec<_>>(), expected, "{block:?}");
    }

    #[test]
    fn rows_are_found_with_their_line_ends() {
        check("a,b\nc,d\r\n", &[("a,b", "\n"), ("c,d", "\r\n")]);
        check("\n\na,b\n\r\n\nc,d\n\n", &[("a,b", "\n"), ("c,d", "\n")]);
        check(
            "\"a\r\n,\n\",b\nc, \"d\"\"\n\" \r\n",
            &[("\"a\r\n,\n\",b", "\n"), ("c, \"d\"\"\n\" ", "\r\n")],
        );
        check(",\n , \n", &[(",", "\n"), (" , ", "\n")]);
        check("", &[]);
    }

    #[test]
    fn a_ragged_row_is_told_by_where_it_starts() {
        for (block, n_fields) in [("a,b\nc\n", 1), ("a,b\n\"c\",d,e\n", 3)] {
            let Err(found) = spans(block.as_bytes(), COMMA, 2) else { panic!("{block:?} is ragged") };
            assert_eq!((found.start, found.n_fields), (4, n_fields));
        }
    }
}
