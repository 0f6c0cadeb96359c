//! The list of all learners: how each is written, what it does, who described it.

use serde_json::{Value, json};
use tribunal::{LEARNERS, LearnerForm};

use crate::document::{Align, Document, Part, Table, plain_row};
use crate::text::wrap;

pub(crate) fn text() -> String {
    let examples = LEARNERS.iter().flat_map(|form| form.examples);
    let width = examples.map(|(text, _)| text.len()).max().unwrap_or(0);
    let example = |(text, what): &(&str, &str)| format!("    {text:<width$}  {what}\n");
    let entry = |form: &&LearnerForm| {
        let field = |label: &str, text: &str| wrap(text, &format!("  {label:<12}"), &" ".repeat(14));
        let fields =
            [("written:", form.form), ("definition:", form.definition), ("reference:", form.reference)];
        let fields: String = fields.iter().map(|(label, text)| field(label, text)).collect();
        let examples: String = form.examples.iter().map(example).collect();
        format!("{}\n{fields}  examples:\n{examples}", form.name)
    };
    let for_all = [CALIBRATION, GRIDS].map(|words| format!("\n{}", wrap(words, "", ""))).concat();
    LEARNERS.iter().map(entry).collect::<Vec<_>>().join("\n") + &for_all
}

/// What goes with every learner.
const CALIBRATION: &str = "Any of them can be calibrated on folds of its training rows that it has not seen: add +platt, \
                           +isotonic, +beta or +bins, as in nb:5+platt.";

/// What goes with every setting.
const GRIDS: &str = "Any setting can be tuned: braces hold what is tried, as in nb:{0,5,25}, nb:{1..64*2} (by a factor), \
                     c45:min={2..10+2} (by a step) or tan:{5,25}+{platt,isotonic} (every combination).";

pub(crate) fn json() -> Value {
    let example = |(text, what): &(&str, &str)| json!({ "learner": text, "what": what });
    let entry = |form: &&LearnerForm| {
        json!({
            "name": form.name,
            "family": form.family.name(),
            "form": form.form,
            "definition": form.definition,
            "reference": form.reference,
            "examples": form.examples.iter().map(example).collect::<Vec<_>>(),
        })
    };
    json!({ "schema": "tribunal.learners/1", "learners": LEARNERS.iter().map(entry).collect::<Vec<_>>() })
}

pub(crate) fn table() -> Table {
    let columns = ["name", "family", "form", "definition", "reference", "examples"];
    let row = |form: &&LearnerForm| {
        let examples: Vec<&str> = form.examples.iter().map(|(text, _)| *text).collect();
        let examples = examples.join(" ");
        plain_row([form.name, form.family.name(), form.form, form.definition, form.reference, &examples])
    };
    Table {
        title: format!("{} learners", LEARNERS.len()),
        columns: columns.map(|name| (name.to_owned(), Align::Left)).to_vec(),
        rows: LEARNERS.iter().map(row).collect(),
    }
}

pub(crate) fn document() -> Document {
    Document { title: "Learners".into(), parts: vec![Part::Table(table())] }
}
