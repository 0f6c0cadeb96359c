//! Intervals and tests of awkward files: one positive, perfect and reversed models, certain probabilities, lists without a hit.

use std::fmt::Write as _;

use serde_json::Value;

use crate::certainty::{json, number, row, text, warns};

/// Rows of truth and two models, by a function of the row.
fn rows(n: usize, of: impl Fn(usize) -> (bool, f64, f64)) -> String {
    let mut csv = String::from("y,a,b,f\n");
    for index in 0..n {
        let (positive, a, b) = of(index);
        writeln!(csv, "{},{a},{b},{}", u8::from(positive), index % 4).expect("memory");
    }
    csv
}

fn each<'a>(results: &'a Value, part: &str) -> impl Iterator<Item = &'a Value> {
    results[part].as_array().expect("rows").iter()
}

/// A figure has an interval with a width that holds it, or says why there is none. What cannot vary - the within-bin part of scores
/// of which each bin has one - says that too.
#[test]
fn every_figure_has_an_interval_or_a_reason() {
    let spread = |row: usize, by: f64| ((row as f64 * by).sin() + 1.0) / 2.0;
    let files = [
        ("one positive", rows(40, |row| (row == 7, spread(row, 1.7), spread(row, 2.3)))),
        (
            "perfect and reversed",
            rows(40, |row| (row % 2 == 0, f64::from(row % 2 == 0), f64::from(row % 2 == 1))),
        ),
        ("hardly any signal", rows(200, |row| (row % 10 == 0, spread(row, 1.7), spread(row, 2.3)))),
        ("one score", rows(30, |row| (row % 3 == 0, 0.4, spread(row, 0.7)))),
        ("few rows", rows(6, |row| (row % 2 == 0, spread(row, 1.0), spread(row, 3.0)))),
    ];
    let requests =
        ["", "--bootstrap 0", "--fixed-base-rate", "--fold f", "--threshold youden,max-pcc,top:5,share:0.3"];
    for (name, csv) in &files {
        for request in requests {
            let results = json(csv, &format!("--score a,b {request}"));
            for row in each(&results, "metrics").filter(|row| !row["estimate"].is_null()) {
                let (lower, upper) = (number(&row["lower"]), number(&row["upper"]));
                if !row["no_interval"].is_null() {
                    assert!(row["lower"].is_null() && row["upper"].is_null(), "{name}, {request}: {row}");
                    continue;
                }
                let cannot_vary = *request == *"--fixed-base-rate" && *name == "one score";
                assert!(lower < upper || cannot_vary, "{name}, {request}: {row}");
            }
            for row in each(&results, "comparisons").filter(|row| !row["lower"].is_null()) {
                let (lower, upper, p) = (number(&row["lower"]), number(&row["upper"]), number(&row["p"]));
                assert!(upper - lower > 1e-9, "{name}, {request}: {row}");
                assert_eq!(lower > 0.0 || upper < 0.0, p < 0.05, "{name}, {request}: {row}");
            }
        }
    }
}

/// A list without a hit: what its interval holds is what a few hits would make of it.
#[test]
fn a_list_without_a_hit_may_have_some_on_other_cases() {
    let csv = rows(1000, |row| (row % 66 == 65, 1.0 - row as f64 / 1000.0, 0.5));
    let results = json(&csv, "--score a --threshold top:20");
    let upper = |metric: &str| number(&row(&results, "a", metric)["upper"]);
    assert_eq!(number(&row(&results, "a", "sensitivity")["estimate"]), 0.0);
    for metric in ["mcc", "kappa"] {
        assert!(upper(metric) > 0.1, "{metric}: {}", upper(metric));
    }
}

/// What cannot be said of each model cannot be said of their difference.
#[test]
fn no_difference_is_tested_where_a_figure_has_no_interval() {
    let csv = rows(300, |row| {
        let positive = row % 10 == 0;
        let noise = ((row * 37) % 101) as f64 / 101.0;
        (
            positive,
            if row < 40 && positive { 0.9 } else { 0.4 * noise },
            if row == 0 { 0.9 } else { 0.4 * noise },
        )
    });
    let results = json(&csv, "--score a,b --threshold max-pcc --metrics precision");
    assert_eq!(row(&results, "a", "precision")["no_interval"]["reason"], "few_at_cutoff");
    assert_eq!(each(&results, "comparisons").count(), 0);
}

/// At a cut-off that was chosen on the data, verdict, stars and differences are those of the corrected figures.
#[test]
fn the_verdict_quotes_what_new_cases_would_give() {
    let csv = rows(400, |row| {
        let positive = row % 4 == 0;
        let noise = |by: usize| ((row * by) % 211) as f64 / 211.0;
        (positive, 0.3 * f64::from(positive) + 0.7 * noise(59), 0.2 * f64::from(positive) + 0.8 * noise(83))
    });
    let request = "--score a,b --threshold youden --metrics pcc";
    let results = json(&csv, request);
    let corrected = ["a", "b"].map(|model| number(&row(&results, model, "pcc")["corrected"]));
    let sentence = results["verdict"]["sentence"].as_str().expect("a sentence");
    let best = if corrected[0] > corrected[1] { corrected[0] } else { corrected[1] };
    assert!(sentence.contains(&format!("pcc {best:.3} at youden on new cases")), "{sentence}");
    let difference = each(&results, "comparisons").next().expect("a difference");
    assert!(
        (number(&difference["difference"]) - (corrected[0] - corrected[1])).abs() < 1e-12,
        "{difference}"
    );
    let three = text(&csv.replace("y,a,b,f", "y,a,b,c"), "--score a,b,c --threshold youden --metrics pcc");
    assert!(three.contains(", new 0."), "{three}");
    assert!(three.contains("pcc at youden"), "{three}");
}

/// Models that differ by the same in every fold: no test over folds, and the reason.
#[test]
fn folds_that_agree_on_the_difference_bring_no_test() {
    // Every fold has the same eight cases.
    let csv = rows(32, |row| {
        let place = row / 4;
        (
            place < 4,
            [0.9, 0.8, 0.7, 0.3, 0.6, 0.4, 0.2, 0.1][place],
            [0.9, 0.8, 0.2, 0.3, 0.6, 0.4, 0.7, 0.1][place],
        )
    });
    let results = json(&csv, "--score a,b --fold f --metrics auroc");
    assert!(each(&results, "comparisons").all(|row| row["test"] == "delong"), "{}", results["comparisons"]);
    assert!(warns(&results, "differ by the same in every fold"));
}

/// Few of many certain probabilities proved wrong.
#[test]
fn certain_mistakes_are_counted() {
    let csv =
        rows(60, |row| ((row < 20) != (row == 5), f64::from(row < 20).min(1.0), 0.1 + row as f64 / 100.0));
    let results = json(&csv, "--score a,b");
    assert_eq!(row(&results, "b", "calibration_slope")["no_interval"], Value::Null);
    let hard = rows(60, |row| {
        (
            (row < 20) != (row == 5),
            if row % 12 == 0 { 0.5 + row as f64 / 1e3 } else { f64::from(row < 20) },
            0.5,
        )
    });
    let results = json(&hard, "--score a");
    assert_eq!(row(&results, "a", "calibration_slope")["no_interval"]["reason"], "few_certain_mistakes");
    assert!(warns(
        &results,
        "gave 55 cases a probability of exactly 0 or 1, and 1 of them turned out otherwise"
    ));
    assert!(number(&row(&results, "a", "log_loss")["upper"]) > 34.5 * 0.08);
}

/// Metrics of predicted amounts are those that were asked for, once each.
#[test]
fn metrics_of_amounts_are_asked_for_by_name() {
    let csv = "y,s,a,p\n1,.9,1,2\n1,.4,2,4\n0,.6,3,6\n0,.1,4,8\n1,.7,5,11\n";
    let asked = |metrics: &str| -> Vec<String> {
        let results = json(csv, &format!("--score s --amount a --predicted-amount p {metrics}"));
        let named = |row: &Value| row["metric"].as_str().expect("a metric").to_owned();
        each(&results, "metrics").filter(|row| row["n"] == 5).map(named).collect()
    };
    assert_eq!(asked("--metrics auroc,mae"), ["auroc", "mae"]);
    assert_eq!(asked("--metrics rmse"), ["rmse"]);
    assert!(asked("").iter().any(|metric| metric == "rrse"));
}
