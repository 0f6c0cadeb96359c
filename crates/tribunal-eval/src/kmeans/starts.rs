//! Starts by k-means++ (Arthur and Vassilvitskii 2007): centres are drawn among the rows, each with a chance in proportion to its
//! squared distance to the nearest centre that was drawn before.

use rayon::prelude::*;
use tribunal_random::Random;

use super::{Points, squared_distance};

/// So many rows are summed in one piece, whatever the number of threads.
const PIECE: usize = 8192;

/// As many centres as clusters, one after the other.
pub(super) fn draw_starts(points: &Points<'_>, n_clusters: usize, seed: u64) -> Vec<f64> {
    let mut random = Random::new(seed);
    let width = points.n_columns();
    let first = random.below(points.n_rows() as u64) as usize;
    let mut centres = points.row(first).to_vec();
    let mut nearest = vec![f64::INFINITY; points.n_rows()];
    for place in 1..n_clusters {
        let newest = &centres[(place - 1) * width..place * width];
        let pieces = nearest.par_chunks_mut(PIECE).zip(points.values().par_chunks(PIECE * width));
        let sums: Vec<f64> = pieces
            .map(|(nearest, values)| {
                let rows = nearest.iter_mut().zip(values.chunks_exact(width));
                rows.map(|(nearest, row)| {
                    *nearest = nearest.min(squared_distance(row, newest));
                    *nearest
                })
                .sum()
            })
            .collect();
        let drawn = place_of(random.uniform() * sums.iter().sum::<f64>(), &sums, &nearest);
        centres.extend_from_slice(points.row(drawn));
    }
    centres
}

/// The row at which the running sum of squared distances reaches `at`.
fn place_of(mut at: f64, sums: &[f64], nearest: &[f64]) -> usize {
    for (piece, sum) in sums.iter().enumerate() {
        if at < *sum {
            for (row, distance) in nearest.iter().enumerate().skip(piece * PIECE).take(PIECE) {
                if *distance > 0.0 && at < *distance {
                    return row;
                }
                at -= distance;
            }
        } else {
            at -= sum;
        }
    }
    // Rounding errors alone lead here: the last row that lies anywhere else.
    nearest.iter().rposition(|distance| *distance > 0.0).unwrap_or(0)
}
