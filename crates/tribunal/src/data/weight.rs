//! A column of weights: a number in every row, zero or more.

use tribunal_learn::Values;

use super::typed::TypedColumn;
use crate::error::Error;

/// The weight of each row.
pub(super) fn weights(column: &TypedColumn) -> Result<Vec<f64>, Error> {
    let name = column.column.name();
    if let Some(stray) = column.strays.first() {
        let (place, text) = (&stray.place, &stray.text);
        return Err(Error::data(format!(
            "{place}, column \"{name}\": the weight \"{text}\" is not a finite number; correct it"
        )));
    }
    let Values::Numbers(weights) = column.column.values() else {
        return Err(Error::data(format!("column \"{name}\" holds no numbers, so it cannot weigh rows")));
    };
    let wrong = |row: usize, what: &str| {
        let advice = "weights are zero or more; give a row that is not to count the weight 0";
        Err(Error::data(format!("column \"{name}\", row {}: the weight {what}; {advice}", row + 1)))
    };
    match weights.iter().position(|weight| weight.is_nan() || *weight < 0.0) {
        Some(row) if weights[row].is_nan() => wrong(row, "is missing"),
        Some(row) => wrong(row, &format!("{} is negative", weights[row])),
        None if weights.iter().all(|&weight| weight == 0.0) => {
            Err(Error::data(format!("every weight in \"{name}\" is zero: no row counts")))
        }
        None => Ok(weights.clone()),
    }
}
