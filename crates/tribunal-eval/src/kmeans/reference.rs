//! k-means and silhouettes beside scikit-learn from the same starts: `tests/reference/make_kmeans_reference.py`.

use super::{KMeansOptions, Points, Standardiser, kmeans_from, mean_silhouette};

/// Rows of the script, by the same linear congruential generator.
fn rows(n_rows: usize, n_columns: usize) -> Vec<f64> {
    let mut state: u32 = 12345;
    let mut values = Vec::new();
    for row in 0..n_rows {
        for column in 0..n_columns {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            values.push(
                f64::from(state >> 8) / f64::from(1u32 << 24) * 3.0 + ((row % 5) * (column + 1) % 4) as f64,
            );
        }
    }
    values
}

#[track_caller]
fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9 * expected.abs().max(1.0), "{found} is not {expected}");
}

fn check(n_clusters: usize, inertia: f64, sizes: &[usize], first: [f64; 3], silhouette: f64) {
    let rows = rows(300, 3);
    let points = Points::new(&rows, 3).expect("rows");
    let found =
        kmeans_from(&points, &rows[..3 * n_clusters], &KMeansOptions::new(n_clusters, 1)).expect("clusters");
    near(found.inertia, inertia);
    let size = |cluster: u32| found.labels.iter().filter(|label| **label == cluster).count();
    assert_eq!((0..n_clusters as u32).map(size).collect::<Vec<_>>(), sizes);
    first.iter().zip(&found.centres).for_each(|(expected, found)| near(*found, *expected));
    near(mean_silhouette(&points, &found.labels).expect("clusters"), silhouette);
    assert!(found.has_converged);
}

#[test]
fn clusters_and_silhouettes_are_those_of_scikit_learn() {
    check(
        2,
        1041.1019595778769,
        &[132, 168],
        [1.6936425444754704, 1.3641431412913594, 1.6694234149022524],
        0.3705890860221529,
    );
    check(
        5,
        542.8524246873417,
        &[60, 55, 53, 62, 70],
        [0.8768448024988182, 1.3889203071594234, 1.417617899179459],
        0.2709754513179105,
    );
    check(
        8,
        391.40472607184864,
        &[43, 30, 32, 45, 40, 45, 36, 29],
        [0.7582287469575566, 1.1119733092396753, 1.3657952727273455],
        0.268128610904206,
    );
}

#[test]
fn standardised_columns_are_those_of_scikit_learn() {
    let rows = rows(300, 3);
    let scaled = |place: usize, factor: f64| -> Vec<f64> {
        rows.iter().skip(place).step_by(3).map(|value| value * factor).collect()
    };
    let columns = [scaled(0, 1.0), scaled(1, 10.0), scaled(2, 100.0)];
    let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
    let found = Standardiser::of(&columns).rows(&columns);
    let expected = [0.8710724553093666, -0.7617419005584826, 0.5165818383419645];
    found[21..24].iter().zip(expected).for_each(|(found, expected)| near(*found, expected));
}
