//! What is to be said of models beyond their figures: how large they are, whether they explain themselves, what was chosen.

use tribunal_learn::{Character, Output, Shape, Work};

use super::analysis::Findings;
use super::journal::{CellPlace, HeldOut};
use super::judged::Judge;
use super::results::ModelNote;
use crate::line_up::{Entrant, counted};

/// One note a scenario and learner.
pub(super) fn model_notes(findings: &Findings<'_>) -> Vec<ModelNote> {
    let n_learners = findings.learners.len();
    let both = (0..findings.places.len()).flat_map(|s| (0..n_learners).map(move |l| (s, l)));
    both.map(|(scenario, learner)| note(findings, scenario, learner)).collect()
}

fn note(findings: &Findings<'_>, scenario: usize, learner: usize) -> ModelNote {
    let place = CellPlace { design: 0, scenario, learner };
    let helds = || findings.board.cell(place).iter().flatten().flatten();
    let whole = findings.board.whole(scenario, learner).and_then(|whole| whole.as_ref().ok());
    let entrant = &findings.entrants[learner];
    ModelNote {
        scenario: findings.names[scenario].clone(),
        learner: findings.learners[learner].learner.clone(),
        chosen: whole.and_then(|whole| whole.held.tuned.clone()),
        tuned: counted(helds().filter_map(|held| held.tuned.as_deref())),
        at_edge: helds().filter(|held| held.at_edge).count() as u64,
        bytes: whole.map(|whole| whole.bytes),
        explains: character(entrant).shape.is_transparent(),
        probabilities: is_probability(entrant, helds().next()),
        apparent: whole.and_then(|whole| apparent_of(findings, scenario, &whole.held, 0)),
    }
}

/// What sort of model an entrant makes; of a command nobody knows.
pub(super) fn character(entrant: &Entrant) -> Character {
    match entrant {
        Entrant::BuiltIn(learner) => learner.character(),
        Entrant::Outside(_) => Character { shape: Shape::Opaque, work: Work::Iterating },
    }
}

fn is_probability(entrant: &Entrant, held: Option<&HeldOut>) -> bool {
    match (entrant, held) {
        (_, Some(held)) => !held.margins,
        (Entrant::BuiltIn(learner), None) => learner.output() == Output::Probabilities,
        (Entrant::Outside(_), None) => true,
    }
}

/// The figure of a metric on the rows that a model learned from.
pub(super) fn apparent_of(
    findings: &Findings<'_>,
    scenario: usize,
    held: &HeldOut,
    metric: usize,
) -> Option<f64> {
    let Findings { ground, board, measures, request, .. } = findings;
    let judge = Judge { ground, board, measures: &measures[metric..=metric], level: request.level };
    let place = findings.places[scenario];
    let rows: Vec<u32> = (0..ground.n_rows as u32).collect();
    let weights = ground.sets[place.set].dataset.weights();
    let unit = judge.unit(&rows, held, &ground.truth(place.target), weights);
    unit.values.into_iter().next()?.ok()
}
