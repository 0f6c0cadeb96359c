//! What intervals cost: every figure of one model with its interval, beside the figures alone.
//!
//! `--rows N` scored rows in memory, one in ten positive, are judged with and without intervals in turn. Prints one JSON line for
//! each, seconds of wall and CPU time of the best run: the figures alone are the peer. Figures without a formula draw the usual
//! 200 bootstrap replicates, which count.

use std::time::Instant;

use cpu_time::ProcessTime;
use tribunal::{ScoredRows, evaluate_rows};
use tribunal_random::Random;

/// The allocator of the command.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

const N_RUNS: usize = 5;

fn main() {
    let mut args = std::env::args().skip_while(|arg| arg != "--rows").skip(1);
    let Some(Ok(n_rows)) = args.next().map(|rows| rows.parse::<usize>()) else {
        return println!("give the number of rows: --rows N");
    };
    let mut random = Random::new(1);
    let truth: Vec<bool> = (0..n_rows).map(|row| row % 10 == 0).collect();
    let mut score = |positive: &bool| 1.0 / (1.0 + (2.5 - random.normal() - f64::from(*positive)).exp());
    let scores: Vec<f64> = truth.iter().map(&mut score).collect();
    let rows = ScoredRows::new("truth", &truth).score("model", &scores);
    let judge = |intervals: bool| {
        let mut request = rows.request();
        request.intervals = intervals;
        let (started, cpu_started) = (Instant::now(), ProcessTime::now());
        evaluate_rows(&rows, &request, &|_| ()).expect("both classes");
        (started.elapsed().as_secs_f64(), cpu_started.elapsed().as_secs_f64())
    };
    let mut best = [(f64::INFINITY, f64::INFINITY); 2];
    for _ in 0..N_RUNS {
        for (best, intervals) in best.iter_mut().zip([true, false]) {
            let (wall, cpu) = judge(intervals);
            *best = (best.0.min(wall), best.1.min(cpu));
        }
    }
    for ((wall, cpu), peer) in best.into_iter().zip(["tribunal", "figures"]) {
        println!(r#"{{"peer": "{peer}", "wall": {wall}, "cpu": {cpu}}}"#);
    }
}
