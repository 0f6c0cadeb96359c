//! What a user should look at before believing a model of a table.

use tribunal_learn::Remark;

use super::results::{Alone, Notice};
use crate::data::TypedColumn;

/// A column that ranks this well by itself is suspected to be known only after the outcome.
const LEAKS: f64 = 0.995;

/// Fewer rows than this are told apart by chance.
const FEWEST_ROWS: u64 = 20;

/// The subjects, the gravest first.
const SUBJECTS: [&str; 10] = [
    "leak",
    "nearly-numeric",
    "identifier",
    "dates",
    "free-text",
    "unreadable",
    "empty",
    "constant",
    "many-levels",
    "zeros",
];

/// The place of a subject among all.
pub(super) fn gravity(about: &str) -> usize {
    SUBJECTS.iter().position(|subject| *subject == about).unwrap_or(SUBJECTS.len())
}

/// What is to be said about a column, which tells so much about each class of each target by its values, and by being
/// there. It leaks if it gives away every class: that one of several is told perfectly happens to honest predictors.
pub(super) fn of_column(
    column: &TypedColumn,
    told: &[Vec<Option<Alone>>],
    by_presence: &[Vec<Option<Alone>>],
) -> Vec<Notice> {
    let name = column.column.name();
    let notice = |about, text| Notice { column: name.to_owned(), about, text };
    let auroc = |alone: &Option<Alone>| {
        alone.as_ref().filter(|alone| alone.n >= FEWEST_ROWS).map(|alone| alone.auroc)
    };
    let lowest = |classes: &Vec<Option<Alone>>| {
        let aurocs: Option<Vec<f64>> = classes.iter().map(auroc).collect();
        aurocs?.into_iter().min_by(f64::total_cmp).filter(|auroc| *auroc >= LEAKS)
    };
    let mut notices = Vec::new();
    if let Some(auroc) = told.iter().find_map(lowest) {
        notices.push(notice(
            "leak",
            format!("\"{name}\" alone reaches an AUROC of {auroc:.3}: is it known before the outcome?"),
        ));
    } else if by_presence.iter().any(|classes| lowest(classes).is_some()) {
        notices.push(notice(
            "leak",
            format!("whether \"{name}\" is missing gives the class away: is it filled in after the outcome?"),
        ));
    }
    notices.extend(column.remarks.iter().map(|remark| of_remark(column, remark)));
    notices
}

fn of_remark(column: &TypedColumn, remark: &Remark) -> Notice {
    let name = column.column.name();
    let (about, text) = match remark {
        Remark::Identifier => {
            ("identifier", format!("\"{name}\" names the row, like an identifier: learners leave it out"))
        }
        Remark::Constant => ("constant", format!("\"{name}\" is the same in every row")),
        Remark::Empty => ("empty", format!("\"{name}\" is missing in every row: learners leave it out")),
        Remark::Dates => (
            "dates",
            format!(
                "\"{name}\" holds dates as text: learners leave it out; write days since a fixed date to use it"
            ),
        ),
        Remark::FreeText => ("free-text", format!("\"{name}\" holds sentences: learners leave it out")),
        Remark::ManyLevels => (
            "many-levels",
            format!(
                "\"{name}\" has {} levels, many of them rare: group them before training",
                column.column.n_codes()
            ),
        ),
        Remark::NearlyNumeric => ("nearly-numeric", column.strays_text()),
        Remark::ZerosFarOff(rows) => (
            "zeros",
            format!("{rows} zeros in \"{name}\" stand far from its other numbers: do they mean missing?"),
        ),
    };
    Notice { column: name.to_owned(), about, text }
}

/// A column of a type that is not read.
pub(super) fn unreadable(name: &str) -> Notice {
    let text = format!("\"{name}\" holds lists, structs or bytes and is left out");
    Notice { column: name.to_owned(), about: "unreadable", text }
}
