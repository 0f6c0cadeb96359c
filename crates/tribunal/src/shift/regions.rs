//! Readable parts of the population that the training table does not cover.
//!
//! Among all sets of rows the one with the largest `share of the population - cut * share of the training table` is that of all rows
//! with a density ratio above the cut (Neyman and Pearson 1933). So rules are grown for that: condition after condition as long as
//! the sum rises, at most three; then the rows inside are set aside and the next rule is grown (Friedman and Fisher 1999 call it bump
//! hunting). Rules are found on the rows of half of the folds and judged on the other half, since the best of many rules flatters.

use rayon::prelude::*;
use tribunal_learn::{Column, Dataset, Kind, MISSING, Values};

use super::domain_rows::DomainRows;
use super::results::{Condition, Region, Sides};

/// Rules have at most so many conditions, and there are at most so many rules.
const MOST_CONDITIONS: usize = 3;
const MOST_REGIONS: usize = 5;
/// A rule holds at least so many rows of the population, and this share of them.
const FEWEST_ROWS: f64 = 10.0;
const LEAST_SHARE: f64 = 0.01;
/// A further condition must raise the sum by this.
const LEAST_RISE: f64 = 0.005;
/// So many levels stand in a condition.
const MOST_LEVELS: usize = 20;

/// Parts of the population beyond a density ratio, the largest first.
pub(super) fn uncovered_regions(rows: &DomainRows, cut: f64) -> Vec<Region> {
    let searched = rows.rows_of(|fold| fold % 2 == 0);
    let judged = rows.rows_of(|fold| fold % 2 == 1);
    let mut search = Search::new(rows, &searched, cut);
    let mut not_inside = judged;
    let mut regions = Vec::new();
    let all = Counts::of(rows, &not_inside);
    for _ in 0..MOST_REGIONS {
        let Some(conditions) = search.next_rule() else { break };
        let (inside, outside): (Vec<u32>, Vec<u32>) = not_inside
            .iter()
            .partition(|&&row| conditions.iter().all(|condition| holds(condition, &rows.dataset, row)));
        let counts = Counts::of(rows, &inside);
        let share = counts.shares(all);
        if counts.population >= 1.0 && share.population > cut * share.training {
            let rows = Sides { training: counts.training as u64, population: counts.population as u64 };
            regions.push(Region { conditions, share, rows });
        }
        not_inside = outside;
    }
    regions.sort_by(|a, b| b.share.population.total_cmp(&a.share.population));
    regions
}

/// Rows of either table.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    training: f64,
    population: f64,
}

impl Counts {
    fn of(rows: &DomainRows, of: &[u32]) -> Self {
        let population = of.iter().filter(|row| rows.is_of_population(**row)).count();
        Counts { training: (of.len() - population) as f64, population: population as f64 }
    }

    fn add(&mut self, is_of_population: bool) {
        *(if is_of_population { &mut self.population } else { &mut self.training }) += 1.0;
    }

    fn plus(self, other: Counts) -> Counts {
        Counts { training: self.training + other.training, population: self.population + other.population }
    }

    fn less(self, other: Counts) -> Counts {
        Counts { training: self.training - other.training, population: self.population - other.population }
    }

    fn shares(self, all: Counts) -> Sides<f64> {
        Sides {
            training: self.training / all.training.max(1.0),
            population: self.population / all.population.max(1.0),
        }
    }
}

/// Rows that rules are searched on, with the order of each column's values.
struct Search<'a> {
    rows: &'a DomainRows,
    /// For each column the rows with a value, ascending.
    orders: Vec<Vec<u32>>,
    /// The rows that no rule holds yet.
    left: Vec<u32>,
    all: Counts,
    cut: f64,
}

impl<'a> Search<'a> {
    fn new(rows: &'a DomainRows, searched: &[u32], cut: f64) -> Self {
        let order = |column: &Column| match column.values() {
            Values::Numbers(numbers) => {
                let has_value = |row: &u32| !numbers[*row as usize].is_nan();
                let mut order: Vec<u32> = searched.iter().copied().filter(has_value).collect();
                order.sort_by(|a, b| numbers[*a as usize].total_cmp(&numbers[*b as usize]));
                order
            }
            Values::Codes(_) => Vec::new(),
        };
        let orders = rows.dataset.columns().par_iter().map(order).collect();
        Search { rows, orders, left: searched.to_vec(), all: Counts::of(rows, searched), cut }
    }

    /// By how much the share of the population exceeds what the training table would need; half a row is added to that of the
    /// training table, since none of few rows shows little.
    fn score(&self, counts: Counts) -> f64 {
        let training = (counts.training + 0.5) / (self.all.training + 1.0);
        counts.population / self.all.population.max(1.0) - self.cut * training
    }

    fn is_enough(&self, counts: Counts) -> bool {
        counts.population >= FEWEST_ROWS.max(LEAST_SHARE * self.all.population)
    }

    /// The conditions of the best rule for the rows that are left, which are then fewer.
    fn next_rule(&mut self) -> Option<Vec<Condition>> {
        let mut inside = vec![false; self.rows.folds.len()];
        self.left.iter().for_each(|&row| inside[row as usize] = true);
        let mut conditions: Vec<Condition> = Vec::new();
        let mut reached = f64::NEG_INFINITY;
        for _ in 0..MOST_CONDITIONS {
            let Some((score, condition)) = self.best_condition(&inside) else { break };
            if score < reached + LEAST_RISE && !conditions.is_empty() {
                break;
            }
            let dataset = &self.rows.dataset;
            self.left.iter().for_each(|&row| inside[row as usize] &= holds(&condition, dataset, row));
            conditions.push(condition);
            reached = score;
        }
        if conditions.is_empty() || reached <= 0.0 {
            return None;
        }
        self.left.retain(|&row| !inside[row as usize]);
        Some(conditions)
    }

    /// The condition with the best score among the rows inside; of equals that of the first column.
    fn best_condition(&self, inside: &[bool]) -> Option<(f64, Condition)> {
        let columns = self.rows.dataset.columns().par_iter().zip(&self.orders);
        let found: Vec<Option<(f64, Condition)>> = columns
            .map(|(column, order)| match column.values() {
                Values::Numbers(numbers) => self.best_of_numbers(column, numbers, order, inside),
                Values::Codes(codes) => self.best_of_levels(column, codes, inside),
            })
            .collect();
        found.into_iter().flatten().reduce(|best, next| if next.0 > best.0 { next } else { best })
    }

    fn best_of_numbers(
        &self,
        column: &Column,
        numbers: &[f64],
        order: &[u32],
        inside: &[bool],
    ) -> Option<(f64, Condition)> {
        let rows = || order.iter().filter(|row| inside[**row as usize]);
        let mut present = Counts::default();
        rows().for_each(|&row| present.add(self.rows.is_of_population(row)));
        let name = || column.name().to_owned();
        let mut best = self.of_missing(column, present, inside);
        let mut offer = |counts: Counts, condition: &dyn Fn() -> Condition| {
            let score = self.score(counts);
            if self.is_enough(counts) && best.as_ref().is_none_or(|(known, _)| score > *known) {
                best = Some((score, condition()));
            }
        };
        let mut below = Counts::default();
        let mut rows = rows().peekable();
        while let Some(&row) = rows.next() {
            below.add(self.rows.is_of_population(row));
            let value = numbers[row as usize];
            // A bound falls between two values; beyond the last one nothing is left.
            if rows.peek().is_some_and(|&&next| numbers[next as usize] > value) {
                offer(below, &|| Condition::AtMost { column: name(), value });
                offer(present.less(below), &|| Condition::Above { column: name(), value });
            }
        }
        best
    }

    fn of_missing(&self, column: &Column, present: Counts, inside: &[bool]) -> Option<(f64, Condition)> {
        let mut all = Counts::default();
        self.left
            .iter()
            .filter(|row| inside[**row as usize])
            .for_each(|&row| all.add(self.rows.is_of_population(row)));
        let missing = all.less(present);
        (self.is_enough(missing) && present.population + present.training > 0.0)
            .then(|| (self.score(missing), Condition::Missing { column: column.name().to_owned() }))
    }

    /// The levels that each raise the score, those that raise it most.
    fn best_of_levels(&self, column: &Column, codes: &[u32], inside: &[bool]) -> Option<(f64, Condition)> {
        let mut counts = vec![Counts::default(); n_codes(column)];
        let mut present = Counts::default();
        for &row in self.left.iter().filter(|row| inside[**row as usize]) {
            if let Some(count) = counts.get_mut(codes[row as usize] as usize) {
                count.add(self.rows.is_of_population(row));
                present.add(self.rows.is_of_population(row));
            }
        }
        let missing = self.of_missing(column, present, inside);
        let mut raising: Vec<(f64, usize)> =
            counts.iter().enumerate().map(|(code, counts)| (self.score(*counts), code)).collect();
        raising.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let n_raising = raising.iter().take_while(|(score, _)| *score > 0.0).count();
        let chosen = &raising[..n_raising.clamp(1, MOST_LEVELS).min(raising.len())];
        let together = chosen.iter().fold(Counts::default(), |sum, (_, code)| sum.plus(counts[*code]));
        let levels = chosen.iter().filter_map(|(_, code)| level_name(column, *code)).collect();
        let of_levels = (self.is_enough(together) && chosen.len() < counts.len())
            .then(|| (self.score(together), Condition::OneOf { column: column.name().to_owned(), levels }));
        [missing, of_levels]
            .into_iter()
            .flatten()
            .reduce(|best, next| if next.0 > best.0 { next } else { best })
    }
}

fn n_codes(column: &Column) -> usize {
    if *column.kind() == Kind::Flag { 2 } else { column.kind().levels().len() }
}

fn level_name(column: &Column, code: usize) -> Option<String> {
    match column.kind() {
        Kind::Flag => Some(code.to_string()),
        kind => kind.levels().get(code).cloned(),
    }
}

/// Whether a condition holds for a row.
fn holds(condition: &Condition, dataset: &Dataset, row: u32) -> bool {
    let row = row as usize;
    let number = |column: &str| match dataset.column(column).map(Column::values) {
        Some(Values::Numbers(numbers)) => numbers[row],
        _ => f64::NAN,
    };
    match condition {
        Condition::Above { column, value } => number(column) > *value,
        Condition::AtMost { column, value } => number(column) <= *value,
        Condition::Missing { column } => match dataset.column(column).map(Column::values) {
            Some(Values::Numbers(numbers)) => numbers[row].is_nan(),
            Some(Values::Codes(codes)) => codes[row] == MISSING,
            None => false,
        },
        Condition::OneOf { column, levels } => dataset.column(column).is_some_and(|column| {
            let level = match column.values() {
                Values::Codes(codes) => level_name(column, codes[row] as usize),
                Values::Numbers(_) => None,
            };
            level.is_some_and(|level| levels.contains(&level))
        }),
    }
}
