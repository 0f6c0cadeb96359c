//! What type a column of a text file gets when its rows are written in another format.
//!
//! Texts do not say what they are, so every value is looked at before the first is written: a column whose values are
//! all written as whole numbers is an Int64, one of numbers a Float64, any other a text. Numbers with zeros in front or
//! with more digits than an Int64 holds are taken for the identifiers they mostly are, and stay texts.

use crate::chunk::{Chunk, ChunkColumn};
use crate::copy::Passed;
use crate::error::Error;
use crate::file_table::{FileTable, Slot};
use crate::pipeline::in_order;
use crate::table::{Holds, WantKind};
use crate::text::number::{self, Parsed};

/// The type of a column, as far as its values have been seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Every value is missing.
    Nothing,
    Whole,
    Real,
    /// True or false, as JSON has them.
    Boolean,
    Text,
}

impl Kind {
    /// What a text says.
    pub(crate) fn of_text(text: &str) -> Kind {
        match number::parse(text) {
            Parsed::Missing => Kind::Nothing,
            Parsed::NotANumber => Kind::Text,
            Parsed::Value(_) => Kind::of_number(text.trim_ascii()),
        }
    }

    fn of_number(text: &str) -> Kind {
        let digits = text.trim_start_matches(['-', '+']).as_bytes();
        let is_whole = digits.iter().all(u8::is_ascii_digit);
        match digits {
            [b'0', second, ..] if second.is_ascii_digit() => Kind::Text,
            [b'0'] if text != "0" => Kind::Real,
            _ if !is_whole => Kind::Real,
            _ if text.parse::<i64>().is_ok() => Kind::Whole,
            _ => Kind::Text,
        }
    }

    /// The kind that holds the values of both.
    pub(crate) fn merge(self, other: Kind) -> Kind {
        match (self, other) {
            (Kind::Nothing, kind) | (kind, Kind::Nothing) => kind,
            (one, other) if one == other => one,
            (Kind::Whole | Kind::Real, Kind::Whole | Kind::Real) => Kind::Real,
            _ => Kind::Text,
        }
    }
}

/// Columns in order of appearance, and their kinds.
#[derive(Debug, Default)]
pub(crate) struct NamedKinds {
    pub(crate) columns: Vec<(String, Kind)>,
}

impl NamedKinds {
    pub(crate) fn add(&mut self, name: &str, kind: Kind) {
        match self.columns.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = known.merge(kind),
            None => self.columns.push((name.to_string(), kind)),
        }
    }

    pub(crate) fn merge(&mut self, other: NamedKinds) {
        other.columns.iter().for_each(|(name, kind)| self.add(name, *kind));
    }
}

/// Adds the columns of a file, having read those that may hold numbers.
pub(crate) fn add_kinds(table: &dyn FileTable, kinds: &mut NamedKinds) -> Result<(), Error> {
    let may_be_numbers = |holds| matches!(holds, Holds::Numbers | Holds::Nothing);
    for column in table.columns() {
        kinds.add(&column.name, if may_be_numbers(column.holds) { Kind::Nothing } else { Kind::Text });
    }
    let open = table.columns().iter().filter(|column| may_be_numbers(column.holds));
    let slots: Vec<Slot> =
        open.map(|column| table.slot(&column.name, WantKind::Label)).collect::<Result<_, _>>()?;
    let scan = |job: Result<crate::file_table::Job<'_>, Error>| {
        let mut found = Vec::new();
        job?(&mut |chunk| found.push((kinds_of(&chunk), chunk.span)))?;
        Ok(found)
    };
    let mut passed = Passed::default();
    in_order(table.jobs(&slots), scan, |found: Result<Vec<(Vec<Kind>, u64)>, Error>| {
        for (found, span) in passed.located(0, table, found)? {
            passed.add(span);
            slots.iter().zip(found).for_each(|(slot, kind)| kinds.add(&slot.name, kind));
        }
        Ok(())
    })
}

fn kinds_of(chunk: &Chunk) -> Vec<Kind> {
    let kind = |column: &ChunkColumn| match column {
        ChunkColumn::Label(labels) => {
            labels.dictionary.iter().map(Kind::of_text).fold(Kind::Nothing, Kind::merge)
        }
        _ => Kind::Real,
    };
    chunk.columns.iter().map(kind).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(texts: &[&str], expected: Kind) {
        let found = texts.iter().map(|text| Kind::of_text(text)).fold(Kind::Nothing, Kind::merge);
        assert_eq!(found, expected, "{texts:?}");
    }

    #[test]
    fn columns_are_as_wide_as_their_values() {
        check(&["", "NA"], Kind::Nothing);
        check(&["1", "", "-20", " 0 "], Kind::Whole);
        check(&["9223372036854775807", "-9223372036854775808"], Kind::Whole);
        check(&["1", "2.5"], Kind::Real);
        check(&["1.0"], Kind::Real);
        check(&["-0"], Kind::Real);
        check(&["+5"], Kind::Whole);
        check(&["0.5", "-0.25", "inf", "NaN", "1e5"], Kind::Real);
        check(&["1", "high"], Kind::Text);
        check(&["0,75"], Kind::Text);
    }

    #[test]
    fn identifiers_stay_texts() {
        check(&["007"], Kind::Text);
        check(&["1", "-01"], Kind::Text);
        check(&["98765432109876543210"], Kind::Text);
    }
}
