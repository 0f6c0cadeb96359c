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

/// Digits as columns of codes: the first digit counts from `lowest`.
fn digits(rows: &str, place: usize, lowest: u32) -> Vec<u32> {
    let digit = |row: &str| row.chars().nth(place).and_then(|digit| digit.to_digit(10));
    rows.split_whitespace().filter_map(digit).map(|digit| digit - lowest).collect()
}

fn toy_columns(rows: &str) -> Dataset {
    let column = |(name, place, lowest, n_levels): (&str, usize, u32, u32)| {
        let levels = Levels::declared((lowest..lowest + n_levels).map(|level| level.to_string()));
        Column::new(name, Kind::Categorical(levels), Values::Codes(digits(rows, place, lowest)))
    };
    let columns = [("x1", 0, 1, 3), ("x2", 1, 0, 2), ("x3", 2, 1, 4)].map(column);
    Dataset::new(columns.into_iter().collect::<Result<_, _>>().expect("codes")).expect("columns")
}

/// The training rows.
pub(crate) fn toy() -> Dataset {
    let target = Target::new("t", ["-", "+"], digits(TOY, 3, 0)).expect("classes");
    toy_columns(TOY).with_target(target).expect("as many rows")
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
const GOLF: &str = "sunny 85 85 f D; sunny 80 90 t D; overcast 83 78 f P; rain 70 96 f P; rain 68 80 f P; \
    rain 65 70 t D; overcast 64 65 t P; sunny 72 95 f D; sunny 69 70 f P; rain 75 80 f P; sunny 75 70 t P; \
    overcast 72 90 t P; overcast 81 75 f P; rain 71 80 t D";

/// The golf data (Quinlan 1993) with the classes in the order Play, Don't Play.
pub(crate) fn golf() -> Dataset {
    let dataset = golf_rows(GOLF);
    let class = |row: &str| u32::from(row.trim().ends_with('D'));
    let target = Target::new("golf", ["Play", "Don't Play"], GOLF.split(';').map(class).collect());
    dataset.with_target(target.expect("classes")).expect("as many rows")
}

/// Rows of weather.
pub(crate) fn golf_rows(rows: &str) -> Dataset {
    let field = |place: usize| {
        let field = move |row: &'_ str| row.split_whitespace().nth(place).unwrap_or("?").to_owned();
        rows.split(';').map(field).collect::<Vec<String>>()
    };
    let coded = |name: &str, place: usize, levels: &[&str]| {
        let code =
            |text: &String| levels.iter().position(|level| level == text).map_or(MISSING, |idx| idx as u32);
        let kind = Kind::Categorical(Levels::declared(levels.iter().copied()));
        Column::new(name, kind, Values::Codes(field(place).iter().map(code).collect())).expect("codes")
    };
    let numeric = |name: &str, place: usize| {
        let numbers = field(place).iter().map(|text| text.parse().unwrap_or(f64::NAN)).collect();
        Column::new(name, Kind::Numeric, Values::Numbers(numbers)).expect("numbers")
    };
    Dataset::new(vec![
        coded("outlook", 0, &["sunny", "overcast", "rain"]),
        numeric("temperature", 1),
        numeric("humidity", 2),
        coded("windy", 3, &["t", "f"]),
    ])
    .expect("columns")
}
