//! What one job returns: a run of rows whose labels are still coded by a dictionary of its own.
//!
//! Jobs run in any order, so they cannot share a dictionary; chunks are delivered in file order, and
//! delivery translates their codes. That makes the shared codes independent of the number of threads.

use arrow_buffer::NullBuffer;

use crate::batch::{Labels, Numbers, Stray};
use crate::condition::Verdicts;
use crate::dictionary::Dictionary;
use crate::draft::CodedNumbers;
use crate::error::Error;
use crate::file_table::Slot;
use crate::place::LineMap;
use crate::table::WantKind;
use crate::text::number::{self, Parsed};

/// A run of consecutive rows.
#[derive(Debug, Default)]
pub(crate) struct Chunk {
    pub(crate) rows: usize,
    /// How many lines (of a text file) or rows (of a columnar one) the chunk takes up.
    pub(crate) span: u64,
    /// How many bytes of the file the chunk takes up, as far as that is known.
    pub(crate) bytes: u64,
    pub(crate) lines: LineMap,
    pub(crate) columns: Vec<ChunkColumn>,
}

/// A column of a [`Chunk`].
#[derive(Debug)]
pub(crate) enum ChunkColumn {
    Number(Numbers),
    /// Numbers that are zero on rows that do not count; `is_missing` looks at what stood there too.
    Conditional {
        numbers: Numbers,
        is_missing: bool,
    },
    /// Numbers of which there are few, as the file codes them.
    #[cfg_attr(not(feature = "parquet"), expect(dead_code, reason = "only Parquet codes numbers"))]
    Coded(CodedNumbers),
    Label(LocalLabels),
}

/// Labels coded by a dictionary of their own.
#[derive(Debug, Default)]
pub(crate) struct LocalLabels {
    pub(crate) codes: Vec<u32>,
    pub(crate) dictionary: Dictionary,
}

impl ChunkColumn {
    /// Whether not one value is there.
    pub(crate) fn is_missing(&self) -> bool {
        match self {
            ChunkColumn::Number(numbers) => {
                numbers.present.as_ref().is_some_and(|present| present.null_count() == present.len())
            }
            ChunkColumn::Conditional { is_missing, .. } => *is_missing,
            ChunkColumn::Coded(_) => false,
            ChunkColumn::Label(labels) => labels.dictionary.is_empty(),
        }
    }

    /// Lets go of what each row holds: whether there were values, and the dictionary, stay.
    pub(crate) fn let_go(&mut self) {
        let is_missing = self.is_missing();
        match self {
            ChunkColumn::Label(labels) => labels.codes = Vec::new(),
            _ => {
                *self = ChunkColumn::Conditional { numbers: NumberBuilder::default().finish(), is_missing };
            }
        }
    }
}

impl LocalLabels {
    /// The codes, translated into those of `shared`, which gains the labels that are new to it.
    /// Where that has `most` labels already, others are beyond it.
    pub(crate) fn share(mut self, shared: &mut Dictionary, most: usize) -> Vec<u32> {
        let mut code_of = |text: &str| match shared.len() < most {
            true => shared.code_of(text),
            false => shared.get(text).unwrap_or(Labels::BEYOND),
        };
        let shared_codes: Vec<u32> = self.dictionary.iter().map(&mut code_of).collect();
        let same = shared_codes.iter().enumerate().all(|(own, &code)| own as u32 == code);
        if !same {
            for code in &mut self.codes {
                *code = shared_codes.get(*code as usize).copied().unwrap_or(Labels::MISSING);
            }
        }
        self.codes
    }
}

/// Collects a column of a chunk.
#[derive(Debug)]
pub(crate) enum ColumnBuilder {
    Number(NumberBuilder),
    Conditional(ConditionalBuilder),
    Label(LabelBuilder),
}

/// A text that is wanted as a number and is none.
#[derive(Debug)]
pub(crate) struct NotANumber;

impl ColumnBuilder {
    pub(crate) fn with_capacity(kind: WantKind, rows: usize) -> Self {
        match kind {
            WantKind::Number => ColumnBuilder::Number(NumberBuilder::with_capacity(rows)),
            WantKind::Cell => ColumnBuilder::Number(NumberBuilder::of_cells(rows)),
            WantKind::Label => ColumnBuilder::Label(LabelBuilder::with_capacity(rows)),
        }
    }

    /// A builder that is told after each row whether the row counts, if that is asked of the slot.
    pub(crate) fn of_slot(slot: &Slot, rows: usize) -> Self {
        match &slot.condition {
            None => ColumnBuilder::with_capacity(slot.kind, rows),
            Some(_) => ColumnBuilder::Conditional(ConditionalBuilder::with_capacity(rows)),
        }
    }

    /// Adds what a field of a text file says.
    pub(crate) fn push_text(&mut self, text: &str) -> Result<(), NotANumber> {
        match self {
            ColumnBuilder::Label(labels) => labels.push(text),
            ColumnBuilder::Number(numbers) => return numbers.push_text(text),
            ColumnBuilder::Conditional(builder) => match number::parse(text) {
                Parsed::Value(value) => builder.push(value),
                Parsed::Missing => builder.numbers.push_missing(),
                Parsed::NotANumber => return Err(NotANumber),
            },
        }
        Ok(())
    }

    /// Adds a value that is not what it should be: an error, at once or if the row turns out to count.
    pub(crate) fn push_fault(&mut self, error: Error) -> Result<(), Error> {
        let ColumnBuilder::Conditional(builder) = self else { return Err(error) };
        builder.push(f64::NAN);
        builder.fault = Some(error);
        Ok(())
    }

    pub(crate) fn push_missing(&mut self) {
        match self {
            ColumnBuilder::Number(numbers) => numbers.push_missing(),
            ColumnBuilder::Conditional(builder) => builder.numbers.push_missing(),
            ColumnBuilder::Label(labels) => labels.push_missing(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            ColumnBuilder::Number(numbers) => numbers.values.len(),
            ColumnBuilder::Conditional(builder) => builder.numbers.values.len(),
            ColumnBuilder::Label(labels) => labels.labels.codes.len(),
        }
    }

    pub(crate) fn finish(self) -> ChunkColumn {
        match self {
            ColumnBuilder::Number(numbers) => ChunkColumn::Number(numbers.finish()),
            ColumnBuilder::Conditional(builder) => {
                ChunkColumn::Conditional { is_missing: !builder.is_seen, numbers: builder.numbers.finish() }
            }
            ColumnBuilder::Label(labels) => ChunkColumn::Label(labels.finish()),
        }
    }
}

/// Collects the numbers of a chunk.
#[derive(Debug, Default)]
pub(crate) struct NumberBuilder {
    values: Vec<f64>,
    missing: Vec<usize>,
    /// The texts met instead of numbers, where they are allowed.
    strays: Option<Vec<Stray>>,
}

impl NumberBuilder {
    pub(crate) fn with_capacity(rows: usize) -> Self {
        NumberBuilder { values: Vec::with_capacity(rows), ..Self::default() }
    }

    /// A builder that takes texts for missing numbers and lists them.
    pub(crate) fn of_cells(rows: usize) -> Self {
        NumberBuilder { strays: Some(Vec::new()), ..Self::with_capacity(rows) }
    }

    /// Adds what a text says.
    pub(crate) fn push_text(&mut self, text: &str) -> Result<(), NotANumber> {
        match number::parse(text) {
            Parsed::Value(value) => self.push(value),
            Parsed::Missing => self.push_missing(),
            Parsed::NotANumber => {
                let strays = self.strays.as_mut().ok_or(NotANumber)?;
                strays.push(Stray { row: self.values.len(), text: text.trim_ascii().into() });
                self.push_missing();
            }
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn push(&mut self, value: f64) {
        self.values.push(value);
    }

    pub(crate) fn push_missing(&mut self) {
        self.missing.push(self.values.len());
        self.values.push(f64::NAN);
    }

    pub(crate) fn finish(self) -> Numbers {
        let n_rows = self.values.len();
        let present = (!self.missing.is_empty()).then(|| {
            let mut present = vec![true; n_rows];
            self.missing.iter().for_each(|&row| present[row] = false);
            NullBuffer::from(present)
        });
        Numbers { strays: self.strays.unwrap_or_default(), ..Numbers::new(self.values, present) }
    }
}

/// Collects numbers that count on some rows only, which is known at the end of each row.
#[derive(Debug, Default)]
pub(crate) struct ConditionalBuilder {
    numbers: NumberBuilder,
    /// What is wrong with the last value.
    fault: Option<Error>,
    is_seen: bool,
}

impl ConditionalBuilder {
    fn with_capacity(rows: usize) -> Self {
        ConditionalBuilder { numbers: NumberBuilder::with_capacity(rows), ..Self::default() }
    }

    pub(crate) fn push(&mut self, value: f64) {
        self.numbers.push(value);
        self.is_seen = true;
    }

    /// Keeps the last value, or makes it zero if its row does not count.
    pub(crate) fn settle(&mut self, counts: bool) -> Result<(), Error> {
        let fault = self.fault.take();
        if counts {
            return fault.map_or(Ok(()), Err);
        }
        let NumberBuilder { values, missing, .. } = &mut self.numbers;
        let popped = values.pop();
        missing.pop_if(|row| *row == values.len());
        values.extend(popped.map(|_| 0.0));
        Ok(())
    }
}

/// Collects the labels of a chunk. A label that was met recently costs one comparison.
#[derive(Debug, Default)]
pub(crate) struct LabelBuilder {
    labels: LocalLabels,
    /// Made when they are first needed: a table may have a million columns.
    recent: Option<Box<Recent>>,
    recent_long: Option<Box<RecentLong>>,
}

impl LabelBuilder {
    pub(crate) fn with_capacity(rows: usize) -> Self {
        let labels = LocalLabels { codes: Vec::with_capacity(rows), ..LocalLabels::default() };
        LabelBuilder { labels, ..LabelBuilder::default() }
    }

    /// Adds the label that was last added under this key.
    #[inline]
    pub(crate) fn push_recent(&mut self, key: u64) -> bool {
        let code = self.recent.as_ref().and_then(|recent| recent.get(key));
        if let Some(code) = code {
            self.labels.codes.push(code);
        }
        code.is_some()
    }

    /// Adds a label and remembers it under a key that stands for it and for no other.
    pub(crate) fn push_keyed(&mut self, key: u64, text: &str) {
        let code = self.code_of(text);
        self.recent.get_or_insert_default().put(key, code);
        self.labels.codes.push(code);
    }

    /// Adds a label of eight to sixteen bytes, which its ends tell from all others; `text` is asked for if it is new.
    #[inline]
    pub(crate) fn push_long<'t>(&mut self, ends: LongKey, text: impl FnOnce() -> &'t str) {
        let known = self.recent_long.as_ref().and_then(|recent| recent.get(&ends));
        let code = known.unwrap_or_else(|| {
            let code = self.code_of(text());
            self.recent_long.get_or_insert_default().put(ends, code);
            code
        });
        self.labels.codes.push(code);
    }

    /// Adds a label; an empty one is missing.
    pub(crate) fn push(&mut self, text: &str) {
        let code = self.code_of(text);
        self.labels.codes.push(code);
    }

    pub(crate) fn push_missing(&mut self) {
        self.labels.codes.push(Labels::MISSING);
    }

    /// Whether each of the labels added last satisfies.
    #[inline]
    pub(crate) fn last_satisfying(
        &self,
        n_rows: usize,
        verdicts: &mut Verdicts,
    ) -> impl Iterator<Item = bool> {
        let LocalLabels { codes, dictionary } = &self.labels;
        let first = codes.len().saturating_sub(n_rows);
        codes[first..].iter().map(move |&code| verdicts.of(code, dictionary))
    }

    /// Whether the label added last satisfies.
    #[inline]
    pub(crate) fn last_satisfies(&self, verdicts: &mut Verdicts) -> bool {
        let LocalLabels { codes, dictionary } = &self.labels;
        codes.last().is_some_and(|&code| verdicts.of(code, dictionary))
    }

    pub(crate) fn finish(self) -> LocalLabels {
        self.labels
    }

    #[inline]
    fn code_of(&mut self, text: &str) -> u32 {
        if text.is_empty() {
            return Labels::MISSING;
        }
        let LocalLabels { codes, dictionary } = &mut self.labels;
        let last = codes.last().copied().filter(|&code| dictionary.text(code) == Some(text));
        last.unwrap_or_else(|| dictionary.code_of(text))
    }
}

/// The codes of the keys met last: a cache with one place for each of sixteen hashes.
#[derive(Debug)]
struct Recent {
    entries: [(u64, u32); 16],
}

impl Recent {
    /// A code that no label has: the dictionary would have to hold four thousand million.
    const VACANT: u32 = u32::MAX - 1;

    #[inline]
    fn place(key: u64) -> usize {
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 60) as usize
    }

    #[inline]
    fn get(&self, key: u64) -> Option<u32> {
        let (known, code) = self.entries[Self::place(key)];
        (known == key && code != Self::VACANT).then_some(code)
    }

    fn put(&mut self, key: u64, code: u32) {
        self.entries[Self::place(key)] = (key, code);
    }
}

impl Default for Recent {
    fn default() -> Self {
        Recent { entries: [(0, Self::VACANT); 16] }
    }
}

/// The first and the last eight bytes of a label, which may overlap, and its length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LongKey {
    pub(crate) first: u64,
    pub(crate) last: u64,
    pub(crate) length: u32,
}

/// The same for labels of eight to sixteen bytes.
#[derive(Debug)]
struct RecentLong {
    entries: [(LongKey, u32); 16],
}

impl RecentLong {
    #[inline]
    fn place(key: &LongKey) -> usize {
        Recent::place(key.first ^ key.last.rotate_left(29) ^ u64::from(key.length))
    }

    #[inline]
    fn get(&self, key: &LongKey) -> Option<u32> {
        let (known, code) = self.entries[Self::place(key)];
        (known == *key && code != Recent::VACANT).then_some(code)
    }

    fn put(&mut self, key: LongKey, code: u32) {
        self.entries[Self::place(&key)] = (key, code);
    }
}

impl Default for RecentLong {
    fn default() -> Self {
        RecentLong { entries: [(LongKey::default(), Recent::VACANT); 16] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_share_one_dictionary_in_order_of_delivery() {
        let chunk = |texts: &[&str]| {
            let mut builder = LabelBuilder::default();
            texts.iter().for_each(|text| builder.push(text));
            builder.finish()
        };
        let mut shared = Dictionary::default();
        assert_eq!(chunk(&["no", "yes", "no"]).share(&mut shared, 9), [0, 1, 0]);
        assert_eq!(chunk(&["yes", "", "maybe"]).share(&mut shared, 9), [1, Labels::MISSING, 2]);
        assert_eq!(shared.iter().collect::<Vec<_>>(), ["no", "yes", "maybe"]);
    }

    #[test]
    fn keys_that_share_a_place_do_not_share_a_code() {
        let mut builder = LabelBuilder::default();
        for round in 0..3 {
            for key in 0..100 {
                let known = builder.push_recent(key);
                assert!(!(round == 0 && known));
                if !known {
                    builder.push_keyed(key, &key.to_string());
                }
            }
        }
        let labels = builder.finish();
        assert!(labels.codes.iter().enumerate().all(|(row, &code)| code as usize == row % 100));
    }

    #[test]
    fn missing_numbers_are_marked() {
        let mut builder = NumberBuilder::default();
        builder.push(1.0);
        builder.push_missing();
        let numbers = builder.finish();
        assert_eq!([0, 1].map(|row| numbers.get(row)), [Some(1.0), None]);
    }
}
