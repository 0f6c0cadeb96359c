//! Boosted trees from inside: what changes nothing, hard data, damaged files.

use proptest::prelude::*;
use serde_json::{Value, json};
use tribunal_random::Random;

use crate::column::{Column, Values};
use crate::dataset::Dataset;
use crate::error::{Error, ErrorKind};
use crate::explanation::Reasons;
use crate::kind::{Kind, Levels};
use crate::learners::Learner;
use crate::model::Model;
use crate::target::Target;

fn numbers(name: &str, numbers: Vec<f64>) -> Column {
    Column::new(name, Kind::Numeric, Values::Numbers(numbers)).expect("numbers")
}

fn dataset(columns: Vec<Column>, classes: &[&str], codes: Vec<u32>) -> Dataset {
    let target = Target::new("y", classes.to_vec(), codes).expect("a target");
    Dataset::new(columns).and_then(|data| data.with_target(target)).expect("columns")
}

/// Two numbers, of which the first and what they are together tell the class, and a colour; some values are missing.
fn made(n_rows: usize, n_classes: usize) -> Dataset {
    let mut random = Random::new(11);
    let mut column = || -> Vec<f64> { (0..n_rows).map(|_| random.normal()).collect() };
    let (first, second, noise) = (column(), column(), column());
    let class = |row: usize| {
        let signal = first[row] + first[row] * second[row] + noise[row];
        (f64::from(signal > 0.0) + f64::from(n_classes > 2 && signal > 1.0)) as u32
    };
    let codes = (0..n_rows).map(class).collect();
    let gaps =
        |column: &[f64]| (0..n_rows).map(|row| if row % 7 == 3 { f64::NAN } else { column[row] }).collect();
    let colours = Kind::Categorical(Levels::declared(["blue", "green", "red"]));
    let colour = Values::Codes((0..n_rows as u32).map(|row| row * row % 3).collect());
    let columns = vec![
        numbers("first", gaps(&first)),
        numbers("second", second),
        Column::new("colour", colours, colour).expect("codes"),
    ];
    dataset(columns, &["no", "yes", "perhaps"][..n_classes], codes)
}

fn rows(dataset: &Dataset) -> Vec<u32> {
    (0..dataset.n_rows() as u32).collect()
}

fn fit(learner: &str, dataset: &Dataset) -> Result<Model, Error> {
    learner.parse::<Learner>()?.fit(dataset, &rows(dataset), 1)
}

fn scores(learner: &str, dataset: &Dataset) -> Vec<f64> {
    let model = fit(learner, dataset).expect(learner);
    model.posteriors(dataset, &rows(dataset)).expect("scores").scores()
}

/// The same data with some columns changed.
fn changed(dataset: &Dataset, change: impl FnOnce(&mut Vec<Column>)) -> Dataset {
    let mut columns = dataset.columns().to_vec();
    change(&mut columns);
    let target = dataset.target().expect("a target").clone();
    Dataset::new(columns).and_then(|data| data.with_target(target)).expect("columns")
}

#[test]
fn only_the_order_of_numbers_matters() {
    let plain = made(500, 2);
    let cubed = changed(&plain, |columns| {
        let Values::Numbers(values) = columns[1].values() else { panic!("numbers") };
        columns[1] = numbers("second", values.iter().map(|x| 1e6 * x * x * x + 3.0).collect());
    });
    assert_eq!(scores("boost:trees=50", &plain), scores("boost:trees=50", &cubed));
}

#[test]
fn a_column_that_tells_nothing_changes_nothing() {
    let plain = made(300, 2);
    let wider = changed(&plain, |columns| {
        columns.push(numbers("constant", vec![2.5; 300]));
        columns.push(numbers("missing", vec![f64::NAN; 300]));
    });
    assert_eq!(scores("boost:trees=50", &plain), scores("boost:trees=50", &wider));
}

#[test]
fn the_seed_decides_where_something_is_drawn() {
    let data = made(300, 2);
    let fitted = |learner: &str, seed: u64| {
        learner
            .parse::<Learner>()
            .and_then(|learner| learner.fit(&data, &rows(&data), seed))
            .expect("a model")
    };
    let drawn = "boost:trees=5,sample=0.5";
    assert_eq!(fitted(drawn, 1), fitted(drawn, 1));
    assert_ne!(fitted(drawn, 1), fitted(drawn, 2));
    assert_eq!(fitted("boost:trees=5", 1), fitted("boost:trees=5", 2));
}

#[test]
fn the_text_tells_what_matters() {
    let text = fit("boost:trees=20", &made(500, 2)).expect("a model").text();
    assert!(text.starts_with("yes: log-odds of ") && text.contains("20 trees of "), "{text}");
    let place = |name: &str| text.find(name).unwrap_or(text.len());
    assert!(place("first: 0.") < place("colour = red"), "{text}");
}

#[test]
fn columns_add_up_and_speak_once() {
    for n_classes in [2, 3] {
        let data = made(400, n_classes);
        let model = fit("boost:trees=30", &data).expect("a model");
        for row in 0..30 {
            let explanation = model.explain(&data, row).expect("reasons");
            let Reasons::Evidence { for_class, against_class, prior, items } = explanation.reasons else {
                panic!("another form")
            };
            let place =
                |name: &String| model.classes().iter().position(|class| class == name).expect("a class");
            let posterior = |name: &String| explanation.posteriors[place(name)];
            let expected = posterior(&for_class).ln() - posterior(&against_class).ln();
            let sum = prior + items.iter().map(|item| item.log_odds).sum::<f64>();
            assert!((sum - expected).abs() < 1e-9, "row {row}: {sum} is not {expected}");
            assert!(items.iter().filter(|item| item.what.starts_with("colour")).count() <= 1, "{items:?}");
            let n_left = items.iter().filter(|item| item.what.contains("add up to one")).count();
            assert!(n_left == usize::from(n_classes == 3), "{items:?}");
        }
    }
}

#[test]
fn a_class_without_rows_is_impossible() {
    let data = made(400, 3);
    let codes = data.target().expect("a target").codes().to_vec();
    let few: Vec<u32> = rows(&data).into_iter().filter(|&row| codes[row as usize] != 1).collect();
    let model =
        "boost:trees=20".parse::<Learner>().and_then(|learner| learner.fit(&data, &few, 1)).expect("a model");
    let found = model.posteriors(&data, &rows(&data)).expect("scores");
    assert!((0..400).all(|row| found.row(row)[1] == 0.0 && found.row(row)[0] > 0.0));
    assert!(model.text().contains("yes: no training rows"), "{}", model.text());
    let read: Model = serde_json::from_str(&serde_json::to_string(&model).expect("text")).expect("a model");
    assert_eq!(read, model);
}

#[test]
fn weights_beyond_single_precision_are_refused() {
    let check = |weight: f64, is_fine: bool| {
        let data = made(100, 2).with_weights(vec![weight; 100]).expect("weights");
        match fit("boost:trees=20", &data) {
            Ok(_) => assert!(is_fine, "{weight}"),
            Err(error) => {
                assert!(!is_fine && error.kind() == ErrorKind::Inconsistent, "{weight}: {error}");
                assert!(error.to_string().contains("divide them by their mean"), "{error}");
            }
        }
    };
    [1e-30, 1e-3, 1e6, 1e12].into_iter().for_each(|weight| check(weight, true));
    [1e39, 1e200].into_iter().for_each(|weight| check(weight, false));
}

/// The first tree is sure of rows that the second finds on the wrong side, where p (1 - p) is nothing.
#[test]
fn steps_end_where_nothing_bends() {
    let (least, gap) = (f64::MIN, f64::NAN);
    let first = vec![0.0, gap, gap, least, 0.0, gap, gap, gap, gap, 0.0, gap, gap, 0.0, gap];
    let second = vec![least, least, gap, gap, 0.0, 0.0, 0.0, least, gap, gap, gap, 0.0, 0.0, gap];
    let mut random = Random::new(456);
    let codes = (0..14).map(|_| random.below(3) as u32).collect();
    let weights = (0..14).map(|_| random.uniform() * 1e5).collect();
    let columns = vec![numbers("first", first), numbers("second", second)];
    let data = dataset(columns, &["no", "yes", "perhaps"], codes).with_weights(weights).expect("weights");
    let found = scores("boost:trees=15,min_hessian=0.001,l2=0,rate=1,leaves=40", &data);
    assert!(found.iter().all(|score| (0.0..=1.0).contains(score)), "{found:?}");
}

#[test]
fn damaged_models_are_refused() {
    let model = serde_json::to_value(fit("boost:trees=2", &made(300, 2)).expect("a model")).expect("as JSON");
    let check = |change: fn(&mut Value), expected: &str| {
        let mut changed = model.clone();
        change(&mut changed["learned"]["fitted"]["boost"]);
        let error = serde_json::from_value::<Model>(changed).expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}");
    };
    check(|boost| boost["ensembles"] = json!([]), "no number of classes");
    check(|boost| boost["ensembles"] = json!([null]), "of no class");
    check(|boost| boost["ensembles"][0]["trees"][0][0][0] = json!(4), "of other columns");
    check(|boost| boost["ensembles"][0]["gains"] = json!([1.0]), "of other columns");
    check(|boost| boost["ensembles"][0]["trees"][0] = json!([]), "ends before its leaves");
    check(|boost| boost["n_features"] = json!(5), "of other columns");
    check(
        |boost| *boost = json!({"n_features": 0, "ensembles": [{"start": 0.0, "trees": [], "gains": []}]}),
        "other columns",
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever the numbers, weights and settings, there are probabilities or an error.
    #[test]
    fn nothing_panics(
        cells in proptest::collection::vec(
            prop_oneof![
                Just(f64::NAN), Just(f64::MAX), Just(f64::MIN), Just(0.0), Just(-0.0), Just(5e-324),
                (0_u32..4).prop_map(f64::from), -1e3_f64..1e3,
            ],
            2..120,
        ),
        n_columns in 1_usize..4,
        n_classes in 2_u32..4,
        exponent in -40_i32..45,
        settings in prop_oneof![
            Just("min_hessian=0.001,l2=0"), Just("min_hessian=0.001,l2=0,rate=1,leaves=40"), Just("sample=0.05,l2=0,columns=0.01"),
            Just("min_hessian=0.001,sample=0.5,columns=0.5,depth=64"), Just("leaves=2"),
        ],
        seed in 0_u64..1000,
    ) {
        let n_rows = (cells.len() / n_columns).max(1);
        let column = |idx: usize| {
            let values = (0..n_rows).map(|row| cells[(row * n_columns + idx) % cells.len()]).collect();
            numbers(&format!("x{idx}"), values)
        };
        let mut random = Random::new(seed);
        let codes = (0..n_rows).map(|_| random.below(u64::from(n_classes)) as u32).collect();
        let weights = (0..n_rows).map(|_| random.uniform() * 10_f64.powi(exponent)).collect();
        let names = &["no", "yes", "perhaps"][..n_classes as usize];
        let data = dataset((0..n_columns).map(column).collect(), names, codes);
        let data = data.with_weights(weights).expect("weights");
        if let Ok(model) = fit(&format!("boost:trees=15,{settings}"), &data) {
            let found = model.posteriors(&data, &rows(&data)).expect("scores");
            for row in 0..n_rows {
                prop_assert!((found.row(row).iter().sum::<f64>() - 1.0).abs() < 1e-9, "{:?}", found.row(row));
                model.explain(&data, row as u32).expect("reasons");
            }
            let text = serde_json::to_string(&model).expect("as text");
            prop_assert_eq!(serde_json::from_str::<Model>(&text).expect("a model"), model);
        } else {
            prop_assert!(exponent > 20 || n_rows < 2, "an error for weights about 1e{exponent}");
        }
    }
}
