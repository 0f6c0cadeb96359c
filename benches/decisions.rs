//! What decisions need of a ranking beside its AUROC alone, of rows in memory: risk chart, error-matrix chart with its proportion
//! score function, profit curve with its best cut, and a capacity table with all its intervals.
//!
//! Both start from the same rows and sort them, in turn: plain rows, rows with amounts of positives, and weighted rows. Prints one JSON
//! line for each, `auroc` and `tribunal`: seconds of wall and CPU time, the best of several runs.
//!
//!     cargo bench -p tribunal-benches --bench decisions -- --rows 10000000

use std::time::Instant;

use cpu_time::ProcessTime;
use tribunal_eval::curves::{Benefit, Payoff, RiskChart, best_profit, profit_curve};
use tribunal_eval::decisions::{Capacity, capacity_hits};
use tribunal_eval::error_matrix::ErrorMatrixChart;
use tribunal_eval::intervals::Sampled;
use tribunal_eval::{CutoffRule, Ranking, ScoredSet, metrics};
use tribunal_random::Random;

/// The allocator of the command.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

const RUNS: usize = 5;
const BASE_RATE: f64 = 0.1;
/// Points of a curve.
const POINTS: usize = 1000;
/// Bins of the proportion score function.
const BINS: usize = 20;
/// Lengths of the list in the capacity table, as shares of it.
const SHARES: [f64; 7] = [0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8];

fn main() {
    let mut args = std::env::args().skip_while(|arg| arg != "--rows").skip(1);
    let n_rows: usize = args.next().and_then(|rows| rows.parse().ok()).unwrap_or(1_000_000);
    let mut random = Random::new(1);
    let truth: Vec<bool> = (0..n_rows).map(|_| random.uniform() < BASE_RATE).collect();
    let score: Vec<f64> =
        truth.iter().map(|&positive| random.normal() + f64::from(u8::from(positive))).collect();
    let amount: Vec<f64> = truth.iter().map(|_| random.normal().exp()).collect();
    let weight: Vec<f64> = truth.iter().map(|_| 0.5 + random.uniform()).collect();
    let plain = || ScoredSet::new(&truth, &score).expect("finite");
    let fixed = Benefit::Fixed(10.0);
    beside_auroc("plain", plain, plain, fixed);
    beside_auroc("amounts", plain, || plain().with_amount(&amount).expect("finite"), Benefit::Amount);
    let weighted = || plain().with_weight(&weight).expect("finite");
    beside_auroc("weights", weighted, weighted, fixed);
}

/// Times decisions about one set in turn with the AUROC alone of another of the same rows, which needs no amounts.
fn beside_auroc<'a>(
    job: &str,
    scored: impl Fn() -> ScoredSet<'a>,
    judged: impl Fn() -> ScoredSet<'a>,
    benefit: Benefit,
) {
    let auroc = || metrics::auroc(&ranked(&scored())).expect("both classes");
    let (mut alone, mut decided) = (Times::default(), Times::default());
    for _ in 0..RUNS {
        alone.time(auroc);
        decided.time(|| decisions(&ranked(&judged()), benefit));
    }
    alone.print("auroc", job);
    decided.print("tribunal", job);
}

fn ranked(set: &ScoredSet<'_>) -> Ranking {
    Ranking::of(set).expect("a ranking")
}

/// Charts at the points that a drawing needs; areas and the best cut are those of all rows.
fn decisions(ranking: &Ranking, benefit: Benefit) -> f64 {
    let payoff = Payoff { benefit, cost: 1.0 };
    let blocks = ranking.landmarks(POINTS);
    let chart = RiskChart::at_blocks(ranking, &blocks).expect("both classes");
    let profit = profit_curve(ranking, &payoff, &blocks).expect("rows");
    let best = best_profit(ranking, &payoff).expect("rows");
    let sampled = Sampled::new(ranking);
    let cutoff = CutoffRule::Share(0.1).find(ranking).expect("rows");
    let matrix = ErrorMatrixChart::of(&sampled, &cutoff, BINS).expect("bins");
    let total = ranking.totals().total();
    let capacity = |share: f64| {
        let capacity = Capacity::of_this_list((share * total).round()).expect("cases");
        capacity_hits(&sampled, capacity).expect("both classes").hits.value
    };
    let hits: f64 = SHARES.into_iter().map(capacity).sum();
    assert!(profit.points.len() == chart.points.len() && matrix.psf.bins.len() == BINS);
    chart.cases.standardised + best.share + hits
}

/// The least times of several runs, and what came out.
struct Times {
    wall: f64,
    cpu: f64,
    figure: f64,
}

impl Default for Times {
    fn default() -> Self {
        Self { wall: f64::INFINITY, cpu: f64::INFINITY, figure: 0.0 }
    }
}

impl Times {
    fn time(&mut self, run: impl Fn() -> f64) {
        let (started, cpu_started) = (Instant::now(), ProcessTime::now());
        self.figure = run();
        self.wall = self.wall.min(started.elapsed().as_secs_f64());
        self.cpu = self.cpu.min(cpu_started.elapsed().as_secs_f64());
    }

    fn print(&self, peer: &str, job: &str) {
        let Self { wall, cpu, figure } = self;
        println!(r#"{{"peer": "{peer}", "job": "{job}", "wall": {wall}, "cpu": {cpu}, "figure": {figure}}}"#);
    }
}
