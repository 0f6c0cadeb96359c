//! Calibrators agree with scikit-learn's isotonic regression and sigmoid, and with a bounded fit of the beta curve by SciPy.

use std::collections::BTreeMap;

use serde::Deserialize;
use tribunal_learn::{Calibrator, CalibratorKind, Scored};

#[derive(Deserialize)]
struct Reference {
    sets: BTreeMap<String, Set>,
}

#[derive(Deserialize)]
struct Set {
    scores: Vec<f64>,
    labels: Vec<bool>,
    weights: Vec<f64>,
    isotonic: Vec<f64>,
    platt: Vec<f64>,
    beta: Vec<f64>,
}

impl Set {
    fn rows(&self) -> Vec<Scored> {
        let rows = self.scores.iter().zip(&self.labels).zip(&self.weights);
        rows.map(|((&score, &is_positive), &weight)| Scored { score, weight, is_positive }).collect()
    }
}

fn check(kind: CalibratorKind, expected: impl Fn(&Set) -> &[f64], tolerance: f64) {
    let reference: Reference =
        serde_json::from_str(include_str!("../reference/calibration.json")).expect("the reference is JSON");
    assert_eq!(reference.sets.len(), 4);
    for (name, set) in &reference.sets {
        let calibrator = Calibrator::fit(kind, set.rows());
        assert_eq!(expected(set).len(), set.scores.len(), "{name}");
        for (&score, expected) in set.scores.iter().zip(expected(set)) {
            let found = calibrator.value(score);
            assert!(
                (found - expected).abs() <= tolerance,
                "{kind}, {name}: {score} is {found}, not {expected}"
            );
        }
    }
}

#[test]
fn isotonic_values_are_those_of_scikit_learn() {
    check(CalibratorKind::Isotonic, |set| &set.isotonic, 1e-12);
}

#[test]
fn sigmoids_are_those_of_scikit_learn() {
    // It stops where the slopes are below 1e-6, this one where they are below 1e-5.
    check(CalibratorKind::Platt, |set| &set.platt, 1e-6);
}

#[test]
fn beta_curves_have_the_least_cross_entropy() {
    check(CalibratorKind::Beta, |set| &set.beta, 1e-6);
}
