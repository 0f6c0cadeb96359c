//! ReverseTesting in the form of Fan and Davidson (2006): learner by learner, with the winner or `??`.

use tribunal::selection::{ReverseTesting, Selection, TournamentRow};

use super::{Heads, taking_part};
use crate::description::Place;
use crate::document::{Align, Cell, Part, Table, columns, plain_row};
use crate::number::figure;

/// Two learners that cannot be told apart.
const UNDECIDED: &str = "??";

pub(super) fn parts(selection: &Selection, place: Place) -> Vec<Part> {
    let Some(found) = &selection.reverse_testing else { return Vec::new() };
    let mut parts = vec![Part::Paragraph(decided(selection))];
    parts.extend(matrix(selection, place).map(Part::Table));
    parts.push(Part::Table(order(found)));
    let cycles = found.cycles.iter().map(|cycle| format!("in a circle: {}", cycle.join(", ")));
    let beats = found.beats.iter().map(|pair| format!("{} beats {}", pair.winner, pair.loser));
    let cycles: Vec<String> = cycles.collect();
    if !cycles.is_empty() {
        parts.push(Part::Paragraph(
            "Some learners beat each other in a circle, so no order of them is right:".into(),
        ));
        parts.push(Part::List(cycles));
    }
    if place == Place::Paper {
        let beats: Vec<String> = beats.collect();
        if !beats.is_empty() {
            parts.push(Part::Paragraph("The partial order, without what follows from it:".into()));
            parts.push(Part::List(beats));
        }
        parts.push(Part::Table(evidence(selection, found)));
    }
    parts
}

fn decided(selection: &Selection) -> String {
    let decided = selection.pairs.iter().filter(|pair| pair.winner.is_some()).count();
    format!(
        "{decided} of {} pairs of learners are decided; {UNDECIDED} means hard to distinguish. ReverseTesting orders learners and does not \
         estimate how accurate they are.",
        selection.pairs.len()
    )
}

/// The upper triangle, a row and a column a learner.
fn matrix(selection: &Selection, place: Place) -> Option<Table> {
    const WIDTH: usize = 20;
    let learners = taking_part(selection);
    let heads = Heads::of(&learners, WIDTH, place);
    let winner = |a: usize, b: usize| {
        let is_it =
            |x: &str, y: &str| (x, y) == (learners[a], learners[b]) || (y, x) == (learners[a], learners[b]);
        let pair = selection.pairs.iter().find(|pair| is_it(&pair.a, &pair.b))?;
        let winner = pair.winner.as_ref().map(|winner| heads.cell(if winner == learners[a] { a } else { b }));
        Some(winner.unwrap_or_else(|| UNDECIDED.to_owned()))
    };
    let row = |a: usize| {
        let cell =
            |b: usize| Cell::from(if b > a { winner(a, b).unwrap_or_default() } else { String::new() });
        [Cell::from(heads.row(a, learners[a]))].into_iter().chain((1..learners.len()).map(cell)).collect()
    };
    (learners.len() > 1).then(|| Table {
        title: format!("Pairs: the better learner, or {UNDECIDED}{}", heads.remark()),
        columns: [("learner".to_owned(), Align::Left)]
            .into_iter()
            .chain(heads.names.iter().skip(1).map(|name| (name.clone(), Align::Left)))
            .collect(),
        rows: (0..learners.len() - 1).map(row).collect(),
    })
}

fn order(found: &ReverseTesting) -> Table {
    let row = |(place, row): (usize, &TournamentRow)| {
        plain_row([
            (place + 1).to_string(),
            row.learner.clone(),
            figure(row.copeland),
            figure(row.margin),
            if row.is_tied_with_previous { "tie with the one before" } else { "" }.to_owned(),
        ])
    };
    Table {
        title: "Order by Copeland score: wins, and half of the undecided; then wins among equals, then the margin".to_owned(),
        columns: columns([
            ("place", Align::Right),
            ("learner", Align::Left),
            ("Copeland", Align::Right),
            ("margin", Align::Right),
            ("tie", Align::Left),
        ]),
        rows: found.order.iter().enumerate().map(row).collect(),
    }
}

/// How the model that a learner makes of the labels of another does on the labelled rows.
fn evidence(selection: &Selection, found: &ReverseTesting) -> Table {
    let learners = taking_part(selection);
    let value = |learner: &str, labeller: &str| {
        let row = found.evidence.iter().find(|row| row.learner == learner && row.labeller == labeller);
        row.and_then(|row| row.value).map_or_else(|| "n/a".to_owned(), figure)
    };
    let row = |learner: &&str| {
        let values = learners.iter().map(|labeller| value(learner, labeller));
        plain_row([(*learner).to_owned()].into_iter().chain(values))
    };
    let named = learners.iter().map(|name| (format!("labels of {name}"), Align::Right));
    Table {
        title: "Reverse models: what the model that a learner makes of the population, as labelled by another, comes to on the labelled rows \
                (correct rows, AUROC or benefit; no estimate of performance)"
            .to_owned(),
        columns: [("learner".to_owned(), Align::Left)].into_iter().chain(named).collect(),
        rows: learners.iter().map(row).collect(),
    }
}
