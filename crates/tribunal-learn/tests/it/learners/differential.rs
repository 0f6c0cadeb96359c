//! Learners against WEKA 3.6.14, scikit-learn and numpy on generated tables with every kind of column: zero-inflated, tied,
//! saturated, constant, with gaps, with many levels, of a rare class, and their negated and shifted copies.
//! `reference/differential.py` says how the figures were made, and compares fresh tables where those programs are installed.

use serde_json::Value;
use tribunal_learn::{Dataset, Learner};

use super::claims::{all_rows, check_close};
use super::parity::{numbers, read, tree_figures};
use super::tables::{Copied, Recipe};

fn tables() -> Vec<(String, Value)> {
    let reference = read(include_str!("../../reference/differential.json"));
    let tables = reference["tables"].as_object().expect("tables");
    tables.iter().map(|(name, table)| (name.clone(), table.clone())).collect()
}

fn named(name: &str) -> Value {
    tables().into_iter().find(|(table, _)| table == name).expect("a table").1
}

fn scores(learner: &str, dataset: &Dataset) -> Vec<f64> {
    let (learner, rows) = (learner.parse::<Learner>().expect("a learner"), all_rows(dataset));
    let model = learner.fit(dataset, &rows, 1).expect("a model");
    model.posteriors(dataset, &rows).expect("scores").scores()
}

/// The sums of what every column holds, by which two generators are compared.
#[test]
fn tables_are_those_that_the_references_were_made_of() {
    for (name, table) in tables() {
        let dataset = Recipe::read(&table).dataset(Copied::Plain);
        let sums = dataset.columns().iter().map(|column| match column.values() {
            tribunal_learn::Values::Numbers(numbers) => {
                numbers.iter().filter(|number| !number.is_nan()).sum::<f64>()
            }
            tribunal_learn::Values::Codes(codes) => codes
                .iter()
                .filter(|&&code| code != tribunal_learn::MISSING)
                .map(|&code| f64::from(code))
                .sum(),
        });
        for (idx, (found, expected)) in sums.zip(numbers(&table["sums"])).enumerate() {
            assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{name}, column {idx}");
        }
    }
}

#[test]
fn trees_are_those_of_j48_on_every_copy() {
    for (name, table) in tables() {
        for (copied, copy) in Copied::ALL {
            let dataset = Recipe::read(&table).dataset(copied);
            for (key, learner) in
                [("unpruned", "c45:unpruned,estimate=raw"), ("pruned", "c45:adderrs=j48,estimate=raw")]
            {
                let expected = &table["j48"][copy][key];
                let expected = ["leaves", "size", "errors"]
                    .map(|figure| expected[figure].as_u64().expect("a figure") as usize);
                assert_eq!(tree_figures(learner, &dataset), expected, "{name}, {copy}, {key}");
            }
        }
    }
}

#[test]
fn densities_rank_as_the_log_odds_of_numpy() {
    for (name, table) in tables() {
        let expected = &table["gaussian"];
        if expected.is_null() {
            continue;
        }
        let dataset = Recipe::read(&table).dataset(Copied::Plain);
        let found = scores("nb", &dataset);
        assert!(found.iter().all(|score| *score > 0.0 && *score < 1.0), "{name}: a score is 0 or 1");
        let classes = dataset.target().expect("a target").codes();
        let (found, expected) = (auroc(&found, classes), expected["auroc"].as_f64().expect("an AUROC"));
        assert!((found - expected).abs() < 1e-6, "{name}: {found} is not {expected}");
    }
}

#[test]
fn regressions_and_neighbours_agree_with_scikit_learn() {
    let table = named("numbers without gaps");
    let dataset = Recipe::read(&table).dataset(Copied::Plain);
    for (learner, key, tolerance) in [("logit", "logistic_regression", 1e-5), ("knn:25", "neighbours", 1e-9)]
    {
        let expected = numbers(&table["sklearn"][key]);
        let found: Vec<f64> = scores(learner, &dataset).into_iter().take(expected.len()).collect();
        check_close(&found, &expected, tolerance, &learner.parse().expect("a learner"));
    }
}

/// The share of pairs of both classes that are ranked as they should; equal scores count half.
fn auroc(scores: &[f64], classes: &[u32]) -> f64 {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| scores[a].total_cmp(&scores[b]));
    let (mut below, mut pairs) = (0.0, 0.0);
    for block in order.chunk_by(|&a, &b| scores[a] == scores[b]) {
        let positives = block.iter().filter(|&&row| classes[row] == 1).count() as f64;
        let negatives = block.len() as f64 - positives;
        pairs += positives * (below + negatives / 2.0);
        below += negatives;
    }
    pairs / (below * (scores.len() as f64 - below))
}
