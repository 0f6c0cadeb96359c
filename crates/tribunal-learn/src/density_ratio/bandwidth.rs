//! The bandwidth of a kernel from the distances between rows.

use tribunal_random::Random;

use super::sample_pair::SamplePair;
use crate::encoding::Matrix;

/// Distances are those of so many rows of each sample.
const MOST_ROWS: usize = 1000;
const BANDWIDTH_TAG: u64 = 1;
const ROUNDING: f64 = 1e-12;

/// The median of the positive squared distances between rows of both samples, which weigh the same in all; 1 where all rows are
/// equal. Of large samples some rows are drawn.
///
/// Rows that are equal tell nothing of a scale, and repeating all rows of a sample changes nothing.
pub(super) fn median_squared_distance(samples: &SamplePair, seed: u64) -> f64 {
    let mut random = Random::derived(seed, &[BANDWIDTH_TAG]);
    let mut rows = Vec::new();
    for (matrix, weights) in
        [(&samples.labelled, &samples.labelled_weights), (&samples.unlabelled, &samples.unlabelled_weights)]
    {
        let drawn = drawn_rows(weights, MOST_ROWS, &mut random);
        let total: f64 = drawn.iter().map(|&row| weights[row]).sum();
        rows.extend(drawn.into_iter().map(|row| (row_of(matrix, row), weights[row] / total)));
    }
    let mut distances = Vec::with_capacity(rows.len() * rows.len() / 2);
    for (idx, (a, of_a)) in rows.iter().enumerate() {
        for (b, of_b) in &rows[..idx] {
            let distance = squared_distance(a, b);
            if distance > 0.0 {
                distances.push((distance, of_a * of_b));
            }
        }
    }
    weighted_median(distances).unwrap_or(1.0)
}

/// Rows that carry weight; of more than so many, some drawn at random, in their order.
pub(super) fn drawn_rows(weights: &[f64], most: usize, random: &mut Random) -> Vec<usize> {
    let mut rows: Vec<usize> = (0..weights.len()).filter(|&row| weights[row] > 0.0).collect();
    if rows.len() > most {
        random.shuffle(&mut rows);
        rows.truncate(most);
        rows.sort_unstable();
    }
    rows
}

pub(super) fn row_of(matrix: &Matrix, row: usize) -> Vec<f64> {
    (0..matrix.n_columns()).map(|column| matrix.column(column)[row]).collect()
}

pub(super) fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

/// The value below and above which half of the weight is, the mean of two where any value between them is.
fn weighted_median(mut values: Vec<(f64, f64)>) -> Option<f64> {
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let total: f64 = values.iter().map(|(_, weight)| weight).sum();
    let mut below = 0.0;
    for (idx, (value, weight)) in values.iter().enumerate() {
        below += weight;
        if below >= total / 2.0 * (1.0 - ROUNDING) {
            let is_between = (below - total / 2.0).abs() <= ROUNDING * total;
            let next = values.get(idx + 1).filter(|_| is_between).map_or(*value, |next| next.0);
            return Some((value + next) / 2.0);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_are_between_the_middle_two() {
        let equal = |values: &[f64]| weighted_median(values.iter().map(|&value| (value, 0.1)).collect());
        assert_eq!(equal(&[]), None);
        assert_eq!(equal(&[4.0]), Some(4.0));
        assert_eq!(equal(&[9.0, 1.0, 4.0]), Some(4.0));
        assert_eq!(equal(&[9.0, 1.0, 4.0, 2.0]), Some(3.0));
        assert_eq!(weighted_median(vec![(1.0, 3.0), (2.0, 1.0), (3.0, 1.0)]), Some(1.0));
    }
}
