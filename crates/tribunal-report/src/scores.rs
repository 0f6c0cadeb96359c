//! What came of the scoring of a table, as people read it.

use tribunal::{Output, PredictedClass, ScoreSummary};

use crate::description::counted;
use crate::document::{Align, Document, Part, Table, plain_row};
use crate::number::{count, figure};

pub(crate) fn document(summary: &ScoreSummary) -> Document {
    let title = format!("{} scored by {}", counted(summary.rows, "row"), summary.learner);
    let added = format!("Columns added: {}.", summary.added.join(", "));
    let mut parts = vec![Part::Paragraph(added), Part::Table(table(summary))];
    if !summary.notices.is_empty() {
        parts.push(Part::List(summary.notices.clone()));
    }
    Document { title, parts }
}

pub(crate) fn table(summary: &ScoreSummary) -> Table {
    let row = |class: &PredictedClass| {
        plain_row([class.class.clone(), count(class.rows as f64), figure(class.mean_score)])
    };
    let mean = match summary.output {
        Output::Probabilities => "mean probability",
        Output::Margins => "mean margin",
    };
    let columns = [("class", Align::Left), ("rows predicted", Align::Right), (mean, Align::Right)];
    Table {
        title: format!("What the model says of {}", summary.target),
        columns: columns.map(|(name, align)| (name.to_owned(), align)).to_vec(),
        rows: summary.classes.iter().map(row).collect(),
    }
}
