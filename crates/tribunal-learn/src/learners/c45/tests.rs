//! Golden values of C4.5 release 8: what the original program prints, and what must hold of any tree.

use super::candidate::{Verdict, average_gain, worth};
use super::cases::{CaseValues, Cases};
use super::entropy::Bits;
use super::estimate::{Estimate, Smoothing};
use super::grow::grow;
use super::prune::{Pruning, prune};
use super::rows::{Index, Rows};
use super::tally::Tally;
use super::tree::{Test, Tree};
use super::weights::{Once, RowWeights};
use super::{nominal, numeric};
use crate::column::{Column, MISSING, Values};
use crate::dataset::Dataset;
use crate::encoding::NominalEncoder;
use crate::kind::{Kind, Levels};
use crate::learners::{Learner, fit_all};
use crate::model::Model;
use crate::target::Target;
use crate::training::Training;

const PRUNING: Pruning = Pruning { level: 0.25, is_raising: true };

const GOLF: &str = "sunny 85 85 f D; sunny 80 90 t D; overcast 83 78 f P; rain 70 96 f P; rain 68 80 f P; \
                    rain 65 70 t D; overcast 64 65 t P; sunny 72 95 f D; sunny 69 70 f P; rain 75 80 f P; \
                    sunny 75 70 t P; overcast 72 90 t P; overcast 81 75 f P; rain 71 80 t D";

fn nominal_column(name: &str, levels: &[&str], values: &[&str]) -> Column {
    let code =
        |value: &&str| levels.iter().position(|level| level == value).map_or(MISSING, |code| code as u32);
    let codes = values.iter().map(code).collect();
    Column::new(name, Kind::Categorical(Levels::declared(levels.iter().copied())), Values::Codes(codes))
        .expect("a nominal column")
}

fn numeric_column(name: &str, values: &[&str]) -> Column {
    let numbers = values.iter().map(|value| value.parse().unwrap_or(f64::NAN)).collect();
    Column::new(name, Kind::Numeric, Values::Numbers(numbers)).expect("a numeric column")
}

/// Golf as text: outlook, temperature, humidity, windy, class.
fn golf(text: &str) -> Dataset {
    let rows: Vec<Vec<&str>> = text.split(';').map(|row| row.split_whitespace().collect()).collect();
    let column = |at: usize| rows.iter().map(|row| row[at]).collect::<Vec<&str>>();
    let columns = vec![
        nominal_column("outlook", &["sunny", "overcast", "rain"], &column(0)),
        numeric_column("temperature", &column(1)),
        numeric_column("humidity", &column(2)),
        nominal_column("windy", &["t", "f"], &column(3)),
    ];
    let classes = column(4).iter().map(|&class| u32::from(class == "D")).collect();
    let target = Target::new("play", ["Play", "Don't Play"], classes).expect("a target");
    Dataset::new(columns).and_then(|data| data.with_target(target)).expect("golf")
}

fn golf_without_outlook() -> Dataset {
    golf(&GOLF.replacen("overcast 72 90", "? 72 90", 1))
}

/// Fourteen rows of three nominal columns, as digits: x1 x2 x3 and the class.
fn toy() -> Dataset {
    let rows = "1010 1020 1120 2010 2030 2121 2141 3030 3041 3131 3141 1140 1011 3120";
    let rows: Vec<&str> = rows.split(' ').collect();
    let column = |at: usize| rows.iter().map(|row| &row[at..=at]).collect::<Vec<&str>>();
    let columns = vec![
        nominal_column("x1", &["1", "2", "3"], &column(0)),
        nominal_column("x2", &["0", "1"], &column(1)),
        nominal_column("x3", &["1", "2", "3", "4"], &column(2)),
    ];
    let classes = column(3).iter().map(|&class| u32::from(class == "1")).collect();
    let target = Target::new("t", ["-", "+"], classes).expect("a target");
    Dataset::new(columns).and_then(|data| data.with_target(target)).expect("toy")
}

fn all_rows(dataset: &Dataset) -> Vec<u32> {
    (0..dataset.n_rows() as u32).collect()
}

fn training(dataset: &Dataset) -> Training<'static> {
    let rows = all_rows(dataset);
    let encoder = NominalEncoder::fit(dataset, &rows, None).expect("an encoder");
    Training::encode(dataset, &rows, &encoder).expect("training rows")
}

fn grown(dataset: &Dataset) -> Tree {
    let training = training(dataset);
    grow(&Cases::new(&training), &RowWeights::of(&training), 2.0)
}

fn pruned(dataset: &Dataset) -> (Tree, f64) {
    let training = training(dataset);
    let (cases, weights) = (Cases::new(&training), RowWeights::of(&training));
    prune(&grow(&cases, &weights, 2.0), &cases, &weights, PRUNING)
}

fn fit(learner: &str, dataset: &Dataset) -> Model {
    let learner: Learner = learner.parse().expect(learner);
    learner.fit(dataset, &all_rows(dataset), 1).expect("a model")
}

fn check_near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-8, "{found} is not {expected}");
}

/// The verdict of every column on some rows of a data set.
fn verdicts(dataset: &Dataset, rows: &[u32]) -> Vec<Verdict> {
    let dataset = dataset.take(rows);
    let training = training(&dataset);
    let cases = Cases::new(&training);
    let (index, all) = (Index::new(cases.rows.clone()), Rows::all(cases.rows.len()));
    let (mut tally, bits) = (Tally::new(cases.n_classes), Bits::new(100));
    let mut verdict = |column: &super::cases::CaseColumn| {
        tally.sum(column, &index.rows, &all, &Once);
        match &column.values {
            CaseValues::Codes(_) => nominal::evaluate(&tally, 2.0, &bits),
            CaseValues::Numbers { distinct, .. } => numeric::evaluate(&tally, distinct, 2.0, &bits),
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
    let dataset = golf(GOLF);
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
    let sunny = verdicts(&golf(GOLF), &[0, 1, 7, 8, 10]);
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
    assert_eq!(fit("c45:unpruned", &golf(GOLF)).text(), expected);
    assert_eq!(fit("c45", &golf(GOLF)).text(), expected);
}

#[test]
fn the_estimates_of_golf_are_those_of_the_original() {
    let (tree, errors) = pruned(&golf(GOLF));
    assert!((errors - 5.391810).abs() < 1e-6, "{errors}");
    assert_eq!(tree, grown(&golf(GOLF)));
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
    let query = golf("? 72 95 t P; overcast 60 60 f P");
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
