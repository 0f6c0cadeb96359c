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
    let (mut rows, mut weights) = (RowsByColumn::none(samples.labelled.n_columns()), Vec::new());
    for (matrix, of_rows) in
        [(&samples.labelled, &samples.labelled_weights), (&samples.unlabelled, &samples.unlabelled_weights)]
    {
        let drawn = drawn_rows(of_rows, MOST_ROWS, &mut random);
        let total: f64 = drawn.iter().map(|&row| of_rows[row]).sum();
        weights.extend(drawn.iter().map(|&row| of_rows[row] / total));
        rows.add(matrix, &drawn);
    }
    let mut distances = Vec::with_capacity(weights.len() * weights.len() / 2);
    let mut to_before = vec![0.0; weights.len()];
    for (idx, of_row) in weights.iter().enumerate() {
        let to_before = &mut to_before[..idx];
        rows.squared_distances(&rows.row(idx), 0, to_before);
        let pairs = to_before.iter().zip(&weights).map(|(&distance, of_other)| (distance, of_row * of_other));
        distances.extend(pairs.filter(|&(distance, _)| distance > 0.0));
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

/// Rows of a matrix column by column: the distances of a row to many others are computed side by side.
pub(super) struct RowsByColumn {
    columns: Vec<Vec<f64>>,
}

impl RowsByColumn {
    fn none(n_columns: usize) -> Self {
        Self { columns: vec![Vec::new(); n_columns] }
    }

    pub(super) fn of(matrix: &Matrix, rows: &[usize]) -> Self {
        let mut of_matrix = Self::none(matrix.n_columns());
        of_matrix.add(matrix, rows);
        of_matrix
    }

    fn add(&mut self, matrix: &Matrix, rows: &[usize]) {
        for (idx, column) in self.columns.iter_mut().enumerate() {
            column.extend(rows.iter().map(|&row| matrix.column(idx)[row]));
        }
    }

    pub(super) fn row(&self, row: usize) -> Vec<f64> {
        self.columns.iter().map(|column| column[row]).collect()
    }

    /// The squared distances of a row to these from a first one on, as many as there is room for.
    pub(super) fn squared_distances(&self, row: &[f64], first: usize, distances: &mut [f64]) {
        distances.fill(0.0);
        let end = first + distances.len();
        for (column, value) in self.columns.iter().zip(row) {
            for (distance, other) in distances.iter_mut().zip(&column[first..end]) {
                *distance += (value - other) * (value - other);
            }
        }
    }
}

/// The value below and above which half of the weight is, the mean of two where any value between them is.
///
/// Of very many values it is told without sorting them: the part that it is in is halved until it is the middle.
fn weighted_median(mut values: Vec<(f64, f64)>) -> Option<f64> {
    let weight_of = |values: &[(f64, f64)]| values.iter().map(|(_, weight)| weight).sum::<f64>();
    let total = weight_of(&values);
    let needed = total / 2.0 * (1.0 - ROUNDING);
    let (mut start, mut end, mut below) = (0, values.len(), 0.0);
    while start < end {
        let middle = start + (end - start) / 2;
        values[start..end].select_nth_unstable_by(middle - start, |a, b| a.0.total_cmp(&b.0));
        let (value, weight) = values[middle];
        let before = below + weight_of(&values[start..middle]);
        if before >= needed {
            end = middle;
        } else if before + weight < needed {
            (start, below) = (middle + 1, before + weight);
        } else {
            let is_between = (before + weight - total / 2.0).abs() <= ROUNDING * total;
            let next = values[middle + 1..].iter().map(|&(value, _)| value).min_by(f64::total_cmp);
            return Some((value + next.filter(|_| is_between).unwrap_or(value)) / 2.0);
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

    #[test]
    fn medians_are_those_of_sorted_values() {
        let sorted = |mut values: Vec<(f64, f64)>| {
            values.sort_by(|a, b| a.0.total_cmp(&b.0));
            let total: f64 = values.iter().map(|(_, weight)| weight).sum();
            let mut below = 0.0;
            let at = values.iter().position(|(_, weight)| {
                below += weight;
                below >= total / 2.0
            });
            let at = at.expect("a middle");
            let next = if below == total / 2.0 { values[at + 1].0 } else { values[at].0 };
            (values[at].0 + next) / 2.0
        };
        let mut random = Random::new(1);
        for round in 0..2000 {
            let n_values = 1 + random.below(30);
            let mut draw = || (random.below(1 + round % 50) as f64, 0.25 * (1 + random.below(3)) as f64);
            let values: Vec<(f64, f64)> = (0..n_values).map(|_| draw()).collect();
            assert_eq!(weighted_median(values.clone()), Some(sorted(values)));
        }
    }

    #[test]
    fn distances_are_sums_over_columns() {
        let matrix = Matrix::from_columns(3, vec![vec![0.0, 1.0, 4.0], vec![2.0, 2.0, -1.0]]);
        let rows = RowsByColumn::of(&matrix, &[2, 0, 1]);
        let mut distances = [0.0; 2];
        rows.squared_distances(&rows.row(0), 1, &mut distances);
        assert_eq!(distances, [25.0, 18.0]);
    }
}
