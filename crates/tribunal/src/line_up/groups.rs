//! Who is run together, and in which trials.

use tribunal_learn::Learner;

use super::entrant::Entrant;
use super::trial::Bench;
use crate::outside::OutsideLearner;

/// Entrants that are run together in some trials.
pub(super) struct Group<'a> {
    pub(super) places: Vec<usize>,
    pub(super) work: Work<'a>,
    pub(super) trials: Vec<usize>,
}

/// What there is to do.
pub(super) enum Work<'a> {
    /// Relatives with nothing to tune, in cross-validations.
    Settled(Vec<Learner>),
    /// One learner, whose settings are chosen inside of each training part.
    Tuned(&'a Learner),
    Command(&'a OutsideLearner),
}

impl Work<'_> {
    /// Whether several trials are less work together than one by one.
    fn shares_targets(&self) -> bool {
        match self {
            Work::Settled(learners) => learners.iter().any(Learner::shares_targets),
            // Candidates are compared before they are calibrated.
            Work::Tuned(learner) => learner.uncalibrated().as_ref().unwrap_or(learner).shares_targets(),
            Work::Command(_) => false,
        }
    }
}

/// All groups, ordered by their first entrant and then by trial.
pub(super) fn groups<'a>(
    entrants: &'a [Entrant],
    benches: &[Bench<'_>],
    is_wanted: &dyn Fn(usize, usize) -> bool,
) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    for (trial, bench) in benches.iter().enumerate() {
        for (places, work) in groups_of(entrants, bench, &|place| is_wanted(trial, place)) {
            let is_alike = |known: &&mut Group<'a>| {
                let is_same = std::mem::discriminant(&known.work) == std::mem::discriminant(&work);
                is_same && known.places == places
            };
            match groups.iter_mut().find(is_alike).filter(|_| work.shares_targets()) {
                Some(known) => known.trials.push(trial),
                None => groups.push(Group { places, work, trials: vec![trial] }),
            }
        }
    }
    groups.sort_by_key(|group| group.places[0]);
    groups
}

/// The groups of one trial: learners of a family with nothing to tune go together where the plan is a cross-validation,
/// those apart that share their work with other trials.
fn groups_of<'a>(
    entrants: &'a [Entrant],
    bench: &Bench<'_>,
    is_wanted: &dyn Fn(usize) -> bool,
) -> Vec<(Vec<usize>, Work<'a>)> {
    let mut groups: Vec<(Vec<usize>, Work<'a>)> = Vec::new();
    let is_crossed = bench.trial.plan.fold_of_row(0).is_some();
    for (place, entrant) in entrants.iter().enumerate().filter(|(place, _)| is_wanted(*place)) {
        let learner = match entrant {
            Entrant::Outside(command) => {
                groups.push((vec![place], Work::Command(command)));
                continue;
            }
            Entrant::BuiltIn(learner) => learner,
        };
        if !is_crossed || learner.candidates(bench.trial.plan.n_rows()).is_some() {
            groups.push((vec![place], Work::Tuned(learner)));
            continue;
        }
        let key = |learner: &Learner| (learner.family(), learner.shares_targets());
        let relatives = groups.iter_mut().find_map(|(places, work)| match work {
            Work::Settled(learners) if key(&learners[0]) == key(learner) => Some((places, learners)),
            _ => None,
        });
        match relatives {
            Some((places, learners)) => {
                places.push(place);
                learners.push(learner.clone());
            }
            None => groups.push((vec![place], Work::Settled(vec![learner.clone()]))),
        }
    }
    groups
}
