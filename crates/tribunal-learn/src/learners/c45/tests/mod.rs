//! Tests of C4.5: figures of the original program, a plain rendering of its pruning, and what must hold of any data.

mod golden;
mod labor;
mod oracle;
mod properties;
mod together;

use super::add_errs::Bound;
use super::cases::Cases;
use super::estimate::Estimate;
use super::grow::grow;
use super::prune::{Pruning, prune};
use super::tree::{Test, Tree};
use super::weights::Sample;
use crate::column::{Column, MISSING, Values};
use crate::dataset::Dataset;
use crate::encoding::{Encoder, NominalColumn, View};
use crate::explanation::{Path, Reasons};
use crate::kind::{Kind, Levels};
use crate::learners::golden::{
    GOLF, golf, golf_rows, golf_without_outlook, nominal_column, numeric_column, toy,
};
use crate::learners::{Learner, fit_all};
use crate::model::Model;
use crate::target::Target;
use crate::training::Training;

const PRUNING: Pruning = Pruning { level: 0.25, bound: Bound::Release8, is_raising: true };

fn all_rows(dataset: &Dataset) -> Vec<u32> {
    (0..dataset.n_rows() as u32).collect()
}

fn training(dataset: &Dataset) -> Training<'static> {
    let rows = all_rows(dataset);
    let encoder = Encoder::fit(&View::Codes(None), dataset, &rows).expect("an encoder");
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
    prune(&grow(&cases, &sample, 2.0), &cases, &sample, PRUNING).expect("not deep")
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
