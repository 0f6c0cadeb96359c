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

use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::*;
use tribunal_random::Random;

use super::actions::ListLength;
use super::alike::AlikeRows;
use super::case_values::CaseValues;
use crate::checks::{check_finite, check_length};
use crate::error::Error;
use crate::ranking::{ListedRow, listed_rows};

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
    /// There is not one finite score a case, no case carries weight, the length does not fit the list, or there are 2^32 cases.
    pub fn new(values: &CaseValues<'_>, scores: &[&[f64]], length: ListLength) -> Result<Self, Error> {
        let weight = values.total_weight()?;
        let list = length.weight(weight)?;
        for scores in scores {
            check_length("score", scores.len(), values.n_rows())?;
            check_finite("score", scores)?;
        }
        if u32::try_from(values.n_rows()).is_err() {
            return Err(Error::TooManyRows);
        }
        let lists: Vec<ListCells> =
            scores.iter().map(|scores| ListCells::new(values, scores, list)).collect();
        let (cells, groups): (Vec<Vec<u32>>, Vec<Group>) = match lists.split_first() {
            Some((first, others)) => grouped(values, first, others).into_iter().unzip(),
            None => Default::default(),
        };
        Ok(Self {
            rows: AlikeRows::new(groups.iter().map(|group| group.n_rows as usize)),
            groups,
            cells: cells.concat(),
            n_cells: lists.iter().map(|list| list.ends.len()).collect(),
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

    /// The mean profit, over replicates, on the cases that a replicate left out, at the cut that was the best one on those that it
    /// drew; the first model's. Nothing where no replicate left a case out.
    pub(super) fn out_of_bag(&self, n_replicates: usize, seed: u64) -> Option<f64> {
        let of_replicate = |index: usize| {
            let drawn = self.draw(&mut Random::derived(seed, &[index as u64]));
            let n_cells = best(&self.cells_of(0, &drawn)).0;
            let left_out = self.left_out(&drawn);
            let (weight, passing) = left_out.totals();
            let gained = self.cells_of(0, &left_out)[..n_cells].iter().map(|cell| cell.acting).sum::<f64>();
            (weight > 0.0).then(|| self.weight / weight * (passing + gained))
        };
        let found: Vec<f64> = (0..n_replicates)
            .into_par_iter()
            .map(of_replicate)
            .collect::<Vec<_>>()
            .into_iter()
            .flatten()
            .collect();
        (!found.is_empty()).then(|| found.iter().sum::<f64>() / found.len() as f64)
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

/// One model's list, divided into cells.
struct ListCells {
    rows: Vec<ListedRow>,
    /// What acting on each is worth, times its weight, in the same order.
    worth: Vec<f64>,
    /// Where each cell ends.
    ends: Vec<usize>,
}

impl ListCells {
    fn new(values: &CaseValues<'_>, scores: &[f64], list: f64) -> Self {
        let rows = listed_rows(scores, |row| values.weight_of(row) > 0.0);
        let worth_of = |listed: &ListedRow| values.weight_of(listed.row()) * values.acting[listed.row()];
        let worth: Vec<f64> = rows.par_iter().map(worth_of).collect();
        let cuts = [rank_of_weight(values, &rows, list), rank_of_best(&worth)];
        let mut ends = Vec::new();
        let mut start = 0;
        while start < rows.len() {
            let n_rows = match rows.len() <= FEW_ROWS {
                true => 1,
                false => rows_of_cell(start, cuts),
            };
            // A cell ends with the last row of its last score.
            let last = rows[(start + n_rows).min(rows.len()) - 1];
            start += rows[start..].partition_point(|&listed| last.is_reached_by(listed));
            ends.push(start);
        }
        Self { rows, worth, ends }
    }

    /// The cells with their places, from the top.
    fn cells(&self) -> impl IndexedParallelIterator<Item = (usize, Range<usize>)> {
        let range =
            |cell: usize| (cell, cell.checked_sub(1).map_or(0, |above| self.ends[above])..self.ends[cell]);
        (0..self.ends.len()).into_par_iter().map(range)
    }

    /// The cell of each row.
    fn cell_of_row(&self, n_rows: usize) -> Vec<u32> {
        let mut cell_of_row = vec![0; n_rows];
        let mut start = 0;
        for (cell, &end) in self.ends.iter().enumerate() {
            self.rows[start..end].iter().for_each(|listed| cell_of_row[listed.row()] = cell as u32);
            start = end;
        }
        cell_of_row
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

fn rank_of_weight(values: &CaseValues<'_>, rows: &[ListedRow], weight: f64) -> usize {
    let mut left = weight;
    let is_inside = |listed: &&ListedRow| {
        left -= values.weight_of(listed.row());
        left >= 0.0
    };
    rows.iter().take_while(is_inside).count()
}

fn rank_of_best(worth: &[f64]) -> usize {
    let cell = |&acting: &f64| Cell { weight: 0.0, acting };
    best(&worth.iter().map(cell).collect::<Vec<_>>()).0
}

/// What rows of a cell of the first model have in common that form a group: the cells of the other models, the class, the weight,
/// what leaving them alone is worth, and what acting on them is worth unless that is pooled.
type Alike = (Vec<u32>, bool, u64, u64, u64);

/// The groups, cell by cell of the first model, with the cells of all models.
fn grouped(values: &CaseValues<'_>, first: &ListCells, others: &[ListCells]) -> Vec<(Vec<u32>, Group)> {
    let others: Vec<Vec<u32>> = others.iter().map(|list| list.cell_of_row(values.n_rows())).collect();
    let pooled_below = pooled_below(&first.worth);
    let alike = |row: usize, worth: f64| -> Alike {
        let own = if worth.abs() < pooled_below { 0 } else { worth.to_bits() };
        let (weight, passing) = (values.weight_of(row).to_bits(), values.passing_of(row).to_bits());
        (others.iter().map(|cells| cells[row]).collect(), values.truth[row], weight, passing, own)
    };
    let of_cell = |(cell, places): (usize, Range<usize>)| {
        let mut groups = BTreeMap::<Alike, GroupSums>::new();
        for (listed, &worth) in first.rows[places.clone()].iter().zip(&first.worth[places]) {
            groups.entry(alike(listed.row(), worth)).or_insert_with(|| GroupSums::new(worth)).add(worth);
        }
        let group = |((others, _, weight, passing, _), sums): (Alike, GroupSums)| {
            let cells = std::iter::once(cell as u32).chain(others).collect();
            (cells, sums.group(f64::from_bits(weight), f64::from_bits(passing)))
        };
        groups.into_iter().map(group).collect::<Vec<_>>()
    };
    first.cells().with_min_len(8).flat_map_iter(of_cell).collect()
}

/// Values of a smaller size are pooled.
fn pooled_below(worth: &[f64]) -> f64 {
    const CHUNK: usize = 1 << 16;
    if worth.len() <= FEW_ROWS {
        return 0.0;
    }
    let keep_largest = |sizes: &mut Vec<f64>| {
        let n_smaller = sizes.len().saturating_sub(N_LARGEST);
        sizes.select_nth_unstable_by(n_smaller, f64::total_cmp);
        sizes.drain(..n_smaller);
    };
    let of_chunk = |chunk: &[f64]| {
        let mut sizes: Vec<f64> = chunk.iter().map(|worth| worth.abs()).collect();
        keep_largest(&mut sizes);
        sizes
    };
    let mut largest: Vec<f64> = worth.par_chunks(CHUNK).flat_map_iter(of_chunk).collect();
    keep_largest(&mut largest);
    largest.first().copied().unwrap_or(0.0)
}

/// Sums over the rows of a group of what acting on them is worth, less what it is for the first of them.
struct GroupSums {
    n_rows: f64,
    first: f64,
    sum: f64,
    squares: f64,
}

impl GroupSums {
    fn new(first: f64) -> Self {
        Self { n_rows: 0.0, first, sum: 0.0, squares: 0.0 }
    }

    fn add(&mut self, worth: f64) {
        let beyond = worth - self.first;
        self.n_rows += 1.0;
        self.sum += beyond;
        self.squares += beyond * beyond;
    }

    fn group(&self, weight: f64, passing: f64) -> Group {
        let mean = self.sum / self.n_rows;
        Group {
            n_rows: self.n_rows,
            weight,
            acting: self.first + mean,
            deviation: (self.squares / self.n_rows - mean * mean).max(0.0).sqrt(),
            passing: weight * passing,
        }
    }
}
