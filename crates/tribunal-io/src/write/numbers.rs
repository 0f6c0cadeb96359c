//! Numbers as text: the shortest that reads back as the same number, or a fixed number of decimals.
//!
//! The shortest form follows Schubfach (Giulietti 2020) as `zmij` has it. A whole number has no point, so that the
//! class 1 is the label `1` whether it was a float or not.

use std::io::Write;

/// Appends the shortest text that reads back as this number.
pub(crate) fn push_double(value: f64, out: &mut Vec<u8>) {
    push_shortest(zmij::Buffer::new().format(value), out);
}

/// The same for single precision.
pub(crate) fn push_single(value: f32, out: &mut Vec<u8>) {
    push_shortest(zmij::Buffer::new().format(value), out);
}

fn push_shortest(text: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(text.strip_suffix(".0").unwrap_or(text).as_bytes());
}

/// Appends a number with so many decimals, rounded correctly; a zero has no sign.
pub(crate) fn push_fixed(value: f64, decimals: usize, out: &mut Vec<u8>) {
    if !value.is_finite() {
        return push_double(value, out);
    }
    match rounded(value, decimals) {
        Some(scaled) => push_scaled(value < 0.0, scaled, decimals, out),
        None => push_exactly(value, decimals, out),
    }
}

/// The magnitude in units of the last decimal, where multiplying cannot round to the wrong side.
fn rounded(value: f64, decimals: usize) -> Option<u64> {
    const POWERS: [f64; 7] = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6];
    // Below this the product is off by less than a thousandth, so that only what is near a half is in doubt.
    const LARGEST: f64 = (1u64 << 43) as f64;
    let product = value.abs() * POWERS.get(decimals)?;
    let nearest = product.round();
    (product < LARGEST && (product - nearest).abs() < 0.49).then_some(nearest as u64)
}

fn push_scaled(is_negative: bool, scaled: u64, decimals: usize, out: &mut Vec<u8>) {
    if is_negative && scaled > 0 {
        out.push(b'-');
    }
    let unit = 10u64.pow(decimals as u32);
    out.extend_from_slice(itoa::Buffer::new().format(scaled / unit).as_bytes());
    if decimals > 0 {
        out.push(b'.');
        let start = out.len();
        out.resize(start + decimals, b'0');
        let mut rest = scaled % unit;
        for digit in out[start..].iter_mut().rev() {
            *digit += (rest % 10) as u8;
            rest /= 10;
        }
    }
}

fn push_exactly(value: f64, decimals: usize, out: &mut Vec<u8>) {
    let start = out.len();
    // Writing to memory does not fail.
    let _ = write!(out, "{value:.decimals$}");
    let is_zero = out[start..].iter().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
    if is_zero && out.get(start) == Some(&b'-') {
        out.remove(start);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(push: impl Fn(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        push(&mut out);
        String::from_utf8(out).expect("text")
    }

    fn check(value: f64, expected: &str) {
        assert_eq!(text(|out| push_double(value, out)), expected);
    }

    #[test]
    fn the_shortest_form_has_no_empty_decimals() {
        check(1.0, "1");
        check(-0.0, "-0");
        check(0.1 + 0.2, "0.30000000000000004");
        check(0.001, "0.001");
        check(1e300, "1e+300");
        check(9007199254740993.0, "9007199254740992");
        check(f64::NAN, "NaN");
        check(f64::NEG_INFINITY, "-inf");
        assert_eq!(text(|out| push_single(0.1, out)), "0.1");
    }

    fn check_fixed(value: f64, decimals: usize, expected: &str) {
        assert_eq!(text(|out| push_fixed(value, decimals, out)), expected);
    }

    #[test]
    fn decimals_are_rounded_correctly() {
        check_fixed(12.5, 2, "12.50");
        check_fixed(-1234.567, 2, "-1234.57");
        check_fixed(-0.001, 2, "0.00");
        check_fixed(-0.005, 2, "-0.01");
        check_fixed(0.125, 2, "0.12");
        check_fixed(1.005, 2, "1.00");
        check_fixed(7.0, 0, "7");
        check_fixed(1e20, 2, "100000000000000000000.00");
        check_fixed(0.000000123, 9, "0.000000123");
        check_fixed(f64::INFINITY, 2, "inf");
    }

    proptest! {
        #[test]
        fn the_shortest_form_reads_back(value in any::<f64>().prop_filter("a number", |value| !value.is_nan())) {
            prop_assert_eq!(text(|out| push_double(value, out)).parse::<f64>().ok(), Some(value));
        }

        #[test]
        fn fixed_decimals_agree_with_the_standard_library(cents in -1_000_000_000i64..1_000_000_000, decimals in 0usize..7) {
            for value in [cents as f64 / 100.0, cents as f64 / 1024.0, cents as f64 * 1e5] {
                let expected = format!("{value:.decimals$}");
                let is_zero = expected.trim_matches(['-', '0', '.']).is_empty();
                let expected = if is_zero { expected.trim_start_matches('-') } else { &expected };
                prop_assert_eq!(text(|out| push_fixed(value, decimals, out)), expected);
            }
        }
    }
}
