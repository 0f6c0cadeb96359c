//! The search for the best candidate, inside of several training parts at once.
//!
//! What is waiting in any part is judged together, so that learners which can share work between parts do so: the finer grids
//! of many parts overlap.

use rayon::prelude::*;
use tribunal_eval::metrics::{Kind, Measure};
use tribunal_learn::{
    Dataset, Folds, Learner, Posteriors, Scenario, Target, cross_decisions_of, cross_posteriors_of,
    fits_side_by_side,
};

use super::choice::{Choice, NoChoice};
use super::curve::TunedCandidate;
use super::judge::Judge;
use super::{TuneOptions, Tuned};
use crate::error::Error;
use crate::resampling::{InnerPlan, LabelColumn};

/// So many probabilities are held at a time: half a gigabyte of them.
const MOST_HELD: usize = 1 << 26;

/// What all searches have in common.
pub(super) struct Search<'a> {
    pub(super) learner: &'a Learner,
    pub(super) dataset: &'a Dataset,
    pub(super) measure: Measure,
    pub(super) options: &'a TuneOptions,
}

/// The search inside of one training part.
pub(super) struct Inside<'a> {
    target: &'a Target,
    seed: u64,
    n_rows: usize,
    plan: InnerPlan,
    fold_of_row: Vec<u32>,
    /// The rows of the part as a table of their own, where candidates are compared on its scale.
    own: Option<Dataset>,
    judge: Judge,
    /// Everything that was tried, the candidates of the last refinement at the end.
    tried: Vec<Learner>,
    results: Vec<TunedCandidate>,
    /// How many of those belong to the last refinement.
    n_last: usize,
    n_refined: usize,
    /// What is still to be judged.
    waiting: Vec<Learner>,
}

impl<'a> Search<'a> {
    /// The start of a search; `None` where the rows cannot be divided.
    ///
    /// # Errors
    /// Rows are too few to be divided.
    pub(super) fn inside(
        &self,
        target: &'a Target,
        rows: Vec<u32>,
        seed: u64,
        candidates: Vec<Learner>,
    ) -> Result<Option<Inside<'a>>, Error> {
        let (classes, n_rows) = (LabelColumn::of_target(target), rows.len());
        let plan = InnerPlan::of_at_most(self.options.folds, rows, Some(&classes), seed)?;
        let Some(fold_of_row) = plan.plan().fold_of_row(0) else { return Ok(None) };
        let is_scaled = candidates.iter().any(|candidate| candidate.scaled_once().is_some());
        let own = || self.dataset.take(plan.rows()).with_target(target.take(plan.rows()));
        let (waiting, results) = admitted(&candidates, n_rows)?;
        Ok(Some(Inside {
            target,
            seed,
            n_rows,
            fold_of_row,
            own: is_scaled.then(own).transpose()?,
            judge: Judge::new(self.measure, self.dataset, target, &plan),
            plan,
            n_last: candidates.len(),
            n_refined: 0,
            results,
            tried: candidates,
            waiting,
        }))
    }

    /// Judges what is waiting, refines, and goes on until nothing is left to be tried; gives what each part has come to.
    pub(super) fn run(&self, mut parts: Vec<Inside<'_>>) -> Vec<Result<Tuned, Error>> {
        while parts.iter().any(|part| !part.waiting.is_empty()) {
            let open = parts.iter_mut().filter(|part| !part.waiting.is_empty());
            let (mut apart, mut together): (Vec<_>, Vec<_>) = open.partition(|part| part.own.is_some());
            // What is on a scale of its own shares with nobody.
            let n_rows = apart.iter().map(|part| part.n_rows).max().unwrap_or(0);
            let judge = |part: &mut &mut Inside<'_>| self.judge(std::slice::from_mut(part));
            match fits_side_by_side(std::slice::from_ref(self.learner), n_rows) {
                true => apart.par_iter_mut().for_each(judge),
                false => apart.iter_mut().for_each(judge),
            }
            self.judge(&mut together);
            for part in apart.into_iter().chain(together) {
                part.waiting.clear();
                self.refine(part);
            }
        }
        parts.into_iter().map(|part| self.tuned(part)).collect()
    }

    /// Judges what is waiting in parts.
    fn judge(&self, parts: &mut [&mut Inside<'_>]) {
        // Those on a scale of their own are judged by all threads at once.
        let n_beside =
            if parts.iter().any(|part| part.own.is_some()) { rayon::current_num_threads() } else { 1 };
        let held = n_beside * parts.iter().map(|part| part.judge.n_probabilities()).sum::<usize>();
        let all = each_once(parts.iter().flat_map(|part| &part.waiting));
        for batch in all.chunks((MOST_HELD / held.max(1)).max(1)) {
            let shared: Vec<&Inside<'_>> = parts.iter().map(|part| &**part).collect();
            let found = self.posteriors(&shared, batch);
            let of_part = |(part, found): (&mut &mut Inside<'_>, Found)| {
                let candidates = part.waiting_among(batch);
                let results = part.results_of(&candidates, found);
                part.take_in(&candidates, results);
            };
            parts.par_iter_mut().zip(found).for_each(of_part);
        }
    }

    /// What each candidate says in each part in which it is waiting.
    fn posteriors(&self, parts: &[&Inside<'_>], candidates: &[Learner]) -> Vec<Found> {
        if parts.iter().all(|part| part.own.is_none()) {
            let asked = |part: &&Inside<'_>| -> Vec<Learner> {
                part.waiting_among(candidates).iter().map(|candidate| self.plain(candidate)).collect()
            };
            let asked: Vec<Vec<Learner>> = parts.iter().map(asked).collect();
            let rows = |(part, asked)| Inside::rows(part, part.plan.rows(), part.target, asked);
            let parts: Vec<Rows<'_>> = parts.iter().copied().zip(asked).map(rows).collect();
            return self.found_in(self.dataset, &parts);
        }
        let of_part = |part: &&Inside<'_>| {
            let on_one_scale = |candidate: &Learner| {
                let plain = self.plain(candidate);
                plain.scaled_once().unwrap_or(plain)
            };
            let dataset = part.own.as_ref().unwrap_or(self.dataset);
            let target = dataset.target().unwrap_or(part.target);
            let rows: Vec<u32> = (0..dataset.n_rows() as u32).collect();
            let asked = part.waiting_among(candidates).iter().map(on_one_scale).collect();
            self.found_in(dataset, &[part.rows(&rows, target, asked)]).remove(0)
        };
        parts.par_iter().map(of_part).collect()
    }

    /// What candidates say of parts of a table. One that fails makes all fail that are fitted with it, so candidates are halved
    /// until it is found, and then parts.
    fn found_in(&self, dataset: &Dataset, parts: &[Rows<'_>]) -> Vec<Found> {
        let error = match self.found_together(dataset, parts) {
            Ok(found) => return found.into_iter().map(|found| found.into_iter().map(Ok).collect()).collect(),
            Err(error) => error,
        };
        let all = each_once(parts.iter().flat_map(|part| &part.asked));
        if all.len() > 1 {
            let of_half = |some: &[Learner]| {
                let parts: Vec<Rows<'_>> = parts.iter().map(|part| part.among(some)).collect();
                self.found_in(dataset, &parts)
            };
            let (former, latter) = all.split_at(all.len() / 2);
            let mut found = of_half(former);
            found.iter_mut().zip(of_half(latter)).for_each(|(found, others)| found.extend(others));
            return found;
        }
        match parts.len() {
            1 => vec![vec![Err(error)]],
            _ => parts
                .iter()
                .map(|part| self.found_in(dataset, std::slice::from_ref(part)).remove(0))
                .collect(),
        }
    }

    /// The same where none fails.
    fn found_together(&self, dataset: &Dataset, parts: &[Rows<'_>]) -> Result<Vec<Vec<Posteriors>>, Error> {
        let folds = parts.iter().map(|part| Folds::new(part.rows, part.fold_of_row));
        let folds = folds.collect::<Result<Vec<Folds<'_>>, _>>()?;
        let scenarios: Vec<Scenario<'_>> = parts
            .iter()
            .zip(&folds)
            .map(|(part, folds)| Scenario {
                target: part.target,
                folds,
                seed: part.seed,
                learners: &part.asked,
            })
            .collect();
        Ok(match self.measure.metric.kind {
            Kind::Cutoff => cross_decisions_of(dataset, &scenarios)?,
            _ => cross_posteriors_of(dataset, &scenarios)?,
        })
    }

    /// A candidate as it is compared: margins need no calibrator unless probabilities are judged.
    fn plain(&self, candidate: &Learner) -> Learner {
        let is_needed = self.measure.metric.kind == Kind::Probability;
        candidate.uncalibrated().filter(|_| !is_needed).unwrap_or_else(|| candidate.clone())
    }

    /// Asks the learner for a finer grid.
    fn refine(&self, part: &mut Inside<'_>) {
        let Ok(choice) = self.choice(part) else { return };
        let last = &part.tried[part.tried.len() - part.n_last..];
        let finer = self.learner.refine(part.n_refined, last, &part.tried[choice.chosen]);
        if finer.is_empty() {
            return;
        }
        part.n_refined += 1;
        part.n_last = finer.len();
        part.put_last(finer);
    }

    fn choice(&self, part: &Inside<'_>) -> Result<Choice, NoChoice> {
        let first = part.tried.len() - part.n_last;
        Choice::of(&part.results, first, self.measure.metric.better, self.options.rule)
    }

    /// The candidate of a part that is chosen, with everything that was tried.
    ///
    /// # Errors
    /// Nothing can be chosen.
    fn tuned(&self, part: Inside<'_>) -> Result<Tuned, Error> {
        let choice = self.choice(&part).map_err(|lack| lack.error(self.learner, self.measure))?;
        let edges = choice.edges(&part.tried, |best| self.learner.grid_edges(best, part.n_rows));
        let options = TuneOptions { seed: part.seed, ..*self.options };
        let n_folds = part.plan.n_splits();
        let chosen = part.tried[choice.chosen].clone();
        Ok(Tuned {
            learner: chosen,
            curve: Some(choice.curve(
                self.learner,
                (self.measure, &options),
                n_folds,
                (part.tried, part.results),
                &edges,
            )),
        })
    }
}

/// The candidates that there is memory for on all rows of a part, and what is known of each. The one that is chosen is fitted
/// to all of them in the end: better to refuse it before all others were tried on a part of the rows.
///
/// # Errors
/// There is memory for none of them.
fn admitted(candidates: &[Learner], n_rows: usize) -> Result<(Vec<Learner>, Vec<TunedCandidate>), Error> {
    let (mut waiting, mut results, mut refusal) = (Vec::new(), Vec::new(), None);
    for candidate in candidates {
        match candidate.check_memory(n_rows).map_err(Error::from) {
            Ok(()) => {
                waiting.push(candidate.clone());
                results.push(TunedCandidate::of_folds(candidate, &[]));
            }
            Err(error) => {
                results.push(TunedCandidate::failed(candidate, &error));
                refusal.get_or_insert(error);
            }
        }
    }
    match refusal {
        Some(error) if waiting.is_empty() => Err(error),
        _ => Ok((waiting, results)),
    }
}

/// Learners without repetition, in the order in which they come first.
fn each_once<'a>(learners: impl Iterator<Item = &'a Learner>) -> Vec<Learner> {
    let mut found: Vec<Learner> = Vec::new();
    for learner in learners {
        if !found.contains(learner) {
            found.push(learner.clone());
        }
    }
    found
}

/// Those of some learners that are among others.
fn among(some: &[Learner], others: &[Learner]) -> Vec<Learner> {
    some.iter().filter(|learner| others.contains(learner)).cloned().collect()
}

/// What each candidate says, or why it cannot learn.
type Found = Vec<Result<Posteriors, Error>>;

/// Rows of a table, divided, and who is asked about them.
struct Rows<'a> {
    rows: &'a [u32],
    fold_of_row: &'a [u32],
    target: &'a Target,
    seed: u64,
    asked: Vec<Learner>,
}

impl Rows<'_> {
    /// The same rows for those who are among others.
    fn among(&self, others: &[Learner]) -> Self {
        Rows { asked: among(&self.asked, others), ..*self }
    }
}

impl Inside<'_> {
    fn rows<'a>(&'a self, rows: &'a [u32], target: &'a Target, asked: Vec<Learner>) -> Rows<'a> {
        Rows { rows, fold_of_row: &self.fold_of_row, target, seed: self.seed, asked }
    }

    /// Those of some candidates that are waiting here.
    fn waiting_among(&self, candidates: &[Learner]) -> Vec<Learner> {
        among(candidates, &self.waiting)
    }

    /// What candidates come to by what they say.
    fn results_of(&self, candidates: &[Learner], found: Found) -> Vec<TunedCandidate> {
        let result = |(learner, found): (&Learner, Result<Posteriors, Error>)| match found {
            Ok(posteriors) => {
                TunedCandidate::of_folds(learner, &self.judge.values(&posteriors.without_costs()))
            }
            Err(error) => TunedCandidate::failed(learner, &error),
        };
        candidates.par_iter().zip(found).map(result).collect()
    }

    /// Keeps what candidates came to.
    fn take_in(&mut self, candidates: &[Learner], results: Vec<TunedCandidate>) {
        for (learner, result) in candidates.iter().zip(results) {
            if let Some(idx) = self.tried.iter().position(|known| known == learner) {
                self.results[idx] = result;
            }
        }
    }

    /// Puts candidates behind all others, in their order; those that are new are waiting.
    fn put_last(&mut self, candidates: Vec<Learner>) {
        for learner in candidates {
            let result = match self.tried.iter().position(|known| *known == learner) {
                Some(idx) => {
                    self.tried.remove(idx);
                    self.results.remove(idx)
                }
                None => {
                    self.waiting.push(learner.clone());
                    TunedCandidate::of_folds(&learner, &[])
                }
            };
            self.tried.push(learner);
            self.results.push(result);
        }
    }
}
