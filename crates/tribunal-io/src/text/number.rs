//! Numbers written as text.

use std::fmt;

use crate::error::{Error, ErrorKind, quoted};

/// What a text says when a number is expected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Parsed {
    Value(f64),
    /// Nothing, or `NA`.
    Missing,
    NotANumber,
}

/// Reads a number, white space around it aside.
pub(crate) fn parse(text: &str) -> Parsed {
    match text.trim_ascii() {
        "" | "NA" => Parsed::Missing,
        text => fast_float2::parse(text).map_or(Parsed::NotANumber, Parsed::Value),
    }
}

/// The error for a text that is no number, with advice if it looks like a number written some other way.
pub(crate) fn not_a_number(text: &str) -> Error {
    let text = text.trim_ascii();
    let problem = format!("{} is not a number", quoted(text));
    Error::new(ErrorKind::NotANumber, problem).advise(advice(text))
}

fn advice(text: &str) -> String {
    match plain_number(text) {
        Some(PlainNumber { notation: Notation::Percent, plain }) => {
            format!("a percentage? write it without the sign, {plain}")
        }
        Some(PlainNumber { notation, plain }) => format!("{notation}? write {plain}"),
        None => "correct it, or leave it empty if it is missing".into(),
    }
}

/// How a number can be written other than it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notation {
    /// `12.5 %`
    Percent,
    /// `$12.50`, `12,50 EUR`
    Currency,
    /// `1,234.5`, `1 234`
    Thousands,
    /// `0,75`, `1.234,5`
    DecimalComma,
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Notation::Percent => "a percentage",
            Notation::Currency => "a currency",
            Notation::Thousands => "a thousands separator",
            Notation::DecimalComma => "a decimal comma",
        })
    }
}

/// A number in another notation, and as it would be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainNumber {
    /// How it is written.
    pub notation: Notation,
    /// How it should be: digits and a point.
    pub plain: String,
}

/// The number that a text says in another notation; `None` if it says none, or is read as it stands.
///
/// ```
/// use tribunal_io::plain_number;
///
/// let plain = |text| plain_number(text).map(|number| number.plain);
/// assert_eq!(plain("2.505,29 €").as_deref(), Some("2505.29"));
/// assert_eq!(plain("$1,234.50").as_deref(), Some("1234.50"));
/// assert_eq!((plain("12.5"), plain("unknown")), (None, None));
/// ```
pub fn plain_number(text: &str) -> Option<PlainNumber> {
    /// No number is longer; others are not looked at.
    const LONGEST: usize = 64;
    let text = text.trim();
    if text.len() > LONGEST || !text.bytes().any(|b| b.is_ascii_digit()) || parse_value(text).is_some() {
        return None;
    }
    let found = |notation: Notation, plain: String| Some(PlainNumber { notation, plain });
    let inner = |text: &str| match parse_value(text) {
        Some(_) => Some(text.to_owned()),
        None => plain_number(text).map(|number| number.plain),
    };
    if let Some(number) = text.strip_suffix('%').and_then(|number| inner(number.trim())) {
        return found(Notation::Percent, number);
    }
    if let Some(number) = without_currency(text).and_then(inner) {
        return found(Notation::Currency, number);
    }
    let rewritten = |plain: String| parse_value(&plain).map(|_| plain);
    if let Some(number) = without_thousands(text, ',', '.').and_then(rewritten) {
        return found(Notation::Thousands, number);
    }
    if !text.contains(',') {
        return None;
    }
    let ungrouped = without_thousands(text, '.', ',').unwrap_or_else(|| text.to_owned());
    rewritten(ungrouped.replacen(',', ".", 1)).and_then(|number| found(Notation::DecimalComma, number))
}

/// A text without the sign of a currency before or behind it.
fn without_currency(text: &str) -> Option<&str> {
    const SIGNS: [&str; 9] = ["€", "$", "£", "¥", "EUR", "USD", "GBP", "CHF", "JPY"];
    let without = |sign: &&str| text.strip_prefix(*sign).or_else(|| text.strip_suffix(*sign));
    SIGNS.iter().find_map(without).map(str::trim)
}

fn parse_value(text: &str) -> Option<f64> {
    match parse(text) {
        Parsed::Value(value) => Some(value),
        _ => None,
    }
}

/// `1,234,567.8` as `1234567.8`: groups of three digits, set apart by `separator`, spaces, apostrophes or
/// underscores, before the decimal `mark`.
///
/// One comma before three digits (`0,125`) may as well be a decimal comma; it is one when a zero leads.
fn without_thousands(text: &str, separator: char, mark: char) -> Option<String> {
    let whole = text.split(mark).next()?;
    let mut groups = whole.split([separator, ' ', '\'', '_', '\u{a0}', '\u{202f}']);
    let first = groups.next()?.trim_start_matches(['-', '+']);
    let rest: Vec<&str> = groups.collect();
    let is_grouped = !rest.is_empty()
        && rest.iter().all(|group| group.len() == 3 && group.bytes().all(|b| b.is_ascii_digit()))
        && (1..=3).contains(&first.len())
        && first.bytes().all(|b| b.is_ascii_digit())
        && first != "0";
    let keep = |c: &char| c.is_ascii_digit() || *c == mark || matches!(c, '-' | '+');
    is_grouped.then(|| text.chars().filter(keep).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Parsed) {
        assert_eq!(parse(text), expected, "{text:?}");
    }

    #[test]
    fn numbers_are_rounded_correctly_and_trimmed() {
        check(" 0.1\t", Parsed::Value(0.1));
        check("+1e-3", Parsed::Value(0.001));
        check("9007199254740993", Parsed::Value(9007199254740992.0));
        check("-.5", Parsed::Value(-0.5));
        check("inf", Parsed::Value(f64::INFINITY));
        assert!(matches!(parse("NaN"), Parsed::Value(value) if value.is_nan()));
    }

    #[test]
    fn nothing_and_na_are_missing() {
        check("", Parsed::Missing);
        check("  ", Parsed::Missing);
        check("NA", Parsed::Missing);
        check("na", Parsed::NotANumber);
        check("0x10", Parsed::NotANumber);
    }

    fn check_advice(text: &str, expected: &str) {
        let message = not_a_number(text).to_string();
        assert!(message.contains(expected), "{message}");
    }

    #[test]
    fn numbers_written_otherwise_get_a_hint() {
        check_advice("0,75", "a decimal comma? write 0.75");
        check_advice("0,125", "a decimal comma? write 0.125");
        check_advice("1,234.5", "a thousands separator? write 1234.5");
        check_advice("1 234 567", "a thousands separator? write 1234567");
        check_advice("12.5 %", "a percentage? write it without the sign, 12.5");
        check_advice("12,5%", "a percentage? write it without the sign, 12.5");
        check_advice("2.505,29 €", "a currency? write 2505.29");
        check_advice("-$1,234.50", "correct it");
        check_advice("$-1,234.50", "a currency? write -1234.50");
        check_advice("1.234.567,8", "a decimal comma? write 1234567.8");
        check_advice("1.2.3", "correct it");
        check_advice("31.12.2024", "correct it");
        check_advice("%", "correct it");
        check_advice("€", "correct it");
        check_advice("high", "\"high\" is not a number; correct it, or leave it empty");
    }
}
