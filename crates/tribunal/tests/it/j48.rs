//! C4.5 against WEKA's J48 3.6.14 on data sets that everybody knows: iris and wine, and others where a folder of them lies
//! beside the project (`shared_data`). The figures of J48 are part of the project, with the program that made them:
//! `crates/tribunal-learn/tests/reference/`.

use crate::known_sets::{IRIS, WINE, bundled, dataset};
use crate::shared_data::shared_table;
use serde_json::Value;
use tribunal_learn::{Dataset, Learner};

fn reference() -> Value {
    let text = include_str!("../../../tribunal-learn/tests/reference/learners.json");
    serde_json::from_str(text).expect("reference values")
}

/// The leaves, the nodes and the training errors of a tree.
fn figures(learner: &str, dataset: &Dataset) -> [u64; 3] {
    let rows: Vec<u32> = (0..dataset.n_rows() as u32).collect();
    let model = learner.parse::<Learner>().expect("a learner").fit(dataset, &rows, 1).expect("a model");
    let shown = model.text();
    let figure = |label: &str| {
        let line = shown.lines().find_map(|line| line.strip_prefix(label)).expect(label);
        line.trim().parse().expect("a number")
    };
    let posteriors = model.posteriors(dataset, &rows).expect("scores");
    let target = dataset.target().expect("a target").codes();
    let heaviest = |row: usize| {
        let shares = posteriors.row(row);
        (0..shares.len()).fold(0, |best, class| if shares[class] > shares[best] { class } else { best })
    };
    let errors = (0..rows.len()).filter(|&row| heaviest(row) != target[row] as usize).count() as u64;
    [figure("Number of leaves:"), figure("Number of nodes:"), errors]
}

const PRUNED: &str = "c45:estimate=raw";
const UNRAISED: &str = "c45:raising=off,estimate=raw";
const UNPRUNED: &str = "c45:unpruned,estimate=raw";

/// Trees that are not those of J48, which takes the exact normal quantile (0.6745) where release 8 of C4.5 interpolates in
/// a table (0.6925): a pure leaf is estimated alike by both, a leaf with errors a little lower by J48, so that it makes
/// leaves of two more tests in each of these sets.
const OTHERWISE: [(&str, [u64; 3]); 2] = [("pima", [22, 43, 120]), ("breast", [16, 31, 11])];

const LEARNERS: [(&str, &str); 3] = [("pruned", PRUNED), ("no_raising", UNRAISED), ("unpruned", UNPRUNED)];

/// The same with the estimates of J48, which leaves nothing that differs.
const AS_J48: [(&str, &str); 3] = [
    ("pruned", "c45:adderrs=j48,estimate=raw"),
    ("no_raising", "c45:adderrs=j48,raising=off,estimate=raw"),
    ("unpruned", UNPRUNED),
];

fn check(
    name: &str,
    set: &Value,
    dataset: &Dataset,
    learners: [(&str, &str); 3],
    otherwise: &[(&str, [u64; 3])],
) {
    for (key, learner) in learners {
        let tree = &set["trees"][key];
        let known = otherwise.iter().find(|(other, _)| *other == name && key != "unpruned");
        let of_j48 = || ["leaves", "size", "errors"].map(|figure| tree[figure].as_u64().expect("a figure"));
        let expected = known.map_or_else(of_j48, |(_, figures)| *figures);
        assert_eq!(figures(learner, dataset), expected, "{name}, {key}");
    }
}

fn check_shared(learners: [(&str, &str); 3], otherwise: &[(&str, [u64; 3])]) {
    for name in ["iris", "vote", "pima", "breast", "german"] {
        let set = &reference()["j48"]["sets"][name];
        let Some(path) = shared_table(set["file"].as_str().expect("a file")) else { continue };
        check(name, set, &dataset(path.parent().expect("a folder"), set), learners, otherwise);
    }
}

#[test]
fn trees_are_those_of_j48_but_for_the_quantile_of_pruning() {
    check_shared(LEARNERS, &OTHERWISE);
}

#[test]
fn trees_that_are_pruned_by_the_estimates_of_j48_are_those_of_j48() {
    check_shared(AS_J48, &[]);
}

#[test]
fn trees_of_iris_and_wine_are_those_of_j48() {
    for (name, columns) in [("iris", &IRIS[..]), ("wine", &WINE)] {
        let set = &reference()["j48"]["sets"][format!("{name} of scikit-learn")];
        let dataset = bundled(name, columns, None);
        check(name, set, &dataset, LEARNERS, &[]);
        check(name, set, &dataset, AS_J48, &[]);
    }
}
