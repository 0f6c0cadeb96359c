//! Reports of a made-up selection: three learners, one of which fails, of two tables that differ in the age.

use serde_json::{Value, json};
use tribunal::selection::Selection;

use crate::format::{Format, render_selection};
use crate::made_up::made;

fn learner(name: &str, family: &str, failed: Option<&str>, clones: &[&str]) -> Value {
    json!({
        "learner": name, "tuned": null, "family": family, "failed": failed, "predicts_one_class": name == "nb:5",
        "clones": clones, "temperature": failed.is_none().then_some(1.4), "weight": failed.is_none().then_some(0.3333),
    })
}

fn method(id: &str, name: &str, choice: Option<&str>, why: Option<&str>) -> Value {
    json!({
        "method": id, "name": name, "reference": "somebody 2006", "is_higher_better": id != "iwcv",
        "choice": choice, "not_applicable": why,
    })
}

fn order(method: &str, learner: &str, rank: u64, score: f64) -> Value {
    json!({"method": method, "learner": learner, "rank": rank, "score": score})
}

fn expected(learner: &str, metric: &str, figures: Option<[f64; 4]>, why: Option<&str>) -> Value {
    let figure = |place: usize| figures.map(|figures| figures[place]);
    json!({
        "learner": learner, "metric": metric, "estimate": figure(0), "lower": figure(1), "upper": figure(2),
        "level": figures.map(|_| 0.9), "method": "cv_plus_consensus_change", "cross_validated": figure(3),
        "undefined": why,
    })
}

fn shift() -> Value {
    json!({
        "domain_auroc": {"estimate": 0.712, "lower": 0.69, "upper": 0.734, "level": 0.95},
        "rows": {"training": 900, "population": 1200},
        "seed": 7,
        "alpha": 0.05,
        "domain": {
            "outcome": "judged", "rows": {"training": 900, "population": 1200}, "twins": {"training": 3, "population": 4},
            "n_folds": 5, "plan": "cv:5", "best": 0, "p": 0.00001,
            "learners": [
                {"learner": "logit", "auroc": 0.712, "lower": 0.69, "upper": 0.734, "level": 0.95, "z": 8.1, "p": 0.00001},
            ],
        },
        "columns": [{
            "column": "age", "kind": "numeric", "missing": {"training": 0.0, "population": 0.02}, "psi": 0.41,
            "psi_by_chance": 0.02, "n_cells": 11, "size": "large", "test": {"test": "too_few_cases"}, "is_shown": true,
            "numbers": {
                "direction": "higher", "mean": {"training": 40.1, "population": 51.2},
                "median": {"training": 39.0, "population": 52.0}, "least": 18.0, "greatest": 64.0,
                "rows_below": 0, "rows_above": 210,
            },
            "levels": null,
        }],
        "left_out": [],
        "contributions": [],
        "coverage": {"rows_with_new_levels": 0, "rows_beyond_range": 210, "density": null},
        "bias": {
            "kinds": [
                {"kind": "complete_independent", "standing": "contradicted"},
                {"kind": "feature", "standing": "possible"},
            ],
            "findings": [{"finding": "no_labels_of_population"}],
            "classes": [],
        },
    })
}

/// What stands in every selection.
fn base() -> Value {
    json!({
        "schema": "tribunal.selection/2",
        "provenance": {"tribunal": "0.0.0"},
        "verdict": "For this population take c45. Cross-validation alone would choose logit.",
        "training": {
            "files": ["old.csv"], "sha256": "ab", "rows": 900, "columns": 2, "target": "fraud",
            "classes": [{"class": "no", "rows": 700}, {"class": "yes", "rows": 200}],
        },
        "population": {"files": ["new.csv"], "sha256": "cd", "rows": 1200},
        "metric": "pcc", "reverse_labels": null, "design": "cv:10", "seed": 7, "level": 0.95,
        "learners": [
            learner("logit", "logit", None, &[]),
            learner("c45", "tree", None, &["nb:5"]),
            learner("nb:5", "bayes", None, &["c45"]),
            learner("svm", "svm", Some("no memory"), &[]),
        ],
        "recommended": {
            "learner": "c45", "method": "consensus", "by_cross_validation": "logit",
            "reasons": ["consensus selection: 0.801 and 0.799", "1 of 2 other methods choose it too"],
        },
        "committee": {
            "learners": ["logit", "c45", "nb:5"], "weights": [0.395, 0.6, 0.005],
            "scalings": vec![json!({"temperature": 1.4, "log_loss": 0.5}); 3], "calibrations": [[], [], []],
        },
        "orders": [
            order("consensus", "c45", 1, 0.801), order("consensus", "logit", 2, 0.799), order("consensus", "nb:5", 3, 0.7),
            order("cross_validation", "logit", 1, 0.83), order("cross_validation", "c45", 2, 0.82),
            order("cross_validation", "nb:5", 3, 0.71), order("iwcv", "c45", 1, 0.2), order("iwcv", "nb:5", 1, 0.2),
        ],
        "methods": [
            method("consensus", "consensus selection", Some("c45"), None),
            method("cross_validation", "cross-validation", Some("logit"), None),
            method("leave_one_out", "leave-one-out", None, Some("it was not asked for")),
            method("iwcv", "importance-weighted cross-validation", Some("c45"), None),
        ],
        "agreement": [
            {"a": "consensus", "b": "cross_validation", "same_choice": false, "kendall_tau": 0.3333},
            {"a": "consensus", "b": "iwcv", "same_choice": true, "kendall_tau": null},
        ],
        "pairs": [
            {"a": "logit", "b": "c45", "winner": "c45"},
            {"a": "logit", "b": "nb:5", "winner": "logit"},
            {"a": "c45", "b": "nb:5", "winner": null},
        ],
        "reverse_testing": {
            "evidence": [
                {"learner": "logit", "labeller": "logit", "value": 700.0},
                {"learner": "logit", "labeller": "c45", "value": 702.0},
            ],
            "order": [
                {"learner": "c45", "copeland": 1.5, "margin": 9.0, "is_tied_with_previous": false},
                {"learner": "logit", "copeland": 1.0, "margin": 1.0, "is_tied_with_previous": false},
                {"learner": "nb:5", "copeland": 0.5, "margin": -10.0, "is_tied_with_previous": true},
            ],
            "cycles": [],
            "beats": [{"winner": "c45", "loser": "logit"}, {"winner": "logit", "loser": "nb:5"}],
        },
        "expected": [
            expected("logit", "pcc", Some([0.79, 0.72, 0.83, 0.83]), None),
            expected("c45", "pcc", Some([0.81, 0.74, 0.85, 0.82]), None),
            expected("nb:5", "pcc", Some([0.70, 0.63, 0.74, 0.71]), None),
            expected("logit", "auroc", Some([0.88, 0.81, 0.91, 0.9]), None),
            expected("c45", "auroc", Some([0.86, 0.79, 0.89, 0.88]), None),
            expected("nb:5", "auroc", None, Some("it gives every row the same score")),
        ],
        "shift": shift(),
        "audit_asked": 0, "audit": [], "audit_beaten_by": [], "audit_errors": [], "ask": null, "labels": null, "check": null,
        "models_trained": {
            "forward": 3, "reverse": 9, "cross_validation": 30, "leave_one_out": 0, "reverse_validation": 0, "audit": 0,
            "repeated_cross_validation": 3000,
        },
        "warnings": ["svm takes no part: no memory"],
        "notices": ["\"note\" was left out: it holds sentences"],
    })
}

/// With audit, labels that are asked for, labels that were given and the target of the population.
fn full() -> Value {
    let mut selection = base();
    let regret = |method: &str, kind: Option<&str>, regret: f64, n: u64| json!({"method": method, "kind": kind, "regret": regret, "se": (n > 1).then_some(0.004), "n": n});
    selection["audit"] = json!([
        regret("consensus", Some("none"), 0.0, 1),
        regret("consensus", Some("feature-soft"), 0.01, 1),
        regret("consensus", None, 0.005, 2),
        regret("cross_validation", Some("none"), 0.0, 1),
        regret("cross_validation", Some("feature-soft"), 0.03, 1),
        regret("cross_validation", None, 0.015, 2),
        regret("committee", None, 0.004, 2),
    ]);
    selection["audit_asked"] = json!(2);
    selection["audit_beaten_by"] = json!([{"method": "committee", "gain": 0.001, "se": 0.0004, "n": 2}]);
    selection["audit_errors"] = json!([
        {"method": "cv_plus_consensus_change", "kind": "none", "mean_absolute_error": 0.01, "bias": 0.004, "n": 3},
        {"method": "cv_plus_consensus_change", "kind": null, "mean_absolute_error": 0.02, "bias": -0.01, "n": 6},
    ]);
    selection["ask"] = json!({
        "disagreeing": 310, "rows": (1..=35).map(|row| 3 * row).collect::<Vec<u64>>(),
        "likely": [{"labels": 0, "regret": 0.02}, {"labels": 35, "regret": 0.004}],
        "labels": [{"learner": "c45", "labels": vec!["yes"; 35]}, {"learner": "logit", "labels": vec!["no"; 35]}],
    });
    selection["labels"] = json!({
        "labels": 20, "of_agreed_rows": 0, "disagreeing": 310, "are_as_drawn": true,
        "differences": [{"a": "logit", "b": "c45", "difference": -0.04, "lower": -0.1, "upper": 0.02}],
        "learners": [{"learner": "c45", "score": 0.81, "accuracy": 0.7, "lower": 0.48, "upper": 0.85}],
    });
    selection["check"] = json!({
        "rows": 1200, "committee": 0.812, "pairs_right": 2, "pairs_decided": 2, "pairs": 3,
        "learners": [{"learner": "logit", "value": 0.78}, {"learner": "c45", "value": 0.808}],
        "regrets": [{"method": "consensus", "regret": 0.0}, {"method": "cross_validation", "regret": 0.028}],
    });
    selection
}

fn rendered(selection: Value, format: Format) -> String {
    render_selection(&made::<Selection>(selection), format).expect("a report")
}

#[test]
fn a_terminal_gets_the_answer_first() {
    insta::assert_snapshot!(rendered(base(), Format::Text));
}

#[test]
fn a_terminal_gets_audit_labels_and_check() {
    insta::assert_snapshot!(rendered(full(), Format::Text));
}

#[test]
fn markdown_gets_everything() {
    insta::assert_snapshot!(rendered(full(), Format::Markdown));
}

#[test]
fn latex_gets_everything() {
    insta::assert_snapshot!(rendered(full(), Format::Latex));
}

#[test]
fn csv_holds_every_figure() {
    insta::assert_snapshot!(rendered(full(), Format::Csv));
}

#[test]
fn json_is_the_form_and_comes_back() {
    let written = rendered(full(), Format::Json);
    let again: Selection = serde_json::from_str(&written).expect("a selection");
    assert_eq!(render_selection(&again, Format::Json).expect("JSON"), written);
}

#[test]
fn a_selection_without_answer_is_said_to_have_none() {
    let mut selection = base();
    selection["verdict"] = json!("No learner can be recommended: none has a figure.");
    for gone in ["recommended", "committee", "reverse_testing"] {
        selection[gone] = Value::Null;
    }
    for empty in ["orders", "methods", "agreement", "pairs", "expected"] {
        selection[empty] = json!([]);
    }
    for format in Format::ALL {
        let text = rendered(selection.clone(), format);
        assert!(format == Format::Csv || text.contains("No learner can be recommended"), "{text}");
    }
}

#[test]
fn many_learners_with_long_names_fit_a_terminal() {
    let mut selection = base();
    let names: Vec<String> = (1..=9).map(|n| format!("forest:{n}00,some=setting")).collect();
    selection["learners"] = names.iter().map(|name| learner(name, "forest", None, &[])).collect();
    selection["orders"] = (1..).zip(&names).map(|(rank, name)| order("consensus", name, rank, 0.5)).collect();
    selection["pairs"] = json!([{"a": names[0], "b": names[1], "winner": names[1]}]);
    let text = rendered(selection, Format::Text);
    assert!(text.contains("learners by their numbers"), "{text}");
    let of_matrix = text.lines().find(|line| line.trim_start().starts_with("1 forest:100")).expect("a row");
    assert_eq!(of_matrix.split_whitespace().last(), Some("2"));
}
