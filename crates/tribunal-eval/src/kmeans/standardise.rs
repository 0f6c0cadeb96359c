//! Columns on a common scale: mean 0 and standard deviation 1.

use crate::sum::Sum;

/// Means and standard deviations of columns.
///
/// ```
/// use tribunal_eval::kmeans::Standardiser;
///
/// let scale = Standardiser::of(&[&[1.0, 3.0], &[7.0, 7.0]]);
/// // A constant column says nothing and becomes zero.
/// assert_eq!(scale.rows(&[&[1.0, 5.0], &[7.0, 8.0]]), [-1.0, 0.0, 3.0, 0.0]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Standardiser {
    means: Vec<f64>,
    deviations: Vec<f64>,
}

impl Standardiser {
    /// Of the columns of a population; values that are no finite numbers do not count.
    pub fn of(columns: &[&[f64]]) -> Self {
        let finite =
            |column: &&[f64]| column.iter().copied().filter(|value| value.is_finite()).collect::<Vec<f64>>();
        let (mut means, mut deviations) = (Vec::new(), Vec::new());
        for column in columns {
            let values = finite(column);
            let n = values.len().max(1) as f64;
            let mean = values.iter().copied().collect::<Sum>().value() / n;
            let squares = values.iter().map(|value| (value - mean).powi(2)).collect::<Sum>().value();
            means.push(mean);
            deviations.push((squares / n).sqrt());
        }
        Self { means, deviations }
    }

    /// The standardised value of a column; what is missing is its mean.
    pub fn value(&self, column: usize, value: f64) -> f64 {
        let (mean, deviation) = (self.means[column], self.deviations[column]);
        // Rounding errors leave a tiny deviation of equal values.
        let varies = deviation > 1e-12 * mean.abs();
        if varies && value.is_finite() { (value - mean) / deviation } else { 0.0 }
    }

    /// Columns as standardised rows, one after the other.
    pub fn rows(&self, columns: &[&[f64]]) -> Vec<f64> {
        let (n_rows, n_columns) = (columns.first().map_or(0, |column| column.len()), columns.len());
        let mut rows = vec![0.0; n_rows * n_columns];
        for (place, column) in columns.iter().enumerate() {
            let cells = rows.iter_mut().skip(place).step_by(n_columns.max(1));
            cells.zip(*column).for_each(|(cell, value)| *cell = self.value(place, *value));
        }
        rows
    }

    /// The means of the columns.
    pub fn means(&self) -> &[f64] {
        &self.means
    }

    /// The standard deviations of the columns.
    pub fn deviations(&self) -> &[f64] {
        &self.deviations
    }
}
