//! The messages of Arrow files and streams. A decoder allocates what they claim, so every size is held against the bytes
//! that are there before it is believed: a file of two kilobytes may speak of a million terabytes.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;

use arrow_buffer::{Buffer, MutableBuffer};
use arrow_ipc::convert::fb_to_schema;
use arrow_ipc::reader::read_footer_length;
use arrow_ipc::{
    Block, CompressionType, Message, MessageHeader, MetadataVersion, RecordBatch, root_as_footer,
};
use arrow_schema::{ArrowError, SchemaRef};

use crate::error::Error;
use crate::source::Input;

/// What stands before the metadata of a message: a marker and the length.
const PREFIX: usize = 8;
const MARKER: [u8; 4] = [0xFF; 4];

/// Columns that need no bytes - all missing, or one run - may claim so many rows in a record batch.
const MOST_ROWS_WITHOUT_BYTES: u64 = 1 << 24;

/// A byte of an LZ4 frame stands for 255 at most, one of zstd for 32,768: four bytes that repeat one byte over a block.
const LZ4_RATIO: u64 = 256;
const ZSTD_RATIO: u64 = 40_000;

/// A file of messages.
pub(super) struct Messages {
    reader: BufReader<File>,
    size: u64,
}

/// What the footer of a file lists.
pub(super) struct Footer {
    pub(super) schema: SchemaRef,
    pub(super) version: MetadataVersion,
    pub(super) dictionaries: Vec<Block>,
    pub(super) batches: Vec<Block>,
}

impl Messages {
    pub(super) fn open(input: &Input) -> Result<Self, Error> {
        Ok(Messages { reader: BufReader::new(input.file()?), size: input.bytes() })
    }

    /// The footer of a file.
    pub(super) fn footer(&mut self) -> Result<Footer, ArrowError> {
        const TAIL: u64 = 10;
        let tail = self.bytes(self.size.checked_sub(TAIL).ok_or_else(|| beyond("the footer"))?, TAIL)?;
        let tail = tail.as_slice().try_into().map_err(|_| beyond("the footer"))?;
        let length = read_footer_length(tail)? as u64;
        let start = (self.size - TAIL).checked_sub(length).ok_or_else(|| beyond("the footer"))?;
        let footer = self.bytes(start, length)?;
        let footer = root_as_footer(&footer).map_err(|error| damaged(error.to_string()))?;
        let schema = footer.schema().ok_or_else(|| damaged("there is no schema"))?;
        let batches = footer.recordBatches().ok_or_else(|| damaged("there is no list of record batches"))?;
        let blocks = |blocks: Option<_>| -> Vec<Block> { blocks.into_iter().flatten().copied().collect() };
        let (dictionaries, batches) = (blocks(footer.dictionaries()), blocks(Some(batches)));
        self.check_blocks(dictionaries.iter().chain(&batches))?;
        Ok(Footer { schema: checked_schema(schema)?, version: footer.version(), dictionaries, batches })
    }

    /// Blocks may not share bytes: a short file that lists its only batch a million times would be a long table.
    fn check_blocks<'a>(&self, blocks: impl Iterator<Item = &'a Block>) -> Result<(), ArrowError> {
        let mut total = 0_u64;
        for block in blocks {
            let (_, length) = self.place(block)?;
            total = total
                .checked_add(length)
                .filter(|&total| total <= self.size)
                .ok_or_else(|| damaged("the record batches have more bytes together than the file"))?;
        }
        Ok(())
    }

    /// The schema that a stream begins with, and where its batches start.
    pub(super) fn stream_schema(&mut self) -> Result<(SchemaRef, u64), ArrowError> {
        let block = self.block_at(0)?.ok_or_else(|| damaged("the stream is empty"))?;
        let message = self.read(&block)?;
        let parsed = parsed(&message)?;
        let schema =
            parsed.header_as_schema().ok_or_else(|| damaged("the stream begins without a schema"))?;
        Ok((checked_schema(schema)?, message.len() as u64))
    }

    /// The message of a stream that starts at a byte; `None` at the end.
    pub(super) fn block_at(&mut self, at: u64) -> Result<Option<Block>, ArrowError> {
        let prefix = match self.size.checked_sub(at) {
            Some(left) if left >= PREFIX as u64 => self.bytes(at, PREFIX as u64)?,
            _ => return Ok(None),
        };
        // Streams from before 2019 have no marker.
        let (length_at, prefix_length) = if prefix[..4] == MARKER { (4, 8) } else { (0, 4) };
        let length = prefix[length_at..].first_chunk().map_or(0, |&bytes| i32::from_le_bytes(bytes));
        if length == 0 {
            return Ok(None);
        }
        let metadata = u64::try_from(length).map_err(|_| damaged("the length of a message is negative"))?;
        let metadata = self.bytes(at, prefix_length + metadata)?;
        let message = parsed(&metadata)?;
        let offset = i64::try_from(at).map_err(|_| beyond("a message"))?;
        let length = i32::try_from(metadata.len()).map_err(|_| beyond("a message"))?;
        Ok(Some(Block::new(offset, length, message.bodyLength())))
    }

    /// The bytes of a message, its metadata first, if the sizes that it claims can be true.
    pub(super) fn read(&mut self, block: &Block) -> Result<Buffer, ArrowError> {
        let (start, length) = self.place(block)?;
        let message = Buffer::from(self.bytes(start, length)?);
        check_claims(&message, block.metaDataLength() as usize)?;
        Ok(message)
    }

    /// Where a block starts and how long it is, if it lies within the file.
    fn place(&self, block: &Block) -> Result<(u64, u64), ArrowError> {
        let parts = (block.offset(), block.metaDataLength(), block.bodyLength());
        let parts = (u64::try_from(parts.0), u64::try_from(parts.1), u64::try_from(parts.2));
        let (Ok(start), Ok(metadata), Ok(body)) = parts else { return Err(beyond("a record batch")) };
        let length = metadata.checked_add(body);
        let end = length.and_then(|length| start.checked_add(length));
        match (length, end) {
            (Some(length), Some(end)) if end <= self.size && metadata >= PREFIX as u64 => Ok((start, length)),
            _ => Err(beyond("a record batch")),
        }
    }

    /// Bytes of the file, if it has them.
    fn bytes(&mut self, start: u64, length: u64) -> Result<MutableBuffer, ArrowError> {
        if start.checked_add(length).is_none_or(|end| end > self.size) {
            return Err(beyond("a message"));
        }
        let mut bytes = MutableBuffer::from_len_zeroed(length as usize);
        self.reader.seek(SeekFrom::Start(start))?;
        self.reader.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

fn checked_schema(schema: arrow_ipc::Schema<'_>) -> Result<SchemaRef, ArrowError> {
    if !schema.endianness().equals_to_target_endianness() {
        return Err(damaged("its numbers have the bytes of another kind of machine"));
    }
    schema.fields().ok_or_else(|| damaged("the schema has no columns"))?;
    Ok(Arc::new(fb_to_schema(schema)))
}

/// What kind of message it is.
pub(super) fn header_of(message: &[u8]) -> Result<MessageHeader, ArrowError> {
    Ok(parsed(message)?.header_type())
}

fn parsed(message: &[u8]) -> Result<Message<'_>, ArrowError> {
    let start = if message.starts_with(&MARKER) { PREFIX } else { 4 };
    let metadata = message.get(start..).ok_or_else(|| beyond("a message"))?;
    arrow_ipc::root_as_message(metadata).map_err(|error| damaged(error.to_string()))
}

/// Fails if a message claims more than its body can hold.
fn check_claims(message: &[u8], metadata: usize) -> Result<(), ArrowError> {
    let parsed = parsed(message)?;
    let batch = match parsed.header_type() {
        MessageHeader::RecordBatch => parsed.header_as_record_batch(),
        MessageHeader::DictionaryBatch => parsed.header_as_dictionary_batch().and_then(|batch| batch.data()),
        _ => return Ok(()),
    };
    let batch = batch.ok_or_else(|| damaged("a message holds no batch"))?;
    check_batch(&batch, &message[metadata..])
}

fn check_batch(batch: &RecordBatch<'_>, body: &[u8]) -> Result<(), ArrowError> {
    let n_bytes = claimed_bytes(batch, body)?;
    if batch.compression().is_some() {
        tribunal_memory::require(n_bytes)
            .map_err(|shortage| ArrowError::ExternalError(Box::new(shortage)))?;
    }
    let most_rows = n_bytes.saturating_mul(8).max(MOST_ROWS_WITHOUT_BYTES);
    let is_possible = |length: i64| u64::try_from(length).is_ok_and(|length| length <= most_rows);
    let nodes = batch.nodes().into_iter().flatten();
    let are_possible = is_possible(batch.length())
        && nodes
            .into_iter()
            .all(|node| is_possible(node.length()) && (0..=node.length()).contains(&node.null_count()));
    if are_possible {
        Ok(())
    } else {
        Err(damaged("a record batch claims more rows than its bytes can hold"))
    }
}

/// How many bytes the buffers of a batch come to, decompressed.
fn claimed_bytes(batch: &RecordBatch<'_>, body: &[u8]) -> Result<u64, ArrowError> {
    let ratio = match batch.compression().map(|compression| compression.codec()) {
        None => None,
        Some(CompressionType::LZ4_FRAME) => Some(LZ4_RATIO),
        Some(_) => Some(ZSTD_RATIO),
    };
    let mut total = 0_u64;
    for buffer in batch.buffers().into_iter().flatten() {
        let (start, length) = (usize::try_from(buffer.offset()), usize::try_from(buffer.length()));
        let bytes = start.ok().zip(length.ok()).and_then(|(start, length)| body.get(start..)?.get(..length));
        let bytes = bytes.ok_or_else(|| beyond("a column"))?;
        let n_bytes = match (ratio, bytes.split_first_chunk()) {
            (None, _) => bytes.len() as u64,
            (Some(_), None) if bytes.is_empty() => 0,
            (Some(_), None) => return Err(damaged("a compressed column does not say how long it is")),
            (Some(ratio), Some((prefix, compressed))) => decompressed(*prefix, compressed, ratio)?,
        };
        total = total.saturating_add(n_bytes);
    }
    Ok(total)
}

/// How long compressed bytes say that they are, if that is possible; -1 is for bytes that were not worth compressing.
fn decompressed(prefix: [u8; 8], compressed: &[u8], ratio: u64) -> Result<u64, ArrowError> {
    let n_compressed = compressed.len() as u64;
    match i64::from_le_bytes(prefix) {
        -1 => Ok(n_compressed),
        claimed => match u64::try_from(claimed) {
            Ok(claimed) if claimed <= n_compressed.saturating_mul(ratio) => Ok(claimed),
            _ => Err(damaged(format!("a column of {n_compressed} compressed bytes claims {claimed}"))),
        },
    }
}

fn beyond(what: &str) -> ArrowError {
    damaged(format!("{what} goes beyond the end of the file"))
}

fn damaged(problem: impl Into<String>) -> ArrowError {
    ArrowError::ParseError(problem.into())
}
