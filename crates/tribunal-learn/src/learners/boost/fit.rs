//! Growing the trees, which `forust-ml` does.

use std::borrow::Cow;

use forust_ml::data::Matrix as GrownMatrix;
use forust_ml::gradientbooster::{GradientBooster, GrowPolicy};
use forust_ml::sampler::SampleMethod;
use rayon::prelude::*;
use tribunal_random::derive_seed;

use super::model::{BoostModel, Ensemble};
use super::settings::Boost;
use super::tree::Tree;
use crate::encoding::Matrix;
use crate::error::{Error, ErrorKind};
use crate::training::Training;

/// The tag of the seeds of what trees draw.
const DRAWS_SEED: u64 = 0xB005;

/// A share of columns is meant to be one at least.
const JUST_OVER_ONE: f64 = 1.0 + 1e-9;

/// Sums in single precision may be too large by this share.
const ROUNDING: f64 = 1e-3;

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
    let n_rows = matrix.n_rows();
    let is_class: Vec<f64> =
        training.classes.iter().map(|&code| f64::from(u8::from(code as usize == class))).collect();
    let weights: Vec<f64> = (0..n_rows).map(|row| training.weight(row)).collect();
    let features = splittable(matrix, &weights, settings.min_hessian);
    let values = match features.len() == matrix.n_columns() {
        true => Cow::Borrowed(matrix.values()),
        false => Cow::Owned(features.iter().flat_map(|&feature| matrix.column(feature)).copied().collect()),
    };
    let rows = GrownMatrix::new(&values, n_rows, features.len());
    let mut booster = booster(settings, (n_rows, features.len()), seed);
    booster.fit(&rows, &is_class, &weights, None).map_err(|error| failed(&error.to_string()))?;
    // Trees go by the numbers of all features.
    let nodes = booster.trees.iter_mut().flat_map(|tree| &mut tree.nodes).filter(|node| !node.is_leaf);
    nodes.for_each(|node| node.split_feature = features[node.split_feature]);
    let trees = booster.trees.iter().map(Tree::new).collect::<Result<Vec<Tree>, _>>().map_err(failed)?;
    let gains = gains(&booster, matrix.n_columns());
    if gains.iter().any(|gain| !gain.is_finite()) {
        return Err(failed("gains that are not finite"));
    }
    Ok(Ensemble { start: booster.base_score, trees, gains })
}

/// The features that a tree may split on, one at least. A leaf needs a sum of p (1 - p) of `min`, which is a quarter of the
/// weight of its rows at most: an indicator of fewer rows can never be split on, and the rare levels of a category are many.
fn splittable(matrix: &Matrix, weights: &[f64], min: f32) -> Vec<usize> {
    let needed = 4.0 * f64::from(min) * (1.0 - ROUNDING);
    let is_splittable = |&feature: &usize| weight_of_fewest(matrix.column(feature), weights) >= needed;
    let found: Vec<usize> = (0..matrix.n_columns()).into_par_iter().filter(is_splittable).collect();
    if found.is_empty() && matrix.n_columns() > 0 { vec![0] } else { found }
}

/// The most weight that the smaller side of a split of a column may have, where it has two values or fewer: missing values go
/// to either side. Columns of more values are not looked at more closely.
fn weight_of_fewest(values: &[f64], weights: &[f64]) -> f64 {
    let is_there = |value: &&f64| !value.is_nan();
    let first = values.iter().find(is_there).copied();
    let second = values.iter().filter(is_there).find(|value| Some(**value) != first).copied();
    let (Some(first), Some(second)) = (first, second) else { return 0.0 };
    let mut sums = [0.0; 3];
    for (value, weight) in values.iter().zip(weights) {
        match value {
            value if *value == first => sums[0] += weight,
            value if *value == second => sums[1] += weight,
            value if value.is_nan() => sums[2] += weight,
            _ => return f64::INFINITY,
        }
    }
    f64::min(sums[0], sums[1]) + sums[2]
}

/// Of smaller tables one core grows the trees: handing out work takes longer than doing it, and the trees are the same.
const PARALLEL_CELLS: usize = 1 << 20;

/// The settings in the words of the crate that grows the trees.
fn booster(settings: &Boost, (n_rows, n_features): (usize, usize), seed: u64) -> GradientBooster {
    let mut booster = GradientBooster::default();
    booster.parallel = n_rows.saturating_mul(n_features) >= PARALLEL_CELLS;
    booster.iterations = settings.trees;
    booster.learning_rate = settings.rate;
    booster.max_depth = settings.depth.unwrap_or(usize::MAX);
    if let Some(leaves) = settings.leaves {
        (booster.max_leaves, booster.grow_policy) = (leaves, GrowPolicy::LossGuide);
    }
    // The least number makes nothing of 0 / 0, where a sample holds no row, and changes no other sum.
    booster.l2 = settings.l2.max(f32::MIN_POSITIVE);
    booster.max_delta_step = LONGEST_STEP;
    booster.min_leaf_weight = settings.min_hessian;
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
        let settings = Boost { trees: 30, min_hessian: 0.01, ..super::super::settings::USUAL };
        let mut booster = booster(&settings, (40, 3), 1);
        booster.fit(&grown_rows, &is_class, &[1.0; 400], None).expect("trees");
        let mut sums = vec![booster.base_score; 400];
        for tree in &booster.trees {
            Tree::new(tree).expect("finite").add_to(&matrix, &mut sums);
        }
        assert_eq!(sums, booster.predict(&grown_rows, false));
    }

    #[test]
    fn columns_that_no_leaf_has_rows_for_are_passed_over() {
        let indicator =
            |n_on: usize| (0..100).map(|row| f64::from(u8::from(row < n_on))).collect::<Vec<f64>>();
        let mut gaps = indicator(10);
        gaps[50..65].fill(f64::NAN);
        let numbers: Vec<f64> = (0..100).map(f64::from).collect();
        let columns = vec![indicator(19), indicator(20), indicator(81), gaps, indicator(0), numbers];
        let matrix = Matrix::from_columns(100, columns);
        // Five rows of one half each need twenty.
        assert_eq!(splittable(&matrix, &[1.0; 100], 5.0), [1, 3, 5]);
        assert_eq!(splittable(&matrix, &[2.0; 100], 5.0), [0, 1, 2, 3, 5]);
        assert_eq!(splittable(&matrix, &[0.01; 100], 5.0), [5]);
        assert_eq!(splittable(&Matrix::from_columns(100, vec![indicator(3)]), &[1.0; 100], 5.0), [0]);
    }

    /// What is passed over would not have been split on.
    #[test]
    fn rare_levels_change_no_tree() {
        let (matrix, is_class) = rows(400);
        let rare = |start: usize| {
            (0..400)
                .map(move |row| f64::from(u8::from((start..start + 12).contains(&row))))
                .collect::<Vec<f64>>()
        };
        let columns = (0..3).map(|idx| matrix.column(idx).to_vec()).chain((0..30).map(|idx| rare(13 * idx)));
        let wide = Matrix::from_columns(400, columns.collect());
        assert_eq!(splittable(&wide, &[1.0; 400], 5.0), [0, 1, 2]);
        let settings = Boost { trees: 20, ..super::super::settings::USUAL };
        let grown = |matrix: &Matrix| {
            let mut booster = booster(&settings, (matrix.n_rows(), matrix.n_columns()), 1);
            let rows = GrownMatrix::new(matrix.values(), 400, matrix.n_columns());
            booster.fit(&rows, &is_class, &[1.0; 400], None).expect("trees");
            booster.trees.iter().map(|tree| Tree::new(tree).expect("finite")).collect::<Vec<Tree>>()
        };
        assert_eq!(grown(&matrix), grown(&wide));
    }

    #[test]
    fn one_column_at_least_is_looked_at() {
        let settings = Boost { columns: 0.001, ..super::super::settings::USUAL };
        for n_features in [1, 2, 3, 7, 49, 1000] {
            let share = booster(&settings, (40, n_features), 1).colsample_bytree;
            assert!((n_features as f64 * share).floor() >= 1.0 && share <= 1.0, "{n_features}: {share}");
        }
    }
}
