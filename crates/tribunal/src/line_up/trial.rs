//! One target of the rows of a data set with its plan: what an entrant says of its splits.

use std::borrow::Cow;
use std::ops::Range;

use rayon::prelude::*;
use tribunal_learn::{Dataset, Posteriors, Target};
use tribunal_random::derive_seed;

use super::attempt::attempt;
use super::entrant::Entrant;
use super::scores::{Outcome, SplitScores, TestedRows};
use crate::any_model::AnyModel;
use crate::error::Error;
use crate::outside::OutsideLearner;
use crate::resampling::{Plan, Split, SplitPlace};
use crate::tuning::{TrainingPart, TuneOptions};

/// Seeds of a line-up lie apart from those of plans.
const LINE_UP: u64 = 0x006c_696e_6575;
/// A command that fails on the first splits is not started any more.
const PATIENCE: usize = 3;
/// With fewer splits, fitting one of them twice is not cheap.
const CHEAP_SPLITS: usize = 5;

/// A target of the rows of a data set, divided by a plan of its own.
#[derive(Clone, Copy, Debug)]
pub struct Trial<'a> {
    /// The classes of the rows.
    pub target: &'a Target,
    /// How the rows are divided.
    pub plan: &'a Plan,
    /// Whether settings are chosen on all rows too, as one split more: what the choice shares with those of the splits comes
    /// for free then. Learners without settings to choose have no such split.
    pub with_all_rows: bool,
}

impl<'a> Trial<'a> {
    /// The splits of a plan alone.
    pub fn new(target: &'a Target, plan: &'a Plan) -> Self {
        Trial { target, plan, with_all_rows: false }
    }
}

/// A trial at work.
pub(super) struct Bench<'a> {
    pub(super) dataset: Cow<'a, Dataset>,
    pub(super) trial: Trial<'a>,
    seed: u64,
}

/// One repetition of a cross-validation.
pub(super) struct Repetition {
    pub(super) fold_of_row: Vec<u32>,
    pub(super) seed: u64,
    pub(super) splits: Range<usize>,
    tested: Vec<Vec<u32>>,
}

impl<'a> Bench<'a> {
    /// # Errors
    /// The target or the plan is one of other rows.
    pub(super) fn new(dataset: &'a Dataset, trial: Trial<'a>, seed: u64) -> Result<Self, Error> {
        if trial.plan.n_rows() != dataset.n_rows() {
            let (planned, found) = (trial.plan.n_rows(), dataset.n_rows());
            return Err(Error::data(format!("the plan divides {planned} rows and the data have {found}")));
        }
        let dataset = match dataset.target() == Some(trial.target) {
            true => Cow::Borrowed(dataset),
            false => Cow::Owned(dataset.clone().with_target(trial.target.clone())?),
        };
        Ok(Bench { dataset, trial, seed })
    }

    pub(super) fn n_splits(&self) -> usize {
        self.trial.plan.n_splits()
    }

    /// How many training parts settings are chosen on.
    pub(super) fn n_parts(&self) -> usize {
        self.n_splits() + usize::from(self.trial.with_all_rows)
    }

    /// The rows that a part is learned from and judged by; all rows are the part behind the last split.
    fn split(&self, split_idx: usize) -> Split {
        if split_idx < self.n_splits() {
            return self.trial.plan.split(split_idx);
        }
        let all: Vec<u32> = (0..self.dataset.n_rows() as u32).collect();
        Split { train: all.clone(), test: all, validation: Vec::new() }
    }

    /// A repetition, if the plan is a cross-validation that has it.
    pub(super) fn repetition(&self, repetition: usize) -> Option<Repetition> {
        let fold_of_row = self.trial.plan.fold_of_row(repetition)?;
        let tested = rows_of_folds(&fold_of_row);
        let first = repetition * tested.len();
        let splits = first..first + tested.len();
        Some(Repetition { fold_of_row, seed: repetition_seed(self.seed, repetition), splits, tested })
    }

    /// The rows that a split is trained on.
    pub(super) fn training_part(&self, split_idx: usize) -> TrainingPart<'_> {
        TrainingPart {
            rows: self.split(split_idx).train,
            seed: self.split_seed(split_idx),
            target: Some(self.trial.target),
        }
    }

    /// The seed of whatever is learned from the training rows of a split.
    fn split_seed(&self, split_idx: usize) -> u64 {
        if split_idx == self.n_splits() {
            return self.seed;
        }
        let SplitPlace { repetition, fold } = self.trial.plan.place(split_idx);
        derive_seed(repetition_seed(self.seed, repetition), &[fold as u64])
    }

    /// The scores of a split by a model of its training rows.
    pub(super) fn fitted(&self, entrant: &Entrant, split_idx: usize) -> Outcome {
        let seed = self.split_seed(split_idx);
        attempt(|| {
            let split = self.split(split_idx);
            let tuning = TuneOptions { seed, ..TuneOptions::default() };
            let (model, curve) = entrant.tune_and_fit(&self.dataset, &split.train, seed, &tuning)?;
            let posteriors = model.posteriors(&self.dataset, &split.test)?.without_costs();
            let tuned = match (entrant, &model) {
                (Entrant::BuiltIn(asked), AnyModel::Learned(model)) if asked != model.learner() => {
                    Some(model.learner().to_string())
                }
                _ => None,
            };
            Ok(SplitScores { posteriors, tuned, at_edge: curve.is_some_and(|curve| curve.at_edge) })
        })
    }

    /// Some splits, each fitted by itself.
    pub(super) fn split_by_split(&self, entrant: &Entrant, splits: Range<usize>) -> Vec<Outcome> {
        splits.into_par_iter().map(|split_idx| self.fitted(entrant, split_idx)).collect()
    }

    /// The outcomes of a command, which runs once at a time, and whether it is repeatable.
    pub(super) fn of_command(
        &self,
        learner: &OutsideLearner,
        tell: &dyn Fn(usize),
    ) -> (Vec<Outcome>, Option<bool>) {
        let entrant = Entrant::Outside(learner.clone());
        let mut outcomes: Vec<Outcome> = Vec::with_capacity(self.n_splits());
        for split_idx in 0..self.n_splits() {
            tell(split_idx);
            let outcome = match is_hopeless(&outcomes) {
                true => Err(format!("not tried after it failed on the first {PATIENCE} splits")),
                false => self.fitted(&entrant, split_idx),
            };
            outcomes.push(outcome);
        }
        let is_repeatable = self.is_repeatable(&entrant, &outcomes);
        (outcomes, is_repeatable)
    }

    /// Whether an entrant scores the first split that it can score alike when it is fitted again.
    fn is_repeatable(&self, entrant: &Entrant, outcomes: &[Outcome]) -> Option<bool> {
        let first = outcomes.iter().position(Result::is_ok).filter(|_| outcomes.len() >= CHEAP_SPLITS)?;
        Some(self.fitted(entrant, first) == outcomes[first])
    }
}

impl Repetition {
    /// The scores of all rows, dealt out to the folds that test them.
    pub(super) fn by_split(&self, posteriors: &Posteriors) -> Vec<Outcome> {
        let of_fold = |rows: &Vec<u32>| {
            Ok(SplitScores { posteriors: posteriors.take(rows).without_costs(), tuned: None, at_edge: false })
        };
        self.tested.iter().map(of_fold).collect()
    }
}

/// The seed of a repetition; that of a fold is derived from it as [`tribunal_learn::cross_posteriors`] does.
fn repetition_seed(seed: u64, repetition: usize) -> u64 {
    derive_seed(seed, &[LINE_UP, repetition as u64])
}

/// Whether an entrant failed on all of the first splits.
fn is_hopeless(outcomes: &[Outcome]) -> bool {
    outcomes.get(..PATIENCE).is_some_and(|first| first.iter().all(Result::is_err))
}

/// The test rows of every split.
pub(crate) fn tested_rows(plan: &Plan) -> Vec<TestedRows> {
    let n_repetitions = plan.n_splits().checked_sub(1).map_or(0, |last| plan.place(last).repetition + 1);
    let of_repetition = |repetition: usize| match plan.fold_of_row(repetition) {
        Some(fold_of_row) => rows_of_folds(&fold_of_row),
        None => vec![plan.split(repetition).test],
    };
    let splits = (0..n_repetitions).flat_map(of_repetition).enumerate();
    splits.map(|(split_idx, rows)| TestedRows { place: plan.place(split_idx), rows }).collect()
}

/// The rows of each fold, ascending.
fn rows_of_folds(fold_of_row: &[u32]) -> Vec<Vec<u32>> {
    let n_folds = fold_of_row.iter().max().map_or(0, |&last| last as usize + 1);
    let mut rows = vec![Vec::new(); n_folds];
    fold_of_row.iter().zip(0..).for_each(|(&fold, row)| rows[fold as usize].push(row));
    rows
}
