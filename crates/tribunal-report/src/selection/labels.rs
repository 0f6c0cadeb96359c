//! Labels of the population: which would help, what those given back say, and what its target says in the end.

use tribunal::message::{Message, Phrasing, Setting};
use tribunal::selection::{
    AskedLabels, LabelledDifference, LabelledLearner, LabelsFound, LikelyGain, Selection, TargetCheck,
    TrueFigure,
};

use super::expected::words;
use crate::description::counted;
use crate::document::{Align, Cell, Mark, Part, Table, columns, plain_row};
use crate::number::{count, figure, interval_of};

/// So many rows are named in a sentence; the JSON holds all.
const MOST_ROWS: usize = 30;

pub(super) fn parts(selection: &Selection, phrasing: &dyn Phrasing) -> Vec<Part> {
    let mut parts = Vec::new();
    match &selection.ask {
        Some(asked) => parts.extend(ask(asked, selection.labels.as_ref())),
        None if selection.labels.is_none() => {
            let message = Message::from("A few labels of the population sharpen the choice; ")
                .set(Setting::Ask, "25")
                .text(" names the rows whose labels would help most, and says what they are likely to buy.");
            parts.push(Part::Paragraph(message.said_by(phrasing)));
        }
        None => {}
    }
    parts.extend(selection.labels.iter().flat_map(labels));
    parts.extend(selection.labels.iter().filter_map(|found| differences(selection, found)));
    parts
}

fn ask(asked: &AskedLabels, known: Option<&LabelsFound>) -> Vec<Part> {
    let n_known = known.map_or(0, |found| found.labels);
    if asked.rows.is_empty() && asked.disagreeing > 0 && n_known > 0 {
        return vec![Part::Paragraph(
            "Every row of the population on which the learners differ has its label: no other would help to choose."
                .into(),
        )];
    }
    if asked.rows.is_empty() {
        return vec![Part::Paragraph(
            "The learners give every row of the population the same label: no label would help to choose."
                .into(),
        )];
    }
    let named: Vec<String> = asked.rows.iter().take(MOST_ROWS).map(u64::to_string).collect();
    let more = match asked.rows.len() - named.len() {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    let paragraph = format!(
        "The labels of the learners differ in {} of the population. {} of them, drawn at random, whose labels would help most, by their \
         numbers from 1{}: {}{more}.",
        counted(asked.disagreeing, "row"),
        count(asked.rows.len() as f64),
        if n_known > 0 { format!(" (of the first {n_known} the labels are known)") } else { String::new() },
        named.join(", ")
    );
    let row = |gain: &LikelyGain| plain_row([gain.labels.to_string(), figure(gain.regret)]);
    let table = Table {
        title: "What labels are likely to buy: the mean loss of accuracy of the choice against the best learner, if the consensus is right \
                about how likely each class is"
            .to_owned(),
        columns: columns([("labels", Align::Right), ("likely loss", Align::Right)]),
        rows: asked.likely.iter().map(row).collect(),
    };
    let mut parts = vec![Part::Paragraph(paragraph), Part::Table(table)];
    if let Some(words) = few_do_not_help(asked) {
        parts.push(Part::Paragraph(words));
    }
    parts
}

/// Numbers of labels after which the choice is not expected to be better than without any.
fn few_do_not_help(asked: &AskedLabels) -> Option<String> {
    let without = asked.likely.iter().find(|gain| gain.labels == 0)?.regret;
    let useless: Vec<u64> = asked
        .likely
        .iter()
        .filter(|gain| gain.labels > 0 && gain.regret >= without)
        .map(|gain| gain.labels)
        .collect();
    let most = useless.last()?;
    Some(format!(
        "So few labels as {most} are not expected to help here: what they say of the learners is mostly chance. More would, or none."
    ))
}

fn labels(found: &LabelsFound) -> Vec<Part> {
    if found.labels == 0 {
        return Vec::new();
    }
    let row = |learner: &LabelledLearner| {
        let interval = interval_of(learner.accuracy, Some(learner.lower), Some(learner.upper));
        plain_row([
            learner.learner.clone(),
            figure(learner.accuracy),
            interval.unwrap_or_default(),
            figure(learner.score),
        ])
    };
    let table = Table {
        title: format!(
            "What {} of the {} {} on which learners differ: the share that each labels correctly, unbiased for those rows alone, and its score \
             with the labels",
            counted(found.labels, "label"),
            counted(found.disagreeing, "row"),
            if found.labels == 1 { "says" } else { "say" }
        ),
        columns: columns([
            ("learner", Align::Left),
            ("correct", Align::Right),
            ("interval", Align::Right),
            ("score", Align::Right),
        ]),
        rows: found.learners.iter().map(row).collect(),
    };
    vec![Part::Table(table)]
}

/// By how much the recommended learner is better than each other one; the JSON holds all pairs.
fn differences(selection: &Selection, found: &LabelsFound) -> Option<Part> {
    let best = &selection.recommended.as_ref()?.learner;
    let row = |pair: &LabelledDifference| {
        let (other, sign) = match (&pair.a == best, &pair.b == best) {
            (true, _) => (&pair.b, 1.0),
            (_, true) => (&pair.a, -1.0),
            _ => return None,
        };
        let (lower, upper) = if sign > 0.0 { (pair.lower, pair.upper) } else { (-pair.upper, -pair.lower) };
        // Zero has no sign, nor has what rounding leaves of it.
        let difference = sign * pair.difference;
        let difference = if difference.abs() < 0.000_05 { 0.0 } else { difference };
        let interval = interval_of(difference, Some(lower), Some(upper)).unwrap_or_default();
        Some(plain_row([other.clone(), format!("{difference:+.4}"), interval]))
    };
    let rows: Vec<_> = found.differences.iter().filter_map(row).collect();
    (!rows.is_empty()).then(|| {
        Part::Table(Table {
            title: format!(
                "By how much {best} is more accurate on the whole population, from these labels alone: unbiased for learners named \
                 beforehand, too large for one that was chosen because it looks best"
            ),
            columns: columns([("than", Align::Left), ("difference", Align::Right), ("interval", Align::Right)]),
            rows,
        })
    })
}

/// What the target of the population says.
pub(super) fn check(selection: &Selection) -> Vec<Part> {
    let Some(check) = &selection.check else { return Vec::new() };
    let pairs = match check.pairs {
        0 => String::new(),
        pairs => format!(
            " ReverseTesting decides {} of {pairs} pairs, {} of them right.",
            check.pairs_decided, check.pairs_right
        ),
    };
    let known = match &selection.labels {
        Some(labels) => format!(
            "nothing above knows them but for the {} that were given",
            counted(labels.labels, "label")
        ),
        None => "nothing above knows them".to_owned(),
    };
    let paragraph = format!("The population has labels in {}; {known}.{pairs}", counted(check.rows, "row"));
    vec![
        Part::Paragraph(paragraph),
        Part::Table(truth(selection, check)),
        Part::Table(regrets(selection, check)),
    ]
}

fn truth(selection: &Selection, check: &TargetCheck) -> Table {
    let metric = selection.metric.to_string();
    let best = check.learners.iter().map(|learner| learner.value).fold(f64::NEG_INFINITY, f64::max);
    let row = |learner: &TrueFigure| {
        let expected =
            selection.expected.iter().find(|row| row.learner == learner.learner && row.metric == metric);
        let (estimate, interval) = expected.map_or((None, None), |row| {
            (row.estimate, row.estimate.and_then(|estimate| interval_of(estimate, row.lower, row.upper)))
        });
        vec![
            Cell::from(learner.learner.as_str()),
            Cell {
                text: figure(learner.value),
                mark: if learner.value == best { Mark::Best } else { Mark::None },
            },
            Cell::from(estimate.map_or_else(|| "n/a".to_owned(), figure)),
            Cell::from(interval.unwrap_or_else(|| "n/a".to_owned())),
        ]
    };
    let committee = check.committee.map(|value| {
        plain_row(["weighted committee".to_owned(), figure(value), String::new(), String::new()])
    });
    Table {
        title: format!("True {} beside what was expected (best learner: bold, or *)", words(&metric)),
        columns: columns([
            ("learner", Align::Left),
            ("in truth", Align::Right),
            ("expected", Align::Right),
            ("interval", Align::Right),
        ]),
        rows: check.learners.iter().map(row).chain(committee).collect(),
    }
}

fn regrets(selection: &Selection, check: &TargetCheck) -> Table {
    let row = |regret: &tribunal::selection::MethodRegret| {
        let outcome = selection.methods.iter().find(|method| method.method == regret.method);
        let choice = outcome.and_then(|method| method.choice.clone()).unwrap_or_default();
        plain_row([regret.method.clone(), choice, figure(regret.regret)])
    };
    Table {
        title: "How much worse the choice of each method is than the best learner".to_owned(),
        columns: columns([("method", Align::Left), ("choice", Align::Left), ("regret", Align::Right)]),
        rows: check.regrets.iter().map(row).collect(),
    }
}
