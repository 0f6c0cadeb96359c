//! Why a figure could not be computed.
//!
//! One error for intervals and significance tests alike: the input cannot carry the figure, and the message says which
//! part of it and what to do. Rules that settle a degenerate case by definition (a variance of zero, no discordant
//! pair) give a value instead and never come here.

use thiserror::Error;

/// The input cannot carry the figure that was asked for.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum Unusable {
    /// A number lies outside the range in which the figure is defined.
    #[error("{what} is {value}; expected {expected}")]
    OutOfRange {
        /// The quantity, in the user's words.
        what: &'static str,
        /// The value that was given.
        value: f64,
        /// The range that would have been usable.
        expected: &'static str,
    },
    /// There are fewer observations than the figure needs.
    #[error("{found} {what}; at least {needed} needed")]
    TooFew {
        /// What is counted, in the plural.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        needed: usize,
    },
    /// Two inputs that describe the same rows have different lengths.
    #[error("{what} has {found} values; expected {expected}, one per row")]
    LengthMismatch {
        /// The shorter or longer input.
        what: String,
        /// Its length.
        found: usize,
        /// The length of the other.
        expected: usize,
    },
    /// A value is NaN or infinite where a number is needed.
    #[error("{what} {position} is {value}; remove or repair it first")]
    NotFinite {
        /// What the value is.
        what: &'static str,
        /// Its place, counted from 0.
        position: usize,
        /// The value itself.
        value: f64,
    },
    /// The scores of a class are not in ascending order.
    #[error("{what} fall at position {position}; sort them ascending first")]
    NotSorted {
        /// Which scores.
        what: &'static str,
        /// The first position whose score is below its predecessor.
        position: usize,
    },
    /// A table of algorithms by folds lacks a cell.
    #[error(
        "no value for algorithm {algorithm:?} in fold {fold:?}; every algorithm needs one value in every fold"
    )]
    IncompleteTable {
        /// The algorithm's name.
        algorithm: String,
        /// The fold's name.
        fold: String,
    },
    /// A table of algorithms by folds has a cell twice.
    #[error("two values for algorithm {algorithm:?} in fold {fold:?}; keep one")]
    RepeatedCell {
        /// The algorithm's name.
        algorithm: String,
        /// The fold's name.
        fold: String,
    },
    /// A cell of a table of algorithms by folds is NaN or infinite.
    #[error(
        "the value of algorithm {algorithm:?} in fold {fold:?} is {value}; only finite numbers can be compared"
    )]
    NotFiniteCell {
        /// The algorithm's name.
        algorithm: String,
        /// The fold's name.
        fold: String,
        /// The value itself.
        value: f64,
    },
    /// The figure has no value on this input.
    #[error("{figure} is undefined: {reason}")]
    Undefined {
        /// The figure.
        figure: &'static str,
        /// Why it has no value, and what would give it one.
        reason: &'static str,
    },
}

/// `value` when `usable` holds, otherwise an error that names the quantity.
pub(crate) fn within(
    what: &'static str,
    value: f64,
    usable: bool,
    expected: &'static str,
) -> Result<f64, Unusable> {
    if usable { Ok(value) } else { Err(Unusable::OutOfRange { what, value, expected }) }
}

/// `Ok` when every value is finite, otherwise an error that names the first that is not.
pub(crate) fn all_finite(what: &'static str, values: &[f64]) -> Result<(), Unusable> {
    match values.iter().position(|value| !value.is_finite()) {
        Some(position) => Err(Unusable::NotFinite { what, position, value: values[position] }),
        None => Ok(()),
    }
}

/// `Ok` when there are at least `needed`, otherwise an error that names what is missing.
pub(crate) fn at_least(what: &'static str, found: usize, needed: usize) -> Result<(), Unusable> {
    if found >= needed { Ok(()) } else { Err(Unusable::TooFew { what, found, needed }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_say_what_and_what_to_do() {
        let missing = Unusable::IncompleteTable { algorithm: "TAN".into(), fold: "3".into() };
        assert_eq!(
            missing.to_string(),
            "no value for algorithm \"TAN\" in fold \"3\"; every algorithm needs one value in every fold"
        );
        let bad = all_finite("difference", &[0.1, f64::NAN]).expect_err("a NaN was let through");
        assert_eq!(bad.to_string(), "difference 1 is NaN; remove or repair it first");
        let few = at_least("folds", 1, 2).expect_err("one fold was let through");
        assert_eq!(few.to_string(), "1 folds; at least 2 needed");
    }
}
