//! The kinds of the columns of a file, found by reading it once.

use crate::chunk::{Chunk, ChunkColumn};
use crate::copy::Passed;
use crate::error::Error;
use crate::file_table::{FileTable, Job};
use crate::kind::{Kind, NamedKinds};
use crate::pipeline::in_order;
use crate::table::{Holds, Want};
use crate::text::blocks::{Block, BlockIter};
use crate::text::count_lines;

/// Adds the columns of a text file, found block by block.
pub(crate) fn add_kinds_of_text(
    table: &dyn FileTable,
    blocks: BlockIter<'_>,
    kinds_of: impl Fn(&[u8]) -> Result<NamedKinds, Error> + Sync,
    kinds: &mut NamedKinds,
) -> Result<(), Error> {
    let scan = |block: Result<Block, Error>| {
        let bytes = block?.bytes;
        Ok((kinds_of(&bytes)?, count_lines(&bytes)))
    };
    let mut passed = Passed::default();
    in_order(blocks, scan, |found: Result<(NamedKinds, u64), Error>| {
        let (found, n_lines) = passed.located(0, table, found)?;
        passed.add(n_lines);
        kinds.merge(found);
        Ok(())
    })
}

/// Adds the columns of a file of any format, having read those that may hold numbers.
pub(crate) fn add_kinds(table: &dyn FileTable, kinds: &mut NamedKinds) -> Result<(), Error> {
    let may_be_numbers = |holds| matches!(holds, Holds::Numbers | Holds::Nothing);
    for column in table.columns() {
        kinds.add(&column.name, if may_be_numbers(column.holds) { Kind::Nothing } else { Kind::Text });
    }
    let open = table.columns().iter().filter(|column| may_be_numbers(column.holds));
    let wanted: Vec<Want> = open.map(|column| Want::label(&column.name)).collect();
    let slots = table.plan(&wanted)?;
    let scan = |job: Result<Job<'_>, Error>| {
        let mut found = Vec::new();
        job?(&mut |chunk| found.push((kinds_of(&chunk), chunk.span)))?;
        Ok(found)
    };
    let mut passed = Passed::default();
    in_order(table.jobs(&slots), scan, |found: Result<Vec<(Vec<Kind>, u64)>, Error>| {
        for (found, span) in passed.located(0, table, found)? {
            passed.add(span);
            slots.iter().zip(found).for_each(|(slot, kind)| kinds.add(&slot.name, kind));
        }
        Ok(())
    })
}

fn kinds_of(chunk: &Chunk) -> Vec<Kind> {
    let kind = |column: &ChunkColumn| match column {
        ChunkColumn::Label(labels) => {
            labels.dictionary.iter().map(Kind::of_text).fold(Kind::Nothing, Kind::merge)
        }
        _ => Kind::Real,
    };
    chunk.columns.iter().map(kind).collect()
}
