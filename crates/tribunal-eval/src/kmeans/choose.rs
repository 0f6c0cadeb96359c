//! How many clusters there are.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use tribunal_random::{Random, derive_seed};

use super::{KMeansOptions, Points, gap_statistic, kmeans, mean_silhouette};
use crate::checks::within;
use crate::error::Error;

/// Clusters of larger tables are compared on a random sample of so many rows.
const MOST_ROWS: usize = 2000;

/// What a number of clusters is chosen by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ChooseClusters {
    /// The largest mean silhouette.
    #[default]
    Silhouette,
    /// The smallest number whose gap is within a standard error of the next one's.
    Gap,
}

/// A number of clusters that was tried.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TriedClusters {
    /// How many clusters.
    pub n_clusters: u64,
    /// The inertia.
    pub inertia: f64,
    /// The mean silhouette; of a single cluster there is none.
    pub silhouette: Option<f64>,
    /// The gap statistic, where it was asked for.
    pub gap: Option<f64>,
    /// Its standard error.
    pub gap_error: Option<f64>,
}

/// The numbers of clusters that were tried, and the one that was chosen.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClusterChoice {
    /// By what.
    pub by: ChooseClusters,
    /// Which.
    pub n_clusters: u64,
    /// Rows that were compared: all, or a random sample.
    pub rows: u64,
    /// All that were tried.
    pub tried: Vec<TriedClusters>,
}

/// Tries every number of clusters of a range.
///
/// ```
/// use tribunal_eval::kmeans::{ChooseClusters, Points, choose_clusters};
///
/// let rows: Vec<f64> = (0..90).map(|row| f64::from(row % 3) * 10.0 + f64::from(row) / 90.0).collect();
/// let points = Points::new(&rows, 1)?;
/// for by in [ChooseClusters::Silhouette, ChooseClusters::Gap] {
///     assert_eq!(choose_clusters(&points, 2..=6, by, 7)?.n_clusters, 3);
/// }
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// # Errors
/// The range is empty, or there are fewer different rows than clusters.
pub fn choose_clusters(
    points: &Points<'_>,
    range: RangeInclusive<usize>,
    by: ChooseClusters,
    seed: u64,
) -> Result<ClusterChoice, Error> {
    let usable = *range.start() >= 1 && range.start() <= range.end();
    within(
        "the least number of clusters",
        *range.start() as f64,
        usable,
        "at least 1 and at most the largest",
    )?;
    let sampled = sample(points, seed);
    let points = Points::new(&sampled, points.n_columns())?;
    let tried =
        range.map(|n_clusters| tried(&points, n_clusters, by, seed)).collect::<Result<Vec<_>, _>>()?;
    let chosen = match by {
        ChooseClusters::Silhouette => largest(&tried, |tried| tried.silhouette),
        ChooseClusters::Gap => by_gap(&tried),
    };
    let n_clusters = chosen.map_or(1, |tried| tried.n_clusters);
    Ok(ClusterChoice { by, n_clusters, rows: points.n_rows() as u64, tried })
}

fn tried(
    points: &Points<'_>,
    n_clusters: usize,
    by: ChooseClusters,
    seed: u64,
) -> Result<TriedClusters, Error> {
    let options = KMeansOptions::new(n_clusters, derive_seed(seed, &[n_clusters as u64]));
    let found = kmeans(points, &options)?;
    let gap = if by == ChooseClusters::Gap { Some(gap_statistic(points, &found, &options)?) } else { None };
    Ok(TriedClusters {
        n_clusters: n_clusters as u64,
        inertia: found.inertia,
        silhouette: mean_silhouette(points, &found.labels).ok(),
        gap: gap.map(|gap| gap.gap),
        gap_error: gap.map(|gap| gap.error),
    })
}

/// The smallest number with the largest figure.
fn largest(tried: &[TriedClusters], of: fn(&TriedClusters) -> Option<f64>) -> Option<&TriedClusters> {
    tried.iter().fold(None, |best: Option<&TriedClusters>, tried| match (best.and_then(of), of(tried)) {
        (Some(best_figure), Some(figure)) if figure > best_figure => Some(tried),
        (None, _) => Some(tried),
        _ => best,
    })
}

fn by_gap(tried: &[TriedClusters]) -> Option<&TriedClusters> {
    let is_enough = |pair: &[TriedClusters]| match (pair[0].gap, pair[1].gap, pair[1].gap_error) {
        (Some(gap), Some(next), Some(error)) => gap >= next - error,
        _ => false,
    };
    let first = tried.windows(2).position(is_enough).and_then(|place| tried.get(place));
    first.or_else(|| largest(tried, |tried| tried.gap))
}

/// All rows, or of a large table a random sample.
fn sample(points: &Points<'_>, seed: u64) -> Vec<f64> {
    let n = points.n_rows();
    if n <= MOST_ROWS {
        return points.values().to_vec();
    }
    // Rows are taken one after the other, each with the chance that is left to it.
    let mut random = Random::derived(seed, &[u64::MAX]);
    let mut wanted = MOST_ROWS as u64;
    let mut taken = Vec::with_capacity(MOST_ROWS * points.n_columns());
    for row in 0..n {
        if random.below((n - row) as u64) < wanted {
            wanted -= 1;
            taken.extend_from_slice(points.row(row));
        }
    }
    taken
}
