//! What intervals rest on - sandwich errors, acceleration, BCa ends, planning - against scipy and statsmodels.
//!
//! `reference/make_spread_reference.py` wrote `reference/spread.json`, with versions.

use serde_json::Value;
use tribunal_eval::intervals::{Level, Replicates, Sampled, bootstrap_bca, stratified_acceleration};
use tribunal_eval::metrics::{Measure, auroc};
use tribunal_eval::significance::{Aim, cases_for_difference};
use tribunal_eval::{Ranking, ResampledRows, Resampler, ScoredSet};
use tribunal_tails::t_quantile;

fn reference(part: &str) -> Value {
    let all: Value = serde_json::from_str(include_str!("../reference/spread.json")).expect("JSON");
    all[part].clone()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|value| value.as_f64().expect("a number")).collect()
}

#[track_caller]
fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance * expected.abs(), "{found}, expected {expected}");
}

#[test]
fn calibration_errors_agree_with_statsmodels() {
    let reference = reference("calibration");
    let truth: Vec<bool> = numbers(&reference["truth"]).iter().map(|&y| y == 1.0).collect();
    let p = numbers(&reference["p"]);
    let ranking = Ranking::of(&ScoredSet::new(&truth, &p).expect("valid")).expect("rankable");
    for (metric, key) in [("calibration_slope", "slope"), ("calibration_intercept", "intercept")] {
        let measure: Measure = metric.parse().expect("a metric");
        let value = measure.of_ranking(&ranking).expect("of rankings").expect("overlapping classes");
        let interval = measure.interval(&Sampled::new(&ranking), None).expect("a formula");
        let expected = numbers(&reference[key]);
        close(value, expected[0], 1e-9);
        // The slope has Student's t on the rarer class.
        let rarer =
            truth.iter().filter(|truth| **truth).count().min(truth.iter().filter(|truth| !**truth).count());
        let quantile = if key == "slope" { t_quantile(0.025, rarer as f64 - 1.0) } else { Level::P95.z() };
        close((interval.upper - interval.lower) / (2.0 * quantile), expected[1], 1e-8);
    }
}

/// Each case is a group of its own here, so the jackknife is scipy's.
#[test]
fn acceleration_and_bca_ends_agree_with_scipy() {
    let reference = reference("bca");
    let (positives, negatives) = (numbers(&reference["positives"]), numbers(&reference["negatives"]));
    let scores: Vec<f64> = positives.iter().chain(&negatives).copied().collect();
    let truth: Vec<bool> = (0..scores.len()).map(|row| row < positives.len()).collect();
    let resampler = Resampler::new(&ResampledRows::new(&truth, vec![&scores])).expect("both classes");
    let area = |rankings: Vec<Ranking>| auroc(&rankings[0]).expect("both classes");
    let without = |class: bool, n: usize| -> Vec<f64> {
        (0..n).map(|case| area(resampler.without(class, case, n))).collect()
    };
    let strata = [without(true, positives.len()), without(false, negatives.len())];
    let acceleration = stratified_acceleration(&[&strata[0], &strata[1]]).expect("two strata");
    close(acceleration, reference["acceleration"].as_f64().expect("a number"), 1e-9);

    let replicates = Replicates::new(numbers(&reference["replicates"])).expect("finite");
    let interval =
        bootstrap_bca(&replicates, area(resampler.rows()), acceleration, Level::P95).expect("both sides");
    let at = |share: f64| replicates.values()[(replicates.values().len() as f64 * share).ceil() as usize - 1];
    let shares = numbers(&reference["shares"]);
    assert_eq!((interval.lower, interval.upper), (at(shares[0]), at(shares[1])));
}

/// The other tail, which statsmodels counts and the formula does not, is below a part in a million here.
#[test]
fn cases_for_a_difference_agree_with_statsmodels() {
    for row in reference("planning").as_array().expect("rows") {
        let (effect, power, cases) = (&row[0], &row[1], &row[2]);
        let [effect, power, cases] = [effect, power, cases].map(|value| value.as_f64().expect("a number"));
        let aim = Aim::new(Level::P95, power).expect("a power");
        close(cases_for_difference(1, 1.0, effect, aim).expect("a difference").unrounded, cases, 1e-5);
    }
}
