//! Density ratios beside scipy's logistic regression and cvxopt's quadratic programs, on samples that are awkward.
//!
//! `reference/make_density_ratio_reference.py` wrote `reference/density_ratio.json`, with versions.

use serde::Deserialize;
use tribunal_learn::density_ratio::{KernelMeanMatching, LogisticRatio, MatchingOptions, SamplePair};
use tribunal_learn::encoding::Matrix;
use tribunal_random::Random;

#[derive(Deserialize)]
struct Reference {
    cases: Vec<Case>,
}

#[derive(Clone, Deserialize)]
struct Case {
    name: String,
    d: Vec<Vec<f64>>,
    t: Vec<Vec<f64>>,
    weight_d: Vec<f64>,
    weight_t: Vec<f64>,
    logistic: Logistic,
    kmm: Matching,
}

#[derive(Clone, Deserialize)]
struct Logistic {
    coefficients: Vec<f64>,
    weights: Vec<f64>,
}

#[derive(Clone, Deserialize)]
struct Matching {
    s2: f64,
    weights: Vec<f64>,
    objective: f64,
    fit: Vec<f64>,
    is_unique: bool,
}

impl Case {
    fn all() -> Vec<Case> {
        let reference: Reference = serde_json::from_str(include_str!("../reference/density_ratio.json"))
            .expect("the reference is JSON");
        reference.cases
    }

    fn samples(&self) -> SamplePair {
        let pair = SamplePair::of_matrices(matrix(&self.d), matrix(&self.t)).expect("a pair");
        pair.with_weights(self.weight_d.clone(), self.weight_t.clone()).expect("weights")
    }

    fn matched(&self) -> KernelMeanMatching {
        KernelMeanMatching::fit(&self.samples(), &MatchingOptions::default()).expect("a match")
    }
}

fn matrix(rows: &[Vec<f64>]) -> Matrix {
    let values = (0..rows[0].len()).flat_map(|column| rows.iter().map(move |row| row[column])).collect();
    Matrix::from_values(rows.len(), rows[0].len(), values).expect("numbers")
}

#[track_caller]
fn close(name: &str, found: f64, expected: f64, tolerance: f64) {
    let is_close = (found - expected).abs() <= tolerance * (1.0 + expected.abs());
    assert!(is_close, "{name}: {found}, expected {expected}");
}

#[test]
fn logistic_ratios_are_those_of_scipy() {
    for case in Case::all() {
        let found = LogisticRatio::fit(&case.samples()).expect("a fit");
        let coefficients = [&[found.intercept], &found.slopes[..]].concat();
        for (found, expected) in coefficients.iter().zip(&case.logistic.coefficients) {
            close(&case.name, *found, *expected, 1e-7);
        }
        for (found, expected) in found.weights.ratios.iter().zip(&case.logistic.weights) {
            close(&case.name, *found, *expected, 1e-7);
        }
    }
}

#[test]
fn kernel_mean_matching_finds_the_minimum_of_a_cone_solver() {
    for case in Case::all() {
        let (name, found) = (&case.name, case.matched());
        close(name, found.squared_bandwidth, case.kmm.s2, 1e-12);
        close(name, found.objective, case.kmm.objective, 1e-9);
        assert!(found.kkt_residual <= 1e-8, "{name}: {}", found.kkt_residual);
        // What is determined whether or not the ratios are: the weighted mean in the space of the kernel.
        let fit = kernel_times_ratios(&case, &found);
        assert_eq!(fit.len(), case.kmm.fit.len(), "{name}");
        for (found, expected) in fit.iter().zip(&case.kmm.fit) {
            close(&format!("{name}, fit"), *found, *expected, 1e-5);
        }
        let ratios = found.weights.ratios.iter().zip(&case.kmm.weights);
        ratios
            .filter(|_| case.kmm.is_unique)
            .for_each(|(found, expected)| close(name, *found, *expected, 1e-4));
    }
}

/// Two normal samples with a common variance have the ratio `exp(d x - d^2 / 2)`.
#[test]
fn ratios_of_normal_samples_are_the_known_ones() {
    const DISTANCE: f64 = 0.6;
    let mut random = Random::new(12);
    let mut draw =
        |n: usize, mean: f64| -> Vec<Vec<f64>> { (0..n).map(|_| vec![random.normal() + mean]).collect() };
    let (d, t) = (draw(600, 0.0), draw(600, DISTANCE));
    let samples = SamplePair::of_matrices(matrix(&d), matrix(&t)).expect("a pair");
    let truth: Vec<f64> = d.iter().map(|row| (DISTANCE * row[0] - DISTANCE.powi(2) / 2.0).exp()).collect();
    let logistic = LogisticRatio::fit(&samples).expect("a fit").weights.ratios;
    let matched =
        KernelMeanMatching::fit(&samples, &MatchingOptions::default()).expect("a match").weights.ratios;
    let error = |found: &[f64]| found.iter().zip(&truth).map(|(a, b)| (a - b).abs()).sum::<f64>() / 600.0;
    assert!(error(&logistic) < 0.1, "{}", error(&logistic));
    // Single ratios are free as long as the means match, which is what they are for.
    let mean = |ratios: &[f64]| {
        let total: f64 = ratios.iter().sum();
        d.iter().zip(ratios).map(|(row, ratio)| row[0] * ratio).sum::<f64>() / total
    };
    for ratios in [&logistic, &matched, &truth] {
        assert!((mean(ratios) - DISTANCE).abs() < 0.15, "{}", mean(ratios));
    }
}

/// `K b` over rows as often as they weigh.
fn kernel_times_ratios(case: &Case, found: &KernelMeanMatching) -> Vec<f64> {
    let repeated = case.d.iter().zip(&case.weight_d).zip(&found.weights.ratios);
    let rows: Vec<(&Vec<f64>, f64)> =
        repeated.flat_map(|((row, weight), ratio)| vec![(row, *ratio); *weight as usize]).collect();
    let kernel = |a: &[f64], b: &[f64]| {
        let distance: f64 = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum();
        (-distance / found.squared_bandwidth).exp()
    };
    rows.iter().map(|(a, _)| rows.iter().map(|(b, ratio)| ratio * kernel(a, b)).sum()).collect()
}

#[test]
fn ratios_of_equal_rows_are_equal() {
    let case = Case::all().into_iter().find(|case| case.name == "duplicate_rows").expect("a case");
    let found = case.matched().weights.ratios;
    for a in 0..case.d.len() {
        for b in (0..a).filter(|&b| case.d[a] == case.d[b]) {
            close("a pair", found[a], found[b], 1e-6);
        }
    }
}

#[test]
fn the_order_of_rows_and_columns_does_not_matter() {
    for case in Case::all() {
        let reversed = |rows: &[Vec<f64>]| -> Vec<Vec<f64>> {
            rows.iter().rev().map(|row| row.iter().rev().copied().collect()).collect()
        };
        let backwards = |weights: &[f64]| -> Vec<f64> { weights.iter().rev().copied().collect() };
        let other = Case {
            d: reversed(&case.d),
            t: reversed(&case.t),
            weight_d: backwards(&case.weight_d),
            weight_t: backwards(&case.weight_t),
            ..case.clone()
        };
        let ratios = |case: &Case| LogisticRatio::fit(&case.samples()).expect("a fit").weights.ratios;
        for (found, expected) in backwards(&ratios(&other)).iter().zip(ratios(&case)) {
            close(&case.name, *found, expected, 1e-9);
        }
        let (found, expected) = (other.matched(), case.matched());
        close(&case.name, found.objective, expected.objective, 1e-9);
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let values = |n: usize, shift: f64| -> Vec<Vec<f64>> {
        (0..n)
            .map(|idx| vec![((idx * 7919 % 1009) as f64 / 1009.0) + shift, (idx % 13) as f64 / 13.0])
            .collect()
    };
    let pair = SamplePair::of_matrices(matrix(&values(450, 0.0)), matrix(&values(300, 0.3))).expect("a pair");
    let options = MatchingOptions { most_rows_at_once: 100, ..MatchingOptions::default() };
    let on = |n_threads: usize| {
        let pool = rayon_pool(n_threads);
        pool.install(|| {
            let logistic = LogisticRatio::fit(&pair).expect("a fit");
            (logistic, KernelMeanMatching::fit(&pair, &options).expect("a match"))
        })
    };
    assert_eq!(on(1), on(3));
}

fn rayon_pool(n_threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().expect("threads")
}
