//! k-means beside scikit-learn's Lloyd from the same starts: `peers/kmeans.py` draws the same rows.
//!
//! `--rows N` rows of ten columns around eight places are clustered from the first eight rows until no row changes its cluster, at
//! most a hundred steps. Prints one JSON line: seconds of wall and CPU time of the best run, the steps and the inertia.

use std::time::Instant;

use cpu_time::ProcessTime;
use tribunal_eval::kmeans::{KMeansOptions, Points, kmeans_from};

/// The allocator of the command.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

const N_RUNS: usize = 5;
const N_COLUMNS: usize = 10;
const N_CLUSTERS: usize = 8;

/// Rows by a linear congruential generator that the peer repeats: `spread` is how far rows lie from their places.
fn rows(n_rows: usize, spread: f64) -> Vec<f64> {
    let mut state: u32 = 12345;
    let mut rows = Vec::with_capacity(n_rows * N_COLUMNS);
    for row in 0..n_rows {
        for column in 0..N_COLUMNS {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let place = ((row % N_CLUSTERS) * (column + 3) % 7) as f64;
            rows.push(f64::from(state >> 8) / f64::from(1u32 << 24) * spread + place);
        }
    }
    rows
}

fn main() {
    let mut args = std::env::args().skip_while(|arg| arg != "--rows").skip(1);
    let Some(Ok(n_rows)) = args.next().map(|rows| rows.parse::<usize>()) else {
        return println!("give the number of rows: --rows N");
    };
    for (world, spread) in [("clusters", 4.0), ("overlap", 20.0)] {
        let rows = rows(n_rows, spread);
        let points = Points::new(&rows, N_COLUMNS).expect("rows");
        let options = KMeansOptions { most_steps: 100, n_starts: 1, ..KMeansOptions::new(N_CLUSTERS, 1) };
        let mut best = (f64::INFINITY, f64::INFINITY);
        let mut found = None;
        for _ in 0..N_RUNS {
            let (started, cpu_started) = (Instant::now(), ProcessTime::now());
            found = kmeans_from(&points, &rows[..N_CLUSTERS * N_COLUMNS], &options).ok();
            best = (
                best.0.min(started.elapsed().as_secs_f64()),
                best.1.min(cpu_started.elapsed().as_secs_f64()),
            );
        }
        let Some(found) = found else { return println!("no clusters") };
        println!(
            r#"{{"peer": "tribunal", "world": "{world}", "wall": {}, "cpu": {}, "steps": {}, "inertia": {}}}"#,
            best.0, best.1, found.n_steps, found.inertia
        );
    }
}
