//! Tests of C4.5: figures of the original program, a plain rendering of its pruning, and what must hold of any data.

mod golden;
mod oracle;
mod properties;

use super::cases::Cases;
use super::estimate::Estimate;
use super::grow::grow;
use super::prune::{Pruning, prune};
use super::tree::{Test, Tree};
use super::weights::Sample;
use crate::column::{Column, MISSING, Values};
use crate::dataset::Dataset;
use crate::encoding::{NominalColumn, NominalEncoder};
use crate::explanation::{Path, Reasons};
use crate::kind::{Kind, Levels};
use crate::learners::{Learner, fit_all};
use crate::model::Model;
use crate::target::Target;
use crate::training::Training;

const PRUNING: Pruning = Pruning { level: 0.25, is_raising: true };

const GOLF: &str = "sunny 85 85 f D; sunny 80 90 t D; overcast 83 78 f P; rain 70 96 f P; rain 68 80 f P; \
                    rain 65 70 t D; overcast 64 65 t P; sunny 72 95 f D; sunny 69 70 f P; rain 75 80 f P; \
                    sunny 75 70 t P; overcast 72 90 t P; overcast 81 75 f P; rain 71 80 t D";

fn nominal_column(name: &str, levels: &[&str], values: &[&str]) -> Column {
    let code =
        |value: &&str| levels.iter().position(|level| level == value).map_or(MISSING, |code| code as u32);
    let codes = values.iter().map(code).collect();
    Column::new(name, Kind::Categorical(Levels::declared(levels.iter().copied())), Values::Codes(codes))
        .expect("a nominal column")
}

fn numeric_column(name: &str, values: &[&str]) -> Column {
    let numbers = values.iter().map(|value| value.parse().unwrap_or(f64::NAN)).collect();
    Column::new(name, Kind::Numeric, Values::Numbers(numbers)).expect("a numeric column")
}

/// Golf as text: outlook, temperature, humidity, windy, class.
fn golf(text: &str) -> Dataset {
    let rows: Vec<Vec<&str>> = text.split(';').map(|row| row.split_whitespace().collect()).collect();
    let column = |at: usize| rows.iter().map(|row| row[at]).collect::<Vec<&str>>();
    let columns = vec![
        nominal_column("outlook", &["sunny", "overcast", "rain"], &column(0)),
        numeric_column("temperature", &column(1)),
        numeric_column("humidity", &column(2)),
        nominal_column("windy", &["t", "f"], &column(3)),
    ];
    let classes = column(4).iter().map(|&class| u32::from(class == "D")).collect();
    let target = Target::new("play", ["Play", "Don't Play"], classes).expect("a target");
    Dataset::new(columns).and_then(|data| data.with_target(target)).expect("golf")
}

fn golf_without_outlook() -> Dataset {
    golf(&GOLF.replacen("overcast 72 90", "? 72 90", 1))
}

/// Fourteen rows of three nominal columns, as digits: x1 x2 x3 and the class.
fn toy() -> Dataset {
    let rows = "1010 1020 1120 2010 2030 2121 2141 3030 3041 3131 3141 1140 1011 3120";
    let rows: Vec<&str> = rows.split(' ').collect();
    let column = |at: usize| rows.iter().map(|row| &row[at..=at]).collect::<Vec<&str>>();
    let columns = vec![
        nominal_column("x1", &["1", "2", "3"], &column(0)),
        nominal_column("x2", &["0", "1"], &column(1)),
        nominal_column("x3", &["1", "2", "3", "4"], &column(2)),
    ];
    let classes = column(3).iter().map(|&class| u32::from(class == "1")).collect();
    let target = Target::new("t", ["-", "+"], classes).expect("a target");
    Dataset::new(columns).and_then(|data| data.with_target(target)).expect("toy")
}

fn all_rows(dataset: &Dataset) -> Vec<u32> {
    (0..dataset.n_rows() as u32).collect()
}

fn training(dataset: &Dataset) -> Training<'static> {
    let rows = all_rows(dataset);
    let encoder = NominalEncoder::fit(dataset, &rows, None).expect("an encoder");
    Training::encode(dataset, &rows, &encoder).expect("training rows")
}

fn grown(dataset: &Dataset) -> Tree {
    let training = training(dataset);
    let sample = Sample::of(&training);
    grow(&Cases::new(&training, &sample.rows).expect("cases"), &sample, 2.0)
}

fn pruned(dataset: &Dataset) -> (Tree, f64) {
    let training = training(dataset);
    let sample = Sample::of(&training);
    let cases = Cases::new(&training, &sample.rows).expect("cases");
    prune(&grow(&cases, &sample, 2.0), &cases, &sample, PRUNING)
}

fn fit(learner: &str, dataset: &Dataset) -> Model {
    let learner: Learner = learner.parse().expect(learner);
    learner.fit(dataset, &all_rows(dataset), 1).expect("a model")
}

/// Rows of two nominal and two numeric columns with noise, some values missing, and weights from one to three.
fn noisy(n_rows: usize, seed: u64, missing: f64) -> Dataset {
    let mut random = tribunal_random::Random::new(seed);
    let mut codes = [Vec::new(), Vec::new(), Vec::new()];
    let (mut numbers, mut classes, mut weights) = ([Vec::new(), Vec::new()], Vec::new(), Vec::new());
    for _ in 0..n_rows {
        let mut sum = 0;
        for (column, n_codes) in codes.iter_mut().zip([3, 5, 2]) {
            let code = random.below(n_codes) as u32;
            sum += code;
            column.push(if random.uniform() < missing { MISSING } else { code });
        }
        for column in &mut numbers {
            let number = random.below(12) as f64;
            sum += u32::from(number > 6.0);
            column.push(if random.uniform() < missing { f64::NAN } else { number });
        }
        classes.push(u32::from(random.below(8) < u64::from(sum)));
        weights.push(1.0 + random.below(3) as f64);
    }
    let coded = |(at, codes): (usize, Vec<u32>)| {
        let levels = Levels::declared((0..6).map(|level| level.to_string()));
        Column::new(format!("c{at}"), Kind::Categorical(levels), Values::Codes(codes)).expect("codes")
    };
    let numeric = |(at, numbers): (usize, Vec<f64>)| {
        Column::new(format!("n{at}"), Kind::Numeric, Values::Numbers(numbers)).expect("numbers")
    };
    let mut columns: Vec<Column> = codes.into_iter().enumerate().map(coded).collect();
    columns.extend(numbers.into_iter().enumerate().map(numeric));
    let target = Target::new("y", ["no", "yes"], classes).expect("a target");
    let dataset = Dataset::new(columns).and_then(|data| data.with_target(target)).expect("columns");
    dataset.with_weights(weights).expect("weights")
}
