//! The ranking: scores sorted once, grouped by ties, with running totals per class.
//!
//! Every ranking metric and curve is a function of a [`Ranking`]. It is what a `GROUP BY score` returns,
//! it can be built batch by batch and merged, and it takes 16 bytes a row for continuous scores (24 with
//! weights) and next to nothing for tied ones without weights.

mod amount_order;
mod builder;
mod bytes;
mod chunks;
mod counts;
mod grouped;
mod key;
mod pile;
mod row_order;
mod rows;
mod side;
mod sort;
mod steps;
mod tally;
mod upper_part;

use std::ops::{AddAssign, Sub};
use std::sync::OnceLock;

pub(crate) use amount_order::AmountOrder;
pub use amount_order::AmountRow;
pub use builder::RankingBuilder;
pub use chunks::{CodedScores, ScoredChunks};
pub use counts::{AmountSums, ScoreCounts};
use rayon::prelude::*;
pub(crate) use row_order::{ListedRow, listed_rows};
pub use rows::{BlockRows, RowPowers};
pub(crate) use rows::{EffectiveRows, kish};
use serde::{Deserialize, Serialize};
use side::Side;
use steps::{Step, Steps, merge_steps};
pub(crate) use upper_part::ListEnd;

use crate::error::Error;
use crate::scored_set::{AmountsOf, ScoredSet};
use crate::sum::Sum;
use crate::undefined::Undefined;

/// Rows, weight, weighted amount and its sum of squares of some cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Mass {
    /// How many rows.
    pub rows: f64,
    /// Their weight; equal to `rows` without weights.
    pub weight: f64,
    /// Their amounts, each times its weight; zero without amounts, and for negatives unless everybody has one.
    pub amount: f64,
    /// The sum of the squares of these: what the variance of the amount is made of.
    pub squared_amount: f64,
}

impl AddAssign for Mass {
    fn add_assign(&mut self, other: Self) {
        self.rows += other.rows;
        self.weight += other.weight;
        self.amount += other.amount;
        self.squared_amount += other.squared_amount;
    }
}

impl Sub for Mass {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            rows: self.rows - other.rows,
            weight: self.weight - other.weight,
            amount: self.amount - other.amount,
            squared_amount: self.squared_amount - other.squared_amount,
        }
    }
}

/// Weight of either class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Split {
    /// Weight of the positives.
    pub positive: f64,
    /// Weight of the negatives.
    pub negative: f64,
}

impl Split {
    /// Weight of both.
    pub fn total(self) -> f64 {
        self.positive + self.negative
    }

    /// Itself, where there is some of both.
    pub fn both_classes(self) -> Result<Split, Undefined> {
        if self.total() <= 0.0 {
            Err(Undefined::NoRows)
        } else if self.positive <= 0.0 {
            Err(Undefined::NoPositives)
        } else if self.negative <= 0.0 {
            Err(Undefined::NoNegatives)
        } else {
            Ok(self)
        }
    }
}

/// All cases of one score.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Block {
    /// The score that they share.
    pub score: f64,
    /// Weights ranked strictly above it.
    pub above: Split,
    /// Weights ranked at or above it.
    pub through: Split,
}

impl Block {
    /// Weights in the block itself.
    pub fn own(&self) -> Split {
        Split {
            positive: self.through.positive - self.above.positive,
            negative: self.through.negative - self.above.negative,
        }
    }
}

/// A slice of neighbouring scores, both classes together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slice {
    pub(crate) rows: f64,
    pub(crate) weights: Split,
    /// Sum of the scores, each times its weight.
    pub(crate) scores: f64,
    /// Sum of the squared weights.
    pub(crate) squared_weight: f64,
}

/// A scored set sorted from the highest score to the lowest and grouped by ties.
///
/// ```
/// use tribunal_eval::{Ranking, ScoredSet};
///
/// let set = ScoredSet::new(&[true, false, true, false], &[0.9, 0.8, 0.8, 0.1])?;
/// let ranking = Ranking::of(&set)?;
/// let tied = ranking.blocks().nth(1).expect("three blocks");
/// assert_eq!((tied.score, tied.own().positive, tied.own().negative), (0.8, 1.0, 1.0));
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ranking {
    positives: Side,
    negatives: Side,
    steps: Steps,
    amounts_of: AmountsOf,
    /// In groups of neighbouring scores, once somebody asked for them and if that makes sense.
    grouped: OnceLock<Option<Box<Ranking>>>,
    /// The rows in the order of their amounts, once somebody asked for it and if they are known one by one.
    amount_order: OnceLock<Option<AmountOrder>>,
    /// Powers of the weights of pieces of either class, the positives first, once somebody asked for them.
    piece_powers: OnceLock<[Vec<RowPowers>; 2]>,
}

impl Ranking {
    /// Ranks a scored set. Rows of weight zero are left out.
    pub fn of(set: &ScoredSet<'_>) -> Result<Self, Error> {
        let mut builder = RankingBuilder::default();
        builder.push(set)?;
        builder.finish()
    }

    /// Ranks truth and scores without weights or amounts: [`ScoredSet::new`] and [`Ranking::of`] in one.
    pub fn from_scores(y_true: &[bool], y_score: &[f64]) -> Result<Self, Error> {
        Self::of(&ScoredSet::new(y_true, y_score)?)
    }

    fn of_sides(positives: Side, negatives: Side, amounts_of: AmountsOf) -> Self {
        let (positives, negatives) = rayon::join(|| positives.settled(), || negatives.settled());
        let steps = merge_steps(&positives, &negatives);
        Self::of_steps(positives, negatives, steps, amounts_of)
    }

    fn of_steps(positives: Side, negatives: Side, steps: Steps, amounts_of: AmountsOf) -> Self {
        let (grouped, amount_order, piece_powers) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Self { positives, negatives, steps, amounts_of, grouped, amount_order, piece_powers }
    }

    /// A ranking of cells: distinct scores, descending, and what each class weighs there. Rows are not told from
    /// weight.
    pub(crate) fn of_cells(scores: &[f64], positives: &[f64], negatives: &[f64]) -> Self {
        let steps = Steps::of_cells(positives, negatives);
        let side = |masses: &[f64]| Side::of_cells(scores, masses);
        Self::of_steps(side(positives), side(negatives), steps, AmountsOf::Nobody)
    }

    /// Two rankings of different cases as one; the scores must be comparable.
    ///
    /// Without weights it equals the ranking of all rows together, whose amounts are added up in another order. Weights
    /// are taken back from running totals, which costs a rounding each.
    ///
    /// # Errors
    /// One has amounts, or amounts of negatives, and the other has cases without, or there are more rows than positions can count.
    pub fn merge(self, other: Self) -> Result<Self, Error> {
        if self.amounts_of != other.amounts_of && self.n_blocks() > 0 && other.n_blocks() > 0 {
            return Err(Error::MixedColumns);
        }
        let amounts_of = if self.n_blocks() > 0 { self.amounts_of } else { other.amounts_of };
        let rows = |a: Mass, b: Mass| Mass { rows: a.rows + b.rows, ..a };
        builder::check_rows([
            rows(self.positives(), other.positives()),
            rows(self.negatives(), other.negatives()),
        ])?;
        let (positives, negatives) =
            rayon::join(|| self.positives.merge(other.positives), || self.negatives.merge(other.negatives));
        Ok(Self::of_sides(positives, negatives, amounts_of))
    }

    /// Any number of rankings of different cases as one, as [`merge`](Self::merge) does two; empty of none.
    ///
    /// ```
    /// use tribunal_eval::Ranking;
    ///
    /// let parts = [
    ///     Ranking::from_scores(&[true, false], &[0.9, 0.2])?,
    ///     Ranking::from_scores(&[false], &[0.9])?,
    ///     Ranking::from_scores(&[true], &[0.1])?,
    /// ];
    /// let whole = Ranking::from_scores(&[true, false, false, true], &[0.9, 0.2, 0.9, 0.1])?;
    /// assert_eq!(Ranking::merge_all(parts)?, whole);
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`merge`](Self::merge).
    pub fn merge_all(rankings: impl IntoIterator<Item = Self>) -> Result<Self, Error> {
        let mut parts: Vec<Self> = rankings.into_iter().collect();
        // Pairs of neighbours, so that no row is merged more often than the logarithm of the number of parts.
        while parts.len() > 1 {
            let mut pairs = parts.into_iter();
            parts = Vec::new();
            while let Some(first) = pairs.next() {
                parts.push(match pairs.next() {
                    Some(second) => first.merge(second)?,
                    None => first,
                });
            }
        }
        parts.pop().map_or_else(|| RankingBuilder::default().finish(), Ok)
    }

    /// How many rows were ranked.
    pub fn n_rows(&self) -> f64 {
        self.positives.total().rows + self.negatives.total().rows
    }

    /// How many distinct scores there are.
    pub fn n_blocks(&self) -> usize {
        self.steps.len()
    }

    /// Whether rows have weights other than one.
    pub fn is_weighted(&self) -> bool {
        self.positives.is_weighted() || self.negatives.is_weighted()
    }

    /// Whether the rows came with amounts.
    pub fn has_amounts(&self) -> bool {
        self.amounts_of != AmountsOf::Nobody
    }

    /// Whose amounts the rows came with.
    pub fn amounts_of(&self) -> AmountsOf {
        self.amounts_of
    }

    /// Everything about the positives.
    pub fn positives(&self) -> Mass {
        self.positives.total()
    }

    /// Everything about the negatives.
    pub fn negatives(&self) -> Mass {
        self.negatives.total()
    }

    /// Weight of either class.
    pub fn totals(&self) -> Split {
        Split { positive: self.positives().weight, negative: self.negatives().weight }
    }

    /// Weight of either class, where there is some of both.
    pub fn both_classes(&self) -> Result<Split, Undefined> {
        self.totals().both_classes()
    }

    /// Share of the weight that is positive.
    pub fn base_rate(&self) -> Result<f64, Undefined> {
        let totals = self.totals();
        if totals.total() > 0.0 { Ok(totals.positive / totals.total()) } else { Err(Undefined::NoRows) }
    }

    /// The highest and the lowest score.
    pub fn score_range(&self) -> Option<(f64, f64)> {
        let sides = [&self.positives.scores, &self.negatives.scores];
        let first = sides.iter().filter_map(|scores| scores.first().copied()).reduce(f64::max)?;
        let last = sides.iter().filter_map(|scores| scores.last().copied()).reduce(f64::min)?;
        Some((first, last))
    }

    /// Weights at or above the end of each block, from the highest score down.
    pub fn path(&self) -> impl DoubleEndedIterator<Item = Split> {
        self.steps.iter().map(|step| self.split(step))
    }

    /// A function of the weights at or above the end of each block, computed on all cores, behind `lead`
    /// default values.
    pub(crate) fn map_path<T: Clone + Default + Send>(
        &self,
        lead: usize,
        of: impl Fn(Split) -> T + Sync,
    ) -> Vec<T> {
        let mut values = vec![T::default(); lead + self.steps.len()];
        let mut rest = &mut values[lead..];
        let mut pieces = Vec::new();
        for length in self.steps.lengths() {
            let (piece, tail) = rest.split_at_mut(length);
            pieces.push(piece);
            rest = tail;
        }
        pieces.into_par_iter().zip(self.steps.pieces()).for_each(|(values, (_, steps))| {
            values.iter_mut().zip(steps).for_each(|(value, &step)| *value = of(self.split(step)));
        });
        values
    }

    /// Sums a function of the weights above and through each block. The pieces depend on the data alone, so
    /// the sum does not depend on the number of cores.
    pub(crate) fn sum_blocks(&self, of: impl Fn(Split, Split) -> f64 + Sync) -> f64 {
        let [sum] = self.sum_blocks_each(|above, through| [of(above, through)]);
        sum
    }

    /// The same of several functions in one pass.
    pub(crate) fn sum_blocks_each<const K: usize>(
        &self,
        of: impl Fn(Split, Split) -> [f64; K] + Sync,
    ) -> [f64; K] {
        let piece = |(start, steps): (usize, &[Step])| {
            let (mut sums, mut above) = ([Sum::default(); K], self.through(start));
            for &step in steps {
                let through = self.split(step);
                sums.iter_mut().zip(of(above, through)).for_each(|(sum, value)| sum.add(value));
                above = through;
            }
            sums.map(|sum| sum.value())
        };
        let parts: Vec<[f64; K]> = self.steps.pieces().map(piece).collect();
        std::array::from_fn(|k| parts.iter().map(|part| part[k]).collect::<Sum>().value())
    }

    /// Sums a function of (the positives of a block, weights through it) over the blocks that hold positives.
    ///
    /// These are few where it matters, so they are first picked out without a branch on the data.
    pub(crate) fn sum_hits(&self, of: impl Fn(f64, Split) -> f64 + Sync) -> f64 {
        const WINDOW: usize = 1 << 10;
        let piece = |(start, steps): (usize, &[Step])| {
            let mut before = start.checked_sub(1).map_or(0, |last| self.steps.get(last).positives);
            let mut sum = Sum::default();
            let mut hits = [(0, Step::default()); WINDOW + 1];
            for window in steps.chunks(WINDOW) {
                let mut n_hits = 0;
                for &step in window {
                    hits[n_hits] = (before, step);
                    n_hits += usize::from(step.positives > before);
                    before = step.positives;
                }
                for &(before, step) in &hits[..n_hits] {
                    let through = self.split(step);
                    sum.add(of(through.positive - self.positives.weight(before as usize), through));
                }
            }
            sum.value()
        };
        let parts: Vec<f64> = self.steps.pieces().map(piece).collect();
        parts.into_iter().collect::<Sum>().value()
    }

    /// Twice the weight of the pairs in which the positive ranks higher, ties counting one half of a pair.
    ///
    /// Where every row counts one it is a whole number, and as such it is added up, faster than floats could be.
    pub(crate) fn twice_pairs_won(&self) -> f64 {
        let (p, m) = (self.positives.scores.len() as u64, self.negatives.scores.len() as u64);
        let largest = p.checked_mul(m).and_then(|pairs| pairs.checked_mul(2));
        if !self.positives.is_one_each() || !self.negatives.is_one_each() || largest.is_none() {
            return self.sum_blocks(|above, through| {
                (through.negative - above.negative) * (through.positive + above.positive)
            });
        }
        let piece = |(start, steps): (usize, &[Step])| {
            let mut above = self.step_before(start);
            let mut sum = 0;
            for &step in steps {
                let negatives = u64::from(step.negatives - above.negatives);
                sum += negatives * (u64::from(step.positives) + u64::from(above.positives));
                above = step;
            }
            sum
        };
        self.steps.pieces().map(piece).sum::<u64>() as f64
    }

    /// The number of blocks after which a function of (weights, amount of the positives) of the list is largest, none
    /// included, and its value there; of equals the fewest.
    pub(crate) fn best_cut(&self, of: impl Fn(Split, f64) -> f64 + Sync) -> (usize, f64) {
        let better = |a: (usize, f64), b: (usize, f64)| if b.1 > a.1 { b } else { a };
        let piece = |(start, steps): (usize, &[Step])| {
            let cut = |(i, &step): (usize, &Step)| {
                (start + i + 1, of(self.split(step), self.positives.amount(step.positives as usize)))
            };
            steps.iter().enumerate().map(cut).reduce(better)
        };
        let parts: Vec<_> = self.steps.pieces().filter_map(piece).collect();
        parts.into_iter().fold((0, of(Split::default(), 0.0)), better)
    }

    /// The first block from the top at whose end a condition on the weights holds.
    pub(crate) fn find_block(&self, holds: impl Fn(Split) -> bool + Sync) -> Option<usize> {
        let piece = |(start, steps): (usize, &[Step])| {
            Some(start + steps.iter().position(|&step| holds(self.split(step)))?)
        };
        self.steps.pieces().find_map_first(piece)
    }

    /// The blocks, from the highest score down.
    pub fn blocks(&self) -> impl Iterator<Item = Block> {
        self.steps.iter().scan(Step::default(), |before, step| {
            let block = Block {
                score: self.score_between(*before, step),
                above: self.split(*before),
                through: self.split(step),
            };
            *before = step;
            Some(block)
        })
    }

    /// The distinct scores, from the highest down.
    pub fn scores(&self) -> impl Iterator<Item = f64> {
        self.steps.iter().scan(Step::default(), |before, step| {
            let score = self.score_between(*before, step);
            *before = step;
            Some(score)
        })
    }

    /// One block by its position from the top.
    pub fn block(&self, index: usize) -> Block {
        Block { score: self.score(index), above: self.through(index), through: self.through(index + 1) }
    }

    /// Position of the block in which the given weight, counted from the top, is reached.
    pub fn block_at(&self, weight: f64) -> usize {
        self.first_block(|above| above.total() >= weight)
    }

    /// Position of the first block at whose end a condition holds that then holds to the end; the last one
    /// if it never does.
    pub(crate) fn first_block(&self, holds: impl Fn(Split) -> bool) -> usize {
        let before = self.steps.partition_point(|step| !holds(self.split(step)));
        before.min(self.steps.len().saturating_sub(1))
    }

    /// How many blocks from the top weigh at most so much together.
    pub(crate) fn n_blocks_within(&self, weight: f64) -> usize {
        self.steps.partition_point(|step| self.split(step).total() <= weight)
    }

    /// How many blocks have a score of at least `threshold`.
    pub fn blocks_from(&self, threshold: f64) -> usize {
        self.partition_scores(|score| score >= threshold)
    }

    /// Weights in the first `n_blocks` blocks.
    pub fn through(&self, n_blocks: usize) -> Split {
        n_blocks.checked_sub(1).map_or_else(Split::default, |last| self.split(self.steps.get(last)))
    }

    /// Expected weights among the first `weight` of the list, ties taken in random order: linear inside a
    /// block.
    pub fn top(&self, weight: f64) -> Split {
        if self.steps.len() == 0 {
            return Split::default();
        }
        let block = self.block(self.block_at(weight));
        let (own, taken) = (block.own(), taken(&block, weight));
        Split {
            positive: block.above.positive + taken * own.positive,
            negative: block.above.negative + taken * own.negative,
        }
    }

    /// Weighted amount of the positives in the first `n_blocks` blocks.
    pub fn amount_through(&self, n_blocks: usize) -> f64 {
        n_blocks
            .checked_sub(1)
            .map_or(0.0, |last| self.positives.amount(self.steps.get(last).positives as usize))
    }

    /// Weighted amount of the cases of either class in the first `n_blocks` blocks: that of the positives unless negatives have
    /// amounts too.
    pub fn amount_of_everybody_through(&self, n_blocks: usize) -> f64 {
        n_blocks.checked_sub(1).map_or(0.0, |last| self.amount_of_everybody(self.steps.get(last)))
    }

    #[inline]
    fn amount_of_everybody(&self, step: Step) -> f64 {
        self.positives.amount(step.positives as usize) + self.negatives.amount(step.negatives as usize)
    }

    /// Expected weighted amount of the positives among the first `weight` of the list.
    pub fn top_amount(&self, weight: f64) -> f64 {
        self.top_of(weight, |n_blocks| self.amount_through(n_blocks))
    }

    /// Expected weighted amount of the cases of either class among the first `weight` of the list.
    pub fn top_amount_of_everybody(&self, weight: f64) -> f64 {
        self.top_of(weight, |n_blocks| self.amount_of_everybody_through(n_blocks))
    }

    /// A running total over the blocks, linear inside a block.
    fn top_of(&self, weight: f64, through: impl Fn(usize) -> f64) -> f64 {
        if self.steps.len() == 0 {
            return 0.0;
        }
        let index = self.block_at(weight);
        let (above, at) = (through(index), through(index + 1));
        above + taken(&self.block(index), weight) * (at - above)
    }

    /// Weights, the amount of the positives and that of everybody at or above the end of each block, from the highest score
    /// down.
    pub(crate) fn walk(&self) -> impl Iterator<Item = (Split, [f64; 2])> {
        self.steps.iter().map(|step| {
            let amounts = [self.positives.amount(step.positives as usize), self.amount_of_everybody(step)];
            (self.split(step), amounts)
        })
    }

    /// Everything about the positives and the negatives at or above the end of some blocks.
    pub(crate) fn masses_through(&self, blocks: &[usize]) -> impl Iterator<Item = (Mass, Mass)> {
        blocks.iter().map(|block| self.steps.get(*block)).map(|step| {
            (self.positives.mass(step.positives as usize), self.negatives.mass(step.negatives as usize))
        })
    }

    /// Sums of the squared weights of the positives and of the negatives at or above the end of some ascending blocks.
    pub(crate) fn squared_weights_through(&self, blocks: &[usize]) -> Vec<(f64, f64)> {
        let between = |place: usize| {
            let above =
                place.checked_sub(1).map_or_else(Step::default, |above| self.steps.get(blocks[above]));
            let through = self.steps.get(blocks[place]);
            let range = |above: u32, through: u32| above as usize..through as usize;
            let positives = self.positives.squared_weight(range(above.positives, through.positives));
            (positives, self.negatives.squared_weight(range(above.negatives, through.negatives)))
        };
        let between: Vec<(f64, f64)> = (0..blocks.len()).into_par_iter().map(between).collect();
        let (mut positives, mut negatives) = (Sum::default(), Sum::default());
        let through = |(p, n): (f64, f64)| {
            positives.add(p);
            negatives.add(n);
            (positives.value(), negatives.value())
        };
        between.into_iter().map(through).collect()
    }

    /// Rows in the first `n_blocks` blocks.
    pub fn rows_through(&self, n_blocks: usize) -> f64 {
        let rows = |step: Step| {
            self.positives.rows(step.positives as usize) + self.negatives.rows(step.negatives as usize)
        };
        n_blocks.checked_sub(1).map_or(0.0, |last| rows(self.steps.get(last)))
    }

    /// Sums a function of (score, truth), each times its weight, over all cases. The classes need not be
    /// merged for that; the work is cut in fixed pieces, so that the sum does not depend on the cores.
    pub(crate) fn sum<const K: usize>(&self, of: impl Fn(f64, bool) -> [f64; K] + Sync) -> [f64; K] {
        self.sum_every(1, of)
    }

    /// The same over every `stride`-th case of each class: a quick first approximation.
    pub(crate) fn sum_every<const K: usize>(
        &self,
        stride: usize,
        of: impl Fn(f64, bool) -> [f64; K] + Sync,
    ) -> [f64; K] {
        let positives = self.positives.sum(stride, |score| of(score, true));
        let negatives = self.negatives.sum(stride, |score| of(score, false));
        std::array::from_fn(|k| positives[k] + negatives[k])
    }

    /// Sums the logarithm of a function of (score, truth) in `[1e-15, 1]`, each times its weight, over all cases.
    pub(crate) fn sum_ln(&self, of: impl Fn(f64, bool) -> f64 + Sync) -> f64 {
        self.positives.sum_ln(|score| of(score, true)) + self.negatives.sum_ln(|score| of(score, false))
    }

    /// The cases with scores in `[from, to)`.
    pub(crate) fn slice(&self, from: f64, to: f64) -> Slice {
        let (p, n) = (self.positives.between(from, to), self.negatives.between(from, to));
        Slice {
            rows: p.mass.rows + n.mass.rows,
            weights: Split { positive: p.mass.weight, negative: n.mass.weight },
            scores: p.scores + n.scores,
            squared_weight: p.squared_weight + n.squared_weight,
        }
    }

    /// The lowest and the highest score of each class, the positives first.
    pub(crate) fn class_ranges(&self) -> Option<[(f64, f64); 2]> {
        let range = |side: &Side| Some((*side.scores.last()?, *side.scores.first()?));
        Some([range(&self.positives)?, range(&self.negatives)?])
    }

    /// The end of the block before the one at this position; nothing at the top.
    fn step_before(&self, index: usize) -> Step {
        index.checked_sub(1).map_or_else(Step::default, |last| self.steps.get(last))
    }

    #[inline]
    fn split(&self, step: Step) -> Split {
        Split {
            positive: self.positives.weight(step.positives as usize),
            negative: self.negatives.weight(step.negatives as usize),
        }
    }

    /// The score of one block by its position from the top.
    pub(crate) fn score(&self, index: usize) -> f64 {
        self.score_between(self.step_before(index), self.steps.get(index))
    }

    /// The score of the block between two steps.
    fn score_between(&self, before: Step, step: Step) -> f64 {
        if step.positives > before.positives {
            self.positives.scores[step.positives as usize - 1]
        } else {
            self.negatives.scores[step.negatives as usize - 1]
        }
    }

    fn partition_scores(&self, keep: impl Fn(f64) -> bool) -> usize {
        let (mut low, mut high) = (0, self.steps.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if keep(self.score(middle)) { low = middle + 1 } else { high = middle }
        }
        low
    }
}

/// Rankings are equal that hold the same rows, weights and amounts of either class at the same scores, however they were
/// gathered.
impl PartialEq for Ranking {
    fn eq(&self, other: &Self) -> bool {
        let masses = |ranking: &Self, step: Step| {
            let Self { positives, negatives, .. } = ranking;
            (positives.mass(step.positives as usize), negatives.mass(step.negatives as usize))
        };
        let mut steps = self.steps.iter().zip(other.steps.iter());
        self.amounts_of == other.amounts_of
            && self.n_blocks() == other.n_blocks()
            && self.scores().eq(other.scores())
            && steps.all(|(mine, theirs)| masses(self, mine) == masses(other, theirs))
    }
}

/// Share of a block that belongs to the first `weight` of the list.
fn taken(block: &Block, weight: f64) -> f64 {
    let own = block.own().total();
    if own > 0.0 { ((weight - block.above.total()) / own).clamp(0.0, 1.0) } else { 0.0 }
}
