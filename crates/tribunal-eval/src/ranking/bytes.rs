//! A ranking as bytes, to be kept in a file or sent to whoever merges parts.
//!
//! Little endian, version 3:
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | `TRIBRANK` |
//! | 2 | the version, 3 |
//! | 1 | whose amounts are known: 0 nobody's, 1 those of positives, 2 everybody's |
//! | 4 | the kinds of the columns rows, weight, amount and squared amount of the positives |
//! | 4 | the same of the negatives |
//! | 5 | zeros |
//! | 8 + 8 | entries of the positives, of the negatives |
//! | 8 + 8 | amounts that follow row by row, of the positives and of the negatives: one a row, or none |
//! | 8 an entry | scores of the positives, descending, then each of their columns that is written out |
//! | 8 a row | amounts of the rows of the positives, in the order of the scores |
//! | 8 an entry and a row | the same of the negatives |
//! | 8 | FNV-1a, 64 bits, of everything before |
//!
//! A column is the running total from the first entry on. Its kind is 0 where every entry counts one, 1 where every entry
//! counts nothing, 2 where it equals that of the rows, and 3 where it is written out. Only columns of kind 3 take room:
//! 8 bytes a row for continuous scores, 16 a distinct score for counted ones, 8 an amount that is known.

use super::Ranking;
use super::builder::MOST_ROWS;
use super::side::{Cumulative, Side};
use crate::checks::check_amounts;
use crate::error::Error;
use crate::scored_set::AmountsOf;
use crate::sum::Sum;

const MAGIC: &[u8; 8] = b"TRIBRANK";
const VERSION: u16 = 3;
const HEADER: usize = 56;
const N_COLUMNS: usize = 4;
const CHECKSUM: usize = 8;

const ONES: u8 = 0;
const ZEROS: u8 = 1;
const AS_ROWS: u8 = 2;
const WRITTEN: u8 = 3;

impl Ranking {
    /// The ranking as bytes; [`from_bytes`](Self::from_bytes) gives back one that equals it.
    ///
    /// ```
    /// use tribunal_eval::{ErrorKind, Ranking};
    ///
    /// let ranking = Ranking::from_scores(&[true, false, true], &[0.9, 0.9, 0.2])?;
    /// let bytes = ranking.to_bytes();
    /// assert_eq!(Ranking::from_bytes(&bytes)?, ranking);
    /// assert_eq!(Ranking::from_bytes(&bytes[1..]).unwrap_err().kind(), ErrorKind::InvalidBytes);
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    pub fn to_bytes(&self) -> Vec<u8> {
        let sides = [&self.positives, &self.negatives];
        let kinds = sides.map(|side| side.kinds());
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.push(match self.amounts_of {
            AmountsOf::Nobody => 0,
            AmountsOf::Positives => 1,
            AmountsOf::Everybody => 2,
        });
        bytes.extend(kinds.as_flattened());
        bytes.extend([0; 5]);
        sides.iter().for_each(|side| bytes.extend((side.scores.len() as u64).to_le_bytes()));
        sides.iter().for_each(|side| bytes.extend((side.row_amounts().len() as u64).to_le_bytes()));
        for (side, kinds) in sides.into_iter().zip(kinds) {
            bytes.extend(side.scores.iter().flat_map(|score| score.to_le_bytes()));
            for (column, _) in side.columns().into_iter().zip(kinds).filter(|(_, kind)| *kind == WRITTEN) {
                let totals = (1..=side.scores.len()).map(|entries| column.through(entries));
                bytes.extend(totals.flat_map(f64::to_le_bytes));
            }
            bytes.extend(side.row_amounts().iter().flat_map(|amount| amount.to_le_bytes()));
        }
        bytes.extend(fnv1a(&bytes).to_le_bytes());
        bytes
    }

    /// The ranking that [`to_bytes`](Self::to_bytes) wrote. Nothing is taken on trust: no more memory is allocated than
    /// the bytes justify, and whatever a ranking could not hold is refused.
    ///
    /// # Errors
    /// The bytes are of another kind or version, are cut off or damaged, or describe no ranking.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        if !bytes.starts_with(MAGIC) {
            return Err(invalid("they do not begin as one"));
        }
        let (body, checksum) = bytes
            .split_last_chunk::<CHECKSUM>()
            .filter(|(body, _)| body.len() >= HEADER)
            .ok_or(invalid("they are cut off"))?;
        let (header, columns) = body.split_at(HEADER);
        if header[8..10] != VERSION.to_le_bytes() {
            return Err(invalid("they are of another version"));
        }
        let amounts_of = match header[10] {
            0 => AmountsOf::Nobody,
            1 => AmountsOf::Positives,
            2 => AmountsOf::Everybody,
            _ => return Err(invalid("the header is not as it should be")),
        };
        if header[19..24] != [0; 5] {
            return Err(invalid("the header is not as it should be"));
        }
        let kinds: [[u8; N_COLUMNS]; 2] =
            std::array::from_fn(|side| std::array::from_fn(|k| header[11 + N_COLUMNS * side + k]));
        let n_entries: [u64; 2] = std::array::from_fn(|side| number(&header[24 + 8 * side..]));
        let n_amounts: [u64; 2] = std::array::from_fn(|side| number(&header[40 + 8 * side..]));
        let n_columns =
            |kinds: [u8; N_COLUMNS]| 1 + kinds.iter().filter(|kind| **kind == WRITTEN).count() as u64;
        let n_numbers = |side: usize| {
            u128::from(n_columns(kinds[side])) * u128::from(n_entries[side]) + u128::from(n_amounts[side])
        };
        let expected = 8 * (n_numbers(0) + n_numbers(1));
        if columns.len() as u128 != expected {
            return Err(invalid("their length is not that of the entries"));
        }
        if fnv1a(body) != u64::from_le_bytes(*checksum) {
            return Err(invalid("they are damaged"));
        }
        let mut rest = columns;
        let mut side = |k: usize| {
            let side = Side::read(&mut rest, n_entries[k] as usize, kinds[k])?;
            side.with_row_amounts(take(&mut rest, n_amounts[k] as usize).collect())
        };
        let (positives, negatives) = (side(0)?, side(1)?);
        let is_foreign = match amounts_of {
            AmountsOf::Nobody => positives.holds_amounts() || negatives.holds_amounts(),
            AmountsOf::Positives => negatives.holds_amounts(),
            AmountsOf::Everybody => false,
        };
        if is_foreign {
            return Err(invalid("they hold amounts where there are none"));
        }
        Ok(Self::of_sides(positives, negatives, amounts_of))
    }
}

impl Side {
    fn columns(&self) -> [&Cumulative; N_COLUMNS] {
        [&self.rows, &self.weight, &self.amount, &self.squared_amount]
    }

    fn holds_amounts(&self) -> bool {
        let has_sums =
            [&self.amount, &self.squared_amount].into_iter().any(|column| *column != Cumulative::Zeros);
        has_sums || self.amounts.is_some()
    }

    /// The amounts of the rows, where they are known one by one.
    fn row_amounts(&self) -> &[f64] {
        self.amounts.as_deref().unwrap_or_default()
    }

    /// The side with the amounts of its rows, which must add up to its running totals.
    fn with_row_amounts(self, amounts: Vec<f64>) -> Result<Self, Error> {
        if amounts.is_empty() {
            return Ok(self);
        }
        if amounts.len() as f64 != self.total().rows || check_amounts("amount", &amounts, |_| true).is_err() {
            return Err(invalid("the amounts are not those of the rows"));
        }
        let (mut sum, mut size) = (Sum::default(), 0.0);
        for entry in 0..self.scores.len() {
            let rows = self.row_range(entry, entry + 1);
            let weight = (self.weight(entry + 1) - self.weight(entry)) / rows.len() as f64;
            for amount in &amounts[rows] {
                sum.add(weight * amount);
                size += (weight * amount).abs();
            }
            // Of equal scores that were counted the first carries all.
            let is_end = self.scores.get(entry + 1) != self.scores.get(entry);
            if is_end && (sum.value() - self.amount(entry + 1)).abs() > 1e-9 * size {
                return Err(invalid("the amounts do not add up"));
            }
        }
        Ok(Self { amounts: Some(amounts), ..self })
    }

    /// How each column is written, in the least room.
    fn kinds(&self) -> [u8; N_COLUMNS] {
        let n = self.scores.len();
        let all = |holds: &dyn Fn(usize) -> bool| (0..=n).all(holds);
        let kind = |column: &Cumulative, is_rows: bool| match column {
            Cumulative::Ones => ONES,
            Cumulative::Zeros => ZEROS,
            Cumulative::Totals(totals) if all(&|i| totals[i] == 0.0) => ZEROS,
            Cumulative::Totals(totals) if all(&|i| totals[i] == i as f64) => ONES,
            Cumulative::Totals(totals) if !is_rows && all(&|i| totals[i] == self.rows(i)) => AS_ROWS,
            Cumulative::Totals(_) => WRITTEN,
        };
        let [rows, rest @ ..] = self.columns();
        let [weight, amount, squared_amount] = rest.map(|column| kind(column, false));
        [kind(rows, true), weight, amount, squared_amount]
    }

    /// Reads a class and what its columns must be: scores that fall, rows that are whole, weights that never fall.
    fn read(rest: &mut &[u8], n: usize, kinds: [u8; N_COLUMNS]) -> Result<Self, Error> {
        if n as f64 > MOST_ROWS {
            return Err(Error::TooManyRows);
        }
        // `-0.0` is the same score as `0.0`.
        let scores: Vec<f64> = take(rest, n).map(|score| score + 0.0).collect();
        if scores.iter().any(|score| !score.is_finite()) || scores.windows(2).any(|pair| pair[0] < pair[1]) {
            return Err(invalid("the scores do not descend"));
        }
        let mut column = |kind: u8, rows: Option<&Cumulative>| match (kind, rows) {
            (ONES, _) => Ok(Cumulative::Ones),
            (ZEROS, _) => Ok(Cumulative::Zeros),
            (AS_ROWS, Some(rows)) => Ok(rows.clone()),
            (WRITTEN, _) => Ok(Cumulative::Totals(std::iter::once(0.0).chain(take(rest, n)).collect())),
            _ => Err(invalid("a column is of no known kind")),
        };
        let rows = column(kinds[0], None)?;
        let weight = column(kinds[1], Some(&rows))?;
        let amount = column(kinds[2], Some(&rows))?;
        let squared_amount = column(kinds[3], Some(&rows))?;
        let side = Self { scores, rows, weight, amount, squared_amount, amounts: None };
        let entries = || (0..n).map(|i| (side.mass(i), side.mass(i + 1)));
        let is_whole = |rows: f64| rows.fract() == 0.0 && rows <= MOST_ROWS;
        if entries().any(|(before, after)| !is_whole(after.rows) || after.rows - before.rows < 1.0) {
            return Err(invalid("the rows are no running count"));
        }
        if entries().any(|(before, after)| !after.weight.is_finite() || after.weight < before.weight)
            || (n > 0 && side.weight(1) <= 0.0)
        {
            return Err(invalid("the weights are no running total"));
        }
        if entries().any(|(_, after)| !after.amount.is_finite()) {
            return Err(invalid("an amount is not finite"));
        }
        if entries().any(|(before, after)| {
            !after.squared_amount.is_finite() || after.squared_amount < before.squared_amount
        }) {
            return Err(invalid("the squared amounts are no running total"));
        }
        Ok(side)
    }
}

fn invalid(reason: &'static str) -> Error {
    Error::InvalidBytes { reason }
}

/// The first eight bytes as a number.
fn number(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// Takes the next `n` numbers.
fn take<'a>(rest: &mut &'a [u8], n: usize) -> impl Iterator<Item = f64> + use<'a> {
    let (column, after) = rest.split_at(8 * n);
    *rest = after;
    column.chunks_exact(8).map(|bytes| f64::from_bits(number(bytes)))
}

/// The hash of Fowler, Noll and Vo: finds damage, not intent.
fn fnv1a(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::metrics::{METRICS, Measure, auroc};
    use crate::ranking::ScoreCounts;
    use crate::scored_set::ScoredSet;
    use crate::{ErrorKind, golden};

    /// Bytes whose checksum is right whatever else is wrong.
    fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
        let end = bytes.len() - CHECKSUM;
        let checksum = fnv1a(&bytes[..end]).to_le_bytes();
        bytes[end..].copy_from_slice(&checksum);
        bytes
    }

    fn weighty() -> Ranking {
        let (truth, scores) = ([true, false, true, false, true], [0.9, 0.8, 0.8, 0.3, 0.1]);
        let set = ScoredSet::new(&truth, &scores).expect("valid");
        let set = set.with_weight(&[1.0, 0.5, 2.0, 1.0, 3.0]).expect("valid");
        Ranking::of(&set.with_amount(&[10.0, 0.0, 5.0, 0.0, 1.0]).expect("valid")).expect("few rows")
    }

    fn refused(bytes: &[u8]) {
        assert_eq!(Ranking::from_bytes(bytes).expect_err("nonsense").kind(), ErrorKind::InvalidBytes);
    }

    #[test]
    fn counted_rows_take_little_room() {
        let counts = ScoreCounts {
            score: &[0.9, 0.1],
            positives: &[5, 7],
            negatives: &[2, 9],
            amount: None,
            negative_amount: None,
        };
        let ranking = Ranking::from_counts(&counts).expect("valid");
        let bytes = ranking.to_bytes();
        assert_eq!(bytes.len(), HEADER + 2 * 2 * 16 + CHECKSUM);
        assert_eq!(Ranking::from_bytes(&bytes), Ok(ranking));
        let distinct = golden::second();
        assert_eq!(distinct.to_bytes().len(), HEADER + 8 * 8 + CHECKSUM);
    }

    #[test]
    fn damage_is_found_and_hostile_bytes_are_refused() {
        let bytes = golden::tied().to_bytes();
        for cut in 0..bytes.len() {
            refused(&bytes[..cut]);
        }
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            refused(&damaged);
        }
        let with = |at: usize, values: &[u8]| {
            let mut bytes = bytes.clone();
            bytes[at..at + values.len()].copy_from_slice(values);
            sealed(bytes)
        };
        refused(&with(8, &[1, 0]));
        refused(&with(8, &[2, 0]));
        refused(&with(11, &[9]));
        refused(&with(11, &[ZEROS]));
        refused(&with(24, &u64::MAX.to_le_bytes()));
        refused(&with(24, &[4]));
        refused(&with(HEADER, &f64::NAN.to_le_bytes()));
        refused(&with(HEADER, &(-1.0_f64).to_le_bytes()));
    }

    #[test]
    fn amounts_of_rows_are_those_of_the_totals() {
        let ranking = weighty();
        let bytes = ranking.to_bytes();
        // The amounts of the positives stand before the scores and the weights of the two negatives.
        let first = bytes.len() - CHECKSUM - 2 * 2 * 8 - 3 * 8;
        let read = Ranking::from_bytes(&bytes).expect("its own bytes");
        assert_eq!(read.positives.amounts, Some(vec![10.0, 5.0, 1.0]));
        let with = |at: usize, values: &[u8]| {
            let mut bytes = bytes.clone();
            bytes[at..at + values.len()].copy_from_slice(values);
            sealed(bytes)
        };
        assert!(Ranking::from_bytes(&with(first, &10.0_f64.to_le_bytes())).is_ok());
        refused(&with(first, &9.0_f64.to_le_bytes()));
        refused(&with(first, &f64::NAN.to_le_bytes()));
        refused(&with(10, &[0]));
        refused(&with(10, &[3]));
        // One amount less than rows.
        let mut short = bytes.clone();
        short.drain(first..first + 8);
        short[40] -= 1;
        refused(&sealed(short));
    }

    /// Three rows that weigh one and one: the weights run like numbers of rows, and are not.
    #[test]
    fn tied_rows_whose_weights_add_up_to_one_stay_tied_rows() {
        let (truth, scores) = ([false; 3], [0.2, 0.1, 0.1]);
        let set = ScoredSet::new(&truth, &scores).expect("valid");
        let ranking = Ranking::of(&set.with_weight(&[1.0, 0.25, 0.75]).expect("valid")).expect("few rows");
        let read = Ranking::from_bytes(&ranking.to_bytes()).expect("its own bytes");
        assert!(read.is_weighted() && read == ranking);
    }

    proptest! {
        #[test]
        fn bytes_give_the_ranking_back(
            rows in prop::collection::vec((any::<bool>(), -3i8..3, 0u8..4, -5i16..50), 0..40),
            weighted: bool,
            amounts_of in prop::sample::select(vec![AmountsOf::Nobody, AmountsOf::Positives, AmountsOf::Everybody]),
        ) {
            let truth: Vec<bool> = rows.iter().map(|row| row.0).collect();
            let scores: Vec<f64> = rows.iter().map(|row| f64::from(row.1) / 7.0).collect();
            let weights: Vec<f64> = rows.iter().map(|row| f64::from(row.2) / 3.0).collect();
            let amounts: Vec<f64> = rows.iter().map(|row| f64::from(row.3)).collect();
            let mut set = ScoredSet::new(&truth, &scores).expect("finite");
            if weighted {
                set = set.with_weight(&weights).expect("weights");
            }
            set = match amounts_of {
                AmountsOf::Nobody => set,
                AmountsOf::Positives => set.with_amount(&amounts).expect("finite"),
                AmountsOf::Everybody => set.with_amount_of_everybody(&amounts).expect("finite"),
            };
            let ranking = Ranking::of(&set).expect("few rows");
            let read = Ranking::from_bytes(&ranking.to_bytes()).expect("its own bytes");
            prop_assert_eq!(&read, &ranking);
            prop_assert_eq!(auroc(&read), auroc(&ranking));
            prop_assert_eq!(read.positives.row_amounts(), ranking.positives.row_amounts());
            prop_assert_eq!(read.negatives.row_amounts(), ranking.negatives.row_amounts());
        }

        #[test]
        fn no_bytes_panic(changes in prop::collection::vec((0usize..200, any::<u8>()), 1..6), weighted: bool) {
            let mut bytes = if weighted { weighty() } else { golden::tied() }.to_bytes();
            for (at, value) in changes {
                let at = 8 + at % (bytes.len() - 8);
                bytes[at] = value;
            }
            if let Ok(ranking) = Ranking::from_bytes(&sealed(bytes)) {
                prop_assert_eq!(&Ranking::from_bytes(&ranking.to_bytes()), &Ok(ranking.clone()));
                for metric in METRICS {
                    let measure = Measure::new(metric, metric.parameter().map(|_| 0.5)).expect("a measure");
                    let _ = measure.of_ranking(&ranking);
                }
            }
        }
    }
}
