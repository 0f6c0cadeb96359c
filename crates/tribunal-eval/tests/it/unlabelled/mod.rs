//! Performance on rows without labels, beside reference values and under changes of which the outcome is known.
//!
//! `reference/make_unlabelled_reference.py` wrote `reference/unlabelled.json`, with versions.

mod metamorphic;
mod reference;

use serde_json::Value as Json;
use tribunal_eval::decisions::{CaseBenefits, CellValue};
use tribunal_eval::unlabelled::{
    Candidate, ClassLabels, ClassProbabilities, HeldOutPredictions, LabelFreeCriterion, Predictions,
};

fn reference() -> Json {
    serde_json::from_str(include_str!("../../reference/unlabelled.json")).expect("JSON")
}

fn numbers(json: &Json) -> Vec<f64> {
    json.as_array().expect("a list").iter().map(|value| value.as_f64().expect("a number")).collect()
}

#[track_caller]
fn close(name: &str, found: f64, expected: f64) {
    let is_close = (found - expected).abs() <= 1e-9 * (1.0 + expected.abs());
    assert!(is_close, "{name}: {found}, expected {expected}");
}

/// The columns of a case.
#[derive(Clone)]
struct Case {
    name: String,
    n_classes: usize,
    truth: Vec<u32>,
    /// Row by row, for each candidate.
    held_out: Vec<Vec<f64>>,
    unlabelled: Vec<Vec<f64>>,
    weight_held_out: Vec<f64>,
    weight_unlabelled: Vec<f64>,
    /// Four columns, one after another.
    cells_held_out: Vec<f64>,
    cells_unlabelled: Vec<f64>,
}

impl Case {
    fn of(json: &Json) -> Self {
        let lists = |json: &Json| json.as_array().expect("lists").iter().map(numbers).collect();
        let cells = |json: &Json| -> Vec<f64> {
            let columns: Vec<Vec<f64>> = json.as_array().expect("lists").iter().map(numbers).collect();
            columns.concat()
        };
        Self {
            name: json["name"].as_str().expect("a name").to_owned(),
            n_classes: json["n_classes"].as_u64().expect("a number") as usize,
            truth: numbers(&json["truth"]).iter().map(|&class| class as u32).collect(),
            held_out: lists(&json["held_out"]),
            unlabelled: lists(&json["unlabelled"]),
            weight_held_out: numbers(&json["weight_d"]),
            weight_unlabelled: numbers(&json["weight_t"]),
            cells_held_out: cells(&json["cells_d"]),
            cells_unlabelled: cells(&json["cells_t"]),
        }
    }

    fn all() -> Vec<(Self, Json)> {
        let reference = reference();
        let cases = reference["cases"].as_array().expect("cases");
        cases.iter().map(|json| (Self::of(json), json["expected"].clone())).collect()
    }

    /// The same with other rows in the place of those that were given, by their position.
    fn with_rows(&self, held_out: &[usize], unlabelled: &[usize]) -> Self {
        let k = self.n_classes;
        let rows = |values: &Vec<f64>, rows: &[usize]| {
            rows.iter().flat_map(|&row| values[row * k..(row + 1) * k].to_vec()).collect::<Vec<f64>>()
        };
        let one = |values: &[f64], rows: &[usize]| rows.iter().map(|&row| values[row]).collect::<Vec<f64>>();
        let cells = |values: &[f64], rows: &[usize]| -> Vec<f64> {
            values.chunks(values.len() / 4).flat_map(|column| one(column, rows)).collect()
        };
        Self {
            truth: held_out.iter().map(|&row| self.truth[row]).collect(),
            held_out: self.held_out.iter().map(|values| rows(values, held_out)).collect(),
            unlabelled: self.unlabelled.iter().map(|values| rows(values, unlabelled)).collect(),
            weight_held_out: one(&self.weight_held_out, held_out),
            weight_unlabelled: one(&self.weight_unlabelled, unlabelled),
            cells_held_out: cells(&self.cells_held_out, held_out),
            cells_unlabelled: cells(&self.cells_unlabelled, unlabelled),
            ..self.clone()
        }
    }

    fn validated(&self) -> Validated {
        let scores =
            |values: &Vec<f64>| ClassProbabilities::new(self.n_classes, values.clone()).expect("scores");
        Validated {
            truth: ClassLabels::new(self.n_classes, self.truth.clone()).expect("labels"),
            held_out: self.held_out.iter().map(scores).collect(),
            unlabelled: self.unlabelled.iter().map(scores).collect(),
        }
    }

    fn benefit(&self) -> LabelFreeCriterion<'_> {
        fn cells(values: &[f64]) -> CaseBenefits<'_> {
            let column =
                |idx: usize| CellValue::Column(&values[idx * values.len() / 4..(idx + 1) * values.len() / 4]);
            CaseBenefits {
                hit: column(0),
                false_positive: column(1),
                false_negative: column(2),
                correct_rejection: column(3),
            }
        }
        let (held_out, unlabelled) = (cells(&self.cells_held_out), cells(&self.cells_unlabelled));
        LabelFreeCriterion::Benefit { held_out, unlabelled }
    }
}

/// The same, validated.
struct Validated {
    truth: ClassLabels,
    held_out: Vec<ClassProbabilities>,
    unlabelled: Vec<ClassProbabilities>,
}

impl Validated {
    fn candidates<'a>(&'a self, case: &'a Case) -> Vec<Candidate<'a>> {
        let candidate = |(held_out, unlabelled)| {
            let held_out = Predictions::new(held_out).with_weight(&case.weight_held_out).expect("weights");
            Candidate {
                held_out: HeldOutPredictions::new(held_out, &self.truth).expect("alike"),
                unlabelled: Predictions::new(unlabelled)
                    .with_weight(&case.weight_unlabelled)
                    .expect("weights"),
            }
        };
        self.held_out.iter().zip(&self.unlabelled).map(candidate).collect()
    }
}
