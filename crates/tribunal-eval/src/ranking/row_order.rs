//! Rows in the order in which they are acted on: from the highest score down, of equal ones the first.
//!
//! A [`Ranking`](super::Ranking) has forgotten which row is which; what is summed over the rows of a list one by one needs to know.

use rayon::prelude::*;

use super::key::key_of;
use super::sort::{Entry, sort_chunks};

/// A row at its place in the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ListedRow {
    /// Equal for equal scores, smaller for higher ones.
    key: u64,
    row: u32,
}

impl ListedRow {
    /// Which row it is.
    #[inline]
    pub(crate) fn row(self) -> usize {
        self.row as usize
    }

    /// Whether another row has the same score.
    #[inline]
    pub(crate) fn is_tied_with(self, other: Self) -> bool {
        self.key == other.key
    }

    /// Whether another row scores at least as much.
    #[inline]
    pub(crate) fn is_reached_by(self, other: Self) -> bool {
        other.key <= self.key
    }
}

impl Entry for ListedRow {
    fn key(&self) -> u64 {
        self.key
    }

    fn sort(entries: &mut [Self]) {
        entries.sort_unstable();
    }

    fn par_sort(entries: &mut [Self]) {
        entries.par_sort_unstable();
    }
}

/// The rows that count, from the highest score down. There must be fewer than 2^32 scores, all finite.
pub(crate) fn listed_rows(scores: &[f64], counts: impl Fn(usize) -> bool + Sync) -> Vec<ListedRow> {
    const CHUNK: usize = 1 << 16;
    let listed = |(chunk, scores): (usize, &[f64])| {
        let rows = scores.iter().enumerate().map(|(place, &score)| (chunk * CHUNK + place, score));
        let counting = rows.filter(|(row, _)| counts(*row));
        counting.map(|(row, score)| ListedRow { key: key_of(score), row: row as u32 }).collect()
    };
    sort_chunks(scores.par_chunks(CHUNK).enumerate().map(listed).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn higher_scores_come_first_and_of_equal_ones_the_first_row() {
        let scores = [0.5, -1.0, 0.0, 3.0, -0.0, 0.5];
        let rows = listed_rows(&scores, |row| row != 3);
        assert_eq!(rows.iter().map(|listed| listed.row()).collect::<Vec<_>>(), [0, 5, 2, 4, 1]);
        let tied = |a: usize, b: usize| rows[a].is_tied_with(rows[b]);
        assert!(tied(0, 1) && tied(2, 3) && !tied(1, 2) && !tied(3, 4));
        assert!(
            rows[2].is_reached_by(rows[1])
                && rows[2].is_reached_by(rows[3])
                && !rows[1].is_reached_by(rows[2])
        );
    }

    #[test]
    fn long_lists_are_sorted_like_short_ones() {
        let scores: Vec<f64> =
            (0..200_000_u32).map(|row| f64::from(row.wrapping_mul(2_654_435_769) >> 20)).collect();
        let mut expected: Vec<usize> = (0..scores.len()).collect();
        expected.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
        let found = listed_rows(&scores, |_| true);
        assert!(found.iter().map(|listed| listed.row()).eq(expected));
    }
}
