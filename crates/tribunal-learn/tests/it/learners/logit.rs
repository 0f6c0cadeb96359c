//! Logistic regression against R's `glm`, and where there is a penalty or more than two classes against Newton's method in R,
//! which agrees with scikit-learn, statsmodels and nnet. `reference/make_logit_reference.R` says how the figures were made.

use super::claims::{all_rows, check_close};
use super::parity::{measured, numbers, read, with_classes};
use serde_json::Value;
use tribunal_learn::{CoefficientTable, Column, Dataset, Kind, Learner, Model, Values};

fn reference() -> Value {
    read(include_str!("../../reference/logit.json"))
}

/// Iris and wine, whose columns stand with the reference values.
fn table(name: &str) -> Value {
    if name == "iris" { measured(name) } else { reference()["wine"].clone() }
}

fn dataset(name: &str, columns: &Value, is_positive: Option<f64>) -> Dataset {
    let table = table(name);
    let column = |idx: f64| {
        let values = numbers(&table["columns"][idx as usize]);
        Column::new(format!("x{idx}"), Kind::Numeric, Values::Numbers(values)).expect("numbers")
    };
    let class = |class: f64| match is_positive {
        Some(positive) => f64::from(u8::from(class == positive)),
        None => class,
    };
    let classes: Vec<f64> = numbers(&table["classes"]).into_iter().map(class).collect();
    with_classes(numbers(columns).into_iter().map(column).collect(), &Value::from(classes))
}

fn fit(learner: &str, dataset: &Dataset) -> Model {
    learner.parse::<Learner>().and_then(|learner| learner.fit(dataset, &all_rows(dataset), 1)).expect(learner)
}

/// Compares all that the first output says with what `glm` says.
pub(super) fn check_table(found: &CoefficientTable, expected: &Value, what: &str) {
    let rows = &found.outputs[0].rows;
    let sure = |figure: fn(&tribunal_learn::Uncertainty) -> f64| {
        rows.iter().map(|row| figure(row.uncertainty.as_ref().expect("uncertain"))).collect::<Vec<f64>>()
    };
    let check = |key: &str, found: Vec<f64>| {
        let expected = numbers(&expected[key]);
        assert_eq!(found.len(), expected.len(), "{what}, {key}");
        for (found, expected) in found.iter().zip(&expected) {
            let scale = expected.abs().max(f64::MIN_POSITIVE);
            assert!((found - expected).abs() / scale < 1e-8, "{what}, {key}: {found} is not {expected}");
        }
    };
    check("coefficients", rows.iter().map(|row| row.estimate).collect());
    check("odds_ratios", rows.iter().map(|row| row.odds_ratio).collect());
    check("standard_errors", sure(|row| row.std_error));
    check("z", sure(|row| row.z));
    check("p", sure(|row| row.p));
    check("odds_lower", sure(|row| row.lower));
    check("odds_upper", sure(|row| row.upper));
    let figure = |key: &str| expected[key].as_f64().expect(key);
    assert!((-2.0 * found.log_likelihood / figure("deviance") - 1.0).abs() < 1e-10, "{what}");
    assert!((-2.0 * found.null_log_likelihood / figure("null_deviance") - 1.0).abs() < 1e-9, "{what}");
    let lost = |key: &str| numbers(&expected["dropped"][key]);
    assert_eq!(found.column_tests.len(), lost("df").len(), "{what}");
    for (idx, test) in found.column_tests.iter().enumerate() {
        assert_eq!(test.degrees_of_freedom as f64, lost("df")[idx], "{what}, {}", test.column);
        // Two log-likelihoods that nearly cancel leave fewer digits.
        let (statistic, p) = (lost("chi_square")[idx], lost("p")[idx]);
        assert!((test.statistic - statistic).abs() < 1e-8, "{what}, {}: {}", test.column, test.statistic);
        assert!((test.p / p - 1.0).abs() < 1e-7, "{what}, {}: {} is not {p}", test.column, test.p);
    }
}

#[test]
fn coefficients_and_tests_are_those_of_glm() {
    for name in ["iris", "wine"] {
        let expected = &reference()["tables"][name];
        let data = dataset(name, &expected["columns"], expected["positive_code"].as_f64());
        let model = fit("logit", &data);
        check_table(&model.coefficients().expect("coefficients"), expected, name);
        let fitted = numbers(&expected["fitted"]);
        let scores = model.posteriors(&data, &all_rows(&data)[..fitted.len()]).expect("scores").scores();
        check_close(&scores, &fitted, 1e-12, &"logit".parse().expect("a learner"));
    }
}

#[test]
fn weights_are_repetitions_of_rows() {
    let expected = &reference()["weighted"]["iris"];
    let data = dataset("iris", &expected["columns"], expected["positive_code"].as_f64());
    let data = data.with_weights(numbers(&expected["weights"])).expect("weights");
    let found = fit("logit", &data).coefficients().expect("coefficients");
    let estimates: Vec<f64> = found.outputs[0].rows.iter().map(|row| row.estimate).collect();
    let errors: Vec<f64> =
        found.outputs[0].rows.iter().filter_map(|row| Some(row.uncertainty.as_ref()?.std_error)).collect();
    let learner = "logit".parse().expect("a learner");
    check_close(&estimates, &numbers(&expected["coefficients"]), 1e-9, &learner);
    check_close(&errors, &numbers(&expected["standard_errors"]), 1e-9, &learner);
}

#[test]
fn penalised_fits_are_those_of_newton_in_r() {
    for name in ["iris", "wine"] {
        let set = &reference()["tables"][name];
        let data = dataset(name, &set["columns"], set["positive_code"].as_f64());
        for expected in reference()["ridge"][name].as_array().expect("penalties") {
            let learner = format!("logit:l2={}", expected["lambda"]);
            let model = fit(&learner, &data);
            let table = model.coefficients().expect("coefficients");
            assert!(table.outputs[0].rows.iter().all(|row| row.uncertainty.is_none()));
            let sds = numbers(&expected["sds"]);
            let slopes: Vec<f64> =
                table.outputs[0].rows[1..].iter().zip(&sds).map(|(row, sd)| row.estimate * sd).collect();
            let learner = learner.parse().expect("a learner");
            check_close(&slopes, &numbers(&expected["coefficients"])[1..], 1e-10, &learner);
            let fitted = numbers(&expected["fitted"]);
            let scores = model.posteriors(&data, &all_rows(&data)[..fitted.len()]).expect("scores").scores();
            check_close(&scores, &fitted, 1e-10, &learner);
        }
    }
}

/// Compares the probabilities of all classes of the first rows.
fn check_classes(learner: &str, data: &Dataset, expected: &Value) {
    let posteriors = fit(learner, data).posteriors(data, &all_rows(data)).expect("posteriors");
    for (row, expected) in expected.as_array().expect("rows").iter().enumerate() {
        check_close(posteriors.row(row), &numbers(expected), 1e-10, &learner.parse().expect("a learner"));
    }
}

#[test]
fn several_classes_are_fitted_at_once() {
    let expected = &reference()["softmax"]["iris"];
    let all = Value::from(vec![0, 1, 2, 3]);
    check_classes("logit:l2=1", &dataset("iris", &all, None), &expected["fitted"]);
    let expected = &reference()["multinomial"]["wine"];
    let data = dataset("wine", &expected["columns"], None);
    check_classes("logit", &data, &expected["fitted"]);
    let table = fit("logit", &data).coefficients().expect("coefficients");
    assert!((table.log_likelihood - expected["log_likelihood"].as_f64().expect("a figure")).abs() < 1e-9);
}

#[test]
fn the_columns_that_r_leaves_out_are_left_out() {
    for case in ["collinear", "wide"] {
        let expected = &reference()[case];
        let terms: Vec<&str> =
            expected["terms"].as_array().expect("terms").iter().filter_map(Value::as_str).collect();
        let columns = expected["columns"].as_array().expect("columns").iter().zip(&terms[1..]);
        let column = |(values, name): (&Value, &&str)| {
            Column::new(*name, Kind::Numeric, Values::Numbers(numbers(values))).expect("numbers")
        };
        let data = with_classes(columns.map(column).collect(), &expected["y"]);
        let table = fit("logit", &data).coefficients().expect("coefficients");
        let kept: Vec<&str> = table.outputs[0].rows[1..].iter().map(|row| row.name.as_str()).collect();
        let aliased: Vec<&str> =
            expected["aliased"].as_array().expect("names").iter().filter_map(Value::as_str).collect();
        let rest: Vec<&str> = terms[1..].iter().copied().filter(|term| !aliased.contains(term)).collect();
        assert_eq!(kept, rest, "{case}");
    }
}
