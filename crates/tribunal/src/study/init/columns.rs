//! The columns of a table as lines of a study file: those to leave out, those to ask about, and the others.

use std::fmt::Write;

use tribunal_learn::Role;

use super::text::{comment, key};
use crate::describe::{ColumnDescription, Description, Notice, Subject};

/// Columns of a labelled table that say nothing about a population.
#[derive(Clone, Debug, Default)]
pub(super) struct Unusable {
    /// Those that the population does not have.
    pub(super) absent: Vec<String>,
    /// Those that have no value there that they have here, as the year of a claim.
    pub(super) apart: Vec<String>,
}

impl Unusable {
    /// Of a labelled table beside a population.
    pub(super) fn of(labelled: &Description, population: &Description) -> Self {
        let mut unusable = Self::default();
        for column in &labelled.columns {
            match population.columns.iter().find(|other| other.name == column.name) {
                None => unusable.absent.push(column.name.clone()),
                Some(other) if are_apart(column, other) => unusable.apart.push(column.name.clone()),
                Some(_) => {}
            }
        }
        unusable
    }
}

/// Whether two columns have no value in common, as far as a description tells: numbers that do not overlap, or other levels.
fn are_apart(one: &ColumnDescription, other: &ColumnDescription) -> bool {
    match (&one.numbers, &other.numbers) {
        (Some(one), Some(other)) => one.max < other.min || other.max < one.min,
        (None, None) => {
            let are_all = !one.more_levels && !other.more_levels;
            let is_there = |level: &str| other.levels.iter().any(|other| other.level == level);
            are_all
                && !one.levels.is_empty()
                && !other.levels.is_empty()
                && !one.levels.iter().any(|one| is_there(&one.level))
        }
        _ => false,
    }
}

/// The table of columns; those that say nothing about a population are left out.
pub(super) fn columns_text(description: &Description, unusable: &Unusable) -> String {
    let (mut left_out, mut suspects, mut others) = (String::new(), String::new(), String::new());
    for column in &description.columns {
        let name = key(&column.name);
        let notices: Vec<&Notice> = description.notices.iter().filter(|n| n.column == column.name).collect();
        let is_about = |about: Subject| notices.iter().any(|notice| notice.about == about);
        let said: String = notices.iter().map(|notice| comment(&notice.text)).collect();
        // Numbers with other cells among them are refused by learners, and what the cells mean only their owner knows.
        if unusable.apart.contains(&column.name) && column.role == Role::Predictor {
            let why = comment(
                "No row of the population has a value that a labelled row has: it tells only when or where a row was recorded, and a \
                 model of it says nothing about the population.",
            );
            let _ = writeln!(left_out, "{why}{name} = \"ignore\"");
        } else if unusable.absent.contains(&column.name) {
            let why = comment("The population does not have it, so no model of it could be used there.");
            let _ = writeln!(left_out, "{why}{name} = \"ignore\"");
        } else if column.role != Role::Predictor || is_about(Subject::NearlyNumeric) {
            let _ = writeln!(left_out, "{said}{name} = \"ignore\"");
        } else if is_about(Subject::Leak) {
            let _ = writeln!(suspects, "{said}# {name} = \"ignore\"");
        } else {
            let line = format!("# {name} = \"{}\"", column.kind.name());
            let _ = writeln!(others, "{said}{line:<40}  # {}", in_short(column));
        }
    }
    let unreadable = description.notices.iter().filter(|notice| notice.about == Subject::Unreadable);
    let unreadable: String = unreadable.map(|notice| comment(&notice.text)).collect();
    let part = |title: &str, lines: &str| match lines.is_empty() {
        true => String::new(),
        false => format!("\n{}{lines}", comment(title)),
    };
    [
        "[columns]\n".to_owned(),
        part("Left out, each with the reason; to learn from one of them, write its kind instead.", &(left_out + &unreadable)),
        part(
            "SUSPECTED LEAKS: these tell the target nearly perfectly by themselves, or have values that only one class has. Are \
             they known before the outcome is? If not, remove the # to ignore them; as it stands they are learned from.",
            &suspects,
        ),
        part("As they seem to be; remove the # and change the kind where it is wrong.", &others),
    ]
    .concat()
}

/// What a column holds, in a few words.
fn in_short(column: &ColumnDescription) -> String {
    let values = match &column.numbers {
        Some(numbers) => format!("{} to {}", short(numbers.min), short(numbers.max)),
        None => format!("{}{} values", column.distinct, if column.more_levels { " or more" } else { "" }),
    };
    match column.missing {
        0 => values,
        n => format!("{values}, {n} missing"),
    }
}

/// A number without digits that nobody reads.
fn short(number: f64) -> String {
    match number.abs() {
        size if size >= 1e9 => format!("{number:.2e}"),
        _ => ((number * 1e4).round() / 1e4).to_string(),
    }
}
