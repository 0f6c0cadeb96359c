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

/// The end of every block, from the highest score to the lowest, in pieces: the memory in which the scores
/// were gathered came in pieces of the same size and is used again.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Steps {
    pieces: Vec<Vec<Step>>,
    /// Position of the first step of each piece, and the number of all.
    starts: Vec<usize>,
}

impl Steps {
    fn of_pieces(pieces: Vec<Vec<Step>>) -> Self {
        let ends = pieces.iter().scan(0, |end, piece| {
            *end += piece.len();
            Some(*end)
        });
        let starts = std::iter::once(0).chain(ends).collect();
        Self { pieces, starts }
    }

    /// The ends of cells in which both classes are counted; a cell that weighs nothing is no block.
    pub(super) fn of_cells(positives: &[f64], negatives: &[f64]) -> Self {
        let mut at = Step::default();
        let mut steps = Vec::with_capacity(positives.len());
        for (&p, &n) in positives.iter().zip(negatives).filter(|(p, n)| **p > 0.0 || **n > 0.0) {
            at.positives += u32::from(p > 0.0);
            at.negatives += u32::from(n > 0.0);
            steps.push(at);
        }
        Self::of_pieces(vec![steps])
    }

    /// How many blocks there are.
    pub(super) fn len(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }

    /// How many steps each piece holds.
    pub(super) fn lengths(&self) -> impl Iterator<Item = usize> {
        self.pieces.iter().map(Vec::len)
    }

    /// One step by its position.
    #[inline]
    pub(super) fn get(&self, index: usize) -> Step {
        let piece = self.starts.partition_point(|&start| start <= index) - 1;
        self.pieces[piece][index - self.starts[piece]]
    }

    /// All of them, from the top.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = Step> {
        self.pieces.iter().flatten().copied()
    }

    /// The pieces with the position of their first step.
    pub(super) fn pieces(&self) -> impl IndexedParallelIterator<Item = (usize, &[Step])> {
        self.starts.par_iter().copied().zip(self.pieces.par_iter().map(Vec::as_slice))
    }

    /// How many steps from the top satisfy a condition that none further down does.
    pub(super) fn partition_point(&self, holds: impl Fn(Step) -> bool) -> usize {
        let whole = self.pieces.partition_point(|piece| piece.last().is_none_or(|&last| holds(last)));
        let rest = self.pieces.get(whole).map_or(0, |piece| piece.partition_point(|&step| holds(step)));
        self.starts[whole] + rest
    }
}

/// The end of every block of two classes.
pub(super) fn merge_steps(positives: &Side, negatives: &Side) -> Steps {
    let (p, n) = (&positives.scores[..], &negatives.scores[..]);
    let cuts = cuts(p, n);
    // Two pieces have three ends.
    let pairs: Vec<_> =
        (0..cuts.len() - 1).step_by(2).map(|first| &cuts[first..cuts.len().min(first + 3)]).collect();
    Steps::of_pieces(pairs.into_par_iter().flat_map_iter(|cuts| merge_pieces(p, n, cuts)).collect())
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

/// Merges two pieces at a time without a branch on the data: while one waits for memory, the other goes on.
fn merge_pieces(p: &[f64], n: &[f64], cuts: &[(usize, usize)]) -> Vec<Vec<Step>> {
    match *cuts {
        [from, to] => vec![Piece::new(p, n, from, to).finish()],
        [from, middle, to] => {
            let (mut first, mut second) = (Piece::new(p, n, from, middle), Piece::new(p, n, middle, to));
            for _ in 0..first.left.min(second.left) {
                first.advance();
                second.advance();
            }
            vec![first.finish(), second.finish()]
        }
        _ => Vec::new(),
    }
}

/// A piece in the making: entries between two cuts.
struct Piece<'a> {
    p: &'a [f64],
    n: &'a [f64],
    /// Entries of each class that have been passed.
    passed: Step,
    /// The scores that come next. Below every finite score at the end, so that the exhausted side never wins
    /// and never ties.
    next: (f64, f64),
    steps: Vec<Step>,
    blocks: usize,
    /// Entries that have not been passed.
    left: usize,
}

impl<'a> Piece<'a> {
    fn new(p: &'a [f64], n: &'a [f64], from: (usize, usize), to: (usize, usize)) -> Self {
        let (p, n) = (&p[..to.0], &n[..to.1]);
        let left = (to.0 - from.0) + (to.1 - from.1);
        let passed = Step { positives: from.0 as u32, negatives: from.1 as u32 };
        let steps = vec![Step::default(); left];
        Self { p, n, passed, next: (at(p, from.0), at(n, from.1)), steps, blocks: 0, left }
    }

    /// Passes the next entry.
    #[inline(always)]
    fn advance(&mut self) {
        let current = self.next.0.max(self.next.1);
        let from_p = self.next.0 >= self.next.1;
        self.passed.positives += u32::from(from_p);
        self.passed.negatives += u32::from(!from_p);
        self.next = (at(self.p, self.passed.positives as usize), at(self.n, self.passed.negatives as usize));
        self.steps[self.blocks] = self.passed;
        self.blocks += usize::from(self.next.0.max(self.next.1) < current);
        self.left -= 1;
    }

    fn finish(mut self) -> Vec<Step> {
        let n_entries = self.steps.len();
        (0..self.left).for_each(|_| self.advance());
        self.steps.truncate(self.blocks);
        if self.blocks * 2 < n_entries {
            self.steps.shrink_to_fit();
        }
        self.steps
    }
}

#[inline(always)]
fn at(side: &[f64], entry: usize) -> f64 {
    side.get(entry).copied().unwrap_or(f64::NEG_INFINITY)
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
            prop_assert!(steps.iter().eq(oracle(&p, &n)));
        }
    }

    #[test]
    fn pieces_join_without_gaps() {
        let scores = |offset: f64| (0..PIECE * 3).rev().map(|i| (i / 2) as f64 + offset).collect::<Vec<_>>();
        for offset in [0.0, 0.5] {
            let (p, n) = (Side::one_row_each(scores(0.0)), Side::one_row_each(scores(offset)));
            let steps = merge_steps(&p, &n);
            assert_eq!(steps.len(), if offset == 0.0 { PIECE * 3 / 2 } else { PIECE * 3 });
            let ranks: Vec<u32> = steps.iter().map(|step| step.positives + step.negatives).collect();
            assert!(ranks.windows(2).all(|pair| pair[0] < pair[1]));
            for index in [0, PIECE - 1, PIECE, steps.len() - 1] {
                let step = steps.get(index);
                assert_eq!(step.positives + step.negatives, ranks[index]);
                let rank = |step: Step| step.positives + step.negatives;
                assert_eq!(steps.partition_point(|other| rank(other) < rank(step)), index);
            }
        }
    }
}
