//! Checks of input that several figures share; a failure names the quantity and its place.

use rayon::prelude::*;

use crate::error::Error;

/// `value` when `usable` holds, otherwise an error that names the quantity.
pub(crate) fn within(
    what: &'static str,
    value: f64,
    usable: bool,
    expected: &'static str,
) -> Result<f64, Error> {
    if usable { Ok(value) } else { Err(Error::OutOfRange { what, value, expected }) }
}

/// `Ok` when every value is finite, otherwise an error that names the first that is not.
pub(crate) fn all_finite(what: &'static str, values: &[f64]) -> Result<(), Error> {
    match values.iter().position(|value| !value.is_finite()) {
        Some(position) => Err(Error::NotFiniteValue { what, position, value: values[position] }),
        None => Ok(()),
    }
}

/// `Ok` when there are at least `needed`, otherwise an error that names what is missing.
pub(crate) fn at_least(what: &'static str, found: usize, needed: usize) -> Result<(), Error> {
    if found >= needed { Ok(()) } else { Err(Error::TooFew { what, found, needed }) }
}

/// `Ok` when a column has as many values as the truth.
pub(crate) fn check_length(column: &'static str, found: usize, expected: usize) -> Result<(), Error> {
    if found == expected { Ok(()) } else { Err(Error::Length { column, found, expected }) }
}

/// `Ok` when every value of a column is finite.
pub(crate) fn check_finite(column: &'static str, values: &[f64]) -> Result<(), Error> {
    // Whole pieces are looked at without a branch, on all cores; the row is sought only in the first
    // piece that has one.
    const PIECE: usize = 1 << 16;
    let all_finite = |piece: &[f64]| piece.iter().fold(true, |all, value| all & value.is_finite());
    // A batch is checked where it is: whoever has one core of several waits for no other.
    let bad = if values.len() <= 4 * PIECE {
        values.chunks(PIECE).position(|piece| !all_finite(piece))
    } else {
        values.par_chunks(PIECE).position_first(|piece| !all_finite(piece))
    };
    let Some(piece) = bad else { return Ok(()) };
    let mut rows = values.iter().enumerate().skip(piece * PIECE);
    match rows.find(|(_, value)| !value.is_finite()) {
        Some((row, &value)) => Err(Error::NotFinite { column, row, value }),
        None => Ok(()),
    }
}

/// Sums of squares of numbers beyond this would not be finite, and those of numbers below its inverse would be zero.
const LARGEST: f64 = 1e100;

/// `Ok` when there is a finite weight of at least zero for every row, and none so large or small that sums of squares fail.
pub(crate) fn check_weights(weights: &[f64], expected: usize) -> Result<(), Error> {
    check_length("weight", weights.len(), expected)?;
    check_finite("weight", weights)?;
    let is_usable = |weight: f64| weight == 0.0 || (1.0 / LARGEST..=LARGEST).contains(&weight);
    match weights.iter().position(|&weight| !is_usable(weight)) {
        Some(row) if weights[row] < 0.0 => Err(Error::NegativeWeight { row, value: weights[row] }),
        Some(row) => Err(Error::Extreme { column: "weight", row, value: weights[row] }),
        None => Ok(()),
    }
}

/// `Ok` when the amounts of the rows that count are finite, and none so large or small that sums of squares fail.
pub(crate) fn check_amounts(
    column: &'static str,
    amounts: &[f64],
    counts: impl Fn(usize) -> bool,
) -> Result<(), Error> {
    let is_usable = |amount: f64| amount == 0.0 || (1.0 / LARGEST..=LARGEST).contains(&amount.abs());
    match (0..amounts.len()).find(|&row| !is_usable(amounts[row]) && counts(row)) {
        Some(row) if amounts[row].is_finite() => Err(Error::Extreme { column, row, value: amounts[row] }),
        Some(row) => Err(Error::NotFinite { column, row, value: amounts[row] }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_name_the_quantity_and_its_place() {
        let bad = all_finite("difference", &[0.1, f64::NAN]).expect_err("a NaN was let through");
        assert_eq!(bad.to_string(), "difference 1 is NaN; remove or repair it first");
        let few = at_least("folds", 1, 2).expect_err("one fold was let through");
        assert_eq!(few.to_string(), "1 folds; at least 2 needed");
    }

    #[test]
    fn amounts_whose_squares_vanish_are_refused() {
        assert!(check_amounts("amount", &[0.0, -0.0, 1e-100, -1e100], |_| true).is_ok());
        for tiny in [1e-170, -1e-101, f64::MIN_POSITIVE] {
            let error = check_amounts("amount", &[1.0, tiny], |_| true).expect_err("too small").to_string();
            assert!(error.contains("amount of row 1") && error.contains("choose another unit"), "{error}");
        }
        assert!(check_amounts("amount", &[1e-170], |_| false).is_ok());
    }
}
