//! What each case was, from booleans, numbers or labels.

use std::fmt::Display;
use std::ops::Deref;

use crate::error::Error;

/// Which cases are positive, made from the values of a column. A slice of booleans needs no conversion: everything that
/// takes truth takes `&[bool]`, and a `&Truth` is one.
///
/// ```
/// use tribunal_eval::{Ranking, Truth, metrics::auroc};
///
/// let scores = [0.9, 0.2, 0.6];
/// let from_labels = Truth::from_labels(&["fraud", "honest", "honest"], "fraud");
/// let from_integers = Truth::from_integers(&[1, 0, 0])?;
/// assert_eq!(from_labels, from_integers);
/// assert_eq!(auroc(&Ranking::from_scores(&from_labels, &scores)?)?, 1.0);
///
/// let refused = Truth::from_integers(&[1, 2, 2]).unwrap_err();
/// assert_eq!(refused.to_string(), "truth of row 1 is 2; write 0 or 1, or name the value that is positive");
/// assert_eq!(Truth::from_values(&[1, 2, 2], &1), from_integers);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Truth(Vec<bool>);

impl Truth {
    /// 1 is positive and 0 negative, of any number type.
    ///
    /// # Errors
    /// A value is neither.
    pub fn from_integers<T: Copy + Display + From<bool> + PartialEq>(values: &[T]) -> Result<Self, Error> {
        let (zero, one) = (T::from(false), T::from(true));
        match values.iter().position(|value| *value != zero && *value != one) {
            Some(row) => Err(Error::NotBinary { row, value: values[row].to_string() }),
            None => Ok(Self::from_values(values, &one)),
        }
    }

    /// Cases with this label are positive, all others negative. Where no case has it there are no positives.
    pub fn from_labels(labels: &[impl AsRef<str>], positive: &str) -> Self {
        Self(labels.iter().map(|label| label.as_ref() == positive).collect())
    }

    /// Cases with this value are positive, all others negative. Where no case has it there are no positives.
    pub fn from_values<T: PartialEq>(values: &[T], positive: &T) -> Self {
        Self(values.iter().map(|value| value == positive).collect())
    }
}

impl Deref for Truth {
    type Target = [bool];

    fn deref(&self) -> &[bool] {
        &self.0
    }
}

impl From<Vec<bool>> for Truth {
    fn from(truth: Vec<bool>) -> Self {
        Self(truth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_and_ones_of_any_number_type_are_truth() {
        let expected = [true, false];
        assert_eq!(*Truth::from_integers(&[1_u8, 0]).expect("binary"), expected);
        assert_eq!(*Truth::from_integers(&[1_i64, 0]).expect("binary"), expected);
        assert_eq!(*Truth::from_integers(&[1.0_f64, -0.0]).expect("binary"), expected);
        assert_eq!(Truth::from_integers(&[1, -1]).expect_err("-1 was let through").row(), Some(1));
        assert!(Truth::from_integers(&[f64::NAN]).is_err());
    }

    #[test]
    fn labels_may_be_borrowed_or_owned_and_more_than_two() {
        let labels = ["a", "b", "c", "a"];
        let owned = labels.map(String::from);
        assert_eq!(*Truth::from_labels(&labels, "a"), [true, false, false, true]);
        assert_eq!(Truth::from_labels(&owned, "a"), Truth::from_labels(&labels, "a"));
    }
}
