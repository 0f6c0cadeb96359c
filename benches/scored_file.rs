//! A scored file to the whole judgement: AUROC, KS, average precision, Brier, log-loss, decile lifts, profit.
//!
//! Does with `--file FILE` what `peers/scored_file.py` does, reading included, and prints one JSON line.

use std::time::Instant;

use cpu_time::ProcessTime;
use tribunal::{At, EvaluateRequest, ScoreColumns, evaluate};
use tribunal_eval::CutoffRule;
use tribunal_eval::curves::{Benefit, Payoff};

mod peak_memory;

/// The allocator of the command.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// What acting on a case costs.
const COST: f64 = 50.0;

fn main() {
    let Some(file) = std::env::args().skip_while(|arg| arg != "--file").nth(1) else {
        return println!("give the scored file: --file FILE");
    };
    let mut columns = ScoreColumns::new("label", ["score"]);
    columns.positive = Some("1".into());
    columns.amount = Some("amount".into());
    let mut request = EvaluateRequest::new(columns);
    let wanted = ["auroc", "ks", "average_precision", "brier", "log_loss"];
    let deciles = (1..=10).map(|tenth| format!("lift@{}", f64::from(tenth) / 10.0));
    let measures = wanted.into_iter().map(str::to_owned).chain(deciles);
    request.metrics = measures.map(|id| id.parse().expect("a metric")).collect();
    request.at = vec![At::Share(0.1)];
    request.cutoffs = vec![CutoffRule::MaxProfit(Payoff { benefit: Benefit::Amount, cost: COST })];
    // The profit is computed at every distinct score; the other curves are not part of the job.
    request.curves = false;
    // The peers compute no interval.
    request.intervals = false;
    request.fingerprint = false;
    let (started, cpu_started) = (Instant::now(), ProcessTime::now());
    let found = evaluate(&[file], &request, &|_| ()).expect("a readable file");
    let (wall, cpu) = (started.elapsed().as_secs_f64(), cpu_started.elapsed().as_secs_f64());
    let value = |metric: &str| {
        let row = found.metrics.iter().find(|row| row.metric == metric && row.scope.is_all());
        row.and_then(|row| row.estimate).unwrap_or(f64::NAN)
    };
    let best = found.cutoffs.first().and_then(|best| Some((best.amount?, best.cutoff?.confusion.flagged())));
    println!(
        r#"{{"peer": "tribunal", "wall": {wall}, "cpu": {cpu}, "maxrss": {}, "auroc": {}, "ks": {}, "ap": {}, "brier": {}, "log_loss": {}, "lift_top_decile": {}, "max_profit": {}}}"#,
        peak_memory::of_this_process(),
        value("auroc"),
        value("ks"),
        value("average_precision"),
        value("brier"),
        value("log_loss"),
        value("lift@0.1"),
        best.map_or(f64::NAN, |(amount, flagged)| amount - COST * flagged),
    );
}
