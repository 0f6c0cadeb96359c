//! Training rows with as many of each class, for learners that a rare class would not move.
//!
//! A test part is balanced on request only: figures on it answer for another base rate. Probabilities of a model that
//! learned from balanced rows are put right by [`PriorShift`](super::PriorShift).

use tribunal_random::{Random, derive_seed};

use super::label_column::LabelColumn;
use super::split::Split;
use crate::error::{Error, ErrorKind};

/// How rows are balanced.
///
/// ```
/// use tribunal::resampling::{Balance, LabelColumn};
///
/// let fraud = LabelColumn::of("fraud", ["no", "yes", "no", "no", "yes", "no"]);
/// let rows = Balance::default().rows(&[0, 1, 2, 3, 4, 5], &fraud, 42)?;
/// assert_eq!(rows.iter().filter(|&&row| fraud.label(row as usize) == "no").count(), 2);
/// # Ok::<(), tribunal::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Balance {
    /// How many rows of each class; by default as many as the smallest has.
    pub per_class: Option<usize>,
    /// Whether a class that has fewer is filled up with rows drawn again.
    pub oversample: bool,
    /// Whether the test part is balanced too.
    pub balance_test: bool,
}

impl Balance {
    /// As many rows of each class out of some rows, ascending; a row drawn again stands there again.
    ///
    /// # Errors
    /// A class has fewer rows than asked for ([`ErrorKind::NotEnoughRows`]).
    pub fn rows(&self, rows: &[u32], classes: &LabelColumn, seed: u64) -> Result<Vec<u32>, Error> {
        let mut by_class: Vec<Vec<u32>> = vec![Vec::new(); classes.n_labels()];
        rows.iter().for_each(|&row| by_class[classes.codes()[row as usize] as usize].push(row));
        let smallest = by_class.iter().map(Vec::len).filter(|&n| n > 0).min().unwrap_or(0);
        let wanted = self.per_class.unwrap_or(smallest);
        let mut random = Random::new(seed);
        let mut kept = Vec::new();
        for (rows, class) in by_class.iter_mut().zip(classes.labels()) {
            if rows.is_empty() && self.per_class.is_none() {
                continue;
            }
            self.check(rows.len(), wanted, class)?;
            random.shuffle(rows);
            kept.extend(rows.iter().take(wanted));
            let n_lacking = wanted.saturating_sub(rows.len());
            kept.extend((0..n_lacking).map(|_| rows[random.below(rows.len() as u64) as usize]));
        }
        kept.sort_unstable();
        Ok(kept)
    }

    /// A split with a balanced training part and, on request, a balanced test part.
    ///
    /// # Errors
    /// A class has fewer rows than asked for.
    pub fn split(&self, split: &Split, classes: &LabelColumn, seed: u64) -> Result<Split, Error> {
        let train = self.rows(&split.train, classes, seed)?;
        let test = if self.balance_test {
            self.rows(&split.test, classes, derive_seed(seed, &[1]))?
        } else {
            split.test.clone()
        };
        Ok(Split { train, test, validation: split.validation.clone() })
    }

    fn check(&self, n_rows: usize, wanted: usize, class: &str) -> Result<(), Error> {
        let is_enough = n_rows >= wanted || (self.oversample && n_rows > 0);
        let advice = if n_rows == 0 { "leave the class out" } else { "take fewer, or draw rows again" };
        let words =
            || format!("class \"{class}\" has {n_rows} rows, fewer than the {wanted} asked for; {advice}");
        if is_enough { Ok(()) } else { Err(Error::new(ErrorKind::NotEnoughRows, words())) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Y;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn golden_rows() {
        let y = LabelColumn::of("y", Y);
        let rows: Vec<u32> = (0..12).collect();
        assert_eq!(Balance::default().rows(&rows, &y, 42), Ok(vec![1, 2, 4, 5, 7, 9, 10, 11]));
    }

    #[test]
    fn a_class_is_filled_up_on_request_only() {
        let y = LabelColumn::of("y", Y);
        let rows: Vec<u32> = (0..12).collect();
        let six = Balance { per_class: Some(6), ..Balance::default() };
        let error = six.rows(&rows, &y, 42).expect_err("four positives");
        assert_eq!(error.kind(), ErrorKind::NotEnoughRows);
        assert!(error.to_string().contains("class \"1\" has 4 rows, fewer than the 6"), "{error}");
        let filled = Balance { oversample: true, ..six }.rows(&rows, &y, 42).expect("rows");
        let positives: Vec<u32> = filled.iter().copied().filter(|&row| Y[row as usize] == "1").collect();
        assert_eq!((filled.len(), positives.len()), (12, 6));
        assert!([1, 4, 7, 9].iter().all(|row| positives.contains(row)));
        assert!(Balance { oversample: true, ..six }.rows(&[0, 2], &y, 42).is_err());
    }

    #[test]
    fn the_test_part_is_left_alone_unless_asked() {
        let y = LabelColumn::of("y", Y);
        let split = Split { train: (0..8).collect(), test: (8..12).collect(), validation: Vec::new() };
        let balanced = Balance::default().split(&split, &y, 1).expect("a split");
        assert_eq!((balanced.train.len(), &balanced.test), (6, &split.test));
        let both =
            Balance { balance_test: true, ..Balance::default() }.split(&split, &y, 1).expect("a split");
        assert_eq!((both.train, both.test.len()), (balanced.train, 2));
    }

    proptest! {
        #[test]
        fn every_class_gives_as_many(labels in prop::collection::vec(0u8..4, 1..80), seed: u64) {
            let y = LabelColumn::of("y", labels.iter().map(u8::to_string));
            let rows: Vec<u32> = (0..labels.len() as u32).collect();
            let kept = Balance::default().rows(&rows, &y, seed).expect("rows");
            let smallest = y.counts().into_iter().min().expect("a class");
            prop_assert_eq!(y.select(&kept).counts(), vec![smallest; y.n_labels()]);
            prop_assert!(kept.windows(2).all(|pair| pair[0] < pair[1]));
        }
    }
}
