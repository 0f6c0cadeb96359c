//! The scores of one class, gathered in any order and sorted once.
//!
//! Only what the data have is carried along: a bare key for plain scores, with the weight, the amount or
//! both beside it where they exist, and amounts of negatives where everybody has one. Nothing is ever sorted through an index, because reading memory back
//! in random order costs more than the sort itself.

use super::key::{key_of, score_of};
use super::side::{Cumulative, Side};
use super::sort::{Entry, sort_chunks};
use crate::scored_set::{AmountsOf, ScoredSet};

/// Which columns a pile carries beside the score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Payload {
    pub(super) weight: bool,
    pub(super) amounts: AmountsOf,
}

/// Unsorted scores of one class with their payload, in chunks.
#[derive(Clone, Debug)]
pub(super) enum Pile {
    Bare(Vec<Vec<u64>>),
    Weighted(Vec<Vec<[u64; 2]>>),
    Valued(Vec<Vec<[u64; 2]>>),
    Both(Vec<Vec<[u64; 3]>>),
}

impl Pile {
    /// The positives and the negatives of a set, one chunk each. Negatives carry amounts where everybody has one.
    pub(super) fn both(set: &ScoredSet<'_>) -> (Self, Self) {
        let key = |row: usize| key_of(set.score[row]);
        let of_everybody = set.amounts_of == AmountsOf::Everybody;
        match (set.weight, set.amount) {
            (None, None) => {
                let (p, n) = part(set.truth, key, key);
                (Self::Bare(vec![p]), Self::Bare(vec![n]))
            }
            (None, Some(amount)) => {
                let valued = |row: usize| [key(row), amount[row].to_bits()];
                if of_everybody {
                    let (p, n) = part(set.truth, valued, valued);
                    return (Self::Valued(vec![p]), Self::Valued(vec![n]));
                }
                let (p, n) = part(set.truth, valued, key);
                (Self::Valued(vec![p]), Self::Bare(vec![n]))
            }
            (Some(weight), None) => {
                let entry = |row: usize| [key(row), weight[row].to_bits()];
                let (p, n) = part(set.truth, entry, entry);
                (Self::Weighted(vec![weighty(p)]), Self::Weighted(vec![weighty(n)]))
            }
            (Some(weight), Some(amount)) => {
                let valued = |row: usize| [key(row), weight[row].to_bits(), amount[row].to_bits()];
                if of_everybody {
                    let (p, n) = part(set.truth, valued, valued);
                    return (Self::Both(vec![weighty(p)]), Self::Both(vec![weighty(n)]));
                }
                let (p, n) = part(set.truth, valued, |row| [key(row), weight[row].to_bits()]);
                (Self::Both(vec![weighty(p)]), Self::Weighted(vec![weighty(n)]))
            }
        }
    }

    /// Takes over the chunks of another pile of the same payload.
    pub(super) fn append(&mut self, other: Self) {
        match (self, other) {
            (Self::Bare(mine), Self::Bare(theirs)) => mine.extend(theirs),
            (Self::Weighted(mine), Self::Weighted(theirs)) => mine.extend(theirs),
            (Self::Valued(mine), Self::Valued(theirs)) => mine.extend(theirs),
            (Self::Both(mine), Self::Both(theirs)) => mine.extend(theirs),
            _ => unreachable!("piles of one builder share their payload"),
        }
    }

    /// Sorts the pile and sums it up from the highest score down.
    pub(super) fn into_side(self) -> Side {
        match self {
            Self::Bare(chunks) => Side::one_row_each(in_place(sort_chunks(chunks), score_of)),
            Self::Weighted(chunks) => {
                let (scores, weight) = unzip_pairs(sort_chunks(chunks));
                Side { weight: Cumulative::running(weight), ..Side::one_row_each(scores) }
            }
            Self::Valued(chunks) => {
                let (scores, amount) = unzip_pairs(sort_chunks(chunks));
                Side::one_row_each(scores).with_amounts(amount)
            }
            Self::Both(chunks) => {
                let triples = sort_chunks(chunks);
                let worth = triples.iter().map(|t| f64::from_bits(t[1]) * f64::from_bits(t[2])).collect();
                let amounts = triples.iter().map(|t| f64::from_bits(t[2])).collect();
                let (scores, weight) = unzip_pairs(triples.into_iter().map(|t| [t[0], t[1]]).collect());
                let side = Side { weight: Cumulative::running(weight), ..Side::one_row_each(scores) };
                Side { amounts: Some(amounts), ..side.with_amounts(worth) }
            }
        }
    }
}

/// Deals rows to the two classes without a branch on the truth: each row is written to both sides and
/// stays on the one whose end moves on.
fn part<P: Entry, N: Entry>(
    truth: &[bool],
    positive: impl Fn(usize) -> P,
    negative: impl Fn(usize) -> N,
) -> (Vec<P>, Vec<N>) {
    let n_positives = truth.iter().filter(|&&positive| positive).count();
    let mut positives = vec![P::default(); n_positives + 1];
    let mut negatives = vec![N::default(); truth.len() - n_positives + 1];
    let (mut p, mut n) = (0, 0);
    for (row, &is_positive) in truth.iter().enumerate() {
        positives[p] = positive(row);
        negatives[n] = negative(row);
        p += usize::from(is_positive);
        n += usize::from(!is_positive);
    }
    positives.truncate(p);
    negatives.truncate(n);
    (positives, negatives)
}

/// Leaves out entries of weight zero.
fn weighty<const N: usize>(mut entries: Vec<[u64; N]>) -> Vec<[u64; N]> {
    entries.retain(|entry| f64::from_bits(entry[1]) > 0.0);
    entries
}

/// Maps a vector to another of the same element size without a second allocation.
fn in_place(keys: Vec<u64>, map: fn(u64) -> f64) -> Vec<f64> {
    keys.into_iter().map(map).collect()
}

/// Splits sorted pairs into two columns; the pairs' own memory becomes the second column, so that at no
/// moment more than one column is added to what the pairs take.
fn unzip_pairs(pairs: Vec<[u64; 2]>) -> (Vec<f64>, Vec<f64>) {
    let scores: Vec<f64> = pairs.iter().map(|pair| score_of(pair[0])).collect();
    let n_rows = pairs.len();
    let mut flat = pairs.into_flattened();
    for row in 0..n_rows {
        flat[row] = flat[2 * row + 1];
    }
    flat.truncate(n_rows);
    flat.shrink_to_fit();
    (scores, in_place(flat, f64::from_bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carries_weights_and_amounts_through_the_sort() {
        let set = ScoredSet::new(&[true, true, false, true], &[0.2, 0.9, 0.4, 0.3]).expect("valid");
        let set = set.with_weight(&[1.0, 2.0, 1.0, 0.0]).expect("valid");
        let set = set.with_amount(&[10.0, 5.0, 0.0, 9.0]).expect("valid");
        let (pile, _) = Pile::both(&set);
        let side = pile.into_side();
        assert_eq!(side.scores, [0.9, 0.2]);
        assert_eq!([side.weight(1), side.weight(2)], [2.0, 3.0]);
        assert_eq!([side.amount(1), side.amount(2)], [10.0, 20.0]);
        assert_eq!(side.total().squared_amount, 200.0);
        assert_eq!(side.amounts, Some(vec![5.0, 10.0]));
    }

    #[test]
    fn negatives_carry_amounts_where_everybody_has_one() {
        let set = ScoredSet::new(&[true, false, false], &[0.2, 0.9, 0.4]).expect("valid");
        let amounts = [10.0, -5.0, 3.0];
        for weights in [None, Some([1.0, 2.0, 0.0])] {
            let set = weights.as_ref().map_or(set, |weights| set.with_weight(weights).expect("valid"));
            let of_negatives = |set: &ScoredSet<'_>| Pile::both(set).1.into_side();
            let plain = of_negatives(&set.with_amount(&amounts).expect("valid"));
            assert_eq!((plain.total().amount, plain.amounts), (0.0, None));
            let side = of_negatives(&set.with_amount_of_everybody(&amounts).expect("valid"));
            let (total, rows) = if weights.is_some() { (-10.0, vec![-5.0]) } else { (-2.0, vec![-5.0, 3.0]) };
            assert_eq!((side.total().amount, side.amounts), (total, Some(rows)));
        }
    }

    #[test]
    fn pairs_split_into_columns() {
        let pairs = vec![[key_of(3.0), 1f64.to_bits()], [key_of(2.0), 4f64.to_bits()]];
        assert_eq!(unzip_pairs(pairs), (vec![3.0, 2.0], vec![1.0, 4.0]));
    }
}
