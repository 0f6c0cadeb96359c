//! How a model was made, as people read it.

use tribunal::message::{Message, Phrasing, Setting};
use tribunal::{ClassCount, FitSummary};

use crate::description::{Place, counted};
use crate::document::{Align, Document, Part, Table, plain_row};
use crate::number::{count, percent};
use crate::tuning;

pub(crate) fn document(summary: &FitSummary, place: Place, phrasing: &dyn Phrasing) -> Document {
    let (rows, columns) = (counted(summary.rows, "row"), counted(summary.columns, "column"));
    let weight = summary.weight.map_or_else(String::new, |weight| format!(" of weight {}", count(weight)));
    let about = format!("Trained on {rows}{weight} and {columns}, with seed {}.", summary.seed);
    let mut parts = vec![Part::Paragraph(about), Part::Table(classes(summary))];
    parts.extend(summary.tuning.iter().flat_map(|curve| tuning::parts(curve, place)));
    let warnings = summary.warnings.iter().map(|warning| format!("warning: {warning}"));
    let tuned = summary.tuning.iter().flat_map(tuning::remarks);
    let leaks = summary.leaks.iter().map(|leak| format!("{leak} {}", leave_out(&leak.column, phrasing)));
    let remarks: Vec<String> =
        leaks.chain(tuned).chain(warnings).chain(summary.notices.iter().cloned()).collect();
    if !remarks.is_empty() {
        parts.push(Part::List(remarks));
    }
    Document { title: format!("{} for {}", summary.learner, summary.target), parts }
}

/// What to do about a column that seems to be known only after the outcome.
pub(crate) fn leave_out(column: &str, phrasing: &dyn Phrasing) -> String {
    let message = Message::from("Leave it out with ").set(Setting::Kind, format!("{column}=ignore"));
    message.text(" unless it is known before.").said_by(phrasing)
}

/// The one table of a form that has room for one: what was tried, or the classes where nothing was.
pub(crate) fn table(summary: &FitSummary) -> Table {
    summary.tuning.as_ref().map_or_else(|| classes(summary), tuning::full_table)
}

fn classes(summary: &FitSummary) -> Table {
    let row = |class: &ClassCount| {
        let share = percent(class.rows as f64 / summary.rows as f64);
        plain_row([class.class.clone(), count(class.rows as f64), share])
    };
    let columns = [("class", Align::Left), ("rows", Align::Right), ("share", Align::Right)];
    Table {
        title: match summary.classes.len() {
            2 => "Classes, the positive one last".to_owned(),
            _ => "Classes".to_owned(),
        },
        columns: columns.map(|(name, align)| (name.to_owned(), align)).to_vec(),
        rows: summary.classes.iter().map(row).collect(),
    }
}
