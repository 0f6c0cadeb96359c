//! Batches made ready for a ranking, on whichever core has them.
//!
//! Counting or splitting a batch needs nothing but the batch, so whoever reads batches in parallel can do it
//! there, while the rows are in the cache, and hand over what remains in order.

use rayon::prelude::*;

use super::pile::{Payload, Pile};
use super::tally::Tally;
use crate::scored_set::{AmountsOf, ScoredSet};

/// Rows that one core works on at a time. Fixed, so that the result does not depend on how many there are.
const CHUNK: usize = 1 << 18;

/// A batch that was counted by score or split by class, for [`RankingBuilder::absorb`](super::RankingBuilder).
///
/// ```
/// use tribunal_eval::{RankingBuilder, ScoredChunks, ScoredSet};
///
/// let chunks = ScoredChunks::of(&ScoredSet::new(&[true, false], &[0.9, 0.2])?);
/// let mut builder = RankingBuilder::default();
/// builder.absorb(chunks)?;
/// assert_eq!(builder.finish()?.n_rows(), 2.0);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
#[derive(Debug)]
pub struct ScoredChunks {
    pub(super) payload: Payload,
    pub(super) parts: Vec<Part>,
}

/// Scores as positions in a list of the scores that there are.
#[derive(Clone, Copy, Debug)]
pub struct CodedScores<'a> {
    /// One position a case.
    pub codes: &'a [u16],
    /// The scores that there are.
    pub scores: &'a [f64],
}

impl ScoredChunks {
    /// Counts or splits a batch.
    pub fn of(set: &ScoredSet<'_>) -> Self {
        let payload = Payload { weight: set.weight.is_some(), amounts: set.amounts_of };
        let parts = chunks(set).into_par_iter().map(|chunk| Part::of(&chunk)).collect();
        Self { payload, parts }
    }

    /// Counts an unweighted batch of coded scores without decoding them: the same as decoding them first.
    ///
    /// `None` where counting would not come to the same or the batch is not valid - scores that are too many,
    /// repeated or not finite, cases that are too few or too many, columns of other lengths; then decode.
    pub fn of_codes(y_true: &[bool], y_score: CodedScores<'_>, amount: Option<&[f64]>) -> Option<Self> {
        let is_as_long = amount.is_none_or(|amount| amount.len() == y_true.len());
        if y_true.len() > CHUNK || y_score.codes.len() != y_true.len() || !is_as_long {
            return None;
        }
        let tally = Tally::of_codes(y_true, y_score, amount)?;
        let amounts = if amount.is_some() { AmountsOf::Positives } else { AmountsOf::Nobody };
        let payload = Payload { weight: false, amounts };
        Some(Self { payload, parts: vec![Part::Tallied(tally)] })
    }
}

/// What one chunk became.
#[derive(Debug)]
pub(super) enum Part {
    Tallied(Tally),
    Piled(Pile, Pile),
}

impl Part {
    fn of(chunk: &ScoredSet<'_>) -> Self {
        match Tally::of(chunk) {
            Some(tally) => Self::Tallied(tally),
            None => {
                let (positives, negatives) = Pile::both(chunk);
                Self::Piled(positives, negatives)
            }
        }
    }
}

fn chunks<'a>(set: &ScoredSet<'a>) -> Vec<ScoredSet<'a>> {
    let part = |start: usize| {
        let range = start..(start + CHUNK).min(set.n_rows());
        ScoredSet {
            truth: &set.truth[range.clone()],
            score: &set.score[range.clone()],
            weight: set.weight.map(|weight| &weight[range.clone()]),
            amount: set.amount.map(|amount| &amount[range.clone()]),
            amounts_of: set.amounts_of,
        }
    };
    (0..set.n_rows()).step_by(CHUNK).map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranking::{Ranking, RankingBuilder};
    use proptest::prelude::*;

    fn ranked(chunks: impl IntoIterator<Item = ScoredChunks>) -> Ranking {
        let mut builder = RankingBuilder::default();
        chunks.into_iter().for_each(|chunks| builder.absorb(chunks).expect("alike"));
        builder.finish().expect("few rows")
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn codes_come_to_the_same_as_scores(
            rows in prop::collection::vec((0u16..60, any::<bool>(), 0.0..1e6f64), 4096..6000),
            scores in Just((-30..30).collect::<Vec<i8>>()).prop_shuffle(),
        ) {
            let scores: Vec<f64> = scores.into_iter().map(|score| f64::from(score) / 3.0).collect();
            let codes: Vec<u16> = rows.iter().map(|row| row.0).collect();
            let truth: Vec<bool> = rows.iter().map(|row| row.1).collect();
            let amount: Vec<f64> = rows.iter().map(|row| row.2).collect();
            let decoded: Vec<f64> = codes.iter().map(|&code| scores[usize::from(code)]).collect();
            let set = ScoredSet::new(&truth, &decoded).expect("finite").with_amount(&amount).expect("finite");
            let coded = || ScoredChunks::of_codes(&truth, CodedScores { codes: &codes, scores: &scores }, Some(&amount));
            let found = ranked((0..3).map(|_| coded().expect("few scores")));
            prop_assert_eq!(found, ranked((0..3).map(|_| ScoredChunks::of(&set))));
        }
    }

    #[test]
    fn what_cannot_be_counted_by_code_is_left_to_the_scores() {
        let check = |scores: &[f64], amount: f64, n_rows: usize, code: u16| {
            let (truth, codes, amount) = (vec![true; n_rows], vec![code; n_rows], vec![amount; n_rows]);
            ScoredChunks::of_codes(&truth, CodedScores { codes: &codes, scores }, Some(&amount)).is_some()
        };
        assert!(check(&[0.5, 0.0], 1.0, 5000, 1));
        assert!(!check(&[0.5, 0.0], 1.0, 10, 1), "few rows are piled where they differ");
        assert!(!check(&[0.5, 0.0], 1.0, 5000, 2), "a code without a score");
        assert!(!check(&[0.5, f64::NAN], 1.0, 5000, 0));
        assert!(!check(&[0.0, -0.0], 1.0, 5000, 0), "one score twice");
        assert!(!check(&[0.5, 0.0], f64::INFINITY, 5000, 0));
        let many: Vec<f64> = (0..4000).map(f64::from).collect();
        assert!(!check(&many, 1.0, 5000, 0));
        assert!(!check(&[0.5, 0.0], 1.0, CHUNK + 1, 0));
    }
}
