//! All candidates on the same inner folds.

use rayon::prelude::*;
use tribunal_learn::{Dataset, Folds, Learner, Posteriors, cross_posteriors};

use super::curve::TunedCandidate;
use super::judge::Judge;
use crate::error::Error;

/// So many probabilities are held at a time: half a gigabyte of them.
const MOST_HELD: usize = 1 << 26;

/// The training rows, divided.
pub(super) struct Inside<'a> {
    pub(super) dataset: &'a Dataset,
    pub(super) folds: &'a Folds<'a>,
    pub(super) seed: u64,
}

impl Inside<'_> {
    /// What each candidate comes to, in their order.
    ///
    /// They are fitted all at once, so that relatives share their work, or by the batch where there are so many that their
    /// probabilities would fill the memory; the figures do not depend on that.
    pub(super) fn judged(&self, candidates: &[Learner], judge: &Judge) -> Vec<TunedCandidate> {
        let at_once = (MOST_HELD / judge.n_probabilities().max(1)).max(1);
        let of_batch = |batch: &[Learner]| -> Vec<TunedCandidate> {
            let found = self.posteriors(batch);
            let result = |(learner, found): (&Learner, Result<Posteriors, Error>)| match found {
                Ok(posteriors) => TunedCandidate::of_folds(learner, &judge.values(&posteriors)),
                Err(error) => TunedCandidate::failed(learner, &error),
            };
            batch.par_iter().zip(found).map(result).collect()
        };
        candidates.chunks(at_once).flat_map(of_batch).collect()
    }

    /// The probabilities of each candidate, or why it cannot learn. One that fails makes all fail that are fitted with it,
    /// so those are halved until it is found.
    fn posteriors(&self, candidates: &[Learner]) -> Vec<Result<Posteriors, Error>> {
        match cross_posteriors(candidates, self.dataset, self.folds, self.seed) {
            Ok(found) => found.into_iter().map(Ok).collect(),
            Err(error) if candidates.len() < 2 => vec![Err(error.into())],
            Err(_) => {
                let (former, latter) = candidates.split_at(candidates.len() / 2);
                [former, latter].into_iter().flat_map(|half| self.posteriors(half)).collect()
            }
        }
    }
}
