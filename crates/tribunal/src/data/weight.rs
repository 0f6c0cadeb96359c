//! A column of weights: a number in every row, zero or more.

use tribunal_learn::{ColumnSchema, Role, Schema, Target, Values};

use super::target::FoundTarget;
use super::typed::TypedColumn;
use crate::error::Error;

/// Refuses weights that classes are made of: such a column is read as its classes.
pub(super) fn check(schema: &Schema, targets: &[FoundTarget]) -> Result<(), Error> {
    let is_weight =
        |target: &&FoundTarget| schema.columns.get(&target.column) == Some(&ColumnSchema::Role(Role::Weight));
    targets.iter().find(is_weight).map_or(Ok(()), |target| {
        Err(Error::usage(format!(
            "the target is made of \"{}\", so it cannot weigh rows too; name another column of weights, or none",
            target.column
        )))
    })
}

/// Refuses a target of which all rows that count are of one class.
pub(super) fn check_classes(target: &Target, weights: &[f64]) -> Result<(), Error> {
    let mut counted =
        target.codes().iter().zip(weights).filter(|(_, weight)| **weight > 0.0).map(|(code, _)| *code);
    let Some(first) = counted.next() else {
        return Err(Error::data(format!(
            "target \"{}\": every row with a class has the weight 0: no row counts",
            target.name()
        )));
    };
    match counted.all(|code| code == first) {
        false => Ok(()),
        true => Err(Error::data(format!(
            "target \"{}\": every row that counts is \"{}\", the others have the weight 0; there is nothing to tell apart",
            target.name(),
            target.classes()[first as usize]
        ))),
    }
}

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
