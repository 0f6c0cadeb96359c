//! Arrow IPC: the file format (Feather version 2) and the stream format, compressed or not.

mod messages;

use std::ops::Range;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_ipc::reader::FileDecoder;
use arrow_ipc::{Block, MessageHeader, MetadataVersion};
use arrow_schema::{ArrowError, SchemaRef};

use self::messages::{Footer, Messages, header_of};
use crate::chunk::Chunk;
use crate::columnar::{
    BatchJob, BatchJobs, StoredBatch, StoredTable, check_types, chunks_of, describe, guarded, projection,
    undecoded,
};
use crate::error::Error;
use crate::file_table::{FileTable, Job, Jobs, Slot};
use crate::place::Unit;
use crate::source::Input;
use crate::table::ColumnInfo;

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
    File { version: MetadataVersion, dictionaries: Vec<Block>, batches: Vec<Block> },
    /// Record batches that must be read one after the other, from this byte on.
    Stream { start: u64 },
}

impl ArrowTable {
    pub(crate) fn open_file(input: &Input) -> Result<Self, Error> {
        let broken = |error| corrupt(input.name(), error);
        let Footer { schema, version, dictionaries, batches } =
            Messages::open(input)?.footer().map_err(broken)?;
        Ok(Self::new(input, schema, Layout::File { version, dictionaries, batches }))
    }

    pub(crate) fn open_stream(input: &Input) -> Result<Self, Error> {
        let broken = |error| corrupt(input.name(), error);
        let (schema, start) = Messages::open(input)?.stream_schema().map_err(broken)?;
        Ok(Self::new(input, schema, Layout::Stream { start }))
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

    fn decoder(&self, version: MetadataVersion, columns: Option<Vec<usize>>) -> FileDecoder {
        let decoder = FileDecoder::new(self.schema.clone(), version);
        match columns {
            Some(columns) => decoder.with_projection(columns),
            None => decoder,
        }
    }

    /// The record batches of a range, with all columns or some.
    fn batches(
        &self,
        range: Range<usize>,
        columns: Option<Vec<usize>>,
    ) -> Result<impl Iterator<Item = Result<RecordBatch, Error>>, Error> {
        let broken = |error| corrupt(self.input.name(), error);
        let Layout::File { version, dictionaries, batches } = &self.layout else {
            return Err(corrupt(self.name(), ArrowError::IpcError("a stream has no list of batches".into())));
        };
        let mut messages = Messages::open(&self.input)?;
        let mut decoder = self.decoder(*version, columns);
        for block in dictionaries {
            let message = messages.read(block).map_err(broken)?;
            decoder.read_dictionary(block, &message).map_err(broken)?;
        }
        let batch = move |block: &Block| {
            let message = messages.read(block).map_err(broken)?;
            decoder.read_record_batch(block, &message).map_err(broken)
        };
        Ok(batches[range].iter().map(batch).filter_map(Result::transpose))
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
        start: u64,
        columns: Option<Vec<usize>>,
    ) -> Result<impl Iterator<Item = Result<RecordBatch, Error>> + 'a, Error> {
        let name = self.input.name();
        // Each message of a stream says its version itself; the oldest one stands for any.
        let decoder = self.decoder(MetadataVersion::V1, columns);
        let mut batches = StreamBatches { messages: Messages::open(&self.input)?, decoder, at: start };
        let mut failed = false;
        Ok(std::iter::from_fn(move || {
            let next = || batches.next().map_err(|error| corrupt(name, error));
            let batch = if failed { None } else { guarded(name, next).transpose() }?;
            failed = batch.is_err();
            Some(batch)
        }))
    }

    fn stream_jobs<'a>(&'a self, start: u64, slots: &'a [Slot]) -> Result<Jobs<'a>, Error> {
        let job = move |batch: RecordBatch| {
            Box::new(move |take: &mut dyn FnMut(Chunk)| {
                chunks_of(&batch, slots, self.name()).map(|chunks| chunks.into_iter().for_each(take))
            }) as Job<'a>
        };
        Ok(Box::new(self.stream(start, Some(projection(slots)))?.map(move |batch| batch.map(job))))
    }

    fn stored_jobs(&self) -> Result<BatchJobs<'_>, Error> {
        match &self.layout {
            Layout::Stream { start } => {
                let job =
                    |batch: RecordBatch| Box::new(move || Ok(vec![StoredBatch::of(batch)])) as BatchJob<'_>;
                Ok(Box::new(self.stream(*start, None)?.map(move |batch| batch.map(job))))
            }
            Layout::File { batches, .. } => {
                let read =
                    |range| self.batches(range, None)?.map(|batch| batch.map(StoredBatch::of)).collect();
                let job = move |range: Range<usize>| {
                    Box::new(move || guarded(self.name(), || read(range))) as BatchJob<'_>
                };
                Ok(Box::new(self.ranges(batches.len()).map(move |range| Ok(job(range)))))
            }
        }
    }
}

/// The record batches of a stream that have not been read.
struct StreamBatches {
    messages: Messages,
    decoder: FileDecoder,
    /// Where the next message starts.
    at: u64,
}

impl StreamBatches {
    /// The next record batch; dictionaries before it are kept for it and those behind it.
    fn next(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        while let Some(block) = self.messages.block_at(self.at)? {
            let message = self.messages.read(&block)?;
            self.at += message.len() as u64;
            match header_of(&message)? {
                MessageHeader::DictionaryBatch => self.decoder.read_dictionary(&block, &message)?,
                _ => {
                    if let Some(batch) = self.decoder.read_record_batch(&block, &message)? {
                        return Ok(Some(batch));
                    }
                }
            }
        }
        Ok(None)
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
        let jobs = check_types(self.name(), &self.columns, slots).and_then(|()| match &self.layout {
            Layout::Stream { start } => self.stream_jobs(*start, slots),
            Layout::File { batches, .. } => {
                let job = move |range| {
                    Ok(Box::new(move |take: &mut dyn FnMut(Chunk)| {
                        guarded(self.name(), || self.decode(range, slots, take))
                    }) as Job<'a>)
                };
                Ok(Box::new(self.ranges(batches.len()).map(job)) as Jobs<'a>)
            }
        });
        jobs.unwrap_or_else(|error| Box::new(std::iter::once(Err(error))))
    }
}

fn corrupt(file: &Arc<str>, error: ArrowError) -> Error {
    undecoded(file, "Arrow", error)
}
