//! Golden values of C4.5 release 8: what the original program prints.

use super::*;
use crate::learners::c45::candidate::{Verdict, average_gain, worth};
use crate::learners::c45::cases::CaseColumn;
use crate::learners::c45::classify::{Classifier, End};
use crate::learners::c45::entropy::Bits;
use crate::learners::c45::estimate::Smoothing;
use crate::learners::c45::rows::{Index, Rows};
use crate::learners::c45::tally::Tally;
use crate::learners::c45::weights::Once;
use crate::learners::c45::{nominal, numeric};

fn check_near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-8, "{found} is not {expected}");
}

/// The verdict of every column on some rows of a data set.
fn verdicts(dataset: &Dataset, rows: &[u32]) -> Vec<Verdict> {
    let dataset = dataset.take(rows);
    let training = training(&dataset);
    let cases = Cases::new(&training, &all_rows(&dataset)).expect("cases");
    let (index, all) = (Index::new(all_rows(&dataset)), Rows::all(rows.len()));
    let (mut tally, bits) = (Tally::new(cases.n_classes), Bits::new(100));
    let mut verdict = |column: &CaseColumn| {
        tally.sum(column, &index.rows, &all, &Once);
        match &column.distinct {
            None => nominal::evaluate(&tally, 2.0, &bits),
            Some(distinct) => numeric::evaluate(&tally, distinct, 2.0, &bits),
        }
    };
    cases.columns.iter().map(&mut verdict).collect()
}

fn check_verdict(verdict: &Verdict, gain: f64, info: f64) {
    let candidate = verdict.candidate().expect("a usable column");
    check_near(candidate.gain, gain);
    check_near(candidate.info, info);
}

#[test]
fn the_root_of_golf_is_that_of_the_original() {
    let dataset = golf();
    let root = verdicts(&dataset, &all_rows(&dataset));
    check_verdict(&root[0], 0.24674982, 1.57740628);
    check_verdict(&root[3], 0.04812703, 0.98522814);
    assert_eq!((root[1].candidate(), root[2].candidate()), (None, None));
    let average = average_gain(root.iter()).expect("usable columns");
    check_near(average, 0.14743843);
    check_near(worth(root[0].candidate().expect("outlook"), average).expect("worth"), 0.15642756);
}

#[test]
fn the_sunny_node_of_golf_is_that_of_the_original() {
    let sunny = verdicts(&golf(), &[0, 1, 7, 8, 10]);
    check_verdict(&sunny[1], 0.21997309, 0.97095059);
    check_verdict(&sunny[2], 0.77095059, 0.97095059);
    check_verdict(&sunny[3], 0.01997309, 0.97095059);
}

#[test]
fn golf_is_shown_as_a_tree() {
    let expected = "outlook = sunny\n\
                    |   humidity <= 75: Play (2)\n\
                    |   humidity > 75: Don't Play (3)\n\
                    outlook = overcast: Play (4)\n\
                    outlook = rain\n\
                    |   windy = t: Don't Play (2)\n\
                    |   windy = f: Play (3)\n\
                    \n\
                    Number of leaves: 5\n\
                    Number of nodes: 8\n";
    assert_eq!(fit("c45:unpruned", &golf()).text(), expected);
    assert_eq!(fit("c45", &golf()).text(), expected);
}

#[test]
fn the_estimates_of_golf_are_those_of_the_original() {
    let (tree, errors) = pruned(&golf());
    assert!((errors - 5.391810).abs() < 1e-6, "{errors}");
    assert_eq!(tree, grown(&golf()));
}

#[test]
fn a_row_that_lacks_a_value_goes_everywhere_in_part() {
    let dataset = golf_without_outlook();
    let root = verdicts(&dataset, &all_rows(&dataset));
    check_verdict(&root[0], 0.19904071, 1.80920003);
    let model = fit("c45:estimate=raw", &dataset);
    let text = model.text();
    for leaf in [
        "humidity > 75: Don't Play (3.38/0.38)",
        "outlook = overcast: Play (3.23)",
        "windy = t: Don't Play (2.38/0.38)",
    ] {
        assert!(text.contains(leaf), "{text}");
    }
    let (_, errors) = pruned(&dataset);
    assert!((errors - 6.137836).abs() < 1e-6, "{errors}");
    let query = golf_rows("? 72 95 t P; overcast 60 60 f P");
    let posteriors = model.posteriors(&query, &[0]).expect("posteriors");
    assert!((posteriors.row(0)[0] - 0.336510264).abs() < 1e-9, "{:?}", posteriors.row(0));
    assert!((posteriors.row(0)[1] - 0.663489736).abs() < 1e-9);
}

#[test]
fn toy_is_split_on_its_third_column_and_pruned_to_a_leaf() {
    let tree = grown(&toy());
    assert!(matches!(tree.nodes[0].test, Test::Nominal { column: 2, n_branches: 4, .. }));
    let leaves: Vec<(u32, f64)> = (1..5).map(|node| (tree.nodes[node].class, tree.items(node))).collect();
    assert_eq!(leaves, [(0, 3.0), (0, 4.0), (0, 3.0), (1, 4.0)]);
    let (tree, errors) = pruned(&toy());
    assert_eq!((tree.nodes.len(), tree.nodes[0].class), (1, 0));
    assert!((errors - 7.787328).abs() < 1e-6, "{errors}");
}

/// A chain of tests with these weights on the way down, the rest of each node in the other branch.
fn chain(path: &[[f64; 2]]) -> Tree {
    let mut tree = Tree::new(2);
    let mut node = tree.push(&path[0]);
    for pair in path.windows(2) {
        let first = tree.nodes.len();
        tree.nodes[node].test = Test::Numeric { column: 0, cut: 0.0, first: first as u32 };
        tree.push(&pair[1]);
        tree.push(&[pair[0][0] - pair[1][0], pair[0][1] - pair[1][1]]);
        node = first;
    }
    tree
}

#[test]
fn a_curtailed_tree_asks_the_deepest_node_of_enough_rows() {
    let tree = chain(&[[903.0, 356.0], [160.0, 150.0], [12.0, 30.0], [1.0, 8.0], [0.0, 3.0]]);
    let smoothing = Smoothing::new(Estimate::M(5.0), &[1003.0, 396.0]);
    let row = [NominalColumn::Numbers(vec![-1.0])];
    let expected = [
        (5.0, 0.487546169),
        (10.0, 0.586617006),
        (40.0, 0.586617006),
        (50.0, 0.473045355),
        (100.0, 0.473045355),
    ];
    for (least, expected) in expected {
        let classifier = Classifier { tree: &tree, smoothing: &smoothing, least };
        check_near(classifier.probability(classifier.descend(0, &row, 0), 1), expected);
    }
    let classifier = Classifier { tree: &tree, smoothing: &smoothing, least: 2000.0 };
    assert_eq!(classifier.descend(0, &row, 0), End::Node(0));
}

#[test]
fn a_declared_value_without_rows_is_an_empty_leaf() {
    let mut dataset = golf();
    let levels = ["sunny", "overcast", "rain", "fog"];
    let outlook: Vec<&str> = GOLF.split(';').filter_map(|row| row.split_whitespace().next()).collect();
    let mut columns = vec![nominal_column("outlook", &levels, &outlook)];
    columns.extend(dataset.columns()[1..].iter().cloned());
    let target = dataset.target().cloned().expect("a target");
    dataset = Dataset::new(columns).and_then(|data| data.with_target(target)).expect("golf");
    let foggy = Dataset::new(vec![
        nominal_column("outlook", &levels, &["fog"]),
        numeric_column("temperature", &["70"]),
        numeric_column("humidity", &["70"]),
        nominal_column("windy", &["t", "f"], &["t"]),
    ])
    .expect("a row");
    let score = |learner: &str| fit(learner, &dataset).posteriors(&foggy, &[0]).expect("a score").row(0)[1];
    check_near(score("c45"), 5.0 / 14.0);
    check_near(score("c45:estimate=laplace"), 0.5);
    check_near(score("c45:estimate=raw"), 0.0);
    // No node of five rows is below the root but those of sunny and rain.
    check_near(score("c45:curtailed,k=5,estimate=raw"), 5.0 / 14.0);
    let model = fit("c45", &dataset);
    assert!(model.text().contains("outlook = fog: Play (0)\n\nNumber of leaves: 6\nNumber of nodes: 9\n"));
    let Reasons::Paths { paths } = model.explain(&foggy, 0).expect("reasons").reasons else {
        panic!("no paths")
    };
    assert_eq!((paths[0].steps[1].condition.as_str(), paths[0].steps[1].rows), ("outlook = fog", 0.0));
}

#[test]
fn the_way_of_a_row_is_told() {
    let model = fit("c45:estimate=raw", &golf_without_outlook());
    let conditions = |row: &str| {
        let explanation = model.explain(&golf_rows(row), 0).expect("reasons");
        let Reasons::Paths { paths } = explanation.reasons else { panic!("no paths") };
        let steps = |path: &Path| path.steps.iter().map(|step| step.condition.clone()).collect::<Vec<_>>();
        paths.iter().map(|path| steps(path).join("; ")).collect::<Vec<String>>()
    };
    assert_eq!(conditions("sunny 72 70 t P"), ["; outlook = sunny; humidity <= 75"]);
    let expected = [
        "; outlook missing: 38 % go to sunny; humidity > 75",
        "; outlook missing: 38 % go to rain; windy = t",
        "; outlook missing: 23 % go to overcast",
    ];
    let mut found = conditions("? 72 95 t P");
    found.sort_by_key(|path| expected.iter().position(|known| known == path));
    assert_eq!(found, expected);
}

#[test]
fn the_graph_names_tests_and_leaves() {
    let graph = fit("c45", &golf()).graph().expect("a graph");
    assert!(graph.starts_with("digraph tree {"), "{graph}");
    assert!(
        graph.contains("n0 [label=\"outlook\"];") && graph.contains("[shape=box, label=\"Play (4)\"]"),
        "{graph}"
    );
    assert!(graph.contains("[label=\"<= 75\"]"), "{graph}");
}
