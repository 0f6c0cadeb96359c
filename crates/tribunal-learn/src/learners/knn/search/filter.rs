//! A quick look at many rows in single precision, which rules out those that are too far away for sure.
//!
//! A row z is not farther from q than the limit l if q.z - |z|^2 / 2 >= (|q|^2 - l) / 2. The left side is a product of two
//! rows with one more column, which takes one operation for each column where a distance takes three, in half of the bits.
//! With n columns and u = 2^-24 it is wrong by at most (n + 4) u (|q|^2 / 2 + |z|^2) and a little more (Higham 2002, section
//! 3.1); both sides are moved apart by more than twice as much, so that rounding never rules anybody out.

use std::ops::Range;

use pulp::{Simd, WithSimd, bytemuck};

use super::square_length;
use crate::learners::knn::points::Points;

/// Training rows that are looked at together.
const LANES: usize = 16;

/// Rows to be judged that are looked at together: as many sums as vector registers hold.
pub(super) const TILE: usize = 12;

/// Lengths whose squares are beyond this might leave the range of single precision; such rows are never ruled out.
const LONGEST: f64 = 1e30;

/// Products that are too small for single precision add no more than this.
const TINY: f64 = 1e-12;

/// Training rows, group by group, within a group column by column after half of the negative squared length.
#[derive(Clone, Debug)]
pub(super) struct Filter {
    values: Vec<f32>,
    width: usize,
}

/// Rows to be judged, column by column after a column of ones, with what their products must reach.
#[derive(Clone, Debug)]
pub(super) struct Tile {
    values: Vec<f32>,
    square_lengths: Vec<f64>,
    bounds: [f32; TILE],
}

/// The share of squared lengths by which both sides are moved apart.
fn slack(n_columns: usize) -> f64 {
    2.5 * (n_columns + 8) as f64 * 2_f64.powi(-24)
}

impl Filter {
    /// The rows of an order.
    pub(super) fn new(points: &Points, order: &[u32]) -> Filter {
        let width = (points.n_columns + 1) * LANES;
        let mut values = vec![0.0; order.len().div_ceil(LANES) * width];
        let share = 0.5 - slack(points.n_columns);
        for (place, &row) in order.iter().enumerate() {
            let (row, group) = (points.row(row as usize), &mut values[place / LANES * width..][..width]);
            let columns = std::iter::once(-share * square_length(row)).chain(row.iter().copied());
            for (column, value) in group.chunks_exact_mut(LANES).zip(columns) {
                column[place % LANES] = value as f32;
            }
        }
        Filter { values, width }
    }

    /// Which places hold rows that may be near enough to which rows of a tile.
    pub(super) fn pass(&self, tile: &Tile, places: Range<usize>) -> Vec<(usize, usize)> {
        pulp::Arch::new().dispatch(Pass { filter: self, tile, places })
    }
}

impl Tile {
    pub(super) fn new(n_columns: usize, rows: &[&[f64]]) -> Tile {
        let mut values = vec![0.0; (n_columns + 1) * TILE];
        for (idx, row) in rows.iter().enumerate() {
            let columns = std::iter::once(1.0).chain(row.iter().copied());
            for (column, value) in values.chunks_exact_mut(TILE).zip(columns) {
                column[idx] = value as f32;
            }
        }
        let square_lengths = rows.iter().map(|row| square_length(row)).collect();
        Tile { values, square_lengths, bounds: [f32::INFINITY; TILE] }
    }

    /// Lets rows pass that may be within the limit of a row, or none, among rows of at most the squared length `longest`.
    pub(super) fn ask(&mut self, idx: usize, limit: Option<f64>, longest: f64) {
        let (square_length, n_columns) = (self.square_lengths[idx], self.values.len() / TILE - 1);
        self.bounds[idx] = match limit {
            None => f32::INFINITY,
            Some(_) if square_length.max(longest) > LONGEST => f32::NEG_INFINITY,
            Some(limit) => {
                let bound = (square_length * (1.0 - 2.0 * slack(n_columns)) - limit) / 2.0 - TINY;
                (bound as f32).next_down()
            }
        };
    }
}

/// One pass of a tile over some places.
struct Pass<'a> {
    filter: &'a Filter,
    tile: &'a Tile,
    places: Range<usize>,
}

impl WithSimd for Pass<'_> {
    type Output = Vec<(usize, usize)>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Self::Output {
        let Pass { filter, tile, places } = self;
        let mut found = Vec::new();
        let lets_all_pass = tile.bounds.contains(&f32::NEG_INFINITY);
        for group in places.start / LANES..places.end.div_ceil(LANES) {
            let (columns, _) = filter.values[group * filter.width..][..filter.width].as_chunks::<LANES>();
            for part in 0..LANES / S::F32_LANES {
                let sums = products(simd, columns, &tile.values, part);
                if lets_all_pass || any_reaches(simd, &sums, &tile.bounds) {
                    let first = group * LANES + part * S::F32_LANES;
                    note::<S>(&sums, &tile.bounds[..tile.square_lengths.len()], first, &places, &mut found);
                }
            }
        }
        found
    }
}

/// The products of all rows of a tile with some rows of a group.
#[inline(always)]
fn products<S: Simd>(simd: S, columns: &[[f32; LANES]], tile: &[f32], part: usize) -> [S::f32s; TILE] {
    let mut sums = [simd.splat_f32s(0.0); TILE];
    let (tile, _) = tile.as_chunks::<TILE>();
    for (column, values) in columns.iter().zip(tile) {
        let rows = S::as_simd_f32s(column).0[part];
        for (sum, &value) in sums.iter_mut().zip(values) {
            *sum = simd.mul_add_e_f32s(simd.splat_f32s(value), rows, *sum);
        }
    }
    sums
}

#[inline(always)]
fn any_reaches<S: Simd>(simd: S, sums: &[S::f32s; TILE], bounds: &[f32; TILE]) -> bool {
    let mut most = simd.splat_f32s(f32::NEG_INFINITY);
    for (sum, &bound) in sums.iter().zip(bounds) {
        most = simd.max_f32s(most, simd.sub_f32s(*sum, simd.splat_f32s(bound)));
    }
    simd.reduce_max_f32s(most) >= 0.0
}

/// Notes what is not ruled out; sums that are no numbers rule out nothing.
#[inline(always)]
fn note<S: Simd>(
    sums: &[S::f32s; TILE],
    bounds: &[f32],
    first: usize,
    places: &Range<usize>,
    found: &mut Vec<(usize, usize)>,
) {
    for (idx, (sums, &bound)) in sums.iter().zip(bounds).enumerate() {
        let sums: &[f32] = bytemuck::cast_slice(std::slice::from_ref(sums));
        for (place, &sum) in (first..).zip(sums) {
            let is_ruled_out = sum < bound;
            if !is_ruled_out && places.contains(&place) {
                found.push((idx, place));
            }
        }
    }
}
