//! Which delimiter and which quotes a CSV file uses, told from its beginning.
//!
//! The delimiter is the one that splits the header into more than one field and the most rows into as many
//! fields as the header; among equals, the one that makes the most fields.

use crate::csv::fields::{Dialect, split_row};
use crate::table::{Quote, ReadOptions};

pub(crate) const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];
const ROWS: usize = 100;

/// The dialect of a text, as far as the options leave it open.
pub(crate) fn sniff(text: &str, options: &ReadOptions) -> Dialect {
    let quote = match options.quote {
        Quote::None => None,
        Quote::Byte(quote) => Some(quote),
        Quote::Sniff if uses_single_quotes(text.as_bytes()) => Some(b'\''),
        Quote::Sniff => Some(b'"'),
    };
    let delimiter = options.delimiter.unwrap_or_else(|| sniff_delimiter(text, quote));
    Dialect { delimiter, quote }
}

fn sniff_delimiter(text: &str, quote: Option<u8>) -> u8 {
    let merit = |delimiter: &u8| merit(text, Dialect { delimiter: *delimiter, quote });
    // The last of equals wins, so the commonest goes last.
    DELIMITERS.into_iter().rev().max_by_key(merit).unwrap_or(b',')
}

/// How many rows agree with the header, and how many fields it has; zeros if it has only one.
fn merit(text: &str, dialect: Dialect) -> (usize, usize) {
    let mut rows = rows(text, dialect);
    let n_fields = rows.next().map_or(0, |header| header.len());
    if n_fields < 2 {
        return (0, 0);
    }
    (1 + rows.filter(|row| row.len() == n_fields).count(), n_fields)
}

/// The first rows, blank lines passed over.
pub(crate) fn rows(text: &str, dialect: Dialect) -> impl Iterator<Item = Vec<std::borrow::Cow<'_, str>>> {
    let mut pos = 0;
    let rows = std::iter::from_fn(move || {
        pos += blank_lines(&text[pos..]);
        (pos < text.len()).then(|| {
            let (fields, next) = split_row(text, pos, dialect);
            pos = next;
            fields
        })
    });
    rows.take(ROWS)
}

/// How many bytes the blank lines at the start of a text take up.
pub(crate) fn blank_lines(text: &str) -> usize {
    let mut pos = 0;
    loop {
        match text.as_bytes()[pos..] {
            [b'\n', ..] => pos += 1,
            [b'\r', b'\n', ..] => pos += 2,
            _ => return pos,
        }
    }
}

/// Whether fields are plainly enclosed in single quotes, and none in double ones.
fn uses_single_quotes(bytes: &[u8]) -> bool {
    let is_edge =
        |byte: Option<&u8>| byte.is_none_or(|byte| DELIMITERS.contains(byte) || b"\r\n".contains(byte));
    let quotes = || memchr::memchr_iter(b'\'', bytes);
    let before = |idx: usize| idx.checked_sub(1).and_then(|idx| bytes.get(idx));
    let n_opening = quotes().filter(|&idx| is_edge(before(idx))).count();
    let n_closing = quotes().filter(|&idx| is_edge(bytes.get(idx + 1))).count();
    n_opening > 0 && n_opening == n_closing && !bytes.contains(&b'"')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, delimiter: char, quote: char) {
        let expected = Dialect { delimiter: delimiter as u8, quote: Some(quote as u8) };
        assert_eq!(sniff(text, &ReadOptions::default()), expected, "{text:?}");
    }

    #[test]
    fn delimiters_are_told_by_the_rows_they_make() {
        check("a,b\n1,2\n", ',', '"');
        check("score;label\n0,5;1\n0,7;0\n", ';', '"');
        check("a\tb c\n1\t2, 3\n", '\t', '"');
        check("a|b\n1|2\n", '|', '"');
        check("only\n1\n2\n", ',', '"');
        check("\"a;b\",\"c;d\"\n1,2\n", ',', '"');
    }

    #[test]
    fn single_quotes_need_plain_evidence() {
        check("a,b\n'x,y',2\n", ',', '\'');
        check("a,b\nit's,2\n", ',', '"');
        check("a,b\n'x',\"y\"\n", ',', '"');
    }

    #[test]
    fn options_come_first() {
        let options = ReadOptions { delimiter: Some(b':'), quote: Quote::None };
        assert_eq!(sniff("a,b\n", &options), Dialect { delimiter: b':', quote: None });
    }
}
