//! Bootstrap replicates of profit: at a list of given length, at the best list, and on the cases that a replicate left out.
//!
//! Nothing is sorted twice. The lists of one or several models are divided into *cells* of neighbouring scores, and rows that stand in
//! the same cells and are worth the same form a *group*; a replicate draws how often each group comes, all models at once, so that
//! differences between models are paired (Efron 1979). Up to 65,536 rows cells are blocks of equal scores and groups hold rows that
//! are alike: replicates are exact.
//!
//! Of more rows, cells grow with their distance from the end of the list and from the best cut, up to a 32nd of it, so that neither
//! moves; and within a cell the rows of a class of equal weight form one group, whatever their amounts, but for the 256 largest
//! values of all. The sum of so many drawn amounts of a group is then their number times the mean, plus a normal number of the
//! variance that draws from the group have: a generalised bootstrap (Praestgaard and Wellner 1993) with the mean and the variance of
//! the plain one, and its skewness as far as it comes from the rows that decide it.

use rayon::prelude::*;
use tribunal_random::Random;

use super::actions::ListLength;
use super::alike::AlikeRows;
use super::case_values::CaseValues;
use crate::checks::{check_finite, check_length};
use crate::error::Error;

/// Up to so many rows cells and groups are exact.
const FEW_ROWS: usize = 1 << 16;

/// A cell of a longer list is at most this part as long as its distance from the cuts.
const PART_OF_DISTANCE: usize = 1 << 5;

/// The largest values, which stand for themselves.
const N_LARGEST: usize = 1 << 8;

/// Profit of one model in one replicate, scaled to the weight of all cases.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ProfitReplicate {
    /// At the list of given length.
    pub list: f64,
    /// At the list that earns most in the replicate.
    pub best: f64,
}

/// Draws cases again and adds up what acting on the top of each model's list brings in.
///
/// ```
/// use tribunal_eval::decisions::{BenefitMatrix, CaseValues, ListLength, ProfitBootstrap};
///
/// let truth: Vec<bool> = (0..200).map(|i| i % 4 == 0).collect();
/// let scores: Vec<f64> = (0..200).map(|i| f64::from(i % 4 == 0) + f64::from(i * 7 % 10) / 4.0).collect();
/// let matrix = BenefitMatrix { hit: 10.0, false_positive: -2.0, ..BenefitMatrix::default() };
/// let values = CaseValues::new(&truth, &matrix.into())?;
/// let bootstrap = ProfitBootstrap::new(&values, &[&scores], ListLength::Share(0.25))?;
/// let replicates = bootstrap.replicates(1000, 42);
/// assert!(replicates.len() == 1000 && replicates.iter().all(|models| models[0].best >= models[0].list - 1e-9));
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ProfitBootstrap {
    groups: Vec<Group>,
    rows: AlikeRows,
    /// Group by group the cell of each model.
    cells: Vec<u32>,
    n_cells: Vec<usize>,
    /// Weight of all cases.
    weight: f64,
    /// Share of the list.
    share: f64,
}

/// The best cuts of replicates.
pub(super) struct OutOfBag {
    /// Mean profit on the cases left out.
    pub(super) profit: f64,
    /// Share of the cases above the best cut of each replicate.
    pub(super) shares: Vec<f64>,
}

/// Rows that are drawn alike.
#[derive(Clone, Copy, Debug)]
struct Group {
    n_rows: f64,
    /// Weight of each row.
    weight: f64,
    /// Mean value of acting, times the weight.
    acting: f64,
    /// The standard deviation of these values.
    deviation: f64,
    /// Benefit of leaving a row alone, times the weight.
    passing: f64,
}

impl ProfitBootstrap {
    /// Ranks the cases by the scores of each model once.
    ///
    /// # Errors
    /// There is not one finite score a case, no case carries weight, or the length does not fit the list.
    pub fn new(values: &CaseValues<'_>, scores: &[&[f64]], length: ListLength) -> Result<Self, Error> {
        let weight = values.total_weight()?;
        let list = length.weight(weight)?;
        for scores in scores {
            check_length("score", scores.len(), values.n_rows())?;
            check_finite("score", scores)?;
        }
        let rows: Vec<u32> =
            (0..values.n_rows() as u32).filter(|&row| values.weight_of(row as usize) > 0.0).collect();
        if u32::try_from(rows.len()).is_err() {
            return Err(Error::TooManyRows);
        }
        let grids: Vec<CellOfRow> =
            scores.iter().map(|scores| CellOfRow::new(values, &rows, scores, list)).collect();
        let (order, bounds) = grouped(values, &grids);
        let group = |bounds: &[usize]| Group::of(values, &order[bounds[0]..bounds[1]]);
        let first_rows = bounds[..bounds.len() - 1].iter().map(|&start| order[start] as usize);
        Ok(Self {
            groups: bounds.par_windows(2).map(group).collect(),
            rows: AlikeRows::new(bounds.windows(2).map(|bounds| bounds[1] - bounds[0])),
            cells: first_rows.flat_map(|row| grids.iter().map(move |grid| grid.cell_of_row[row])).collect(),
            n_cells: grids.iter().map(|grid| grid.n_cells).collect(),
            weight,
            share: list / weight,
        })
    }

    /// Replicates, each a profit for every model, on all cores; the same for the same seed, whatever their number.
    pub fn replicates(&self, n_replicates: usize, seed: u64) -> Vec<Vec<ProfitReplicate>> {
        let replicate = |index: usize| self.replicate(&mut Random::derived(seed, &[index as u64]));
        (0..n_replicates).into_par_iter().map(replicate).collect()
    }

    fn replicate(&self, random: &mut Random) -> Vec<ProfitReplicate> {
        let drawn = self.draw(random);
        let (weight, passing) = drawn.totals();
        let of_model = |model: usize| {
            let cells = self.cells_of(model, &drawn);
            let scale = self.weight / weight;
            ProfitReplicate {
                list: scale * (passing + at_weight(&cells, self.share * weight)),
                best: scale * (passing + best(&cells).1),
            }
        };
        (0..self.n_cells.len()).map(of_model).collect()
    }

    /// The best cuts of replicates and what they bring in on the cases that the replicate left out; the first model's. Nothing where
    /// no replicate left a case out.
    pub(super) fn out_of_bag(&self, n_replicates: usize, seed: u64) -> Option<OutOfBag> {
        let of_replicate = |index: usize| {
            let drawn = self.draw(&mut Random::derived(seed, &[index as u64]));
            let cells = self.cells_of(0, &drawn);
            let n_cells = best(&cells).0;
            let share = cells[..n_cells].iter().map(|cell| cell.weight).sum::<f64>() / drawn.totals().0;
            let left_out = self.left_out(&drawn);
            let (weight, passing) = left_out.totals();
            let gained = self.cells_of(0, &left_out)[..n_cells].iter().map(|cell| cell.acting).sum::<f64>();
            (weight > 0.0).then(|| (self.weight / weight * (passing + gained), share.min(1.0)))
        };
        let found: Vec<(f64, f64)> = (0..n_replicates)
            .into_par_iter()
            .map(of_replicate)
            .collect::<Vec<_>>()
            .into_iter()
            .flatten()
            .collect();
        (!found.is_empty()).then(|| OutOfBag {
            profit: found.iter().map(|(profit, _)| profit).sum::<f64>() / found.len() as f64,
            shares: found.into_iter().map(|(_, share)| share).collect(),
        })
    }

    fn draw(&self, random: &mut Random) -> Drawn {
        let counts = self.rows.draw(random);
        let of_group = |(group, &count): (&Group, &u32)| {
            let n = f64::from(count);
            let noise = match group.deviation > 0.0 && count > 0 {
                true => group.deviation * n.sqrt() * random.normal(),
                false => 0.0,
            };
            Sums {
                rows: n,
                weight: n * group.weight,
                acting: n * group.acting + noise,
                passing: n * group.passing,
            }
        };
        Drawn(self.groups.iter().zip(&counts).map(of_group).collect())
    }

    /// What is expected of the rows that were not drawn, given how often their groups were.
    fn left_out(&self, drawn: &Drawn) -> Drawn {
        let of_group = |(group, drawn): (&Group, &Sums)| {
            let n = match group.n_rows > 1.0 {
                true => group.n_rows * (drawn.rows * (-1.0 / group.n_rows).ln_1p()).exp(),
                false => f64::from(drawn.rows == 0.0),
            };
            Sums { rows: n, weight: n * group.weight, acting: n * group.acting, passing: n * group.passing }
        };
        Drawn(self.groups.iter().zip(&drawn.0).map(of_group).collect())
    }

    fn cells_of(&self, model: usize, drawn: &Drawn) -> Vec<Cell> {
        let n_models = self.n_cells.len();
        let mut cells = vec![Cell::default(); self.n_cells[model]];
        for (group, sums) in drawn.0.iter().enumerate() {
            let cell = &mut cells[self.cells[group * n_models + model] as usize];
            cell.weight += sums.weight;
            cell.acting += sums.acting;
        }
        cells
    }
}

/// What was drawn of a group.
#[derive(Clone, Copy, Debug)]
struct Sums {
    rows: f64,
    weight: f64,
    acting: f64,
    passing: f64,
}

/// What was drawn, group by group.
struct Drawn(Vec<Sums>);

impl Drawn {
    /// Weight and benefit of leaving all of it alone.
    fn totals(&self) -> (f64, f64) {
        self.0
            .iter()
            .fold((0.0, 0.0), |(weight, passing), sums| (weight + sums.weight, passing + sums.passing))
    }
}

/// What a replicate holds in a cell of a model.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    weight: f64,
    acting: f64,
}

/// The number of cells from the top whose values add up to the most, of equals the fewest, and their sum.
fn best(cells: &[Cell]) -> (usize, f64) {
    let (mut best, mut sum) = ((0, 0.0), 0.0);
    for (index, cell) in cells.iter().enumerate() {
        sum += cell.acting;
        if sum > best.1 {
            best = (index + 1, sum);
        }
    }
    best
}

/// The values of the first so much weight, the last cell in part.
fn at_weight(cells: &[Cell], weight: f64) -> f64 {
    let (mut left, mut sum) = (weight, 0.0);
    for cell in cells {
        if cell.weight >= left {
            return if cell.weight > 0.0 { sum + cell.acting * left / cell.weight } else { sum };
        }
        left -= cell.weight;
        sum += cell.acting;
    }
    sum
}

/// The cells of one model.
struct CellOfRow {
    /// The rows, from the highest score down.
    order: Vec<u32>,
    cell_of_row: Vec<u32>,
    n_cells: usize,
}

impl CellOfRow {
    fn new(values: &CaseValues<'_>, rows: &[u32], scores: &[f64], list: f64) -> Self {
        let mut order: Vec<(f64, u32)> = rows.iter().map(|&row| (scores[row as usize], row)).collect();
        order.par_sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let cuts = [rank_of_weight(values, &order, list), rank_of_best(values, &order)];
        let mut cell_of_row = vec![0; values.n_rows()];
        let (mut start, mut n_cells) = (0, 0);
        while start < order.len() {
            let n_rows = match order.len() <= FEW_ROWS {
                true => 1,
                false => rows_of_cell(start, cuts),
            };
            // A cell ends with the last row of its last score.
            let last = order[(start + n_rows).min(order.len()) - 1].0;
            let end = start + order[start..].partition_point(|(score, _)| *score >= last);
            order[start..end].iter().for_each(|&(_, row)| cell_of_row[row as usize] = n_cells);
            (start, n_cells) = (end, n_cells + 1);
        }
        Self {
            order: order.into_iter().map(|(_, row)| row).collect(),
            cell_of_row,
            n_cells: n_cells as usize,
        }
    }
}

/// Rows of a cell that starts at this rank: a part of the distance from the nearest cut, at either end of the cell.
fn rows_of_cell(start: usize, cuts: [usize; 2]) -> usize {
    let of_cut = |cut: usize| match cut > start {
        true => (cut - start) / (PART_OF_DISTANCE + 1),
        false => (start - cut) / PART_OF_DISTANCE,
    };
    cuts.map(of_cut).into_iter().min().unwrap_or(1).max(1)
}

fn rank_of_weight(values: &CaseValues<'_>, order: &[(f64, u32)], weight: f64) -> usize {
    let mut left = weight;
    let is_inside = |&&(_, row): &&(f64, u32)| {
        left -= values.weight_of(row as usize);
        left >= 0.0
    };
    order.iter().take_while(is_inside).count()
}

fn rank_of_best(values: &CaseValues<'_>, order: &[(f64, u32)]) -> usize {
    let cell = |&(_, row): &(f64, u32)| {
        let weight = values.weight_of(row as usize);
        Cell { weight, acting: weight * values.acting[row as usize] }
    };
    best(&order.iter().map(cell).collect::<Vec<_>>()).0
}

/// The rows in an order in which those of a group stand together, and where groups start; the end of the last group too.
fn grouped(values: &CaseValues<'_>, grids: &[CellOfRow]) -> (Vec<u32>, Vec<usize>) {
    let Some((first, others)) = grids.split_first() else { return (Vec::new(), vec![0]) };
    let pooled_below = pooled_below(values, &first.order);
    let key = |&row: &u32| {
        let row = row as usize;
        let own = values.acting[row] * values.weight_of(row);
        let own = if own.abs() < pooled_below { 0 } else { own.to_bits() };
        let other_cells: Vec<u32> = others.iter().map(|grid| grid.cell_of_row[row]).collect();
        let (weight, passing) = (values.weight_of(row).to_bits(), values.passing_of(row).to_bits());
        (other_cells, values.truth[row], weight, passing, own)
    };
    let is_same_cell = |&a: &u32, &b: &u32| first.cell_of_row[a as usize] == first.cell_of_row[b as usize];
    let cells: Vec<&[u32]> = first.order.chunk_by(is_same_cell).collect();
    let sorted = |cell: &&[u32]| {
        let mut rows: Vec<_> = cell.iter().map(|row| (key(row), *row)).collect();
        // Stable, and quick where few keys differ.
        rows.sort_by(|a, b| a.0.cmp(&b.0));
        let sizes: Vec<usize> = rows.chunk_by(|a, b| a.0 == b.0).map(<[_]>::len).collect();
        (rows.into_iter().map(|row| row.1).collect::<Vec<u32>>(), sizes)
    };
    let sorted: Vec<(Vec<u32>, Vec<usize>)> = cells.par_iter().with_min_len(8).map(sorted).collect();
    let (mut order, mut bounds, mut end) = (Vec::with_capacity(first.order.len()), vec![0], 0);
    for (rows, sizes) in sorted {
        order.extend(rows);
        bounds.extend(sizes.iter().map(|size| {
            end += size;
            end
        }));
    }
    (order, bounds)
}

/// Values of a smaller size are pooled.
fn pooled_below(values: &CaseValues<'_>, rows: &[u32]) -> f64 {
    if rows.len() <= FEW_ROWS {
        return 0.0;
    }
    let size = |&row: &u32| (values.acting[row as usize] * values.weight_of(row as usize)).abs();
    let mut sizes: Vec<f64> = rows.iter().map(size).collect();
    let place = sizes.len() - N_LARGEST;
    *sizes.select_nth_unstable_by(place, f64::total_cmp).1
}

impl Group {
    fn of(values: &CaseValues<'_>, rows: &[u32]) -> Self {
        let (n, first) = (rows.len() as f64, rows.first().map_or(0, |&row| row as usize));
        let weight = values.weight_of(first);
        let acting = |row: &u32| values.acting[*row as usize];
        let mean = rows.iter().map(acting).sum::<f64>() / n;
        let is_alike = rows.iter().all(|row| acting(row) == acting(&rows[0]));
        let mean = if is_alike { values.acting[first] } else { mean };
        let variance = rows.iter().map(|row| (acting(row) - mean).powi(2)).sum::<f64>() / n;
        Self {
            n_rows: n,
            weight,
            acting: weight * mean,
            deviation: weight * variance.sqrt(),
            passing: weight * values.passing_of(first),
        }
    }
}
