//! What a case of one of the four outcomes is worth: the same for all, or case by case.

use crate::checks::{check_amounts, check_length};
use crate::error::Error;

/// One cell of a matrix of the four outcomes: the same for every case, or a column of numbers that were computed elsewhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CellValue<'a> {
    /// The same for every case.
    Constant(f64),
    /// One value a case. Only those of cases that can fall into the cell are looked at.
    Column(&'a [f64]),
    /// The absolute value of a column.
    Magnitude(&'a [f64]),
}

impl CellValue<'_> {
    pub(crate) fn of(&self, row: usize) -> f64 {
        match self {
            Self::Constant(value) => *value,
            Self::Column(values) => values[row],
            Self::Magnitude(values) => values[row].abs(),
        }
    }

    /// Checks the values of the rows that can fall into the cell.
    pub(crate) fn check(
        &self,
        column: &'static str,
        n_rows: usize,
        falls_in: impl Fn(usize) -> bool,
    ) -> Result<(), Error> {
        match self {
            Self::Constant(value) => {
                check_amounts(column, &[*value], |_| true).map_err(|_| Error::OutOfRange {
                    what: column,
                    value: *value,
                    expected: "0, or a number from 1e-100 to 1e100 or its negative",
                })
            }
            Self::Column(values) | Self::Magnitude(values) => {
                check_length(column, values.len(), n_rows)?;
                check_amounts(column, values, falls_in)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_rows_that_can_fall_into_the_cell_are_checked() {
        let values = [1.0, f64::NAN, -2.0];
        assert!(CellValue::Column(&values).check("benefit", 3, |row| row != 1).is_ok());
        assert!(CellValue::Magnitude(&values).check("benefit", 3, |_| true).is_err());
        assert!(CellValue::Column(&values).check("benefit", 2, |_| false).is_err());
        assert_eq!([CellValue::Column(&values).of(2), CellValue::Magnitude(&values).of(2)], [-2.0, 2.0]);
    }

    #[test]
    fn constants_of_which_sums_of_squares_fail_are_refused() {
        for wrong in [f64::NAN, f64::INFINITY, 1e101, -1e-170] {
            let error = CellValue::Constant(wrong).check("benefit", 3, |_| true).expect_err("extreme");
            assert!(error.to_string().contains("benefit"), "{error}");
        }
        assert!(CellValue::Constant(0.0).check("benefit", 3, |_| true).is_ok());
    }
}
