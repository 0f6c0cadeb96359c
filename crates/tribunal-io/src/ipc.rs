//! Arrow IPC: the file format (Feather version 2) and the stream format, compressed or not.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_ipc::reader::{FileReader, StreamReader, read_footer_length};
use arrow_ipc::root_as_footer;
use arrow_schema::{ArrowError, SchemaRef};

use crate::chunk::Chunk;
use crate::columnar::{
    BatchJob, BatchJobs, StoredBatch, StoredTable, check_types, chunk_of, describe, guarded, projection,
};
use crate::error::{Error, ErrorKind};
use crate::file_table::{FileTable, Job, Jobs, Slot};
use crate::place::Unit;
use crate::source::Input;
use crate::table::ColumnInfo;

/// How many rows a chunk has, at most.
const ROWS: usize = 256 << 10;

/// About how many bytes of a file a job reads; many files hold many small record batches.
const JOB_BYTES: u64 = 8 << 20;

/// An Arrow file or stream whose schema has been read.
pub(crate) struct ArrowTable {
    input: Input,
    schema: SchemaRef,
    columns: Vec<ColumnInfo>,
    layout: Layout,
}

enum Layout {
    /// Record batches that can be read in any order.
    File { n_batches: usize },
    /// Record batches that must be read one after the other.
    Stream,
}

impl ArrowTable {
    pub(crate) fn open_file(input: &Input) -> Result<Self, Error> {
        check_blocks(input.file()?, input.bytes()).map_err(|error| corrupt(input.name(), error))?;
        let opened = FileReader::try_new_buffered(input.file()?, None);
        let reader = opened.map_err(|error| corrupt(input.name(), error))?;
        let layout = Layout::File { n_batches: reader.num_batches() };
        Ok(Self::new(input, reader.schema(), layout))
    }

    pub(crate) fn open_stream(input: &Input) -> Result<Self, Error> {
        let opened = StreamReader::try_new_buffered(input.file()?, None);
        let reader = opened.map_err(|error| corrupt(input.name(), error))?;
        Ok(Self::new(input, reader.schema(), Layout::Stream))
    }

    fn new(input: &Input, schema: SchemaRef, layout: Layout) -> Self {
        ArrowTable { input: input.clone(), columns: describe(&schema), schema, layout }
    }

    /// Ranges of record batches, each of about [`JOB_BYTES`].
    fn ranges(&self, n_batches: usize) -> impl Iterator<Item = Range<usize>> + use<> {
        let n_jobs = self.input.bytes().div_ceil(JOB_BYTES).max(1) as usize;
        let size = n_batches.div_ceil(n_jobs).max(1);
        (0..n_batches).step_by(size).map(move |start| start..(start + size).min(n_batches))
    }

    /// The record batches of a range, with all columns or some.
    fn batches(
        &self,
        range: Range<usize>,
        columns: Option<Vec<usize>>,
    ) -> Result<impl Iterator<Item = Result<RecordBatch, Error>>, Error> {
        let broken = |error| corrupt(self.input.name(), error);
        let mut reader = FileReader::try_new(BufReader::new(self.input.file()?), columns).map_err(broken)?;
        reader.set_index(range.start).map_err(broken)?;
        Ok(reader.take(range.len()).map(move |batch| batch.map_err(broken)))
    }

    fn decode(&self, range: Range<usize>, slots: &[Slot], take: &mut dyn FnMut(Chunk)) -> Result<(), Error> {
        let mut passed = 0;
        for batch in self.batches(range, Some(projection(slots)))? {
            let batch = batch?;
            let found = chunks_of(&batch, slots, self.input.name());
            found.map_err(|error| error.shift(passed))?.into_iter().for_each(&mut *take);
            passed += batch.num_rows() as u64;
        }
        Ok(())
    }

    /// The record batches of a stream one after the other, up to the first that is broken.
    fn stream<'a>(
        &'a self,
        columns: Option<Vec<usize>>,
    ) -> Result<impl Iterator<Item = Result<RecordBatch, Error>> + 'a, Error> {
        let name = self.input.name();
        let opened = StreamReader::try_new(BufReader::new(self.input.file()?), columns);
        let mut batches: StreamReader<BufReader<File>> = opened.map_err(|error| corrupt(name, error))?;
        let mut failed = false;
        Ok(std::iter::from_fn(move || {
            let next = || batches.next().transpose().map_err(|error| corrupt(name, error));
            let batch = if failed { None } else { guarded(name, next).transpose() }?;
            failed = batch.is_err();
            Some(batch)
        }))
    }

    fn stream_jobs<'a>(&'a self, slots: &'a [Slot]) -> Result<Jobs<'a>, Error> {
        let job = move |batch: RecordBatch| {
            Box::new(move |take: &mut dyn FnMut(Chunk)| {
                chunks_of(&batch, slots, self.name()).map(|chunks| chunks.into_iter().for_each(take))
            }) as Job<'a>
        };
        Ok(Box::new(self.stream(Some(projection(slots)))?.map(move |batch| batch.map(job))))
    }

    fn stored_jobs(&self) -> Result<BatchJobs<'_>, Error> {
        let Layout::File { n_batches } = self.layout else {
            let job = |batch: RecordBatch| Box::new(move || Ok(vec![StoredBatch::of(batch)])) as BatchJob<'_>;
            return Ok(Box::new(self.stream(None)?.map(move |batch| batch.map(job))));
        };
        let read = |range| self.batches(range, None)?.map(|batch| batch.map(StoredBatch::of)).collect();
        let job =
            move |range: Range<usize>| Box::new(move || guarded(self.name(), || read(range))) as BatchJob<'_>;
        Ok(Box::new(self.ranges(n_batches).map(move |range| Ok(job(range)))))
    }
}

impl StoredTable for ArrowTable {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn batch_jobs(&self) -> BatchJobs<'_> {
        self.stored_jobs().unwrap_or_else(|error| Box::new(std::iter::once(Err(error))))
    }
}

impl FileTable for ArrowTable {
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
        let jobs = check_types(self.name(), &self.columns, slots).and_then(|()| match self.layout {
            Layout::Stream => self.stream_jobs(slots),
            Layout::File { n_batches } => {
                let job = move |range| {
                    Ok(Box::new(move |take: &mut dyn FnMut(Chunk)| {
                        guarded(self.name(), || self.decode(range, slots, take))
                    }) as Job<'a>)
                };
                Ok(Box::new(self.ranges(n_batches).map(job)) as Jobs<'a>)
            }
        });
        jobs.unwrap_or_else(|error| Box::new(std::iter::once(Err(error))))
    }
}

/// Fails if the footer of a file speaks of blocks that end beyond it: the decoder would ask for as much memory as the
/// footer says.
fn check_blocks(mut file: File, size: u64) -> Result<(), ArrowError> {
    const TAIL: usize = 10;
    let mut tail = [0; TAIL];
    file.seek(SeekFrom::End(-(TAIL as i64)))?;
    file.read_exact(&mut tail)?;
    let length = read_footer_length(tail)?;
    let mut footer = Vec::new();
    let start = size.checked_sub((TAIL + length) as u64).ok_or_else(|| beyond("the footer"))?;
    file.seek(SeekFrom::Start(start))?;
    file.take(length as u64).read_to_end(&mut footer)?;
    let footer = root_as_footer(&footer).map_err(|error| ArrowError::ParseError(error.to_string()))?;
    let blocks = [footer.recordBatches(), footer.dictionaries()].into_iter().flatten().flatten();
    let mut ends = blocks.map(|block| {
        let parts = [block.offset(), i64::from(block.metaDataLength()), block.bodyLength()];
        parts.into_iter().try_fold(0, |end: u64, part| end.checked_add(u64::try_from(part).ok()?))
    });
    if ends.all(|end| end.is_some_and(|end| end <= size)) { Ok(()) } else { Err(beyond("a record batch")) }
}

fn beyond(what: &str) -> ArrowError {
    ArrowError::ParseError(format!("{what} goes beyond the end of the file"))
}

/// A record batch, in several chunks if it is large. Rows of a fault count from the start of the batch.
fn chunks_of(batch: &RecordBatch, slots: &[Slot], file: &Arc<str>) -> Result<Vec<Chunk>, Error> {
    let starts = (0..batch.num_rows()).step_by(ROWS);
    let chunk = |start: usize| {
        let slice = batch.slice(start, ROWS.min(batch.num_rows() - start));
        let mut chunk = chunk_of(&slice, slots, file).map_err(|error| error.shift(start as u64))?;
        chunk.bytes = if start == 0 { batch.get_array_memory_size() as u64 } else { 0 };
        Ok(chunk)
    };
    starts.map(chunk).collect()
}

fn corrupt(file: &Arc<str>, error: ArrowError) -> Error {
    Error::new(ErrorKind::Corrupt, format!("the Arrow file is truncated or damaged ({error})"))
        .in_file(file)
        .advise("fetch or write the file again")
        .because(error)
}
