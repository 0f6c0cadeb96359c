//! What a user should look at before believing a model of a table.

use tribunal_io::RepeatedFile;
use tribunal_learn::Remark;

use super::results::{DateRange, Notice, Subject};
use crate::data::TypedColumn;
use crate::leaks::Leak;
use crate::repeated_rows::RepeatedRows;

/// What is to be said about a column, which seems to give a target away or does not, and whose dates reach so far.
pub(super) fn of_column(
    column: &TypedColumn,
    leak: Option<&Leak>,
    dates: Option<&Result<DateRange, String>>,
) -> Vec<Notice> {
    let notice =
        |leak: &Leak| Notice { column: leak.column.clone(), about: Subject::Leak, text: leak.to_string() };
    let remarks = column.remarks.iter().map(|remark| of_remark(column, remark, dates));
    leak.map(notice).into_iter().chain(remarks).collect()
}

fn of_remark(column: &TypedColumn, remark: &Remark, dates: Option<&Result<DateRange, String>>) -> Notice {
    let name = column.column.name();
    let (about, text) = match remark {
        Remark::Identifier => (
            Subject::Identifier,
            format!("\"{name}\" names the row, like an identifier: learners leave it out"),
        ),
        Remark::Constant => (Subject::Constant, format!("\"{name}\" is the same in every row")),
        Remark::Empty => {
            (Subject::Empty, format!("\"{name}\" is missing in every row: learners leave it out"))
        }
        Remark::Dates => (Subject::Dates, of_dates(name, dates)),
        Remark::FreeText => (Subject::FreeText, format!("\"{name}\" holds sentences: learners leave it out")),
        Remark::ManyLevels => (
            Subject::ManyLevels,
            format!(
                "\"{name}\" has {} levels, many of them rare: group them before training",
                column.column.n_codes()
            ),
        ),
        Remark::NearlyNumeric => (Subject::NearlyNumeric, column.strays_text()),
        Remark::OtherNotation { example, plain } => (
            Subject::Notation,
            format!(
                "\"{name}\" holds numbers in a notation that is not read, such as \"{example}\": learners would take each for a \
                 level of its own; write {plain}"
            ),
        ),
        Remark::ZerosFarOff(rows) => (
            Subject::Zeros,
            format!("{rows} zeros in \"{name}\" stand far from its other numbers: do they mean missing?"),
        ),
    };
    Notice { column: name.to_owned(), about, text }
}

/// What is said of dates: from when to when they reach, how they were read, or why they were not.
fn of_dates(name: &str, dates: Option<&Result<DateRange, String>>) -> String {
    let left_out = format!("\"{name}\" holds dates as text: learners leave it out");
    match dates {
        Some(Ok(DateRange { first, last, reading })) => {
            let how = reading.explain(name).map_or_else(String::new, |words| format!("; {words}"));
            format!(
                "{left_out}; write days since a fixed date to use it, or divide rows by it, time:{name}:CUT (they reach from \
                 {first} to {last}{how})"
            )
        }
        Some(Err(why)) => format!("{left_out}, and they cannot be put in order: {why}"),
        None => format!("{left_out}; write days since a fixed date to use it"),
    }
}

/// A file that was given twice, which concerns no column.
pub(super) fn repeated(file: &RepeatedFile) -> Notice {
    Notice { column: String::new(), about: Subject::RepeatedFile, text: file.to_string() }
}

/// Rows that stand there more than once, which concerns no column either.
pub(super) fn repeated_rows(found: &RepeatedRows) -> Notice {
    let text = format!(
        "{found}: if they are the same cases, remove the copies before the rows are divided, or training and test parts share \
         them"
    );
    Notice { column: String::new(), about: Subject::RepeatedRows, text }
}

/// A column of a type that is not read.
pub(super) fn unreadable(name: &str) -> Notice {
    let text = format!("\"{name}\" holds lists, structs or bytes and is left out");
    Notice { column: name.to_owned(), about: Subject::Unreadable, text }
}
