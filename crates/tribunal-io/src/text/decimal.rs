//! Short decimal numbers such as `0.201` or `-132.73`, parsed without a loop.
//!
//! The digits of a field of up to sixteen bytes are treated at once, as one machine word or two: the point is taken
//! out, all digits are checked together and three multiplications add up eight of them (Langdale & Lemire 2019,
//! *Parsing gigabytes of JSON per second*). A whole number up to 2^53 divided by a power of ten up to 10^22 is
//! one rounding away from the truth, so that the quotient is the nearest float (Clinger 1990, *How to read
//! floating point numbers accurately*). Everything else is left to the general parser.

const ONES: u64 = 0x0101_0101_0101_0101;

const POWERS_OF_TEN: [f64; 16] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// The number written by the bytes of a word, the first of them lowest, up to the first that `ends` marks in its
/// highest bit.
///
/// `None` unless they are digits with at most one point among them and a minus before them.
#[inline(always)]
pub(crate) fn of_word(word: u64, ends: u64) -> Option<f64> {
    if word as u8 == b'-' && ends & 0x80 == 0 {
        return unsigned(word >> 8, ends >> 8).map(|value| -value);
    }
    unsigned(word, ends)
}

#[inline(always)]
fn unsigned(word: u64, ends: u64) -> Option<f64> {
    const POINT: u8 = b'.' ^ b'0';
    let letters = (word ^ (ONES * 0x30)) & below_first(ends);
    let points = equals(letters, POINT);
    let before = below_first(points);
    let digits = (letters & before) | ((letters >> 8) & !before);
    let has_point = u32::from(points != 0);
    let length = ends.trailing_zeros() / 8;
    if length <= has_point || !are_digits(digits) {
        return None;
    }
    let value = eight_digits(digits << (64 - 8 * (length - has_point)));
    let n_decimals = if points != 0 { length - points.trailing_zeros() / 8 - 1 } else { 0 };
    Some(value as i64 as f64 / POWERS_OF_TEN[n_decimals as usize & 15])
}

/// All bits of the bytes below the first marked one; all bits if none is.
#[inline(always)]
fn below_first(marks: u64) -> u64 {
    ((marks & marks.wrapping_neg()) >> 7).wrapping_sub(1)
}

/// The number written by the first `length` bytes of two words, at most sixteen.
#[inline]
pub(crate) fn of_two_words(words: u128, length: u32) -> Option<f64> {
    let is_negative = words as u8 == b'-' && length > 0;
    let (words, length) = (words >> (8 * u32::from(is_negative)), length - u32::from(is_negative));
    let letters = words & low_bytes_of_two(length);
    let (low, high) = (equals(letters as u64, b'.'), equals((letters >> 64) as u64, b'.'));
    let first = if low != 0 { low.trailing_zeros() / 8 } else { 8 + high.trailing_zeros() / 8 };
    let point = first.min(length);
    let n_digits = length - u32::from(low | high != 0);
    let before = low_bytes_of_two(point);
    let digits = (letters & before) | ((letters >> 8) & !before);
    let digits = digits ^ (low_bytes_of_two(n_digits) & (u128::from(ONES * 0x30) * ((1 << 64) + 1)));
    if n_digits == 0 || !are_digits(digits as u64) || !are_digits((digits >> 64) as u64) {
        return None;
    }
    let digits = digits << (128 - 8 * n_digits);
    let value = eight_digits(digits as u64) * 100_000_000 + eight_digits((digits >> 64) as u64);
    quotient(value, n_digits - point, is_negative)
}

#[inline]
fn quotient(value: u64, n_decimals: u32, is_negative: bool) -> Option<f64> {
    if value > 1 << 53 {
        return None;
    }
    let quotient = value as i64 as f64 / POWERS_OF_TEN.get(n_decimals as usize)?;
    Some(if is_negative { -quotient } else { quotient })
}

/// Eight digits, the first lowest, each a byte from 0 to 9.
#[inline]
fn eight_digits(digits: u64) -> u64 {
    const PAIRS: u64 = 0x0000_00FF_0000_00FF;
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8);
    let outer = (pairs & PAIRS).wrapping_mul(100 + (1_000_000 << 32));
    let inner = ((pairs >> 16) & PAIRS).wrapping_mul(1 + (10_000 << 32));
    outer.wrapping_add(inner) >> 32
}

/// Whether every byte is from 0 to 9.
#[inline]
fn are_digits(bytes: u64) -> bool {
    (bytes.wrapping_add(ONES * 0x76) | bytes) & (ONES << 7) == 0
}

/// Marks bytes equal to `byte`. Marks above the first are not to be trusted: subtraction borrows.
#[inline]
pub(crate) fn equals(word: u64, byte: u8) -> u64 {
    let difference = word ^ (ONES * u64::from(byte));
    difference.wrapping_sub(ONES) & !difference & (ONES << 7)
}

#[inline]
fn low_bytes_of_two(n: u32) -> u128 {
    u128::MAX.checked_shr(128 - 8 * n).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(text: &str, rest: u8) -> u128 {
        let mut bytes = [rest; 16];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        u128::from_le_bytes(bytes)
    }

    /// What is read is what the standard library reads, to the bit; what it refuses is refused.
    fn check(text: &str) -> Option<f64> {
        let expected = text.parse::<f64>().ok().map(f64::to_bits);
        let mut found = None;
        for rest in [0, b',', b'.', b'7', b'\n', 0xFF] {
            found = of_two_words(words(text, rest), text.len() as u32);
            assert!(found.is_none() || found.map(f64::to_bits) == expected, "{text:?}: {found:?}");
            if text.len() < 8 {
                let short = of_word(words(text, rest) as u64, 0x80 << (8 * text.len()));
                assert_eq!(short.map(f64::to_bits), found.map(f64::to_bits), "{text:?}");
            }
        }
        found
    }

    #[test]
    fn short_decimals_are_read() {
        for text in ["0", "-0", "0.201", "132.73", "-1", "1.", ".5", "-.5", "12345678", "-1234.567"] {
            assert!(check(text).is_some(), "{text}");
        }
        for text in ["123456789.123456", "0.12345678901234", "9007199254740992", "-123456789012345"] {
            assert!(check(text).is_some(), "{text}");
        }
    }

    #[test]
    fn all_else_is_left_to_the_general_parser() {
        for text in ["", "-", ".", "-.", "--1", "1-", "1.2.3", "1e5", "+1", "inf", "1 ", " 1", "0:", "0/"] {
            assert_eq!(check(text), None, "{text}");
        }
        for text in ["9007199254740993", "9999999999999999", "1,234", "12\u{e9}", "1234567890123e1"] {
            assert_eq!(check(text), None, "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn any_decimal_is_read_as_the_standard_library_reads_it(text in "-?[0-9]{0,8}(\\.[0-9]{0,6})?") {
            let is_number = text.bytes().any(|byte| byte.is_ascii_digit());
            prop_assert_eq!(check(&text).is_some(), is_number);
        }

        #[test]
        fn any_text_is_read_right_or_not_at_all(text in "[-+.0-9e,:/ ]{0,16}") {
            check(&text);
        }
    }
}
