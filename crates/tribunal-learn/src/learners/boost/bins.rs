//! Numbers cut at weighted quantiles: boosted trees are split at the cuts, so that sums over bins stand for rows.
//!
//! A column of up to 257 values is cut at each of them, any other at up to 256 quantiles by weight. The bin of a number is how
//! many cuts are at or below it; missing values have bin 0.
//!
//! **Reference** Chen and Guestrin 2016 (weighted quantiles); Ke and others 2017 (histograms).

use std::cmp::Ordering;

use rayon::prelude::*;

use crate::encoding::Matrix;

const N_QUANTILES: usize = 256;

/// The most cuts that are counted one by one rather than halved.
const FEW_CUTS: usize = 8;

/// Terms that are added up side by side.
pub(super) const N_LANES: usize = 16;

/// The columns that trees may be split on, as bins.
pub(super) struct Bins {
    n_rows: usize,
    columns: Vec<BinnedColumn>,
}

/// A column: its cuts, the last of which no split is at, and the bin of each row.
pub(super) struct BinnedColumn {
    cuts: Vec<f64>,
    bins: Vec<u16>,
}

impl Bins {
    /// Some features of a matrix of weighted rows.
    pub(super) fn new(matrix: &Matrix, features: &[usize], weights: &[f64], on_all_cores: bool) -> Bins {
        let binned = |&feature: &usize| BinnedColumn::new(matrix.column(feature), weights);
        let columns = match on_all_cores {
            true => features.par_iter().map(binned).collect(),
            false => features.iter().map(binned).collect(),
        };
        Bins { n_rows: matrix.n_rows(), columns }
    }

    pub(super) fn n_rows(&self) -> usize {
        self.n_rows
    }

    pub(super) fn n_columns(&self) -> usize {
        self.columns.len()
    }

    pub(super) fn column(&self, idx: usize) -> &BinnedColumn {
        &self.columns[idx]
    }
}

impl BinnedColumn {
    fn new(values: &[f64], weights: &[f64]) -> BinnedColumn {
        let cuts = cuts(values, weights);
        let bin = |value: &f64| match value.is_nan() {
            true => 0,
            false if cuts.len() <= FEW_CUTS => cuts.iter().filter(|&cut| cut <= value).count() as u16,
            false => cuts.partition_point(|cut| cut <= value) as u16,
        };
        let bins = values.iter().map(bin).collect();
        BinnedColumn { cuts, bins }
    }

    /// The bins that sums are made for. Numbers at the last cut, which is the largest there is, have a bin beyond.
    pub(super) fn n_bins(&self) -> usize {
        self.cuts.len()
    }

    /// The number that rows of lower bins are below.
    pub(super) fn lower_end(&self, bin: u16) -> f64 {
        self.cuts[usize::from(bin) - 1]
    }

    /// The bin of each row.
    pub(super) fn bins(&self) -> &[u16] {
        &self.bins
    }
}

/// The numbers that a column is cut at, in order, and the largest number there is.
fn cuts(values: &[f64], weights: &[f64]) -> Vec<f64> {
    let (values, weights): (Vec<f64>, Vec<f64>) =
        values.iter().zip(weights).filter(|(value, _)| !value.is_nan()).unzip();
    let mut cuts = match weights.windows(2).all(|pair| pair[0] == pair[1]) {
        true => cuts_of_equals(values, &weights),
        false => cuts_of_weighted(&values, &weights),
    };
    cuts.push(f64::MAX);
    cuts.dedup();
    cuts
}

/// The cuts of rows that weigh the same.
fn cuts_of_equals(mut values: Vec<f64>, weights: &[f64]) -> Vec<f64> {
    values.sort_unstable_by(by_size);
    let sorted = values.into_iter();
    distinct(sorted.clone()).unwrap_or_else(|| quantiles(sorted.zip(weights.iter().copied()), sum(weights)))
}

fn cuts_of_weighted(values: &[f64], weights: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|&a, &b| by_size(&values[a], &values[b]));
    let sorted = order.iter().map(|&place| values[place]);
    let of_weights = order.iter().map(|&place| weights[place]);
    distinct(sorted.clone()).unwrap_or_else(|| quantiles(sorted.zip(of_weights), sum(weights)))
}

/// Of numbers that are not missing; both zeros are one number.
fn by_size(a: &f64, b: &f64) -> Ordering {
    a.partial_cmp(b).unwrap_or(Ordering::Equal)
}

/// The distinct of sorted numbers, if they are few.
fn distinct(sorted: impl Iterator<Item = f64>) -> Option<Vec<f64>> {
    let mut found: Vec<f64> = Vec::new();
    for value in sorted {
        if found.last() != Some(&value) {
            if found.len() > N_QUANTILES {
                return None;
            }
            found.push(value);
        }
    }
    Some(found)
}

/// The numbers where the share of the weight reaches 0, 1/256, 2/256...; some more than once.
fn quantiles(sorted: impl Iterator<Item = (f64, f64)>, total: f64) -> Vec<f64> {
    let mut found = Vec::with_capacity(N_QUANTILES);
    let (mut share, mut current) = (0.0, f64::NAN);
    for (value, weight) in sorted {
        if current != value {
            current = value;
        }
        share += weight / total;
        while share >= found.len() as f64 / N_QUANTILES as f64 {
            found.push(current);
            if found.len() == N_QUANTILES {
                return found;
            }
        }
    }
    found
}

/// A sum whose terms are added up side by side, every sixteenth with each other.
fn sum(terms: &[f64]) -> f64 {
    let chunks = terms.chunks_exact(N_LANES);
    let rest: f64 = chunks.remainder().iter().sum();
    let lanes = chunks.fold([0.0; N_LANES], |mut lanes, chunk| {
        lanes.iter_mut().zip(chunk).for_each(|(lane, term)| *lane += term);
        lanes
    });
    lanes.iter().sum::<f64>() + rest
}
