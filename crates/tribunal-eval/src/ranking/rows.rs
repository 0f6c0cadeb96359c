//! Rows of a ranking by their class and place, with powers of their weights: what sums over rows are made of.

use rayon::prelude::*;

use super::side::Side;
use super::steps::Step;
use super::{Ranking, Split};
use crate::sum::Sum;

/// Sums of the first four powers of the weights of some rows, in units of the mean weight of all rows. Without weights each
/// is the number of the rows.
pub type RowPowers = [f64; 4];

/// A block of equal scores and its rows.
#[derive(Clone, Copy, Debug)]
pub struct BlockRows {
    /// Weights ranked strictly above it.
    pub above: Split,
    /// Weights ranked at or above it.
    pub through: Split,
    /// How many entries of positives stand at or above it: the place in a column that has one value an entry.
    pub(crate) positive_entries: usize,
    /// The positives of the block.
    pub positive_powers: RowPowers,
    /// The negatives of the block.
    pub negative_powers: RowPowers,
}

/// How many rows each class has, the positives first.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct EffectiveRows {
    pub(crate) rows: [f64; 2],
    /// Rows of equal weight that would vary as much (Kish 1965).
    pub(crate) effective: [f64; 2],
}

impl EffectiveRows {
    /// Both classes together: the share of a class in the variance of a sum goes with its rows.
    pub(crate) fn n_effective(&self) -> f64 {
        let ([p, m], [p_eff, m_eff]) = (self.rows, self.effective);
        if p_eff <= 0.0 || m_eff <= 0.0 {
            return p_eff + m_eff;
        }
        (p + m).powi(2) / (p * p / p_eff + m * m / m_eff)
    }
}

/// As many rows of equal weight as vary like rows with these powers of their weights.
pub(crate) fn kish(powers: RowPowers) -> f64 {
    if powers[1] <= 0.0 {
        return 0.0;
    }
    let n = powers[0] * powers[0] / powers[1];
    // Rows of equal weights are whole rows, whatever rounding makes of their weights.
    if (n - n.round()).abs() < 1e-9 * n { n.round() } else { n }
}

/// Entries whose powers are summed once, for all ranges that hold them.
const PIECE: usize = 1 << 8;

impl Side {
    /// The powers of pieces of so many entries, on all cores; none without weights, where they are numbers of rows.
    fn piece_powers(&self, unit: Option<f64>) -> Vec<RowPowers> {
        let n_pieces = if unit.is_some() { self.scores.len() / PIECE } else { 0 };
        let powers = |piece: usize| self.powers(piece * PIECE, (piece + 1) * PIECE, unit);
        (0..n_pieces).into_par_iter().map(powers).collect()
    }

    /// The powers of a range of entries from those of the pieces in it and of the entries at its ends.
    fn powers_of_range(&self, from: usize, to: usize, unit: Option<f64>, pieces: &[RowPowers]) -> RowPowers {
        let (first, last) = (from.div_ceil(PIECE), to / PIECE);
        if unit.is_none() || first >= last {
            return self.powers(from, to, unit);
        }
        let ends = [self.powers(from, first * PIECE, unit), self.powers(last * PIECE, to, unit)];
        let mut sums = [0.0; 4];
        for powers in pieces[first..last].iter().chain(&ends) {
            sums.iter_mut().zip(powers).for_each(|(sum, power)| *sum += power);
        }
        sums
    }

    pub(super) fn powers(&self, from: usize, to: usize, unit: Option<f64>) -> RowPowers {
        let Some(unit) = unit else { return [self.rows(to) - self.rows(from); 4] };
        let mut sums = [0.0; 4];
        for entry in from..to {
            let (rows, weight) =
                (self.rows(entry + 1) - self.rows(entry), self.weight(entry + 1) - self.weight(entry));
            // Rows that were counted together are taken to have equal weights.
            let each = weight / rows * unit;
            let mut power = rows;
            for sum in &mut sums {
                power *= each;
                *sum += power;
            }
        }
        sums
    }

    /// Sums of the powers of a function of the score, each value times the weight of its row.
    fn sum_powers(&self, unit: Option<f64>, of: impl Fn(f64) -> f64 + Sync) -> [f64; 4] {
        const PIECE: usize = 1 << 12;
        let part = |start: usize| {
            let mut sums = [0.0; 4];
            for entry in start..(start + PIECE).min(self.scores.len()) {
                let rows = self.rows(entry + 1) - self.rows(entry);
                let each =
                    unit.map_or(1.0, |unit| (self.weight(entry + 1) - self.weight(entry)) / rows * unit);
                let value = each * of(self.scores[entry]);
                let square = value * value;
                sums[0] += rows * value;
                sums[1] += rows * square;
                sums[2] += rows * square * value;
                sums[3] += rows * square * square;
            }
            sums
        };
        let starts: Vec<usize> = (0..self.scores.len()).step_by(PIECE).collect();
        let parts: Vec<[f64; 4]> = starts.into_par_iter().map(part).collect();
        std::array::from_fn(|k| parts.iter().map(|sums| sums[k]).collect::<Sum>().value())
    }
}

impl Ranking {
    /// What turns a weight into multiples of the mean weight; nothing where every row counts one.
    pub(super) fn weight_unit(&self) -> Option<f64> {
        self.is_weighted().then(|| self.n_rows() / self.totals().total())
    }

    fn rows_of_block(&self, before: Step, step: Step, unit: Option<f64>) -> BlockRows {
        let powers = |side: &Side, from: u32, to: u32| side.powers(from as usize, to as usize, unit);
        BlockRows {
            above: self.split(before),
            through: self.split(step),
            positive_entries: step.positives as usize,
            positive_powers: powers(&self.positives, before.positives, step.positives),
            negative_powers: powers(&self.negatives, before.negatives, step.negatives),
        }
    }

    /// The blocks with their rows, from the highest score down.
    pub(crate) fn block_rows(&self) -> impl Iterator<Item = BlockRows> {
        let unit = self.weight_unit();
        self.steps.iter().scan(Step::default(), move |before, step| {
            let block = self.rows_of_block(*before, step, unit);
            *before = step;
            Some(block)
        })
    }

    /// Sums functions of the blocks and their rows. The pieces depend on the data alone, so the sums do not depend on the
    /// number of cores.
    pub(crate) fn sum_block_rows<const K: usize>(
        &self,
        of: impl Fn(&BlockRows) -> [f64; K] + Sync,
    ) -> [f64; K] {
        let unit = self.weight_unit();
        let piece = |(start, steps): (usize, &[Step])| {
            let mut before = self.step_before(start);
            let mut sums = [Sum::default(); K];
            for window in steps.chunks(1 << 10) {
                let mut part = [0.0; K];
                for &step in window {
                    let values = of(&self.rows_of_block(before, step, unit));
                    part.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
                    before = step;
                }
                sums.iter_mut().zip(part).for_each(|(sum, value)| sum.add(value));
            }
            sums.map(|sum| sum.value())
        };
        let parts: Vec<[f64; K]> = self.steps.pieces().map(piece).collect();
        std::array::from_fn(|k| parts.iter().map(|part| part[k]).collect::<Sum>().value())
    }

    /// Powers of the weights of the positives and the negatives in some neighbouring blocks.
    pub(crate) fn powers_between(&self, from: usize, to: usize) -> [RowPowers; 2] {
        let unit = self.weight_unit();
        let (start, end) = (self.step_before(from), self.step_before(to));
        let [p, n] = self.piece_powers.get_or_init(|| {
            let (p, n) =
                rayon::join(|| self.positives.piece_powers(unit), || self.negatives.piece_powers(unit));
            [p, n]
        });
        let (positives, negatives) = (&self.positives, &self.negatives);
        [
            positives.powers_of_range(start.positives as usize, end.positives as usize, unit, p),
            negatives.powers_of_range(start.negatives as usize, end.negatives as usize, unit, n),
        ]
    }

    /// Sums of the powers of a function of the scores of one class, each value times the weight of its row in units of the
    /// mean weight.
    pub(crate) fn sum_powers(&self, positive: bool, of: impl Fn(f64) -> f64 + Sync) -> [f64; 4] {
        let side = if positive { &self.positives } else { &self.negatives };
        side.sum_powers(self.weight_unit(), of)
    }

    /// How many entries the positives have: rows or distinct scores.
    pub(crate) fn n_positive_entries(&self) -> usize {
        self.positives.scores.len()
    }

    /// Sums functions of (score, truth) over the cases with scores in `[from, to)`, each value once times the weight of its
    /// row, in units of the mean weight, and once times the square of it.
    pub(crate) fn sum_between<const K: usize>(
        &self,
        (from, to): (f64, f64),
        of: impl Fn(f64, bool) -> [f64; K],
    ) -> [[f64; 2]; K] {
        let unit = self.weight_unit();
        let mut sums = [[Sum::default(); 2]; K];
        for (side, positive) in [(&self.positives, true), (&self.negatives, false)] {
            let start = side.scores.partition_point(|&score| score >= to);
            let end = side.scores.partition_point(|&score| score >= from);
            for entry in start..end {
                let [first, second, ..] = side.powers(entry, entry + 1, unit);
                for (sum, value) in sums.iter_mut().zip(of(side.scores[entry], positive)) {
                    sum[0].add(first * value);
                    sum[1].add(second * value);
                }
            }
        }
        sums.map(|sum| sum.map(|sum| sum.value()))
    }

    /// How many rows each class has, and how many of equal weight would vary as much.
    pub(crate) fn effective_rows(&self) -> EffectiveRows {
        let rows = [self.positives().rows, self.negatives().rows];
        let effective = match self.is_weighted() {
            true => self.powers_between(0, self.n_blocks()).map(kish),
            false => rows,
        };
        EffectiveRows { rows, effective }
    }

    /// The place of the block of a score, from the top; of the next block below where no case has it.
    pub(crate) fn place_of(&self, score: f64) -> usize {
        self.partition_scores(|other| other > score).min(self.n_blocks().saturating_sub(1))
    }
}
