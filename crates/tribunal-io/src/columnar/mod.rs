//! Arrow arrays turned into the columns of a chunk.

mod labels;
mod numbers;
pub(crate) mod times;

use std::sync::Arc;

use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, Schema, SchemaRef};
use tribunal_memory::Shortage;

use crate::caught::caught;
use crate::chunk::{Chunk, ChunkColumn};
use crate::error::{Error, ErrorKind, quoted};
use crate::file_table::{FileTable, Slot, SlotCondition};
use crate::place::{LineMap, Location, Unit};
use crate::table::{ColumnInfo, Holds, WantKind};

/// A columnar file read as it stands: every column, each of its own type.
pub(crate) trait StoredTable: FileTable {
    fn schema(&self) -> &SchemaRef;

    /// The jobs that read the record batches, in order.
    fn batch_jobs(&self) -> BatchJobs<'_>;
}

/// A record batch, and how many bytes of the file it takes up, as far as that is known.
pub(crate) struct StoredBatch {
    pub(crate) rows: RecordBatch,
    pub(crate) bytes: u64,
}

impl StoredBatch {
    pub(crate) fn of(rows: RecordBatch) -> Self {
        let bytes = rows.get_array_memory_size() as u64;
        StoredBatch { rows, bytes }
    }
}

/// A piece of work that reads consecutive record batches.
pub(crate) type BatchJob<'a> = Box<dyn FnOnce() -> Result<Vec<StoredBatch>, Error> + Send + 'a>;

/// The jobs of a file in order.
pub(crate) type BatchJobs<'a> = Box<dyn Iterator<Item = Result<BatchJob<'a>, Error>> + 'a>;

/// Runs a decoder of Parquet or Arrow. They trust some bytes of a file and panic if these are wrong; to a user that
/// is a damaged file like any other.
pub(crate) fn guarded<T>(file: &Arc<str>, decode: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    caught(decode).unwrap_or_else(|| {
        Err(Error::new(ErrorKind::Corrupt, "the file is damaged, and its decoder gave up")
            .in_file(file)
            .advise("fetch or write the file again"))
    })
}

/// The error of a decoder that gave up: the file is damaged, or takes more memory than there is.
pub(crate) fn undecoded(
    file: &Arc<str>,
    format: &str,
    error: impl std::error::Error + Send + Sync + 'static,
) -> Error {
    match error.source().and_then(|cause| cause.downcast_ref::<Shortage>()) {
        Some(shortage) => Error::new(
            ErrorKind::TooLarge,
            format!("a piece of the {format} file cannot be held: {shortage}"),
        )
        .in_file(file)
        .advise("write the file in smaller pieces: record batches, row groups or pages of fewer rows"),
        None => {
            Error::new(ErrorKind::Corrupt, format!("the {format} file is truncated or damaged ({error})"))
                .in_file(file)
                .advise("fetch or write the file again")
                .because(error)
        }
    }
}

/// The columns of a schema.
pub(crate) fn describe(schema: &Schema) -> Vec<ColumnInfo> {
    let describe = |field: &Arc<arrow_schema::Field>| ColumnInfo {
        name: field.name().clone(),
        holds: holds(field.data_type()),
    };
    schema.fields().iter().map(describe).collect()
}

/// What a column of this type holds.
pub(crate) fn holds(data_type: &DataType) -> Holds {
    match data_type {
        DataType::Null => Holds::Nothing,
        DataType::Boolean => Holds::Booleans,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Holds::Texts,
        DataType::Dictionary(_, values) => holds(values),
        DataType::RunEndEncoded(_, values) => holds(values.data_type()),
        data_type if data_type.is_numeric() => Holds::Numbers,
        data_type if data_type.is_temporal() => Holds::Dates,
        _ => Holds::Nested,
    }
}

/// The columns of the file that the slots need, each once, in the order of the file.
pub(crate) fn projection(slots: &[Slot]) -> Vec<usize> {
    let mut columns: Vec<usize> = slots.iter().filter_map(|slot| slot.column).collect();
    columns.sort_unstable();
    columns.dedup();
    columns
}

/// Fails if a slot asks for something that the type of its column cannot give.
pub(crate) fn check_types(file: &Arc<str>, columns: &[ColumnInfo], slots: &[Slot]) -> Result<(), Error> {
    for slot in slots {
        let holds = slot.column.map(|column| columns[column].holds);
        let (problem, advice) = match (holds, slot.kind) {
            (Some(Holds::Nested), _) => {
                ("the column holds lists, structs or bytes", "give a column of numbers or texts")
            }
            (Some(Holds::Dates), WantKind::Number | WantKind::Cell) => (
                "the column holds dates or times, not numbers",
                "give another column, or write it as a number",
            ),
            _ => continue,
        };
        return Err(Error::new(ErrorKind::ColumnType, problem)
            .in_file(file)
            .in_column(&slot.name)
            .advise(advice));
    }
    Ok(())
}

/// A record batch of the columns of [`projection`], as a chunk.
pub(crate) fn chunk_of(batch: &RecordBatch, slots: &[Slot], file: &Arc<str>) -> Result<Chunk, Error> {
    let projection = projection(slots);
    let array = |slot: &Slot| {
        let idx = slot.column.and_then(|column| projection.binary_search(&column).ok()).unwrap_or_default();
        batch.column(idx)
    };
    let mut columns: Vec<Option<ChunkColumn>> = slots.iter().map(|_| None).collect();
    // Labels that decide on rows have no condition themselves, so they are there when they are needed.
    for is_conditional in [false, true] {
        for (idx, slot) in slots.iter().enumerate() {
            if slot.condition.is_some() == is_conditional {
                let rows = counting_rows(slot, &columns);
                let column = convert(array(slot), slot.kind, rows.as_deref());
                columns[idx] = Some(column.map_err(|fault| fault.error(slot, file))?);
            }
        }
    }
    let columns = columns.into_iter().flatten().collect();
    let rows = batch.num_rows();
    Ok(Chunk { rows, span: rows as u64, bytes: 0, lines: LineMap::default(), columns })
}

/// How many rows a chunk has, at most.
const ROWS: usize = 256 << 10;

/// A record batch of the columns of [`projection`], in several chunks if it is large. Rows of a fault count from the start of
/// the batch.
pub(crate) fn chunks_of(batch: &RecordBatch, slots: &[Slot], file: &Arc<str>) -> Result<Vec<Chunk>, Error> {
    let starts = (0..batch.num_rows()).step_by(ROWS);
    let chunk = |start: usize| {
        let slice = batch.slice(start, ROWS.min(batch.num_rows() - start));
        let mut chunk = chunk_of(&slice, slots, file).map_err(|error| error.shift(start as u64))?;
        chunk.bytes = if start == 0 { batch.get_array_memory_size() as u64 } else { 0 };
        Ok(chunk)
    };
    starts.map(chunk).collect()
}

/// Whether the number of each row counts; `None` if there is no condition.
pub(crate) fn counting_rows(slot: &Slot, columns: &[Option<ChunkColumn>]) -> Option<Vec<bool>> {
    let SlotCondition { label, predicate } = slot.condition.as_ref()?;
    match columns.get(*label) {
        Some(Some(ChunkColumn::Label(labels))) => Some(predicate.rows(labels)),
        _ => None,
    }
}

fn convert(array: &dyn Array, kind: WantKind, rows: Option<&[bool]>) -> Result<ChunkColumn, Fault> {
    match (kind, rows) {
        (WantKind::Cell, _) => numbers::cells(array).map(ChunkColumn::Number),
        (WantKind::Number, None) => numbers::numbers(array).map(ChunkColumn::Number),
        (WantKind::Number, Some(rows)) => numbers::numbers_on(array, rows).map(ChunkColumn::Number),
        (WantKind::Label, _) => labels::labels(array).map(ChunkColumn::Label),
    }
}

/// Why an array cannot be read as asked.
#[derive(Debug)]
pub(crate) enum Fault {
    /// A text that is not a number, and its row.
    NotANumber(usize, Error),
    /// The type itself.
    Type(DataType),
}

impl Fault {
    fn error(self, slot: &Slot, file: &Arc<str>) -> Error {
        match self {
            Fault::NotANumber(row, error) => {
                error.at(Location::new(file, Unit::Row, row as u64 + 1)).in_column(&slot.name)
            }
            Fault::Type(data_type) => {
                let problem = format!("the type {} cannot be read", quoted(&data_type.to_string()));
                Error::new(ErrorKind::ColumnType, problem)
                    .in_file(file)
                    .in_column(&slot.name)
                    .advise("write the column as numbers or texts")
            }
        }
    }
}
