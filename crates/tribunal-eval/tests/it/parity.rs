//! Parity with scikit-learn, scipy, statsmodels and the hmeasure package.
//!
//! `reference/make_reference.py` made the values and says with which versions; they are committed, so this
//! runs offline.

use serde_json::Value as Json;
use tribunal_eval::curves::{Curve, CurveKind};
use tribunal_eval::metrics::Measure;
use tribunal_eval::{AmountPairs, Confusion, Ranking, ScoredSet};

fn reference() -> Json {
    serde_json::from_str(include_str!("../reference/reference.json")).expect("the reference is JSON")
}

fn numbers(json: &Json) -> Option<Vec<f64>> {
    let array = json.as_array()?;
    Some(array.iter().map(|value| value.as_f64().expect("a number")).collect())
}

fn rank(case: &Json) -> Ranking {
    let truth: Vec<bool> = numbers(&case["truth"]).expect("truth").iter().map(|&y| y == 1.0).collect();
    let (score, weight, amount) =
        (numbers(&case["score"]).expect("score"), numbers(&case["weight"]), numbers(&case["amount"]));
    let mut set = ScoredSet::new(&truth, &score).expect("valid");
    if let Some(weight) = &weight {
        set = set.with_weight(weight).expect("valid");
    }
    if let Some(amount) = &amount {
        set = set.with_amount(amount).expect("valid");
    }
    Ranking::of(&set).expect("few rows")
}

#[track_caller]
fn same(
    case: &str,
    metric: &str,
    found: Result<f64, tribunal_eval::Undefined>,
    expected: &Json,
    tolerance: f64,
) {
    match (found, expected.as_f64()) {
        (Ok(found), Some(expected)) => assert!(
            (found - expected).abs() <= tolerance * (1.0 + expected.abs()),
            "{metric} of {case}: found {found}, expected {expected}"
        ),
        (Err(_), None) => {}
        (found, expected) => panic!("{metric} of {case}: found {found:?}, expected {expected:?}"),
    }
}

#[test]
fn metrics_agree() {
    let mut compared = 0;
    for case in reference()["cases"].as_array().expect("cases") {
        let name = case["name"].as_str().expect("a name");
        let ranking = rank(case);
        let confusion = Confusion::at_score(&ranking, case["threshold"].as_f64().expect("a threshold"));
        for (metric, expected) in case["expected"].as_object().expect("metrics") {
            let measure: Measure = metric.parse().expect("a known metric");
            let found = measure.of_confusion(&confusion).or_else(|| measure.of_ranking(&ranking));
            // The peers' own logistic fits stop at a relative change of 1e-8 or so.
            let tolerance = if metric.starts_with("calibration") { 1e-7 } else { 1e-12 };
            same(name, metric, found.expect("a metric of scores"), expected, tolerance);
            compared += 1;
        }
    }
    assert!(compared > 600, "only {compared} values were compared");
}

#[test]
fn curves_agree() {
    let reference = reference();
    let with_curves =
        reference["cases"].as_array().expect("cases").iter().filter(|case| case.get("roc").is_some());
    let mut compared = 0;
    for case in with_curves {
        let ranking = rank(case);
        let check = |kind: CurveKind, x: Vec<f64>, y: Vec<f64>| {
            let curve = Curve::of(kind, &ranking).expect("both classes");
            assert_eq!(curve.points.len(), x.len());
            for (point, (x, y)) in curve.points.iter().zip(x.iter().zip(&y)) {
                assert!(
                    (point.x - x).abs() < 1e-12 && (point.y - y).abs() < 1e-12,
                    "{point:?} is not ({x}, {y})"
                );
            }
        };
        let column = |curve: &str, axis: &str| numbers(&case[curve][axis]).expect("a column");
        check(CurveKind::Roc, column("roc", "fpr"), column("roc", "tpr"));
        // scikit-learn lists precision and recall from the lowest threshold up and closes with (0, 1).
        let (mut recall, mut precision) = (column("pr", "recall"), column("pr", "precision"));
        recall.reverse();
        precision.reverse();
        check(CurveKind::PrecisionRecall, recall.split_off(1), precision.split_off(1));
        // The first threshold is infinite there: nothing is predicted positive.
        let thresholds = case["roc"]["thresholds"].as_array().expect("thresholds")[1..].iter();
        assert!(ranking.blocks().map(|block| Some(block.score)).eq(thresholds.map(Json::as_f64)));
        compared += 1;
    }
    assert_eq!(compared, 2);
}

#[test]
fn amounts_agree() {
    for case in reference()["amounts"].as_array().expect("cases") {
        let name = case["name"].as_str().expect("a name");
        let (actual, predicted) =
            (numbers(&case["actual"]).expect("amounts"), numbers(&case["predicted"]).expect("amounts"));
        let weight = numbers(&case["weight"]);
        let mut pairs = AmountPairs::new(&actual, &predicted).expect("valid");
        if let Some(weight) = &weight {
            pairs = pairs.with_weight(weight).expect("valid");
        }
        for (metric, expected) in case["expected"].as_object().expect("metrics") {
            let id = if metric == "correlation" { "amount_correlation" } else { metric };
            let measure: Measure = id.parse().expect("a known metric");
            same(name, metric, measure.of_amounts(&pairs).expect("a metric of amounts"), expected, 1e-12);
        }
    }
}
