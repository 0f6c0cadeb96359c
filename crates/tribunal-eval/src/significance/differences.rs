//! The differences of two algorithms, run by run: what the paired tests work on.
//!
//! A difference within a fold is free of the fold's own difficulty; pairing is what makes ten folds say something.
//! Reference: Student (1908), "The probable error of a mean".

use serde::Serialize;

use super::fold_table::{FoldTable, mean};
use crate::checks::{all_finite, at_least};
use crate::error::Error;

/// At least two differences of one algorithm less another, one for each run on the same rows.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Differences(Vec<f64>);

impl Differences {
    /// Differences computed elsewhere.
    ///
    /// **Undefined when** there are fewer than two or one is not finite.
    pub fn new(differences: Vec<f64>) -> Result<Self, Error> {
        at_least("differences", differences.len(), 2)?;
        all_finite("difference", &differences)?;
        Ok(Self(differences))
    }

    /// The first algorithm of a table less the second, fold by fold.
    ///
    /// **Undefined when** the table has no such algorithm.
    ///
    /// **Example**
    /// ```
    /// use tribunal_eval::significance::{Differences, FoldTable};
    /// let cells = [("a", "1", 0.75), ("a", "2", 0.5), ("b", "1", 0.5), ("b", "2", 0.75)];
    /// let differences = Differences::between(&FoldTable::from_cells(cells)?, 0, 1)?;
    /// assert_eq!(differences.values(), [0.25, -0.25]);
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    pub fn between(table: &FoldTable, first: usize, second: usize) -> Result<Self, Error> {
        at_least("algorithms in the table", table.algorithms().len(), first.max(second) + 1)?;
        Self::new(table.row(first).iter().zip(table.row(second)).map(|(a, b)| a - b).collect())
    }

    /// The differences.
    pub fn values(&self) -> &[f64] {
        &self.0
    }

    /// Whether they are all equal but for rounding, which shows nothing of how they vary.
    pub fn are_constant(&self) -> bool {
        let first = self.0[0];
        self.0.iter().all(|difference| (difference - first).abs() <= 1e-12 * first.abs().max(1.0))
    }

    /// Their mean.
    pub fn mean(&self) -> f64 {
        mean(&self.0)
    }

    /// Their sample variance, with one less than their number as divisor; exactly 0 when it is mere rounding.
    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        let largest = self.0.iter().fold(0.0, |largest: f64, d| largest.max(d.abs()));
        let variance =
            self.0.iter().map(|d| (d - mean) * (d - mean)).sum::<f64>() / (self.0.len() as f64 - 1.0);
        if variance <= (1e-13 * largest).powi(2) { 0.0 } else { variance }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_differences_have_no_variance_whatever_the_rounding() {
        let differences = Differences::new(vec![0.1, 0.3 - 0.2, 0.7 - 0.6]).expect("three differences");
        assert_eq!(differences.variance(), 0.0);
    }

    #[test]
    fn too_few_or_infinite_differences_are_refused() {
        assert!(Differences::new(vec![0.1]).is_err());
        assert!(Differences::new(vec![0.1, f64::INFINITY]).is_err());
    }
}
