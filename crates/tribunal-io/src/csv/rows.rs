//! The rows of a block of CSV, turned into columns.
//!
//! A regular block is left to [`grid`](super::grid); here every other one is read row by row. Only wanted fields
//! are looked into; the others are passed over. So are numbers on rows where they do not count: at once if the
//! label that decides stands before them, at the end of the row otherwise. A short number is parsed as one machine
//! word or two, a long one where it stands, without looking for its end first; a short label is one machine word
//! that is looked up among those met last. A block without quotes is parsed by code from which the quotes are
//! compiled out.

use std::sync::Arc;

use crate::chunk::{Chunk, ColumnBuilder, NotANumber};
use crate::condition::Verdicts;
use crate::csv::fields::{
    Dialect, field_ends, field_text, opening_quote, plain_end, plain_ends, quoted_at, split_row, word_at,
};
use crate::csv::grid::{Grid, WINDOW};
use crate::error::{Error, ErrorKind};
use crate::file_table::{Slot, SlotCondition};
use crate::place::{LineMap, Location, Unit};
use crate::table::WantKind;
use crate::text::{count_lines, decode};
use crate::text::{decimal, number};

/// What to do with each field of a row.
#[derive(Debug)]
pub(crate) struct RowPlan<'a> {
    pub(crate) file: Arc<str>,
    pub(crate) dialect: Dialect,
    n_columns: usize,
    steps: Vec<Step>,
    slots: &'a [Slot],
    /// The numbers whose label stands after them.
    deferred: Vec<Conditional>,
}

#[derive(Clone, Debug)]
enum Step {
    /// So many columns are not wanted.
    Skip(usize),
    Number(usize),
    /// A number whose label has been read.
    Conditional(Conditional),
    /// A number whose label comes later.
    Deferred(usize),
    Label(usize),
    /// A column that is wanted more than once: these steps, labels first.
    Several(Vec<Step>),
}

/// The slot of a number that counts on some rows, and the slot of the label that decides.
#[derive(Clone, Copy, Debug)]
struct Conditional {
    slot: usize,
    label: usize,
}

impl<'a> RowPlan<'a> {
    pub(crate) fn new(file: &Arc<str>, dialect: Dialect, n_columns: usize, slots: &'a [Slot]) -> Self {
        let mut wanted: Vec<usize> = (0..slots.len()).filter(|&idx| slots[idx].column.is_some()).collect();
        wanted.sort_by_key(|&idx| (slots[idx].column, slots[idx].kind != WantKind::Label));
        let mut wanted = wanted.chunk_by(|&a, &b| slots[a].column == slots[b].column).peekable();
        let mut steps = Vec::new();
        for column in 0..n_columns {
            let of_column = wanted.next_if(|same| slots[same[0]].column == Some(column)).unwrap_or_default();
            match (column_step(of_column, slots), steps.last_mut()) {
                (Step::Skip(_), Some(Step::Skip(n_skipped))) => *n_skipped += 1,
                (step, _) => steps.push(step),
            }
        }
        let conditional = |(slot, found): (usize, &Slot)| {
            let label = found.condition.as_ref()?.label;
            (slots[label].column > found.column).then_some(Conditional { slot, label })
        };
        let deferred = slots.iter().enumerate().filter_map(conditional).collect();
        RowPlan { file: file.clone(), dialect, n_columns, steps, slots, deferred }
    }

    /// Parses a block of whole rows, each ended by a line feed.
    pub(crate) fn parse(&self, block: &[u8]) -> Result<Chunk, Error> {
        if !self.dialect.is_plain(block) {
            return self.parse_as::<true>(block);
        }
        match self.parse_regular(block, WINDOW)? {
            Some(chunk) => Ok(chunk),
            None => self.parse_as::<false>(block),
        }
    }

    /// Parses a block without quotes column by column; `None` if it is not regular.
    fn parse_regular(&self, block: &[u8], window: usize) -> Result<Option<Chunk>, Error> {
        let text = decode(block, &self.file)?;
        let grid = Grid::new(text, self.dialect.delimiter, self.n_columns);
        Ok(grid.and_then(|grid| grid.read(self.slots, expected_rows(block, self.n_columns), window)))
    }

    fn parse_as<const QUOTED: bool>(&self, block: &[u8]) -> Result<Chunk, Error> {
        let text = decode(block, &self.file)?;
        let mut rows = Rows::<QUOTED>::new(self, text);
        rows.parse()?;
        Ok(rows.finish())
    }
}

/// What to do with a column that these slots want, labels first.
fn column_step(wanted: &[usize], slots: &[Slot]) -> Step {
    match *wanted {
        [] => Step::Skip(1),
        [slot] => slot_step(slot, slots),
        _ => Step::Several(wanted.iter().map(|&slot| slot_step(slot, slots)).collect()),
    }
}

fn slot_step(slot: usize, slots: &[Slot]) -> Step {
    match (slots[slot].kind, &slots[slot].condition) {
        (WantKind::Label, _) => Step::Label(slot),
        (WantKind::Cell, _) | (WantKind::Number, None) => Step::Number(slot),
        (WantKind::Number, &Some(SlotCondition { label, .. }))
            if slots[label].column > slots[slot].column =>
        {
            Step::Deferred(slot)
        }
        (WantKind::Number, &Some(SlotCondition { label, .. })) => {
            Step::Conditional(Conditional { slot, label })
        }
    }
}

/// The error for a row that has more or fewer fields than the header.
pub(crate) fn ragged(expected: usize, found: usize, at: Location) -> Error {
    let fields = if found == 1 { "field" } else { "fields" };
    let advice = match found > expected {
        true => "is a field with a delimiter in it missing its quotes?",
        false => "is the row cut short, or the delimiter another one?",
    };
    let problem = format!("the row has {found} {fields}, the header has {expected}");
    Error::new(ErrorKind::RaggedRow, problem).at(at).advise(advice)
}

/// A block on its way to becoming a chunk.
struct Rows<'a, const QUOTED: bool> {
    plan: &'a RowPlan<'a>,
    dialect: Dialect,
    text: &'a str,
    n_rows: usize,
    line: u64,
    lines: LineMap,
    columns: Vec<ColumnBuilder>,
    /// The verdicts on the labels that decide, for each conditional slot.
    verdicts: Vec<Option<Verdicts>>,
    /// Where the field of each deferred slot begins and ends.
    fields: Vec<(usize, usize)>,
}

/// What is wrong with a row.
enum Fault {
    /// A field that is wanted as a number and is none.
    NotANumber { slot: usize, start: usize, end: usize },
    /// There are too few or too many fields.
    Ragged,
}

impl<'a, const QUOTED: bool> Rows<'a, QUOTED> {
    fn new(plan: &'a RowPlan<'a>, text: &'a str) -> Self {
        let capacity = expected_rows(text.as_bytes(), plan.n_columns);
        let builder = |slot: &Slot| ColumnBuilder::with_capacity(slot.kind, capacity);
        let columns = plan.slots.iter().map(builder).collect();
        let verdicts =
            |slot: &Slot| slot.condition.as_ref().map(|condition| Verdicts::new(&condition.predicate));
        Rows {
            plan,
            dialect: plan.dialect,
            text,
            n_rows: 0,
            line: 0,
            lines: LineMap::default(),
            columns,
            verdicts: plan.slots.iter().map(verdicts).collect(),
            fields: vec![(0, 0); plan.slots.len()],
        }
    }

    fn parse(&mut self) -> Result<(), Error> {
        let bytes = self.text.as_bytes();
        let mut pos = 0;
        while pos < bytes.len() {
            match bytes[pos..] {
                [b'\n', ..] => pos += 1,
                [b'\r', b'\n', ..] => pos += 2,
                _ => pos = self.row(pos)?,
            }
            self.line += 1;
        }
        Ok(())
    }

    /// Parses the row at `start` and returns where the next begins.
    #[inline]
    fn row(&mut self, start: usize) -> Result<usize, Error> {
        self.lines.note(self.n_rows, self.line);
        let first_line = self.line;
        let next = self.steps(start).map_err(|fault| self.error(start, first_line, fault))?;
        self.n_rows += 1;
        Ok(next)
    }

    #[inline]
    fn steps(&mut self, start: usize) -> Result<usize, Fault> {
        let plan = self.plan;
        let mut pos = start;
        for (step_idx, step) in plan.steps.iter().enumerate() {
            let end = self.field(step, pos)?;
            if self.is_delimiter(end) == (step_idx + 1 == plan.steps.len()) {
                return Err(Fault::Ragged);
            }
            pos = end + 1;
        }
        for &conditional in &plan.deferred {
            self.settle(conditional)?;
        }
        Ok(pos)
    }

    #[inline]
    fn is_delimiter(&self, pos: usize) -> bool {
        self.text.as_bytes().get(pos) == Some(&self.dialect.delimiter)
    }

    /// Takes in the field at `pos` and returns where it ends.
    #[inline]
    fn field(&mut self, step: &Step, pos: usize) -> Result<usize, Fault> {
        match step {
            Step::Number(slot) => self.number(*slot, pos),
            Step::Label(slot) => Ok(self.label(*slot, pos)),
            Step::Conditional(conditional) if self.counts(*conditional) => self.number(conditional.slot, pos),
            Step::Conditional(conditional) => {
                self.push_zero(conditional.slot);
                Ok(self.end_of(pos))
            }
            Step::Deferred(slot) => {
                let end = self.end_of(pos);
                self.fields[*slot] = (pos, end);
                Ok(end)
            }
            Step::Skip(n_fields) => self.skip(*n_fields, pos),
            Step::Several(steps) => self.several(steps, pos),
        }
    }

    /// Passes over fields and returns where the last of them ends.
    #[inline]
    fn skip(&mut self, n_fields: usize, pos: usize) -> Result<usize, Fault> {
        if !QUOTED {
            let end = plain_ends(self.text.as_bytes(), pos, n_fields, self.dialect.delimiter);
            return end.ok_or(Fault::Ragged);
        }
        let mut end = self.end_of(pos);
        for _ in 1..n_fields {
            if !self.is_delimiter(end) {
                return Err(Fault::Ragged);
            }
            end = self.end_of(end + 1);
        }
        Ok(end)
    }

    /// Takes in a field that is wanted more than once.
    fn several(&mut self, steps: &[Step], pos: usize) -> Result<usize, Fault> {
        let end = self.end_of(pos);
        for step in steps {
            match step {
                Step::Deferred(slot) => self.fields[*slot] = (pos, end),
                Step::Conditional(conditional) if !self.counts(*conditional) => {
                    self.push_zero(conditional.slot);
                }
                Step::Number(slot) | Step::Label(slot) | Step::Conditional(Conditional { slot, .. }) => {
                    self.take(*slot, pos, end)?;
                }
                Step::Skip(_) | Step::Several(_) => {}
            }
        }
        Ok(end)
    }

    /// Takes in a number whose label came after it.
    #[inline]
    fn settle(&mut self, conditional: Conditional) -> Result<(), Fault> {
        if !self.counts(conditional) {
            self.push_zero(conditional.slot);
            return Ok(());
        }
        let (start, end) = self.fields[conditional.slot];
        match (self.short_number(start), &mut self.columns[conditional.slot]) {
            (Some((value, _)), ColumnBuilder::Number(numbers)) => {
                numbers.push(value);
                Ok(())
            }
            _ => self.take(conditional.slot, start, end),
        }
    }

    /// Whether the number of this row counts, its label having been read.
    #[inline]
    fn counts(&mut self, Conditional { slot, label }: Conditional) -> bool {
        match (&self.columns[label], &mut self.verdicts[slot]) {
            (ColumnBuilder::Label(labels), Some(verdicts)) => labels.last_satisfies(verdicts),
            _ => false,
        }
    }

    #[inline]
    fn push_zero(&mut self, slot: usize) {
        if let ColumnBuilder::Number(numbers) = &mut self.columns[slot] {
            numbers.push(0.0);
        }
    }

    #[inline]
    fn number(&mut self, slot: usize, pos: usize) -> Result<usize, Fault> {
        let found = self.short_number(pos).or_else(|| self.long_number(pos));
        if let (Some((value, end)), ColumnBuilder::Number(numbers)) = (found, &mut self.columns[slot]) {
            numbers.push(value);
            return Ok(end);
        }
        let end = self.end_of(pos);
        self.take(slot, pos, end).map(|()| end)
    }

    /// The number at `pos` and where it ends, if it is a plain decimal of less than sixteen bytes.
    #[inline]
    fn short_number(&self, pos: usize) -> Option<(f64, usize)> {
        let bytes = self.text.as_bytes();
        let word = word_at(bytes, pos)?;
        let ends = field_ends(word, self.dialect.delimiter);
        if ends != 0 {
            let length = ends.trailing_zeros() as usize / 8;
            return decimal::of_word(word, ends).map(|value| (value, pos + length));
        }
        let second = word_at(bytes, pos + 8)?;
        let ends = field_ends(second, self.dialect.delimiter);
        if ends == 0 {
            return None;
        }
        let length = 8 + ends.trailing_zeros() / 8;
        let words = u128::from(word) | u128::from(second) << 64;
        decimal::of_two_words(words, length).map(|value| (value, pos + length as usize))
    }

    /// The number at `pos`, whatever its length, and where it ends.
    #[inline]
    fn long_number(&self, pos: usize) -> Option<(f64, usize)> {
        let rest = &self.text.as_bytes()[pos..];
        let (value, used) = fast_float2::parse_partial::<f64, _>(rest).ok()?;
        let end = match rest[used..] {
            [b'\n', ..] => used,
            [b'\r', b'\n', ..] => used + 1,
            [byte, ..] if byte == self.dialect.delimiter => used,
            _ => return None,
        };
        Some((value, pos + end))
    }

    #[inline]
    fn label(&mut self, slot: usize, pos: usize) -> usize {
        let bytes = self.text.as_bytes();
        let short = word_at(bytes, pos).and_then(|word| self.short_key(word));
        if let (Some((key, length)), ColumnBuilder::Label(labels)) = (short, &mut self.columns[slot]) {
            let end = pos + length;
            if !labels.push_recent(key) {
                labels.push_keyed(key, self.text[pos..end].trim_ascii());
            }
            return end;
        }
        if let Some(end) = self.quoted_label(slot, pos) {
            return end;
        }
        let end = self.end_of(pos);
        // A label is never a fault.
        let _ = self.take(slot, pos, end);
        end
    }

    /// Takes in a label that is quoted and nothing more: no doubled quotes, nothing between quote and delimiter.
    #[inline]
    fn quoted_label(&mut self, slot: usize, pos: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        if !QUOTED || bytes.get(pos).copied() != self.dialect.quote {
            return None;
        }
        let quoted = quoted_at(bytes, pos).filter(|quoted| !quoted.is_doubled)?;
        let end = quoted.close + 1;
        let is_end = bytes.get(end).is_some_and(|&byte| byte == b'\n' || byte == self.dialect.delimiter);
        let ColumnBuilder::Label(labels) = self.columns.get_mut(slot).filter(|_| is_end)? else {
            return None;
        };
        labels.push(&self.text[quoted.start..quoted.close]);
        self.line += quoted.n_lines;
        Some(end)
    }

    /// An unquoted field of less than eight bytes as a number of its own, and its length.
    #[inline]
    fn short_key(&self, word: u64) -> Option<(u64, usize)> {
        let ends = field_ends(word, self.dialect.delimiter);
        let first = word as u8;
        if ends == 0 || (QUOTED && (Some(first) == self.dialect.quote || first == b' ' || first == b'\t')) {
            return None;
        }
        let length = ends.trailing_zeros() / 8;
        let letters = word & ((1 << (8 * length)) - 1);
        Some((letters | u64::from(length) << 56, length as usize))
    }

    /// Where the field at `pos` ends; line ends inside it are counted.
    #[inline]
    fn end_of(&mut self, pos: usize) -> usize {
        let bytes = self.text.as_bytes();
        if QUOTED && let Some(open) = opening_quote(bytes, pos, self.dialect) {
            let Some(quoted) = quoted_at(bytes, open) else { return bytes.len() };
            self.line += quoted.n_lines;
            return plain_end(bytes, quoted.close + 1, self.dialect.delimiter);
        }
        plain_end(bytes, pos, self.dialect.delimiter)
    }

    /// Adds the field between `start` and `end` to a column.
    fn take(&mut self, slot: usize, start: usize, end: usize) -> Result<(), Fault> {
        let text = field_text(&self.text[start..end], self.dialect);
        self.columns[slot].push_text(&text).map_err(|NotANumber| Fault::NotANumber { slot, start, end })
    }

    /// The error for a field that is no number - unless the row is ragged, which would explain it.
    #[cold]
    fn error(&self, start: usize, line: u64, fault: Fault) -> Error {
        let n_fields = split_row(self.text, start, self.dialect).0.len();
        match fault {
            Fault::NotANumber { slot, start, end } if n_fields == self.plan.n_columns => {
                let text = field_text(&self.text[start..end], self.dialect);
                number::not_a_number(&text).at(self.at(line)).in_column(&self.plan.slots[slot].name)
            }
            _ => ragged(self.plan.n_columns, n_fields, self.at(line)),
        }
    }

    fn at(&self, line: u64) -> Location {
        Location::new(&self.plan.file, Unit::Line, line + 1)
    }

    fn finish(self) -> Chunk {
        let columns = self.columns.into_iter().map(ColumnBuilder::finish).collect();
        Chunk { rows: self.n_rows, span: self.line, bytes: 0, lines: self.lines, columns }
    }
}

/// How many rows a block has, guessed from its beginning with some to spare.
fn expected_rows(bytes: &[u8], n_columns: usize) -> usize {
    const LOOK: usize = 4096;
    let n_lines = count_lines(&bytes[..bytes.len().min(LOOK)]) as usize + 1;
    let expected = if bytes.len() <= LOOK { n_lines } else { bytes.len() / LOOK * n_lines * 17 / 16 };
    // Each field has a byte behind it: of a million columns there are few rows, however few lines were seen.
    expected.min(bytes.len() / n_columns.max(1) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::ChunkColumn;
    use crate::condition::Predicate;
    use proptest::prelude::*;

    fn slots() -> Vec<Slot> {
        let slot = |column, kind| Slot { column: Some(column), name: "x".into(), kind, condition: None };
        let conditional = |column, label| Slot {
            condition: Some(SlotCondition { label, predicate: Predicate::new(|text| text.len() < 3) }),
            ..slot(column, WantKind::Number)
        };
        vec![
            slot(0, WantKind::Label),
            slot(2, WantKind::Number),
            slot(2, WantKind::Label),
            slot(3, WantKind::Number),
            slot(1, WantKind::Cell),
            conditional(3, 0),
            conditional(1, 0),
            conditional(1, 2),
            conditional(4, 2),
            conditional(2, 2),
        ]
    }

    fn outcome(chunk: Result<Chunk, Error>) -> Result<String, String> {
        let chunk = chunk.map_err(|error| error.to_string())?;
        let show = |column: &ChunkColumn| match column {
            ChunkColumn::Coded(_) => unreachable!("a text has no codes"),
            ChunkColumn::Label(labels) => format!("{labels:?}"),
            ChunkColumn::Number(numbers) | ChunkColumn::Conditional { numbers, .. } => {
                let numbers: Vec<_> = (0..chunk.rows).map(|row| numbers.get(row)).collect();
                format!("{numbers:?}")
            }
        };
        let columns: Vec<String> = chunk.columns.iter().map(show).collect();
        Ok(format!("{} {} {:?} {columns:?}", chunk.rows, chunk.span, chunk.lines))
    }

    /// All parsers must agree on a block without quotes, errors included.
    fn check(block: &str) {
        let slots = slots();
        let dialect = Dialect { delimiter: b',', quote: Some(b'"') };
        let plan = RowPlan::new(&"a.csv".into(), dialect, 8, &slots);
        let plain = outcome(plan.parse_as::<false>(block.as_bytes()));
        assert_eq!(plain, outcome(plan.parse_as::<true>(block.as_bytes())), "{block:?}");
        assert_eq!(plain, outcome(plan.parse(block.as_bytes())), "{block:?}");
        let regular =
            plan.parse_regular(block.as_bytes(), 8).map(|chunk| chunk.map(|chunk| outcome(Ok(chunk))));
        assert!(regular.is_ok_and(|chunk| chunk.is_none_or(|chunk| chunk == plain)), "{block:?}");
    }

    #[test]
    fn blocks_without_quotes_parse_the_same_either_way() {
        check("a,7,1,2.5,3,,,\n\n , ,NA,,x,a,b,\r\nlonger than a word,x,1e5, 3 ,x,y,z,\n");
        check("a,b,1\n");
        check("a,b,c,d\n");
    }

    fn field() -> impl Strategy<Value = String> {
        prop_oneof![
            "[ab ]{0,10}",
            "-?[0-9]{1,18}(\\.[0-9]{0,18})?(e-?[0-9]{1,2})?",
            "NA|nan|inf|",
            " ?[0-9]{1,3} ?"
        ]
    }

    proptest! {
        #[test]
        fn any_block_without_quotes_parses_the_same_either_way(
            rows in proptest::collection::vec(proptest::collection::vec(field(), 8..=8), 0..10),
            ends in proptest::collection::vec("\n|\r\n|\n\n", 10),
        ) {
            let block: String = rows.iter().zip(&ends).map(|(row, end)| row.join(",") + end).collect();
            check(&block);
        }
    }
}
