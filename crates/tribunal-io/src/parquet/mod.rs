//! Parquet: only the wanted columns, ranges of rows decoded at the same time.

mod checked_pages;
mod flat;
mod hybrid;
mod pages;
mod thrift;

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef};
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, RowGroups, RowSelection, RowSelector,
};
use parquet::arrow::{ProjectionMask, parquet_to_arrow_field_levels};
use parquet::column::page::{PageIterator, PageReader};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};

use self::checked_pages::CheckedPages;
use self::flat::FlatColumns;
use crate::chunk::Chunk;
use crate::columnar::{
    BatchJob, BatchJobs, StoredBatch, StoredTable, check_types, chunk_of, describe, guarded, holds,
    projection, undecoded,
};
use crate::error::Error;
use crate::file_table::{FileTable, Job, Jobs, Slot};
use crate::place::{LineMap, Unit};
use crate::source::Input;
use crate::table::{ColumnInfo, Holds};

/// How many rows a batch has, at most.
const BATCH_ROWS: usize = 128 << 10;

/// How many values a job decodes, about. A row group is worth a job of its own; a larger one is cut,
/// at the price of decoding a dictionary and a page twice at each cut.
const JOB_VALUES: usize = 4 << 20;

/// A Parquet file whose footer has been read.
pub(crate) struct ParquetTable {
    input: Input,
    metadata: ArrowReaderMetadata,
    columns: Vec<ColumnInfo>,
}

impl ParquetTable {
    pub(crate) fn open(input: &Input) -> Result<Self, Error> {
        let stored = Self::open_as_stored(input)?;
        let metadata = keep_dictionaries(stored.metadata).map_err(|error| corrupt(input.name(), error))?;
        Ok(ParquetTable { metadata, ..stored })
    }

    /// The same with the types that the file gives its columns.
    pub(crate) fn open_as_stored(input: &Input) -> Result<Self, Error> {
        let broken = |error| corrupt(input.name(), error);
        check_footer(input.file()?, input.bytes()).map_err(broken)?;
        let metadata =
            ArrowReaderMetadata::load(&input.file()?, ArrowReaderOptions::new()).map_err(broken)?;
        let columns = describe(metadata.schema());
        Ok(ParquetTable { input: input.clone(), metadata, columns })
    }

    /// The row groups, large ones in several pieces.
    fn pieces(&self, n_columns: usize) -> impl Iterator<Item = Piece> {
        let most = (JOB_VALUES / n_columns.max(1)).clamp(BATCH_ROWS / 2, 8 * BATCH_ROWS);
        let groups = self.metadata.metadata().row_groups().iter().enumerate();
        groups.flat_map(move |(group, metadata)| {
            let n_rows = metadata.num_rows().max(0) as usize;
            let size = n_rows.div_ceil(n_rows.div_ceil(most).max(1)).max(1);
            let piece = move |start: usize| Piece { group, rows: start..(start + size).min(n_rows) };
            (0..n_rows).step_by(size).map(piece)
        })
    }

    fn decode(&self, piece: Piece, slots: &[Slot], take: &mut dyn FnMut(Chunk)) -> Result<(), Error> {
        let passed = self.decode_flat(&piece, slots, take)?;
        let start = piece.rows.start + passed;
        if start == piece.rows.end {
            return Ok(());
        }
        let rest = Piece { rows: start..piece.rows.end, ..piece };
        self.decode_arrow(rest, slots, take).map_err(|error| error.shift(passed as u64))
    }

    /// Reads rows as long as they are of the plainest kind, and tells how many those were.
    fn decode_flat(
        &self,
        piece: &Piece,
        slots: &[Slot],
        take: &mut dyn FnMut(Chunk),
    ) -> Result<usize, Error> {
        let (n_rows, file) = (piece.rows.len(), self.input.file()?);
        let mut flat = FlatColumns::open(file, &self.metadata, piece.group, piece.rows.start, slots);
        let mut passed = 0;
        while passed < n_rows {
            let rows = BATCH_ROWS.min(n_rows - passed);
            let Some(columns) = flat.as_mut().and_then(|flat| flat.next(rows)) else { break };
            let (span, bytes) = (rows as u64, self.bytes_of(rows));
            take(Chunk { rows, span, bytes, lines: LineMap::default(), columns });
            passed += rows;
        }
        Ok(passed)
    }

    fn decode_arrow(&self, piece: Piece, slots: &[Slot], take: &mut dyn FnMut(Chunk)) -> Result<(), Error> {
        let name = self.input.name();
        let wanted = ProjectionMask::roots(self.metadata.parquet_schema(), projection(slots));
        let mut passed = 0;
        for batch in self.batches(&piece, wanted)? {
            let batch = batch.map_err(|error| corrupt(name, error))?;
            let chunk = chunk_of(&batch, slots, name);
            let mut chunk = chunk.map_err(|error| error.shift(passed))?;
            chunk.bytes = self.bytes_of(chunk.rows);
            passed += chunk.rows as u64;
            take(chunk);
        }
        self.check_whole(passed as usize, &piece)
    }

    /// Fails if a row group had fewer rows than the footer says.
    fn check_whole(&self, n_rows: usize, piece: &Piece) -> Result<(), Error> {
        if n_rows == piece.rows.len() {
            return Ok(());
        }
        let lacking = piece.rows.len() - n_rows.min(piece.rows.len());
        let problem = format!("a row group lacks {lacking} of the rows that the footer lists");
        Err(corrupt(self.input.name(), ParquetError::General(problem)))
    }

    fn batches(&self, piece: &Piece, columns: ProjectionMask) -> Result<ParquetRecordBatchReader, Error> {
        let broken = |error| corrupt(self.input.name(), error);
        let fields = Some(self.metadata.schema().fields());
        let levels =
            parquet_to_arrow_field_levels(self.metadata.parquet_schema(), columns, fields).map_err(broken)?;
        let group = CheckedGroup {
            file: Arc::new(self.input.file()?),
            metadata: self.metadata.metadata(),
            group: self.metadata.metadata().row_group(piece.group),
        };
        let selection = RowSelection::from(vec![
            RowSelector::skip(piece.rows.start),
            RowSelector::select(piece.rows.len()),
        ]);
        let n_rows = piece.rows.len().min(BATCH_ROWS);
        ParquetRecordBatchReader::try_new_with_row_groups(&levels, &group, n_rows, Some(selection))
            .map_err(broken)
    }

    fn stored_batches(&self, piece: &Piece) -> Result<Vec<StoredBatch>, Error> {
        let stored = |batch: Result<RecordBatch, ArrowError>| {
            let rows = batch.map_err(|error| corrupt(self.input.name(), error))?;
            let bytes = self.bytes_of(rows.num_rows());
            Ok(StoredBatch { rows, bytes })
        };
        let batches: Vec<StoredBatch> =
            self.batches(piece, ProjectionMask::all())?.map(stored).collect::<Result<_, Error>>()?;
        self.check_whole(batches.iter().map(|batch| batch.rows.num_rows()).sum(), piece)?;
        Ok(batches)
    }

    /// What part of the file this many rows take up.
    fn bytes_of(&self, n_rows: usize) -> u64 {
        let total = self.metadata.metadata().file_metadata().num_rows().max(1);
        (self.input.bytes() as f64 * n_rows as f64 / total as f64) as u64
    }
}

/// Fails if the footer claims more than it holds: the decoder would ask for as much memory.
fn check_footer(mut file: File, size: u64) -> Result<(), ParquetError> {
    const TAIL: u64 = 8;
    let mut tail = [0; TAIL as usize];
    // What has no footer at all is told by the decoder.
    let Some(end) = size.checked_sub(TAIL) else { return Ok(()) };
    file.seek(SeekFrom::Start(end))?;
    file.read_exact(&mut tail)?;
    let length = tail.first_chunk().map_or(0, |&length| u64::from(u32::from_le_bytes(length)));
    let Some(start) = end.checked_sub(length).filter(|_| tail.ends_with(b"PAR1")) else { return Ok(()) };
    let mut footer = Vec::new();
    file.seek(SeekFrom::Start(start))?;
    file.take(length).read_to_end(&mut footer)?;
    if thrift::is_whole_footer(&footer) {
        return Ok(());
    }
    Err(ParquetError::General("the footer is not whole".into()))
}

/// One row group, its pages checked.
struct CheckedGroup<'a> {
    file: Arc<File>,
    metadata: &'a ParquetMetaData,
    group: &'a RowGroupMetaData,
}

impl RowGroups for CheckedGroup<'_> {
    fn num_rows(&self) -> usize {
        self.group.num_rows().max(0) as usize
    }

    fn column_chunks(&self, leaf: usize) -> Result<Box<dyn PageIterator>, ParquetError> {
        let pages = CheckedPages::open(&self.file, self.group, leaf)?;
        Ok(Box::new(OneColumn(Some(Box::new(pages)))))
    }

    fn row_groups(&self) -> Box<dyn Iterator<Item = &RowGroupMetaData> + '_> {
        Box::new(std::iter::once(self.group))
    }

    fn metadata(&self) -> &ParquetMetaData {
        self.metadata
    }
}

/// The pages of a column of one row group.
struct OneColumn(Option<Box<dyn PageReader>>);

impl Iterator for OneColumn {
    type Item = Result<Box<dyn PageReader>, ParquetError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.take().map(Ok)
    }
}

impl PageIterator for OneColumn {}

/// Texts that the file itself holds as a dictionary and codes are read that way: a label then costs
/// no more than a whole number.
fn keep_dictionaries(loaded: ArrowReaderMetadata) -> parquet::errors::Result<ArrowReaderMetadata> {
    let keep = |(idx, field): (usize, &Arc<Field>)| {
        let is_text = holds(field.data_type()) == Holds::Texts
            && !matches!(field.data_type(), DataType::Dictionary(..));
        if !is_text || !is_dictionary_coded(&loaded, idx) {
            return field.clone();
        }
        let coded = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
        Arc::new(field.as_ref().clone().with_data_type(coded))
    };
    let fields: Fields = loaded.schema().fields().iter().enumerate().map(keep).collect();
    if &fields == loaded.schema().fields() {
        return Ok(loaded);
    }
    let schema = Schema::new_with_metadata(fields, loaded.schema().metadata().clone());
    let options = ArrowReaderOptions::new().with_schema(Arc::new(schema));
    ArrowReaderMetadata::try_new(loaded.metadata().clone(), options)
}

/// Whether a column takes fewer bytes than plain text would, whose lengths alone take four a value.
fn is_dictionary_coded(loaded: &ArrowReaderMetadata, root: usize) -> bool {
    let schema = loaded.parquet_schema();
    let leaf = (0..schema.num_columns()).find(|&leaf| schema.get_column_root_idx(leaf) == root);
    let is_small = |group: &RowGroupMetaData, leaf: usize| {
        let chunk = group.column(leaf);
        chunk.dictionary_page_offset().is_some() && chunk.uncompressed_size() < 3 * chunk.num_values()
    };
    let groups = loaded.metadata().row_groups();
    leaf.is_some_and(|leaf| groups.iter().all(|group| is_small(group, leaf)))
}

/// Rows of one row group.
#[derive(Clone, Debug, PartialEq)]
struct Piece {
    group: usize,
    rows: Range<usize>,
}

impl FileTable for ParquetTable {
    fn name(&self) -> &Arc<str> {
        self.input.name()
    }

    fn columns(&self) -> &[ColumnInfo] {
        &self.columns
    }

    fn unit(&self) -> Unit {
        Unit::Row
    }

    fn jobs<'a>(&'a self, slots: &'a [Slot]) -> Jobs<'a> {
        if let Err(error) = check_types(self.name(), &self.columns, slots) {
            return Box::new(std::iter::once(Err(error)));
        }
        Box::new(self.pieces(slots.len()).map(move |piece| {
            Ok(Box::new(move |take: &mut dyn FnMut(Chunk)| {
                guarded(self.name(), || self.decode(piece, slots, take))
            }) as Job<'a>)
        }))
    }
}

impl StoredTable for ParquetTable {
    fn schema(&self) -> &SchemaRef {
        self.metadata.schema()
    }

    fn batch_jobs(&self) -> BatchJobs<'_> {
        Box::new(self.pieces(self.columns.len()).map(move |piece| {
            Ok(Box::new(move || guarded(self.name(), || self.stored_batches(&piece))) as BatchJob<'_>)
        }))
    }
}

fn corrupt(file: &Arc<str>, error: impl std::error::Error + Send + Sync + 'static) -> Error {
    undecoded(file, "Parquet", error)
}
