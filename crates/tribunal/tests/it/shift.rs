//! The shift between a training table and a population against values of scipy, numpy and scikit-learn.
//!
//! The values and the versions that gave them are in `reference/shift.json`, next to the script that wrote them; columns are made again
//! from the same whole numbers.

use serde_json::Value;
use tribunal::shift::{ShiftDiagnosis, ShiftRequest, Sides, diagnose_shift};
use tribunal_eval::significance::{KsMethod, TwoCounts, TwoSamples, chi_square_homogeneity, ks_two_sample};
use tribunal_learn::{Column, Dataset, Kind, Values};

fn reference() -> Value {
    serde_json::from_str(include_str!("../reference/shift.json")).expect("shift.json is JSON")
}

fn cases<'a>(reference: &'a Value, name: &str) -> &'a [Value] {
    reference[name].as_array().expect("a list")
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn count(value: &Value) -> usize {
    number(value) as usize
}

/// Knuth's linear congruential generator, its upper bits as numbers from 0 to 1.
fn lcg(seed: u64, n: usize) -> Vec<f64> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    (0..n).map(|_| next()).collect()
}

fn shaped(shape: &str, uniform: Vec<f64>) -> Vec<f64> {
    let of = |u: f64| match shape {
        "tied" => (8.0 * u).floor(),
        "zero-inflated" => {
            if u < 0.85 {
                0.0
            } else {
                u
            }
        }
        "saturated" => u.min(0.6),
        _ => u,
    };
    uniform.into_iter().map(of).collect()
}

/// The two columns of a case, the second drawn to low values by the power.
fn columns(case: &Value, seeds: [u64; 2]) -> (Vec<f64>, Vec<f64>) {
    let (shape, power) = (case["shape"].as_str().expect("a shape"), number(&case["power"]));
    let first = shaped(shape, lcg(seeds[0], count(&case["n"])));
    let second = lcg(seeds[1], count(&case["m"])).into_iter().map(|u| u.powf(power)).collect();
    (first, shaped(shape, second))
}

fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values
}

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found}, expected {expected}");
}

#[test]
fn kolmogorov_smirnov_agrees_with_scipy() {
    let reference = reference();
    for case in cases(&reference, "ks") {
        let (first, second) = columns(case, [1, 2]);
        let found = ks_two_sample(TwoSamples { first: &sorted(first), second: &sorted(second) })
            .expect("two samples");
        close(found.statistic, number(&case["statistic"]), 1e-12);
        let p = number(&case["p"]);
        match case["method"].as_str().expect("a method") {
            "exact" => {
                assert_eq!(found.method, KsMethod::Exact);
                close(found.p, p, 1e-10);
            }
            "limit" => {
                assert_eq!(found.method, KsMethod::Asymptotic);
                close(found.p, p, 1e-9);
                close(found.p, number(&case["p_exact"]), 0.006);
            }
            // Four standard errors of 4000 permutations, and what the limit leaves out.
            _ => close(found.p, p, 4.0 * (p * (1.0 - p) / 4000.0).sqrt() + 0.012),
        }
    }
}

#[test]
fn chi_square_agrees_with_scipy() {
    let reference = reference();
    for case in cases(&reference, "chi_square") {
        let cell = |pair: &Value| TwoCounts { first: count(&pair[0]) as u64, second: count(&pair[1]) as u64 };
        let cells: Vec<TwoCounts> = cases(case, "cells").iter().map(cell).collect();
        let found = chi_square_homogeneity(&cells).expect("two samples");
        close(found.statistic, number(&case["statistic"]), 1e-10);
        assert_eq!(found.df, count(&case["df"]));
        close(found.p / number(&case["p"]), 1.0, 1e-10);
    }
}

fn dataset(columns: Vec<(String, Vec<f64>)>) -> Dataset {
    let column = |(name, values)| Column::new(name, Kind::Numeric, Values::Numbers(values)).expect("numbers");
    Dataset::new(columns.into_iter().map(column).collect()).expect("a table")
}

fn diagnose(training: &Dataset, population: &Dataset, seed: u64) -> ShiftDiagnosis {
    diagnose_shift(Sides { training, population }, &ShiftRequest::new(seed)).expect("a diagnosis")
}

#[test]
fn stability_indices_agree_with_numpy() {
    let reference = reference();
    for case in cases(&reference, "psi") {
        let (first, mut second) = columns(case, [3, 4]);
        second.iter_mut().step_by(7).for_each(|value| *value = f64::NAN);
        let table = |values| dataset(vec![("x".to_owned(), values)]);
        let found = diagnose(&table(first), &table(second), 1);
        let column = &found.columns[0];
        close(column.psi, number(&case["psi"]), 1e-10);
        close(column.psi_by_chance, number(&case["by_chance"]), 1e-8);
        let numbers = column.numbers.as_ref().expect("numbers");
        close(numbers.median.training.expect("a median"), number(&case["median"][0]), 1e-12);
        close(numbers.median.population.expect("a median"), number(&case["median"][1]), 1e-12);
        close(numbers.mean.training.expect("a mean"), number(&case["mean"][0]), 1e-12);
        close(numbers.mean.population.expect("a mean"), number(&case["mean"][1]), 1e-12);
    }
}

/// Other folds and another booster give other scores: the AUROCs must be of one size, and lie in the interval.
#[test]
fn domain_classifiers_find_what_those_of_scikit_learn_find() {
    let reference = reference();
    for case in cases(&reference, "domain") {
        let normal = |u: f64| tribunal_eval::intervals::normal_quantile(u).expect("a probability");
        let drawn = |seed: u64, n: usize| lcg(seed, n).into_iter().map(normal).collect::<Vec<f64>>();
        let table = |seed: u64, n: &Value| -> Vec<(String, Vec<f64>)> {
            (0..3).map(|column| (format!("x{column}"), drawn(seed + column, count(n)))).collect()
        };
        let (training, mut population) = (table(10, &case["n"]), table(20, &case["m"]));
        let (shift, scale) = (number(&case["shift"]), number(&case["scale"]));
        population[0].1.iter_mut().for_each(|x| *x = shift + scale * *x);
        let found = diagnose(&dataset(training), &dataset(population), 3);
        let domain = found.domain.judged().expect("a domain classifier");
        for (learner, name) in domain.learners.iter().zip(["linear", "boost"]) {
            let expected = number(&case["auroc"][name]);
            close(learner.auroc, expected, 0.035);
            assert!(
                learner.lower - 0.01 < expected && expected < learner.upper + 0.01,
                "{learner:?}, {expected}"
            );
        }
        let is_shifted = case["name"] != "equal";
        assert_eq!(domain.p < 0.01, is_shifted, "{domain:?}");
    }
}
