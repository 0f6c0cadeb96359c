//! The gap statistic: how much tighter clusters are than those of rows without any.

use tribunal_random::{Random, derive_seed};

use super::{Clustering, KMeansOptions, Points, kmeans};
use crate::error::Error;

/// Sets of rows without clusters that the inertia is compared with.
const N_REFERENCES: u64 = 20;

/// The gap of a number of clusters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GapStatistic {
    /// The mean logarithm of the inertia of rows without clusters, less that of the rows.
    pub gap: f64,
    /// Its standard error from the simulation, `sd sqrt(1 + 1 / B)`.
    pub error: f64,
}

/// The gap statistic of clusters.
///
/// **Definition** · `mean log W* - log W`, where W is the inertia of the clusters and W* that of clusters of as many rows that are
/// spread evenly over the ranges of the columns; B = 20 such sets.
///
/// **Undefined when** the sets have fewer different rows than there are clusters.
///
/// **Example**
/// ```
/// use tribunal_eval::kmeans::{KMeansOptions, Points, gap_statistic, kmeans};
///
/// let rows: Vec<f64> = (0..60).map(|row| f64::from(row % 3) * 10.0 + f64::from(row) / 60.0).collect();
/// let points = Points::new(&rows, 1)?;
/// let gap = |n| gap_statistic(&points, &kmeans(&points, &KMeansOptions::new(n, 1))?, &KMeansOptions::new(n, 1));
/// assert!(gap(3)?.gap > gap(2)?.gap && gap(3)?.gap > gap(4)?.gap - gap(4)?.error);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** · Tibshirani, Walther and Hastie (2001), "Estimating the number of clusters in a data set via the gap statistic"
pub fn gap_statistic(
    points: &Points<'_>,
    found: &Clustering,
    options: &KMeansOptions,
) -> Result<GapStatistic, Error> {
    let ranges: Vec<(f64, f64)> = (0..points.n_columns())
        .map(|column| {
            let values = points.values().iter().skip(column).step_by(points.n_columns());
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &value| {
                (low.min(value), high.max(value))
            })
        })
        .collect();
    // Rows that all lie on their centres have no logarithm; the smallest number stands for it.
    let log = |inertia: f64| inertia.max(f64::MIN_POSITIVE).ln();
    let reference = |number: u64| {
        let mut random = Random::derived(options.seed, &[number, 1]);
        let rows = (0..points.n_rows()).flat_map(|_| ranges.iter());
        let even: Vec<f64> = rows.map(|(low, high)| low + (high - low) * random.uniform()).collect();
        let seed = derive_seed(options.seed, &[number, 2]);
        let options = KMeansOptions { seed, n_starts: options.n_starts.min(3), ..options.clone() };
        Ok(log(kmeans(&Points::new(&even, points.n_columns())?, &options)?.inertia))
    };
    let logs: Vec<f64> = (0..N_REFERENCES).map(reference).collect::<Result<_, Error>>()?;
    let n = logs.len() as f64;
    let mean = logs.iter().sum::<f64>() / n;
    let variance = logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / n;
    Ok(GapStatistic { gap: mean - log(found.inertia), error: (variance * (1.0 + 1.0 / n)).sqrt() })
}
