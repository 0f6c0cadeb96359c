//! Where the fields and rows of a CSV text begin and end.
//!
//! A field is quoted if its first byte, spaces aside, is the quote; it then runs to the next quote that is not
//! doubled, over delimiters and line ends. A quote anywhere else is a letter like any other (RFC 4180 leaves
//! that open; this is what Python's and Rust's `csv` do).

use std::borrow::Cow;

use crate::text::blocks::{Cut, cut_at_lines};
use crate::text::decimal::equals;

/// What sets fields apart, and what may enclose them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dialect {
    pub(crate) delimiter: u8,
    pub(crate) quote: Option<u8>,
}

impl Dialect {
    fn is_space(self, byte: u8) -> bool {
        byte != self.delimiter && (byte == b' ' || byte == b'\t')
    }

    /// Whether nothing but line ends separates rows here.
    pub(crate) fn is_plain(self, bytes: &[u8]) -> bool {
        self.quote.is_none_or(|quote| memchr::memchr(quote, bytes).is_none())
    }
}

/// A quoted field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quoted {
    /// The first byte after the opening quote.
    pub(crate) start: usize,
    /// The closing quote.
    pub(crate) close: usize,
    /// Whether a quote is doubled inside.
    pub(crate) is_doubled: bool,
    /// How many line ends there are inside.
    pub(crate) n_lines: u64,
}

/// The index of the delimiter or line feed that ends the unquoted field at `pos`, or the end of the bytes.
#[inline]
pub(crate) fn plain_end(bytes: &[u8], mut pos: usize, delimiter: u8) -> usize {
    while let Some(word) = word_at(bytes, pos) {
        let ends = field_ends(word, delimiter);
        if ends != 0 {
            return pos + ends.trailing_zeros() as usize / 8;
        }
        pos += 8;
    }
    let is_end = |&byte: &u8| byte == delimiter || byte == b'\n';
    let rest = bytes.get(pos..).unwrap_or_default();
    rest.iter().position(is_end).map_or(bytes.len(), |found| pos + found)
}

/// The eight bytes at `pos`, the first of them lowest.
#[inline]
pub(crate) fn word_at(bytes: &[u8], pos: usize) -> Option<u64> {
    bytes.get(pos..)?.first_chunk().map(|word| u64::from_le_bytes(*word))
}

/// Nonzero if one of eight bytes is the delimiter or a line feed; the lowest bit set is then in the first such byte.
#[inline]
pub(crate) fn field_ends(word: u64, delimiter: u8) -> u64 {
    equals(word, delimiter) | equals(word, b'\n')
}

/// The end of the last of `n_fields` unquoted fields from `pos` on; `None` if the row ends before it.
#[inline]
pub(crate) fn plain_ends(bytes: &[u8], mut pos: usize, n_fields: usize, delimiter: u8) -> Option<usize> {
    let mut n_left = n_fields;
    while n_left > 1 {
        let word = word_at(bytes, pos).filter(|&word| equals(word, b'\n') == 0);
        let n_met = word.map(|word| count(word, delimiter)).filter(|&n_met| n_met < n_left);
        if let Some(n_met) = n_met {
            (pos, n_left) = (pos + 8, n_left - n_met);
            continue;
        }
        let end = plain_end(bytes, pos, delimiter);
        if bytes.get(end) != Some(&delimiter) {
            return None;
        }
        (pos, n_left) = (end + 1, n_left - 1);
    }
    Some(plain_end(bytes, pos, delimiter))
}

/// How many of eight bytes equal `byte`.
#[inline]
fn count(word: u64, byte: u8) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let difference = word ^ (ONES * u64::from(byte));
    let others = ((difference & (ONES * 0x7F)) + ONES * 0x7F) | difference;
    (!others & (ONES << 7)).count_ones() as usize
}

/// The index of the opening quote, if the field at `pos` is quoted.
#[inline]
pub(crate) fn opening_quote(bytes: &[u8], mut pos: usize, dialect: Dialect) -> Option<usize> {
    while bytes.get(pos).is_some_and(|&byte| dialect.is_space(byte)) {
        pos += 1;
    }
    (pos < bytes.len() && Some(bytes[pos]) == dialect.quote).then_some(pos)
}

/// The quoted field whose opening quote is at `open`; `None` if it is not closed.
///
/// Most are short, so that a plain loop finds the end before a vectorised search has begun.
#[inline]
pub(crate) fn quoted_at(bytes: &[u8], open: usize) -> Option<Quoted> {
    let quote = *bytes.get(open)?;
    let start = open + 1;
    let (mut is_doubled, mut n_lines) = (false, 0);
    let mut pos = start;
    loop {
        let byte = *bytes.get(pos)?;
        if byte == quote && bytes.get(pos + 1) != Some(&quote) {
            return Some(Quoted { start, close: pos, is_doubled, n_lines });
        }
        if byte == quote {
            is_doubled = true;
            pos += 1;
        }
        n_lines += u64::from(byte == b'\n');
        pos += 1;
    }
}

/// The index of the delimiter or line feed that ends the field at `pos`.
pub(crate) fn field_end(bytes: &[u8], pos: usize, dialect: Dialect) -> usize {
    match opening_quote(bytes, pos, dialect).map(|open| quoted_at(bytes, open)) {
        None => plain_end(bytes, pos, dialect.delimiter),
        Some(Some(quoted)) => plain_end(bytes, quoted.close + 1, dialect.delimiter),
        Some(None) => bytes.len(),
    }
}

/// What a field says: white space trimmed outside quotes, quotes removed, doubled quotes made single.
pub(crate) fn field_text(raw: &str, dialect: Dialect) -> Cow<'_, str> {
    let bytes = raw.as_bytes();
    let quoted = opening_quote(bytes, 0, dialect).and_then(|open| quoted_at(bytes, open));
    let Some(Quoted { start, close, is_doubled, .. }) = quoted else {
        return Cow::Borrowed(raw.trim_ascii());
    };
    let inside = &raw[start..close];
    let after = raw[close + 1..].trim_ascii();
    match (is_doubled, after) {
        (false, "") => Cow::Borrowed(inside),
        (false, after) => Cow::Owned(format!("{inside}{after}")),
        (true, after) => {
            let quote = &raw[close..=close];
            Cow::Owned(format!("{}{after}", inside.replace(&quote.repeat(2), quote)))
        }
    }
}

/// The fields of the row that begins at `pos`, and where the next row begins.
pub(crate) fn split_row<'a>(text: &'a str, mut pos: usize, dialect: Dialect) -> (Vec<Cow<'a, str>>, usize) {
    let mut fields = Vec::new();
    loop {
        let end = field_end(text.as_bytes(), pos, dialect);
        fields.push(field_text(&text[pos..end], dialect));
        pos = (end + 1).min(text.len());
        if text.as_bytes().get(end) != Some(&dialect.delimiter) {
            return (fields, pos);
        }
    }
}

/// Where the whole rows of a buffer that begins with a row end. Only quotes and the gaps between them are looked at.
pub(crate) fn cut(bytes: &[u8], dialect: Dialect) -> Cut {
    let Some(quote) = dialect.quote else { return cut_at_lines(bytes) };
    let mut end = 0;
    // Outside quotes since `gap`; quotes before `pos` have been dealt with.
    let (mut gap, mut pos) = (0, 0);
    while let Some(found) = memchr::memchr(quote, &bytes[pos..]).map(|found| pos + found) {
        if !opens_field(bytes, gap, found, dialect) {
            pos = found + 1;
            continue;
        }
        end = last_line(bytes, gap, found).unwrap_or(end);
        match quoted_at(bytes, found) {
            None => return Cut { end, open_quote: Some(found) },
            Some(quoted) => (gap, pos) = (quoted.close + 1, quoted.close + 1),
        }
    }
    Cut { end: last_line(bytes, gap, bytes.len()).unwrap_or(end), open_quote: None }
}

fn last_line(bytes: &[u8], from: usize, to: usize) -> Option<usize> {
    memchr::memrchr(b'\n', &bytes[from..to]).map(|found| from + found + 1)
}

/// Whether the quote at `pos` stands, spaces aside, at the start of a field of the unquoted stretch from `gap`.
fn opens_field(bytes: &[u8], gap: usize, pos: usize, dialect: Dialect) -> bool {
    let spaces = bytes[gap..pos].iter().rev().take_while(|&&byte| dialect.is_space(byte)).count();
    let start = pos - spaces;
    start == 0 || (start > gap && (bytes[start - 1] == dialect.delimiter || bytes[start - 1] == b'\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMA: Dialect = Dialect { delimiter: b',', quote: Some(b'"') };

    fn check(row: &str, expected: &[&str]) {
        let (fields, next) = split_row(row, 0, COMMA);
        assert_eq!(fields, expected, "{row:?}");
        assert_eq!(next, row.len(), "{row:?}");
    }

    #[test]
    fn rows_split_into_fields() {
        check("a,b\n", &["a", "b"]);
        check("a, b \r\n", &["a", "b"]);
        check(",,\n", &["", "", ""]);
        check("\"a,b\",\"c\nd\"\n", &["a,b", "c\nd"]);
        check(" \" a \" ,b\n", &[" a ", "b"]);
        check("\"say \"\"so\"\"\",\"\"\n", &["say \"so\"", ""]);
        check("5\" pipe,x\"y\"\n", &["5\" pipe", "x\"y\""]);
        check("\"a\"b\"c\",d\n", &["ab\"c\"", "d"]);
        check("no line end,at all", &["no line end", "at all"]);
        check(
            "a field longer than a word,another field longer than a word\n",
            &["a field longer than a word", "another field longer than a word"],
        );
    }

    fn check_cut(bytes: &str, end: usize, open_quote: Option<usize>) {
        assert_eq!(cut(bytes.as_bytes(), COMMA), Cut { end, open_quote }, "{bytes:?}");
    }

    #[test]
    fn blocks_are_cut_outside_quotes() {
        check_cut("a\nb\nc", 4, None);
        check_cut("abc", 0, None);
        check_cut("a\n\"b\nc\",d\ne", 10, None);
        check_cut("a\n\"b\nc", 2, Some(2));
        check_cut("a\n \"b\nc", 2, Some(3));
        check_cut("5\" pipe\nb\nc", 10, None);
        check_cut("\"a\"\"\nb\"\nc", 8, None);
        check_cut("\"a\" \"\nb\n", 8, None);
    }

    fn check_ends(row: &str, n_fields: usize, end: Option<usize>) {
        assert_eq!(plain_ends(row.as_bytes(), 0, n_fields, b','), end, "{row:?}");
    }

    #[test]
    fn fields_are_passed_over_together() {
        check_ends("a,b,c,d,e,f,g,h\n", 1, Some(1));
        check_ends("a,b,c,d,e,f,g,h\n", 4, Some(7));
        check_ends("a,b,c,d,e,f,g,h\n", 8, Some(15));
        check_ends("a,b,c,d,e,f,g,h\n", 9, None);
        check_ends(",,,,,,,,,,,,,,,,,,\n", 10, Some(9));
        check_ends("a field longer than a word,b,-,-,-,-\nc,d\n", 6, Some(36));
        check_ends("a field longer than a word,b,-,-,-,-\nc,d\n", 7, None);
    }

    #[test]
    fn every_delimiter_and_line_feed_in_a_word_is_found_first() {
        for position in 0..8 {
            let mut bytes = *b"x-x+x-x+";
            bytes[position] = b',';
            bytes[7.max(position)] = if position == 7 { b',' } else { b'\n' };
            assert_eq!(plain_end(&bytes, 0, b','), position);
        }
    }
}
