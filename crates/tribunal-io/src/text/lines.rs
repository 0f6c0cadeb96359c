//! Formats with one row a line: blank lines and comments passed over, errors given their line.

use std::sync::Arc;

use crate::chunk::{Chunk, ColumnBuilder};
use crate::error::Error;
use crate::file_table::Slot;
use crate::place::{LineMap, Location, Unit};
use crate::text::{count_lines, decode};

/// Whether a line is a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Line {
    Row,
    Nothing,
}

/// Parses a block of lines, each by `parse_line`, which adds one value to each column if the line is a row.
pub(crate) fn parse_lines(
    block: &[u8],
    slots: &[Slot],
    file: &Arc<str>,
    mut parse_line: impl FnMut(&str, &mut [ColumnBuilder]) -> Result<Line, Error>,
) -> Result<Chunk, Error> {
    let text = decode(block, file)?;
    let capacity = count_lines(block) as usize;
    let builder = |slot: &Slot| ColumnBuilder::with_capacity(slot.kind, capacity);
    let mut columns: Vec<_> = slots.iter().map(builder).collect();
    let mut lines = LineMap::default();
    let (mut rows, mut span) = (0, 0);
    for line in text.lines() {
        let at = |error: Error| error.at(Location::new(file, Unit::Line, span + 1));
        if parse_line(line, &mut columns).map_err(at)? == Line::Row {
            lines.note(rows, span);
            rows += 1;
        }
        span += 1;
    }
    let columns = columns.into_iter().map(ColumnBuilder::finish).collect();
    Ok(Chunk { rows, span, bytes: 0, lines, columns })
}
