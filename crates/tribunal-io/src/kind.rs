//! What type a column of a text file gets when its rows are written in another format.
//!
//! Texts do not say what they are, so every value is looked at before the first is written: a column whose values are
//! all written as whole numbers is an Int64, one of numbers a Float64, any other a text. Numbers with zeros in front or
//! with more digits than an Int64 holds are taken for the identifiers they mostly are, and stay texts.

use rustc_hash::FxHashMap;

use crate::text::number::{self, Parsed};

/// The type of a column, as far as its values have been seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Every value is missing.
    Nothing,
    /// Whole numbers that a double holds exactly.
    Whole,
    /// Whole numbers, some of which only an Int64 holds.
    Long,
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
            _ => text.parse().map_or(Kind::Text, Kind::of_whole),
        }
    }

    /// The kind of a whole number.
    pub(crate) fn of_whole(value: i64) -> Kind {
        if value.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS { Kind::Whole } else { Kind::Long }
    }

    /// The kind that holds the values of both.
    pub(crate) fn merge(self, other: Kind) -> Kind {
        match (self, other) {
            (Kind::Nothing, kind) | (kind, Kind::Nothing) => kind,
            (one, other) if one == other => one,
            (Kind::Whole | Kind::Long, Kind::Whole | Kind::Long) => Kind::Long,
            (Kind::Whole | Kind::Long | Kind::Real, Kind::Whole | Kind::Long | Kind::Real) => Kind::Real,
            _ => Kind::Text,
        }
    }
}

/// Columns in order of appearance, and their kinds.
#[derive(Debug, Default)]
pub(crate) struct NamedKinds {
    pub(crate) columns: Vec<(String, Kind)>,
    places: FxHashMap<String, usize>,
}

impl NamedKinds {
    pub(crate) fn add(&mut self, name: &str, kind: Kind) {
        if let Some(&place) = self.places.get(name) {
            self.columns[place].1 = self.columns[place].1.merge(kind);
            return;
        }
        self.places.insert(name.to_string(), self.columns.len());
        self.columns.push((name.to_string(), kind));
    }

    /// These of the columns, in this order; the name of the first that is not there.
    pub(crate) fn chosen<'n>(&self, names: &[&'n str]) -> Result<NamedKinds, &'n str> {
        let mut chosen = NamedKinds::default();
        for &name in names {
            let place = self.places.get(name).ok_or(name)?;
            chosen.add(name, self.columns[*place].1);
        }
        Ok(chosen)
    }

    pub(crate) fn merge(&mut self, other: NamedKinds) {
        other.columns.iter().for_each(|(name, kind)| self.add(name, *kind));
    }
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
        check(&["9007199254740992", "-9007199254740992"], Kind::Whole);
        check(&["1", "9007199254740993"], Kind::Long);
        check(&["9223372036854775807", "-9223372036854775808"], Kind::Long);
        check(&["9223372036854775807", "0.5", "1"], Kind::Real);
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
