//! Where each row stands, frozen: one small number a row and repetition instead of lists of rows for every split.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tribunal_random::derive_seed;

use super::bootstrap::draw;
use super::split::{Part, Split};
use crate::error::Error;

/// Where each row stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Assignment {
    /// Every fold is the test part once, in every repetition.
    Folds { n_folds: u32, repetitions: Vec<FoldNumbers> },
    /// One split a repetition.
    Parts { repetitions: Vec<Vec<Part>> },
    /// Every row is the test part once.
    LeaveOneOut,
    /// Training rows are drawn from these seeds when they are asked for.
    Replicates { seeds: Vec<u64>, n_redrawn: u64 },
    /// How often each row was drawn, for replicates that come from a file.
    Draws { replicates: Vec<Vec<u32>> },
}

/// The fold of each row: a byte where that is enough.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum FoldNumbers {
    Narrow(Vec<u8>),
    Wide(Vec<u32>),
}

impl FoldNumbers {
    /// The most folds that a byte can number.
    pub(super) const MOST_NARROW: u32 = 1 << 8;

    /// Fold numbers below `n_folds`.
    pub(super) fn new(n_folds: u32, numbers: impl Iterator<Item = u32>) -> Self {
        if n_folds <= Self::MOST_NARROW {
            Self::Narrow(numbers.map(|fold| fold as u8).collect())
        } else {
            Self::Wide(numbers.collect())
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Narrow(numbers) => numbers.len(),
            Self::Wide(numbers) => numbers.len(),
        }
    }

    /// The fold of each row.
    pub(super) fn iter(&self) -> Box<dyn Iterator<Item = u32> + '_> {
        match self {
            Self::Narrow(numbers) => Box::new(numbers.iter().map(|&fold| u32::from(fold))),
            Self::Wide(numbers) => Box::new(numbers.iter().copied()),
        }
    }

    /// The rows inside and outside a fold.
    fn split(&self, fold: u32) -> Split {
        let part = |is_test: bool| if is_test { Part::Test } else { Part::Train };
        match self {
            Self::Narrow(numbers) => Split::of(numbers.iter().map(|&found| part(u32::from(found) == fold))),
            Self::Wide(numbers) => Split::of(numbers.iter().map(|&found| part(found == fold))),
        }
    }
}

impl Assignment {
    /// One assignment of folds a repetition; without repetitions the seed itself is used.
    pub(super) fn folds(
        n_folds: u32,
        n_repetitions: Option<u32>,
        seed: u64,
        assign: impl Fn(u64) -> FoldNumbers + Sync,
    ) -> Self {
        Self::Folds { n_folds, repetitions: repeated(n_repetitions, seed, assign) }
    }

    /// One assignment of parts a repetition; without repetitions the seed itself is used.
    pub(super) fn parts(
        n_repetitions: Option<u32>,
        seed: u64,
        assign: impl Fn(u64) -> Vec<Part> + Sync,
    ) -> Self {
        Self::Parts { repetitions: repeated(n_repetitions, seed, assign) }
    }

    pub(super) fn n_splits(&self, n_rows: usize) -> usize {
        match self {
            Self::Folds { n_folds, repetitions } => *n_folds as usize * repetitions.len(),
            Self::Parts { repetitions } => repetitions.len(),
            Self::LeaveOneOut => n_rows,
            Self::Replicates { seeds, .. } => seeds.len(),
            Self::Draws { replicates } => replicates.len(),
        }
    }

    /// The rows of a split below `n_splits`.
    pub(super) fn split(&self, n_rows: usize, split_idx: usize) -> Split {
        match self {
            Self::Folds { n_folds, repetitions } => {
                let n_folds = *n_folds as usize;
                repetitions[split_idx / n_folds].split((split_idx % n_folds) as u32)
            }
            Self::Parts { repetitions } => Split::of(repetitions[split_idx].iter().copied()),
            Self::LeaveOneOut => {
                Split::of((0..n_rows).map(|row| if row == split_idx { Part::Test } else { Part::Train }))
            }
            Self::Replicates { seeds, .. } => replicate(draw(n_rows, seeds[split_idx]), n_rows),
            Self::Draws { replicates } => {
                let times = |(row, &times): (u32, &u32)| std::iter::repeat_n(row, times as usize);
                replicate((0..).zip(&replicates[split_idx]).flat_map(times).collect(), n_rows)
            }
        }
    }

    /// Feeds the splits to a hash, the same bytes however they are held.
    pub(super) fn digest(&self, hasher: &mut Sha256) {
        match self {
            Self::Folds { n_folds, repetitions } => {
                hasher.update(format!("folds {n_folds} {}\n", repetitions.len()));
                repetitions.iter().for_each(|numbers| digest_numbers(hasher, numbers.iter()));
            }
            Self::Parts { repetitions } => {
                hasher.update(format!("parts {}\n", repetitions.len()));
                let number = |&part: &Part| part as u32;
                repetitions.iter().for_each(|parts| digest_numbers(hasher, parts.iter().map(number)));
            }
            Self::LeaveOneOut => hasher.update("loo\n"),
            Self::Replicates { seeds, .. } => {
                hasher.update(format!("replicates {}\n", seeds.len()));
                seeds.iter().for_each(|seed| hasher.update(seed.to_le_bytes()));
            }
            Self::Draws { replicates } => {
                hasher.update(format!("draws {}\n", replicates.len()));
                replicates.iter().for_each(|draws| digest_numbers(hasher, draws.iter().copied()));
            }
        }
    }
}

/// What each repetition is given, in order, whatever the number of threads.
fn repeated<T: Send>(n_repetitions: Option<u32>, seed: u64, assign: impl Fn(u64) -> T + Sync) -> Vec<T> {
    match n_repetitions {
        None => vec![assign(seed)],
        Some(n) => (0..n).into_par_iter().map(|r| assign(derive_seed(seed, &[u64::from(r)]))).collect(),
    }
}

/// A replicate: the drawn rows, and those that were never drawn.
fn replicate(drawn: Vec<u32>, n_rows: usize) -> Split {
    let mut is_drawn = vec![false; n_rows];
    drawn.iter().for_each(|&row| is_drawn[row as usize] = true);
    let left_out = (0..).zip(&is_drawn).filter(|(_, is_drawn)| !**is_drawn).map(|(row, _)| row);
    Split { test: left_out.collect(), train: drawn, validation: Vec::new() }
}

fn digest_numbers(hasher: &mut Sha256, numbers: impl Iterator<Item = u32>) {
    const BLOCK: usize = 1 << 12;
    let mut bytes = Vec::with_capacity(4 * BLOCK);
    for number in numbers {
        bytes.extend(number.to_le_bytes());
        if bytes.len() == 4 * BLOCK {
            hasher.update(&bytes);
            bytes.clear();
        }
    }
    hasher.update(&bytes);
}

/// What a design makes of some rows.
pub(super) struct Assigned {
    pub(super) assignment: Assignment,
    pub(super) warnings: Vec<super::warning::Warning>,
}

/// A design that divides rows.
pub(super) trait Scheme: std::fmt::Display {
    /// Divides rows that have been checked.
    fn assign(&self, rows: &super::rows::Rows<'_>, seed: u64) -> Result<Assigned, Error>;
}
