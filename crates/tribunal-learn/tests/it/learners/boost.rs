//! Boosted trees against scikit-learn's HistGradientBoostingClassifier. `reference/make_boost_reference.py` says how the
//! figures were made; the rows follow from the formulas here and there.

use serde_json::Value;
use tribunal_learn::{Column, Dataset, Kind, Learner, Target, Values};

const N_TRAINED: u64 = 2000;
const N_ROWS: u64 = 3000;

fn scramble(row: u64, column: u64) -> u64 {
    let mut state = (row * 2_654_435_761 + column * 40_503 + 12_345) % (1 << 32);
    for _ in 0..2 {
        state = (state ^ (state >> 16)) * 0x45D_9F3B % (1 << 32);
    }
    state ^ (state >> 16)
}

fn number(row: u64, column: u64) -> f64 {
    let state = scramble(row, column);
    if column >= 3 && (state / 30).is_multiple_of(11) { f64::NAN } else { (state % 30) as f64 }
}

fn is_positive(row: u64) -> bool {
    let x = [number(row, 0), number(row, 1), number(row, 2), number(row, 3)];
    let both = if x[1] > 15.0 && x[2] < 10.0 { 2.0 } else { 0.0 };
    let last = if x[3].is_nan() { 1.0 } else { -0.05 * x[3] };
    let logit: f64 = 0.15 * (x[0] - 18.0) + both + last;
    scramble(row, 99) as f64 / (1_u64 << 32) as f64 * (1.0 + (-logit).exp()) < 1.0
}

fn dataset(is_weighted: bool) -> Dataset {
    let column = |column: u64| {
        let numbers = (0..N_ROWS).map(|row| number(row, column)).collect();
        Column::new(format!("x{column}"), Kind::Numeric, Values::Numbers(numbers)).expect("numbers")
    };
    let classes = (0..N_ROWS).map(|row| u32::from(is_positive(row))).collect();
    let target = Target::new("y", ["no", "yes"], classes).expect("classes");
    let dataset = Dataset::new((0..6).map(column).collect()).and_then(|data| data.with_target(target));
    let weight = |row: u64| if is_weighted { 0.5 + (scramble(row, 77) % 4) as f64 } else { 1.0 };
    dataset.and_then(|data| data.with_weights((0..N_ROWS).map(weight).collect())).expect("a data set")
}

fn log_loss(scores: &[f64], is_positive: &[bool]) -> f64 {
    let loss = |(score, &is_so): (&f64, &bool)| -(if is_so { score.ln() } else { (1.0 - score).ln() });
    scores.iter().zip(is_positive).map(loss).sum::<f64>() / scores.len() as f64
}

/// The share of pairs of a positive and a negative row that are in order.
fn auroc(scores: &[f64], is_positive: &[bool]) -> f64 {
    let of_class = |wanted: bool| {
        scores.iter().zip(is_positive).filter(move |(_, is_so)| **is_so == wanted).map(|(score, _)| *score)
    };
    let order = |a: f64, b: f64| f64::from(u8::from(a > b)) + f64::from(u8::from(a >= b));
    let wins: f64 = of_class(true).map(|a| of_class(false).map(|b| order(a, b)).sum::<f64>()).sum();
    wins / 2.0 / (of_class(true).count() * of_class(false).count()) as f64
}

#[test]
fn probabilities_are_those_of_scikit_learn() {
    let reference: Value = serde_json::from_str(include_str!("../../reference/boost.json")).expect("values");
    let trained: Vec<u32> = (0..N_TRAINED as u32).collect();
    let held_out: Vec<u32> = (N_TRAINED as u32..N_ROWS as u32).collect();
    let classes: Vec<bool> = (N_TRAINED..N_ROWS).map(is_positive).collect();
    for case in reference["cases"].as_array().expect("cases") {
        let learner: Learner = case["learner"].as_str().expect("a text").parse().expect("a learner");
        let dataset = dataset(case["weighted"].as_bool().expect("whether rows have weights"));
        let model = learner.fit(&dataset, &trained, 1).expect("a model");
        let scores = model.posteriors(&dataset, &held_out).expect("scores").scores();
        let figure = |name: &str| case[name].as_f64().expect("a figure");
        let (loss, area) = (log_loss(&scores, &classes), auroc(&scores, &classes));
        assert!((loss - figure("log_loss")).abs() < 1e-3, "{learner}: {loss} is not {}", figure("log_loss"));
        assert!((area - figure("auroc")).abs() < 1e-3, "{learner}: {area} is not {}", figure("auroc"));
        let expected = case["probabilities"].as_array().expect("a list");
        let distance =
            |(score, expected): (&f64, &Value)| (score - expected.as_f64().expect("a number")).abs();
        let mean = scores.iter().zip(expected).map(distance).sum::<f64>() / expected.len() as f64;
        assert!(mean < 1e-3, "{learner}: {mean} apart on average");
    }
}
