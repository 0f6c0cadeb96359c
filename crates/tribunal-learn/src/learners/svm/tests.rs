//! Support vector machines from inside: known values, the conditions of the optimum, hard data, damaged files.

use proptest::prelude::*;
use serde_json::{Value, json};
use tribunal_random::Random;

use super::kernel::{Kernel, Points};
use super::solve::{Problem, Solution};
use crate::column::{Column, Values};
use crate::dataset::Dataset;
use crate::encoding::Matrix;
use crate::explanation::Reasons;
use crate::kind::Kind;
use crate::learners::Learner;
use crate::learners::golden::{check_close, toy_number_queries, toy_numbers};
use crate::model::Model;
use crate::target::Target;

fn rows(dataset: &Dataset) -> Vec<u32> {
    (0..dataset.n_rows() as u32).collect()
}

fn fit(learner: &str, dataset: &Dataset) -> Model {
    learner.parse::<Learner>().and_then(|learner| learner.fit(dataset, &rows(dataset), 1)).expect(learner)
}

fn scores(model: &Model, dataset: &Dataset) -> Vec<f64> {
    model.posteriors(dataset, &rows(dataset)).expect("scores").scores()
}

fn stored(model: &Model) -> Value {
    serde_json::to_value(model).expect("as JSON")["learned"]["fitted"]["svm"].clone()
}

fn numbers(name: &str, numbers: Vec<f64>) -> Column {
    Column::new(name, Kind::Numeric, Values::Numbers(numbers)).expect("numbers")
}

fn dataset(columns: Vec<Column>, n_classes: usize, codes: Vec<u32>) -> Dataset {
    let target = Target::new("y", ["no", "yes", "perhaps"].into_iter().take(n_classes), codes);
    Dataset::new(columns).and_then(|data| data.with_target(target.expect("classes"))).expect("columns")
}

/// Three columns of which the first two tell the class.
fn made(n_rows: usize, n_classes: usize) -> Dataset {
    let mut random = Random::new(5);
    let mut column = || -> Vec<f64> { (0..n_rows).map(|_| random.normal()).collect() };
    let (first, second, third, noise) = (column(), column(), column(), column());
    let class = |row: usize| {
        let signal = first[row] + second[row] * second[row] + 0.5 * noise[row];
        u32::from(signal > 0.8) + u32::from(n_classes > 2 && signal > 2.0)
    };
    let codes = (0..n_rows).map(class).collect();
    let columns = vec![numbers("first", first), numbers("second", second), numbers("third", third)];
    dataset(columns, n_classes, codes)
}

#[test]
fn known_scores_of_a_linear_margin() {
    let model = fit("svm", &toy_numbers());
    let found = scores(&model, &toy_number_queries());
    check_close(&found, &[0.06744, -1.13487, -0.06744, -0.59538], 5e-6, "scores");
    let machine = &stored(&model)["machines"][0];
    let weights: Vec<f64> = serde_json::from_value(machine["rule"]["weights"].clone()).expect("weights");
    check_close(&weights, &[0.81791, 0.41390, 0.15617], 5e-6, "weights");
    let figure = |key: &str| machine[key].as_f64().expect("a figure");
    check_close(&[figure("intercept"), figure("objective")], &[-0.38921, 9.499778], 5e-6, "figures");
    assert!(figure("violation") < 1e-12, "{}", figure("violation"));
}

#[test]
fn settings_are_read_as_they_are_written() {
    let check = |text: &str, expected: &str| {
        assert_eq!(text.parse::<Learner>().expect(text).to_string(), expected);
    };
    check("svm:c=1.0,linear,tolerance=1e-6", "svm");
    check("svm:rbf,spread=1", "svm:rbf");
    check("svm:sigma=5,rbf,c=1", "svm:rbf,sigma=5");
    check("svm:mark,paper,tolerance=0.001,c=10", "svm:c=10,tolerance=0.001,paper,mark");
    let candidates = "svm:rbf,c={1,10},spread={0.5,1}".parse::<Learner>().expect("a grid").candidates(100);
    let candidates: Vec<String> = candidates.expect("a grid").iter().map(Learner::to_string).collect();
    assert_eq!(candidates, ["svm:rbf,spread=0.5", "svm:rbf", "svm:rbf,c=10,spread=0.5", "svm:rbf,c=10"]);
    for wrong in
        ["c=0", "c=-1", "c=inf", "c=nan", "sigma=5", "rbf,sigma=0", "rbf,sigma=1,spread=1", "tolerance=0"]
    {
        assert!(format!("svm:{wrong}").parse::<Learner>().is_err(), "{wrong}");
    }
}

#[test]
fn columns_add_up_to_the_score() {
    let (data, model) = (toy_numbers(), fit("svm:c=2", &toy_numbers()));
    for (row, score) in (0..).zip(scores(&model, &data)) {
        let explanation = model.explain(&data, row).expect("reasons");
        let Reasons::Contributions { for_class, start, items } = explanation.reasons else {
            panic!("another form")
        };
        let sum = start + items.iter().map(|item| item.change).sum::<f64>();
        assert!(for_class == "+" && (sum - score).abs() < 1e-12, "row {row}: {sum} is not {score}");
    }
}

#[test]
fn rows_add_up_to_the_score() {
    let data = made(300, 2);
    let model = fit("svm:rbf", &data);
    for (row, score) in (0..40).zip(scores(&model, &data)) {
        let explanation = model.explain(&data, row).expect("reasons");
        let Reasons::Influences { start, items, others, .. } = explanation.reasons else {
            panic!("another form")
        };
        let sum = start + others + items.iter().map(|item| item.change).sum::<f64>();
        assert!((sum - score).abs() < 1e-12, "row {row}: {sum} is not {score}");
        assert!(items.iter().all(|item| (item.change > 0.0) == (item.class == "yes")), "{items:?}");
        assert!(items.is_sorted_by(|a, b| a.change.abs() >= b.change.abs()));
        assert_eq!(items.len(), 25);
    }
}

#[test]
fn the_machine_of_the_first_two_is_asked_where_there_are_more() {
    let data = made(300, 3);
    for learner in ["svm", "svm:rbf"] {
        let model = fit(learner, &data);
        let found = model.posteriors(&data, &rows(&data)).expect("votes");
        for row in 0..40 {
            let votes = found.row(row as usize);
            assert_eq!(votes.iter().sum::<f64>(), 3.0);
            let (for_class, sum) = match model.explain(&data, row).expect("reasons").reasons {
                Reasons::Contributions { for_class, start, items } => {
                    (for_class, start + items.iter().map(|item| item.change).sum::<f64>())
                }
                Reasons::Influences { for_class, start, items, others, .. } => {
                    (for_class, start + others + items.iter().map(|item| item.change).sum::<f64>())
                }
                other => panic!("{other:?}"),
            };
            let winner = votes.iter().position(|&votes| votes == 2.0);
            if let Some(winner) = winner {
                let name = &model.classes()[winner];
                assert!(
                    for_class.starts_with(&format!("{name} against ")) && sum >= 0.0,
                    "{for_class}: {sum}"
                );
            }
        }
    }
}

#[test]
fn a_class_without_rows_gets_no_vote() {
    let data = made(200, 3);
    let codes = data.target().expect("a target").codes().to_vec();
    let few: Vec<u32> = rows(&data).into_iter().filter(|&row| codes[row as usize] != 1).collect();
    let model = "svm".parse::<Learner>().and_then(|learner| learner.fit(&data, &few, 1)).expect("a model");
    let found = model.posteriors(&data, &rows(&data)).expect("votes");
    for row in 0..200 {
        assert!([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]].iter().any(|votes| found.row(row) == votes));
        model.explain(&data, row as u32).expect("reasons");
    }
}

#[test]
fn the_text_tells_what_holds_the_margin() {
    let text = fit("svm", &toy_numbers()).text();
    assert!(text.contains("+ where the score is 0 or more, - where it is less\n"), "{text}");
    assert!(text.contains("support vectors") && text.contains("objective 9.499778"), "{text}");
    // In units: 0.81791 / 0.877058.
    assert!(text.contains("x1               0.9326     0.8179\n"), "{text}");
    let text = fit("svm:rbf,sigma=2", &toy_numbers()).text();
    assert!(text.starts_with("kernel exp(-d^2 / sigma^2) with sigma = 2.0000\n"), "{text}");
    assert!(text.contains("  intercept ") && text.contains("\nrows with the largest alpha\n  "), "{text}");
}

#[test]
fn damaged_models_are_refused() {
    let check = |learner: &str, change: fn(&mut Value), expected: &str| {
        let mut model = serde_json::to_value(fit(learner, &made(100, 3))).expect("as JSON");
        assert!(serde_json::from_value::<Model>(model.clone()).is_ok());
        change(&mut model["learned"]["fitted"]["svm"]);
        let error = serde_json::from_value::<Model>(model).expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}");
    };
    let (machines, vectors) = ("support vector machines of other", "support vectors of other");
    check("svm", |svm| svm["machines"] = json!([]), "without any machine");
    check("svm", |svm| svm["machines"][0]["rule"]["weights"] = json!([1.0]), machines);
    check("svm", |svm| svm["machines"][0]["classes"] = json!([1, 3]), machines);
    check("svm", |svm| svm["machines"][0]["classes"] = json!([1, 0]), machines);
    check("svm", |svm| svm["machines"][0]["rule"] = json!({"vectors": []}), machines);
    check("svm", |svm| svm["machines"][0]["heaviest"][0]["class"] = json!(3), machines);
    check("svm", |svm| svm["n_features"] = json!(4), machines);
    check("svm", |svm| svm["kernel"] = json!({"rbf": {"sigma": 1.0}}), machines);
    check("svm:rbf", |svm| svm["kernel"] = json!({"rbf": {"sigma": 0.0}}), "without any width");
    check("svm:rbf", |svm| svm["machines"][1]["rule"]["vectors"][0][0] = json!(10_000), machines);
    check("svm:rbf", |svm| svm["vectors"][0]["values"] = json!([1.0]), vectors);
    check("svm:rbf", |svm| svm["vectors"][0]["class"] = json!(3), vectors);
}

/// A problem of normal numbers, rounded so that rows coincide; `gap` moves the classes apart.
fn problem(matrix: &Matrix, kernel: Kernel, caps: Vec<f64>, gap: f64, seed: u64) -> Problem<'_> {
    let mut random = Random::new(seed);
    let target = |row: usize| (matrix.column(0)[row] * gap + random.normal() > 0.0) as u8;
    let mut targets: Vec<f64> =
        (0..matrix.n_rows()).map(target).map(|is_so| 2.0 * f64::from(is_so) - 1.0).collect();
    (targets[0], targets[1]) = (-1.0, 1.0);
    Problem { kernel, points: Points::of(matrix), targets, caps }
}

fn rounded(n_rows: usize, n_columns: usize, grain: f64, seed: u64) -> Matrix {
    let mut random = Random::new(seed);
    let mut value = || (random.normal() / grain).round() * grain;
    Matrix::from_columns(n_rows, (0..n_columns).map(|_| (0..n_rows).map(|_| value()).collect()).collect())
}

/// The score of every row.
fn scores_of(problem: &Problem<'_>, solution: &Solution) -> Vec<f64> {
    let score = |row: usize| {
        let products = problem.kernel.row(&problem.points, &problem.points.row(row));
        products.iter().zip(&solution.coefficients).map(|(k, c)| k * c).sum::<f64>() + solution.intercept
    };
    (0..problem.targets.len()).map(score).collect()
}

/// The violation of the conditions of the optimum, by their definition: with alpha at 0 a row is on its side of the margin,
/// with alpha at its bound beyond it, between the two on the margin.
fn violation(problem: &Problem<'_>, solution: &Solution, scores: &[f64]) -> f64 {
    let of_row = |at: usize| {
        let (target, cap) = (problem.targets[at], problem.caps[at]);
        let (alpha, slack) = (solution.coefficients[at] * target, 1.0 - target * scores[at]);
        assert!((0.0..=cap).contains(&alpha), "{alpha} is not from 0 to {cap}");
        match alpha {
            0.0 => slack.max(0.0),
            alpha if alpha == cap => (-slack).max(0.0),
            _ => slack.abs(),
        }
    };
    (0..problem.targets.len()).map(of_row).fold(0.0, f64::max)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn the_conditions_of_the_optimum_are_met(
        (n_rows, n_columns) in (2_usize..80, 1_usize..8),
        c in prop_oneof![Just(0.01), Just(1.0), Just(100.0), Just(1e4)],
        gap in prop_oneof![Just(0.0), Just(1.0), Just(10.0)],
        grain in prop_oneof![Just(1e-9), Just(0.5), Just(2.0)],
        is_rbf in any::<bool>(),
        is_weighted in any::<bool>(),
        seed in 0_u64..10_000,
    ) {
        let matrix = rounded(n_rows, n_columns, grain, seed);
        let kernel = if is_rbf { Kernel::Rbf { sigma: (n_columns as f64).sqrt() } } else { Kernel::Linear };
        let weight = |row: usize| if is_weighted { 0.1 + (row % 4) as f64 } else { 1.0 };
        let caps = (0..n_rows).map(|row| c * weight(row)).collect();
        let problem = problem(&matrix, kernel, caps, gap, seed + 1);
        let solution = problem.solve(1e-6, ROOM);
        prop_assert!(solution.violation < 1e-6, "{solution:?}");
        check_optimum(&problem, &solution);
    }
}

/// Little room, so that rows make way for others.
const ROOM: usize = 1 << 14;

/// The conditions of the optimum hold, coefficients add up to nothing, and there is no duality gap: what is minimised is as
/// large as what is maximised.
fn check_optimum(problem: &Problem<'_>, solution: &Solution) {
    let capacity: f64 = problem.caps.iter().sum();
    let total: f64 = solution.coefficients.iter().sum();
    assert!(total.abs() <= 1e-12 * capacity, "{total}");
    let scores = scores_of(problem, solution);
    let found = violation(problem, solution, &scores);
    assert!(found < 1e-6, "{found}");
    let slack = |(score, target): (&f64, &f64)| (1.0 - target * score).max(0.0);
    let slacks = scores.iter().zip(&problem.targets).map(slack);
    let hinge: f64 = slacks.zip(&problem.caps).map(|(slack, cap)| slack * cap).sum();
    let dual_sum: f64 = solution.coefficients.iter().zip(&problem.targets).map(|(c, y)| c * y).sum();
    let primal = hinge + (dual_sum - solution.objective);
    assert!(
        (primal - solution.objective).abs() <= 1e-6 * (1.0 + capacity),
        "{primal} {}",
        solution.objective
    );
}

/// Most coefficients are at a bound, so that rows are put aside and come back.
#[test]
fn the_conditions_of_the_optimum_are_met_where_rows_are_put_aside() {
    let n_rows = 700;
    let mut columns: Vec<Vec<f64>> = {
        let matrix = rounded(n_rows, 4, 0.25, 11);
        (0..4).map(|idx| matrix.column(idx).to_vec()).collect()
    };
    // Rows that stand there twice, mostly of another class; a constant column; one that is another's clone.
    for column in &mut columns {
        (0..n_rows / 2).step_by(3).for_each(|row| column[n_rows - 1 - row] = column[row]);
    }
    columns.push(vec![3.0; n_rows]);
    columns.push(columns[0].clone());
    let matrix = Matrix::from_columns(n_rows, columns);
    let weights: [fn(usize) -> f64; 3] =
        [|_| 1.0, |row| [1e-3, 1.0, 50.0][row % 3], |row| f64::from(row % 2 == 0)];
    for (kernel, c, weight, gap) in [
        (Kernel::Linear, 1.0, weights[0], 0.7),
        (Kernel::Linear, 1e-9, weights[1], 0.7),
        (Kernel::Linear, 100.0, weights[1], 0.7),
        (Kernel::Linear, 1e6, weights[0], 1e9),
        (Kernel::Rbf { sigma: 2.0 }, 1.0, weights[1], 0.0),
        (Kernel::Rbf { sigma: 0.05 }, 10.0, weights[0], 0.7),
        (Kernel::Rbf { sigma: 30.0 }, 1.0, weights[2], 0.7),
        (Kernel::Rbf { sigma: 2.0 }, 1e3, weights[0], 0.7),
    ] {
        let caps = (0..n_rows).map(|row| (c * weight(row)).max(1e-200)).collect();
        let problem = problem(&matrix, kernel, caps, gap, 12);
        let solution = problem.solve(1e-6, ROOM);
        assert!(
            solution.violation < 1e-6,
            "{kernel:?} c={c}: {:e} after {}",
            solution.violation,
            solution.n_steps
        );
        check_optimum(&problem, &solution);
    }
}

#[test]
fn hopeless_data_end_with_a_warning_and_numbers() {
    let mut random = Random::new(3);
    let n = 200;
    let columns: Vec<Column> = (0..3)
        .map(|idx| {
            numbers(&format!("x{idx}"), (0..n).map(|_| random.normal() * 10_f64.powi(100 * idx)).collect())
        })
        .collect();
    let codes = (0..n).map(|_| random.below(2) as u32).collect();
    let data = dataset(columns, 2, codes);
    for learner in ["svm:c=1e12", "svm:rbf,c=1e12,sigma=1000", "svm:c=1e-12", "svm:rbf,sigma=1e-100"] {
        let model = fit(learner, &data);
        assert!(scores(&model, &data).iter().all(|score| score.is_finite()), "{learner}");
        let is_far = stored(&model)["machines"][0]["violation"].as_f64().expect("a figure") >= 1e-6;
        assert_eq!(
            is_far,
            model.warnings().iter().any(|warning| warning.contains("steps ended")),
            "{learner}"
        );
    }
}

#[test]
fn rows_that_are_the_same_but_for_their_class_are_no_obstacle() {
    let columns = vec![numbers("x", (0..40).map(|row| f64::from(row / 2)).collect())];
    let data = dataset(columns, 2, (0..40).map(|row| row % 2).collect());
    for learner in ["svm", "svm:c=1e6", "svm:rbf"] {
        let model = fit(learner, &data);
        let found = scores(&model, &data);
        assert!(found.iter().all(|score| score.abs() < 1e-6), "{learner}: {found:?}");
        assert_eq!(model.warnings(), [""; 0], "{learner}");
    }
}
