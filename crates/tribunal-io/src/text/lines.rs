//! Formats with one row a line: blank lines and comments passed over, errors given their line.

use std::sync::Arc;

use crate::chunk::{Chunk, ColumnBuilder};
use crate::condition::Verdicts;
use crate::error::Error;
use crate::file_table::{Slot, SlotCondition};
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
    let builder = |slot: &Slot| ColumnBuilder::of_slot(slot, capacity);
    let mut columns: Vec<_> = slots.iter().map(builder).collect();
    let mut conditions = conditions(slots);
    let mut lines = LineMap::default();
    let (mut rows, mut span) = (0, 0);
    for line in text.lines() {
        let at = |error: Error| error.at(Location::new(file, Unit::Line, span + 1));
        if parse_line(line, &mut columns).map_err(at)? == Line::Row {
            let settled = conditions.iter_mut().try_for_each(|condition| condition.settle(&mut columns));
            settled.map_err(at)?;
            lines.note(rows, span);
            rows += 1;
        }
        span += 1;
    }
    let columns = columns.into_iter().map(ColumnBuilder::finish).collect();
    Ok(Chunk { rows, span, bytes: 0, lines, columns })
}

/// A slot whose numbers count on some rows only.
struct LineCondition {
    slot: usize,
    label: usize,
    verdicts: Verdicts,
}

impl LineCondition {
    /// Keeps or drops the number of the row just read: its label may have come after it.
    fn settle(&mut self, columns: &mut [ColumnBuilder]) -> Result<(), Error> {
        let counts = match &columns[self.label] {
            ColumnBuilder::Label(labels) => labels.last_satisfies(&mut self.verdicts),
            _ => false,
        };
        match &mut columns[self.slot] {
            ColumnBuilder::Conditional(builder) => builder.settle(counts),
            _ => Ok(()),
        }
    }
}

fn conditions(slots: &[Slot]) -> Vec<LineCondition> {
    let condition = |(slot, SlotCondition { label, predicate }): (usize, &SlotCondition)| LineCondition {
        slot,
        label: *label,
        verdicts: Verdicts::new(predicate),
    };
    let conditional =
        slots.iter().enumerate().filter_map(|(idx, slot)| Some((idx, slot.condition.as_ref()?)));
    conditional.map(condition).collect()
}
