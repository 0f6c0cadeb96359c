//! The columns of a table as lines of a study file: those to leave out, those to ask about, and the others.

use std::fmt::Write;

use tribunal_learn::Role;

use super::text::{comment, key};
use crate::describe::{ColumnDescription, Description, Notice, Subject};

/// The table of columns; those that a population lacks are left out.
pub(super) fn columns_text(description: &Description, absent: &[String]) -> String {
    let (mut left_out, mut suspects, mut others) = (String::new(), String::new(), String::new());
    for column in &description.columns {
        let name = key(&column.name);
        let notices: Vec<&Notice> = description.notices.iter().filter(|n| n.column == column.name).collect();
        let is_about = |about: Subject| notices.iter().any(|notice| notice.about == about);
        let said: String = notices.iter().map(|notice| comment(&notice.text)).collect();
        // Numbers with other cells among them are refused by learners, and what the cells mean only their owner knows.
        if absent.contains(&column.name) {
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
