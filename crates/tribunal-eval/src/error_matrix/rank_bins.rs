//! Bins of about equally many rows by rank, as SAS's RANK procedure forms groups: bin `floor(r k / (n + 1))` of `k`, where `r` is
//! the mean rank of a score from the lowest up. Equal scores share a bin, and a bin may be empty.
//!
//! Ranks count rows and not weights: a row of weight 2 says no more than one row, so bins of equally many rows are known
//! equally well. Rows of weight zero are absent.

use std::cmp::Ordering;
use std::ops::Range;

use crate::checks::within;
use crate::error::Error;
use crate::ranking::Ranking;
use crate::scored_set::ScoredSet;
use crate::undefined::Undefined;

/// The bin of `own` tied rows of `n_rows`, `below` of which score lower.
fn bin_of(below: usize, own: usize, n_rows: usize, n_bins: usize) -> usize {
    // Twice the mean rank is a whole number, and whole numbers do not round.
    let twice_rank = 2 * below as u128 + own as u128 + 1;
    (twice_rank * n_bins as u128 / (2 * (n_rows as u128 + 1))) as usize
}

fn check_bins(n_bins: usize, n_rows: usize) -> Result<(), Error> {
    if n_rows == 0 {
        return Err(Undefined::NoRows.into());
    }
    let is_usable = (1..=n_rows).contains(&n_bins);
    within("the number of bins", n_bins as f64, is_usable, "from 1 to the number of rows").map(|_| ())
}

/// Neighbouring blocks of a ranking, counted from the top, that share a bin.
pub(super) struct BlockBin {
    pub(super) bin: usize,
    pub(super) blocks: Range<usize>,
}

/// The bins of a ranking that hold rows, from the lowest scores up.
pub(super) fn block_bins(ranking: &Ranking, n_bins: usize) -> Result<Vec<BlockBin>, Error> {
    let n_rows = ranking.n_rows() as usize;
    check_bins(n_bins, n_rows)?;
    let bin = |block: usize| {
        let (above, through) =
            (ranking.rows_through(block) as usize, ranking.rows_through(block + 1) as usize);
        bin_of(n_rows - through, through - above, n_rows, n_bins)
    };
    let mut bins = Vec::new();
    let mut start = 0;
    while start < ranking.n_blocks() {
        let own = bin(start);
        let end = first_beyond(start + 1..ranking.n_blocks(), |block| bin(block) == own);
        bins.push(BlockBin { bin: own, blocks: start..end });
        start = end;
    }
    bins.reverse();
    Ok(bins)
}

/// The first place of a range at which a condition that holds at its beginning no longer holds.
fn first_beyond(places: Range<usize>, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (places.start, places.end);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) { low = middle + 1 } else { high = middle }
    }
    low
}

/// Rows in the order of their scores, from the lowest up, and where the bins that hold rows begin and end in it.
pub(super) struct RowBins {
    pub(super) order: Vec<usize>,
    pub(super) bins: Vec<(usize, Range<usize>)>,
}

impl RowBins {
    pub(super) fn of(set: &ScoredSet<'_>, n_bins: usize) -> Result<Self, Error> {
        let counts = |row: &usize| set.weight.is_none_or(|weight| weight[*row] > 0.0);
        let mut order: Vec<usize> = (0..set.n_rows()).filter(counts).collect();
        check_bins(n_bins, order.len())?;
        let score = |row: &usize| set.score[*row];
        // Scores are finite, and -0 equals 0.
        order.sort_by(|a, b| score(a).partial_cmp(&score(b)).unwrap_or(Ordering::Equal));
        let mut bins: Vec<(usize, Range<usize>)> = Vec::new();
        let mut below = 0;
        for tied in order.chunk_by(|a, b| score(a) == score(b)) {
            let (bin, end) = (bin_of(below, tied.len(), order.len(), n_bins), below + tied.len());
            match bins.last_mut().filter(|(last, _)| *last == bin) {
                Some((_, rows)) => rows.end = end,
                None => bins.push((bin, below..end)),
            }
            below = end;
        }
        Ok(Self { order, bins })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn rows_without_ties_are_dealt_evenly() {
        let bins = |n_rows: usize, n_bins: usize| -> Vec<usize> {
            (0..n_rows).map(|below| bin_of(below, 1, n_rows, n_bins)).collect()
        };
        assert_eq!(bins(4, 4), [0, 1, 2, 3]);
        assert_eq!(bins(5, 2), [0, 0, 1, 1, 1]);
        assert_eq!(bins(3, 1), [0, 0, 0]);
    }

    #[test]
    fn all_rows_tied_share_the_middle_bin() {
        assert_eq!(bin_of(0, 7, 7, 5), 2);
        assert_eq!(bin_of(0, usize::pow(10, 9), usize::pow(10, 9), usize::pow(10, 9)), 500_000_000);
    }

    #[test]
    fn a_number_of_bins_that_makes_no_sense_is_refused() {
        let ranking = Ranking::from_scores(&[true, false], &[0.2, 0.7]).expect("finite");
        assert!(block_bins(&ranking, 0).is_err() && block_bins(&ranking, 2).is_ok());
        let message = block_bins(&ranking, 3).err().expect("too many").to_string();
        assert_eq!(message, "the number of bins is 3; expected from 1 to the number of rows");
        let empty = Ranking::from_scores(&[], &[]).expect("no rows");
        assert_eq!(block_bins(&empty, 1).err(), Some(Undefined::NoRows.into()));
    }

    proptest! {
        #[test]
        fn a_ranking_and_its_rows_have_the_same_bins(
            rows in prop::collection::vec((any::<bool>(), -4i32..12, 0u8..3), 1..60),
            share in 0.0f64..1.0,
        ) {
            let truth: Vec<bool> = rows.iter().map(|row| row.0).collect();
            let score: Vec<f64> = rows.iter().map(|row| f64::from(row.1) * -0.5).collect();
            let weight: Vec<f64> = rows.iter().map(|row| f64::from(row.2)).collect();
            let set = ScoredSet::new(&truth, &score).and_then(|set| set.with_weight(&weight)).expect("valid");
            let ranking = Ranking::of(&set).expect("few rows");
            prop_assume!(ranking.n_rows() > 0.0);
            let n_bins = 1 + (share * (ranking.n_rows() - 1.0)) as usize;
            let of_blocks = block_bins(&ranking, n_bins).expect("usable");
            let of_rows = RowBins::of(&set, n_bins).expect("usable");
            prop_assert_eq!(of_blocks.len(), of_rows.bins.len());
            for (block, (bin, rows)) in of_blocks.iter().zip(&of_rows.bins) {
                prop_assert_eq!(block.bin, *bin);
                let n = ranking.rows_through(block.blocks.end) - ranking.rows_through(block.blocks.start);
                prop_assert_eq!(n as usize, rows.len());
                prop_assert_eq!(ranking.score(block.blocks.end - 1), set.score[of_rows.order[rows.start]]);
            }
        }
    }
}
