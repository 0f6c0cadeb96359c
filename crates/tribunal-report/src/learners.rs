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
    let calibration = wrap(CALIBRATION, "", "");
    let outside = wrap(OUTSIDE, "", "");
    LEARNERS.iter().map(entry).collect::<Vec<_>>().join("\n") + "\n" + &calibration + "\n" + &outside
}

/// What goes with every learner.
const CALIBRATION: &str = "Any of them can be calibrated on folds of its training rows that it has not seen: add +platt, \
                           +isotonic, +beta or +bins, as in nb:5+platt.";

/// What stands beside them.
const OUTSIDE: &str = "A command that can fit and score is a learner too: outside:COMMAND, as in outside:python3 \
                       my_learner.py; `tribunal cross --help` says how it is called.";

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
