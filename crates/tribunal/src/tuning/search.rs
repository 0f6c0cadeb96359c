//! The search for the best candidate, inside of several training parts at once.
//!
//! Parts in which the same candidate is waiting judge it together, so that learners which can share work between them do so:
//! the finer grids of many parts overlap.

use std::collections::BTreeMap;

use rayon::prelude::*;
use tribunal_eval::metrics::{Kind, Measure};
use tribunal_learn::{
    Dataset, Folds, Learner, Posteriors, Scenario, Target, cross_decisions_of, cross_posteriors_of,
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
            results: candidates.iter().map(|candidate| TunedCandidate::of_folds(candidate, &[])).collect(),
            tried: candidates.clone(),
            waiting: candidates,
        }))
    }

    /// Judges what is waiting, refines, and goes on until nothing is left to be tried; gives what each part has come to.
    pub(super) fn run(&self, mut parts: Vec<Inside<'_>>) -> Vec<Result<Tuned, Error>> {
        while parts.iter().any(|part| !part.waiting.is_empty()) {
            let open = parts.iter_mut().filter(|part| !part.waiting.is_empty());
            let (mut apart, mut together): (Vec<_>, Vec<_>) = open.partition(|part| part.own.is_some());
            // What is on a scale of its own shares with nobody.
            apart.par_iter_mut().for_each(|part| {
                let candidates = part.waiting.clone();
                let results = self.judged(&[&**part], &candidates).into_iter().flatten().collect();
                part.take_in(&candidates, results);
            });
            self.judge_together(&mut together);
            for part in apart.into_iter().chain(together) {
                part.waiting.clear();
                self.refine(part);
            }
        }
        parts.into_iter().map(|part| self.tuned(part)).collect()
    }

    /// Judges what is waiting in parts that may share work. Few candidates do not occupy all cores, so groups of few are
    /// judged side by side.
    fn judge_together(&self, parts: &mut [&mut Inside<'_>]) {
        let n_threads = rayon::current_num_threads();
        let is_large = |group: &Group| group.candidates.len() >= 2 * n_threads;
        let (large, small): (Vec<Group>, Vec<Group>) =
            waiting_together(parts).into_iter().partition(is_large);
        let judged = |group: &Group| {
            let parts: Vec<&Inside<'_>> = group.places.iter().map(|&place| &*parts[place]).collect();
            self.judged(&parts, &group.candidates)
        };
        let mut results: Vec<Vec<Vec<TunedCandidate>>> = large.iter().map(judged).collect();
        match small.len() < n_threads {
            true => results.extend(small.iter().map(judged)),
            false => results.par_extend(small.par_iter().map(judged)),
        }
        for (group, results) in large.iter().chain(&small).zip(results) {
            for (&place, results) in group.places.iter().zip(results) {
                parts[place].take_in(&group.candidates, results);
            }
        }
    }

    /// What candidates come to in each of several parts.
    fn judged(&self, parts: &[&Inside<'_>], candidates: &[Learner]) -> Vec<Vec<TunedCandidate>> {
        // Those on a scale of their own are judged by all threads at once.
        let n_beside =
            if parts.iter().any(|part| part.own.is_some()) { rayon::current_num_threads() } else { 1 };
        let held = n_beside * parts.iter().map(|part| part.judge.n_probabilities()).sum::<usize>();
        let mut results: Vec<Vec<TunedCandidate>> = vec![Vec::new(); parts.len()];
        for batch in candidates.chunks((MOST_HELD / held.max(1)).max(1)) {
            let found = self.posteriors(parts, batch);
            let values = parts.par_iter().zip(found).map(|(part, found)| part.results_of(batch, found));
            let values: Vec<Vec<TunedCandidate>> = values.collect();
            results.iter_mut().zip(values).for_each(|(results, values)| results.extend(values));
        }
        results
    }

    /// What each candidate says in each part.
    fn posteriors(&self, parts: &[&Inside<'_>], candidates: &[Learner]) -> Vec<Found> {
        if parts.iter().all(|part| part.own.is_none()) {
            let plain: Vec<Learner> = candidates.iter().map(|candidate| self.plain(candidate)).collect();
            let parts: Vec<Rows<'_>> =
                parts.iter().map(|part| part.rows(part.plan.rows(), part.target)).collect();
            return self.found_in(self.dataset, &parts, &plain);
        }
        let of_part = |part: &&Inside<'_>| {
            let on_one_scale = |candidate: &Learner| {
                let plain = self.plain(candidate);
                plain.scaled_once().unwrap_or(plain)
            };
            let dataset = part.own.as_ref().unwrap_or(self.dataset);
            let target = dataset.target().unwrap_or(part.target);
            let rows: Vec<u32> = (0..dataset.n_rows() as u32).collect();
            let learners: Vec<Learner> = candidates.iter().map(on_one_scale).collect();
            self.found_in(dataset, &[part.rows(&rows, target)], &learners).remove(0)
        };
        parts.par_iter().map(of_part).collect()
    }

    /// What each candidate says of parts of a table. One that fails makes all fail that are fitted with it, so candidates are
    /// halved until it is found, and then parts.
    fn found_in(&self, dataset: &Dataset, parts: &[Rows<'_>], candidates: &[Learner]) -> Vec<Found> {
        let error = match self.found_together(dataset, parts, candidates) {
            Ok(found) => return found.into_iter().map(|found| found.into_iter().map(Ok).collect()).collect(),
            Err(error) => error,
        };
        if candidates.len() > 1 {
            let (former, latter) = candidates.split_at(candidates.len() / 2);
            let mut found = self.found_in(dataset, parts, former);
            let others = self.found_in(dataset, parts, latter);
            found.iter_mut().zip(others).for_each(|(found, others)| found.extend(others));
            return found;
        }
        match parts.len() {
            1 => vec![vec![Err(error)]],
            _ => parts
                .iter()
                .map(|part| self.found_in(dataset, std::slice::from_ref(part), candidates).remove(0))
                .collect(),
        }
    }

    /// The same where none fails.
    fn found_together(
        &self,
        dataset: &Dataset,
        parts: &[Rows<'_>],
        candidates: &[Learner],
    ) -> Result<Vec<Vec<Posteriors>>, Error> {
        let folds = parts.iter().map(|part| Folds::new(part.rows, part.fold_of_row));
        let folds = folds.collect::<Result<Vec<Folds<'_>>, _>>()?;
        let both = parts.iter().zip(&folds);
        let scenarios: Vec<Scenario<'_>> =
            both.map(|(part, folds)| Scenario { target: part.target, folds, seed: part.seed }).collect();
        Ok(match self.measure.metric.kind {
            Kind::Cutoff => cross_decisions_of(candidates, dataset, &scenarios)?,
            _ => cross_posteriors_of(candidates, dataset, &scenarios)?,
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

/// Candidates that are waiting in the same parts.
struct Group {
    candidates: Vec<Learner>,
    /// Which parts these are.
    places: Vec<usize>,
}

fn waiting_together(parts: &[&mut Inside<'_>]) -> Vec<Group> {
    let mut parts_of: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut in_order: Vec<(String, &Learner)> = Vec::new();
    for (place, part) in parts.iter().enumerate() {
        for learner in &part.waiting {
            let name = learner.to_string();
            let places = parts_of.entry(name.clone()).or_default();
            if places.is_empty() {
                in_order.push((name, learner));
            }
            places.push(place);
        }
    }
    let mut together: BTreeMap<&Vec<usize>, Vec<Learner>> = BTreeMap::new();
    for (name, learner) in &in_order {
        together.entry(&parts_of[name]).or_default().push((*learner).clone());
    }
    let group = |(places, candidates): (&Vec<usize>, _)| Group { candidates, places: places.clone() };
    together.into_iter().map(group).collect()
}

/// What each candidate says, or why it cannot learn.
type Found = Vec<Result<Posteriors, Error>>;

/// Rows of a table, divided.
struct Rows<'a> {
    rows: &'a [u32],
    fold_of_row: &'a [u32],
    target: &'a Target,
    seed: u64,
}

impl Inside<'_> {
    fn rows<'a>(&'a self, rows: &'a [u32], target: &'a Target) -> Rows<'a> {
        Rows { rows, fold_of_row: &self.fold_of_row, target, seed: self.seed }
    }

    /// What candidates come to by what they say.
    fn results_of(&self, candidates: &[Learner], found: Found) -> Vec<TunedCandidate> {
        let result = |(learner, found): (&Learner, Result<Posteriors, Error>)| match found {
            Ok(posteriors) => TunedCandidate::of_folds(learner, &self.judge.values(&posteriors)),
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
