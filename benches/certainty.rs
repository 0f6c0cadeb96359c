//! How far to believe a figure: DeLong's test, bootstrap replicates of the AUROC, and ANOVA with Duncan's test.
//!
//! Reads what `peers/certainty.py` wrote into the folder given by `--data`: `truth.u8`, `score.f64`, `second.f64`, the
//! scores of two models for the same rows, and `table.f64`, 26 algorithms by 10 folds. Prints one JSON line a job: seconds
//! of wall and CPU time, the best of several runs.

use std::path::Path;
use std::time::Instant;

use cpu_time::ProcessTime;
use tribunal_eval::intervals::{ClassScores, Level, ScoredModels, bootstrap_aurocs, delong_pair};
use tribunal_eval::significance::{FoldTable, Gate, delong_test, duncan};

/// The allocator of the command.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

const N_REPLICATES: usize = 2000;
const N_FOLDS: usize = 10;

fn main() {
    let mut args = std::env::args().skip_while(|arg| arg != "--data").skip(1);
    let Some(folder) = args.next() else {
        return println!("give the folder of the raw scores: --data DIR");
    };
    let folder = Path::new(&folder);
    let truth: Vec<bool> = bytes(folder, "truth.u8").iter().map(|&y| y == 1).collect();
    let (first, second) = (numbers(folder, "score.f64"), numbers(folder, "second.f64"));
    time("delong", 20, || {
        let models = ScoredModels { positive: &truth, scores: vec![&first, &second] };
        let both = delong_pair(&models).expect("both classes");
        delong_test(&both, 0, 1, Level::P95).expect("two models").z
    });
    time("bootstrap", 3, || {
        let class = |class: bool| {
            let rows = truth.iter().zip(&first).filter(|(truth, _)| **truth == class);
            let mut scores: Vec<f64> = rows.map(|(_, score)| *score).collect();
            scores.sort_unstable_by(f64::total_cmp);
            scores
        };
        let (positives, negatives) = (class(true), class(false));
        let scores = ClassScores { positives: &positives, negatives: &negatives };
        let areas = bootstrap_aurocs(scores, N_REPLICATES, 1).expect("both classes");
        areas.iter().sum::<f64>() / areas.len() as f64
    });
    let rows: Vec<Vec<Option<f64>>> = numbers(folder, "table.f64")
        .chunks(N_FOLDS)
        .map(|row| row.iter().copied().map(Some).collect())
        .collect();
    time("duncan", 50, || {
        let names = |n: usize| (0..n).map(|i| i.to_string()).collect::<Vec<_>>();
        let table = FoldTable::new(names(rows.len()), names(N_FOLDS), rows.clone()).expect("a whole table");
        duncan(&table, Level::P95, Gate::Algorithm).expect("two algorithms").anova.algorithm.f
    });
}

fn bytes(folder: &Path, name: &str) -> Vec<u8> {
    std::fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn numbers(folder: &Path, name: &str) -> Vec<f64> {
    let raw = bytes(folder, name);
    raw.chunks_exact(8).map(|raw| f64::from_le_bytes(raw.try_into().expect("eight bytes"))).collect()
}

/// Runs a job several times and prints the best; the value lets peers be checked.
fn time(job: &str, repeat: usize, run: impl Fn() -> f64) {
    let (mut wall, mut cpu, mut value) = (f64::INFINITY, f64::INFINITY, 0.0);
    for _ in 0..repeat {
        let (started, cpu_started) = (Instant::now(), ProcessTime::now());
        value = run();
        wall = wall.min(started.elapsed().as_secs_f64());
        cpu = cpu.min(cpu_started.elapsed().as_secs_f64());
    }
    println!(r#"{{"peer": "tribunal", "job": "{job}", "wall": {wall}, "cpu": {cpu}, "value": {value}}}"#);
}
