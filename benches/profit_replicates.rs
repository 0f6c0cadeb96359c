//! Bootstrap replicates of profit: at a list of a tenth of the cases and at the most profitable list.
//!
//! Reads what `peers/profit_replicates.py` wrote into the folder given by `--data`: `truth.u8`, `score.f64`, `amount.f64`. Prints one JSON
//! line: seconds of wall and CPU time of 1,000 replicates with all that has to be prepared for them (`prepared`: the wall time of that
//! alone), the best of several runs; the
//! mean of the best profit over the replicates and its standard deviation let peers be checked.

use std::path::Path;
use std::time::Instant;

use cpu_time::ProcessTime;
use tribunal_eval::ScoredSet;
use tribunal_eval::curves::{Benefit, Payoff};
use tribunal_eval::decisions::{CaseValues, ListLength, ProfitBootstrap, ProfitReplicate};

/// The allocator of the command.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

const N_REPLICATES: usize = 1000;

fn main() {
    let mut args = std::env::args().skip_while(|arg| arg != "--data").skip(1);
    let Some(folder) = args.next() else {
        return println!("give the folder of the raw scores: --data DIR");
    };
    let folder = Path::new(&folder);
    let truth: Vec<bool> = bytes(folder, "truth.u8").iter().map(|&y| y == 1).collect();
    let (score, amount) = (numbers(folder, "score.f64"), numbers(folder, "amount.f64"));
    let set = ScoredSet::new(&truth, &score).and_then(|set| set.with_amount(&amount)).expect("finite");
    let payoff = Payoff { benefit: Benefit::Amount, cost: 1.0 };
    let (mut wall, mut cpu, mut prepared, mut found) = (f64::INFINITY, f64::INFINITY, f64::INFINITY, vec![]);
    for _ in 0..3 {
        let (started, cpu_started) = (Instant::now(), ProcessTime::now());
        let values = CaseValues::of_payoff(&set, &payoff).expect("amounts");
        let bootstrap = ProfitBootstrap::new(&values, &[&score], ListLength::Share(0.1)).expect("a list");
        prepared = prepared.min(started.elapsed().as_secs_f64());
        found = bootstrap.replicates(N_REPLICATES, 1);
        wall = wall.min(started.elapsed().as_secs_f64());
        cpu = cpu.min(cpu_started.elapsed().as_secs_f64());
    }
    let mean = |of: &dyn Fn(&ProfitReplicate) -> f64| {
        found.iter().map(|models| of(&models[0])).sum::<f64>() / N_REPLICATES as f64
    };
    let (best, list) = (mean(&|replicate| replicate.best), mean(&|replicate| replicate.list));
    let spread = mean(&|replicate| (replicate.best - best).powi(2)).sqrt();
    println!(
        r#"{{"peer": "tribunal", "job": "profit-replicates", "wall": {wall}, "cpu": {cpu}, "value": {best}, "spread": {spread}, "list": {list}, "prepared": {prepared}}}"#
    );
}

fn bytes(folder: &Path, name: &str) -> Vec<u8> {
    std::fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn numbers(folder: &Path, name: &str) -> Vec<f64> {
    let raw = bytes(folder, name);
    raw.chunks_exact(8).map(|raw| f64::from_le_bytes(raw.try_into().expect("eight bytes"))).collect()
}
