//! Why a biased sample cannot be made, in words.

use crate::error::{Error, ErrorKind};
use crate::message::{Message, Setting};

impl Error {
    pub(super) fn bad_fraction(fraction: f64) -> Self {
        let words = format!(
            "{fraction} is no share of the rows to leave out; write a number from 0 to 1, such as 0.25"
        );
        Self::new(ErrorKind::BadShare, words)
    }

    pub(super) fn bad_beta(beta: f64) -> Self {
        Self::new(ErrorKind::BadBeta, format!("{beta} is no slope; write a finite number, such as 1 or -2"))
    }

    pub(super) fn no_rows() -> Self {
        Self::new(ErrorKind::TooFewRows, "there is no row to leave out or to keep")
    }

    pub(super) fn bad_length(column: &str, length: usize, n_rows: usize) -> Self {
        let words =
            format!("column \"{column}\" has {length} values for {n_rows} rows; give one value a row");
        Self::new(ErrorKind::BadLength, words)
    }

    pub(super) fn no_column() -> Self {
        let words =
            Message::from("this kind of bias looks at a column; name it with ").setting(Setting::Column);
        Self::new(ErrorKind::NoColumn, words)
    }

    pub(super) fn no_classes() -> Self {
        let words = Message::from("this kind of bias looks at classes; name their column with ");
        let words = words.setting(Setting::Target).text(" and the class with ").setting(Setting::Class);
        Self::new(ErrorKind::NoClasses, words)
    }

    pub(super) fn unknown_class(class: &str, column: &str, known: &[String]) -> Self {
        let near = tribunal_io::nearest(class, known.iter().map(String::as_str));
        let hint = near.map_or_else(String::new, |near| format!(" (did you mean \"{near}\"?)"));
        let known: Vec<String> = known.iter().take(6).map(|label| format!("\"{label}\"")).collect();
        let words =
            format!("column \"{column}\" has no class \"{class}\"{hint}; it has {}", known.join(", "));
        Self::new(ErrorKind::UnknownClass, words)
    }

    pub(super) fn nothing_left(n_rows: usize) -> Self {
        let words = format!("all {n_rows} rows would be left out; leave out a smaller share");
        Self::new(ErrorKind::NothingLeft, words)
    }
}
