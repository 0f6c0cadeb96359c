//! The values of a column of one row group, page by page, as they stand in the file.
//!
//! Only what can be used as it stands: no list, nothing missing, plain or by dictionary. Whatever else a page may
//! hold - and whatever is wrong with it - is `None`, and left to the decoder of the `parquet` crate.

use std::fs::File;
use std::sync::Arc;

use arrow_buffer::Buffer;
use parquet::basic::{Encoding, Type};
use parquet::column::page::{Page, PageReader};
use parquet::file::metadata::RowGroupMetaData;

use super::checked_pages::CheckedPages;
use super::hybrid::{Hybrid, Run};

/// The pages of a column of one row group, and how far they have been read.
pub(super) struct Pages {
    reader: CheckedPages,
    column_type: Type,
    is_optional: bool,
    dictionary: Option<Buffer>,
    /// Values of the current page that have not been handed out.
    left: usize,
    /// A page was met that cannot be used as it stands; what follows it would be taken for its rows.
    is_stuck: bool,
    data: Data,
}

/// The values of the current page.
enum Data {
    Plain { bytes: Buffer, at: usize },
    Coded(Hybrid),
}

/// Neighbouring values.
pub(super) enum Values<'a> {
    /// Little-endian numbers, one after the other.
    Plain(&'a [u8]),
    /// Positions in the dictionary; of booleans the values themselves.
    Coded(Run<'a>),
}

impl Pages {
    pub(super) fn open(file: &Arc<File>, group: &RowGroupMetaData, leaf: usize) -> Option<Self> {
        let column = group.column(leaf);
        let descr = column.column_descr();
        if descr.max_rep_level() > 0 || descr.max_def_level() > 1 {
            return None;
        }
        Some(Pages {
            reader: CheckedPages::open(file, group, leaf).ok()?,
            column_type: column.column_type(),
            is_optional: descr.max_def_level() == 1,
            dictionary: None,
            left: 0,
            is_stuck: false,
            data: Data::Plain { bytes: Buffer::from(Vec::<u8>::new()), at: 0 },
        })
    }

    /// Passes over some values, if they can be read.
    pub(super) fn skip(&mut self, n_values: usize) -> Option<()> {
        let mut passed = 0;
        while passed < n_values {
            passed += self.next(n_values - passed)?.0;
        }
        Some(())
    }

    /// The bytes of the dictionary, once a page that needs it has been met.
    pub(super) fn dictionary(&self) -> Option<&Buffer> {
        self.dictionary.as_ref()
    }

    /// Whether the current page is by dictionary.
    pub(super) fn is_coded(&self) -> bool {
        matches!(self.data, Data::Coded(_))
    }

    /// Makes sure that the dictionary, if there is one, and a data page have been read.
    pub(super) fn advance(&mut self) -> Option<()> {
        while self.left == 0 && !self.is_stuck {
            let page = self.reader.get_next_page().ok().flatten();
            self.is_stuck = page.and_then(|page| self.turn_to(page)).is_none();
        }
        (!self.is_stuck).then_some(())
    }

    /// The next values that stand together, and how many there are: `most` at most.
    #[inline]
    pub(super) fn next(&mut self, most: usize) -> Option<(usize, Values<'_>)> {
        self.advance()?;
        let most = most.min(self.left);
        let (n, values) = match &mut self.data {
            Data::Coded(hybrid) => {
                let run = hybrid.next(most)?;
                (run.len(), Values::Coded(run))
            }
            Data::Plain { bytes, at } => {
                let end = *at + most * size_of_plain(self.column_type)?;
                let values = bytes.get(*at..end)?;
                *at = end;
                (most, Values::Plain(values))
            }
        };
        self.left -= n;
        Some((n, values))
    }

    fn turn_to(&mut self, page: Page) -> Option<()> {
        let bytes = Buffer::from(page.buffer().clone());
        match page {
            Page::DictionaryPage { encoding: Encoding::PLAIN | Encoding::PLAIN_DICTIONARY, .. } => {
                self.dictionary = Some(bytes);
                Some(())
            }
            Page::DataPage { num_values, encoding, def_level_encoding, .. } => {
                self.left = num_values as usize;
                let start =
                    if self.is_optional { behind_levels(&bytes, self.left, def_level_encoding)? } else { 0 };
                self.start(bytes, start, encoding)
            }
            Page::DataPageV2 { num_values, encoding, num_nulls: 0, def_levels_byte_len, .. } => {
                self.left = num_values as usize;
                self.start(bytes, def_levels_byte_len as usize, encoding)
            }
            _ => None,
        }
    }

    fn start(&mut self, bytes: Buffer, start: usize, encoding: Encoding) -> Option<()> {
        self.data = match (self.column_type, encoding) {
            (Type::BOOLEAN, Encoding::PLAIN) => Data::Coded(Hybrid::bits(tail(&bytes, start)?)),
            (Type::BOOLEAN, Encoding::RLE) => Data::Coded(Hybrid::new(tail(&bytes, start + 4)?, 1)?),
            (_, Encoding::PLAIN) => Data::Plain { bytes, at: start },
            (_, Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY) => {
                let width = usize::from(*bytes.get(start)?);
                Data::Coded(Hybrid::new(tail(&bytes, start + 1)?, width)?)
            }
            _ => return None,
        };
        Some(())
    }
}

/// Bytes of a plain value, where all are of one size.
fn size_of_plain(column_type: Type) -> Option<usize> {
    match column_type {
        Type::INT32 => Some(4),
        Type::INT64 | Type::DOUBLE => Some(8),
        _ => None,
    }
}

fn tail(bytes: &Buffer, start: usize) -> Option<Buffer> {
    (start <= bytes.len()).then(|| bytes.slice(start))
}

/// Where the values of a page start, if its levels say that none is missing.
fn behind_levels(bytes: &Buffer, n_values: usize, encoding: Encoding) -> Option<usize> {
    let length = u32::from_le_bytes(bytes.get(..4)?.try_into().ok()?) as usize;
    let is_known = encoding == Encoding::RLE && bytes.len() >= 4 + length;
    let mut levels = Hybrid::new(is_known.then(|| bytes.slice_with_length(4, length))?, 1)?;
    let mut checked = 0;
    while checked < n_values {
        let run = levels.next(n_values - checked)?;
        let is_there = match run {
            Run::Repeated { code, n } => code == 1 && n > 0,
            Run::Packed(_) => run.len() > 0 && (0..run.len()).all(|idx| run.get(idx) == 1),
        };
        checked += if is_there { run.len() } else { return None };
    }
    Some(4 + length)
}
