//! Machines known beforehand.

use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};
use tribunal_memory::{Available, Bound};
use tribunal_random::Random;

use super::model::Function;
use super::*;
use crate::column::{Column, Values};
use crate::cross::{Folds, Scenario, cross_decisions_of, cross_posteriors, cross_posteriors_of, refitted};
use crate::dataset::Dataset;
use crate::encoding::Encoder;
use crate::error::ErrorKind;
use crate::explanation::Reasons;
use crate::kind::{BinRule, Kind, Levels};
use crate::learners::Learner;
use crate::learners::golden::{check_close, toy_number_queries, toy_numbers};
use crate::model::Model;
use crate::target::Target;

fn fitted(learner: &str, dataset: &Dataset) -> Model {
    let rows: Vec<u32> = (0..dataset.n_rows() as u32).collect();
    learner.parse::<Learner>().and_then(|learner| learner.fit(dataset, &rows, 1)).expect(learner)
}

fn machine(learner: &str, dataset: &Dataset) -> LsSvmModel {
    let stored = serde_json::to_value(fitted(learner, dataset)).expect("as JSON");
    serde_json::from_value(stored["learned"]["fitted"]["ls_svm"].clone()).expect("a machine")
}

#[test]
fn golden_scores() {
    let check = |learner: &str, bias: f64, first: f64, scores: [f64; 4]| {
        let (model, data) = (fitted(learner, &toy_numbers()), toy_number_queries());
        let found = model.posteriors(&data, &[0, 1, 2, 3]).expect("scores");
        assert_eq!(found.output(), Output::Margins);
        check_close(&found.scores(), &scores, 5e-11, learner);
        let machine = machine(learner, &toy_numbers());
        check_close(&machine.biases, &[bias], 5e-11, learner);
        // The multiplier of the first row, which is negative, is its coefficient with the other sign.
        if let Function::Kernel(sum) = &machine.function {
            check_close(&sum.coefficients[0][..1], &[-first], 5e-11, learner);
        }
        for strong in machine.strongest[0].iter().filter(|strong| strong.row == 0) {
            check_close(&[strong.coefficient], &[-first], 5e-11, learner);
        }
    };
    let third = 3_f64.sqrt();
    let linear = [0.0914211740, -0.4385785404, -0.2642981566, -0.1306303985];
    check("lssvm:linear,gamma=1", -0.1428571429, 0.2066363926, linear);
    check("lssvm:poly=1,gamma=1", -0.1428571429, 0.2066363926, linear);
    let linear = [0.0248046140, -0.3688667104, -0.2598270181, -0.1078492290];
    check("lssvm:linear,gamma=0.1", -0.1428571429, 0.0389349624, linear);
    let poly = [0.2405097106, 0.6434940164, -2.5125761441, 0.3149226795];
    check("lssvm:poly=2,gamma=1", -0.2942825909, 0.8255235163, poly);
    let poly = [0.2805270272, -0.5765854718, -2.1101328931, -0.0701392509];
    check("lssvm:poly=3,gamma=0.1", -0.3007533133, 0.0872316942, poly);
    let rbf = [1.0532527135, -0.5322219739, -1.6592280854, -0.0029883485];
    check(&format!("lssvm:rbf,gamma=10,sigma={third}"), -0.5057713959, 8.9571601833, rbf);
    // Three columns.
    check("lssvm:rbf,gamma=10,spread=1", -0.5057713959, 8.9571601833, rbf);
}

#[test]
fn golden_weights() {
    let machine = machine("lssvm:linear,gamma=1", &toy_numbers());
    let Function::Linear(weights) = &machine.function else { panic!("{machine:?}") };
    check_close(&weights[0], &[0.23201055, 0.18408893, 0.15368793], 5e-9, "weights");
    let text = fitted("lssvm:linear,gamma=1", &toy_numbers()).text();
    assert!(text.contains("  x1             0.232011     0.264533\n"), "{text}");
    assert!(text.contains("training rows that weigh most\n  row 13 (+): 1.793364\n"), "{text}");
}

#[derive(Deserialize)]
struct Reference {
    columns: Vec<Vec<f64>>,
    classes: Vec<u32>,
    three: Vec<u32>,
    weights: Vec<f64>,
    asked: Vec<Vec<f64>>,
    machines: Vec<KnownMachine>,
    left_out: Vec<KnownLeftOut>,
}

#[derive(Deserialize)]
struct KnownMachine {
    learner: String,
    b: f64,
    alpha: Vec<f64>,
    scores: Vec<f64>,
    weighted: Vec<f64>,
    three: Vec<Vec<f64>>,
}

#[derive(Deserialize)]
struct KnownLeftOut {
    learner: String,
    one: Vec<f64>,
    five: Vec<f64>,
}

impl Reference {
    fn new() -> Self {
        let text = include_str!("../../../tests/reference/lssvm.json");
        serde_json::from_str(text).expect("the reference is JSON")
    }

    fn dataset(&self, classes: &[u32]) -> Dataset {
        let names =
            ["a", "b", "c"].into_iter().take(classes.iter().max().map_or(0, |&last| last as usize + 1));
        let target = Target::new("y", names, classes.to_vec()).expect("classes");
        numbers(&self.columns).with_target(target).expect("as many rows")
    }
}

fn numbers(columns: &[Vec<f64>]) -> Dataset {
    let column = |(idx, values): (usize, &Vec<f64>)| {
        Column::new(format!("x{idx}"), Kind::Numeric, Values::Numbers(values.clone())).expect("numbers")
    };
    Dataset::new(columns.iter().enumerate().map(column).collect()).expect("columns")
}

#[test]
fn machines_solve_the_bordered_system() {
    let known = Reference::new();
    let (asked, rows) = (numbers(&known.asked), (0..20).collect::<Vec<u32>>());
    let plain = known.dataset(&known.classes);
    let weighted = plain.clone().with_weights(known.weights.clone()).expect("weights");
    let three = known.dataset(&known.three);
    for KnownMachine { learner, b, alpha, scores, weighted: of_weighted, three: of_three } in &known.machines
    {
        let said = |dataset: &Dataset| fitted(learner, dataset).posteriors(&asked, &rows).expect("scores");
        check_close(&said(&plain).scores(), scores, 1e-8, learner);
        check_close(&said(&weighted).scores(), of_weighted, 1e-8, learner);
        for (class, expected) in of_three.iter().enumerate() {
            check_close(&said(&three).of_class(class).collect::<Vec<f64>>(), expected, 1e-8, learner);
        }
        let machine = machine(learner, &plain);
        check_close(&machine.biases, &[*b], 1e-8, learner);
        if let Function::Kernel(sum) = &machine.function {
            let multiplier =
                |(coefficient, &class): (&f64, &u32)| if class == 1 { *coefficient } else { -coefficient };
            let found: Vec<f64> = sum.coefficients[0].iter().zip(&known.classes).map(multiplier).collect();
            check_close(&found, alpha, 1e-8, learner);
        }
    }
}

#[test]
fn rows_left_out_are_judged_as_by_the_bordered_system() {
    let known = Reference::new();
    let (dataset, rows) = (known.dataset(&known.classes), (0..60).collect::<Vec<u32>>());
    let learners: Vec<Learner> =
        known.left_out.iter().map(|known| known.learner.parse().expect("a learner")).collect();
    for n_folds in [60, 5] {
        let fold_of_row: Vec<u32> = rows.iter().map(|row| row % n_folds).collect();
        let folds = Folds::new(&rows, &fold_of_row).expect("folds");
        let found = cross_posteriors(&learners, &dataset, &folds, 1).expect("posteriors");
        for (known, found) in known.left_out.iter().zip(found) {
            let expected = if n_folds == 60 { &known.one } else { &known.five };
            check_close(&found.scores(), expected, 1e-8, &known.learner);
        }
    }
}

/// Made-up claims: flags, a category, a lag with given bins, and two targets.
fn claims(n_rows: usize, seed: u64) -> (Dataset, Target) {
    let mut random = Random::new(seed);
    let classes: Vec<u32> =
        (0..n_rows).map(|row| if row < 4 { row as u32 % 2 } else { random.below(2) as u32 }).collect();
    let other =
        (0..n_rows).map(|row| if row < 6 { row as u32 % 3 } else { random.below(3) as u32 }).collect();
    let mut codes = |n_codes: u64, is_told: u64| -> Vec<u32> {
        let mut code = |&class: &u32| match random.below(10) < is_told {
            true => class % n_codes as u32,
            false => random.below(n_codes) as u32,
        };
        classes.iter().map(&mut code).collect()
    };
    let mut columns: Vec<Column> = (0..8)
        .map(|idx| {
            Column::new(format!("flag{idx}"), Kind::Flag, Values::Codes(codes(2, idx % 4))).expect("a flag")
        })
        .collect();
    let colour = Kind::Categorical(Levels::met(["blue", "green", "red"]));
    columns.push(Column::new("colour", colour, Values::Codes(codes(3, 3))).expect("codes"));
    let lags = codes(40, 2).into_iter().map(f64::from).collect();
    let rule = Kind::Binned(BinRule::WholeUnits(vec![7.0, 15.0, 30.0]));
    columns.push(Column::new("lag", rule, Values::Numbers(lags)).expect("numbers"));
    let target = Target::new("fraud", ["no", "yes"], classes).expect("classes");
    let dataset = Dataset::new(columns).and_then(|data| data.with_target(target)).expect("columns");
    (dataset, Target::new("colour", ["a", "b", "c"], other).expect("classes"))
}

const KERNELS: [&str; 7] = [
    "lssvm:linear,gamma=0.1,paper",
    "lssvm:linear,gamma=100,paper",
    "lssvm:poly=2,gamma=1,paper",
    "lssvm:poly=3,gamma=10,paper",
    "lssvm:poly=3,gamma=1000,paper",
    "lssvm:rbf,gamma=10,spread=0.5,paper",
    "lssvm:rbf,gamma=1000,sigma=30,paper",
];

fn learners(texts: &[&str]) -> Vec<Learner> {
    texts.iter().map(|text| text.parse().expect(text)).collect()
}

/// A target and how rows are divided.
type Divided<'a> = (&'a Target, &'a Folds<'a>);

/// Compares what is shared between scenarios with a plain fit for every fold. Everyone is asked in the first scenario; in each
/// other one somebody is not.
fn check_shared(dataset: &Dataset, divided: &[Divided<'_>], texts: &[&str]) {
    let learners = learners(texts);
    let asked = |place: usize| match learners.len() {
        n if place > 0 && n > 1 => [&learners[..place % n], &learners[place % n + 1..]].concat(),
        _ => learners.clone(),
    };
    let asked: Vec<Vec<Learner>> = (0..divided.len()).map(asked).collect();
    let both = divided.iter().zip(&asked);
    let scenarios: Vec<Scenario<'_>> =
        both.map(|(&(target, folds), learners)| Scenario { target, folds, seed: 1, learners }).collect();
    let found = cross_posteriors_of(dataset, &scenarios).expect("posteriors");
    for (scenario, found) in scenarios.iter().zip(found) {
        let by_itself = scenario.dataset(dataset).expect("as many rows");
        let expected = refitted(scenario.learners, &by_itself, scenario.folds, 1).expect("refits");
        assert_eq!(found.len(), expected.len());
        for ((learner, found), expected) in scenario.learners.iter().zip(found).zip(expected) {
            assert_eq!(found.n_rows(), scenario.folds.n_rows());
            for row in 0..found.n_rows() {
                check_close(found.row(row), expected.row(row), 1e-8, &learner.to_string());
            }
        }
    }
}

#[test]
fn one_inverse_gives_what_refits_give() {
    let (dataset, other) = claims(200, 3);
    let fraud = dataset.target().expect("a target");
    let rows: Vec<u32> = (0..200).collect();
    let fold_of = |n_folds: u32| move |row: &u32| (row * 7 + row / 3) % n_folds;
    let folds_of = |rows: &[u32], n_folds: u32| rows.iter().map(fold_of(n_folds)).collect::<Vec<u32>>();
    let ten = Folds::new(&rows, &folds_of(&rows, 10)).expect("folds");
    let one = Folds::new(&rows, &rows).expect("folds");
    // The inner folds of outer folds, for two targets.
    let inner: Vec<Vec<u32>> =
        (0..4).map(|outer| rows.iter().copied().filter(|row| row % 4 != outer).collect()).collect();
    let inner: Vec<Folds<'_>> =
        inner.iter().map(|rows| Folds::new(rows, &folds_of(rows, 5)).expect("folds")).collect();
    check_shared(&dataset, &[(fraud, &ten)], &KERNELS);
    check_shared(&dataset, &[(&other, &one)], &KERNELS[1..6]);
    let nested: Vec<Divided<'_>> = inner.iter().flat_map(|folds| [(fraud, folds), (&other, folds)]).collect();
    check_shared(&dataset, &nested, &KERNELS);
    // A single scenario of few more rows than another.
    check_shared(&dataset, &[nested[0], (fraud, &ten)], &KERNELS);
}

/// Compares what bells decide with the signs of what they say when they are solved.
fn check_decisions(dataset: &Dataset, divided: &[Divided<'_>]) {
    let spreads = [0.5, 2.0, 5.0, 15.0, 50.0, 500.0];
    let bell = |gamma: f64| spreads.map(|spread| format!("lssvm:rbf,gamma={gamma},spread={spread},paper"));
    let texts: Vec<String> = [0.01, 1.0, 10.0, 100.0, 1000.0].into_iter().flat_map(bell).collect();
    let learners = learners(&texts.iter().map(String::as_str).collect::<Vec<&str>>());
    let scenario = |&(target, folds)| Scenario { target, folds, seed: 1, learners: &learners };
    let scenarios: Vec<Scenario<'_>> = divided.iter().map(scenario).collect();
    let decided = cross_decisions_of(dataset, &scenarios).expect("decisions");
    let solved = cross_posteriors_of(dataset, &scenarios).expect("posteriors");
    let largest = |row: &[f64]| (0..row.len()).max_by(|&one, &other| row[one].total_cmp(&row[other]));
    let mut n_other = 0;
    for (decided, solved) in decided.iter().zip(&solved) {
        for ((learner, decided), solved) in learners.iter().zip(decided).zip(solved) {
            n_other += usize::from(decided != solved);
            for row in 0..solved.n_rows() {
                let (decided, solved) = (decided.row(row), solved.row(row));
                let signs = decided.iter().zip(solved).all(|(one, other)| (*one >= 0.0) == (*other >= 0.0));
                assert!(signs, "{learner}, row {row}: {decided:?} is not {solved:?}");
                assert_eq!(largest(decided), largest(solved), "{learner}, row {row}");
            }
        }
    }
    assert!(n_other > 0, "nothing was decided before it was solved");
}

#[test]
fn decisions_are_those_of_solutions() {
    let (dataset, other) = claims(450, 11);
    let fraud = dataset.target().expect("a target");
    let rows: Vec<u32> = (0..450).collect();
    let folds_of = |rows: &[u32]| rows.iter().map(|row| (row * 7 + row / 3) % 5).collect::<Vec<u32>>();
    let all = Folds::new(&rows, &folds_of(&rows)).expect("folds");
    let part: Vec<u32> = rows.iter().copied().filter(|row| row % 9 != 4).collect();
    let part = Folds::new(&part, &folds_of(&part)).expect("folds");
    check_decisions(&dataset, &[(fraud, &all), (&other, &all), (fraud, &part)]);
    let weights = rows.iter().map(|row| f64::from(row % 4) / 2.0).collect();
    check_decisions(&dataset.clone().with_weights(weights).expect("weights"), &[(fraud, &all)]);
}

#[test]
fn folds_on_scales_of_their_own_are_plain_fits() {
    let (dataset, other) = claims(120, 5);
    let rows: Vec<u32> = (0..120).collect();
    let folds = Folds::new(&rows, &rows.iter().map(|row| row % 5).collect::<Vec<u32>>()).expect("folds");
    let texts = KERNELS.map(|text| text.replace(",paper", ""));
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    check_shared(&dataset, &[(&other, &folds)], &texts);
    check_shared(&dataset, &[(&other, &folds)], &texts[5..6]);
}

#[test]
fn rows_that_are_alike_tie() {
    let (dataset, _) = claims(200, 4);
    let flags = dataset.columns()[..3].to_vec();
    let target = dataset.target().expect("a target").clone();
    let few = Dataset::new(flags).and_then(|data| data.with_target(target)).expect("columns");
    let rows: Vec<u32> = (0..200).collect();
    let folds = Folds::new(&rows, &rows.iter().map(|row| row % 4).collect::<Vec<u32>>()).expect("folds");
    let plain = KERNELS.map(|text| text.replace(",paper", ""));
    let texts: Vec<&str> = KERNELS.into_iter().chain(plain.iter().map(String::as_str)).collect();
    let found = cross_posteriors(&learners(&texts), &few, &folds, 1).expect("posteriors");
    for (text, found) in texts.iter().zip(found) {
        for fold in 0..4 {
            let scores = found.scores().into_iter().zip(0_u32..).filter(|(_, row)| row % 4 == fold);
            let mut distinct: Vec<u64> = scores.map(|(score, _)| score.to_bits()).collect();
            distinct.sort_unstable();
            distinct.dedup();
            assert!(distinct.len() <= 8, "{text}: {} scores of eight kinds of rows", distinct.len());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn whatever_is_left_out_is_judged_as_by_refits(
        n_rows in 12_usize..60,
        n_folds in 2_u32..12,
        seed in any::<u64>(),
        is_weighted in any::<bool>(),
        is_repeated in any::<bool>(),
    ) {
        let (mut dataset, other) = claims(n_rows, seed);
        let mut random = Random::new(seed ^ 1);
        if is_weighted {
            let weights = (0..n_rows).map(|row| if row < 6 { 1.0 } else { random.below(4) as f64 / 2.0 });
            dataset = dataset.with_weights(weights.collect()).expect("weights");
        }
        let all: Vec<u32> = (0..n_rows as u32).collect();
        // A bootstrap sample has rows twice, which may lie in different folds.
        let sample: Vec<u32> = all.iter().map(|_| random.below(n_rows as u64) as u32).collect();
        let part = if is_repeated { &sample[..] } else { &all[n_rows / 5..] };
        let fold_of = |rows: &[u32]| (0..rows.len() as u32).map(|at| at % n_folds).collect::<Vec<u32>>();
        let folds = [Folds::new(&all, &fold_of(&all)), Folds::new(part, &fold_of(part))];
        let folds = folds.map(|folds| folds.expect("folds"));
        let fraud = dataset.target().expect("a target");
        // Of some folds nothing may be left to learn from.
        let learners = learners(&KERNELS[..3]);
        prop_assume!(folds.iter().all(|folds| refitted(&learners, &dataset, folds, 1).is_ok()));
        let divided = [(fraud, &folds[0]), (&other, &folds[1]), (fraud, &folds[1])];
        check_shared(&dataset, &divided, &["lssvm:linear,gamma=1,paper", "lssvm:poly=2,gamma=1,paper",
            "lssvm:rbf,gamma=10,spread=0.7,paper"]);
    }
}

#[test]
fn what_cannot_be_solved_is_tried_with_less_and_told() {
    // The ninth power of inner products has more digits than numbers do.
    let columns = vec![(0..30).map(|row| f64::from(row % 15)).collect::<Vec<f64>>(); 12];
    let target = Target::new("y", ["no", "yes"], (0..30).map(|row| row % 2).collect()).expect("classes");
    let dataset = numbers(&columns).with_target(target).expect("as many rows");
    let model = fitted("lssvm:poly=9,gamma=1e4", &dataset);
    assert!(model.warnings()[0].contains("with gamma=10000, so gamma="), "{:?}", model.warnings());
    let learner: Learner = "lssvm:poly=9,gamma=1e30".parse().expect("a learner");
    let error = learner.fit(&dataset, &(0..30).collect::<Vec<u32>>(), 1).expect_err("no solution");
    assert_eq!(error.kind(), ErrorKind::Unsolvable);
    assert!(error.to_string().contains("give a smaller gamma"), "{error}");
}

#[test]
fn too_many_rows_are_refused_before_memory_is_taken() {
    let dataset = toy_numbers();
    let rows: Vec<u32> = (0..14).collect();
    let fit = |learner: &str, limit: u64| {
        let Method::LsSvm(settings) = learner.parse::<Learner>().expect(learner).method else {
            panic!("{learner}")
        };
        let encoder = Encoder::fit(&settings.view(), &dataset, &rows).expect("an encoder");
        let training = Training::encode(&dataset, &rows, &encoder).expect("rows");
        LsSvmModel::fit(
            &settings,
            &training,
            Memory { limit: Some(Available { bytes: limit, bound: Bound::Machine }) },
        )
    };
    // A kernel of 14 rows has 1568 bytes.
    assert!(fit("lssvm:rbf,gamma=1,spread=1", 2352).is_ok());
    let error = fit("lssvm:rbf,gamma=1,spread=1", 2351).expect_err("too little");
    assert_eq!(error.kind(), ErrorKind::TooLarge);
    assert!(error.to_string().contains("13 rows fit"), "{error}");
    // Weights of three columns need no kernel.
    assert!(fit("lssvm:linear,gamma=1", 0).is_ok());
}

#[test]
fn what_is_to_be_tuned_is_not_fitted() {
    let check = |learner: &str, expected: &str| {
        let learner: Learner = learner.parse().expect(learner);
        let error = learner.fit(&toy_numbers(), &[0, 6], 1).expect_err("untuned");
        assert_eq!((error.kind(), error.to_string()), (ErrorKind::Untuned, expected.to_owned()));
    };
    let lacking = "to be tuned on the training rows; give what is lacking, as in";
    check("lssvm:rbf", &format!("lssvm:rbf: gamma and sigma {lacking} gamma=10,spread=5"));
    check("lssvm:rbf,gamma=2", &format!("lssvm:rbf,gamma=2: sigma {lacking} spread=5"));
    check("lssvm:linear", &format!("lssvm:linear: gamma {lacking} gamma=10"));
}

#[test]
fn a_row_is_explained_by_columns_or_by_training_rows() {
    let explain = |learner: &str| {
        let data = toy_number_queries();
        fitted(learner, &toy_numbers()).explain(&data, 0).expect("an explanation")
    };
    let explanation = explain("lssvm:linear,gamma=1");
    let Reasons::Contributions { for_class, start, items } = &explanation.reasons else { panic!("columns") };
    assert_eq!((for_class.as_str(), items[0].what.as_str()), ("+", "x2 = 1"));
    let total = start + items.iter().map(|item| item.change).sum::<f64>();
    check_close(&[total, explanation.posteriors[1]], &[0.0914211740; 2], 5e-11, "columns");

    let explanation = explain("lssvm:rbf,gamma=10,spread=1");
    let Reasons::Influences { start, items, others, left, .. } = &explanation.reasons else { panic!("rows") };
    assert_eq!((items.len(), *left, *others), (14, 0, 0.0));
    let total = start + items.iter().map(|item| item.change).sum::<f64>();
    check_close(&[total, explanation.posteriors[1]], &[1.0532527135; 2], 5e-11, "rows");
    // The sixth row, (2, 1, 2), and the seventh, (2, 1, 4), are equally near; both are positive.
    let near = |row: u64| items.iter().find(|item| item.row == row).expect("a row");
    assert_eq!(near(6).class, "+");
    check_close(&[near(6).likeness], &[near(7).likeness], 1e-15, "likeness");
}

#[test]
fn a_row_has_the_same_score_in_any_company() {
    let (dataset, _) = claims(300, 8);
    let rows: Vec<u32> = (0..300).collect();
    for learner in ["lssvm:rbf,gamma=10,spread=0.5", "lssvm:poly=3,gamma=10", "lssvm:linear,gamma=10"] {
        let model = fitted(learner, &dataset);
        let all = model.posteriors(&dataset, &rows).expect("scores").scores();
        for row in [0, 1, 127, 128, 255, 299] {
            let alone = model.posteriors(&dataset, &[row]).expect("scores").scores();
            assert_eq!(alone, [all[row as usize]], "{learner}, row {row}");
        }
    }
}

#[test]
fn a_damaged_model_is_refused() {
    let check = |learner: &str, change: &dyn Fn(&mut Value), expected: &str| {
        let mut stored = serde_json::to_value(fitted(learner, &toy_numbers())).expect("as JSON");
        change(&mut stored["learned"]["fitted"]["ls_svm"]);
        let error = serde_json::from_value::<Model>(stored).expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}");
    };
    let (rbf, linear) = ("lssvm:rbf,gamma=10,spread=1", "lssvm:linear,gamma=1");
    check(linear, &|model| model["function"]["linear"] = json!([[1.0]]), "other columns or rows");
    check(linear, &|model| model["biases"] = json!([1.0, 2.0]), "other classes");
    check(linear, &|model| model["strongest"][0][0]["class"] = json!(2), "classes that are not there");
    check(rbf, &|model| model["function"]["kernel"]["rows"] = json!([0]), "other columns or rows");
    check(rbf, &|model| model["function"]["kernel"]["classes"][3] = json!(7), "other columns or rows");
    check(rbf, &|model| model["function"]["kernel"]["points"]["n_rows"] = json!(3), "rows of other lengths");
    check(
        rbf,
        &|model| model["function"]["kernel"]["points"]["values"][3] = json!(1e13),
        "rows of other lengths",
    );
}
