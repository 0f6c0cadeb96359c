//! Numbers written as text.

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
    let rewritten = |plain: String| (parse_value(&plain)).map(|_| plain);
    if let Some(number) = text.strip_suffix('%').and_then(|n| rewritten(n.trim_ascii().into())) {
        return format!("a percentage? write it without the sign, {number}");
    }
    if let Some(number) = without_thousands(text).and_then(rewritten) {
        return format!("a thousands separator? write {number}");
    }
    if let Some(number) = rewritten(text.replacen(',', ".", 1)) {
        return format!("a decimal comma? write {number}");
    }
    "correct it, or leave it empty if it is missing".into()
}

fn parse_value(text: &str) -> Option<f64> {
    match parse(text) {
        Parsed::Value(value) => Some(value),
        _ => None,
    }
}

/// `1,234,567.8` as `1234567.8`: groups of three digits, set apart by commas, spaces, apostrophes or underscores.
///
/// One comma before three digits (`0,125`) may as well be a decimal comma; it is one when a zero leads.
fn without_thousands(text: &str) -> Option<String> {
    let whole = text.split('.').next()?;
    let mut groups = whole.split([',', ' ', '\'', '_', '\u{a0}', '\u{202f}']);
    let first = groups.next()?.trim_start_matches(['-', '+']);
    let rest: Vec<&str> = groups.collect();
    let is_grouped = !rest.is_empty()
        && rest.iter().all(|group| group.len() == 3 && group.bytes().all(|b| b.is_ascii_digit()))
        && (1..=3).contains(&first.len())
        && first != "0";
    let keep = |c: &char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+');
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
        check_advice("high", "\"high\" is not a number; correct it, or leave it empty");
    }
}
