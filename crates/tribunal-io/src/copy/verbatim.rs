//! Rows of a text file copied byte for byte, with fields or members added at their end.
//!
//! Blocks are read on the calling thread, rows are found in them on all cores, and what is kept is put together in
//! order: only then is it known which row of the table a row of a block is.

use std::io::Write;

use crate::copy::added::AddedText;
use crate::copy::{Passed, Tally};
use crate::csv::CsvTable;
use crate::error::Error;
use crate::file_table::FileTable;
use crate::json_lines::JsonTable;
use crate::pipeline::in_order;
use crate::text::blocks::{Block, BlockIter, RowSpan};
use crate::text::count_lines;
use crate::write::unwritten;

/// A text file whose rows can be taken as they stand.
pub(crate) trait Verbatim: Sync {
    fn table(&self) -> &dyn FileTable;

    fn blocks(&self) -> BlockIter<'_>;

    fn spans(&self, block: &[u8]) -> Result<Vec<RowSpan>, Error>;
}

impl Verbatim for &CsvTable {
    fn table(&self) -> &dyn FileTable {
        *self
    }

    fn blocks(&self) -> BlockIter<'_> {
        CsvTable::blocks(self)
    }

    fn spans(&self, block: &[u8]) -> Result<Vec<RowSpan>, Error> {
        CsvTable::spans(self, block)
    }
}

/// JSON lines to which these keys are added.
pub(crate) struct JsonRows<'a> {
    pub(crate) table: &'a JsonTable,
    pub(crate) added: &'a [&'a str],
}

impl Verbatim for JsonRows<'_> {
    fn table(&self) -> &dyn FileTable {
        self.table
    }

    fn blocks(&self) -> BlockIter<'_> {
        self.table.blocks()
    }

    fn spans(&self, block: &[u8]) -> Result<Vec<RowSpan>, Error> {
        self.table.spans(block, self.added)
    }
}

/// A block in which the rows have been found.
struct Found {
    block: Block,
    spans: Vec<RowSpan>,
    n_lines: u64,
}

/// Copies the rows of the files that are kept.
pub(crate) fn copy_rows<V: Verbatim>(
    files: &[V],
    added: &AddedText<'_>,
    tally: &mut Tally<'_>,
    out: &mut (dyn Write + Send),
) -> Result<(), Error> {
    let jobs = files.iter().enumerate().flat_map(|(idx, file)| file.blocks().map(move |block| (idx, block)));
    let find = |(idx, block): (usize, Result<Block, Error>)| {
        let found = block.and_then(|block| {
            let spans = files[idx].spans(&block.bytes)?;
            Ok(Found { spans, n_lines: count_lines(&block.bytes), block })
        });
        (idx, found)
    };
    let mut passed = Passed::default();
    let mut buffer = Vec::new();
    in_order(jobs, find, |(idx, found): (usize, Result<Found, Error>)| {
        let Found { block, spans, n_lines } = passed.located(idx, files[idx].table(), found)?;
        passed.add(n_lines);
        buffer.clear();
        for (row, span) in tally.pass(spans.len(), block.consumed)?.zip(&spans) {
            if tally.keeps(row) {
                push_row(&block.bytes, *span, row, added, &mut buffer);
            }
        }
        out.write_all(&buffer).map_err(unwritten)
    })
}

#[inline]
fn push_row(block: &[u8], span: RowSpan, row: usize, added: &AddedText<'_>, out: &mut Vec<u8>) {
    let start = &block[span.start..span.end];
    out.extend_from_slice(start);
    // Only an object without members ends in its opening brace.
    let is_empty = block.get(span.end) == Some(&b'}') && start.trim_ascii_end().ends_with(b"{");
    added.push(row, is_empty, out);
    out.extend_from_slice(&block[span.end..span.next]);
}
