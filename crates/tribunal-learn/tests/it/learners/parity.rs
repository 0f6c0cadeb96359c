//! Learners against WEKA 3.6.14, scikit-learn and scipy. `reference/make_learners_reference.py` says how the figures were
//! made, and proves the formulas by which WEKA's shares differ from ours.

use super::claims::{all_rows, check_close};
use serde_json::Value;
use tribunal_learn::{Column, Dataset, Kind, Learner, Levels, Target, Values};

pub(crate) fn read(text: &str) -> Value {
    serde_json::from_str(text).expect("reference values")
}

fn learners() -> Value {
    read(include_str!("../../reference/learners.json"))
}

/// The numbers of iris and wine as scikit-learn carries them.
pub(crate) fn measured(set: &str) -> Value {
    read(include_str!("../../reference/bins.json"))["sets"][set].clone()
}

pub(crate) fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|number| number.as_f64().expect("a number")).collect()
}

fn codes(value: &Value) -> Vec<u32> {
    numbers(value).into_iter().map(|number| number as u32).collect()
}

fn matrix(value: &Value) -> Vec<Vec<f64>> {
    value.as_array().expect("a list").iter().map(numbers).collect()
}

fn columns(value: &Value) -> impl Iterator<Item = (usize, &Value)> {
    value.as_array().expect("columns").iter().enumerate()
}

pub(crate) fn with_classes(columns: Vec<Column>, classes: &Value) -> Dataset {
    let classes = codes(classes);
    let n_classes = classes.iter().max().map_or(0, |last| last + 1);
    let target = Target::new("y", (0..n_classes).map(|class| class.to_string()), classes).expect("classes");
    Dataset::new(columns).and_then(|dataset| dataset.with_target(target)).expect("a data set")
}

fn coded(idx: usize, codes: Vec<u32>, n_levels: usize) -> Column {
    let levels = Levels::declared((0..n_levels).map(|level| level.to_string()));
    Column::new(format!("x{idx}"), Kind::Categorical(levels), Values::Codes(codes)).expect("codes")
}

/// A set of codes: one of the generated tables, or iris and wine cut where WEKA cuts them.
fn nominal(name: &str) -> Dataset {
    let reference = learners();
    let levels = numbers(&reference["nominal"][name]["levels"]);
    let table = &reference["tables"][name];
    if !table.is_null() {
        return generated(table);
    }
    let set = measured(name);
    let cut = |(idx, column): (usize, &Value)| {
        let cuts = numbers(&set["mdl"][idx]);
        let code = |value: f64| cuts.partition_point(|&cut| cut < value) as u32;
        coded(idx, numbers(column).into_iter().map(code).collect(), levels[idx] as usize)
    };
    with_classes(columns(&set["columns"]).map(cut).collect(), &set["classes"])
}

/// A generated table of codes.
fn generated(table: &Value) -> Dataset {
    let levels = numbers(&table["levels"]);
    let coded = |(idx, column): (usize, &Value)| coded(idx, codes(column), levels[idx] as usize);
    with_classes(columns(&table["codes"]).map(coded).collect(), &table["classes"])
}

/// What a learner says of its own training rows.
fn posteriors(learner: &str, dataset: &Dataset) -> Vec<Vec<f64>> {
    let learner: Learner = learner.parse().expect("a learner");
    let rows = all_rows(dataset);
    let posteriors =
        learner.fit(dataset, &rows, 1).expect("a model").posteriors(dataset, &rows).expect("scores");
    (0..rows.len()).map(|row| posteriors.row(row).to_vec()).collect()
}

fn check(learner: &str, found: &[Vec<f64>], expected: &Value, tolerance: f64) {
    let learner: Learner = learner.parse().expect("a learner");
    check_close(&found.concat(), &matrix(expected).concat(), tolerance, &learner);
}

/// Posteriors with priors of n + alpha, as WEKA has them, from those with priors of n.
fn with_weka_priors(posteriors: Vec<Vec<f64>>, dataset: &Dataset, alpha: f64) -> Vec<Vec<f64>> {
    let counts = dataset.target().expect("a target").counts();
    let moved = |row: Vec<f64>| {
        let moved: Vec<f64> =
            row.iter().zip(&counts).map(|(share, &n)| share * (n as f64 + alpha) / n as f64).collect();
        let total: f64 = moved.iter().sum();
        moved.into_iter().map(|share| share / total).collect()
    };
    posteriors.into_iter().map(moved).collect()
}

const NOMINAL: [&str; 5] = ["iris", "wine", "two classes", "three classes", "even"];

#[test]
fn naive_bayes_agrees_with_scikit_learn() {
    for name in NOMINAL {
        let (reference, dataset) = (&learners()["nominal"][name]["sklearn"], nominal(name));
        let weighted = dataset.clone().with_weights(numbers(&reference["weights"])).expect("weights");
        for (learner, key) in [("nb:laplace", "alpha 1"), ("nb:alpha=0.5", "alpha 0.5")] {
            check(learner, &posteriors(learner, &dataset), &reference[key], 1e-9);
            check(learner, &posteriors(learner, &weighted), &reference[&format!("{key} weighted")], 1e-9);
        }
    }
}

#[test]
fn naive_bayes_agrees_with_weka() {
    for name in NOMINAL {
        let (reference, dataset) = (&learners()["nominal"][name]["weka"], nominal(name));
        check("nb", &posteriors("nb", &dataset), &reference["nb alpha 0"], 1e-9);
        let laplace = with_weka_priors(posteriors("nb:laplace", &dataset), &dataset, 1.0);
        check("nb:laplace", &laplace, &reference["naive_bayes"], 1e-9);
    }
}

#[test]
fn tan_agrees_with_weka() {
    for name in NOMINAL {
        let (reference, dataset) = (&learners()["nominal"][name], nominal(name));
        // Without smoothing the root does not matter.
        check("tan", &posteriors("tan", &dataset), &reference["weka"]["tan alpha 0"], 1e-6);
        if reference["weka"]["parents"] == reference["tan"]["parents"] {
            let alpha = if name == "even" { 1.0 } else { 0.5 };
            let learner = format!("tan:alpha={alpha}");
            let found = with_weka_priors(posteriors(&learner, &dataset), &dataset, alpha);
            check(&learner, &found, &reference["weka"][&format!("tan alpha {alpha}")], 1e-9);
        }
    }
}

#[test]
fn smoothing_by_imagined_rows_agrees_with_numpy_and_with_weka() {
    for name in NOMINAL {
        let (reference, dataset) = (&learners()["nominal"][name], nominal(name));
        for (family, n_imagined) in
            ["nb", "tan"].into_iter().flat_map(|family| [5, 25, 50].map(|n| (family, n)))
        {
            let learner = format!("{family}:{n_imagined}");
            let found = posteriors(&learner, &dataset);
            // Where every column has five values and classes are balanced, WEKA's alpha is a fifth of the rows.
            let expected = match name {
                "even" => &reference["weka"][&format!("{family} alpha {}", n_imagined / 5)],
                _ => &reference["smoothed"][&format!("{family} N0 {n_imagined}")],
            };
            check(&learner, &found, expected, 1e-9);
        }
    }
}

/// Iris or wine with their numbers.
fn numeric(set: &str) -> Dataset {
    let set = measured(set);
    let column = |(idx, column): (usize, &Value)| {
        Column::new(format!("x{idx}"), Kind::Numeric, Values::Numbers(numbers(column))).expect("numbers")
    };
    with_classes(columns(&set["columns"]).map(column).collect(), &set["classes"])
}

#[test]
fn densities_agree_with_scipy() {
    check("nb", &posteriors("nb", &numeric("iris")), &learners()["gaussian"]["scipy, divisor n - 1"], 1e-9);
}

/// The leaves, the nodes and the training errors of a tree.
pub(crate) fn tree_figures(learner: &str, dataset: &Dataset) -> [usize; 3] {
    let learner: Learner = learner.parse().expect("a learner");
    let rows = all_rows(dataset);
    let model = learner.fit(dataset, &rows, 1).expect("a model");
    let text = model.text();
    let figure = |label: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(label)).expect(label);
        line.trim().parse().expect("a number")
    };
    let target = dataset.target().expect("a target").codes();
    let posteriors = model.posteriors(dataset, &rows).expect("scores");
    let heaviest = |row: usize| {
        let shares = posteriors.row(row);
        (0..shares.len()).fold(0, |best, class| if shares[class] > shares[best] { class } else { best })
    };
    let errors = (0..rows.len()).filter(|&row| heaviest(row) != target[row] as usize).count();
    [figure("Number of leaves:"), figure("Number of nodes:"), errors]
}

#[test]
fn trees_are_those_of_j48() {
    let reference = learners();
    for name in
        ["iris of scikit-learn", "wine of scikit-learn", "two classes", "three classes", "even", "raised"]
    {
        let dataset = match name.split_once(" of ") {
            Some((set, _)) => numeric(set),
            None => generated(&reference["tables"][name]),
        };
        for (key, learner) in [
            ("pruned", "c45:estimate=raw"),
            ("no_raising", "c45:raising=off,estimate=raw"),
            ("unpruned", "c45:unpruned,estimate=raw"),
        ] {
            let tree = &reference["j48"]["sets"][name]["trees"][key];
            let expected =
                ["leaves", "size", "errors"].map(|figure| tree[figure].as_u64().expect("a figure") as usize);
            assert_eq!(tree_figures(learner, &dataset), expected, "{name}, {key}");
        }
    }
}
