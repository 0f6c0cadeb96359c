//! Every registered metric's 95 % interval holds the truth about as often as it says, on one design: a quick form of
//! `make coverage`, so that a new metric is checked the moment it is listed.

use std::fmt::Display;

use rayon::prelude::*;
use tribunal_eval::influence::BaseRate;
use tribunal_eval::intervals::{Interval, Level, Replicates, Sampled, TopGain};
use tribunal_eval::metrics::{Kind, METRICS, Measure, Metric};
use tribunal_eval::{AmountPairs, CutoffRule, Ranking, ResampledRows, Resampler, ScoredSet};
use tribunal_random::Random;

const N_ROWS: usize = 400;
const BASE_RATE: f64 = 0.25;
const SAMPLES: u64 = 400;
/// Fewer samples of fewer replicates where rows are drawn again.
const DRAWN_SAMPLES: u64 = 200;
const REPLICATES: u64 = 60;
const CUT: f64 = 0.3;

/// Rows of a sample.
struct Rows {
    truth: Vec<bool>,
    scores: Vec<f64>,
    amounts: Vec<f64>,
}

impl Rows {
    fn set(&self) -> ScoredSet<'_> {
        let set = ScoredSet::new(&self.truth, &self.scores).and_then(|set| set.with_amount(&self.amounts));
        set.expect("finite")
    }
}

/// Positives score higher by one standard deviation; the probabilities are right; amounts are lognormal.
fn draw(random: &mut Random, n_rows: usize) -> Rows {
    let mut case = || {
        let positive = random.uniform() < BASE_RATE;
        let latent = random.normal() + f64::from(positive);
        let log_odds = (BASE_RATE / (1.0 - BASE_RATE)).ln() + latent - 0.5;
        (positive, 1.0 / (1.0 + (-log_odds).exp()))
    };
    let (truth, scores) = (0..n_rows).map(|_| case()).unzip();
    let amounts = (0..n_rows).map(|_| random.normal().exp()).collect();
    Rows { truth, scores, amounts }
}

fn value(measure: &Measure, ranking: &Ranking) -> f64 {
    let at = CutoffRule::Score(CUT).find(ranking).expect("some rows");
    let found = measure.of_ranking(ranking).or_else(|| measure.of_confusion(&at.confusion));
    found.expect("no metric of amounts").expect("defined")
}

fn interval(measure: &Measure, rows: &Rows, seed: u64) -> Interval {
    let ranking = Ranking::of(&rows.set()).expect("few rows");
    if !measure.metric.spread.is_drawn() {
        let at = CutoffRule::Score(CUT).find(&ranking).expect("some rows");
        return measure.interval(&Sampled::new(&ranking), Some(&at)).expect("an interval");
    }
    let Rows { truth, scores, .. } = rows;
    let resampler = Resampler::new(&ResampledRows::new(truth, vec![scores])).expect("both classes");
    let drawn =
        (0..REPLICATES).map(|index| value(measure, &resampler.replicate(seed, index, BaseRate::Random)[0]));
    let replicates = Replicates::new(drawn.collect()).expect("finite");
    let rarer =
        truth.iter().filter(|truth| **truth).count().min(truth.iter().filter(|truth| !**truth).count());
    let estimate = value(measure, &ranking);
    measure.drawn_interval(&replicates, estimate, rarer as f64, Level::P95).expect("two of each class")
}

/// What is wrong with intervals at 95 % that hold a truth too seldom, allowing for four standard errors of the simulation.
fn fault(figure: impl Display, n_samples: u64, holds: impl Fn(u64) -> bool + Sync) -> Option<String> {
    let held =
        (0..n_samples).into_par_iter().filter(|&sample| holds(sample)).count() as f64 / n_samples as f64;
    let least = 0.95 - 4.0 * (0.95 * 0.05 / n_samples as f64).sqrt();
    (held < least).then(|| format!("{figure} holds the truth in {held} of the samples"))
}

#[test]
fn intervals_of_every_registered_metric_hold() {
    let population = Ranking::of(&draw(&mut Random::new(1), 1_000_000).set()).expect("few rows");
    let fault_of = |metric: &&'static Metric| {
        let of_cases = metric.parameter().is_some_and(|parameter| parameter.counts_cases);
        let parameter = |n_rows: f64| metric.parameter().map(|_| if of_cases { 0.1 * n_rows } else { 0.1 });
        let measure = Measure::new(metric, parameter(N_ROWS as f64)).expect("a measure");
        let on_population = Measure::new(metric, parameter(1e6)).expect("a measure");
        let expected = value(&on_population, &population);
        let n_samples = if metric.spread.is_drawn() { DRAWN_SAMPLES } else { SAMPLES };
        fault(measure, n_samples, |sample| {
            let rows = draw(&mut Random::derived(2, &[sample]), N_ROWS);
            interval(&measure, &rows, sample).contains(expected)
        })
    };
    let metrics = METRICS.iter().copied().filter(|metric| metric.kind != Kind::Amount);
    let faults: Vec<String> = metrics.filter_map(|metric| fault_of(&metric)).collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

/// Amounts are skewed; heavier tails than these are a limit of every interval, since a sample does not know the largest
/// amounts that it has not seen.
fn draw_amounts(random: &mut Random, n_rows: usize) -> (Vec<f64>, Vec<f64>) {
    let mut pair = || {
        let shared = random.normal();
        ((0.3 * random.normal() + 0.4 * shared).exp(), (0.4 * shared).exp())
    };
    (0..n_rows).map(|_| pair()).unzip()
}

#[test]
fn intervals_of_every_metric_of_amounts_hold() {
    let (actual, predicted) = draw_amounts(&mut Random::new(3), 2_000_000);
    let population = AmountPairs::new(&actual, &predicted).expect("finite");
    let fault_of = |metric: &'static Metric| {
        let measure = Measure::new(metric, None).expect("a measure");
        let expected = measure.of_amounts(&population).expect("of amounts").expect("defined");
        fault(measure, SAMPLES, |sample| {
            let (actual, predicted) = draw_amounts(&mut Random::derived(4, &[sample]), N_ROWS);
            let pairs = AmountPairs::new(&actual, &predicted).expect("finite");
            measure.interval_of_amounts(&pairs, Level::P95).expect("an interval").contains(expected)
        })
    };
    let metrics = METRICS.iter().copied().filter(|metric| metric.kind == Kind::Amount);
    let faults: Vec<String> = metrics.filter_map(fault_of).collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

/// The gain in the top tenth of a list whose positives have lognormal amounts.
fn draw_gain(random: &mut Random, n_rows: usize) -> TopGain {
    TopGain::in_share(&draw(random, n_rows).set(), 0.1).expect("amounts")
}

#[test]
fn intervals_of_the_gain_in_the_top_of_a_list_hold() {
    let n_population = 1_000_000;
    let population = draw_gain(&mut Random::new(5), n_population);
    let expected = population.estimate() * N_ROWS as f64 / n_population as f64;
    let fault = fault("the gain in the top tenth", SAMPLES, |sample| {
        let gain = draw_gain(&mut Random::derived(6, &[sample]), N_ROWS);
        gain.interval(Level::P95, BaseRate::Random).expect("an interval").contains(expected)
    });
    assert_eq!(fault, None);
}
