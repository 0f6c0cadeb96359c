//! Risk charts beside hand-written numpy: curves, limits, areas, slices, captures and influence values.
//!
//! `reference/make_risk_reference.py` wrote `reference/risk.json`, with versions.

use serde_json::Value as Json;
use tribunal_eval::curves::{RiskArea, RiskChart};
use tribunal_eval::influence::RankedRows;
use tribunal_eval::metrics::{Measure, auroc};
use tribunal_eval::{CutTable, Ranking, ScoredSet};

fn reference() -> Json {
    serde_json::from_str(include_str!("../reference/risk.json")).expect("JSON")
}

fn numbers(json: &Json) -> Vec<f64> {
    json.as_array().expect("a list").iter().map(|value| value.as_f64().expect("a number")).collect()
}

/// The columns of a case.
struct Rows {
    truth: Vec<bool>,
    score: Vec<f64>,
    weight: Vec<f64>,
    amount: Vec<f64>,
}

impl Rows {
    fn of(case: &Json) -> Self {
        let truth: Vec<bool> = numbers(&case["truth"]).iter().map(|&y| y == 1.0).collect();
        let weight = case["weight"].as_array().map_or(vec![1.0; truth.len()], |_| numbers(&case["weight"]));
        Self { truth, score: numbers(&case["score"]), weight, amount: numbers(&case["amount"]) }
    }

    /// The first rows of them.
    fn first(mut self, n: usize) -> Self {
        self.truth.truncate(n);
        [&mut self.score, &mut self.weight, &mut self.amount]
            .into_iter()
            .for_each(|column| column.truncate(n));
        self
    }

    fn set(&self) -> ScoredSet<'_> {
        let set = ScoredSet::new(&self.truth, &self.score).and_then(|set| set.with_weight(&self.weight));
        set.and_then(|set| set.with_amount_of_everybody(&self.amount)).expect("valid")
    }

    fn rank(&self) -> Ranking {
        Ranking::of(&self.set()).expect("few rows")
    }
}

#[track_caller]
fn close(name: &str, found: f64, expected: f64) {
    assert!(
        (found - expected).abs() <= 1e-9 * (1.0 + expected.abs()),
        "{name}: {found}, expected {expected}"
    );
}

fn areas(name: &str, found: &RiskArea, expected: &Json) {
    let found = [found.area, found.lowest, found.highest, found.standardised];
    for (found, expected) in found.iter().zip(numbers(expected)) {
        close(name, *found, expected);
    }
}

#[test]
fn charts_agree_with_numpy() {
    let mut names = vec![];
    for case in reference()["cases"].as_array().expect("cases") {
        let (name, expected) = (case["name"].as_str().expect("a name"), &case["expected"]);
        let ranking = Rows::of(case).rank();
        for chart in [RiskChart::of(&ranking), CutTable::of(&ranking).risk()] {
            let chart = chart.expect("both classes");
            close(name, chart.base_rate, expected["base_rate"].as_f64().expect("a number"));
            let columns = [("share", 0), ("recall", 1), ("amount", 2)];
            for (column, place) in columns {
                let expected = numbers(&expected[column]);
                assert_eq!(chart.points.len(), expected.len(), "{name}");
                for (point, expected) in chart.points.iter().zip(expected) {
                    let found = [point.share, point.recall, point.amount.expect("amounts")][place];
                    close(&format!("{column} of {name}"), found, expected);
                }
            }
            let amounts = chart.amounts.as_ref().expect("a positive total");
            close(name, amounts.total, expected["total"].as_f64().expect("a number"));
            areas(&format!("recall of {name}"), &chart.cases, &expected["cases"]);
            let limits = chart.amount_limits().expect("rows");
            areas(&format!("amounts of {name}"), &limits.area, &expected["amounts"]);
            let slices = chart.slices(10).expect("ten");
            for (slice, expected) in slices.iter().zip(numbers(&expected["strike_rates"])) {
                close(&format!("slice of {name}"), slice.strike_rate, expected);
            }
            for capture in expected["captures"].as_array().expect("captures") {
                let [share, recall, best_recall, amount, best, worst] = numbers(capture)[..] else {
                    panic!("six")
                };
                let found = chart.capture(share).expect("a share");
                close(name, found.recall, recall);
                close(name, found.best_recall, best_recall);
                close(name, found.of_cases, recall / best_recall);
                close(name, found.amount.expect("amounts"), amount);
                close(name, found.best_amount.expect("rows"), best);
                close(name, found.of_amount.expect("rows"), amount / best);
                close(name, limits.worst(share), worst);
            }
            close(name, chart.cases.standardised, auroc(&ranking).expect("both classes"));
        }
        names.push(name.to_owned());
    }
    assert_eq!(names.len(), 9);
}

#[test]
fn influence_values_agree_with_the_kernel_of_all_pairs() {
    let reference = reference();
    let n = reference["paired_rows"].as_u64().expect("a count") as usize;
    let measure: Measure = "omega_amount".parse().expect("a metric");
    for case in reference["cases"].as_array().expect("cases") {
        let expected = &case["expected"]["influence"];
        let rows = Rows::of(case).first(n);
        let (set, ranking) = (rows.set(), rows.rank());
        let influence = measure.influence(&ranking, None).expect("amounts");
        let values =
            influence.of_rows(&RankedRows::of_set(&ranking, &set).expect("as long")).expect("amounts");
        if expected.is_null() {
            assert!(values.iter().all(|value| *value == 0.0), "equal amounts do not vary");
            continue;
        }
        for (row, (found, expected)) in values.iter().zip(numbers(expected)).enumerate() {
            close(&format!("row {row} of {}", case["name"]), *found, expected);
        }
    }
}
