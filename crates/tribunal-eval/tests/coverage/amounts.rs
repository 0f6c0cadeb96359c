//! Errors of predicted amounts.
//!
//! Amounts are lognormal; the prediction knows a part of what decides them. The truth is the figure of two million pairs.

use rayon::prelude::*;
use tribunal_eval::AmountPairs;
use tribunal_eval::intervals::Level;
use tribunal_eval::metrics::{Kind, METRICS, Measure};
use tribunal_random::Random;

use crate::report::{OtherTable, share};

const N_SAMPLES: u64 = 2000;
const N_POPULATION: usize = 2_000_000;
/// The least coverage for amounts of moderate and of heavy skewness.
const LEAST: [f64; 2] = [0.92, 0.82];
/// Standard deviations of the logarithm: of what is predicted, and of what is not.
const SKEWNESS: [(f64, f64); 2] = [(0.4, 0.3), (0.8, 0.6)];

fn draw(random: &mut Random, n_rows: usize, (known, unknown): (f64, f64)) -> (Vec<f64>, Vec<f64>) {
    let mut pair = || {
        let shared = random.normal();
        ((unknown * random.normal() + known * shared).exp(), (known * shared).exp())
    };
    (0..n_rows).map(|_| pair()).unzip()
}

/// The table, and what is wrong with it.
pub(crate) fn simulate() -> (OtherTable, Vec<String>) {
    let (mut rows, mut failures) = (vec![], vec![]);
    for (skewness, least) in SKEWNESS.into_iter().zip(LEAST) {
        let (actual, predicted) = draw(&mut Random::new(5), N_POPULATION, skewness);
        let population = AmountPairs::new(&actual, &predicted).expect("finite");
        for metric in METRICS.iter().filter(|metric| metric.kind == Kind::Amount) {
            let measure = Measure::new(metric, None).expect("a measure");
            let truth = measure.of_amounts(&population).expect("of amounts").expect("defined");
            for n_rows in [200, 2000] {
                let place = |sample: u64| {
                    let (actual, predicted) =
                        draw(&mut Random::derived(6, &[n_rows as u64, sample]), n_rows, skewness);
                    let pairs = AmountPairs::new(&actual, &predicted).expect("finite");
                    let interval = measure.interval_of_amounts(&pairs, Level::P95).expect("an interval");
                    (truth < interval.lower, truth > interval.upper, interval.upper - interval.lower)
                };
                let found: Vec<(bool, bool, f64)> = (0..N_SAMPLES).into_par_iter().map(place).collect();
                let n = N_SAMPLES as f64;
                let below = found.iter().filter(|found| found.0).count() as f64 / n;
                let above = found.iter().filter(|found| found.1).count() as f64 / n;
                let width = found.iter().map(|found| found.2).sum::<f64>() / n;
                let coverage = 1.0 - below - above;
                let name = format!("{measure}, {n_rows} rows, {} and {}", skewness.0, skewness.1);
                if coverage < least {
                    failures.push(format!("{name}: {coverage:.4} is below {least}"));
                }
                let mut row =
                    vec![measure.to_string(), n_rows.to_string(), format!("{} / {}", skewness.0, skewness.1)];
                row.extend([coverage, below, above].map(share));
                row.push(format!("{width:.4}"));
                rows.push(row);
            }
        }
    }
    let table = OtherTable {
        heading: "Errors of predicted amounts",
        explanation: "Amounts are lognormal: the standard deviations of the logarithm are those of what is predicted and of what is not. With\n\
            heavy tails every interval holds less often: a sample does not know the largest amounts that it has not seen.",
        header: &["figure", "rows", "deviations", "coverage", "lower tail", "upper tail", "width"],
        rows,
    };
    (table, failures)
}
