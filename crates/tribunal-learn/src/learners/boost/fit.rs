//! Fitting: tree after tree on the gradients that those before it left.

use rayon::prelude::*;
use tribunal_random::derive_seed;

use super::bins::Bins;
use super::derivatives::Derivatives;
use super::draws::Draws;
use super::grow::{Grower, GrownTree};
use super::histogram::{Tiles, Workspace};
use super::model::{BoostModel, Ensemble};
use super::settings::Boost;
use super::split::{ROUNDING, SplitRule};
use super::tree::Tree;
use crate::encoding::Matrix;
use crate::error::{Error, ErrorKind};
use crate::training::Training;

/// The tag of the seeds of what trees draw.
const DRAWS_SEED: u64 = 0xB005;

/// Of smaller tables one core makes the bins.
const PARALLEL_CELLS: usize = 1 << 18;

/// Rows whose gradients one core computes at a time.
const PARALLEL_ROWS: usize = 1 << 14;

impl BoostModel {
    /// Learns from rows of at least two classes.
    ///
    /// # Errors
    /// The weights of rows are too large for single precision.
    pub(super) fn fit(settings: &Boost, training: &Training<'_>, seed: u64) -> Result<Self, Error> {
        let class_weights = training.class_weights();
        let learned = if training.n_classes == 2 { 1..2 } else { 0..training.n_classes };
        let rows = BoostedRows::new(settings, training);
        let ensemble = |class: usize| {
            let seed = derive_seed(seed, &[DRAWS_SEED, class as u64]);
            let is_there = class_weights[class] > 0.0;
            is_there.then(|| rows.fit_class(settings, class, seed)).transpose()
        };
        let ensembles = learned.into_par_iter().map(ensemble).collect::<Result<Vec<_>, Error>>()?;
        Ok(BoostModel::new(training.matrix().n_columns(), ensembles))
    }
}

/// Training rows as trees see them, whichever class they are grown for.
pub(super) struct BoostedRows<'a> {
    classes: &'a [u32],
    weights: Vec<f64>,
    n_features: usize,
    /// The features that a tree may be split on.
    features: Vec<usize>,
    bins: Bins,
    tiles: Tiles,
}

impl<'a> BoostedRows<'a> {
    fn new(settings: &Boost, training: &'a Training<'_>) -> BoostedRows<'a> {
        let matrix = training.matrix();
        let weights: Vec<f64> = (0..matrix.n_rows()).map(|row| training.weight(row)).collect();
        let features = splittable(matrix, &weights, settings.min_hessian);
        BoostedRows::of(matrix, features, &training.classes, weights)
    }

    /// Rows with some of their features.
    pub(super) fn of(
        matrix: &Matrix,
        features: Vec<usize>,
        classes: &'a [u32],
        weights: Vec<f64>,
    ) -> BoostedRows<'a> {
        let on_all_cores = matrix.n_rows().saturating_mul(features.len()) >= PARALLEL_CELLS;
        let bins = Bins::new(matrix, &features, &weights, on_all_cores);
        let all: Vec<usize> = (0..features.len()).collect();
        let tiles = Tiles::new(&bins, &all);
        let n_features = matrix.n_columns();
        BoostedRows { classes, weights, n_features, features, bins, tiles }
    }

    /// The trees of a class against all others.
    pub(super) fn fit_class(&self, settings: &Boost, class: usize, seed: u64) -> Result<Ensemble, Error> {
        let is_class: Vec<f64> =
            self.classes.iter().map(|&code| f64::from(u8::from(code as usize == class))).collect();
        let start = log_odds_of_all(&is_class, &self.weights);
        let mut log_odds = vec![start; is_class.len()];
        let mut of_rows = vec![Derivatives::default(); is_class.len()];
        let mut draws = Draws::new(settings, self.bins.n_rows(), self.bins.n_columns(), seed);
        let mut workspace = Workspace::default();
        let mut ensemble = Ensemble { start, trees: Vec::new(), gains: vec![0.0; self.n_features] };
        for _ in 0..settings.trees {
            self.derive(&log_odds, &is_class, &mut of_rows);
            let (rows, left_out) = draws.rows();
            let drawn = draws.columns().map(|columns| Tiles::new(&self.bins, &columns));
            let tiles = drawn.as_ref().unwrap_or(&self.tiles);
            let rule = SplitRule::new(settings);
            let grower = Grower { bins: &self.bins, tiles, of_rows: &of_rows, settings, rule };
            let tree = grower.grow(rows, &mut workspace);
            tree.add_to(&mut log_odds, &self.bins, &left_out);
            self.keep(&tree, &mut ensemble)?;
        }
        let is_finite = ensemble.gains.iter().all(|gain| gain.is_finite());
        if is_finite { Ok(ensemble) } else { Err(failed("gains that are not finite")) }
    }

    /// Computes gradients and Hessians at these log-odds.
    fn derive(&self, log_odds: &[f64], is_class: &[f64], of_rows: &mut [Derivatives<f32>]) {
        let of_row = |(of_row, ((&log_odds, &is_class), &weight)): (&mut _, ((&f64, &f64), &f64))| {
            *of_row = Derivatives::of_row(log_odds, is_class, weight);
        };
        let rows = log_odds.par_iter().zip(is_class).zip(&self.weights);
        of_rows.par_iter_mut().zip(rows).with_min_len(PARALLEL_ROWS).for_each(of_row);
    }

    /// Keeps a tree and by how much the splits on each feature lower the loss.
    ///
    /// # Errors
    /// Its numbers are not finite.
    fn keep(&self, grown: &GrownTree, ensemble: &mut Ensemble) -> Result<(), Error> {
        for split in grown.nodes.iter().filter_map(|node| node.split.as_ref()) {
            ensemble.gains[self.features[split.column]] += f64::from(split.gain);
        }
        ensemble.trees.push(Tree::new(grown, &self.features).map_err(failed)?);
        Ok(())
    }
}

/// The log-odds of a class among weighted rows.
fn log_odds_of_all(is_class: &[f64], weights: &[f64]) -> f64 {
    let of_class = is_class.iter().zip(weights).fold(0.0, |sum, (is_class, weight)| sum + weight * is_class);
    let of_all = weights.iter().fold(0.0, |sum, weight| sum + weight);
    f64::ln(of_class / (of_all - of_class))
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

fn failed(why: &str) -> Error {
    Error::new(ErrorKind::Inconsistent, format!("trees cannot be boosted: {why}"))
        .advise("trees are grown in single precision; if rows have weights, divide them by their mean")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers with gaps, and which rows are positive.
    fn rows(n_rows: usize) -> (Matrix, Vec<u32>) {
        let mut random = tribunal_random::Random::new(3);
        let mut column = |gaps: u64| -> Vec<f64> {
            (0..n_rows).map(|_| if random.below(gaps) == 0 { f64::NAN } else { random.normal() }).collect()
        };
        let columns = vec![column(5), column(2), column(1000)];
        let is_class = (0..n_rows).map(|row| u32::from(columns[0][row] > columns[2][row])).collect();
        (Matrix::from_columns(n_rows, columns), is_class)
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
        let grown = |features: Vec<usize>| {
            BoostedRows::of(&wide, features, &is_class, vec![1.0; 400])
                .fit_class(&settings, 1, 1)
                .expect("trees")
                .trees
        };
        assert_eq!(grown(vec![0, 1, 2]), grown((0..33).collect()));
    }
}
