//! Support vector machines against scikit-learn's SVC and numpy. `reference/make_svm_reference.py` says how the figures were
//! made.

use super::claims::{all_rows, check_close};
use super::parity::{measured, numbers, read};
use serde_json::Value;
use tribunal_learn::{Column, Dataset, Kind, Learner, Target, Values};

fn reference() -> Value {
    read(include_str!("../../reference/svm.json"))
}

/// The rows of a case with their classes named by `class`.
fn dataset(case: &Value, n_classes: usize, class: impl Fn(u32) -> u32) -> Dataset {
    let table = measured(case["set"].as_str().expect("a name"));
    let column = |(idx, values): (usize, &Value)| {
        Column::new(format!("x{idx}"), Kind::Numeric, Values::Numbers(numbers(values))).expect("numbers")
    };
    let columns = table["columns"].as_array().expect("columns").iter().enumerate().map(column).collect();
    let target = Target::new("y", ["a", "b", "c"].into_iter().take(n_classes), {
        classes(&table).into_iter().map(class).collect()
    });
    let data =
        Dataset::new(columns).and_then(|data| data.with_target(target.expect("classes"))).expect("rows");
    match case["weighted"] == Value::Bool(true) {
        false => data,
        true => {
            let weights = (0..data.n_rows()).map(|row| (row % 4) as f64 * 0.5).collect();
            data.with_weights(weights).expect("weights")
        }
    }
}

fn classes(table: &Value) -> Vec<u32> {
    numbers(&table["classes"]).into_iter().map(|class| class as u32).collect()
}

fn machines(case: &Value) -> &[Value] {
    case["machines"].as_array().expect("machines")
}

fn pair(machine: &Value) -> [u32; 2] {
    [0, 1].map(|idx| machine["classes"][idx].as_u64().expect("a class") as u32)
}

fn figure(value: &Value, key: &str) -> f64 {
    value[key].as_f64().expect(key)
}

fn learner(case: &Value, more: &str) -> Learner {
    format!("{}{more}", case["learner"].as_str().expect("a learner")).parse().expect("a learner")
}

#[test]
fn decision_values_of_two_classes_are_those_of_the_optimum() {
    for case in reference()["cases"].as_array().expect("cases") {
        for machine in machines(case) {
            let [first, second] = pair(machine);
            let data = dataset(case, 2, |class| u32::from(class == second));
            let all = classes(&measured(case["set"].as_str().expect("a name")));
            let is_meant = |row: &u32| [first, second].contains(&all[*row as usize]);
            // Rows of the third class have a say in the scale.
            let learner = learner(case, ",paper");
            let rows: Vec<u32> = all_rows(&data).into_iter().filter(is_meant).collect();
            let model = learner.fit(&data, &rows, 1).expect("a model");
            assert_eq!(model.warnings(), [""; 0]);
            let shown: Vec<u32> = all_rows(&data).into_iter().step_by(10).collect();
            let found = model.posteriors(&data, &shown).expect("scores").scores();
            let expected = numbers(&machine["decisions"]);
            let largest = expected.iter().fold(1.0, |most: f64, value| most.max(value.abs()));
            check_close(&found, &expected, 1e-9 * largest, &learner);
        }
    }
}

#[test]
fn machines_of_three_classes_are_those_of_each_pair() {
    for case in reference()["cases"].as_array().expect("cases") {
        let (data, learner) = (dataset(case, 3, |class| class), learner(case, ""));
        let model = learner.fit(&data, &all_rows(&data), 1).expect("a model");
        let stored = serde_json::to_value(&model).expect("as JSON")["learned"]["fitted"]["svm"].clone();
        let what = format!("{learner} on {} weighted {}", case["set"], case["weighted"]);
        for (found, expected) in machines(&stored).iter().zip(machines(case)) {
            assert_eq!(pair(found), pair(expected), "{what}");
            for key in ["objective", "intercept"] {
                let (found, expected) = (figure(found, key), figure(expected, key));
                let size = expected.abs().max(1.0);
                assert!((found - expected).abs() < 1e-9 * size, "{what}, {key}: {found} is not {expected}");
            }
            let n_vectors = [0, 1].map(|idx| found["support"][idx]["n_vectors"].clone());
            let is_told = !expected["support"].is_null();
            assert!(
                !is_told || Value::from(n_vectors.to_vec()) == expected["support"],
                "{what}: {n_vectors:?}"
            );
        }
    }
}

#[test]
fn three_classes_vote() {
    for case in reference()["cases"].as_array().expect("cases") {
        let (data, learner) = (dataset(case, 3, |class| class), learner(case, ""));
        let model = learner.fit(&data, &all_rows(&data), 1).expect("a model");
        let shown: Vec<u32> = all_rows(&data).into_iter().step_by(10).collect();
        let found = model.posteriors(&data, &shown).expect("votes");
        for row in 0..shown.len() {
            let mut votes = vec![0.0; 3];
            for machine in machines(case) {
                let decision = numbers(&machine["decisions"])[row];
                votes[pair(machine)[usize::from(decision >= 0.0)] as usize] += 1.0;
            }
            assert_eq!(found.row(row), votes, "{learner}, row {row}");
        }
    }
}
