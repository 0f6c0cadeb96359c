//! TOML files as people write them: whatever is wrong with one is said with its line and its column.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::File;
use std::io::Read;
use std::ops::Range;

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use toml::Spanned;

use crate::error::Error;
use crate::message::Message;

/// No file that people write is longer, and a device such as `/dev/zero` has no end.
const MOST_BYTES: usize = 16 << 20;

/// The text of a TOML file, with the name that errors call it by.
#[derive(Debug)]
pub(crate) struct TomlFile {
    pub(crate) name: String,
    pub(crate) text: String,
}

impl TomlFile {
    /// Reads a file; `what` and `advice` are for the message of a file that cannot be read.
    pub(crate) fn read(name: &str, what: &str, advice: impl Into<Message>) -> Result<Self, Error> {
        let advice = advice.into();
        let wrong = |why: &str| {
            Error::usage(Message::from(format!("the {what} {name} {why}; ")).then(advice.clone()))
        };
        let unreadable = |error: &dyn Display| wrong(&format!("cannot be read: {error}"));
        let bytes = beginning(name).map_err(|error| unreadable(&error))?;
        if bytes.len() > MOST_BYTES {
            return Err(wrong("is longer than 16 MiB"));
        }
        let text = String::from_utf8(bytes).map_err(|error| unreadable(&error))?;
        Ok(Self { name: name.to_owned(), text })
    }

    /// What the text says.
    pub(crate) fn parse<T: DeserializeOwned>(&self) -> Result<T, Error> {
        toml::from_str(&self.text).map_err(|error| {
            let message = error.message();
            let said = format!("{}{}", in_plain_words(message), nearest_key(message));
            self.wrong(error.span().unwrap_or_default(), said)
        })
    }

    /// An error about what stands at a place of the text.
    pub(crate) fn wrong(&self, at: Range<usize>, problem: impl Into<Message>) -> Error {
        let (line, column) = line_and_column(&self.text, at.start);
        Error::usage(Message::from(format!("{}, line {line}, column {column}: ", self.name)).then(problem))
    }

    /// The names of the targets, in the order in which they are written.
    pub(crate) fn targets_as_written(&self) -> Result<Vec<String>, Error> {
        #[derive(Deserialize)]
        struct Targets {
            #[serde(default)]
            targets: BTreeMap<Spanned<String>, IgnoredAny>,
        }
        let mut names: Vec<Spanned<String>> = self.parse::<Targets>()?.targets.into_keys().collect();
        names.sort_by_key(|name| name.span().start);
        Ok(names.into_iter().map(Spanned::into_inner).collect())
    }
}

/// The bytes of a file, or one more than it may have.
fn beginning(name: &str) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(name)?.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Line and column of a byte, both counted from one; columns are characters.
fn line_and_column(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or(text);
    let line = before.rsplit('\n').next().unwrap_or_default();
    (before.matches('\n').count() + 1, line.chars().count() + 1)
}

/// A message in which types are called by what is to be written.
fn in_plain_words(message: &str) -> String {
    const NUMBERS: [&str; 7] = ["usize", "u64", "u32", "u16", "u8", "i64", "i32"];
    let Some((before, expected)) = message.rsplit_once("expected ") else { return message.to_owned() };
    let plain = match expected {
        number if NUMBERS.contains(&number) => "a whole number, zero or more",
        "f64" | "f32" => "a number",
        "a string" => "a text in quotes",
        "a boolean" => "true or false",
        "a sequence" => "a list",
        "a map" => "a table, as [columns] or { name = ... }",
        "struct TargetSchema" => "a table, as { column = \"fraud\", positive = \"yes\" }",
        table if table.starts_with("struct ") => "a table, as { name = ... }",
        other => other,
    };
    format!("{before}expected {plain}")
}

/// The known key that was probably meant, where the message says that a key is unknown and lists the known ones.
fn nearest_key(message: &str) -> String {
    let mut words = message.split('`').skip(1).step_by(2);
    let unknown = words.next().filter(|_| message.starts_with("unknown field"));
    let near = unknown.and_then(|unknown| tribunal_io::nearest(unknown, words));
    near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, byte: usize, expected: (usize, usize)) {
        assert_eq!(line_and_column(text, byte), expected, "{text:?} at {byte}");
    }

    #[test]
    fn lines_and_columns_count_from_one_and_in_characters() {
        check("", 0, (1, 1));
        check("ab\ncd", 1, (1, 2));
        check("ab\ncd", 3, (2, 1));
        check("é = x", 5, (1, 5));
        check("é", 1, (1, 2));
        check("ab\n", 99, (2, 1));
    }

    #[test]
    fn what_is_no_text_or_too_long_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.toml");
        let check = |bytes: &[u8], words: &str| {
            std::fs::write(&path, bytes).expect("written");
            let error = TomlFile::read(&path.to_string_lossy(), "schema", "give another").expect_err(words);
            let message = error.to_string();
            assert!(message.contains(words) && message.ends_with("; give another"), "{message}");
        };
        check(b"a = '\xff'", "cannot be read: invalid utf-8");
        check(&vec![b'#'; MOST_BYTES + 1], "is longer than 16 MiB");
        std::fs::write(&path, vec![b'#'; MOST_BYTES]).expect("written");
        assert!(TomlFile::read(&path.to_string_lossy(), "schema", "").is_ok());
    }

    #[test]
    fn unknown_keys_are_told_with_the_nearest() {
        assert_eq!(
            nearest_key("unknown field `colums`, expected one of `missing`, `columns`"),
            "; did you mean `columns`?"
        );
        assert_eq!(nearest_key("unknown field `xyz`, expected `columns`"), "");
        assert_eq!(nearest_key("invalid type `columns`, not `column`"), "");
    }

    #[test]
    fn types_are_called_by_what_is_to_be_written() {
        let said = |message: &str| in_plain_words(message);
        assert_eq!(
            said("invalid value: integer `-1`, expected usize"),
            "invalid value: integer `-1`, expected a whole number, zero or more"
        );
        assert!(said("invalid type: string \"x\", expected struct TargetSchema").contains("{ column = "));
        assert_eq!(said("unknown field `x`, expected `y`"), "unknown field `x`, expected `y`");
    }

    #[test]
    fn targets_come_as_they_are_written() {
        let text = "title = 'x'\n[targets.b]\ncolumn = 'x'\n[targets.a]\ncolumn = 'y'\n".to_owned();
        let file = TomlFile { name: "x.toml".into(), text };
        assert_eq!(file.targets_as_written().expect("targets"), ["b", "a"]);
    }
}
