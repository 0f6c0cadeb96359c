//! The rows of a block of CSV, turned into columns.
//!
//! Only wanted fields are looked into; the others are passed over. A number is parsed where it stands, without
//! looking for its end first, and a short label is one machine word that is looked up among those met last. A
//! block without quotes, which is nearly every block, is parsed by code from which the quotes are compiled out.

use std::sync::Arc;

use crate::chunk::{Chunk, ColumnBuilder, NotANumber};
use crate::csv::fields::{
    Dialect, field_ends, field_text, opening_quote, plain_end, quoted_at, split_row, word_at,
};
use crate::error::{Error, ErrorKind};
use crate::file_table::Slot;
use crate::place::{LineMap, Location, Unit};
use crate::table::WantKind;
use crate::text::number;
use crate::text::{count_lines, decode};

/// What to do with each field of a row.
#[derive(Debug)]
pub(crate) struct RowPlan<'a> {
    pub(crate) file: Arc<str>,
    pub(crate) dialect: Dialect,
    steps: Vec<Step>,
    slots: &'a [Slot],
}

#[derive(Clone, Debug)]
enum Step {
    Skip,
    Number(usize),
    Label(usize),
    /// A column that is wanted more than once.
    Several(Vec<usize>),
}

impl<'a> RowPlan<'a> {
    pub(crate) fn new(file: &Arc<str>, dialect: Dialect, n_columns: usize, slots: &'a [Slot]) -> Self {
        let step = |column| {
            let wanted: Vec<usize> =
                (0..slots.len()).filter(|&idx| slots[idx].column == Some(column)).collect();
            match wanted[..] {
                [] => Step::Skip,
                [idx] if slots[idx].kind == WantKind::Number => Step::Number(idx),
                [idx] => Step::Label(idx),
                _ => Step::Several(wanted),
            }
        };
        RowPlan { file: file.clone(), dialect, steps: (0..n_columns).map(step).collect(), slots }
    }

    /// Parses a block of whole rows, each ended by a line feed.
    pub(crate) fn parse(&self, block: &[u8]) -> Result<Chunk, Error> {
        if self.dialect.is_plain(block) {
            self.parse_as::<false>(block)
        } else {
            self.parse_as::<true>(block)
        }
    }

    fn parse_as<const QUOTED: bool>(&self, block: &[u8]) -> Result<Chunk, Error> {
        let text = decode(block, &self.file)?;
        let mut rows = Rows::<QUOTED>::new(self, text);
        rows.parse()?;
        Ok(rows.finish())
    }
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
}

/// A field that is wanted as a number and is none.
struct Fault {
    slot: usize,
    start: usize,
    end: usize,
}

impl<'a, const QUOTED: bool> Rows<'a, QUOTED> {
    fn new(plan: &'a RowPlan<'a>, text: &'a str) -> Self {
        let capacity = expected_rows(text.as_bytes());
        let builder = |slot: &Slot| ColumnBuilder::with_capacity(slot.kind, capacity);
        let columns = plan.slots.iter().map(builder).collect();
        Rows { plan, dialect: plan.dialect, text, n_rows: 0, line: 0, lines: LineMap::default(), columns }
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
        let plan = self.plan;
        let mut pos = start;
        for (column, step) in plan.steps.iter().enumerate() {
            let end = match self.field(step, pos) {
                Ok(end) => end,
                Err(fault) => return Err(self.not_a_number(start, first_line, fault)),
            };
            let is_line_end = self.text.as_bytes().get(end) != Some(&self.dialect.delimiter);
            if is_line_end != (column + 1 == plan.steps.len()) {
                return Err(self.ragged(start, first_line));
            }
            pos = end + 1;
        }
        self.n_rows += 1;
        Ok(pos)
    }

    /// Takes in the field at `pos` and returns where it ends.
    #[inline]
    fn field(&mut self, step: &Step, pos: usize) -> Result<usize, Fault> {
        match step {
            Step::Skip => Ok(self.end_of(pos)),
            Step::Number(slot) => self.number(*slot, pos),
            Step::Label(slot) => Ok(self.label(*slot, pos)),
            Step::Several(slots) => {
                let end = self.end_of(pos);
                slots.iter().try_for_each(|&slot| self.take(slot, pos, end)).map(|()| end)
            }
        }
    }

    #[inline]
    fn number(&mut self, slot: usize, pos: usize) -> Result<usize, Fault> {
        let rest = &self.text.as_bytes()[pos..];
        if let Ok((value, used)) = fast_float2::parse_partial::<f64, _>(rest) {
            let end = match rest[used..] {
                [b'\n', ..] => Some(used),
                [b'\r', b'\n', ..] => Some(used + 1),
                [byte, ..] if byte == self.dialect.delimiter => Some(used),
                _ => None,
            };
            if let (Some(end), ColumnBuilder::Number(numbers)) = (end, &mut self.columns[slot]) {
                numbers.push(value);
                return Ok(pos + end);
            }
        }
        let end = self.end_of(pos);
        self.take(slot, pos, end).map(|()| end)
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
        self.columns[slot].push_text(&text).map_err(|NotANumber| Fault { slot, start, end })
    }

    /// The error for a field that is no number - unless the row is ragged, which would explain it.
    #[cold]
    fn not_a_number(&self, start: usize, line: u64, fault: Fault) -> Error {
        let n_fields = split_row(self.text, start, self.dialect).0.len();
        if n_fields != self.plan.steps.len() {
            return self.ragged(start, line);
        }
        let text = field_text(&self.text[fault.start..fault.end], self.dialect);
        number::not_a_number(&text).at(self.at(line)).in_column(&self.plan.slots[fault.slot].name)
    }

    #[cold]
    fn ragged(&self, start: usize, line: u64) -> Error {
        let expected = self.plan.steps.len();
        let found = split_row(self.text, start, self.dialect).0.len();
        let fields = if found == 1 { "field" } else { "fields" };
        let advice = match found > expected {
            true => "is a field with a delimiter in it missing its quotes?",
            false => "is the row cut short, or the delimiter another one?",
        };
        let problem = format!("the row has {found} {fields}, the header has {expected}");
        Error::new(ErrorKind::RaggedRow, problem).at(self.at(line)).advise(advice)
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
fn expected_rows(bytes: &[u8]) -> usize {
    const LOOK: usize = 4096;
    let n_lines = count_lines(&bytes[..bytes.len().min(LOOK)]) as usize + 1;
    if bytes.len() <= LOOK { n_lines } else { bytes.len() / LOOK * n_lines * 17 / 16 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::ChunkColumn;
    use proptest::prelude::*;

    fn slots() -> Vec<Slot> {
        let slot = |column, kind| Slot { column: Some(column), name: "x".into(), kind };
        vec![
            slot(0, WantKind::Label),
            slot(2, WantKind::Number),
            slot(2, WantKind::Label),
            slot(3, WantKind::Number),
        ]
    }

    fn outcome(chunk: Result<Chunk, Error>) -> Result<String, String> {
        let chunk = chunk.map_err(|error| error.to_string())?;
        let show = |column: &ChunkColumn| match column {
            ChunkColumn::Label(labels) => format!("{labels:?}"),
            ChunkColumn::Number(numbers) => {
                let numbers: Vec<_> = (0..chunk.rows).map(|row| numbers.get(row)).collect();
                format!("{numbers:?}")
            }
        };
        let columns: Vec<String> = chunk.columns.iter().map(show).collect();
        Ok(format!("{} {} {:?} {columns:?}", chunk.rows, chunk.span, chunk.lines))
    }

    /// Both parsers must agree on a block without quotes, errors included.
    fn check(block: &str) {
        let slots = slots();
        let dialect = Dialect { delimiter: b',', quote: Some(b'"') };
        let plan = RowPlan::new(&"a.csv".into(), dialect, 4, &slots);
        let plain = outcome(plan.parse_as::<false>(block.as_bytes()));
        assert_eq!(plain, outcome(plan.parse_as::<true>(block.as_bytes())), "{block:?}");
    }

    #[test]
    fn blocks_without_quotes_parse_the_same_either_way() {
        check("a,b,1,2.5\n\n , ,NA,\r\nlonger than a word,x,1e5, 3 \n");
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
            rows in proptest::collection::vec(proptest::collection::vec(field(), 4..=4), 0..10),
            ends in proptest::collection::vec("\n|\r\n|\n\n", 10),
        ) {
            let block: String = rows.iter().zip(&ends).map(|(row, end)| row.join(",") + end).collect();
            check(&block);
        }
    }
}
