//! Lloyd's algorithm: rows to the nearest centre, centres to the mean of their rows, until nothing changes.

use super::assignment::{Assignment, ClusterSums, Moves};
use super::starts::draw_starts;
use super::{KMeansOptions, Points, squared_distance};
use crate::error::Error;
use tribunal_random::derive_seed;

/// After so many steps the sums of clusters are taken from the rows anew, so that rounding errors do not add up.
const STEPS_BETWEEN_SUMS: usize = 16;

/// Clusters of rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Clustering {
    /// The cluster of each row.
    pub labels: Vec<u32>,
    /// The centres, one after the other.
    pub centres: Vec<f64>,
    /// The sum of the squared distances of the rows to their centres.
    pub inertia: f64,
    /// How many steps it took.
    pub n_steps: usize,
    /// Whether the run ended before the steps did.
    pub has_converged: bool,
}

impl Clustering {
    /// How many clusters there are.
    pub fn n_clusters(&self, n_columns: usize) -> usize {
        self.centres.len() / n_columns
    }

    /// The cluster of each of some rows, by the nearest centre.
    pub fn assign(&self, points: &Points<'_>) -> Vec<u32> {
        Assignment::of(points, &self.centres).0.labels
    }
}

/// The best of several runs, each from a start drawn by k-means++.
///
/// # Errors
/// There are fewer different rows than clusters, or no starts or steps are asked for.
pub fn kmeans(points: &Points<'_>, options: &KMeansOptions) -> Result<Clustering, Error> {
    options.check(points)?;
    let run = |start: u64| {
        let centres = draw_starts(points, options.n_clusters, derive_seed(options.seed, &[start]));
        run(points, centres, options)
    };
    let mut best = run(0);
    for found in (1..options.n_starts as u64).map(run) {
        // Of equally good runs the first is taken.
        if found.inertia < best.inertia {
            best = found;
        }
    }
    Ok(best)
}

/// A run from given centres, one after the other.
///
/// # Errors
/// The centres are not so many, or those of [`kmeans`].
pub fn kmeans_from(
    points: &Points<'_>,
    centres: &[f64],
    options: &KMeansOptions,
) -> Result<Clustering, Error> {
    options.check(points)?;
    let expected = options.n_clusters * points.n_columns();
    if centres.len() != expected {
        return Err(Error::LengthMismatch { what: "the centres".into(), found: centres.len(), expected });
    }
    crate::checks::all_finite("a centre", centres)?;
    Ok(run(points, centres.to_vec(), options))
}

fn run(points: &Points<'_>, mut centres: Vec<f64>, options: &KMeansOptions) -> Clustering {
    let width = points.n_columns();
    let least_move = if options.tolerance > 0.0 { options.tolerance * mean_variance(points) } else { 0.0 };
    let (mut assignment, mut sums) = Assignment::of(points, &centres);
    let (mut n_steps, mut has_converged) = (0, false);
    while n_steps < options.most_steps && !has_converged {
        n_steps += 1;
        if n_steps.is_multiple_of(STEPS_BETWEEN_SUMS) {
            sums = assignment.sums(points, options.n_clusters);
        }
        let is_refilled = refill_empty(points, &mut assignment, &mut sums, &centres);
        let moved = means(&sums, &centres, width);
        let drifts = distances(&centres, &moved, width);
        centres = moved;
        let moves = Moves { half_gaps: half_gaps(&centres, width), drifts };
        let (change, n_moved) = assignment.reassign(points, &centres, &moves);
        sums.merge(&change);
        let way: f64 = moves.drifts.iter().map(|drift| drift * drift).sum();
        has_converged = !is_refilled && (n_moved == 0 || way <= least_move);
    }
    // The centres are the means of their rows, without the rounding errors of the way.
    if has_converged && options.tolerance == 0.0 {
        centres = means(&assignment.sums(points, options.n_clusters), &centres, width);
    }
    let inertia =
        assignment.squared_distances(points, &centres).into_iter().collect::<crate::sum::Sum>().value();
    Clustering { labels: assignment.labels, centres, inertia, n_steps, has_converged }
}

/// Where a cluster has no row left, the row that lies farthest from its centre becomes one.
fn refill_empty(
    points: &Points<'_>,
    assignment: &mut Assignment,
    sums: &mut ClusterSums,
    centres: &[f64],
) -> bool {
    let empty: Vec<u32> =
        (0..).zip(&sums.counts).filter(|(_, count)| **count <= 0).map(|(place, _)| place).collect();
    if empty.is_empty() {
        return false;
    }
    let mut distances = assignment.squared_distances(points, centres);
    for cluster in empty {
        let farthest =
            (0..distances.len()).max_by(|&a, &b| distances[a].total_cmp(&distances[b]).then(b.cmp(&a)));
        if let Some(row) = farthest {
            assignment.labels[row] = cluster;
            distances[row] = 0.0;
        }
    }
    assignment.forget_bounds();
    *sums = assignment.sums(points, sums.counts.len());
    true
}

/// The mean of each cluster; one without rows stays where it is.
fn means(sums: &ClusterSums, centres: &[f64], width: usize) -> Vec<f64> {
    let mean = |(place, sum): (usize, &f64)| match sums.counts[place / width] {
        count @ 1.. => sum / count as f64,
        _ => centres[place],
    };
    sums.sums.iter().enumerate().map(mean).collect()
}

fn distances(before: &[f64], after: &[f64], width: usize) -> Vec<f64> {
    let pairs = before.chunks_exact(width).zip(after.chunks_exact(width));
    pairs.map(|(before, after)| squared_distance(before, after).sqrt()).collect()
}

/// Half of the distance of each centre to the nearest other: a row that is nearer to its own has no nearer one.
fn half_gaps(centres: &[f64], width: usize) -> Vec<f64> {
    let rows = || centres.chunks_exact(width).enumerate();
    let nearest = |(place, centre): (usize, &[f64])| {
        let others =
            rows().filter(|(other, _)| *other != place).map(|(_, other)| squared_distance(centre, other));
        0.5 * others.fold(f64::INFINITY, f64::min).sqrt()
    };
    rows().map(nearest).collect()
}

/// The mean over the columns of their variances.
fn mean_variance(points: &Points<'_>) -> f64 {
    let (n, width) = (points.n_rows() as f64, points.n_columns());
    let of_column = |column: usize| {
        let values = || points.values().iter().skip(column).step_by(width);
        let mean = values().copied().collect::<crate::sum::Sum>().value() / n;
        values().map(|value| (value - mean).powi(2)).collect::<crate::sum::Sum>().value() / n
    };
    (0..width).map(of_column).sum::<f64>() / width as f64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Every distance in every step.
    fn plain(points: &Points<'_>, centres: &[f64], n_steps: usize) -> (Vec<u32>, Vec<f64>) {
        let (width, n_clusters) = (points.n_columns(), centres.len() / points.n_columns());
        let mut centres = centres.to_vec();
        let nearest = |centres: &[f64], row: usize| {
            let distances =
                centres.chunks_exact(width).map(|centre| squared_distance(points.row(row), centre));
            distances
                .enumerate()
                .fold((0, f64::INFINITY), |best, (place, d)| if d < best.1 { (place, d) } else { best })
                .0
        };
        let mut labels: Vec<usize> = (0..points.n_rows()).map(|row| nearest(&centres, row)).collect();
        for _ in 0..n_steps {
            for cluster in 0..n_clusters {
                let rows: Vec<usize> = (0..labels.len()).filter(|&row| labels[row] == cluster).collect();
                for column in 0..width {
                    if !rows.is_empty() {
                        let sum: f64 = rows.iter().map(|&row| points.row(row)[column]).sum();
                        centres[cluster * width + column] = sum / rows.len() as f64;
                    }
                }
            }
            labels = (0..points.n_rows()).map(|row| nearest(&centres, row)).collect();
        }
        (labels.into_iter().map(|label| label as u32).collect(), centres)
    }

    proptest! {
        #[test]
        fn bounds_leave_the_steps_of_lloyd(
            values in prop::collection::vec(-4.0f64..4.0, 60..600), n_clusters in 1usize..7, n_steps in 1usize..12
        ) {
            let values = &values[..values.len() / 3 * 3];
            let points = Points::new(values, 3).expect("rows");
            let options = KMeansOptions { most_steps: n_steps, n_starts: 1, ..KMeansOptions::new(n_clusters, 1) };
            let start: Vec<f64> = values[..3 * n_clusters].to_vec();
            let found = kmeans_from(&points, &start, &options).expect("clusters");
            let sizes = |labels: &[u32]| (0..n_clusters as u32).map(|c| labels.iter().filter(|l| **l == c).count()).min();
            let (labels, centres) = plain(&points, &start, found.n_steps);
            // Clusters that run empty are refilled by one and not by the other.
            prop_assume!(sizes(&labels) > Some(0) && sizes(&found.labels) > Some(0));
            prop_assert_eq!(&labels, &found.labels);
            prop_assert!(centres.iter().zip(&found.centres).all(|(a, b)| (a - b).abs() < 1e-9));
        }
    }

    #[test]
    fn rows_fewer_than_clusters_are_refused() {
        let rows = [1.0, 1.0, 2.0, 2.0, 1.0];
        let points = Points::new(&rows, 1).expect("rows");
        assert!(kmeans(&points, &KMeansOptions::new(2, 1)).is_ok());
        let error = kmeans(&points, &KMeansOptions::new(3, 1)).expect_err("two different rows");
        assert_eq!(
            error.to_string(),
            "the number of clusters is 3; expected from 1 to the number of different rows"
        );
        assert!(kmeans(&points, &KMeansOptions::new(0, 1)).is_err());
        assert_eq!(points.has_distinct(3), Err(2));
    }

    #[test]
    fn a_cluster_that_runs_empty_takes_the_farthest_row() {
        let rows = [0.0, 0.1, 0.2, 9.0];
        let points = Points::new(&rows, 1).expect("rows");
        // The second centre is nearest to nobody.
        let found = kmeans_from(&points, &[0.1, 50.0], &KMeansOptions::new(2, 1)).expect("clusters");
        assert_eq!(found.labels, [0, 0, 0, 1]);
        assert!((found.inertia - 0.02).abs() < 1e-12 && found.has_converged);
    }
}
