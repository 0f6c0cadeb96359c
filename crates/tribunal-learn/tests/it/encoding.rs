//! Columns as numbers agree with scikit-learn: means and commonest values for what is missing, indicators, one scale.

use serde::Deserialize;
use tribunal_learn::encoding::{NumericEncoder, NumericOptions};
use tribunal_learn::{Column, Dataset, Kind, Levels, MISSING, Values};

#[derive(Deserialize)]
struct Reference {
    number: Vec<Option<f64>>,
    colour: Vec<Option<u32>>,
    flag: Vec<Option<u32>>,
    training: u32,
    encoded: Vec<Vec<f64>>,
}

#[test]
fn encoded_columns_are_those_of_scikit_learn() {
    let reference: Reference =
        serde_json::from_str(include_str!("../reference/encoding.json")).expect("the reference is JSON");
    let numbers = reference.number.iter().map(|value| value.unwrap_or(f64::NAN)).collect();
    let codes =
        |codes: &[Option<u32>]| Values::Codes(codes.iter().map(|code| code.unwrap_or(MISSING)).collect());
    let colours = Kind::Categorical(Levels::met(["blue", "green", "red"]));
    let columns = [
        Column::new("number", Kind::Numeric, Values::Numbers(numbers)),
        Column::new("colour", colours, codes(&reference.colour)),
        Column::new("flag", Kind::Flag, codes(&reference.flag)),
    ];
    let columns: Result<Vec<Column>, _> = columns.into_iter().collect();
    let dataset = columns.and_then(Dataset::new).expect("a data set");
    let training: Vec<u32> = (0..reference.training).collect();
    let encoder = NumericEncoder::fit(&dataset, &training, &NumericOptions::default()).expect("fitted");
    let rows: Vec<u32> = (0..dataset.n_rows() as u32).collect();
    let matrix = encoder.encode(&dataset, &rows).expect("encoded");
    assert_eq!(matrix.n_columns(), reference.encoded.len());
    for (idx, expected) in reference.encoded.iter().enumerate() {
        for (row, (found, expected)) in matrix.column(idx).iter().zip(expected).enumerate() {
            assert!((found - expected).abs() < 1e-12, "column {idx}, row {row}: {found} {expected}");
        }
    }
}
