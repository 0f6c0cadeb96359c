//! The mean silhouette: how much nearer rows are to their own cluster than to the next.

use rayon::prelude::*;

use super::{Points, squared_distance};
use crate::checks::check_length;
use crate::error::Error;
use crate::undefined::Undefined;

/// The mean silhouette of rows in clusters.
///
/// **Definition** · `s = (b - a) / max(a, b)`, where a is the mean distance of a row to the others of its cluster and b the
/// smallest mean distance to the rows of another; 0 for a row that is alone. The figure is the mean over the rows, from -1 to 1.
///
/// **Undefined when** there are fewer than two clusters.
///
/// **Example**
/// ```
/// use tribunal_eval::kmeans::{Points, mean_silhouette};
///
/// let rows = [0.0, 1.0, 10.0, 11.0];
/// let silhouette = mean_silhouette(&Points::new(&rows, 1)?, &[0, 0, 1, 1])?;
/// assert!((silhouette - 0.899749373).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** · Rousseeuw (1987), "Silhouettes"
pub fn mean_silhouette(points: &Points<'_>, labels: &[u32]) -> Result<f64, Error> {
    check_length("cluster", labels.len(), points.n_rows())?;
    let n_clusters = labels.iter().max().map_or(0, |label| *label as usize + 1);
    let mut counts = vec![0u64; n_clusters];
    labels.iter().for_each(|label| counts[*label as usize] += 1);
    if counts.iter().filter(|count| **count > 0).count() < 2 {
        return Err(
            Undefined::OutOfReach { requirement: "two clusters, which silhouettes compare".into() }.into()
        );
    }
    let of_row = |row: usize| -> f64 {
        let mut sums = vec![0.0; n_clusters];
        for other in 0..points.n_rows() {
            sums[labels[other] as usize] += squared_distance(points.row(row), points.row(other)).sqrt();
        }
        let own = labels[row] as usize;
        if counts[own] < 2 {
            return 0.0;
        }
        let within = sums[own] / (counts[own] - 1) as f64;
        let others = (0..n_clusters).filter(|&cluster| cluster != own && counts[cluster] > 0);
        let nearest =
            others.map(|cluster| sums[cluster] / counts[cluster] as f64).fold(f64::INFINITY, f64::min);
        let larger = within.max(nearest);
        if larger > 0.0 { (nearest - within) / larger } else { 0.0 }
    };
    let silhouettes: Vec<f64> = (0..points.n_rows()).into_par_iter().map(of_row).collect();
    Ok(silhouettes.iter().sum::<f64>() / points.n_rows() as f64)
}
