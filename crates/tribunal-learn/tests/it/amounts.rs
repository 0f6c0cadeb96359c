//! Amounts agree with R's `lm`, and keep the promises of every learner: order, weights, reading back, nothing that panics.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde::Deserialize;
use tribunal_learn::{
    AMOUNT_LEARNERS, AlignOptions, AmountCoefficient, AmountLearner, AmountModel, Amounts, Column, Dataset,
    ErrorKind, Kind, Levels, MISSING, Target, Values,
};

/// A regression by R.
#[derive(Deserialize)]
struct Fit {
    coefficients: Vec<Option<f64>>,
    standard_errors: Vec<Option<f64>>,
    t: Vec<Option<f64>>,
    p: Vec<Option<f64>>,
    residual_sum: f64,
    df: f64,
    sigma: f64,
    r_squared: f64,
    adjusted_r_squared: f64,
    f: [f64; 3],
    f_p: f64,
    fitted: Vec<f64>,
}

/// A table with its regressions.
#[derive(Deserialize)]
struct Table {
    columns: Vec<Vec<f64>>,
    y: Vec<f64>,
    plain: Fit,
    aliased: Fit,
    weights: Vec<f64>,
    repeated: Fit,
}

fn close(found: f64, expected: f64, what: &str) {
    let error = (found - expected).abs() / expected.abs().max(1e-12);
    // Longley's columns are nearly collinear: ten digits are what R and the certified values share.
    assert!(error < 1e-9, "{what}: {found:e}, expected {expected:e}");
}

fn close_all(found: impl Iterator<Item = Option<f64>>, expected: &[Option<f64>], what: &str) {
    let found: Vec<Option<f64>> = found.collect();
    assert_eq!(found.len(), expected.len(), "{what}");
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found.is_some(), expected.is_some(), "{what}");
        found.zip(*expected).into_iter().for_each(|(found, expected)| close(found, expected, what));
    }
}

fn numbers(columns: &[Vec<f64>]) -> Dataset {
    let column = |(idx, values): (usize, &Vec<f64>)| {
        Column::new(format!("x{idx}"), Kind::Numeric, Values::Numbers(values.clone())).expect("numbers")
    };
    Dataset::new(columns.iter().enumerate().map(column).collect()).expect("a data set")
}

fn amounts(values: &[f64]) -> Amounts {
    Amounts::new("paid", values.to_vec()).expect("amounts")
}

fn all_rows(dataset: &Dataset) -> Vec<u32> {
    (0..dataset.n_rows() as u32).collect()
}

fn fit(learner: &str, dataset: &Dataset, values: &[f64]) -> AmountModel {
    let learner: AmountLearner = learner.parse().expect("a learner");
    learner.fit(dataset, &amounts(values), &all_rows(dataset)).expect("a model")
}

fn check(found: &AmountModel, dataset: &Dataset, expected: &Fit, what: &str) {
    let coefficients = found.coefficients();
    let each = |of: fn(&AmountCoefficient) -> Option<f64>| {
        coefficients.iter().map(of).collect::<Vec<_>>().into_iter()
    };
    close_all(each(|one| one.estimate), &expected.coefficients, what);
    close_all(each(|one| one.standard_error), &expected.standard_errors, what);
    close_all(each(|one| one.t), &expected.t, what);
    close_all(each(|one| one.p), &expected.p, what);
    let quality = found.quality();
    assert_eq!(quality.residual_df, expected.df);
    let sd = quality.residual_sd.expect("a deviation");
    close(sd, expected.sigma, what);
    close(sd * sd * expected.df, expected.residual_sum, what);
    close(quality.r_squared.expect("R squared"), expected.r_squared, what);
    close(quality.adjusted_r_squared().expect("R squared"), expected.adjusted_r_squared, what);
    let test = quality.f_test.expect("F");
    close(test.f, expected.f[0], what);
    assert_eq!(test.df, expected.f[1]);
    close(test.p, expected.f_p, what);
    let fitted = found.predict(dataset, &all_rows(dataset)).expect("amounts");
    fitted.iter().zip(&expected.fitted).for_each(|(&found, &expected)| close(found, expected, what));
}

fn tables() -> BTreeMap<&'static str, Table> {
    let read = |json: &str| serde_json::from_str::<serde_json::Value>(json).expect("the reference is JSON");
    let (mut json, bins) =
        (read(include_str!("../reference/amounts.json")), read(include_str!("../reference/bins.json")));
    // The columns of iris are kept once: here stand their places.
    let iris = |place: &serde_json::Value| {
        bins["sets"]["iris"]["columns"][place.as_u64().expect("a place") as usize].clone()
    };
    let amounts = iris(&json["iris"]["y"]);
    json["iris"]["y"] = amounts;
    json["iris"]["columns"] = json["iris"]["columns"].as_array().expect("places").iter().map(iris).collect();
    let table = |name| (name, serde_json::from_value(json[name].clone()).expect("a table"));
    ["six_rows", "longley", "iris"].map(table).into()
}

#[test]
fn regressions_are_those_of_r() {
    for (name, table) in tables() {
        let dataset = numbers(&table.columns);
        check(&fit("linear", &dataset, &table.y), &dataset, &table.plain, name);
    }
}

#[test]
fn the_later_of_columns_that_say_the_same_is_left_out() {
    for (name, mut table) in tables() {
        let sum = table.columns[0].iter().zip(&table.columns[1]).map(|(a, b)| a + b).collect();
        table.columns.push(sum);
        let dataset = numbers(&table.columns);
        let model = fit("linear", &dataset, &table.y);
        check(&model, &dataset, &table.aliased, name);
        let expected = format!("\"x{}\" says nothing beyond the columns before", table.columns.len() - 1);
        assert!(model.warnings()[0].starts_with(&expected), "{:?}", model.warnings());
    }
}

#[test]
fn a_weight_of_two_is_the_row_twice() {
    for (name, table) in tables() {
        let dataset = numbers(&table.columns).with_weights(table.weights.clone()).expect("weights");
        let repeated: Vec<u32> =
            table.weights.iter().zip(0..).flat_map(|(&w, row)| vec![row; w as usize]).collect();
        let fitted = fit("linear", &dataset, &table.y);
        check(&fitted, &dataset.take(&repeated), &table.repeated, name);
    }
}

/// The figures of the six rows that are documented with the method.
#[test]
fn golden_regression() {
    let table = tables().remove("six_rows").expect("six rows");
    let mut columns = table.columns;
    columns[0].push(2.2);
    columns[1].push(3.0);
    let dataset = numbers(&columns);
    let paid: Vec<f64> = table.y.iter().copied().chain([f64::NAN]).collect();
    let model = fit("linear", &dataset, &paid);
    for (found, expected) in model.coefficients().iter().zip([-0.5594458275, 1.4570476395, 4.9864550022]) {
        assert!((found.estimate.expect("kept") - expected).abs() < 1e-10);
    }
    let amount = model.predict(&dataset, &[6]).expect("an amount")[0];
    assert!((amount - 17.605423986).abs() < 1e-9, "{amount}");
    let interval = &model.coefficients()[2];
    // R: confint(lm(y ~ a + b))["b", ] = 4.986455 -+ 3.182446 * 1.149841
    close(
        interval.lower.expect("lower"),
        4.986455002170197 - 3.182446305283709 * 1.1498413714344717,
        "lower",
    );
    close(
        interval.upper.expect("upper"),
        4.986455002170197 + 3.182446305283709 * 1.1498413714344717,
        "upper",
    );
}

/// Columns of every kind, with gaps.
fn claims(n: u32) -> (Dataset, Vec<f64>) {
    let gap = |row: u32| row % 7 == 3;
    let codes = |most: u32, step: u32| {
        let code = |row: u32| if gap(row + step) { MISSING } else { (row / step + row) % most };
        Values::Codes((0..n).map(code).collect())
    };
    let lag = (0..n).map(|row| if gap(row) { f64::NAN } else { f64::from(row * 13 % 45) });
    let columns = [
        Column::new("night", Kind::Flag, codes(2, 3)),
        Column::new("make", Kind::Categorical(Levels::met(["Fiat", "Opel", "Volvo"])), codes(3, 5)),
        Column::new("size", Kind::Ordered(Levels::met(["s", "m", "l"])), codes(3, 4)),
        Column::new("lag", Kind::Numeric, Values::Numbers(lag.collect())),
    ];
    let columns = columns.into_iter().collect::<Result<_, _>>().expect("columns");
    let target = Target::new("fraud", ["no", "yes"], (0..n).map(|row| u32::from(row % 3 != 0)).collect());
    let dataset = Dataset::new(columns).and_then(|data| data.with_target(target?)).expect("a data set");
    (dataset, (0..n).map(|row| f64::from(row * 31 % 67)).collect())
}

#[test]
fn only_positive_rows_with_an_amount_up_to_the_cap_are_learned_from() {
    let (dataset, mut paid) = claims(90);
    let model = fit("linear:cap=50", &dataset, &paid);
    let rows = model.rows();
    assert_eq!(rows.learned + rows.other_class + rows.without_amount + rows.above_cap, 90);
    assert!(rows.other_class == 30 && rows.above_cap > 0 && rows.without_amount > 0, "{rows:?}");
    assert_eq!(model.class().map(|class| (&class.target[..], &class.class[..])), Some(("fraud", "yes")));
    // What is not learned from may be anything.
    for (row, paid) in paid.iter_mut().enumerate() {
        if row % 3 == 0 || *paid > 50.0 {
            *paid = 1e6;
        }
    }
    assert_eq!(fit("linear:cap=50", &dataset, &paid).coefficients(), model.coefficients());
}

#[test]
fn models_come_back_to_the_last_bit_whatever_the_number_of_threads() {
    let (dataset, paid) = claims(20_000);
    let rows = all_rows(&dataset);
    for (learner, _) in AMOUNT_LEARNERS.iter().flat_map(|form| form.examples) {
        let in_threads = |n: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().expect("threads");
            pool.install(|| serde_json::to_string(&fit(learner, &dataset, &paid)).expect("JSON"))
        };
        let json = in_threads(1);
        assert_eq!(json, in_threads(4));
        let model = fit(learner, &dataset, &paid);
        let read: AmountModel = serde_json::from_str(&json).expect("a model");
        assert_eq!(read, model, "{learner}");
        let bits = |model: &AmountModel| -> Vec<u64> {
            model.predict(&dataset, &rows).expect("amounts").iter().map(|amount| amount.to_bits()).collect()
        };
        assert_eq!(bits(&read), bits(&model), "{learner}");
    }
}

#[test]
fn levels_of_another_file_are_refused_until_they_are_aligned_by_name() {
    let (dataset, paid) = claims(90);
    let makes = dataset.column("make").expect("a column");
    let Values::Codes(codes) = makes.values() else { panic!("codes") };
    // The same makes in the opposite order.
    let codes = codes.iter().map(|&code| if code == MISSING { code } else { 2 - code }).collect();
    let levels = Kind::Categorical(Levels::met(["Volvo", "Opel", "Fiat"]));
    let turned = Column::new("make", levels, Values::Codes(codes)).expect("codes");
    let columns = dataset.columns().iter().map(|column| match column.name() {
        "make" => turned.clone(),
        _ => column.clone(),
    });
    let other = Dataset::new(columns.collect()).expect("columns");
    let rows = all_rows(&dataset);
    for (learner, _) in AMOUNT_LEARNERS.iter().flat_map(|form| form.examples) {
        let model = fit(learner, &dataset, &paid);
        for error in [
            model.predict(&other, &rows).expect_err("other levels"),
            model.explain(&other, 0).expect_err("other levels"),
        ] {
            assert_eq!(error.kind(), ErrorKind::Unaligned, "{learner}");
            assert!(error.to_string().contains("column \"make\""), "{error}");
        }
        let aligned = other.aligned_to(model.inputs(), &AlignOptions::default()).expect("aligned").dataset;
        assert_eq!(model.predict(&aligned, &rows), model.predict(&dataset, &rows), "{learner}");
    }
}

#[test]
fn explanations_add_up_to_the_amount() {
    let (dataset, paid) = claims(90);
    for learner in ["linear", "linear:missing=mark", "linear:floor=36"] {
        let model = fit(learner, &dataset, &paid);
        let predicted = model.predict(&dataset, &all_rows(&dataset)).expect("amounts");
        for (row, amount) in all_rows(&dataset).into_iter().zip(predicted) {
            let found = model.explain(&dataset, row).expect("reasons");
            let sum = found.start + found.items.iter().map(|item| item.change).sum::<f64>();
            assert!((found.amount - amount).abs() < 1e-9 && (sum - amount).abs() < 1e-9, "{learner} {row}");
            let is_raised = found.items.last().is_some_and(|item| item.what == "the floor of 36");
            assert_eq!(is_raised, amount == 36.0, "{found:?}");
            assert_eq!(found.items.len(), 4 + usize::from(is_raised), "{found:?}");
        }
    }
    let found = fit("linear", &dataset, &paid).explain(&dataset, 3).expect("reasons");
    assert!(found.items.iter().any(|item| item.what == "lag missing"), "{found:?}");
    let found = fit("linear", &dataset, &paid).explain(&dataset, 4).expect("reasons");
    assert!(found.items.iter().any(|item| item.what == "make = Opel"), "{found:?}");
}

#[test]
fn gaps_are_filled_marked_or_refused() {
    let (dataset, paid) = claims(90);
    let names = |learner: &str| -> Vec<String> {
        fit(learner, &dataset, &paid).coefficients().into_iter().map(|one| one.name).collect()
    };
    assert_eq!(names("linear"), ["(intercept)", "night", "make = Opel", "make = Volvo", "size", "lag"]);
    assert!(names("linear:missing=mark").contains(&"lag is missing".to_owned()));
    let learner: AmountLearner = "linear:missing=refuse".parse().expect("a learner");
    let error = learner.fit(&dataset, &amounts(&paid), &all_rows(&dataset)).expect_err("gaps");
    assert_eq!(error.kind(), ErrorKind::Missing);
}

#[test]
fn a_column_that_was_constant_in_training_says_nothing_whatever_a_row_brings() {
    let telling: Vec<f64> = (0..40).map(|row| f64::from(row * 7 % 11)).collect();
    let paid: Vec<f64> =
        telling.iter().enumerate().map(|(row, x)| 50.0 + 3.0 * x + (row % 3) as f64).collect();
    let alone = numbers(std::slice::from_ref(&telling));
    let expected = fit("linear", &alone, &paid).predict(&alone, &all_rows(&alone)).expect("amounts");
    for constant in [0.0, 0.1, -1e9] {
        let [trained, asked] =
            [constant, constant + 1e6].map(|number| numbers(&[telling.clone(), vec![number; 40]]));
        let found = fit("linear", &trained, &paid).predict(&asked, &all_rows(&asked)).expect("amounts");
        found.iter().zip(&expected).for_each(|(&found, &expected)| close(found, expected, "an amount"));
    }
}

#[test]
fn few_rows_and_odd_columns_have_a_clear_answer() {
    let check = |columns: &[Vec<f64>], paid: &[f64], warning: &str| {
        let dataset = numbers(columns);
        let model = fit("linear", &dataset, paid);
        assert!(model.warnings().iter().any(|found| found.contains(warning)), "{:?}", model.warnings());
        let found = model.predict(&dataset, &all_rows(&dataset)).expect("amounts");
        for (found, paid) in found.iter().zip(paid) {
            assert!((found / paid - 1.0).abs() < 1e-9, "{found} {paid}");
        }
        let json = serde_json::to_string(&model).expect("JSON");
        assert_eq!(serde_json::from_str::<AmountModel>(&json).expect(&json), model);
        assert!(!model.text().contains("NaN") && !model.text().contains("inf"), "{}", model.text());
        model
    };
    // One row, two rows, as many coefficients as rows, more columns than rows.
    check(&[vec![5.0]], &[7.0], "as many coefficients as rows (1)");
    check(&[vec![5.0, 6.0]], &[7.0, 9.0], "as many coefficients as rows (2)");
    let wide: Vec<Vec<f64>> =
        (0..6).map(|idx| (0..4).map(|row| f64::from((row * 7 + idx * idx) % 5)).collect()).collect();
    check(&wide, &[1.0, 5.0, 2.0, 9.0], "as many coefficients as rows (4)");
    // Constant columns, constant amounts, amounts that are made of the columns.
    check(&[vec![3.0; 4]], &[2.0; 4], "\"x0\" is the same in all rows");
    check(&[vec![1.0, 2.0, 3.0, 5.0]], &[3.0, 5.0, 7.0, 11.0], "the fit is exact");
    let model = check(&[vec![1.0, 2.0, 3.0, 5.0]], &[2.0; 4], "the fit is exact");
    assert_eq!((model.quality().r_squared, model.quality().f_test), (None, None));
    // Sizes at the ends of what numbers can hold.
    check(&[vec![1e300, 2e300, 3e300, 5e300]], &[3e300, 5e300, 7e300, 11e300], "the fit is exact");
    let dataset = numbers(&[vec![1e300, 2e300, 3e300, -5e300]]);
    let (huge, usual) =
        (fit("linear", &dataset, &[3e300, 5e300, 8e300, 1e299]), numbers(&[vec![1.0, 2.0, 3.0, -5.0]]));
    let usual = fit("linear", &usual, &[3.0, 5.0, 8.0, 0.1]);
    let sd = |model: &AmountModel| model.quality().residual_sd.expect("a deviation");
    close(sd(&huge) / 1e300, sd(&usual), "deviation");
    close(huge.coefficients()[1].t.expect("t"), usual.coefficients()[1].t.expect("t"), "t");
}

#[test]
fn what_cannot_be_computed_is_an_error_and_never_nan() {
    let learner: AmountLearner = "linear".parse().expect("a learner");
    let check = |columns: &[Vec<f64>], paid: &[f64], expected: &str| {
        let dataset = numbers(columns);
        let error =
            learner.fit(&dataset, &amounts(paid), &all_rows(&dataset)).expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}");
    };
    check(&[vec![-1.7e308, 1.7e308, 0.0]], &[1.0, 2.0, 3.0], "\"x0\" runs from -1.7e308 to 1.7e308");
    check(
        &[vec![1e-300, 2e-300, 4e-300]],
        &[1e300, 2e300, 5e300],
        "cannot be computed with; write it in other units",
    );
    check(&[vec![1.0, 2.0]], &[0.0, -3.0], "no row has an amount above zero in \"paid\"");
    let dataset = numbers(&[vec![1.0, 2.0, 4.0, 1.7e308], vec![0.0, 1.0, 0.0, -1.7e308]]);
    let model = learner.fit(&dataset, &amounts(&[10.0, 30.0, 70.0, 1.0]), &[0, 1, 2]).expect("a model");
    let error = model.predict(&dataset, &[0, 3]).expect_err("too large").to_string();
    assert!(
        error.contains("row 4: with \"x") && error.contains("the amount is no number any more"),
        "{error}"
    );
    assert_eq!(model.explain(&dataset, 3).expect_err("too large").to_string(), error);
}

#[test]
fn damaged_models_are_refused() {
    let (dataset, paid) = claims(90);
    let json = serde_json::to_value(fit("linear", &dataset, &paid)).expect("JSON");
    let check = |pointer: &str, value: serde_json::Value| {
        let mut damaged = json.clone();
        *damaged.pointer_mut(pointer).expect(pointer) = value;
        assert!(serde_json::from_value::<AmountModel>(damaged).is_err(), "{pointer}");
    };
    check("/terms/0/name", "day".into());
    check("/terms", serde_json::json!([]));
    check("/terms/0/estimate/standard_error", (-1.0).into());
    check("/base", serde_json::Value::Null);
    check("/quality/r_squared", 1.5.into());
    check("/quality/n", 0.into());
    check("/quality/residual_df", 1e9.into());
    check("/rows/learned", 0.into());
    check("/learner", "tan:25".into());
}

/// Whole numbers, so that repetitions and weights are exactly the same data.
fn table() -> impl Strategy<Value = (Vec<Vec<f64>>, Vec<f64>, Vec<f64>)> {
    let row = (prop::collection::vec(-20_i32..20, 3), 1_i32..100, 0_u32..4);
    prop::collection::vec(row, 8..40).prop_map(|rows| {
        let column = |idx: usize| rows.iter().map(|(x, _, _)| f64::from(x[idx])).collect();
        let paid = rows.iter().map(|(_, paid, _)| f64::from(*paid)).collect();
        ((0..3).map(column).collect(), paid, rows.iter().map(|(_, _, weight)| f64::from(*weight)).collect())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn order_and_repetition_do_not_matter((columns, paid, weights) in table()) {
        prop_assume!(weights.iter().filter(|weight| **weight > 0.0).count() > 1);
        let plain = numbers(&columns);
        let weighted = plain.clone().with_weights(weights.clone()).expect("weights");
        let learner: AmountLearner = "linear".parse().expect("a learner");
        let repeated = weights.iter().enumerate().rev().flat_map(|(row, &w)| vec![row as u32; w as usize]);
        let repeated: Vec<u32> = repeated.collect();
        let by_weight = learner.fit(&weighted, &amounts(&paid), &all_rows(&weighted)).expect("a model");
        let by_rows = learner.fit(&plain, &amounts(&paid), &repeated).expect("a model");
        for (a, b) in by_weight.coefficients().iter().zip(by_rows.coefficients()) {
            prop_assert_eq!(a.estimate.is_some(), b.estimate.is_some());
            for (a, b) in [(a.estimate, b.estimate), (a.standard_error, b.standard_error)] {
                let difference = a.zip(b).map_or(0.0, |(a, b)| (a - b).abs() / (1.0 + a.abs()));
                prop_assert!(difference < 1e-6, "{:?} {:?}", a, b);
            }
        }
        prop_assert_eq!(by_weight.quality().residual_df, by_rows.quality().residual_df);
    }

    #[test]
    fn residuals_have_nothing_to_do_with_the_columns((columns, paid, _) in table()) {
        let dataset = numbers(&columns);
        let model = fit("linear", &dataset, &paid);
        let fitted = model.predict(&dataset, &all_rows(&dataset)).expect("amounts");
        let residuals: Vec<f64> = paid.iter().zip(&fitted).map(|(paid, fitted)| paid - fitted).collect();
        prop_assert!(residuals.iter().sum::<f64>().abs() < 1e-8);
        for column in &columns {
            prop_assert!(column.iter().zip(&residuals).map(|(x, r)| x * r).sum::<f64>().abs() < 1e-6);
        }
    }
}
