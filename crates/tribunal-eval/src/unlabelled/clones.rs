//! Candidates that say nearly the same of every row count as one.

use rayon::prelude::*;

use super::predictions::Predictions;
use crate::error::Error;

use super::class_probabilities::ClassProbabilities;

/// Candidates whose mean distance is below this are clones of each other.
pub const CLONE_DISTANCE: f64 = 0.01;

/// Which candidates are clones, and how much each weighs because of it.
///
/// **Definition** · The distance of two candidates is the mean absolute difference of their scaled probabilities, over unlabelled
/// rows by weight and over classes; below [`CLONE_DISTANCE`] they are clones. With `dup` the number of clones of a candidate, itself
/// included, its weight is `1 / dup` over the sum of these, and that sum is the number of distinct candidates.
///
/// **Undefined when** no unlabelled row carries weight.
///
/// **Example** · see [`Consensus`](super::Consensus).
#[derive(Clone, Debug, PartialEq)]
pub struct Clones {
    n_candidates: usize,
    /// Distances of every two, row by row.
    distances: Vec<f64>,
    weights: Vec<f64>,
    n_distinct: f64,
}

impl Clones {
    /// From the scaled probabilities of the candidates on the rows of one of them.
    pub(super) fn among(scaled: &[ClassProbabilities], rows: &Predictions<'_>) -> Result<Self, Error> {
        let total = rows.total_weight()?;
        let l = scaled.len();
        let distance = |pair: usize| {
            let (a, b) = (pair / l, pair % l);
            if a < b { distance(&scaled[a], &scaled[b], rows) / total } else { 0.0 }
        };
        let mut distances: Vec<f64> = (0..l * l).into_par_iter().map(distance).collect();
        (0..l * l).for_each(|pair| {
            let (a, b) = (pair / l, pair % l);
            distances[pair] = distances[a.min(b) * l + a.max(b)];
        });
        let n_clones = |row: &[f64]| row.iter().filter(|&&distance| distance < CLONE_DISTANCE).count();
        let shares: Vec<f64> =
            distances.chunks(l.max(1)).take(l).map(|row| 1.0 / n_clones(row) as f64).collect();
        let n_distinct = shares.iter().sum::<f64>();
        let weights = shares.iter().map(|share| share / n_distinct).collect();
        Ok(Self { n_candidates: l, distances, weights, n_distinct })
    }

    /// The mean distance of two candidates on the unlabelled rows.
    ///
    /// # Panics
    /// There is no such candidate.
    pub fn distance(&self, a: usize, b: usize) -> f64 {
        self.distances[a * self.n_candidates + b]
    }

    /// The clones of a candidate, itself included.
    pub fn of(&self, candidate: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.n_candidates).filter(move |&other| self.distance(candidate, other) < CLONE_DISTANCE)
    }

    /// The weight of each candidate in the consensus; they add up to one.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// How many distinct candidates there are: clones count as one.
    pub fn n_distinct(&self) -> f64 {
        self.n_distinct
    }
}

/// The sum of the mean absolute differences of rows, each times its weight.
fn distance(a: &ClassProbabilities, b: &ClassProbabilities, rows: &Predictions<'_>) -> f64 {
    let n_classes = a.n_classes() as f64;
    rows.sum(|row| a.row(row).iter().zip(b.row(row)).map(|(a, b)| (a - b).abs()).sum::<f64>() / n_classes)
}

#[cfg(test)]
mod tests {
    use crate::unlabelled::worked_example::{WorkedExample, close};
    use crate::unlabelled::{Candidate, Consensus};

    #[test]
    fn golden_clones() {
        let example = WorkedExample::new();
        let candidates = example.candidates();
        let consensus = Consensus::of(&candidates).expect("the same rows");
        let clones = consensus.clones();
        for (pair, expected) in [((0, 1), 0.05796237), ((1, 2), 0.00129276), ((1, 3), 0.21883571)] {
            close(clones.distance(pair.0, pair.1), expected);
            close(clones.distance(pair.1, pair.0), expected);
        }
        assert_eq!(clones.of(1).collect::<Vec<_>>(), [1, 2]);
        let expected = [1.0 / 3.0, 1.0 / 6.0, 1.0 / 6.0, 1.0 / 3.0];
        clones.weights().iter().zip(expected).for_each(|(&weight, expected)| close(weight, expected));
        close(clones.n_distinct(), 3.0);
        close(consensus.lambda().expect("three distinct"), 0.5);
    }

    #[test]
    fn three_candidates_with_any_number_of_clones_are_three() {
        let example = WorkedExample::new();
        let all = example.candidates();
        for n_copies in 1..40 {
            let copies: Vec<Candidate<'_>> =
                [0, 1, 3].into_iter().flat_map(|a| vec![all[a].clone(); n_copies]).collect();
            let consensus = Consensus::of(&copies).expect("the same rows");
            assert!(consensus.lambda().is_some(), "{n_copies} copies");
        }
    }
}
