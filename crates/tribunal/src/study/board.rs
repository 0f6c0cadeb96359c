//! The board of a study: what is known of every learner in every scenario, and what is still to be found.

use super::journal::{CellPlace, Held, Record, Whole};

/// Everything that was found so far.
#[derive(Debug)]
pub(super) struct Board {
    n_scenarios: usize,
    n_learners: usize,
    /// Design by design, scenario by scenario, learner by learner: one outcome a split.
    cells: Vec<Vec<Option<Held>>>,
    repeatable: Vec<Option<bool>>,
    /// Scenario by scenario, learner by learner: the settings that were chosen on all rows, and how long that took.
    chosen: Vec<Option<(String, f64)>>,
    /// Scenario by scenario, learner by learner: the model of all rows.
    wholes: Vec<Option<Result<Whole, String>>>,
}

impl Board {
    /// An empty board; `n_splits` is given for each design.
    pub(super) fn new(n_scenarios: usize, n_learners: usize, n_splits: &[usize]) -> Board {
        let n_cells = n_scenarios * n_learners;
        Board {
            n_scenarios,
            n_learners,
            cells: n_splits.iter().flat_map(|&n_splits| vec![vec![None; n_splits]; n_cells]).collect(),
            repeatable: vec![None; n_cells * n_splits.len()],
            chosen: vec![None; n_cells],
            wholes: vec![None; n_cells],
        }
    }

    fn index(&self, place: CellPlace) -> usize {
        (place.design * self.n_scenarios + place.scenario) * self.n_learners + place.learner
    }

    /// Takes in what was found. What does not fit a study of this size, or is there already, is left alone.
    pub(super) fn take(&mut self, record: Record) {
        match record {
            Record::Split { place, split, held } if self.has(place) => {
                let index = self.index(place);
                if let Some(slot) = self.cells.get_mut(index).and_then(|cell| cell.get_mut(split)) {
                    slot.get_or_insert(held);
                }
            }
            Record::Repeatable { place, repeatable } if self.has(place) => {
                let index = self.index(place);
                self.repeatable[index].get_or_insert(repeatable);
            }
            Record::Chosen { scenario, learner, settings, seconds }
                if self.has(CellPlace { design: 0, scenario, learner }) =>
            {
                self.chosen[scenario * self.n_learners + learner].get_or_insert((settings, seconds));
            }
            Record::Whole { scenario, learner, whole }
                if self.has(CellPlace { design: 0, scenario, learner }) =>
            {
                self.wholes[scenario * self.n_learners + learner].get_or_insert(whole);
            }
            _ => {}
        }
    }

    /// Whether the study has such a place.
    fn has(&self, place: CellPlace) -> bool {
        place.scenario < self.n_scenarios
            && place.learner < self.n_learners
            && place.design < self.repeatable.len() / self.wholes.len().max(1)
    }

    /// The outcomes of a learner, split by split.
    pub(super) fn cell(&self, place: CellPlace) -> &[Option<Held>] {
        &self.cells[self.index(place)]
    }

    /// Whether every split of a cell is known.
    pub(super) fn is_complete(&self, place: CellPlace) -> bool {
        self.cell(place).iter().all(Option::is_some)
    }

    /// Whether a command scored alike when it was fitted again; nothing where that was not tried.
    pub(super) fn repeatable(&self, place: CellPlace) -> Option<bool> {
        self.repeatable[self.index(place)]
    }

    /// The settings that were chosen on all rows beside those of the splits, and the seconds that it took.
    pub(super) fn chosen(&self, scenario: usize, learner: usize) -> Option<&(String, f64)> {
        self.chosen[scenario * self.n_learners + learner].as_ref()
    }

    /// The model of all rows, if it was tried.
    pub(super) fn whole(&self, scenario: usize, learner: usize) -> Option<&Result<Whole, String>> {
        self.wholes[scenario * self.n_learners + learner].as_ref()
    }
}
