//! Bins agree with WEKA's supervised discretisation and scikit-learn's bins of equal width, on iris and wine.

use std::collections::BTreeMap;

use serde::Deserialize;
use tribunal_learn::BinRule;
use tribunal_learn::encoding::Bins;

#[derive(Deserialize)]
struct Reference {
    sets: BTreeMap<String, Set>,
}

#[derive(Deserialize)]
struct Set {
    columns: Vec<Vec<f64>>,
    classes: Vec<u32>,
    mdl: Vec<Vec<f64>>,
    equal_width: Vec<Vec<f64>>,
}

fn check(rule: &BinRule, expected: impl Fn(&Set) -> &[Vec<f64>], digits: f64) {
    let reference: Reference =
        serde_json::from_str(include_str!("../reference/bins.json")).expect("the reference is JSON");
    for (name, set) in &reference.sets {
        for (idx, (column, expected)) in set.columns.iter().zip(expected(set)).enumerate() {
            let bins = Bins::fit(rule, column, Some(&set.classes)).expect("classes are given");
            assert_eq!(bins.bounds().len(), expected.len(), "{name}, column {idx}: {:?}", bins.bounds());
            for (found, expected) in bins.bounds().iter().zip(expected) {
                assert!(
                    (found - expected).abs() <= digits * expected.abs(),
                    "{name}, column {idx}: {found} {expected}"
                );
            }
        }
    }
}

#[test]
fn mdl_finds_the_cut_points_that_weka_finds() {
    // WEKA prints six digits.
    check(&BinRule::Mdl, |set| &set.mdl, 1e-5);
}

#[test]
fn equal_widths_are_those_of_scikit_learn() {
    check(&BinRule::EqualWidth(10), |set| &set.equal_width, 1e-12);
}
