//! What decisions need of a ranking beside its AUROC alone: risk chart, profit and capacity of rows in memory.
//!
//! Both start from the same rows and sort them. Prints one JSON line for each: seconds of wall and CPU time, the best of several runs.
//!
//!     cargo bench -p tribunal-benches --bench decisions -- --rows 10000000

use std::time::Instant;

use cpu_time::ProcessTime;
use tribunal_eval::curves::{Benefit, LiftScenario, Payoff, RiskChart, best_profit, profit_curve};
use tribunal_eval::{Ranking, ScoredSet, metrics};
use tribunal_random::Random;

/// The allocator of the command.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

const RUNS: usize = 5;
const BASE_RATE: f64 = 0.1;
/// Points of a curve.
const POINTS: usize = 1000;

fn main() {
    let mut args = std::env::args().skip_while(|arg| arg != "--rows").skip(1);
    let n_rows: usize = args.next().and_then(|rows| rows.parse().ok()).unwrap_or(1_000_000);
    let mut random = Random::new(1);
    let truth: Vec<bool> = (0..n_rows).map(|_| random.uniform() < BASE_RATE).collect();
    let score: Vec<f64> =
        truth.iter().map(|&positive| random.normal() + f64::from(u8::from(positive))).collect();
    let amount: Vec<f64> = truth.iter().map(|_| random.normal().exp()).collect();
    let plain = || ScoredSet::new(&truth, &score).expect("finite");
    let with_amounts = || plain().with_amount(&amount).expect("finite");
    let alone = timed("auroc alone", || metrics::auroc(&ranked(&plain())).expect("both classes"));
    let decided = timed("decisions", || decisions(&ranked(&plain()), Benefit::Fixed(10.0)));
    let of_amounts = timed("decisions, with amounts of positives", || {
        decisions(&ranked(&with_amounts()), Benefit::Amount)
    });
    println!(r#"{{"ratio": {}, "ratio with amounts": {}}}"#, decided / alone, of_amounts / alone);
}

fn ranked(set: &ScoredSet<'_>) -> Ranking {
    Ranking::of(set).expect("a ranking")
}

/// Risk chart, profit curve, its best cut and what the first tenth holds, each at the points that a drawing needs; areas and the
/// best cut are those of all rows.
fn decisions(ranking: &Ranking, benefit: Benefit) -> f64 {
    let payoff = Payoff { benefit, cost: 1.0 };
    let blocks = ranking.landmarks(POINTS);
    let chart = RiskChart::at_blocks(ranking, &blocks).expect("both classes");
    let profit = profit_curve(ranking, &payoff, &blocks).expect("rows");
    let best = best_profit(ranking, &payoff).expect("rows");
    let capacity = LiftScenario::in_share(ranking, 0.1).expect("a share");
    let capture = chart.capture(0.1).expect("a share");
    assert!(profit.points.len() == chart.points.len() && (capture.recall - capacity.cph).abs() < 1e-2);
    chart.cases.standardised + best.share
}

/// The least seconds of wall time.
fn timed(what: &str, run: impl Fn() -> f64) -> f64 {
    let (mut wall, mut cpu, mut figure) = (f64::INFINITY, f64::INFINITY, 0.0);
    for _ in 0..RUNS {
        let (started, cpu_started) = (Instant::now(), ProcessTime::now());
        figure = run();
        wall = wall.min(started.elapsed().as_secs_f64());
        cpu = cpu.min(cpu_started.elapsed().as_secs_f64());
    }
    println!(r#"{{"peer": "{what}", "wall": {wall}, "cpu": {cpu}, "figure": {figure}}}"#);
    wall
}
