//! The list of all learners: how each is written, what it does, who described it.

use serde_json::{Value, json};
use tribunal::message::{Message, Phrasing, Setting, Verb};
use tribunal::{AMOUNT_LEARNERS, AmountForm, COST_METHODS, CostMethodForm, LEARNERS, LearnerForm};

use crate::document::{Align, Document, Part, Table, plain_row};
use crate::text::wrap;

pub(crate) fn text(phrasing: &dyn Phrasing) -> String {
    let examples = entries().flat_map(|entry| entry.examples);
    let width = examples.map(|(text, _)| text.len()).max().unwrap_or(0);
    let example = |(text, what): &(&str, &str)| format!("    {text:<width$}  {what}\n");
    let entry = |form: Entry| {
        let field = |label: &str, text: &str| wrap(text, &format!("  {label:<12}"), &" ".repeat(14));
        let fields =
            [("written:", form.form), ("definition:", form.definition), ("reference:", form.reference)];
        let fields: String = fields.iter().map(|(label, text)| field(label, text)).collect();
        let examples: String = form.examples.iter().map(example).collect();
        format!("{}\n{fields}  examples:\n{examples}", form.name)
    };
    let outside = outside().said_by(phrasing);
    let costs = costs();
    let for_all =
        [CALIBRATION, &costs, GRIDS, &outside].map(|words| format!("\n{}", wrap(words, "", ""))).concat();
    let of_classes = LEARNERS.iter().map(|form| entry(Entry::from(*form))).collect::<Vec<_>>().join("\n");
    let of_amounts =
        AMOUNT_LEARNERS.iter().map(|form| entry(Entry::from(*form))).collect::<Vec<_>>().join("\n");
    format!("{of_classes}{for_all}\n{}\n{of_amounts}", wrap(&amounts().said_by(phrasing), "", ""))
}

/// What learners of amounts are for.
fn amounts() -> Message {
    let message = Message::from("Amounts instead of classes are learned where `").verb(Verb::Fit);
    message.text("` is given their column with ").setting(Setting::Amount).text(":")
}

/// How any learner minds what errors cost.
fn costs() -> String {
    let method = |form: &CostMethodForm| format!("{} ({})", form.form, form.definition);
    let methods: Vec<String> = COST_METHODS.iter().map(method).collect();
    format!(
        "Any of them can mind what a false positive and a false negative cost, as in c45+metacost=1:5: {}. Costs of more \
         classes are a matrix with a row for each predicted class, as in 0:1:5/2:0:1/3:4:0.",
        methods.join("; ")
    )
}

/// The family of the learners of amounts.
const AMOUNT_FAMILY: &str = "amount";

/// A learner of classes or amounts.
#[derive(Clone, Copy)]
struct Entry {
    name: &'static str,
    family: &'static str,
    form: &'static str,
    definition: &'static str,
    reference: &'static str,
    examples: &'static [(&'static str, &'static str)],
}

impl From<&'static LearnerForm> for Entry {
    fn from(form: &'static LearnerForm) -> Self {
        let LearnerForm { name, form: written, definition, reference, examples, .. } = form;
        Entry { name, family: form.family.name(), form: written, definition, reference, examples }
    }
}

impl From<&'static AmountForm> for Entry {
    fn from(form: &'static AmountForm) -> Self {
        let AmountForm { name, form, definition, reference, examples } = form;
        Entry { name, family: AMOUNT_FAMILY, form, definition, reference, examples }
    }
}

/// Every learner, those of amounts last.
fn entries() -> impl Iterator<Item = Entry> {
    let of_amounts = AMOUNT_LEARNERS.iter().map(|form| Entry::from(*form));
    LEARNERS.iter().map(|form| Entry::from(*form)).chain(of_amounts)
}

/// What goes with every learner of classes.
const CALIBRATION: &str = "Any of them can be calibrated on folds of its training rows that it has not seen: add +platt, \
                           +isotonic, +beta or +bins, as in nb:5+platt.";

/// What goes with every setting.
const GRIDS: &str = "Any setting can be tuned: braces hold what is tried, as in nb:{0,5,25}, nb:{1..64*2} (by a factor), \
                     c45:min={2..10+2} (by a step) or tan:{5,25}+{platt,isotonic} (every combination).";

/// What stands beside them.
fn outside() -> Message {
    let message = Message::from(
        "A command that can fit and score is a learner too: outside:COMMAND, as in outside:python3 my_learner.py; `",
    );
    message.verb(Verb::Cross).text(" ").setting(Setting::Help).text("` says how it is called.")
}

pub(crate) fn json() -> Value {
    let example = |(text, what): &(&str, &str)| json!({ "learner": text, "what": what });
    let entry = |form: Entry| {
        json!({
            "name": form.name,
            "family": form.family,
            "form": form.form,
            "definition": form.definition,
            "reference": form.reference,
            "examples": form.examples.iter().map(example).collect::<Vec<_>>(),
        })
    };
    let is_of_amounts = |entry: &Entry| entry.family == AMOUNT_FAMILY;
    json!({
        "schema": "tribunal.learners/1",
        "learners": entries().filter(|one| !is_of_amounts(one)).map(entry).collect::<Vec<_>>(),
        "amount_learners": entries().filter(is_of_amounts).map(entry).collect::<Vec<_>>(),
    })
}

pub(crate) fn table() -> Table {
    let columns = ["name", "family", "form", "definition", "reference", "examples"];
    let row = |form: Entry| {
        let examples: Vec<&str> = form.examples.iter().map(|(text, _)| *text).collect();
        let examples = examples.join(" ");
        plain_row([form.name, form.family, form.form, form.definition, form.reference, &examples])
    };
    Table {
        title: format!("{} learners", entries().count()),
        columns: columns.map(|name| (name.to_owned(), Align::Left)).to_vec(),
        rows: entries().map(row).collect(),
    }
}

pub(crate) fn document() -> Document {
    Document { title: "Learners".into(), parts: vec![Part::Table(table())] }
}
