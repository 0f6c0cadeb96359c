//! Words of an ARFF line: plain, or in single or double quotes with backslash escapes.

use std::borrow::Cow;

/// A word and whether it was quoted. Only an unquoted `?` is missing.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) is_quoted: bool,
}

/// A quote that is not closed on its line.
#[derive(Debug, PartialEq)]
pub(crate) struct Unclosed;

/// The first word of a line and what follows it. A plain word ends before any of `stops`.
pub(crate) fn token<'a>(line: &'a str, stops: &[char]) -> Result<(Token<'a>, &'a str), Unclosed> {
    let line = line.trim_ascii_start();
    match line.chars().next() {
        Some(quote @ ('\'' | '"')) => quoted(&line[1..], quote),
        _ => {
            let end = line.find(stops).unwrap_or(line.len());
            let text = Cow::Borrowed(line[..end].trim_ascii_end());
            Ok((Token { text, is_quoted: false }, &line[end..]))
        }
    }
}

fn quoted(line: &str, quote: char) -> Result<(Token<'_>, &str), Unclosed> {
    let mut letters = line.char_indices();
    let mut text = Cow::Borrowed("");
    while let Some((idx, letter)) = letters.next() {
        if letter == quote {
            let text = if text.is_empty() { Cow::Borrowed(&line[..idx]) } else { text };
            return Ok((Token { text, is_quoted: true }, &line[idx + 1..]));
        }
        if letter == '\\' {
            if text.is_empty() {
                text = Cow::Owned(line[..idx].to_string());
            }
            text.to_mut().push(unescaped(letters.next().ok_or(Unclosed)?.1));
        } else if let Cow::Owned(text) = &mut text {
            text.push(letter);
        }
    }
    Err(Unclosed)
}

fn unescaped(letter: char) -> char {
    match letter {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, text: &str, rest: &str) {
        let (token, after) = token(line, &[',']).expect("a token");
        assert_eq!((&*token.text, after), (text, rest), "{line:?}");
    }

    #[test]
    fn words_are_plain_or_quoted() {
        check(" a b , c", "a b", ", c");
        check("'a, b',c", "a, b", ",c");
        check("\"it's\"", "it's", "");
        check(r"'it\'s \\ \t',x", "it's \\ \t", ",x");
        check(r"'\'x',y", "'x", ",y");
        check("''", "", "");
        check("", "", "");
        assert_eq!(token("'open", &[',']), Err(Unclosed));
        assert_eq!(token("'open\\", &[',']), Err(Unclosed));
    }
}
