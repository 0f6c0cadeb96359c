//! A share of the rows, written as a decimal (`0.7`) or as a ratio (`2/3`), and how many rows it comes to.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, ErrorKind};

/// A share strictly between 0 and 1 that is shown as it was written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share(Written);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Written {
    Ratio(u32, u32),
    Decimal(f64),
}

impl Share {
    /// `part` of `whole`, as in 2/3.
    ///
    /// # Errors
    /// The share is not between 0 and 1.
    pub fn ratio(part: u32, whole: u32) -> Result<Self, Error> {
        Self(Written::Ratio(part, whole)).checked()
    }

    /// A decimal, as in 0.7.
    ///
    /// # Errors
    /// The share is not between 0 and 1.
    pub fn decimal(value: f64) -> Result<Self, Error> {
        Self(Written::Decimal(value)).checked()
    }

    /// The share as a number.
    pub fn get(self) -> f64 {
        match self.0 {
            Written::Ratio(part, whole) => f64::from(part) / f64::from(whole),
            Written::Decimal(value) => value,
        }
    }

    fn checked(self) -> Result<Self, Error> {
        if self.get() > 0.0 && self.get() < 1.0 { Ok(self) } else { Err(no_share(&self.to_string())) }
    }

    /// A ratio that the caller knows to be a share.
    pub(super) const fn constant(part: u32, whole: u32) -> Self {
        Self(Written::Ratio(part, whole))
    }

    /// The share of `n` rows, halves rounded up.
    pub(super) fn of_rows(self, n: usize) -> usize {
        (self.get() * n as f64 + 0.5).floor() as usize
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Written::Ratio(part, whole) => write!(f, "{part}/{whole}"),
            Written::Decimal(value) => write!(f, "{value}"),
        }
    }
}

impl FromStr for Share {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = |_| no_share(text);
        match text.split_once('/') {
            Some((part, whole)) => Self::ratio(part.parse().map_err(wrong)?, whole.parse().map_err(wrong)?),
            None => Self::decimal(text.parse().map_err(|_| no_share(text))?),
        }
    }
}

fn no_share(text: &str) -> Error {
    Error::new(
        ErrorKind::BadShare,
        format!("`{text}` is no share of the rows: write a number between 0 and 1, such as 0.7 or 2/3"),
    )
}

/// The whole part of a product of a share and a number of rows; a hair below a whole number counts as that number.
pub(crate) fn floor_of(product: f64) -> usize {
    (product + 1e-12).floor() as usize
}

/// How many of `total` rows each class gives, proportional to its size; rows left over by rounding down go to the
/// classes with the largest remainders, the first of equals (Hamilton's method).
pub(super) fn largest_remainder(share: f64, total: usize, sizes: &[usize]) -> Vec<usize> {
    // Remainders are compared to nine digits, so that the last bit of a product does not break a tie.
    const DIGITS: f64 = 1e9;
    let mut given: Vec<usize> = sizes.iter().map(|&size| floor_of(share * size as f64)).collect();
    let remainder =
        |class: usize| ((share * sizes[class] as f64 - given[class] as f64) * DIGITS).round() as i64;
    let mut classes: Vec<usize> = (0..sizes.len()).collect();
    classes.sort_by_key(|&class| (-remainder(class), class));
    let left = total.saturating_sub(given.iter().sum());
    classes.iter().take(left).for_each(|&class| given[class] += 1);
    given
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn golden_allocations() {
        let check = |share: Share, sizes: &[usize], expected: &[usize]| {
            let total = share.of_rows(sizes.iter().sum());
            assert_eq!(largest_remainder(share.get(), total, sizes), expected, "{share} of {sizes:?}");
        };
        let two_thirds = Share::constant(2, 3);
        check(two_thirds, &[8, 4], &[5, 3]);
        check(two_thirds, &[7, 5], &[5, 3]);
        check(two_thirds, &[1003, 396], &[669, 264]);
        check(Share::constant(1, 2), &[5, 5, 5], &[3, 3, 2]);
        // Both remainders are two thirds, though their floating-point images differ.
        check(two_thirds, &[10, 4], &[7, 2]);
    }

    #[test]
    fn shares_are_shown_as_written() {
        for text in ["2/3", "0.7", "0.25"] {
            assert_eq!(text.parse::<Share>().expect("a share").to_string(), text);
        }
        for text in ["0", "1", "3/2", "-0.1", "x", "1/0", "0/0", "NaN", "inf", "2/x"] {
            let error = text.parse::<Share>().expect_err(text);
            assert_eq!(error.kind(), ErrorKind::BadShare, "{text}");
        }
    }

    proptest! {
        #[test]
        fn allocations_add_up_and_no_class_gives_more_than_it_has(
            sizes in prop::collection::vec(0usize..60, 1..6), part in 1u32..40, more in 1u32..40
        ) {
            let share = Share::constant(part, part + more);
            let total = share.of_rows(sizes.iter().sum());
            let given = largest_remainder(share.get(), total, &sizes);
            prop_assert_eq!(given.iter().sum::<usize>(), total);
            for (given, size) in given.iter().zip(&sizes) {
                prop_assert!(given <= size);
                prop_assert!((*given as f64 - share.get() * *size as f64).abs() < 1.0 + 1e-9);
            }
        }
    }
}
