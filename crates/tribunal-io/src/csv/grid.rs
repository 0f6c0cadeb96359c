//! A regular block of CSV, turned into columns one column at a time.
//!
//! Most blocks are a plain grid: no quotes, no blank lines, as many fields in each row as in the header. Then the
//! ends of all fields in a window of some kilobytes can be found first, without looking at what they say, and each
//! wanted column is read in a loop of its own, which keeps the processor busier than going from field to field.
//! Whatever is not regular, errors included, is left to the parser of [`rows`](super::rows).

use crate::chunk::{Chunk, ColumnBuilder, LabelBuilder, LongKey, NumberBuilder};
use crate::condition::Verdicts;
use crate::csv::fields::word_at;
use crate::file_table::Slot;
use crate::place::LineMap;
use crate::text::decimal;

/// How many bytes are looked at together, unless a row is longer: they and the ends of their fields fit in the
/// nearest caches.
pub(crate) const WINDOW: usize = 16 << 10;

const ONES: u64 = 0x0101_0101_0101_0101;

/// The fields of the rows of one window.
pub(crate) struct Grid<'a> {
    text: &'a str,
    delimiter: u8,
    n_columns: usize,
    n_rows: usize,
    /// Where each field starts, and where the next would: each field ends one byte before the next.
    starts: Vec<u32>,
}

impl<'a> Grid<'a> {
    /// A grid over a block; `None` if its fields cannot be told apart this way.
    pub(crate) fn new(text: &'a str, delimiter: u8, n_columns: usize) -> Option<Self> {
        // In a single column a blank line looks like a field.
        let is_fit = n_columns > 1 && text.len() < u32::MAX as usize;
        is_fit.then_some(Grid { text, delimiter, n_columns, n_rows: 0, starts: Vec::new() })
    }

    /// Reads the whole block; `None` if it is not regular or a number in it is none.
    pub(crate) fn read(mut self, slots: &[Slot], n_expected: usize, window: usize) -> Option<Chunk> {
        let builder = |slot: &Slot| ColumnBuilder::with_capacity(slot.kind, n_expected);
        let mut columns: Vec<ColumnBuilder> = slots.iter().map(builder).collect();
        let verdicts =
            |slot: &Slot| slot.condition.as_ref().map(|condition| Verdicts::new(&condition.predicate));
        let mut verdicts: Vec<Option<Verdicts>> = slots.iter().map(verdicts).collect();
        let (mut pos, mut rows) = (0, 0);
        while pos < self.text.len() {
            pos = self.advance(pos, window)?;
            rows += self.n_rows;
            self.read_columns(slots, &mut columns, &mut verdicts)?;
        }
        let columns = columns.into_iter().map(ColumnBuilder::finish).collect();
        Some(Chunk { rows, span: rows as u64, bytes: 0, lines: LineMap::default(), columns })
    }

    /// Finds the fields of the rows from `pos` on, at least one row, and returns where the next row begins.
    fn advance(&mut self, pos: usize, mut window: usize) -> Option<usize> {
        loop {
            let end = (pos + window).min(self.text.len());
            self.find_fields(pos, end);
            let n_fields = self.starts.len() - 1;
            self.n_rows = n_fields / self.n_columns;
            if self.n_rows > 0 {
                return self.is_regular().then(|| self.starts[self.n_rows * self.n_columns] as usize);
            }
            if end == self.text.len() {
                return None;
            }
            window *= 2;
        }
    }

    fn find_fields(&mut self, start: usize, end: usize) {
        let Grid { starts, delimiter, .. } = self;
        starts.clear();
        starts.push(start as u32);
        let bytes = &self.text.as_bytes()[start..end];
        let blocks = bytes.chunks_exact(64);
        let rest = blocks.remainder();
        let mut base = start as u32 + 1;
        for block in blocks {
            let words = block.chunks_exact(8).filter_map(|word| word_at(word, 0)).enumerate();
            let mut ends =
                words.fold(0, |ends, (idx, word)| ends | field_end_bits(word, *delimiter) << (8 * idx));
            while ends != 0 {
                starts.push(base + ends.trailing_zeros());
                ends &= ends - 1;
            }
            base += 64;
        }
        let is_end = |byte: u8| byte == *delimiter || byte == b'\n';
        let found = rest.iter().enumerate().filter(|&(_, &byte)| is_end(byte));
        starts.extend(found.map(|(idx, _)| base + idx as u32));
    }

    /// Whether each row has as many fields as the header: the last one, and no other, is ended by a line feed.
    fn is_regular(&self) -> bool {
        let bytes = self.text.as_bytes();
        let is_row = |ends: &[u32]| {
            let mut is_line_feed = ends.iter().map(|&next| bytes[next as usize - 1] == b'\n');
            is_line_feed.next_back() == Some(true) && !is_line_feed.any(|found| found)
        };
        self.starts[1..].chunks_exact(self.n_columns).all(is_row)
    }

    /// The start and end of each field of a column.
    #[inline]
    fn fields(&self, column: usize) -> impl Iterator<Item = (usize, usize)> {
        let starts = self.starts[column..].iter().step_by(self.n_columns);
        let nexts = self.starts[column + 1..].iter().step_by(self.n_columns);
        let fields = starts.zip(nexts).take(self.n_rows);
        fields.map(|(&start, &next)| (start as usize, next as usize - 1))
    }

    /// Labels first: they decide which numbers count.
    fn read_columns(
        &self,
        slots: &[Slot],
        columns: &mut [ColumnBuilder],
        verdicts: &mut [Option<Verdicts>],
    ) -> Option<()> {
        for (slot, column) in slots.iter().zip(&mut *columns) {
            match (slot.column?, column) {
                (idx, ColumnBuilder::Label(labels)) => self.read_labels(idx, labels),
                (idx, ColumnBuilder::Number(numbers)) if slot.condition.is_none() => {
                    self.fields(idx).try_for_each(|field| self.read_number(field, numbers))?;
                }
                _ => {}
            }
        }
        for (slot_idx, slot) in slots.iter().enumerate() {
            let (Some(condition), Some(verdicts)) = (&slot.condition, &mut verdicts[slot_idx]) else {
                continue;
            };
            let Ok([column, label]) = columns.get_disjoint_mut([slot_idx, condition.label]) else {
                return None;
            };
            let (ColumnBuilder::Number(numbers), ColumnBuilder::Label(labels)) = (column, label) else {
                return None;
            };
            self.read_counting(slot.column?, numbers, labels, verdicts)?;
        }
        Some(())
    }

    fn read_counting(
        &self,
        column: usize,
        numbers: &mut NumberBuilder,
        labels: &LabelBuilder,
        verdicts: &mut Verdicts,
    ) -> Option<()> {
        let rows = labels.last_satisfying(self.n_rows, verdicts);
        for (counts, field) in rows.zip(self.fields(column)) {
            if counts {
                self.read_number(field, numbers)?;
            } else {
                numbers.push(0.0);
            }
        }
        Some(())
    }

    #[inline]
    fn read_number(&self, (start, end): (usize, usize), numbers: &mut NumberBuilder) -> Option<()> {
        match self.short_number(start, end) {
            Some(value) => numbers.push(value),
            None => numbers.push_text(&self.text[start..end]).ok()?,
        }
        Some(())
    }

    #[inline]
    fn short_number(&self, start: usize, end: usize) -> Option<f64> {
        let bytes = self.text.as_bytes();
        let length = end - start;
        if length > 16 {
            return None;
        }
        let word = word_at(bytes, start)?;
        if length < 8 {
            return decimal::of_word(word, 0x80 << (8 * length));
        }
        let second = word_at(bytes, start + 8)?;
        decimal::of_two_words(u128::from(word) | u128::from(second) << 64, length as u32)
    }

    fn read_labels(&self, column: usize, labels: &mut LabelBuilder) {
        for (start, end) in self.fields(column) {
            let text = || self.text[start..end].trim_ascii();
            let bytes = self.text.as_bytes();
            match short_key(bytes, start, end) {
                Some(key) if labels.push_recent(key) => {}
                Some(key) => labels.push_keyed(key, text()),
                None => match long_key(bytes, start, end) {
                    Some(key) => labels.push_long(key, text),
                    None => labels.push(text()),
                },
            }
        }
    }
}

/// A field of less than eight bytes as a number of its own.
#[inline]
fn short_key(bytes: &[u8], start: usize, end: usize) -> Option<u64> {
    let length = end - start;
    let word = word_at(bytes, start).filter(|_| length < 8)?;
    Some(word & ((1 << (8 * length)) - 1) | (length as u64) << 56)
}

/// The ends of a field of eight to sixteen bytes, between which nothing is left.
#[inline]
fn long_key(bytes: &[u8], start: usize, end: usize) -> Option<LongKey> {
    let length = end - start;
    let first = word_at(bytes, start).filter(|_| (8..=16).contains(&length))?;
    Some(LongKey { first, last: word_at(bytes, end - 8)?, length: length as u32 })
}

/// One bit for each of eight bytes, the first lowest: whether it is the delimiter or a line feed.
#[inline]
fn field_end_bits(word: u64, delimiter: u8) -> u64 {
    // The highest bit of a byte stays unset where the byte is the one looked for.
    let differs = |byte: u8| {
        let difference = word ^ (ONES * u64::from(byte));
        ((difference & (ONES * 0x7F)) + ONES * 0x7F) | difference
    };
    let marks = !(differs(delimiter) & differs(b'\n')) & (ONES << 7);
    // Shifted copies that do not overlap bring the marks together in the highest byte.
    (marks >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_end_of_a_field_is_marked() {
        for bits in 0..=255_u64 {
            let byte = |idx: u32| match (bits >> idx & 1, idx % 2) {
                (1, 0) => b',',
                (1, _) => b'\n',
                (_, 0) => b',' ^ 0x80,
                _ => b'\n' + 1,
            };
            let word = u64::from_le_bytes([0, 1, 2, 3, 4, 5, 6, 7].map(byte));
            assert_eq!(field_end_bits(word, b','), bits);
        }
    }

    #[test]
    fn blocks_that_are_not_regular_are_left_alone() {
        let read =
            |text| Grid::new(text, b',', 2).and_then(|grid| grid.read(&[], 0, 8)).map(|chunk| chunk.rows);
        assert_eq!(read("a,b\nc,d\nlonger,than a window\n"), Some(3));
        assert_eq!(read("a,b\n\nc,d\n"), None);
        assert_eq!(read("a,b\nc\n"), None);
        assert_eq!(read("a,b\nc,d,e\n"), None);
        assert_eq!(read("a,b\nc\nd,e,f\n"), None);
    }
}
