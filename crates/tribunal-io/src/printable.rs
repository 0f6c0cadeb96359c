//! Texts of users where people read them: characters that command a terminal, turn the order of letters around, or cannot
//! be seen are written out, `\u{1b}` for an escape.
//!
//! What is written out: control characters (C0, delete, C1), line and paragraph separators, bidirectional controls, and
//! all else that Unicode calls *default ignorable* - soft hyphens, zero-width spaces, fillers, tags. Joiners and variation
//! selectors stay where they have something to join: Persian, the scripts of India and emoji are written with them, while
//! behind a Latin letter they only make two names look the same.

use std::borrow::Cow;

/// Whether a character is written out wherever it stands. Line breaks and tabs are among them.
///
/// ```
/// use tribunal_io::is_hidden;
///
/// assert!(['\u{1b}', '\u{7f}', '\u{9b}', '\u{202e}', '\u{200b}', '\n'].into_iter().all(is_hidden));
/// assert!(!['a', 'é', '数', '\u{a0}', '█'].into_iter().any(is_hidden));
/// ```
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'
                | '\u{200e}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

/// Zero-width joiners and variation selectors, which change how the letter before them is drawn.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}'..='\u{200d}' | '\u{fe00}'..='\u{fe0f}')
}

/// A text on one line, with every hidden character written out.
///
/// ```
/// use tribunal_io::printable;
///
/// assert_eq!(printable("clean"), "clean");
/// assert_eq!(printable("red\u{1b}[31m\nalert"), "red\\u{1b}[31m\\nalert");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    written_out(text, |_, _| false)
}

/// The same of a text whose line breaks and tabs are layout.
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    written_out(text, |c, _| matches!(c, '\n' | '\t'))
}

/// The same of a message, which goes on in indented lines: no text within begins a line of its own.
///
/// ```
/// use tribunal_io::printable_message;
///
/// assert_eq!(printable_message("declare a target\n  [targets]"), "declare a target\n  [targets]");
/// assert_eq!(printable_message("no column x\nerror: y"), "no column x\\nerror: y");
/// ```
pub fn printable_message(text: &str) -> Cow<'_, str> {
    written_out(text, |c, rest| c == '\n' && rest.starts_with("  "))
}

/// A text with hidden characters written out, but for those that are layout, as they and what follows them tell.
fn written_out(text: &str, is_layout: impl Fn(char, &str) -> bool) -> Cow<'_, str> {
    if text.is_ascii() && !text.bytes().any(|byte| byte.is_ascii_control()) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 8);
    let mut joins = false;
    for (start, c) in text.char_indices() {
        let rest = &text[start + c.len_utf8()..];
        let is_shown = if is_joiner(c) { joins } else { !is_hidden(c) || is_layout(c, rest) };
        match is_shown {
            true => out.push(c),
            false => out.extend(c.escape_default()),
        }
        joins = is_shown && !c.is_ascii();
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(printable(text), expected);
    }

    #[test]
    fn what_commands_a_terminal_is_written_out() {
        check("\u{1b}]0;title\u{7}", "\\u{1b}]0;title\\u{7}");
        check("a\r\n\tb\u{7f}", "a\\r\\n\\tb\\u{7f}");
        check("\u{9b}31m", "\\u{9b}31m");
    }

    #[test]
    fn what_turns_letters_around_or_hides_is_written_out() {
        check("exe.\u{202e}fdp", "exe.\\u{202e}fdp");
        check("\u{2066}a\u{2069}", "\\u{2066}a\\u{2069}");
        check("fra\u{200b}ud \u{feff}", "fra\\u{200b}ud \\u{feff}");
        check("a\u{e0041}", "a\\u{e0041}");
        check("fra\u{200d}ud", "fra\\u{200d}ud");
    }

    #[test]
    fn writing_of_every_kind_stays() {
        for text in [
            "größe",
            "Μέσος",
            "می\u{200c}خواهم",
            "क्\u{200d}ष",
            "👩\u{200d}👧",
            "❤\u{fe0f}",
            "数",
            "e\u{301}",
            "a\u{a0}b",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn lines_are_layout_only_where_they_are_said_to_be() {
        assert_eq!(printable_lines("a\n\tb\r\u{1b}"), "a\n\tb\\r\\u{1b}");
        assert_eq!(printable_message("a\n  b\nc"), "a\n  b\\nc");
    }
}
