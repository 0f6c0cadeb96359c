//! Trees beside those of `forust-ml`, which grew them before: every split, value and gain to the last bit.

use forust_ml::data::Matrix as PeerMatrix;
use forust_ml::gradientbooster::{GradientBooster, GrowPolicy};
use forust_ml::sampler::SampleMethod;
use forust_ml::tree::Tree as PeerTree;
use serde_json::{Value, json};
use tribunal_random::Random;

use super::fit::BoostedRows;
use super::settings::{Boost, USUAL};
use crate::encoding::Matrix;

/// Rows of two classes.
struct Rows {
    matrix: Matrix,
    classes: Vec<u32>,
    weights: Vec<f64>,
}

/// What both say: the log-odds they start from, trees as they are written, and gains.
type Grown = (f64, Vec<Value>, Vec<f64>);

fn ours(settings: &Boost, rows: &Rows, seed: u64) -> Option<Grown> {
    let features = (0..rows.matrix.n_columns()).collect();
    let boosted = BoostedRows::of(&rows.matrix, features, &rows.classes, rows.weights.clone());
    let found = boosted.fit_class(settings, 1, seed).ok()?;
    let trees = found.trees.iter().map(|tree| serde_json::to_value(tree).expect("as JSON")).collect();
    Some((found.start, trees, found.gains))
}

fn of_peer(settings: &Boost, rows: &Rows, seed: u64) -> Option<Grown> {
    let (n_rows, n_columns) = (rows.matrix.n_rows(), rows.matrix.n_columns());
    let mut booster = GradientBooster::default();
    booster.parallel = false;
    booster.iterations = settings.trees;
    booster.learning_rate = settings.rate;
    booster.max_depth = settings.depth.unwrap_or(usize::MAX);
    if let Some(leaves) = settings.leaves {
        (booster.max_leaves, booster.grow_policy) = (leaves, GrowPolicy::LossGuide);
    }
    booster.l2 = settings.l2.max(f32::MIN_POSITIVE);
    booster.max_delta_step = 1000.0;
    booster.min_leaf_weight = settings.min_hessian;
    booster.gamma = settings.gain;
    if settings.sample < 1.0 {
        (booster.subsample, booster.sample_method) = (settings.sample, SampleMethod::Random);
    }
    booster.colsample_bytree = settings.columns.max((1.0 + 1e-9) / n_columns as f64).min(1.0);
    booster.seed = seed;
    let is_class: Vec<f64> = rows.classes.iter().map(|&class| f64::from(class)).collect();
    let matrix = PeerMatrix::new(rows.matrix.values(), n_rows, n_columns);
    booster.fit(&matrix, &is_class, &rows.weights, None).expect("a fit");
    let mut gains = vec![0.0; n_columns];
    for node in booster.trees.iter().flat_map(|tree| &tree.nodes).filter(|node| !node.is_leaf) {
        gains[node.split_feature] += f64::from(node.split_gain);
    }
    let trees: Option<Vec<Value>> = booster.trees.iter().map(written).collect();
    trees
        .filter(|_| gains.iter().all(|gain| gain.is_finite()))
        .map(|trees| (booster.base_score, trees, gains))
}

/// A tree of the peer in the order in which ours are written; `None` if a number is not finite.
fn written(tree: &PeerTree) -> Option<Value> {
    let mut nodes = Vec::new();
    let mut open = vec![0];
    while let Some(idx) = open.pop() {
        let node = &tree.nodes[idx];
        if node.is_leaf {
            let (value, cover) = (node.weight_value, node.hessian_sum.max(0.0));
            (value.is_finite() && cover.is_finite()).then_some(())?;
            nodes.push(json!([value, cover]));
        } else {
            let missing_is_below = node.missing_node == node.left_child;
            nodes.push(json!([node.split_feature, node.split_value, missing_is_below]));
            open.extend([node.right_child, node.left_child]);
        }
    }
    Some(Value::Array(nodes))
}

/// How a column is drawn, of a row whose class may matter.
type Draw = fn(&mut Random, u32) -> f64;

/// Continuous, zero-inflated, flags, few levels, constant, missing, enormous, both zeros.
const DRAWS: [Draw; 12] = [
    |random, class| random.normal() + f64::from(class),
    |random, _| random.normal(),
    |random, class| if random.below(4) > 0 { 0.0 } else { random.uniform() * f64::from(1 + class) },
    |random, class| f64::from(u8::from(random.below(3) < u64::from(class) + 1)),
    |random, _| f64::from(u8::from(random.below(20) == 0)),
    |random, _| random.below(5) as f64,
    |_, _| 7.0,
    |random, class| if random.below(3) == 0 { f64::NAN } else { random.normal() - f64::from(class) },
    |random, class| if random.below(4) <= u64::from(class) { f64::NAN } else { 1.0 },
    |_, _| f64::NAN,
    |random, _| [f64::MAX, f64::MIN, 0.0, -0.0, 1e-300][random.below(5) as usize],
    |random, class| (random.normal() * 3.0).round() + f64::from(class),
];

fn rows(n_rows: usize, columns: &[usize], weight: fn(&mut Random) -> f64, seed: u64) -> Rows {
    let mut random = Random::new(seed);
    let mut classes: Vec<u32> = (0..n_rows).map(|_| random.below(2) as u32).collect();
    (classes[0], classes[1]) = (0, 1);
    let draw = |&column: &usize| classes.iter().map(|&class| DRAWS[column](&mut random, class)).collect();
    let columns: Vec<Vec<f64>> = columns.iter().map(draw).collect();
    let weights = (0..n_rows).map(|_| weight(&mut random)).collect();
    Rows { matrix: Matrix::from_columns(n_rows, columns), classes, weights }
}

const ALL: [usize; 12] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

fn settings() -> Vec<Boost> {
    let few = Boost { trees: 25, ..USUAL };
    let light = Boost { min_hessian: 0.001, ..few.clone() };
    vec![
        few.clone(),
        light.clone(),
        Boost { depth: None, leaves: Some(9), ..light.clone() },
        Boost { depth: Some(3), leaves: Some(6), min_hessian: 1.0, ..few.clone() },
        Boost { depth: None, leaves: Some(300), l2: 0.0, rate: 1.0, ..light.clone() },
        Boost { depth: Some(12), l2: 0.0, rate: 1.0, ..light.clone() },
        Boost { gain: 2.5, l2: 0.1, min_hessian: 0.5, ..few.clone() },
        Boost { sample: 0.4, min_hessian: 0.1, ..few.clone() },
        Boost { sample: 0.8, columns: 0.5, min_hessian: 0.1, ..few.clone() },
        Boost { columns: 0.3, depth: None, leaves: Some(5), ..light },
        Boost { sample: 0.02, columns: 0.01, min_hessian: 0.001, ..few },
    ]
}

fn check(rows: &Rows, settings: &Boost, seed: u64) -> usize {
    let (found, expected) = (ours(settings, rows, seed), of_peer(settings, rows, seed));
    assert_eq!(found, expected, "{settings:?}, seed {seed}");
    found.map_or(0, |(_, trees, _)| {
        trees.iter().filter(|tree| tree.as_array().is_some_and(|all| all.len() > 1)).count()
    })
}

fn check_all(n_rows: usize, columns: &[usize], weight: fn(&mut Random) -> f64) -> usize {
    let settings = settings();
    let one = |(seed, settings)| check(&rows(n_rows, columns, weight, seed), settings, seed);
    (1..).zip(&settings).map(one).sum()
}

#[test]
fn trees_are_those_of_forust() {
    assert!(check_all(1500, &ALL, |_| 1.0) > 100);
}

#[test]
fn weighted_trees_are_those_of_forust() {
    assert!(check_all(700, &ALL, |random| random.uniform() * 3.0) > 100);
    assert!(check_all(700, &ALL, |random| random.below(3) as f64) > 100);
}

#[test]
fn trees_of_few_rows_are_those_of_forust() {
    for n_rows in [2, 3, 5, 8, 15, 16, 17, 33, 100] {
        check_all(n_rows, &ALL, |_| 1.0);
        check_all(n_rows, &ALL, |random| random.uniform() * 1e5);
    }
}

/// Fewer columns than a tile has, and more.
#[test]
fn trees_of_any_number_of_columns_are_those_of_forust() {
    for n_columns in [1, 2, 7, 8, 9, 16, 40] {
        let columns: Vec<usize> = (0..n_columns).map(|idx| (idx * 5) % ALL.len()).collect();
        check_all(250, &columns, |_| 1.0);
    }
}

#[test]
fn flags_alone_give_the_trees_of_forust() {
    assert!(check_all(600, &[3; 30], |_| 1.0) > 100);
}

/// Of weights that single precision does not hold, both give up.
#[test]
fn trees_of_enormous_weights_are_those_of_forust() {
    check_all(60, &ALL, |random| random.uniform() * 1e38);
    check_all(60, &ALL, |random| random.uniform() * 1e-30);
    let rows = rows(60, &ALL, |_| 1e39, 1);
    assert!(ours(&USUAL, &rows, 1).is_none() && of_peer(&USUAL, &rows, 1).is_none());
}

/// Sums that several cores share.
#[test]
fn trees_of_many_rows_are_those_of_forust() {
    let settings = Boost { trees: 4, ..USUAL };
    assert_eq!(check(&rows(40_000, &ALL, |_| 1.0, 5), &settings, 1), 4);
}
