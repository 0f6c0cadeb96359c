//! The held-out scores of every learner as one list: where it can be cut, and whether its probabilities hold.

use rayon::prelude::*;
use tribunal_eval::{CutTable, ReliabilityTable};

use super::analysis::Findings;
use super::journal::CellPlace;
use super::results::HeldOutList;
use crate::results::USUAL_CUTOFFS;

/// Tables of cuts have about so many rows: no curve moves by more than half a per cent of its range. A study has hundreds of
/// them.
const ABOUT_CUTS: usize = 200;
/// Bins of equal count.
const N_BINS: usize = 10;

/// One list for each scenario and learner that scored every split.
pub(super) fn held_out(findings: &Findings<'_>) -> Vec<HeldOutList> {
    let n_learners = findings.learners.len();
    let places = (0..findings.places.len())
        .flat_map(|scenario| (0..n_learners).map(move |learner| (scenario, learner)));
    let list = |(scenario, learner): (usize, usize)| {
        let ranking = findings.ranking(scenario, learner)?;
        let cutoff = |rule: tribunal_eval::CutoffRule| rule.find(&ranking).ok();
        let place = CellPlace { design: 0, scenario, learner };
        let has_margins = findings.board.cell(place).iter().flatten().flatten().any(|held| held.margins);
        let bins = match has_margins {
            true => None,
            false => ReliabilityTable::of_equal_counts(&ranking, N_BINS, findings.request.level).ok(),
        };
        Some(HeldOutList {
            scenario: findings.names[scenario].clone(),
            learner: findings.learners[learner].learner.clone(),
            cuts: CutTable::thinned(&ranking, ABOUT_CUTS),
            usual_cutoffs: USUAL_CUTOFFS.into_iter().filter_map(cutoff).collect(),
            calibration: bins.map(|table| table.bins).unwrap_or_default(),
        })
    };
    places.collect::<Vec<_>>().into_par_iter().filter_map(list).collect()
}
