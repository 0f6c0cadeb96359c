//! Rows that stand in a table more than once: training and test parts then share cases, and figures flatter.
//!
//! Rows of a few categories repeat by nature. So repetitions are told only where a column of numbers has so many different
//! values that equal rows are no coincidence, and where they are many.

use std::fmt;
use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use tribunal_learn::{Column, Values};

/// Fewer copies than this share of the rows are not worth a word.
const FEW: f64 = 0.1;

/// A column tells rows apart that has so many different numbers, none of them in more than one of so many rows.
const DISTINCT: usize = 50;
const ROWS_PER_NUMBER: usize = 20;

/// How many rows are copies of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RepeatedRows {
    /// Rows that repeat an earlier one in every column.
    pub(crate) copies: u64,
    /// All rows.
    pub(crate) rows: u64,
}

impl fmt::Display for RepeatedRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = 100.0 * self.copies as f64 / self.rows as f64;
        write!(
            f,
            "{} of {} rows ({share:.0} %) repeat an earlier row in every column",
            self.copies, self.rows
        )
    }
}

/// The copies among the rows of some columns, where they are many and no coincidence.
pub(crate) fn repeated_rows<'a>(columns: impl Iterator<Item = &'a Column> + Clone) -> Option<RepeatedRows> {
    let n_rows = columns.clone().next()?.values().len();
    if !columns.clone().any(tells_rows_apart) {
        return None;
    }
    let mut hashers = vec![FxHasher::default(); n_rows];
    for column in columns {
        match column.values() {
            Values::Numbers(numbers) => {
                hashers.iter_mut().zip(numbers).for_each(|(hasher, number)| bits(*number).hash(hasher));
            }
            Values::Codes(codes) => {
                hashers.iter_mut().zip(codes).for_each(|(hasher, code)| code.hash(hasher));
            }
        }
    }
    let distinct: FxHashSet<u64> = hashers.iter().map(Hasher::finish).collect();
    let copies = n_rows - distinct.len();
    let is_much = copies as f64 >= FEW * n_rows as f64;
    is_much.then_some(RepeatedRows { copies: copies as u64, rows: n_rows as u64 })
}

fn tells_rows_apart(column: &Column) -> bool {
    let Values::Numbers(numbers) = column.values() else { return false };
    let mut rows_of_number: FxHashMap<u64, usize> = FxHashMap::default();
    numbers.iter().for_each(|&number| *rows_of_number.entry(bits(number)).or_default() += 1);
    let commonest = rows_of_number.values().max().copied().unwrap_or(0);
    rows_of_number.len() >= DISTINCT && commonest * ROWS_PER_NUMBER <= numbers.len()
}

/// What tells numbers apart; both zeros are one.
fn bits(number: f64) -> u64 {
    (number + 0.0).to_bits()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tribunal_learn::Kind;

    fn check(values: Vec<f64>, flags: Vec<u32>, expected: Option<u64>) {
        let columns = [
            Column::new("paid", Kind::Numeric, Values::Numbers(values)).expect("numbers"),
            Column::new("night", Kind::Flag, Values::Codes(flags)).expect("flags"),
        ];
        assert_eq!(repeated_rows(columns.iter()).map(|found| found.copies), expected);
    }

    #[test]
    fn a_table_that_was_put_below_itself_is_seen() {
        let paid = |row: u32| f64::from(row % 100) * 1.5;
        check((0..200).map(paid).collect(), (0..200).map(|row| row % 2).collect(), Some(100));
        // The same amounts, but other cases.
        check((0..200).map(paid).collect(), (0..200).map(|row| u32::from(row < 100)).collect(), None);
    }

    #[test]
    fn rows_of_few_values_repeat_by_nature() {
        check((0..200).map(|row| f64::from(row % 7)).collect(), vec![0; 200], None);
        check(vec![f64::NAN; 200], vec![1; 200], None);
        // An amount that most rows do not have.
        let paid = |row: u32| if row < 90 { f64::from(row) } else { 0.0 };
        check((0..200).map(paid).collect(), (0..200).map(|row| row % 2).collect(), None);
    }
}
