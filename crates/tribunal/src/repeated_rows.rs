//! Rows that stand in a table more than once: training and test parts then share cases, and figures flatter.
//!
//! Rows of a few categories repeat by nature. What chance does is told from the column of numbers with the most different
//! values: a row has an equal among those that share its number with the probability that two random rows are alike in all
//! other columns. Copies are told where they are many, and several times as many as that.

use std::fmt;
use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use tribunal_learn::{Column, Values};
use tribunal_random::Random;

/// Fewer copies than this share of the rows are not worth a word.
const FEW: f64 = 0.1;

/// Copies must be so many times as many as chance makes.
const BEYOND_CHANCE: f64 = 3.0;

/// Pairs of rows that tell how often two are alike by chance.
const N_PAIRS: usize = 20_000;

/// The seed of these pairs.
const SEED: u64 = 1;

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
pub(crate) fn repeated_rows<'a>(columns: impl Iterator<Item = &'a Column>) -> Option<RepeatedRows> {
    let columns: Vec<&Column> = columns.collect();
    let (telling, rows_of_number) =
        columns.iter().enumerate().filter_map(rows_of_numbers).max_by_key(n_distinct)?;
    let n_rows = columns[telling].values().len();
    if n_rows < 2 {
        return None;
    }
    let others = columns.iter().enumerate().filter(|(place, _)| *place != telling);
    let others = hashes(others.map(|(_, column)| *column), vec![FxHasher::default(); n_rows]);
    let all = hashes(std::iter::once(columns[telling]), others.clone());
    let distinct: FxHashSet<u64> = all.iter().map(Hasher::finish).collect();
    let copies = n_rows - distinct.len();
    let by_chance = likeness(&others.iter().map(Hasher::finish).collect::<Vec<u64>>());
    let expected: f64 =
        rows_of_number.values().map(|&n| n as f64 * ((n - 1) as f64 * by_chance).min(1.0)).sum();
    let is_much = copies as f64 >= FEW * n_rows as f64 && copies as f64 >= BEYOND_CHANCE * expected;
    is_much.then_some(RepeatedRows { copies: copies as u64, rows: n_rows as u64 })
}

type RowsOfNumber = FxHashMap<u64, usize>;

/// How many rows have each number of a column.
fn rows_of_numbers((place, column): (usize, &&Column)) -> Option<(usize, RowsOfNumber)> {
    let Values::Numbers(numbers) = column.values() else { return None };
    let mut rows_of_number = RowsOfNumber::default();
    numbers.iter().for_each(|&number| *rows_of_number.entry(bits(number)).or_default() += 1);
    Some((place, rows_of_number))
}

fn n_distinct((_, rows_of_number): &(usize, RowsOfNumber)) -> usize {
    rows_of_number.len()
}

/// What was hashed of each row so far, and some columns.
fn hashes<'a>(columns: impl Iterator<Item = &'a Column>, mut hashers: Vec<FxHasher>) -> Vec<FxHasher> {
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
    hashers
}

/// The probability that two different rows are alike, rather too large than too small.
fn likeness(rows: &[u64]) -> f64 {
    let mut random = Random::new(SEED);
    let n_rows = rows.len() as u64;
    let is_alike = |_: &usize| {
        let first = random.below(n_rows);
        let second = (first + 1 + random.below(n_rows - 1)) % n_rows;
        rows[first as usize] == rows[second as usize]
    };
    ((0..N_PAIRS).filter(is_alike).count() + 1) as f64 / N_PAIRS as f64
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
        let mut random = Random::new(3);
        let mut column = |name: &str| {
            let once: Vec<f64> = (0..100).map(|_| random.normal()).collect();
            Column::new(name, Kind::Numeric, Values::Numbers(once.repeat(2))).expect("numbers")
        };
        let columns = [column("paid"), column("lag")];
        let found = repeated_rows(columns.iter()).expect("copies");
        assert_eq!(found, RepeatedRows { copies: 100, rows: 200 });
        assert_eq!(found.to_string(), "100 of 200 rows (50 %) repeat an earlier row in every column");
    }

    #[test]
    fn the_same_amounts_of_other_cases_are_no_copies() {
        let paid = |row: u32| f64::from(row % 100) * 1.5;
        check((0..200).map(paid).collect(), (0..200).map(|row| u32::from(row < 100)).collect(), None);
    }

    #[test]
    fn rows_of_few_values_repeat_by_nature() {
        check((0..200).map(|row| f64::from(row % 7)).collect(), vec![0; 200], None);
        check(vec![f64::NAN; 200], vec![1; 200], None);
        // An amount that most rows do not have.
        let paid = |row: u32| if row < 90 { f64::from(row) } else { 0.0 };
        check((0..200).map(paid).collect(), (0..200).map(|row| row % 2).collect(), None);
        // Ages.
        let mut random = Random::new(4);
        let ages = (0..2000).map(|_| random.below(60) as f64).collect();
        check(ages, (0..2000).map(|row| row % 2).collect(), None);
    }

    #[test]
    fn numbers_that_meet_by_chance_are_no_copies() {
        let mut random = Random::new(4);
        let mut column = |name: &str| {
            let numbers = (0..10_000).map(|_| random.below(60) as f64).collect();
            Column::new(name, Kind::Numeric, Values::Numbers(numbers)).expect("numbers")
        };
        let columns = [column("age"), column("years")];
        assert_eq!(repeated_rows(columns.iter()), None);
        assert_eq!(repeated_rows(columns[..1].iter()), None);
        assert_eq!(repeated_rows(std::iter::empty()), None);
    }
}
