//! A biased sample as people read it: what was left out, and what that did to the classes.

use tribunal::BiasSummary;
use tribunal::bias::BiasName;
use tribunal::message::{Message, Phrasing, Setting};

use crate::document::{Align, Document, Part, Table, plain_row};
use crate::number::{count, percent};

pub(crate) fn document(bias: &BiasSummary, phrasing: &dyn Phrasing) -> Document {
    let title =
        format!("{} bias: {} of {} rows left out", bias.kind, number(bias.n_dropped), number(bias.n_rows));
    let mut parts = vec![Part::Paragraph(about(bias, phrasing))];
    if !bias.classes.is_empty() {
        parts.push(Part::Table(table(bias)));
    }
    Document { title, parts }
}

fn about(bias: &BiasSummary, phrasing: &dyn Phrasing) -> String {
    let column = match &bias.column {
        None => "No column was looked at".to_owned(),
        Some(column) if bias.is_default_column => {
            let by = format!("By column \"{column}\", the first that is not the target; name another with ");
            Message::from(by).setting(Setting::Column).said_by(phrasing)
        }
        Some(column) => format!("By column \"{column}\""),
    };
    let treated = if bias.kind == BiasName::FeatureSoft {
        "counts as the mean"
    } else {
        "is left out last, whichever end goes"
    };
    let missing = match bias.n_missing {
        0 => String::new(),
        1 => format!(" A value is missing on 1 row, which {treated}."),
        n => format!(" A value is missing on {} rows; such a row {treated}.", number(n)),
    };
    let dates = bias.dates.as_ref().zip(bias.column.as_ref());
    let dates = dates.and_then(|(reading, column)| reading.explain(column));
    let dates = dates.map_or_else(String::new, |words| format!("; {words}"));
    format!("{column}; seed {}{dates}.{missing}", bias.seed)
}

pub(crate) fn table(bias: &BiasSummary) -> Table {
    let right = |name: &str| (name.to_owned(), Align::Right);
    let columns = vec![
        ("class".to_owned(), Align::Left),
        right("rows before"),
        right("rows after"),
        right("share before"),
        right("share after"),
    ];
    let row = |class: &tribunal::ClassShift| {
        plain_row([
            class.class.clone(),
            class.n_before.to_string(),
            class.n_after.to_string(),
            percent(class.share_before),
            percent(class.share_after),
        ])
    };
    let title = format!("Classes of \"{}\"", bias.target.as_deref().unwrap_or_default());
    Table { title, columns, rows: bias.classes.iter().map(row).collect() }
}

fn number(n: usize) -> String {
    count(n as f64)
}
