//! k-means: clusters of rows of numbers, found from several starts, and how many of them there are.
//!
//! [`kmeans`] draws starts by k-means++ and takes the best of the runs; [`kmeans_from`] runs from given centres. Distances that
//! bounds rule out are not computed (Hamerly 2010), so the steps are those of Lloyd (1982) at a fraction of the work.
//! [`choose_clusters`] compares numbers of clusters by the mean silhouette (Rousseeuw 1987) or the gap statistic (Tibshirani,
//! Walther and Hastie 2001). Columns on different scales are to be [standardised](Standardiser) first.
//!
//! ```
//! use tribunal_eval::kmeans::{KMeansOptions, Points, kmeans};
//!
//! let rows = [0.0, 0.1, 5.0, 5.2, 0.2, 5.1];
//! let found = kmeans(&Points::new(&rows, 1)?, &KMeansOptions::new(2, 7))?;
//! assert_eq!(found.labels[0], found.labels[1]);
//! assert_ne!(found.labels[0], found.labels[2]);
//! assert!((found.inertia - 0.04).abs() < 1e-9);
//! # Ok::<(), tribunal_eval::Error>(())
//! ```

mod assignment;
mod choose;
mod gap;
mod lloyd;
mod silhouette;
mod standardise;
mod starts;

#[cfg(test)]
mod reference;

pub use choose::{ChooseClusters, ClusterChoice, TriedClusters, choose_clusters};
pub use gap::{GapStatistic, gap_statistic};
pub use lloyd::{Clustering, kmeans, kmeans_from};
pub use silhouette::mean_silhouette;
pub use standardise::Standardiser;

use std::collections::HashSet;

use crate::checks::{all_finite, at_least, within};
use crate::error::Error;

/// Rows of numbers, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Points<'a> {
    values: &'a [f64],
    n_columns: usize,
}

impl<'a> Points<'a> {
    /// Rows of so many columns.
    ///
    /// # Errors
    /// There is no row or column, a row is cut short, or a number is not finite.
    pub fn new(values: &'a [f64], n_columns: usize) -> Result<Self, Error> {
        at_least("columns to cluster by", n_columns, 1)?;
        at_least("rows to cluster", values.len() / n_columns, 1)?;
        if !values.len().is_multiple_of(n_columns) {
            let expected = values.len() / n_columns * n_columns;
            return Err(Error::LengthMismatch {
                what: "the rows to cluster".into(),
                found: values.len(),
                expected,
            });
        }
        all_finite("a number to cluster by", values)?;
        Ok(Self { values, n_columns })
    }

    /// How many rows there are.
    pub fn n_rows(&self) -> usize {
        self.values.len() / self.n_columns
    }

    /// How many columns there are.
    pub fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// A row.
    pub fn row(&self, row: usize) -> &'a [f64] {
        &self.values[row * self.n_columns..(row + 1) * self.n_columns]
    }

    pub(super) fn values(&self) -> &'a [f64] {
        self.values
    }

    /// Whether there are at least so many different rows; counts no further.
    pub fn has_distinct(&self, wanted: usize) -> Result<(), usize> {
        let mut met: HashSet<Vec<u64>> = HashSet::new();
        for row in self.values.chunks_exact(self.n_columns) {
            // Zero equals minus zero.
            met.insert(row.iter().map(|value| (value + 0.0).to_bits()).collect());
            if met.len() >= wanted {
                return Ok(());
            }
        }
        Err(met.len())
    }
}

/// How clusters are found.
#[derive(Clone, Debug, PartialEq)]
pub struct KMeansOptions {
    /// How many clusters.
    pub n_clusters: usize,
    /// From how many starts; the run with the least inertia is taken.
    pub n_starts: usize,
    /// A run ends after so many steps at the latest.
    pub most_steps: usize,
    /// A run ends when the squared moves of all centres add up to no more than this times the mean variance of the columns; at 0
    /// only where no row changes its cluster.
    pub tolerance: f64,
    /// The seed of the starts.
    pub seed: u64,
}

impl KMeansOptions {
    /// So many clusters, the best of ten starts, run until no row changes its cluster.
    pub fn new(n_clusters: usize, seed: u64) -> Self {
        Self { n_clusters, n_starts: 10, most_steps: 300, tolerance: 0.0, seed }
    }

    fn check(&self, points: &Points<'_>) -> Result<(), Error> {
        let usable = self.n_clusters >= 1 && self.n_clusters <= points.n_rows();
        let n_clusters = self.n_clusters as f64;
        within("the number of clusters", n_clusters, usable, "from 1 to the number of different rows")?;
        points.has_distinct(self.n_clusters).map_err(|_| Error::OutOfRange {
            what: "the number of clusters",
            value: n_clusters,
            expected: "from 1 to the number of different rows",
        })?;
        at_least("starts", self.n_starts, 1)?;
        at_least("steps", self.most_steps, 1)
    }
}

/// The squared distance of two rows.
pub(super) fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}
