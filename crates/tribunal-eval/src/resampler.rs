//! Draws the cases again: the stratified bootstrap of several models on the same rows (Efron 1979).
//!
//! Nothing is sorted twice. Each model's scores are ranked once and every row learns its *cell*: its place among the
//! distinct scores. A replicate draws rows of each class with replacement and adds up what falls into each cell, for
//! all models at once, so that differences between models are paired. What comes out is an ordinary [`Ranking`], and
//! every metric works on it unchanged. Where there are more than 2,048 distinct scores, neighbours share a cell, hardly any
//! at the top of the list where it matters: a draw costs the same, and a replicate is measured in microseconds.
//!
//! The rows may be a sample of a class too large to keep. Then each draw moves the cells by the root of the sampled
//! share only, which gives the spread of the whole class (a generalised bootstrap; Praestgaard and Wellner 1993).

use crate::checks::at_least;
use crate::draw_tree::DrawTree;
use crate::error::Error;
use crate::influence::BaseRate;
use crate::ranking::{Ranking, Split};
use tribunal_random::Random;

/// More distinct scores than this share cells with their neighbours.
const MANY_SCORES: usize = 1 << 11;

/// A shared cell holds at most this part of all rows...
const PART_OF_ALL: usize = 1 << 10;

/// ...and at most this part of the rows above it.
const PART_OF_ABOVE: usize = 1 << 8;

/// Rows of a class that are drawn one by one; of more, how often they are drawn is divided among them from the top, which is
/// the same in distribution and much quicker.
const MANY_ROWS: usize = 1 << 16;

/// Rows to draw from, all models scored on the same ones.
#[derive(Clone, Debug)]
pub struct ResampledRows<'a> {
    /// Which rows are positive.
    pub truth: &'a [bool],
    /// What each row counts; nothing if all count one.
    pub weight: Option<&'a [f64]>,
    /// For each model, the scores of all rows.
    pub scores: Vec<&'a [f64]>,
    /// Which share of the cases of either class the rows are: 1 where they are all there is.
    pub taken: Split,
}

impl<'a> ResampledRows<'a> {
    /// All cases there are, unweighted.
    pub fn new(truth: &'a [bool], scores: Vec<&'a [f64]>) -> Self {
        Self { truth, weight: None, scores, taken: Split { positive: 1.0, negative: 1.0 } }
    }
}

/// Draws rows with replacement and ranks them for every model.
///
/// ```
/// use tribunal_eval::{ResampledRows, Resampler, influence::BaseRate, metrics};
///
/// let truth = [true, true, false, true, false, true, false, false, true, false];
/// let scores = [0.9, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.4, 0.3, 0.1];
/// let resampler = Resampler::new(&ResampledRows::new(&truth, vec![&scores]))?;
/// assert_eq!(metrics::auroc(&resampler.rows()[0]), Ok(0.7));
/// let again = resampler.replicate(42, 0, BaseRate::Fixed);
/// assert_eq!((again[0].totals().positive, again[0].totals().negative), (5.0, 5.0));
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Resampler {
    /// The scores of each model's cells, descending.
    grids: Vec<Vec<f64>>,
    positives: Stratum,
    negatives: Stratum,
}

/// The rows of one class.
#[derive(Clone, Debug)]
struct Stratum {
    n_rows: usize,
    weight: Option<Vec<f64>>,
    /// Row by row the cell of each model.
    cells: Vec<u16>,
    /// What the rows add to each cell, model after model.
    base: Vec<f64>,
    /// Where each model's cells start in `base`.
    starts: Vec<usize>,
    /// Share of all cases of the class.
    taken: f64,
    /// How to draw, where there are many rows.
    tree: Option<DrawTree>,
}

impl Resampler {
    /// Ranks each model once.
    ///
    /// **Undefined when** a class has no row, there is no model, or a column has not one value a row.
    pub fn new(rows: &ResampledRows<'_>) -> Result<Self, Error> {
        check(rows)?;
        let placed: Vec<Grid> = rows.scores.iter().map(|scores| Grid::of(scores)).collect();
        let stratum = |class: bool| Stratum::of(rows, &placed, class);
        let (positives, negatives) = (stratum(true), stratum(false));
        Ok(Self { grids: placed.into_iter().map(|grid| grid.scores).collect(), positives, negatives })
    }

    /// How many models there are.
    pub fn n_models(&self) -> usize {
        self.grids.len()
    }

    /// The rows themselves, each once: what replicates vary around.
    pub fn rows(&self) -> Vec<Ranking> {
        self.rank(&self.positives.masses(&self.positives.base), &self.negatives.masses(&self.negatives.base))
    }

    /// One replicate, the same whatever else is drawn: a ranking per model, all of the same rows. The number of positives
    /// varies like that of another sample of cases, or is that of these rows.
    pub fn replicate(&self, seed: u64, index: u64, base_rate: BaseRate) -> Vec<Ranking> {
        let mut random = Random::derived(seed, &[index]);
        let more_positives = match base_rate {
            BaseRate::Random => self.draw_more_positives(&mut random),
            BaseRate::Fixed => 0.0,
        };
        let mut drawn =
            |stratum: &Stratum, more: f64| stratum.masses(&stratum.draw(&mut random, stratum.n_with(more)));
        let positives = drawn(&self.positives, more_positives);
        self.rank(&positives, &drawn(&self.negatives, -more_positives))
    }

    /// By how many positives more a sample of as many cases differs from these; each class keeps a case.
    fn draw_more_positives(&self, random: &mut Random) -> f64 {
        let cases = |stratum: &Stratum| (stratum.n_rows as f64 / stratum.taken).round();
        let (positives, negatives) = (cases(&self.positives), cases(&self.negatives));
        let n = positives + negatives;
        random.binomial(n as u64, positives / n) as f64 - positives
    }

    /// The rows without one of `n_groups` groups of a class, the class keeping its weight: what a jackknife needs. There
    /// must be at least as many rows as groups, and they should be all cases, not a sample.
    pub fn without(&self, class: bool, group: usize, n_groups: usize) -> Vec<Ranking> {
        let of = |stratum: &Stratum, here: bool| {
            if here { stratum.without(group, n_groups) } else { stratum.masses(&stratum.base) }
        };
        self.rank(&of(&self.positives, class), &of(&self.negatives, !class))
    }

    fn rank(&self, positives: &[f64], negatives: &[f64]) -> Vec<Ranking> {
        let starts = &self.positives.starts;
        let of_model = |(grid, &start): (&Vec<f64>, &usize)| {
            let cells = start..start + grid.len();
            Ranking::of_cells(grid, &positives[cells.clone()], &negatives[cells])
        };
        self.grids.iter().zip(starts).map(of_model).collect()
    }
}

impl Stratum {
    fn of(rows: &ResampledRows<'_>, grids: &[Grid], class: bool) -> Self {
        let members: Vec<usize> = (0..rows.truth.len()).filter(|&row| rows.truth[row] == class).collect();
        let cells = members.iter().flat_map(|&row| grids.iter().map(move |grid| grid.cell_of_row[row]));
        let starts = grids.iter().scan(0, |next, grid| {
            let start = *next;
            *next += grid.scores.len();
            Some(start)
        });
        let mut stratum = Self {
            n_rows: members.len(),
            weight: rows.weight.map(|weight| members.iter().map(|&row| weight[row]).collect()),
            cells: cells.collect(),
            base: vec![0.0; grids.iter().map(|grid| grid.scores.len()).sum()],
            starts: starts.collect(),
            taken: if class { rows.taken.positive } else { rows.taken.negative },
            tree: None,
        };
        stratum.base = stratum.sum(0..stratum.n_rows);
        if stratum.n_rows > MANY_ROWS {
            stratum.tree = Some(DrawTree::new(&stratum.cells, grids.len(), stratum.weight.as_deref()));
        }
        stratum
    }

    /// How many rows stand for so many cases more than there are; one at least. What is drawn of a sample is scaled by the root
    /// of its share (see `masses`).
    fn n_with(&self, more: f64) -> u64 {
        (self.n_rows as f64 + more * self.taken.sqrt()).round().max(1.0) as u64
    }

    /// So many rows, drawn with replacement.
    fn draw(&self, random: &mut Random, n_draws: u64) -> Vec<f64> {
        if let Some(tree) = &self.tree {
            let mut sums = vec![0.0; self.base.len()];
            tree.draw(random, n_draws, &self.starts, &mut sums);
            return sums;
        }
        let n_rows = self.n_rows as u64;
        self.sum((0..n_draws).map(|_| random.below(n_rows) as usize))
    }

    /// What some rows add to each cell.
    fn sum(&self, rows: impl Iterator<Item = usize>) -> Vec<f64> {
        let mut sums = vec![0.0; self.base.len()];
        let n_models = self.starts.len();
        for row in rows {
            let weight = self.weight.as_ref().map_or(1.0, |weight| weight[row]);
            let cells = &self.cells[row * n_models..(row + 1) * n_models];
            for (&cell, &start) in cells.iter().zip(&self.starts) {
                sums[start + usize::from(cell)] += weight;
            }
        }
        sums
    }

    /// The rows but every `n_groups`-th.
    fn without(&self, group: usize, n_groups: usize) -> Vec<f64> {
        let left = self.sum((0..self.n_rows).filter(|row| row % n_groups != group));
        // Every model's cells add up to the same weight.
        let end = self.starts.get(1).copied().unwrap_or(left.len());
        let total = |sums: &[f64]| sums[..end].iter().sum::<f64>();
        let scale = total(&self.base) / total(&left);
        left.into_iter().map(|sum| sum * scale / self.taken).collect()
    }

    /// What drawn rows make of the whole class.
    fn masses(&self, drawn: &[f64]) -> Vec<f64> {
        let step = self.taken.sqrt();
        let mass = |(base, drawn): (&f64, &f64)| (base + step * (drawn - base)) / self.taken;
        self.base.iter().zip(drawn).map(mass).collect()
    }
}

/// The distinct scores of a model, and the place of every row among them.
struct Grid {
    scores: Vec<f64>,
    cell_of_row: Vec<u16>,
}

impl Grid {
    fn of(scores: &[f64]) -> Self {
        let mut order: Vec<(f64, u32)> = scores.iter().copied().zip(0..).collect();
        order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let n_distinct = 1 + order.windows(2).filter(|pair| pair[0].0 != pair[1].0).count();
        let most_rows = if n_distinct <= MANY_SCORES { 1 } else { order.len() / PART_OF_ALL };
        let mut grid = Self { scores: Vec::new(), cell_of_row: vec![0; scores.len()] };
        let mut start = 0;
        while start < order.len() {
            // A cell ends with the last row of its last score.
            let n_rows = (start / PART_OF_ABOVE).clamp(1, most_rows);
            let last = order[(start + n_rows).min(order.len()) - 1].0;
            let end = start + order[start..].partition_point(|(score, _)| *score >= last);
            let cell = grid.scores.len() as u16;
            order[start..end].iter().for_each(|&(_, row)| grid.cell_of_row[row as usize] = cell);
            grid.scores.push(middle(&order[start..end]));
            start = end;
        }
        grid
    }
}

/// The mean score of a cell; a score alone stays what it is to the last bit.
fn middle(cell: &[(f64, u32)]) -> f64 {
    let (first, last) = (cell[0].0, cell[cell.len() - 1].0);
    if first == last {
        return first;
    }
    (cell.iter().map(|(score, _)| score / cell.len() as f64).sum::<f64>()).clamp(last, first)
}

fn check(rows: &ResampledRows<'_>) -> Result<(), Error> {
    let n = rows.truth.len();
    let positives = rows.truth.iter().filter(|positive| **positive).count();
    at_least("models", rows.scores.len(), 1)?;
    at_least("positives", positives, 1)?;
    at_least("negatives", n - positives, 1)?;
    let lengths = rows.scores.iter().map(|scores| ("the scores", scores.len()));
    match lengths.chain(rows.weight.map(|weight| ("the weights", weight.len()))).find(|(_, len)| *len != n) {
        Some((what, found)) => Err(Error::LengthMismatch { what: what.into(), found, expected: n }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::{Compute, METRICS, Measure};
    use crate::scored_set::ScoredSet;
    use proptest::prelude::*;

    /// The rows that a stratum draws, each as often as it was drawn.
    fn repeated(stratum: &Stratum, random: &mut Random) -> Vec<usize> {
        (0..stratum.n_rows).map(|_| random.below(stratum.n_rows as u64) as usize).collect()
    }

    fn values(ranking: &Ranking) -> Vec<Option<f64>> {
        let of_ranking = |metric: &&&'static crate::metrics::Metric| {
            matches!(metric.compute, Compute::Ranking(_) | Compute::RankingWith(..))
        };
        let measure = |metric: &&'static crate::metrics::Metric| {
            Measure::new(metric, metric.parameter().map(|_| 0.3)).expect("a parameter in range")
        };
        let measures = METRICS.iter().filter(of_ranking).map(measure);
        measures.map(|measure| measure.of_ranking(ranking).and_then(Result::ok)).collect()
    }

    proptest! {
        /// Every metric of a replicate is that of the drawn rows, ranked from scratch.
        #[test]
        fn a_replicate_is_the_ranking_of_the_drawn_rows(
            rows in prop::collection::vec((any::<bool>(), 0u8..12, 1u8..4), 2..60), seed in any::<u64>()
        ) {
            let mut truth: Vec<bool> = rows.iter().map(|row| row.0).collect();
            (truth[0], truth[1]) = (true, false);
            let scores: Vec<f64> = rows.iter().map(|row| f64::from(row.1) / 11.0).collect();
            let weight: Vec<f64> = rows.iter().map(|row| f64::from(row.2)).collect();
            let table = ResampledRows { weight: Some(&weight), ..ResampledRows::new(&truth, vec![&scores]) };
            let resampler = Resampler::new(&table).expect("both classes");
            let mut random = Random::derived(seed, &[3]);
            let mut drawn: Vec<usize> = Vec::new();
            for (stratum, class) in [(&resampler.positives, true), (&resampler.negatives, false)] {
                let members: Vec<usize> = (0..truth.len()).filter(|&row| truth[row] == class).collect();
                drawn.extend(repeated(stratum, &mut random).into_iter().map(|row| members[row]));
            }
            let (t, s, w): (Vec<bool>, Vec<f64>, Vec<f64>) =
                (drawn.iter().map(|&row| truth[row]).collect(), drawn.iter().map(|&row| scores[row]).collect(),
                 drawn.iter().map(|&row| weight[row]).collect());
            let set = ScoredSet::new(&t, &s).and_then(|set| set.with_weight(&w)).expect("valid");
            let expected = values(&Ranking::of(&set).expect("rankable"));
            for (found, expected) in values(&resampler.replicate(seed, 3, BaseRate::Fixed)[0]).into_iter().zip(expected) {
                prop_assert_eq!(found.is_some(), expected.is_some());
                let (found, expected) = (found.unwrap_or_default(), expected.unwrap_or_default());
                prop_assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{found} {expected}");
            }
        }
    }

    #[test]
    fn many_scores_share_cells_without_moving_the_figures() {
        let mut random = Random::new(1);
        let truth: Vec<bool> = (0..50_000).map(|row| row % 10 == 0).collect();
        let scores: Vec<f64> = truth.iter().map(|&t| random.normal() + f64::from(t)).collect();
        let resampler = Resampler::new(&ResampledRows::new(&truth, vec![&scores])).expect("both classes");
        let exact = Ranking::of(&ScoredSet::new(&truth, &scores).expect("valid")).expect("rankable");
        let coarse = &resampler.rows()[0];
        assert!(coarse.n_blocks() < 3000, "{}", coarse.n_blocks());
        assert_eq!(coarse.totals(), exact.totals());
        for (a, b) in values(coarse).into_iter().zip(values(&exact)) {
            let (a, b) = (a.unwrap_or_default(), b.unwrap_or_default());
            assert!((a - b).abs() < 2e-3, "{a} {b}");
        }
    }

    /// The spread of a class does not depend on how many of its rows were kept.
    #[test]
    fn a_sample_of_a_class_has_the_spread_of_the_class() {
        let spread = |n_negatives: usize, taken: f64| {
            let mut random = Random::new(5);
            let truth: Vec<bool> = (0..300 + n_negatives).map(|row| row < 300).collect();
            let scores: Vec<f64> = truth.iter().map(|&t| random.normal() + f64::from(t)).collect();
            let taken = Split { positive: 1.0, negative: taken };
            let rows = ResampledRows { taken, ..ResampledRows::new(&truth, vec![&scores]) };
            let resampler = Resampler::new(&rows).expect("both classes");
            let areas: Vec<f64> = (0..400)
                .map(|b| {
                    crate::metrics::auroc(&resampler.replicate(9, b, BaseRate::Fixed)[0])
                        .expect("both classes")
                })
                .collect();
            let mean = areas.iter().sum::<f64>() / 400.0;
            (areas.iter().map(|area| (area - mean).powi(2)).sum::<f64>() / 399.0).sqrt()
        };
        let (whole, sampled) = (spread(600, 1.0), spread(300, 0.5));
        assert!((whole / sampled - 1.0).abs() < 0.15, "{whole} {sampled}");
        assert!((whole / spread(300, 1.0) - 1.0).abs() > 0.02);
    }

    #[test]
    fn a_class_keeps_its_weight_when_a_group_is_left_out() {
        let truth = [true, true, true, false, false, false];
        let scores = [0.9, 0.8, 0.3, 0.7, 0.2, 0.1];
        let resampler = Resampler::new(&ResampledRows::new(&truth, vec![&scores])).expect("both classes");
        let left = &resampler.without(true, 2, 3)[0];
        assert_eq!((left.totals().positive, left.totals().negative), (3.0, 3.0));
        assert_eq!(crate::metrics::auroc(left), Ok(1.0));
    }

    #[test]
    fn one_class_is_refused() {
        let error =
            Resampler::new(&ResampledRows::new(&[true, true], vec![&[0.1, 0.2]])).expect_err("no negatives");
        assert_eq!(error.to_string(), "0 negatives; at least 1 needed");
    }
}
