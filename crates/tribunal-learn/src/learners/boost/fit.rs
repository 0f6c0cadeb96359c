//! Growing the trees, which `forust-ml` does.

use forust_ml::data::Matrix as GrownMatrix;
use forust_ml::gradientbooster::{GradientBooster, GrowPolicy};
use forust_ml::sampler::SampleMethod;
use rayon::prelude::*;
use tribunal_random::derive_seed;

use super::model::{BoostModel, Ensemble};
use super::settings::Boost;
use super::tree::Tree;
use crate::error::{Error, ErrorKind};
use crate::training::Training;

/// The tag of the seeds of what trees draw.
const DRAWS_SEED: u64 = 0xB005;

/// A share of columns is meant to be one at least.
const JUST_OVER_ONE: f64 = 1.0 + 1e-9;

/// The most that a tree adds to the log-odds of a row: where p (1 - p) is nothing for all rows, a step knows no end.
const LONGEST_STEP: f32 = 1000.0;

impl BoostModel {
    /// Learns from rows of at least two classes.
    ///
    /// # Errors
    /// The weights of rows are too large for single precision.
    pub(super) fn fit(settings: &Boost, training: &Training<'_>, seed: u64) -> Result<Self, Error> {
        let class_weights = training.class_weights();
        let learned = if training.n_classes == 2 { 1..2 } else { 0..training.n_classes };
        let ensemble = |class: usize| {
            let seed = derive_seed(seed, &[DRAWS_SEED, class as u64]);
            let is_there = class_weights[class] > 0.0;
            is_there.then(|| fit_class(settings, training, class, seed)).transpose()
        };
        let ensembles = learned.into_par_iter().map(ensemble).collect::<Result<Vec<_>, Error>>()?;
        Ok(BoostModel::new(training.matrix().n_columns(), ensembles))
    }
}

/// The trees of a class against all others.
fn fit_class(settings: &Boost, training: &Training<'_>, class: usize, seed: u64) -> Result<Ensemble, Error> {
    let matrix = training.matrix();
    let (n_rows, n_features) = (matrix.n_rows(), matrix.n_columns());
    let is_class: Vec<f64> =
        training.classes.iter().map(|&code| f64::from(u8::from(code as usize == class))).collect();
    let weights: Vec<f64> = (0..n_rows).map(|row| training.weight(row)).collect();
    let rows = GrownMatrix::new(matrix.values(), n_rows, n_features);
    let mut booster = booster(settings, n_features, seed);
    booster.fit(&rows, &is_class, &weights, None).map_err(|error| failed(&error.to_string()))?;
    let trees = booster.trees.iter().map(Tree::new).collect::<Result<Vec<Tree>, _>>().map_err(failed)?;
    let gains = gains(&booster, n_features);
    if gains.iter().any(|gain| !gain.is_finite()) {
        return Err(failed("gains that are not finite"));
    }
    Ok(Ensemble { start: booster.base_score, trees, gains })
}

/// The settings in the words of the crate that grows the trees.
fn booster(settings: &Boost, n_features: usize, seed: u64) -> GradientBooster {
    let mut booster = GradientBooster::default();
    booster.iterations = settings.trees;
    booster.learning_rate = settings.rate;
    booster.max_depth = settings.depth.unwrap_or(usize::MAX);
    if let Some(leaves) = settings.leaves {
        (booster.max_leaves, booster.grow_policy) = (leaves, GrowPolicy::LossGuide);
    }
    // The least number makes nothing of 0 / 0, where a sample holds no row, and changes no other sum.
    booster.l2 = settings.l2.max(f32::MIN_POSITIVE);
    booster.max_delta_step = LONGEST_STEP;
    booster.min_leaf_weight = settings.min;
    booster.gamma = settings.gain;
    if settings.sample < 1.0 {
        (booster.subsample, booster.sample_method) = (settings.sample, SampleMethod::Random);
    }
    booster.colsample_bytree = settings.columns.max(JUST_OVER_ONE / n_features.max(1) as f64).min(1.0);
    booster.seed = seed;
    booster
}

/// By how much the splits on each feature lower the loss.
fn gains(booster: &GradientBooster, n_features: usize) -> Vec<f64> {
    let mut gains = vec![0.0; n_features];
    for node in booster.trees.iter().flat_map(|tree| &tree.nodes).filter(|node| !node.is_leaf) {
        gains[node.split_feature] += f64::from(node.split_gain);
    }
    gains
}

fn failed(why: &str) -> Error {
    Error::new(ErrorKind::Inconsistent, format!("trees cannot be boosted: {why}"))
        .advise("trees are grown in single precision; if rows have weights, divide them by their mean")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::Matrix;

    /// Numbers with gaps, and which rows are positive.
    fn rows(n_rows: usize) -> (Matrix, Vec<f64>) {
        let mut random = tribunal_random::Random::new(3);
        let mut column = |gaps: u64| -> Vec<f64> {
            (0..n_rows).map(|_| if random.below(gaps) == 0 { f64::NAN } else { random.normal() }).collect()
        };
        let columns = vec![column(5), column(2), column(1000)];
        let is_class =
            (0..n_rows).map(|row| f64::from(u8::from(columns[0][row] > columns[2][row]))).collect();
        (Matrix::from_columns(n_rows, columns), is_class)
    }

    #[test]
    fn trees_say_the_same_here_and_where_they_were_grown() {
        let (matrix, is_class) = rows(400);
        let grown_rows = GrownMatrix::new(matrix.values(), 400, 3);
        let settings = Boost { trees: 30, min: 0.01, ..super::super::settings::USUAL };
        let mut booster = booster(&settings, 3, 1);
        booster.fit(&grown_rows, &is_class, &[1.0; 400], None).expect("trees");
        let mut sums = vec![booster.base_score; 400];
        for tree in &booster.trees {
            Tree::new(tree).expect("finite").add_to(&matrix, &mut sums);
        }
        assert_eq!(sums, booster.predict(&grown_rows, false));
    }

    #[test]
    fn one_column_at_least_is_looked_at() {
        let settings = Boost { columns: 0.001, ..super::super::settings::USUAL };
        for n_features in [1, 2, 3, 7, 49, 1000] {
            let share = booster(&settings, n_features, 1).colsample_bytree;
            assert!((n_features as f64 * share).floor() >= 1.0 && share <= 1.0, "{n_features}: {share}");
        }
    }
}
