//! The upper part of a ranking: the cases that were acted on where a list was cut at some depth, as a ranking of their own.
//!
//! Whoever judges a model by the cases that were acted on sees this part and nothing below it. Every metric and curve of a
//! [`Ranking`] can be asked of it.

use super::side::{Cumulative, Side};
use super::{Ranking, Step, merge_steps};
use crate::scored_set::AmountsOf;

/// Weights that differ by less than this part of a case are equal: sums may miss the end of a block by rounding.
const LITTLE: f64 = 1e-9;

/// Where a list of some weight ends: how many blocks lie in it, and which share of the next one does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ListEnd {
    /// Blocks that lie in the list as a whole.
    pub(crate) n_whole: usize,
    /// Share of the block below them that lies in the list; zero where the list ends with a block.
    pub(crate) share: f64,
}

impl Cumulative {
    /// The totals of the first `end` entries, of which those from `whole` on count a share of what they count.
    fn first(&self, whole: usize, end: usize, share: f64) -> Self {
        match self {
            Self::Zeros => Self::Zeros,
            Self::Ones if whole == end => Self::Ones,
            column => {
                let at = column.through(whole);
                let through = |entries: usize| match entries <= whole {
                    true => column.through(entries),
                    false => at + share * (column.through(entries) - at),
                };
                Self::Totals((0..=end).map(through).collect())
            }
        }
    }
}

impl Side {
    /// The first entries without their amounts; those from `whole` on count a share of what they count.
    fn first(&self, whole: usize, end: usize, share: f64) -> Self {
        Self {
            rows: self.rows.first(whole, end, share),
            weight: self.weight.first(whole, end, share),
            ..Self::one_row_each(self.scores[..end].to_vec())
        }
    }
}

impl Ranking {
    /// Where a list of this weight ends.
    pub(crate) fn list_end(&self, weight: f64) -> ListEnd {
        let n_rows = self.n_rows();
        if n_rows <= 0.0 {
            return ListEnd { n_whole: 0, share: 0.0 };
        }
        let little = LITTLE * self.totals().total() / n_rows;
        let n_whole = self.n_blocks_within(weight + little);
        if n_whole >= self.n_blocks() {
            return ListEnd { n_whole: self.n_blocks(), share: 0.0 };
        }
        let block = self.block(n_whole);
        let taken = weight - block.above.total();
        ListEnd { n_whole, share: if taken > little { taken / block.own().total() } else { 0.0 } }
    }

    /// The first `weight` of the list as a ranking of its own, without amounts. Of the block of equal scores that the cut divides
    /// every case counts the share of the block that lies in the list: what is expected where ties are taken in random order.
    ///
    /// ```
    /// use tribunal_eval::Ranking;
    ///
    /// let ranking = Ranking::from_scores(&[true, false, true, false], &[0.9, 0.5, 0.5, 0.1])?;
    /// let part = ranking.upper_part(2.0);
    /// assert_eq!((part.totals().positive, part.totals().negative), (1.5, 0.5));
    /// assert_eq!(part.score_range(), Some((0.9, 0.5)));
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    pub fn upper_part(&self, weight: f64) -> Ranking {
        let ListEnd { n_whole, share } = self.list_end(weight);
        let after =
            |n_blocks: usize| n_blocks.checked_sub(1).map_or_else(Step::default, |last| self.steps.get(last));
        let (whole, end) = (after(n_whole), after(n_whole + usize::from(share > 0.0)));
        let positives = self.positives.first(whole.positives as usize, end.positives as usize, share);
        let negatives = self.negatives.first(whole.negatives as usize, end.negatives as usize, share);
        let steps = merge_steps(&positives, &negatives);
        Self::of_steps(positives, negatives, steps, AmountsOf::Nobody)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::golden::tied;
    use crate::metrics::{auroc, brier};
    use crate::scored_set::ScoredSet;

    #[test]
    fn a_part_that_ends_with_a_block_is_the_ranking_of_its_rows() {
        let part = tied().upper_part(4.0);
        let rows = Ranking::from_scores(&[true, true, false, true], &[0.9, 0.8, 0.8, 0.7]).expect("scores");
        assert_eq!(part, rows);
        assert_eq!(tied().upper_part(10.0), tied());
        assert_eq!(tied().upper_part(99.0), tied());
        assert_eq!(tied().upper_part(0.0).n_blocks(), 0);
        let empty = Ranking::from_scores(&[], &[]).expect("no rows");
        assert_eq!(empty.upper_part(3.0).n_rows(), 0.0);
    }

    #[test]
    fn a_divided_block_counts_its_share() {
        // One positive and two negatives at 0.6, of which half a case and one case are expected in the first 5.5.
        let part = tied().upper_part(5.5);
        let (found, expected) = (part.totals(), tied().top(5.5));
        assert!((found.positive - expected.positive).abs() < 1e-12);
        assert!((found.negative - expected.negative).abs() < 1e-12);
        assert!((part.n_rows() - 5.5).abs() < 1e-12 && !part.is_weighted());
    }

    proptest! {
        /// The expected share of a block is the block with weights: every case of it weighs the share.
        #[test]
        fn a_part_is_the_ranking_of_rows_with_the_weight_that_is_in_it(
            rows in prop::collection::vec((any::<bool>(), 0u8..9, 1u8..4), 1..50), share in 0.0f64..=1.0
        ) {
            let truth: Vec<bool> = rows.iter().map(|row| row.0).collect();
            let scores: Vec<f64> = rows.iter().map(|row| f64::from(row.1) / 9.0).collect();
            let weights: Vec<f64> = rows.iter().map(|row| f64::from(row.2)).collect();
            let rank = |weights: &[f64]| {
                Ranking::of(&ScoredSet::new(&truth, &scores).and_then(|set| set.with_weight(weights)).expect("valid"))
                    .expect("rankable")
            };
            let whole = rank(&weights);
            let depth = share * whole.totals().total();
            let inside: Vec<f64> = scores
                .iter()
                .zip(&weights)
                .map(|(score, weight)| {
                    let block = whole.block(whole.place_of(*score));
                    weight * ((depth - block.above.total()) / block.own().total()).clamp(0.0, 1.0)
                })
                .collect();
            // Weights next to nothing are those of an end that a block misses by rounding.
            prop_assume!(inside.iter().all(|weight| *weight == 0.0 || *weight > 1e-6));
            let (part, expected) = (whole.upper_part(depth), rank(&inside));
            prop_assert_eq!(part.scores().collect::<Vec<_>>(), expected.scores().collect::<Vec<_>>());
            let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
            prop_assert!(close(part.totals().positive, expected.totals().positive));
            for metric in [auroc, brier] {
                match (metric(&part), metric(&expected)) {
                    (Ok(a), Ok(b)) => prop_assert!(close(a, b), "{} {}", a, b),
                    (a, b) => prop_assert_eq!(a, b),
                }
            }
        }
    }
}
