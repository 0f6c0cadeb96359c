//! Logistic regression against R's `glm` on data sets that everybody knows: iris and wine, and others where a folder of them
//! lies beside the project (`shared_data`). The figures of R are part of the project, with the program that made them:
//! `crates/tribunal-learn/tests/reference/`.

use crate::known_sets::{bundled, dataset};
use crate::shared_data::shared_table;
use serde_json::Value;
use tribunal_learn::{Coefficient, Dataset, Learner};

fn reference() -> Value {
    let text = include_str!("../../../tribunal-learn/tests/reference/logit.json");
    serde_json::from_str(text).expect("reference values")
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().filter_map(Value::as_f64).collect()
}

fn check(what: &str, found: impl Iterator<Item = f64>, expected: &Value) {
    let (found, expected) = (found.collect::<Vec<f64>>(), numbers(expected));
    assert_eq!(found.len(), expected.len(), "{what}");
    for (found, expected) in found.iter().zip(&expected) {
        assert!((found / expected - 1.0).abs() < 1e-8, "{what}: {found} is not {expected}");
    }
}

/// Everything that the two programs say of a fit to complete rows.
fn check_fit(name: &str, data: &Dataset, set: &Value) {
    let dropped: Vec<u32> = set["dropped_rows"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_u64)
        .map(|row| row as u32 - 1)
        .collect();
    let rows: Vec<u32> = (0..data.n_rows() as u32).filter(|row| !dropped.contains(row)).collect();
    let model = "logit".parse::<Learner>().expect("a learner").fit(data, &rows, 1).expect("a model");
    let table = model.coefficients().expect("coefficients");
    let coefficients = &table.outputs[0].rows;
    let error = |row: &Coefficient| row.uncertainty.as_ref().map(|uncertainty| uncertainty.std_error);
    check(
        &format!("{name}, coefficients"),
        coefficients.iter().map(|row| row.estimate),
        &set["coefficients"],
    );
    check(&format!("{name}, errors"), coefficients.iter().filter_map(error), &set["standard_errors"]);
    let deviance = set["deviance"].as_f64().expect("a figure");
    assert!((-2.0 * table.log_likelihood / deviance - 1.0).abs() < 1e-8, "{name}: {}", table.log_likelihood);
    let tests = table.column_tests.iter().map(|test| test.statistic).collect::<Vec<f64>>();
    let expected = numbers(&set["dropped"]["chi_square"]);
    assert_eq!(tests.len(), expected.len(), "{name}");
    for (found, expected) in tests.iter().zip(&expected) {
        assert!((found - expected).abs() < 1e-8, "{name}: {found} is not {expected}");
    }
    assert!(model.warnings().is_empty(), "{name}: {:?}", model.warnings());
}

#[test]
fn coefficients_errors_and_deviance_are_those_of_glm() {
    for name in ["pima", "german", "breast"] {
        let set = &reference()["files"][name];
        let Some(path) = shared_table(set["file"].as_str().expect("a file")) else { continue };
        check_fit(name, &dataset(path.parent().expect("a folder"), set), set);
    }
}

#[test]
fn coefficients_of_iris_and_wine_are_those_of_glm() {
    for (name, columns, positive) in [
        ("iris", &["sepal_length", "sepal_width"][..], "versicolor"),
        ("wine", &["malic_acid", "ash", "magnesium", "hue"], "class_1"),
    ] {
        check_fit(name, &bundled(name, columns, Some(positive)), &reference()["tables"][name]);
    }
}
