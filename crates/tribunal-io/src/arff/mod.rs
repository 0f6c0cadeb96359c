//! ARFF, the format of WEKA: dense and sparse rows, nominal, numeric, string and date attributes.
//!
//! Follows the description in Witten, Frank & Hall (2011), *Data Mining*, 3rd edition, section 2.4. Weights of
//! instances are refused rather than ignored.

mod header;
mod token;

use std::sync::Arc;

use crate::chunk::{ColumnBuilder, NotANumber};
use crate::error::{Error, ErrorKind, quoted};
use crate::file_table::{FileTable, Jobs, Slot};
use crate::nearest::did_you_mean;
use crate::place::Unit;
use crate::source::Input;
use crate::table::{ColumnInfo, Holds};
use crate::text::blocks::{cut_at_lines, jobs_of};
use crate::text::lines::{Line, parse_lines};
use crate::text::{BYTE_ORDER_MARK, decode, extend, number};
use header::{Attribute, AttributeKind, malformed};
use token::{Token, Unclosed, token};

/// An ARFF file whose header has been read.
pub(crate) struct ArffTable {
    input: Input,
    columns: Vec<ColumnInfo>,
    attributes: Vec<Attribute>,
    header_bytes: u64,
    header_lines: u64,
}

impl ArffTable {
    pub(crate) fn open(input: &Input, sample: &[u8]) -> Result<Self, Error> {
        let sample = extend(input, sample, header::is_complete)?;
        let mark = if sample.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        let text = decode_start(&sample[mark..], input.name())?;
        let header = header::parse(text, input.name())?;
        Ok(ArffTable {
            input: input.clone(),
            columns: header.attributes.iter().map(describe).collect(),
            attributes: header.attributes,
            header_bytes: (mark + header.bytes) as u64,
            header_lines: header.lines,
        })
    }
}

/// The part of a sample that is UTF-8, if that holds the header: its end may be cut within a letter.
fn decode_start<'a>(sample: &'a [u8], file: &Arc<str>) -> Result<&'a str, Error> {
    match std::str::from_utf8(sample) {
        Ok(text) => Ok(text),
        Err(error) if header::is_complete(&sample[..error.valid_up_to()]) => {
            decode(&sample[..error.valid_up_to()], file)
        }
        Err(_) => decode(sample, file),
    }
}

fn describe(attribute: &Attribute) -> ColumnInfo {
    let holds = match attribute.kind {
        AttributeKind::Numeric => Holds::Numbers,
        AttributeKind::Nominal { .. } | AttributeKind::Text => Holds::Texts,
        AttributeKind::Date => Holds::Dates,
    };
    ColumnInfo { name: attribute.name.clone(), holds }
}

impl FileTable for ArffTable {
    fn name(&self) -> &Arc<str> {
        self.input.name()
    }

    fn columns(&self) -> &[ColumnInfo] {
        &self.columns
    }

    fn unit(&self) -> Unit {
        Unit::Line
    }

    fn lines_before(&self) -> u64 {
        self.header_lines
    }

    fn jobs<'a>(&'a self, slots: &'a [Slot]) -> Jobs<'a> {
        let mut slots_of = vec![Vec::new(); self.attributes.len()];
        for (idx, slot) in slots.iter().enumerate() {
            slot.column.into_iter().for_each(|column| slots_of[column].push(idx));
        }
        let rows = Arc::new(Rows { attributes: &self.attributes, slots: slots_of });
        let parse = move |block: &[u8]| {
            parse_lines(block, slots, self.name(), |line, columns| {
                rows.parse_line(line.trim_ascii(), columns)
            })
        };
        jobs_of(&self.input, self.header_bytes, cut_at_lines, parse)
    }
}

/// What to do with the values of a row.
struct Rows<'a> {
    attributes: &'a [Attribute],
    /// The places of a batch that each attribute goes to.
    slots: Vec<Vec<usize>>,
}

impl Rows<'_> {
    fn parse_line(&self, line: &str, columns: &mut [ColumnBuilder]) -> Result<Line, Error> {
        match line.as_bytes().first() {
            None | Some(b'%') => return Ok(Line::Nothing),
            Some(b'{') => self.sparse(&line[1..], columns)?,
            Some(_) => self.dense(line, columns)?,
        }
        Ok(Line::Row)
    }

    fn dense(&self, line: &str, columns: &mut [ColumnBuilder]) -> Result<(), Error> {
        let mut rest = line;
        for attribute in 0..self.attributes.len() {
            let (value, after) = token(rest, &[',']).map_err(unclosed)?;
            self.push(attribute, &value, columns)?;
            let is_last = attribute + 1 == self.attributes.len();
            rest = match (after.trim_ascii_start().strip_prefix(','), is_last) {
                (Some(rest), false) => rest,
                (None, true) if after.trim_ascii().is_empty() => after,
                _ => return Err(self.ragged(line)),
            };
        }
        Ok(())
    }

    fn sparse(&self, line: &str, columns: &mut [ColumnBuilder]) -> Result<(), Error> {
        let n_before = columns.first().map_or(0, ColumnBuilder::len);
        let mut rest = line.trim_ascii_start();
        while !rest.starts_with('}') {
            let (index, after) = token(rest, &[' ', '\t', ',', '}']).map_err(unclosed)?;
            let attribute = self.attribute_at(&index.text)?;
            let (value, after) = token(after, &[',', '}']).map_err(unclosed)?;
            if self.slots[attribute].iter().any(|&slot| columns[slot].len() > n_before) {
                return Err(malformed(format!("attribute {attribute} is given twice")).advise("give it once"));
            }
            self.push(attribute, &value, columns)?;
            rest = after.trim_ascii_start();
            rest = rest.strip_prefix(',').unwrap_or(rest).trim_ascii_start();
            if rest.is_empty() {
                return Err(malformed("the row is not closed with }").advise("is the file cut short?"));
            }
        }
        no_weight(&rest[1..])?;
        self.fill(n_before, columns)
    }

    /// Gives the attributes that a sparse row leaves out their value: zero, or the first of the list.
    fn fill(&self, n_before: usize, columns: &mut [ColumnBuilder]) -> Result<(), Error> {
        for (attribute, slots) in self.attributes.iter().zip(&self.slots) {
            let left_out = match &attribute.kind {
                AttributeKind::Numeric => "0",
                AttributeKind::Nominal { first, .. } => first,
                AttributeKind::Text | AttributeKind::Date => "",
            };
            for &slot in slots {
                if columns[slot].len() == n_before {
                    push_text(left_out, &attribute.name, &mut columns[slot])?;
                }
            }
        }
        Ok(())
    }

    fn attribute_at(&self, index: &str) -> Result<usize, Error> {
        let attribute = index.parse().ok().filter(|&attribute| attribute < self.attributes.len());
        attribute.ok_or_else(|| {
            let last = self.attributes.len().saturating_sub(1);
            malformed(format!("{} is not the number of an attribute", quoted(index)))
                .advise(format!("a sparse row is {{number value, ...}} with numbers from 0 to {last}"))
        })
    }

    fn push(&self, attribute: usize, value: &Token<'_>, columns: &mut [ColumnBuilder]) -> Result<(), Error> {
        let slots = &self.slots[attribute];
        if slots.is_empty() {
            return Ok(());
        }
        if !value.is_quoted && value.text == "?" {
            slots.iter().for_each(|&slot| columns[slot].push_missing());
            return Ok(());
        }
        let Attribute { name, kind } = &self.attributes[attribute];
        if let AttributeKind::Nominal { values, .. } = kind
            && !values.contains(&*value.text)
        {
            no_weight_at_end(&value.text)?;
            let error = || undeclared(&value.text, values.iter().map(String::as_str)).in_column(name);
            return slots.iter().try_for_each(|&slot| columns[slot].push_fault(error()));
        }
        slots.iter().try_for_each(|&slot| push_text(&value.text, name, &mut columns[slot]))
    }

    fn ragged(&self, line: &str) -> Error {
        let mut n_values = 1;
        let mut rest = line;
        while let Ok((_, after)) = token(rest, &[','])
            && let Some(after) = after.trim_ascii_start().strip_prefix(',')
        {
            if let Err(weighted) = no_weight_at_end(after) {
                return weighted;
            }
            n_values += 1;
            rest = after;
        }
        let problem =
            format!("the row has {n_values} values, the header has {} attributes", self.attributes.len());
        Error::new(ErrorKind::RaggedRow, problem).advise("is a value with a comma in it missing its quotes?")
    }
}

fn push_text(text: &str, name: &str, column: &mut ColumnBuilder) -> Result<(), Error> {
    match column.push_text(text) {
        Ok(()) => Ok(()),
        Err(NotANumber) => column.push_fault(number::not_a_number(text).in_column(name)),
    }
}

/// Refuses what follows a sparse row, unless it is nothing.
fn no_weight(rest: &str) -> Result<(), Error> {
    match rest.trim_ascii() {
        "" => Ok(()),
        rest if rest.trim_start_matches([',', ' ']).starts_with('{') => Err(weighted()),
        rest => Err(malformed(format!("{} follows the row", quoted(rest))).advise("remove it")),
    }
}

fn no_weight_at_end(rest: &str) -> Result<(), Error> {
    if rest.trim_ascii().starts_with('{') { Err(weighted()) } else { Ok(()) }
}

fn weighted() -> Error {
    malformed("the row has a weight in braces, which is not read")
        .advise("make the weight an attribute of its own")
}

fn unclosed(_: Unclosed) -> Error {
    Error::new(ErrorKind::UnclosedQuote, "a quote is not closed on this line")
        .advise("close it, or escape it with a backslash")
}

fn undeclared<'a>(value: &str, declared: impl Iterator<Item = &'a str>) -> Error {
    malformed(format!("{} is not one of the declared values{}", quoted(value), did_you_mean(value, declared)))
        .advise("correct it, or add it to the @attribute line")
}
