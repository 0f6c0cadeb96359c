//! Golden numbers of logistic regression, and what it does where the likelihood has no maximum.

use super::likelihood::Likelihood;
use super::newton::{Stop, maximise};
use super::*;
use crate::column::{Column, Values};
use crate::dataset::Dataset;
use crate::encoding::Encoder;
use crate::kind::Kind;
use crate::learners::Learner;
use crate::learners::golden::{check_close, toy_number_queries, toy_numbers};
use crate::learners::logit::design::Design;
use crate::learners::logit::model::Rows;
use crate::model::Model;
use crate::target::Target;

fn fitted(learner: &str, dataset: &Dataset) -> Model {
    let rows: Vec<u32> = (0..dataset.n_rows() as u32).collect();
    learner.parse::<Learner>().and_then(|learner| learner.fit(dataset, &rows, 1)).expect(learner)
}

fn with_likelihood<T>(dataset: &Dataset, judge: impl FnOnce(&Likelihood<'_>) -> T) -> T {
    let rows: Vec<u32> = (0..dataset.n_rows() as u32).collect();
    let encoder = Encoder::fit(&Numbers::default().view(), dataset, &rows).expect("an encoder");
    let training = Training::encode(dataset, &rows, &encoder).expect("rows");
    let rows = Rows::of(&training);
    let design = Design::of(training.matrix(), &rows.weights);
    judge(&rows.likelihood(design, 0.0))
}

#[test]
fn scores_are_those_of_the_sas_rule_under_the_protocol_of_the_paper() {
    let scores = |learner: &str| {
        fitted(learner, &toy_numbers())
            .posteriors(&toy_number_queries(), &[0, 1, 2, 3])
            .expect("scores")
            .scores()
    };
    check_close(&scores("logit:paper"), &[0.553691, 0.247199, 0.332777, 0.412446], 5e-7, "paper");
    check_close(&scores("logit"), &scores("logit:paper"), 3e-5, "to machine precision");
}

#[test]
fn the_steps_are_those_of_the_sas_rule() {
    with_likelihood(&toy_numbers(), |likelihood| {
        let optimum = maximise(likelihood, Stop::Sas);
        assert_eq!((optimum.n_steps, optimum.has_converged), (3, true));
        assert!((optimum.point.log_likelihood + 8.1407315996).abs() < 5e-11);
        assert!((likelihood.null() + 9.5607134658).abs() < 5e-11);
        let promise = super::newton::promise_of(&optimum.point);
        assert!((promise / 2.11e-9 - 1.0).abs() < 2e-3, "{promise}");
        let best = maximise(likelihood, Stop::Precise);
        check_close(
            &best.coefficients,
            &[-0.37951196, 0.57959865, 0.46891922, 0.38699736],
            5e-9,
            "coefficients",
        );
        assert!((best.point.log_likelihood + 8.1407315910).abs() < 5e-11);
        assert!(best.point.gradient.iter().all(|slope| slope.abs() < 1e-13), "{:?}", best.point.gradient);
    });
}

#[test]
fn derivatives_are_those_of_differences() {
    let data = toy_numbers();
    let classes = (0..14).map(|row| row % 3).collect();
    let three = Target::new("t", ["a", "b", "c"], classes).expect("classes");
    let three =
        Dataset::new(data.columns().to_vec()).and_then(|data| data.with_target(three)).expect("columns");
    for dataset in [data, three] {
        with_likelihood(&dataset, |likelihood| {
            for penalty in [0.0, 0.7] {
                let likelihood = Likelihood { penalty, ..likelihood.clone() };
                let at: Vec<f64> = (0..likelihood.n_coefficients()).map(|idx| (idx as f64).sin()).collect();
                check_derivatives(&likelihood, &at);
            }
        });
    }
}

fn check_derivatives(likelihood: &Likelihood<'_>, at: &[f64]) {
    let point = likelihood.at(at);
    for idx in 0..at.len() {
        let moved = |step: f64| {
            let mut moved = at.to_vec();
            moved[idx] += step;
            likelihood.at(&moved)
        };
        let (below, above) = (moved(-1e-5), moved(1e-5));
        let slope = (above.value - below.value) / 2e-5;
        assert!((slope - point.gradient[idx]).abs() < 1e-7, "{slope} is not {}", point.gradient[idx]);
        for other in 0..at.len() {
            let curvature = (below.gradient[other] - above.gradient[other]) / 2e-5;
            let known = point.information.at(idx, other);
            assert!((curvature - known).abs() < 1e-7, "{curvature} is not {known}");
        }
    }
}

fn numbers(name: &str, values: impl IntoIterator<Item = f64>) -> Column {
    Column::new(name, Kind::Numeric, Values::Numbers(values.into_iter().collect())).expect("numbers")
}

fn twenty(columns: Vec<Column>, is_positive: impl Fn(u32) -> bool) -> Dataset {
    let classes = (0..20).map(|row| u32::from(is_positive(row))).collect();
    let target = Target::new("y", ["no", "yes"], classes).expect("a target");
    Dataset::new(columns).and_then(|data| data.with_target(target)).expect("columns")
}

#[test]
fn separation_is_found_and_the_fit_stays_finite() {
    let line = || (0..20).map(f64::from);
    let whole = twenty(vec![numbers("x", line())], |row| row >= 10);
    // A flag that only positives have, beside a column that overlaps.
    let part = twenty(
        vec![
            numbers("flag", line().map(|x| f64::from(u8::from(x > 17.0)))),
            numbers("x", line().map(|x| x % 7.0)),
        ],
        |row| row > 17 || row % 3 == 0,
    );
    let overlap = twenty(vec![numbers("x", line())], |row| row > 12 || row % 5 == 0);
    for (dataset, is_separated) in [(&whole, true), (&part, true), (&overlap, false)] {
        let model = fitted("logit", dataset);
        let warned = model.warnings().iter().any(|warning| warning.contains("separate the classes"));
        assert_eq!(warned, is_separated, "{:?}", model.warnings());
        let scores = model.posteriors(dataset, &[0, 9, 10, 19]).expect("scores").scores();
        assert!(scores.iter().all(|score| score.is_finite()));
        let penalised = fitted("logit:l2=1", dataset);
        assert!(penalised.warnings().is_empty(), "{:?}", penalised.warnings());
    }
}

#[test]
fn the_later_of_columns_that_say_the_same_is_left_out() {
    let (a, b) = ((0..20).map(f64::from), (0..20).map(|row| f64::from(row * row % 11)));
    let sum: Vec<f64> = a.clone().zip(b.clone()).map(|(a, b)| 3.0 * a - b + 7.0).collect();
    let columns = vec![numbers("a", a), numbers("b", b), numbers("same", [4.0; 20]), numbers("sum", sum)];
    let model = fitted("logit", &twenty(columns, |row| row % 3 == 0));
    let names: Vec<String> = model.coefficients().expect("coefficients").outputs[0]
        .rows
        .iter()
        .map(|row| row.name.clone())
        .collect();
    assert_eq!(names, ["(intercept)", "a", "b"]);
    assert!(model.warnings()[0].ends_with("earlier columns: same, sum"), "{:?}", model.warnings());
}

#[test]
fn the_first_class_has_no_part_in_a_penalty() {
    let line = || (0..20).map(f64::from);
    let columns = || vec![numbers("x", line().map(|x| x % 7.0)), numbers("z", line().map(|x| x % 4.0))];
    let target = |first: u32| {
        let classes = (0..20).map(|row| (row * row % 5 % 3 + first) % 3).collect();
        Target::new("y", ["a", "b", "c"], classes).expect("a target")
    };
    let posteriors = |first: u32| {
        let dataset =
            Dataset::new(columns()).and_then(|data| data.with_target(target(first))).expect("columns");
        fitted("logit:l2=0.5", &dataset).posteriors(&dataset, &[3]).expect("posteriors").row(0).to_vec()
    };
    let (one, other) = (posteriors(0), posteriors(1));
    check_close(&[one[0], one[1], one[2]], &[other[1], other[2], other[0]], 1e-12, "turned classes");
}

#[test]
fn a_damaged_model_is_refused() {
    let model = serde_json::to_value(fitted("logit", &toy_numbers())).expect("as JSON");
    let check = |pointer: &str, value: serde_json::Value, expected: &str| {
        let mut changed = model.clone();
        *changed.pointer_mut(&format!("/learned/fitted/logit/{pointer}")).expect(pointer) = value;
        let error = serde_json::from_value::<Model>(changed).expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}");
    };
    check("present", serde_json::json!([0, 5]), "classes that are not there");
    check("coefficients", serde_json::json!([[1.0]]), "do not fit classes and columns");
    check("aliased", serde_json::json!([9]), "columns that are not there");
    check("n_features", serde_json::json!(2), "do not fit classes and columns");
}
