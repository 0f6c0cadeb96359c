//! Merges the two classes into blocks of equal score.
//!
//! A step says how many entries of each class stand at or above the end of a block: eight bytes, from
//! which every count, weight and amount of the ranking follows. The merge is cut at fixed scores so that
//! all cores share it.

use rayon::prelude::*;

use super::side::Side;

/// Entries of each class at or above the end of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) positives: u32,
    pub(super) negatives: u32,
}

/// So many entries of the larger class make one piece of the merge.
const PIECE: usize = 1 << 18;

/// The end of every block, from the highest score to the lowest.
pub(super) fn merge_steps(positives: &Side, negatives: &Side) -> Vec<Step> {
    let (p, n) = (&positives.scores[..], &negatives.scores[..]);
    let cuts = cuts(p, n);
    let mut steps = vec![Step::default(); p.len() + n.len()];
    let mut rest = &mut steps[..];
    let mut pieces = Vec::with_capacity(cuts.len());
    for pair in cuts.windows(2) {
        let length = (pair[1].0 - pair[0].0) + (pair[1].1 - pair[0].1);
        let (piece, tail) = rest.split_at_mut(length);
        pieces.push((pair[0], pair[1], piece));
        rest = tail;
    }
    let lengths: Vec<(usize, usize)> = pieces
        .into_par_iter()
        .map(|(from, to, piece)| (piece.len(), merge_piece(p, n, from, to, piece)))
        .collect();
    close_gaps(&mut steps, &lengths);
    steps
}

/// Positions in both classes at which the merge may be cut: never inside a block.
fn cuts(p: &[f64], n: &[f64]) -> Vec<(usize, usize)> {
    let (longer, flipped) = if p.len() > n.len() { (p, true) } else { (n, false) };
    let shorter = if flipped { n } else { p };
    let mut cuts = vec![(0, 0)];
    for start in (PIECE..longer.len()).step_by(PIECE) {
        let score = longer[start];
        let above = |scores: &[f64]| scores.partition_point(|&other| other > score);
        let cut = if flipped { (above(longer), above(shorter)) } else { (above(shorter), above(longer)) };
        if cuts.last() != Some(&cut) {
            cuts.push(cut);
        }
    }
    cuts.push((p.len(), n.len()));
    cuts
}

/// Merges one piece without a branch on the data; returns how many blocks it found.
fn merge_piece(p: &[f64], n: &[f64], from: (usize, usize), to: (usize, usize), out: &mut [Step]) -> usize {
    let (mut i, mut j, mut blocks) = (from.0, from.1, 0);
    // Below every finite score, so that the exhausted side never wins and never ties.
    let at = |side: &[f64], k: usize, end: usize| if k < end { side[k] } else { f64::NEG_INFINITY };
    let (mut next_p, mut next_n) = (at(p, i, to.0), at(n, j, to.1));
    for _ in 0..out.len() {
        let current = next_p.max(next_n);
        let from_p = next_p >= next_n;
        i += usize::from(from_p);
        j += usize::from(!from_p);
        next_p = at(p, i, to.0);
        next_n = at(n, j, to.1);
        out[blocks] = Step { positives: i as u32, negatives: j as u32 };
        blocks += usize::from(next_p.max(next_n) < current);
    }
    blocks
}

/// Moves the pieces together where ties left room between them.
fn close_gaps(steps: &mut Vec<Step>, lengths: &[(usize, usize)]) {
    let (mut read, mut write) = (0, 0);
    for &(reserved, used) in lengths {
        if read != write {
            steps.copy_within(read..read + used, write);
        }
        read += reserved;
        write += used;
    }
    steps.truncate(write);
    if steps.len() * 2 < steps.capacity() {
        steps.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn oracle(p: &[f64], n: &[f64]) -> Vec<Step> {
        let mut scores: Vec<f64> = p.iter().chain(n).copied().collect();
        scores.sort_by(|a, b| b.total_cmp(a));
        scores.dedup();
        let upto = |side: &[f64], s: f64| side.iter().filter(|&&x| x >= s).count() as u32;
        scores.iter().map(|&s| Step { positives: upto(p, s), negatives: upto(n, s) }).collect()
    }

    fn descending(mut scores: Vec<u8>) -> Vec<f64> {
        scores.sort_unstable_by(|a, b| b.cmp(a));
        scores.into_iter().map(f64::from).collect()
    }

    proptest! {
        #[test]
        fn agrees_with_counting(p in prop::collection::vec(0u8..30, 0..40), n in prop::collection::vec(0u8..30, 0..40)) {
            let (p, n) = (descending(p), descending(n));
            let steps = merge_steps(&Side::one_row_each(p.clone()), &Side::one_row_each(n.clone()));
            prop_assert_eq!(steps, oracle(&p, &n));
        }
    }

    #[test]
    fn pieces_join_without_gaps() {
        let scores = |offset: f64| (0..PIECE * 3).rev().map(|i| (i / 2) as f64 + offset).collect::<Vec<_>>();
        for offset in [0.0, 0.5] {
            let (p, n) = (Side::one_row_each(scores(0.0)), Side::one_row_each(scores(offset)));
            let steps = merge_steps(&p, &n);
            assert_eq!(steps.len(), if offset == 0.0 { PIECE * 3 / 2 } else { PIECE * 3 });
            assert!(
                steps.windows(2).all(|w| w[0].positives + w[0].negatives < w[1].positives + w[1].negatives)
            );
        }
    }
}
