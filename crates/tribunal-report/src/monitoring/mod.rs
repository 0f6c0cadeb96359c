//! Monitoring as a document: whether the model got worse or the selection changed, first; then what stands behind it.
//!
//! Of one period a terminal gets every table; of many it gets a row for each with a small chart, and paper (Markdown, LaTeX) gets
//! the changes and bands of every period too.

mod bands;
mod changes;
mod csv;
mod figures;
mod limits;
mod periods;
#[cfg(test)]
mod tests;

use tribunal::message::{Message, Phrasing, Setting};
use tribunal::monitoring::{Monitoring, PeriodFacts};

pub(crate) use self::csv::csv;
use crate::description::{Place, counted};
use crate::document::{Document, Part};
use crate::number::count;

pub(crate) fn document(found: &Monitoring, place: Place, phrasing: &dyn Phrasing) -> Document {
    let sections = [
        headed("Answer", answer(found, place)),
        headed("Warnings", warnings(found, phrasing)),
        headed("Limits", limits::parts(found)),
        headed("Over the periods", periods::parts(found)),
        headed("What changed", changes::parts(found, place)),
        headed("Figures", figures::parts(found, place)),
        headed("Bands of the score", bands::parts(found, place)),
        headed("What this assumes", assumptions(found, phrasing)),
    ];
    let first = Part::Paragraph(introduction(found));
    let parts = [first].into_iter().chain(sections.into_iter().flatten());
    Document {
        title: format!("Monitoring of {}", found.columns.score),
        parts: parts.chain(elsewhere(found, place, phrasing)).collect(),
    }
}

/// Parts below a heading, where there are any.
fn headed(title: &str, parts: Vec<Part>) -> Vec<Part> {
    let heading = (!parts.is_empty()).then(|| Part::Heading(title.to_owned()));
    heading.into_iter().chain(parts).collect()
}

/// What was compared.
fn introduction(found: &Monitoring) -> String {
    let period = |facts: &PeriodFacts| {
        format!(
            "{} ({}, {} actioned, {} with a known outcome)",
            facts.period,
            counted(facts.rows, "row"),
            count(facts.actioned as f64),
            count(facts.outcomes as f64)
        )
    };
    let others = match &found.periods[..] {
        [only] => period(&only.facts),
        periods => format!("{} periods", periods.len()),
    };
    let bands = counted(found.bands.len() as u64, "band");
    format!(
        "{others} beside the reference {}; score {}, outcome {} = {}, {bands} of the score, {} bootstrap replicates with seed {}.",
        period(&found.reference),
        found.columns.score,
        found.columns.truth,
        found.columns.positive,
        count(found.replicates as f64),
        found.seed
    )
}

fn answer(found: &Monitoring, place: Place) -> Vec<Part> {
    let mut parts = vec![Part::Paragraph(found.verdict.clone())];
    let changed = found.periods.iter().filter(|period| !period.named.is_empty());
    let each: Vec<String> =
        changed.map(|period| format!("{}: {}", period.facts.period, period.verdict)).collect();
    if found.periods.len() > 1 && !each.is_empty() && place == Place::Paper {
        parts.push(Part::List(each));
    }
    if found.periods.len() > 1 {
        parts.push(Part::Paragraph(format!(
            "Of periods in which nothing happened about one in {:.0} is named by chance.",
            1.0 / (1.0 - found.level)
        )));
    }
    parts
}

fn warnings(found: &Monitoring, phrasing: &dyn Phrasing) -> Vec<Part> {
    let warnings =
        found.warnings.iter().map(|warning| format!("warning: {}", warning.message().said_by(phrasing)));
    let remarks: Vec<String> = warnings.chain(found.notices.iter().cloned()).collect();
    if remarks.is_empty() { Vec::new() } else { vec![Part::List(remarks)] }
}

fn assumptions(found: &Monitoring, phrasing: &dyn Phrasing) -> Vec<Part> {
    let message = Message::from(
        "Within a band of the score, being acted on is taken to say nothing about the outcome beyond the band. If investigators \
         knew more than the score - a tip, a region - bands do not undo that. Finer bands make it more plausible: ",
    );
    let finer = (2 * found.bands.len()).max(20).to_string();
    let message = message.set(Setting::Bands, finer).text(
        ". Contributions are Shapley values: the mean over all orders in which population, selection and rates are exchanged, so \
         that they add up to the difference.",
    );
    vec![Part::Paragraph(message.said_by(phrasing))]
}

/// Where the rest is that a terminal has no room for.
fn elsewhere(found: &Monitoring, place: Place, phrasing: &dyn Phrasing) -> Option<Part> {
    let message = Message::from("The changes and bands of every period: ").set(Setting::Format, "markdown");
    let is_short = place == Place::Terminal && found.periods.len() > 1;
    is_short.then(|| Part::Paragraph(message.text(".").said_by(phrasing)))
}
