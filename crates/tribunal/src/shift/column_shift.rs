//! How each column shifts: its stability index, a test, where its values moved, and which are new.
//!
//! Numbers are put into the deciles of the training table for the index and compared by the Kolmogorov-Smirnov test; whether they
//! are there is tested apart, since the test of numbers sees only those that are. Levels are compared by chi-square, with missing as
//! a level of its own. One sort of each table's values does for all of it.

use tribunal_eval::significance::{
    TwoCounts, TwoSamples, chi_square_homogeneity, ks_two_sample, pooled_cells, population_stability_index,
};
use tribunal_learn::MISSING;

use super::paired_columns::{PairedColumn, PairedValues};
use super::results::{
    ColumnShift, LevelShift, MovedLevel, NumberShift, ShiftDirection, ShiftSize, ShiftTest, Sides,
    UnsharedLevels,
};
use crate::describe::{ColumnKind, LevelCount};

/// Levels with at least this share of the rows, the mean of both tables, have a cell of their own in the stability index, and an
/// indicator for the domain classifier; the others are taken together.
pub(super) const LEAST_LEVEL_SHARE: f64 = 0.01;
/// Numbers are put into so many bins of equally many training rows.
const BINS: usize = 10;
/// So many levels are named.
const NAMED_LEVELS: usize = 5;

/// The shift of a column; p values are yet to be adjusted.
pub(super) fn column_shift(column: &PairedColumn<'_>) -> ColumnShift {
    match &column.values {
        PairedValues::Numbers(numbers) => number_shift(column, numbers.as_ref().map(|numbers| &**numbers)),
        PairedValues::Codes { codes, levels } => {
            level_shift(column, codes.as_ref().map(|codes| &**codes), levels)
        }
    }
}

fn described(column: &PairedColumn<'_>, cells: &[TwoCounts], test: ShiftTest) -> ColumnShift {
    // A table without rows was refused before.
    let (psi, psi_by_chance) =
        population_stability_index(cells).map_or((0.0, 0.0), |index| (index.psi, index.by_chance));
    ColumnShift {
        column: column.name.to_owned(),
        kind: ColumnKind::from(&column.kind),
        missing: column.values.missing(),
        psi,
        psi_by_chance,
        n_cells: cells.iter().filter(|cell| cell.total() > 0).count() as u64,
        size: ShiftSize::of(psi),
        test,
        missing_test: None,
        is_shown: false,
        numbers: None,
        levels: None,
    }
}

fn number_shift(column: &PairedColumn<'_>, numbers: Sides<&[f64]>) -> ColumnShift {
    let present = numbers.map(|numbers| {
        let mut present: Vec<f64> = numbers.iter().filter(|x| !x.is_nan()).map(|x| x + 0.0).collect();
        present.sort_unstable_by(f64::total_cmp);
        present
    });
    let missing = TwoCounts {
        first: (numbers.training.len() - present.training.len()) as u64,
        second: (numbers.population.len() - present.population.len()) as u64,
    };
    let there = TwoCounts { first: present.training.len() as u64, second: present.population.len() as u64 };
    let mut cells = binned(&present);
    cells.push(missing);
    let shift = described(column, &cells, kolmogorov_smirnov(&present.training, &present.population));
    ColumnShift {
        missing_test: (missing.total() > 0).then(|| presence_test(there, missing)),
        numbers: Some(moved_numbers(&present)),
        ..shift
    }
}

/// Whether values are missing as often in both tables; with few rows the exact test of Kolmogorov and Smirnov on zeros and ones, of
/// which any two shares have one.
fn presence_test(there: TwoCounts, missing: TwoCounts) -> ShiftTest {
    let flags = |n_there: u64, n_missing: u64| {
        let zeros = std::iter::repeat_n(0.0, n_there as usize);
        zeros.chain(std::iter::repeat_n(1.0, n_missing as usize)).collect::<Vec<f64>>()
    };
    match chi_square(&[there, missing]) {
        ShiftTest::TooFewCases => {
            kolmogorov_smirnov(&flags(there.first, missing.first), &flags(there.second, missing.second))
        }
        found => found,
    }
}

fn kolmogorov_smirnov(first: &[f64], second: &[f64]) -> ShiftTest {
    match ks_two_sample(TwoSamples { first, second }) {
        Ok(outcome) => ShiftTest::KolmogorovSmirnov { outcome, p_adjusted: outcome.p },
        Err(_) => ShiftTest::TooFewCases,
    }
}

fn chi_square(levels: &[TwoCounts]) -> ShiftTest {
    match chi_square_homogeneity(&pooled_cells(levels)) {
        Ok(outcome) => ShiftTest::ChiSquare { outcome, p_adjusted: outcome.p },
        Err(_) => ShiftTest::TooFewCases,
    }
}

/// The rows of each bin between the deciles of the training table; a bin holds its upper end.
fn binned(present: &Sides<Vec<f64>>) -> Vec<TwoCounts> {
    let mut edges: Vec<f64> =
        (1..BINS).filter_map(|bin| quantile(&present.training, bin as f64 / BINS as f64)).collect();
    edges.dedup();
    let below = |sorted: &[f64]| -> Vec<u64> {
        let ends = edges.iter().map(|edge| sorted.partition_point(|x| x <= edge));
        let ends: Vec<usize> = ends.chain([sorted.len()]).collect();
        let starts = [0].into_iter().chain(ends.iter().copied());
        starts.zip(&ends).map(|(start, end)| (end - start) as u64).collect()
    };
    let (first, second) = (below(&present.training), below(&present.population));
    first.into_iter().zip(second).map(|(first, second)| TwoCounts { first, second }).collect()
}

/// A quantile of sorted numbers, between two of them where it falls between (Hyndman and Fan's seventh).
fn quantile(sorted: &[f64], probability: f64) -> Option<f64> {
    let place = probability * sorted.len().checked_sub(1)? as f64;
    let (low, high) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    let rest = place.fract();
    // A sum of parts: the difference of two huge numbers may not be finite.
    Some(if low == high { low } else { low * (1.0 - rest) + high * rest })
}

fn moved_numbers(present: &Sides<Vec<f64>>) -> NumberShift {
    let mean = |numbers: &Vec<f64>| {
        let n = numbers.len() as f64;
        Some(numbers.iter().map(|x| x / n).sum::<f64>()).filter(|mean| n > 0.0 && mean.is_finite())
    };
    let (least, greatest) = (present.training.first().copied(), present.training.last().copied());
    let rows_below = least.map_or(0, |least| present.population.partition_point(|x| *x < least));
    let rows_above = greatest.map_or(0, |greatest| {
        present.population.len() - present.population.partition_point(|x| *x <= greatest)
    });
    NumberShift {
        direction: direction(present),
        mean: present.as_ref().map(mean),
        median: present.as_ref().map(|numbers| quantile(numbers, 0.5)),
        least,
        greatest,
        rows_below: rows_below as u64,
        rows_above: rows_above as u64,
    }
}

/// Which table's number is more often the larger one of a random pair.
fn direction(present: &Sides<Vec<f64>>) -> ShiftDirection {
    let (mut below, mut through) = (0, 0);
    let mut balance = 0_i128;
    for x in &present.population {
        while present.training.get(below).is_some_and(|y| y < x) {
            below += 1;
        }
        through = through.max(below);
        while present.training.get(through).is_some_and(|y| y <= x) {
            through += 1;
        }
        balance += (below + through) as i128 - present.training.len() as i128;
    }
    match balance {
        0 => ShiftDirection::Neither,
        balance if balance > 0 => ShiftDirection::Higher,
        _ => ShiftDirection::Lower,
    }
}

fn level_shift(column: &PairedColumn<'_>, codes: Sides<&[u32]>, levels: &[String]) -> ColumnShift {
    let counts = level_counts(codes, levels.len());
    let rows = codes.map(|codes| codes.len() as f64);
    let mut cells: Vec<TwoCounts> = Vec::new();
    let mut rest = TwoCounts::default();
    let (named, missing) = counts.split_at(levels.len());
    for level in named {
        if mean_share(level, rows) >= LEAST_LEVEL_SHARE {
            cells.push(*level);
        } else {
            rest = TwoCounts { first: rest.first + level.first, second: rest.second + level.second };
        }
    }
    cells.push(rest);
    cells.extend(missing);
    let shift = described(column, &cells, chi_square(&counts));
    ColumnShift { levels: Some(moved_levels(named, levels, rows)), ..shift }
}

/// The rows of each level, and at last of those without one.
pub(super) fn level_counts(codes: Sides<&[u32]>, n_levels: usize) -> Vec<TwoCounts> {
    let mut counts = vec![TwoCounts::default(); n_levels + 1];
    let place = |code: u32| if code == MISSING { n_levels } else { code as usize };
    codes.training.iter().for_each(|&code| counts[place(code)].first += 1);
    codes.population.iter().for_each(|&code| counts[place(code)].second += 1);
    counts
}

/// The mean of the shares of a level in both tables.
pub(super) fn mean_share(level: &TwoCounts, rows: Sides<f64>) -> f64 {
    (level.first as f64 / rows.training.max(1.0) + level.second as f64 / rows.population.max(1.0)) / 2.0
}

fn moved_levels(counts: &[TwoCounts], levels: &[String], rows: Sides<f64>) -> LevelShift {
    let unshared = |own: fn(&TwoCounts) -> u64, other: fn(&TwoCounts) -> u64| {
        let is_own = |(_, count): &(&String, &TwoCounts)| own(count) > 0 && other(count) == 0;
        let mut found: Vec<(&String, u64)> =
            levels.iter().zip(counts).filter(is_own).map(|(level, count)| (level, own(count))).collect();
        found.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        UnsharedLevels {
            n_levels: found.len() as u64,
            rows: found.iter().map(|(_, rows)| rows).sum(),
            most_frequent: found
                .iter()
                .take(NAMED_LEVELS)
                .map(|&(level, rows)| LevelCount { level: level.clone(), rows })
                .collect(),
        }
    };
    let share = |count: &TwoCounts| Sides {
        training: count.first as f64 / rows.training.max(1.0),
        population: count.second as f64 / rows.population.max(1.0),
    };
    let mut moved: Vec<(&String, Sides<f64>)> = levels
        .iter()
        .zip(counts.iter().map(share))
        .filter(|(_, share)| share.training != share.population)
        .collect();
    let by = |share: &Sides<f64>| (share.population - share.training).abs();
    moved.sort_by(|a, b| by(&b.1).total_cmp(&by(&a.1)).then_with(|| a.0.cmp(b.0)));
    LevelShift {
        only_in_training: unshared(|count| count.first, |count| count.second),
        only_in_population: unshared(|count| count.second, |count| count.first),
        moved: moved
            .into_iter()
            .take(NAMED_LEVELS)
            .map(|(level, share)| MovedLevel { level: level.clone(), share })
            .collect(),
    }
}
