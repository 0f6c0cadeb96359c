//! The pages of a column of one row group, whose sizes are held against the file before they are believed.
//!
//! The decoder of the `parquet` crate reserves as much memory as the header of a page claims when decompressed, as the
//! header of a dictionary claims values, and as delta-coded texts claim lengths. Checksums of pages, where a file has them,
//! are verified by the crate (its feature `crc`).

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;

use parquet::basic::{Compression, Encoding};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use parquet::file::serialized_reader::SerializedPageReader;

use super::thrift::{PageHeader, varint};

/// Headers of pages are shorter than this unless they hold statistics of long texts ...
const SHORT_HEADER: u64 = 4 << 10;
/// ... and never longer than this.
const LONG_HEADER: u64 = 16 << 20;

/// Reads pages and fails where one claims what it cannot hold.
pub(super) struct CheckedPages {
    reader: SerializedPageReader<File>,
    max_rep_level: i16,
    max_def_level: i16,
}

impl CheckedPages {
    /// The pages of a column, if the sizes in their headers can be true.
    pub(super) fn open(file: &Arc<File>, group: &RowGroupMetaData, leaf: usize) -> Result<Self> {
        let column = group.column(leaf);
        let n_rows = usize::try_from(group.num_rows())
            .map_err(|_| damaged("a row group has a negative number of rows"))?;
        let descr = column.column_descr();
        if descr.max_rep_level() == 0 && column.num_values() != group.num_rows() {
            return Err(damaged("a column has another number of values than its row group has rows"));
        }
        check_headers(file, column)?;
        Ok(CheckedPages {
            reader: SerializedPageReader::new(file.clone(), column, n_rows, None)?,
            max_rep_level: descr.max_rep_level(),
            max_def_level: descr.max_def_level(),
        })
    }

    /// Fails if the lengths of delta-coded texts are more than there are values.
    fn check(&self, page: &Page) -> Result<()> {
        let is_sound = match (page.encoding(), self.values(page)) {
            (Encoding::DELTA_LENGTH_BYTE_ARRAY, Some(values)) => {
                Delta::read(values).is_some_and(|lengths| lengths.n_values <= u64::from(page.num_values()))
            }
            (Encoding::DELTA_BYTE_ARRAY, Some(values)) => are_prefixed_texts(values, page.num_values()),
            (Encoding::DELTA_LENGTH_BYTE_ARRAY | Encoding::DELTA_BYTE_ARRAY, None) => false,
            _ => true,
        };
        if is_sound { Ok(()) } else { Err(damaged("a page claims more texts than it has values")) }
    }

    /// The bytes of a data page behind its levels.
    fn values<'a>(&self, page: &'a Page) -> Option<&'a [u8]> {
        let bytes: &[u8] = page.buffer();
        match page {
            Page::DictionaryPage { .. } => Some(bytes),
            Page::DataPageV2 { def_levels_byte_len, rep_levels_byte_len, .. } => {
                bytes.get(*def_levels_byte_len as usize..)?.get(*rep_levels_byte_len as usize..)
            }
            Page::DataPage { num_values, def_level_encoding, rep_level_encoding, .. } => {
                let bytes = behind_levels(bytes, self.max_rep_level, *rep_level_encoding, *num_values)?;
                behind_levels(bytes, self.max_def_level, *def_level_encoding, *num_values)
            }
        }
    }
}

impl Iterator for CheckedPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for CheckedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.reader.get_next_page()?;
        page.iter().try_for_each(|page| self.check(page))?;
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.reader.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.reader.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.reader.at_record_boundary()
    }
}

/// Goes from header to header.
fn check_headers(mut file: &File, column: &ColumnChunkMetaData) -> Result<()> {
    let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
    let place = (u64::try_from(start), u64::try_from(column.compressed_size()));
    let (Ok(mut at), Ok(length)) = place else { return Err(damaged("a column begins before the file")) };
    let size = file.metadata()?.len();
    let end = at.checked_add(length).filter(|&end| end <= size);
    let end = end.ok_or_else(|| damaged("a column goes beyond the end of the file"))?;
    let mut bytes = Vec::new();
    while at < end {
        let mut header = None;
        for most in [SHORT_HEADER, LONG_HEADER] {
            bytes.clear();
            file.seek(SeekFrom::Start(at))?;
            file.take(most.min(end - at)).read_to_end(&mut bytes)?;
            header = PageHeader::read(&bytes);
            if header.is_some() {
                break;
            }
        }
        let header = header.ok_or_else(|| damaged("a page has no header"))?;
        at += header.length as u64 + checked_size(&header, column.compression())?;
        if at > end {
            return Err(damaged("a page goes beyond the end of its column"));
        }
    }
    Ok(())
}

/// How many bytes of the file a page has, if they can hold what the page claims.
fn checked_size(header: &PageHeader, compression: Compression) -> Result<u64> {
    let sizes = (u64::try_from(header.compressed), u64::try_from(header.uncompressed));
    let (Ok(compressed), Ok(uncompressed)) = sizes else { return Err(damaged("a page has a negative size")) };
    let is_possible =
        most_per_byte(compression).is_none_or(|most| uncompressed <= compressed.saturating_mul(most));
    if !is_possible {
        return Err(damaged(format!("a page of {compressed} compressed bytes claims {uncompressed}")));
    }
    tribunal_memory::require(uncompressed).map_err(|shortage| ParquetError::External(Box::new(shortage)))?;
    // No value of a dictionary takes less than a byte.
    match u64::try_from(header.dictionary_values) {
        Ok(n_values) if n_values <= uncompressed => Ok(compressed),
        _ => Err(damaged("a dictionary claims more values than it has bytes")),
    }
}

/// How many bytes a compressed one stands for at most; `None` where that is not bounded.
fn most_per_byte(compression: Compression) -> Option<u64> {
    match compression {
        Compression::UNCOMPRESSED => Some(1),
        Compression::SNAPPY => Some(64),
        Compression::LZ4 | Compression::LZ4_RAW => Some(256),
        Compression::GZIP(_) => Some(1_100),
        // Four bytes may repeat one byte over a block of 128 kilobytes.
        Compression::ZSTD(_) => Some(40_000),
        Compression::BROTLI(_) | Compression::LZO => None,
    }
}

/// The bytes behind the levels of a page of version 1.
fn behind_levels(bytes: &[u8], max_level: i16, encoding: Encoding, n_values: u32) -> Option<&[u8]> {
    if max_level == 0 {
        return Some(bytes);
    }
    if encoding == Encoding::RLE {
        let (length, rest) = bytes.split_first_chunk()?;
        return rest.get(u32::from_le_bytes(*length) as usize..);
    }
    let n_bits = u64::from(n_values) * u64::from(max_level.unsigned_abs().ilog2() + 1);
    bytes.get(usize::try_from(n_bits.div_ceil(8)).ok()?..)
}

/// Whether the lengths of prefixes and those of suffixes behind them are no more than there are values.
fn are_prefixed_texts(values: &[u8], n_values: u32) -> bool {
    let fits = |delta: &Delta<'_>| delta.n_values <= u64::from(n_values);
    let suffixes = Delta::read(values).filter(fits).and_then(Delta::behind).and_then(Delta::read);
    suffixes.is_some_and(|suffixes| fits(&suffixes))
}

/// The head of delta-coded numbers, and what follows it.
struct Delta<'a> {
    per_block: u64,
    blocks_each: u64,
    n_values: u64,
    rest: &'a [u8],
}

impl<'a> Delta<'a> {
    fn read(mut bytes: &'a [u8]) -> Option<Self> {
        let (per_block, blocks_each) = (varint(&mut bytes)?, varint(&mut bytes)?);
        let n_values = varint(&mut bytes)?;
        let _first_value = varint(&mut bytes)?;
        (blocks_each > 0).then_some(Delta { per_block, blocks_each, n_values, rest: bytes })
    }

    /// What stands behind all numbers: in each block the least difference, the widths of its miniblocks, and those of them
    /// that are needed.
    fn behind(self) -> Option<&'a [u8]> {
        let (mut bytes, mut left) = (self.rest, self.n_values.saturating_sub(1));
        let per_miniblock = self.per_block / self.blocks_each;
        while left > 0 && per_miniblock > 0 {
            varint(&mut bytes)?;
            let (widths, rest) = bytes.split_at_checked(usize::try_from(self.blocks_each).ok()?)?;
            bytes = rest;
            for &width in widths {
                if left > 0 {
                    let length = u64::from(width).checked_mul(per_miniblock)? / 8;
                    bytes = bytes.get(usize::try_from(length).ok()?..)?;
                }
                left = left.saturating_sub(per_miniblock);
            }
        }
        Some(bytes)
    }
}

fn damaged(problem: impl Into<String>) -> ParquetError {
    ParquetError::General(problem.into())
}
