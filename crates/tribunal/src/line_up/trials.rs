//! Every entrant of a line-up on every split of several trials, which are targets of the same rows.
//!
//! Learners of a family share their work where plans are cross-validations and nothing is to be tuned; kernel machines and
//! neighbours on the scale of all rows share it between trials too, and so does the tuning of kernel machines. If that fails,
//! trials are taken one by one, then learners, and then splits, with the same seeds, so that nobody's scores depend on the
//! company. Commands run one after the other: what they do with all the cores is their affair.

use std::ops::Range;
use std::slice::from_ref;
use std::time::Instant;

use rayon::prelude::*;
use tribunal_learn::{Dataset, Folds, Learner, Scenario, cross_posteriors_of};

use super::attempt::attempt;
use super::entrant::Entrant;
use super::groups::{Group, Work, groups};
use super::scores::Outcome;
use super::trial::{Bench, Repetition, Trial};
use crate::error::Error;
use crate::progress::{OnProgress, Progress};
use crate::tuning::{PARTS_AT_ONCE, TrainingPart, TuneOptions, Tuned, tune_each};

/// What an entrant said of some splits of a trial.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Which trial it is.
    pub trial: usize,
    /// Which entrant it is.
    pub entrant: usize,
    /// The splits. Those of an entrant in a trial come in their order.
    pub splits: Range<usize>,
    /// One outcome a split.
    pub outcomes: Vec<Outcome>,
    /// Whether a command scored a split alike when it was fitted again with the same seed; `None` if that was not tried.
    /// A command tells of all splits at once.
    pub is_repeatable: Option<bool>,
    /// Where settings were chosen: the seconds that this and the fit took for one split, on average over all that were
    /// chosen together.
    pub seconds: Option<f64>,
}

/// Has each entrant score the test rows of every split of each trial, by a model of the training rows alone; only those
/// trials of an entrant that `is_wanted` names, by the numbers of trial and entrant. Scores are the same as of any other
/// trials and entrants beside them.
///
/// `on_found` is called from the thread of the caller, as soon as something is there.
///
/// ```
/// use tribunal::claims::{ClaimsRequest, TARGETS, generate};
/// use tribunal::resampling::{LabelColumn, Plan, Rows};
/// use tribunal::{Entrant, Trial, cross_validate_trials};
///
/// let claims = generate(&ClaimsRequest { rows: 200, seed: 1 })?;
/// let suspicious = [claims.dataset(&TARGETS[0])?, claims.dataset(&TARGETS[1])?];
/// let targets: Vec<_> = suspicious.iter().filter_map(|data| data.target()).collect();
/// let plan = |target| Plan::new(&"cv:5".parse()?, &Rows::of_classes(&LabelColumn::of_target(target)), 1);
/// let plans = [plan(targets[0])?, plan(targets[1])?];
/// let both = targets.iter().zip(&plans);
/// let trials: Vec<Trial> =
///     both.map(|(target, plan)| Trial::new(target, plan)).collect();
/// let entrants: Vec<Entrant> = vec!["knn:10,paper".parse()?, "nb:5".parse()?];
/// let mut n_scored = [0; 2];
/// cross_validate_trials(
///     &entrants,
///     &suspicious[0],
///     &trials,
///     1,
///     &|trial, entrant| trial == 0 || entrant == 0,
///     &mut |found| Ok(n_scored[found.entrant] += found.outcomes.len()),
///     &|_progress| (),
/// )?;
/// assert_eq!(n_scored, [10, 5]);
/// # Ok::<(), tribunal::Error>(())
/// ```
///
/// # Errors
/// A target or a plan is one of other rows; whatever `on_found` returns, which ends the run.
pub fn cross_validate_trials(
    entrants: &[Entrant],
    dataset: &Dataset,
    trials: &[Trial<'_>],
    seed: u64,
    is_wanted: &(dyn Fn(usize, usize) -> bool + Sync),
    on_found: &mut dyn FnMut(Found) -> Result<(), Error>,
    on_progress: OnProgress<'_>,
) -> Result<(), Error> {
    let benches = trials.iter().map(|trial| Bench::new(dataset, *trial, seed));
    let benches = benches.collect::<Result<Vec<Bench<'_>>, Error>>()?;
    let groups = groups(entrants, &benches, &is_wanted);
    let mut total = vec![0; entrants.len()];
    for group in &groups {
        let n_splits: usize = group.trials.iter().map(|&trial| benches[trial].n_splits()).sum();
        group.places.iter().for_each(|&place| total[place] += n_splits);
    }
    let mut run = Run { benches: &benches, done: vec![0; entrants.len()], total, on_found, on_progress };
    groups.iter().try_for_each(|group| run.go(group))
}

/// A line-up at work.
struct Run<'a> {
    benches: &'a [Bench<'a>],
    /// How many splits each entrant has done, and has to do.
    done: Vec<usize>,
    total: Vec<usize>,
    on_found: &'a mut dyn FnMut(Found) -> Result<(), Error>,
    on_progress: OnProgress<'a>,
}

impl Run<'_> {
    fn go(&mut self, group: &Group<'_>) -> Result<(), Error> {
        let place = group.places[0];
        match &group.work {
            Work::Settled(learners) => self.settled(learners, group),
            Work::Tuned(learner) => self.tuned(learner, place, &group.trials),
            Work::Command(command) => group.trials.iter().try_for_each(|&trial| {
                let bench = &self.benches[trial];
                let (outcomes, is_repeatable) = bench.of_command(command, &|done| self.tell(place, done));
                let splits = 0..outcomes.len();
                self.hand_out(Found { trial, entrant: place, splits, outcomes, is_repeatable, seconds: None })
            }),
        }
    }

    /// Relatives that share work, repetition by repetition.
    fn settled(&mut self, learners: &[Learner], group: &Group<'_>) -> Result<(), Error> {
        for repetition in 0.. {
            let with = |&trial: &usize| Some((trial, self.benches[trial].repetition(repetition)?));
            let trials: Vec<(usize, Repetition)> = group.trials.iter().filter_map(with).collect();
            if trials.is_empty() {
                break;
            }
            self.tell(group.places[0], 0);
            let found = shared(learners, self.benches, &trials);
            for ((trial, repetition), of_learners) in trials.iter().zip(found) {
                for (&entrant, outcomes) in group.places.iter().zip(of_learners) {
                    self.found(*trial, entrant, repetition.splits.clone(), outcomes)?;
                }
            }
        }
        Ok(())
    }

    /// A learner whose settings are chosen inside of each training part, the same splits of all trials at a time.
    fn tuned(&mut self, learner: &Learner, place: usize, trials: &[usize]) -> Result<(), Error> {
        let most_parts = trials.iter().map(|&trial| self.benches[trial].n_parts()).max().unwrap_or(0);
        let step = (PARTS_AT_ONCE / trials.len().max(1)).max(1);
        for start in (0..most_parts).step_by(step) {
            self.tell(place, 0);
            let of_trial = |&trial: &usize| {
                let end = (start + step).min(self.benches[trial].n_parts());
                (start < end).then_some((trial, start..end))
            };
            let some: Vec<(usize, Range<usize>)> = trials.iter().filter_map(of_trial).collect();
            let begun = Instant::now();
            let found = chosen_and_fitted(learner, self.benches, &some);
            let n_parts: usize = some.iter().map(|(_, splits)| splits.len()).sum();
            let seconds = Some(begun.elapsed().as_secs_f64() / n_parts.max(1) as f64);
            for ((trial, splits), outcomes) in some.into_iter().zip(found) {
                self.hand_out(Found {
                    trial,
                    entrant: place,
                    splits,
                    outcomes,
                    is_repeatable: None,
                    seconds,
                })?;
            }
        }
        Ok(())
    }

    fn found(
        &mut self,
        trial: usize,
        entrant: usize,
        splits: Range<usize>,
        outcomes: Vec<Outcome>,
    ) -> Result<(), Error> {
        self.hand_out(Found { trial, entrant, splits, outcomes, is_repeatable: None, seconds: None })
    }

    fn hand_out(&mut self, found: Found) -> Result<(), Error> {
        self.done[found.entrant] += found.outcomes.len();
        (self.on_found)(found)
    }

    /// Tells how far an entrant has come, with so many splits that were not handed out yet.
    fn tell(&self, place: usize, n_more: usize) {
        (self.on_progress)(Progress::Crossing {
            entrant: place as u64 + 1,
            entrants: self.done.len() as u64,
            done: (self.done[place] + n_more) as u64,
            total: self.total[place] as u64,
        });
    }
}

/// What each learner says of one repetition of each trial: all at once, or trial by trial, or one by one, or split by split.
fn shared(
    learners: &[Learner],
    benches: &[Bench<'_>],
    trials: &[(usize, Repetition)],
) -> Vec<Vec<Vec<Outcome>>> {
    if let Ok(found) = attempt(|| crossed(learners, benches, trials)) {
        return found;
    }
    if trials.len() > 1 {
        return trials.iter().flat_map(|trial| shared(learners, benches, from_ref(trial))).collect();
    }
    if learners.len() > 1 {
        let alone = |learner: &Learner| shared(from_ref(learner), benches, trials).into_iter().flatten();
        return vec![learners.iter().flat_map(alone).collect()];
    }
    let by_itself = |(trial, repetition): &(usize, Repetition)| {
        let alone = |learner: &Learner| {
            benches[*trial].split_by_split(&learner.clone().into(), repetition.splits.clone())
        };
        learners.iter().map(alone).collect()
    };
    trials.iter().map(by_itself).collect()
}

/// The same where none fails.
fn crossed(
    learners: &[Learner],
    benches: &[Bench<'_>],
    trials: &[(usize, Repetition)],
) -> Result<Vec<Vec<Vec<Outcome>>>, Error> {
    let Some((first, _)) = trials.first() else { return Ok(Vec::new()) };
    let dataset = &benches[*first].dataset;
    let rows: Vec<u32> = (0..dataset.n_rows() as u32).collect();
    let folds = trials.iter().map(|(_, repetition)| Folds::new(&rows, &repetition.fold_of_row));
    let folds = folds.collect::<Result<Vec<Folds<'_>>, _>>()?;
    let scenario = |((trial, repetition), folds): (&(usize, Repetition), _)| Scenario {
        target: benches[*trial].trial.target,
        folds,
        seed: repetition.seed,
        learners,
    };
    let scenarios: Vec<Scenario<'_>> = trials.iter().zip(&folds).map(scenario).collect();
    let found = cross_posteriors_of(dataset, &scenarios)?;
    let by_split = |((_, repetition), found): (&(usize, Repetition), &Vec<_>)| {
        found.iter().map(|posteriors| repetition.by_split(posteriors)).collect()
    };
    Ok(trials.iter().zip(&found).map(by_split).collect())
}

/// The scores of some splits of each trial by models whose settings are chosen inside of each training part. If the search
/// fails as a whole, each trial is tried by itself, and then each split.
fn chosen_and_fitted(
    learner: &Learner,
    benches: &[Bench<'_>],
    some: &[(usize, Range<usize>)],
) -> Vec<Vec<Outcome>> {
    let Some((first, _)) = some.first() else { return Vec::new() };
    let of_trial = |(trial, splits): &(usize, Range<usize>)| {
        let trial = *trial;
        splits.clone().map(move |split_idx| (trial, split_idx))
    };
    let all: Vec<(usize, usize)> = some.iter().flat_map(of_trial).collect();
    let part = |&(trial, split_idx): &(usize, usize)| benches[trial].training_part(split_idx);
    let parts: Vec<TrainingPart<'_>> = all.iter().map(part).collect();
    let found = attempt(|| Ok(tune_each(learner, &benches[*first].dataset, &parts, &TuneOptions::default())));
    let Ok(found) = found else {
        return match some {
            [(trial, splits)] => {
                vec![benches[*trial].split_by_split(&learner.clone().into(), splits.clone())]
            }
            _ => some.iter().flat_map(|one| chosen_and_fitted(learner, benches, from_ref(one))).collect(),
        };
    };
    let of_split = |(&(trial, split_idx), tuned): (&(usize, usize), Result<Tuned, Error>)| {
        let tuned = tuned.map_err(|error| error.to_string())?;
        let mut scores = benches[trial].fitted(&tuned.learner.clone().into(), split_idx)?;
        scores.tuned = (tuned.learner != *learner).then(|| tuned.learner.to_string());
        scores.at_edge = tuned.curve.is_some_and(|curve| curve.at_edge);
        Ok(scores)
    };
    let outcomes: Vec<Outcome> = all.par_iter().zip(found).map(of_split).collect();
    let mut outcomes = outcomes.into_iter();
    some.iter().map(|(_, splits)| outcomes.by_ref().take(splits.len()).collect()).collect()
}
