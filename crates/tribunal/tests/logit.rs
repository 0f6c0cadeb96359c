//! Logistic regression against R's `glm` on data sets that everybody knows, where a folder of them lies beside this one
//! (`../shared/data`); elsewhere there is nothing to read and nothing is checked. The figures of R are part of the project,
//! with the program that made them: `crates/tribunal-learn/tests/reference/`.

mod known_sets;

use known_sets::{dataset, folder};
use serde_json::Value;
use tribunal_learn::{Coefficient, Learner};

fn reference() -> Value {
    let text = include_str!("../../tribunal-learn/tests/reference/logit.json");
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

#[test]
fn coefficients_errors_and_deviance_are_those_of_glm() {
    let Some(folder) = folder() else { return };
    for name in ["pima", "german", "breast"] {
        let set = &reference()["files"][name];
        let data = dataset(&folder, set);
        let dropped: Vec<u32> = numbers(&set["dropped_rows"]).iter().map(|&row| row as u32 - 1).collect();
        let rows: Vec<u32> = (0..data.n_rows() as u32).filter(|row| !dropped.contains(row)).collect();
        let model = "logit".parse::<Learner>().expect("a learner").fit(&data, &rows, 1).expect("a model");
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
        assert!(
            (-2.0 * table.log_likelihood / deviance - 1.0).abs() < 1e-8,
            "{name}: {}",
            table.log_likelihood
        );
        let tests = table.column_tests.iter().map(|test| test.statistic).collect::<Vec<f64>>();
        let expected = numbers(&set["dropped"]["chi_square"]);
        assert_eq!(tests.len(), expected.len(), "{name}");
        for (found, expected) in tests.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-8, "{name}: {found} is not {expected}");
        }
        assert!(model.warnings().is_empty(), "{name}: {:?}", model.warnings());
    }
}
