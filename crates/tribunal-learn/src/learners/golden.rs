//! Small data sets with known answers, for the tests of all learners.

use crate::column::{Column, MISSING, Values};
use crate::dataset::Dataset;
use crate::kind::{Kind, Levels};
use crate::learners::Learner;
use crate::target::Target;

/// Fourteen rows of three columns (x1 in 1..3, x2 in 0..1, x3 in 1..4) and a class; six are positive.
const TOY: &str = "1010 1020 1120 2010 2030 2121 2141 3030 3041 3131 3141 1140 1011 3120";
/// Rows to ask about.
const TOY_QUERIES: &str = "213 111 301 204";

/// A column of levels; what is none of them is missing.
pub(crate) fn nominal_column(name: &str, levels: &[&str], values: &[&str]) -> Column {
    let code =
        |value: &&str| levels.iter().position(|level| level == value).map_or(MISSING, |code| code as u32);
    let kind = Kind::Categorical(Levels::declared(levels.iter().copied()));
    Column::new(name, kind, Values::Codes(values.iter().map(code).collect())).expect("a nominal column")
}

/// A column of numbers; what is none is missing.
pub(crate) fn numeric_column(name: &str, values: &[&str]) -> Column {
    let numbers = values.iter().map(|value| value.parse().unwrap_or(f64::NAN)).collect();
    Column::new(name, Kind::Numeric, Values::Numbers(numbers)).expect("a numeric column")
}

/// The values of one place in rows of digits.
fn digits(rows: &str, place: usize) -> Vec<&str> {
    rows.split(' ').map(|row| &row[place..=place]).collect()
}

fn toy_columns(rows: &str) -> Dataset {
    Dataset::new(vec![
        nominal_column("x1", &["1", "2", "3"], &digits(rows, 0)),
        nominal_column("x2", &["0", "1"], &digits(rows, 1)),
        nominal_column("x3", &["1", "2", "3", "4"], &digits(rows, 2)),
    ])
    .expect("columns")
}

fn toy_as_numbers(rows: &str) -> Dataset {
    let column = |(idx, name): (usize, &str)| numeric_column(name, &digits(rows, idx));
    Dataset::new(["x1", "x2", "x3"].into_iter().enumerate().map(column).collect()).expect("columns")
}

/// The training rows with numbers for levels.
pub(crate) fn toy_numbers() -> Dataset {
    toy_as_numbers(TOY).with_target(toy_target()).expect("as many rows")
}

/// The rows to ask about with numbers for levels.
pub(crate) fn toy_number_queries() -> Dataset {
    toy_as_numbers(TOY_QUERIES)
}

fn toy_target() -> Target {
    let classes = digits(TOY, 3).iter().map(|&class| u32::from(class == "1")).collect();
    Target::new("t", ["-", "+"], classes).expect("classes")
}

/// The training rows.
pub(crate) fn toy() -> Dataset {
    toy_columns(TOY).with_target(toy_target()).expect("as many rows")
}

/// The rows to ask about.
pub(crate) fn toy_queries() -> Dataset {
    toy_columns(TOY_QUERIES)
}

/// The scores of the queries after learning from the training rows.
pub(crate) fn toy_scores(learner: &str) -> Vec<f64> {
    let learner: Learner = learner.parse().expect("a learner");
    let rows: Vec<u32> = (0..14).collect();
    let model = learner.fit(&toy(), &rows, 42).expect("a model");
    model.posteriors(&toy_queries(), &[0, 1, 2, 3]).expect("scores").scores()
}

/// Compares scores with known ones.
pub(crate) fn check_close(found: &[f64], expected: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= tolerance, "{what}: {found} is not {expected}");
    }
}

/// The weather and whether golf was played: `sunny 85 85 f D` and so on; `?` is missing.
pub(crate) const GOLF: &str = "sunny 85 85 f D; sunny 80 90 t D; overcast 83 78 f P; rain 70 96 f P; rain 68 80 f P; \
    rain 65 70 t D; overcast 64 65 t P; sunny 72 95 f D; sunny 69 70 f P; rain 75 80 f P; sunny 75 70 t P; \
    overcast 72 90 t P; overcast 81 75 f P; rain 71 80 t D";

/// The golf data (Quinlan 1993) with the classes in the order Play, Don't Play.
pub(crate) fn golf() -> Dataset {
    golf_of(GOLF)
}

/// The same with the outlook of the twelfth row missing.
pub(crate) fn golf_without_outlook() -> Dataset {
    golf_of(&GOLF.replacen("overcast 72 90", "? 72 90", 1))
}

fn golf_of(rows: &str) -> Dataset {
    let class = |row: &str| u32::from(row.ends_with('D'));
    let target = Target::new("golf", ["Play", "Don't Play"], rows.split(';').map(class).collect());
    golf_rows(rows).with_target(target.expect("classes")).expect("as many rows")
}

/// Rows of weather: outlook, temperature, humidity, windy; whatever follows is passed over.
pub(crate) fn golf_rows(rows: &str) -> Dataset {
    let column = |place: usize| -> Vec<&str> {
        rows.split(';').filter_map(|row| row.split_whitespace().nth(place)).collect()
    };
    Dataset::new(vec![
        nominal_column("outlook", &["sunny", "overcast", "rain"], &column(0)),
        numeric_column("temperature", &column(1)),
        numeric_column("humidity", &column(2)),
        nominal_column("windy", &["t", "f"], &column(3)),
    ])
    .expect("columns")
}
