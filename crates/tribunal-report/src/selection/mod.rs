//! A selection as a document: the answer first, then what stands behind it.
//!
//! A terminal gets what one wants to read before deciding; paper (Markdown, LaTeX) gets every table. The pairwise matrix is that of
//! Fan and Davidson (2006): learner by learner, with the winner or `??`.

mod answer;
mod audit;
mod csv;
mod expected;
mod folder;
mod labels;
mod methods;
mod pairwise;
#[cfg(test)]
mod tests;

use tribunal::message::{Message, Phrasing, Setting};
use tribunal::selection::Selection;

pub(crate) use self::csv::csv;
pub use self::folder::{selection_files, write_selection};
use crate::description::Place;
use crate::document::{Document, Part};
use crate::shift::{shift_in_short, shift_parts};

pub(crate) fn document(selection: &Selection, place: Place, phrasing: &dyn Phrasing) -> Document {
    let shift = match place {
        Place::Terminal => shift_in_short(&selection.shift.diagnosis),
        Place::Paper => shift_parts(&selection.shift.diagnosis),
    };
    let sections = [
        headed("Answer", answer::parts(selection)),
        headed("Warnings", answer::warnings(selection, phrasing)),
        headed("What to expect", expected::parts(selection, place, phrasing)),
        headed("Learners", answer::learners(selection)),
        headed("What the methods say", methods::parts(selection, place)),
        headed("ReverseTesting", pairwise::parts(selection, place)),
        shift,
        headed("Audit", audit::parts(selection, place, phrasing)),
        headed("Labels", labels::parts(selection, phrasing)),
        headed("Check with the target of the population", labels::check(selection)),
        headed("Models trained", answer::models(selection)),
    ];
    let first = Part::Paragraph(answer::introduction(selection));
    let parts = [first].into_iter().chain(sections.into_iter().flatten());
    Document {
        title: format!("A learner for {}", selection.population.files.join(", ")),
        parts: parts.chain(elsewhere(place, phrasing)).collect(),
    }
}

/// Parts below a heading, where there are any.
fn headed(title: &str, parts: Vec<Part>) -> Vec<Part> {
    let heading = (!parts.is_empty()).then(|| Part::Heading(title.to_owned()));
    heading.into_iter().chain(parts).collect()
}

/// Where the rest is that a terminal has no room for.
fn elsewhere(place: Place, phrasing: &dyn Phrasing) -> Option<Part> {
    let message =
        Message::from("Every table, with what each method goes by: ").set(Setting::Format, "markdown");
    (place == Place::Terminal).then(|| Part::Paragraph(message.text(".").said_by(phrasing)))
}

/// How learners head the columns of a matrix: by their names where a terminal has the room, else by their numbers.
struct Heads {
    names: Vec<String>,
    are_numbers: bool,
}

impl Heads {
    /// `width` is what a row takes beside the columns of learners.
    fn of(names: &[&str], width: usize, place: Place) -> Self {
        const TERMINAL: usize = 78;
        let wide: usize = names.iter().map(|name| name.chars().count().max(3) + 2).sum();
        let are_numbers = place == Place::Terminal && width + wide > TERMINAL;
        let name = |(place, name): (usize, &&str)| match are_numbers {
            true => (place + 1).to_string(),
            false => (*name).to_owned(),
        };
        Heads { names: names.iter().enumerate().map(name).collect(), are_numbers }
    }

    /// What a title says of the columns.
    fn remark(&self) -> &'static str {
        if self.are_numbers { "; learners by their numbers in the list of learners" } else { "" }
    }

    /// How a learner is written in a cell.
    fn cell(&self, place: usize) -> String {
        self.names.get(place).cloned().unwrap_or_default()
    }

    /// How a learner begins a row.
    fn row(&self, place: usize, name: &str) -> String {
        if self.are_numbers { format!("{} {name}", place + 1) } else { name.to_owned() }
    }
}

/// The names of all learners that take part, in their order.
fn taking_part(selection: &Selection) -> Vec<&str> {
    let taking_part = selection.learners.iter().filter(|learner| learner.failed.is_none());
    taking_part.map(|learner| learner.learner.as_str()).collect()
}

/// The name of a method by its id.
fn method_name<'a>(selection: &'a Selection, id: &'a str) -> &'a str {
    let known = selection.methods.iter().find(|method| method.method == id);
    known.map_or(if id == "committee" { "weighted committee" } else { id }, |method| &method.name)
}

/// Items gathered under what they have in common, in the order of their first appearance.
fn gathered<K: PartialEq, V>(items: impl Iterator<Item = (K, V)>) -> Vec<(K, Vec<V>)> {
    let mut groups: Vec<(K, Vec<V>)> = Vec::new();
    for (key, value) in items {
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, values)) => values.push(value),
            None => groups.push((key, vec![value])),
        }
    }
    groups
}
