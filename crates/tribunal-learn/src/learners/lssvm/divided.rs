//! The rows of all scenarios, each once, and how every scenario divides its own.

use rustc_hash::FxHashMap;
use tribunal_algebra::Rectangle;

use super::system::targets;
use crate::cross::{Folds, Scenario};
use crate::dataset::Dataset;
use crate::encoding::{Matrix, NumericEncoder, NumericOptions, same_without};
use crate::error::Error;
use crate::posteriors::Posteriors;

/// What is said of each fold of each scenario; `None` where that is left to a plain fit.
pub(super) type OfFolds = Vec<Vec<Option<Posteriors>>>;

/// Rows that share one kernel.
pub(super) struct Divided {
    /// The numbers of rows; one that a scenario has twice stands there twice.
    pub(super) rows: Vec<u32>,
    /// The weight of each row.
    pub(super) weights: Vec<f64>,
    /// For each row the first that has the same numbers.
    pub(super) twins: Vec<u32>,
    pub(super) parts: Vec<Part>,
}

/// A scenario among these rows.
pub(super) struct Part {
    /// Where each row of the scenario is found.
    pub(super) places: Vec<u32>,
    /// Where the rows are that it does not have.
    pub(super) absent: Vec<u32>,
    /// What is to be said of each row of the scenario, a column for each output.
    pub(super) targets: Rectangle,
    pub(super) n_classes: usize,
    pub(super) folds: Vec<Block>,
}

/// Rows that are left out together.
pub(super) struct Block {
    /// Positions in the scenario: the rows of the fold, then rows of other folds that have no weight.
    pub(super) positions: Vec<u32>,
    pub(super) n_tested: usize,
    /// Whether the other rows have two classes and would be encoded alike.
    pub(super) is_shared: bool,
}

impl Divided {
    pub(super) fn new(dataset: &Dataset, scenarios: &[Scenario<'_>]) -> Divided {
        let (rows, places) = union(scenarios);
        let weight = |&row: &u32| dataset.weights().map_or(1.0, |weights| weights[row as usize]);
        let weights: Vec<f64> = rows.iter().map(weight).collect();
        let part = |(scenario, places): (&Scenario<'_>, Vec<u32>)| Part::new(scenario, places, &weights);
        let parts = scenarios.iter().zip(places).map(part).collect();
        Divided { rows, weights, twins: Vec::new(), parts }
    }

    /// The numbers of all rows, if there is a fold that can use them; marks the folds that can.
    ///
    /// # Errors
    /// A column cannot be encoded.
    pub(super) fn encode(
        &mut self,
        dataset: &Dataset,
        options: &NumericOptions,
    ) -> Result<Option<Matrix>, Error> {
        let left_out: Vec<Vec<u32>> = self.parts.iter().flat_map(Part::left_out).collect();
        let sets: Vec<&[u32]> = left_out.iter().map(Vec::as_slice).collect();
        let mut is_same = same_without(dataset, options, &self.rows, &sets);
        if !is_same.contains(&true) {
            self.mark(&is_same);
            return Ok(None);
        }
        let matrix = NumericEncoder::fit(dataset, &self.rows, options)?.encode(dataset, &self.rows)?;
        for idx in 0..matrix.n_columns() {
            let is_silent = |place: u32| matrix.column(idx)[place as usize] == 0.0;
            let n_telling = (0..self.rows.len() as u32).filter(|&place| !is_silent(place)).count();
            if (1..self.rows.len()).contains(&n_telling) {
                // Without its last number that is not zero a column says nothing, and does not count as one.
                let gone = |set: &&[u32]| set.iter().filter(|&&place| !is_silent(place)).count();
                is_same.iter_mut().zip(&sets).for_each(|(is_same, set)| *is_same &= gone(set) < n_telling);
            }
        }
        self.mark(&is_same);
        self.twins = twins(&matrix);
        Ok(Some(matrix))
    }

    /// Nothing said of any fold.
    pub(super) fn nothing(&self) -> OfFolds {
        self.parts.iter().map(|part| vec![None; part.folds.len()]).collect()
    }

    fn mark(&mut self, is_same: &[bool]) {
        let blocks = self.parts.iter_mut().flat_map(|part| &mut part.folds);
        blocks.zip(is_same).for_each(|(block, is_same)| block.is_shared &= is_same);
    }
}

/// For each row the first that has the same numbers.
fn twins(matrix: &Matrix) -> Vec<u32> {
    let mut first: FxHashMap<Vec<u64>, u32> = FxHashMap::default();
    let bits = |row: usize| (0..matrix.n_columns()).map(move |idx| matrix.column(idx)[row].to_bits());
    (0..matrix.n_rows()).map(|row| *first.entry(bits(row).collect()).or_insert(row as u32)).collect()
}

/// The rows of all scenarios, and where each finds its own.
fn union(scenarios: &[Scenario<'_>]) -> (Vec<u32>, Vec<Vec<u32>>) {
    let mut rows: Vec<u32> = Vec::new();
    let mut places: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    let mut of_scenario = |scenario: &Scenario<'_>| {
        let mut n_copies: FxHashMap<u32, u32> = FxHashMap::default();
        let mut place = |&row: &u32| {
            let copy = n_copies.entry(row).or_insert(0);
            *copy += 1;
            *places.entry((row, *copy)).or_insert_with(|| {
                rows.push(row);
                rows.len() as u32 - 1
            })
        };
        scenario.folds.rows.iter().map(&mut place).collect::<Vec<u32>>()
    };
    let places = scenarios.iter().map(&mut of_scenario).collect();
    (rows, places)
}

impl Part {
    fn new(scenario: &Scenario<'_>, places: Vec<u32>, weights: &[f64]) -> Part {
        let (target, folds) = (scenario.target, scenario.folds);
        let classes: Vec<u32> = folds.rows.iter().map(|&row| target.codes()[row as usize]).collect();
        let mut is_absent = vec![true; weights.len()];
        places.iter().for_each(|&place| is_absent[place as usize] = false);
        let counts = |position: &u32| weights[places[*position as usize] as usize] > 0.0;
        let blocks = blocks(folds, &classes, target.classes().len(), counts);
        Part {
            absent: (0..weights.len() as u32).filter(|&place| is_absent[place as usize]).collect(),
            targets: targets(&classes, target.classes().len()),
            n_classes: target.classes().len(),
            folds: blocks,
            places,
        }
    }

    /// Whether folds have more rows than there are columns, so that equations of columns are fewer than those of a fold.
    pub(super) fn has_large_folds(&self, n_columns: usize) -> bool {
        n_columns * self.folds.len() < self.places.len()
    }

    /// For each fold the places of all rows that it is not trained on.
    fn left_out(&self) -> impl Iterator<Item = Vec<u32>> + '_ {
        let places = |block: &Block| block.positions.iter().map(|&at| self.places[at as usize]).collect();
        self.folds.iter().map(move |block| [self.absent.clone(), places(block)].concat())
    }
}

fn blocks(folds: &Folds<'_>, classes: &[u32], n_classes: usize, counts: impl Fn(&u32) -> bool) -> Vec<Block> {
    let counted = |positions: &mut dyn Iterator<Item = u32>| {
        let mut found = vec![0_usize; n_classes];
        positions.filter(|at| counts(at)).for_each(|at| found[classes[at as usize] as usize] += 1);
        found
    };
    let all = counted(&mut (0..classes.len() as u32));
    let weightless: Vec<u32> = (0..classes.len() as u32).filter(|at| !counts(at)).collect();
    let block = |fold: usize| {
        let tested = folds.tested(fold);
        let gone = counted(&mut tested.iter().copied());
        let others = weightless.iter().filter(|at| !tested.contains(at));
        Block {
            positions: tested.iter().chain(others).copied().collect(),
            n_tested: tested.len(),
            is_shared: all.iter().zip(&gone).filter(|(all, gone)| all > gone).count() > 1,
        }
    };
    (0..folds.n_folds()).map(block).collect()
}
