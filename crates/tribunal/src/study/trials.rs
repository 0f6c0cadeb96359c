//! Stand-in until line-ups know several targets.
use crate::error::Error;
use crate::line_up::{Entrant, Outcome, cross_validate};
use crate::progress::OnProgress;
use crate::resampling::Plan;
use tribunal_learn::{Dataset, Target};
pub(crate) struct Trial<'a> {
    pub target: &'a Target,
    pub plan: &'a Plan,
}
pub(crate) struct Found {
    pub trial: usize,
    pub entrant: usize,
    pub splits: std::ops::Range<usize>,
    pub outcomes: Vec<Outcome>,
    pub is_repeatable: Option<bool>,
}
pub(crate) fn cross_validate_trials(
    entrants: &[Entrant],
    dataset: &Dataset,
    trials: &[Trial<'_>],
    seed: u64,
    is_wanted: &(dyn Fn(usize, usize) -> bool + Sync),
    on_found: &mut dyn FnMut(Found) -> Result<(), Error>,
    on_progress: OnProgress<'_>,
) -> Result<(), Error> {
    for (idx, trial) in trials.iter().enumerate() {
        let dataset = dataset.clone().with_target(trial.target.clone())?;
        for (entrant, asked) in entrants.iter().enumerate().filter(|(e, _)| is_wanted(idx, *e)) {
            let found = cross_validate(std::slice::from_ref(asked), &dataset, trial.plan, seed, on_progress)?;
            for scores in found.entrants {
                on_found(Found {
                    trial: idx,
                    entrant,
                    splits: 0..scores.outcomes.len(),
                    outcomes: scores.outcomes,
                    is_repeatable: scores.is_repeatable,
                })?;
            }
        }
    }
    Ok(())
}
