//! Votes known beforehand, and every way to find neighbours against the plainest one.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde::Deserialize;
use tribunal_random::Random;

use super::electorate::{Apart, Electorate};
use super::field::Field;
use super::points::Points;
use super::search::Search;
use super::voters::Voters;
use crate::column::{Column, Values};
use crate::cross::{Folds, cross_posteriors, refitted};
use crate::dataset::Dataset;
use crate::encoding::Matrix;
use crate::kind::Kind;
use crate::learners::Learner;
use crate::learners::golden::{check_close, toy_number_queries, toy_numbers};
use crate::target::Target;

#[test]
fn golden_votes() {
    let check = |learner: &str, expected: [f64; 4]| {
        let rows: Vec<u32> = (0..14).collect();
        let model = learner.parse::<Learner>().and_then(|learner| learner.fit(&toy_numbers(), &rows, 1));
        let model = model.expect("a model");
        let scores = model.posteriors(&toy_number_queries(), &[0, 1, 2, 3]).expect("scores").scores();
        check_close(&scores, &expected, 1e-12, learner);
        assert_eq!(model.warnings().len(), usize::from(learner == "knn:500"), "{:?}", model.warnings());
    };
    check("knn:1", [1.0, 0.0, 0.0, 0.0]);
    check("knn:3", [1.0, 0.5, 0.0, 1.0 / 3.0]);
    check("knn:5", [0.7, 0.4, 0.1, 0.4]);
    check("knn:10", [0.45, 0.3, 0.4, 0.5]);
    // All fourteen vote: six of them are positive.
    check("knn:14", [6.0 / 14.0; 4]);
    check("knn:500", [6.0 / 14.0; 4]);
}

/// The shares of a row by the definition: every distance, all of them in order.
fn oracle(
    points: &Points,
    voters: &Voters,
    may_vote: impl Fn(u32) -> bool,
    row: &[f64],
    k: usize,
) -> Vec<f64> {
    let mut found: Vec<(f64, u32)> = Vec::new();
    let mut total = 0.0;
    for voter in (0..points.n_rows as u32).filter(|&voter| may_vote(voter)) {
        let mut distance = 0.0;
        for (a, b) in row.iter().zip(points.row(voter as usize)) {
            distance += (a - b) * (a - b);
        }
        total += voters.weight(voter);
        found.push((distance, voter));
    }
    let votes = (k as f64).min(total);
    let mut sorted = found.clone();
    sorted.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
    let (mut weight, mut border) = (0.0, 0.0);
    for &(distance, voter) in &sorted {
        if weight < votes {
            (weight, border) = (weight + voters.weight(voter), distance);
        }
    }
    let (mut nearer, mut tied) = (vec![0.0; voters.n_classes], vec![0.0; voters.n_classes]);
    for &(distance, voter) in &found {
        let is_tied = (distance - border).abs() <= 1e-9 * border.max(1.0);
        if is_tied {
            tied[voters.class(voter)] += voters.weight(voter);
        } else if distance < border {
            nearer[voters.class(voter)] += voters.weight(voter);
        }
    }
    let (left, n_tied) = (votes - nearer.iter().sum::<f64>(), tied.iter().sum::<f64>());
    let share =
        |class: usize| ((nearer[class] * n_tied + left * tied[class]) / (n_tied * votes)).clamp(0.0, 1.0);
    (0..voters.n_classes).map(share).collect()
}

/// Made-up rows.
#[derive(Clone, Copy, Debug)]
struct Made {
    n_rows: usize,
    n_columns: usize,
    n_values: u64,
    n_classes: u64,
    weights: Weights,
}

#[derive(Clone, Copy, Debug)]
enum Weights {
    One,
    Whole,
    Broken,
}

impl Made {
    /// Numbers from few values, so that there are ties, or from very many.
    fn points(self, n_rows: usize, random: &mut Random) -> Points {
        let mut value = |column: usize| random.below(self.n_values) as f64 * (0.7 + column as f64) - 1.0;
        let columns = (0..self.n_columns).map(|idx| (0..n_rows).map(|_| value(idx)).collect()).collect();
        Points::of(&Matrix::from_columns(n_rows, columns))
    }

    fn voters(self, random: &mut Random) -> Voters {
        let mut weight = |weights: Weights| match weights {
            Weights::One => 1.0,
            Weights::Whole => 1.0 + random.below(3) as f64,
            Weights::Broken => 0.1 + random.uniform(),
        };
        let weights = (0..self.n_rows).map(|_| weight(self.weights)).collect();
        let classes = (0..self.n_rows).map(|_| random.below(self.n_classes) as u32).collect();
        let weights = (!matches!(self.weights, Weights::One)).then_some(weights);
        Voters { n_classes: self.n_classes as usize, classes, weights }
    }

    /// Compares every way to judge rows with the definition, bit by bit.
    fn check(self, ks: &[usize], n_folds: Option<u64>, seed: u64) {
        let mut random = Random::new(seed);
        let (points, voters) = (self.points(self.n_rows, &mut random), self.voters(&mut random));
        let rows = self.points(61, &mut random);
        let of_voter: Vec<u32> =
            (0..self.n_rows).map(|_| random.below(n_folds.unwrap_or(1)) as u32).collect();
        let of_row: Vec<u32> = (0..61).map(|_| random.below(n_folds.unwrap_or(1)) as u32).collect();
        let total = |fold: u32| -> f64 {
            let others = (0..self.n_rows as u32).filter(|&voter| of_voter[voter as usize] != fold);
            others.map(|voter| voters.weight(voter)).sum()
        };
        let totals: Vec<f64> = (0..n_folds.unwrap_or(0) as u32).map(total).collect();
        let apart = Apart { of_voter: &of_voter, of_row: &of_row, totals: &totals };
        let election = Electorate::new(&voters, ks, n_folds.map(|_| apart));
        let of_row = |row: usize| {
            let may_vote = |voter: u32| election.may_vote(row, voter);
            let shares = |&k: &usize| oracle(&points, &voters, may_vote, rows.row(row), k);
            ks.iter().flat_map(shares).collect::<Vec<f64>>()
        };
        let expected: Vec<f64> = (0..61).flat_map(of_row).collect();
        let field = Field::new(points.clone());
        let elections = std::slice::from_ref(&election);
        assert_eq!(field.elect_all(&rows, elections)[0], expected, "all distances: {self:?}");
        assert_eq!(field.elect_few(&rows, &election), expected, "one by one: {self:?}");
        let search = Search::new(&points, n_folds.is_some());
        assert_eq!(search.elect(&points, &rows, &election), expected, "search: {self:?}");
        assert_eq!(field.elect(&rows, elections)[0], expected, "any way: {self:?}");
    }
}

fn made() -> impl Strategy<Value = Made> {
    let weights = prop_oneof![Just(Weights::One), Just(Weights::Whole), Just(Weights::Broken)];
    let n_values = prop_oneof![Just(2), Just(3), Just(1_000_000)];
    (5_usize..700, 0_usize..6, n_values, 2_u64..4, weights).prop_map(
        |(n_rows, n_columns, n_values, n_classes, weights)| Made {
            n_rows,
            n_columns,
            n_values,
            n_classes,
            weights,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_way_gives_the_bits_of_the_definition(made in made(), k in 1_usize..60, seed in any::<u64>()) {
        made.check(&[k, 1, 3 * k, 1000, k], None, seed);
    }

    #[test]
    fn nobody_votes_on_the_own_fold(made in made(), k in 1_usize..60, n_folds in 2_u64..20, seed in any::<u64>()) {
        prop_assume!(made.n_rows > 100);
        made.check(&[1, k, 10], Some(n_folds), seed);
    }
}

#[test]
fn many_rows_are_searched() {
    for weights in [Weights::One, Weights::Whole, Weights::Broken] {
        for (n_columns, n_values) in [(3, 1_000_000), (9, 2), (20, 5)] {
            let made = Made { n_rows: 5000, n_columns, n_values, n_classes: 2, weights };
            made.check(&[1, 10, 100], None, 7);
        }
    }
}

#[test]
fn rows_beyond_all_measure_are_judged() {
    let columns =
        vec![vec![-1e308, -3.0, 2.0, 1e-300, f64::INFINITY, 1e200], vec![0.0, 1e20, 1e16, 0.0, 5.0, -1e300]];
    let points = Points::of(&Matrix::from_columns(6, columns));
    let voters = Voters { n_classes: 2, classes: vec![0, 1, 0, 1, 1, 0], weights: None };
    let election = Electorate::new(&voters, &[1, 2, 4], None);
    let field = Field::new(points.clone());
    let found = field.elect_few(&points, &election);
    assert!(found.iter().all(|share| (0.0..=1.0).contains(share)), "{found:?}");
    assert_eq!(field.elect_all(&points, std::slice::from_ref(&election))[0], found);
    assert_eq!(Search::new(&points, false).elect(&points, &points, &election), found);
}

/// What scikit-learn and the definition written down in Python say.
#[derive(Deserialize)]
struct Reference {
    apart: ApartRows,
    tied: Tied,
    nearly: Nearly,
}

type Columns = Vec<Vec<f64>>;
type ByK<T> = BTreeMap<usize, Vec<T>>;

#[derive(Deserialize)]
struct ApartRows {
    training: Columns,
    classes: BTreeMap<String, Vec<u32>>,
    rows: Columns,
    shares: ApartShares,
}

#[derive(Deserialize)]
struct ApartShares {
    two: ByK<f64>,
    three: ByK<Vec<f64>>,
}

#[derive(Deserialize)]
struct Tied {
    training: Columns,
    classes: Vec<u32>,
    weights: Vec<f64>,
    rows: Columns,
    shares: ByK<f64>,
    weighted: ByK<f64>,
    left_out: ByK<f64>,
}

#[derive(Deserialize)]
struct Nearly {
    training: Columns,
    classes: Vec<u32>,
    rows: Columns,
    shares: ByK<f64>,
}

fn points_of(columns: &Columns) -> Points {
    Points::of(&Matrix::from_columns(columns[0].len(), columns.clone()))
}

/// Compares the shares of the second class.
fn check_shares(training: &Points, voters: &Voters, rows: &Points, expected: &ByK<f64>) {
    let ks: Vec<usize> = expected.keys().copied().collect();
    let found = Field::new(training.clone()).posteriors(voters, rows, &ks);
    for ((k, expected), found) in expected.iter().zip(found) {
        check_close(&found.scores(), expected, 1e-15, &format!("k = {k}"));
    }
}

#[test]
fn votes_are_those_of_other_programs() {
    let text = include_str!("../../../tests/reference/knn.json");
    let Reference { apart, tied, nearly } = serde_json::from_str(text).expect("the reference is JSON");
    let voters =
        |n_classes: usize, classes: &[u32]| Voters { n_classes, classes: classes.to_vec(), weights: None };
    let (training, rows) = (points_of(&apart.training), points_of(&apart.rows));
    check_shares(&training, &voters(2, &apart.classes["two"]), &rows, &apart.shares.two);
    for (&k, expected) in &apart.shares.three {
        let found = Field::new(training.clone()).posteriors(&voters(3, &apart.classes["three"]), &rows, &[k]);
        for (row, expected) in expected.iter().enumerate() {
            check_close(found[0].row(row), expected, 1e-15, &format!("three classes, k = {k}"));
        }
    }
    let (training, rows) = (points_of(&tied.training), points_of(&tied.rows));
    check_shares(&training, &voters(2, &tied.classes), &rows, &tied.shares);
    let (training, rows) = (points_of(&nearly.training), points_of(&nearly.rows));
    check_shares(&training, &voters(2, &nearly.classes), &rows, &nearly.shares);
}

#[test]
fn weighted_votes_and_those_of_others_are_those_of_other_programs() {
    let text = include_str!("../../../tests/reference/knn.json");
    let Reference { tied, .. } = serde_json::from_str(text).expect("the reference is JSON");
    // Rows without weight are not trained on.
    let counting: Vec<usize> = (0..tied.weights.len()).filter(|&row| tied.weights[row] > 0.0).collect();
    let take = |column: &Vec<f64>| counting.iter().map(|&row| column[row]).collect::<Vec<f64>>();
    let voters = Voters {
        n_classes: 2,
        classes: counting.iter().map(|&row| tied.classes[row]).collect(),
        weights: Some(take(&tied.weights)),
    };
    let training = points_of(&tied.training.iter().map(take).collect());
    check_shares(&training, &voters, &points_of(&tied.rows), &tied.weighted);

    let (training, folds): (Points, Vec<u32>) = (points_of(&tied.training), (0..80).collect());
    let voters = Voters { n_classes: 2, classes: tied.classes.clone(), weights: None };
    let totals = vec![79.0; 80];
    for (&k, expected) in &tied.left_out {
        let apart = Apart { of_voter: &folds, of_row: &folds, totals: &totals };
        let election = Electorate::new(&voters, &[k], Some(apart));
        let shares = Field::new(training.clone()).elect(&training, &[election]).remove(0);
        let scores: Vec<f64> = shares.iter().skip(1).step_by(2).copied().collect();
        check_close(&scores, expected, 1e-15, &format!("left out, k = {k}"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Rows left out one by one, each on the scale of the others, whether encoded anew or stretched.
    #[test]
    fn stretched_votes_are_those_of_refits(
        n_rows in 3_usize..40,
        kinds in prop::collection::vec(0_u32..5, 1..5),
        weighted in any::<bool>(),
        seed in 0_u64..10_000,
    ) {
        let mut random = Random::new(seed);
        let column = |(idx, kind): (usize, &u32)| {
            let mut number = || match kind {
                0 => random.normal() * 1e3 + 7.0,
                1 => random.below(3) as f64,
                // One row, if any, is not like the others.
                2 => f64::from(u8::from(random.below(n_rows as u64) == 0)),
                3 => 2.5,
                _ => random.normal() * 1e200,
            };
            let values = Values::Numbers((0..n_rows).map(|_| number()).collect());
            Column::new(format!("x{idx}"), Kind::Numeric, values).expect("numbers")
        };
        let columns = kinds.iter().enumerate().map(column).collect();
        let mut random = Random::new(seed + 1);
        let codes = (0..n_rows).map(|_| random.below(2) as u32).collect();
        let target = Target::new("y", ["no", "yes"], codes).expect("a target");
        let mut data = Dataset::new(columns).and_then(|data| data.with_target(target)).expect("columns");
        if weighted {
            data = data.with_weights((0..n_rows).map(|_| random.below(4) as f64).collect()).expect("weights");
        }
        let (rows, folds): (Vec<u32>, Vec<u32>) = ((0..n_rows as u32).collect(), (0..n_rows as u32).collect());
        let folds = Folds::new(&rows, &folds).expect("folds");
        let learners: Vec<Learner> = ["knn:1", "knn:3", "knn:50"].map(|text| text.parse().expect(text)).to_vec();
        match (cross_posteriors(&learners, &data, &folds, 1), refitted(&learners, &data, &folds, 1)) {
            (Ok(found), Ok(expected)) => {
                for (found, expected) in found.iter().zip(&expected) {
                    check_close(&found.scores(), &expected.scores(), 1e-12, "left out");
                }
            }
            (found, expected) => prop_assert_eq!(found.is_err(), expected.is_err()),
        }
    }
}
