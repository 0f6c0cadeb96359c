//! A run of consecutive rows of one file, with the columns that were asked for.

use arrow_buffer::{NullBuffer, ScalarBuffer};

use crate::dictionary::Dictionary;
use crate::draft::CodedNumbers;
use crate::place::Place;

/// Consecutive rows of one file.
#[derive(Debug)]
pub struct Batch<'a> {
    /// How many rows.
    pub rows: usize,
    /// Where they stand.
    pub place: Place,
    /// The columns, in the order they were wanted.
    pub columns: Vec<Column<'a>>,
}

impl Batch<'_> {
    /// The same with all numbers written out.
    pub(crate) fn decoded(mut self) -> Self {
        for column in &mut self.columns {
            if let Column::Coded(coded) = column {
                *column = Column::Number(coded.decode());
            }
        }
        self
    }

    /// The wanted column at `idx`, if it was wanted as a number and is not [coded](Column::Coded).
    pub fn numbers(&self, idx: usize) -> Option<&Numbers> {
        match self.columns.get(idx) {
            Some(Column::Number(numbers)) => Some(numbers),
            _ => None,
        }
    }

    /// The number of a row in the wanted column at `idx`; `None` if it is missing or was not wanted as a number.
    pub fn number(&self, idx: usize, row: usize) -> Option<f64> {
        match self.columns.get(idx)? {
            Column::Number(numbers) => numbers.get(row),
            Column::Coded(coded) => coded.get(row),
            Column::Label(_) => None,
        }
    }

    /// The wanted column at `idx`, if it was wanted as a label.
    pub fn labels(&self, idx: usize) -> Option<&Labels<'_>> {
        match self.columns.get(idx) {
            Some(Column::Label(labels)) => Some(labels),
            _ => None,
        }
    }
}

/// One column of a [`Batch`].
#[derive(Debug)]
pub enum Column<'a> {
    /// A column wanted as numbers.
    Number(Numbers),
    /// A column wanted as numbers of which the file lists the few that there are; only a
    /// [prepared](crate::TableReader::read_prepared) read leaves them so.
    Coded(CodedNumbers),
    /// A column wanted as labels.
    Label(Labels<'a>),
}

/// Numbers, some of which may be missing.
///
/// A missing number is marked in `missing`; what stands in `values` there means nothing.
#[derive(Clone, Debug)]
pub struct Numbers {
    /// The numbers. A Float64 column of Parquet or Arrow is not copied.
    pub values: ScalarBuffer<f64>,
    /// Which of them are there; `None` when all are.
    pub present: Option<NullBuffer>,
    /// The texts that stand where a number was expected, in order; they are missing as numbers. Only a column wanted
    /// as [cells](crate::Want::cell) can have any.
    pub strays: Vec<Stray>,
}

/// A text among numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stray {
    /// Its row in the batch.
    pub row: usize,
    /// What stands there.
    pub text: Box<str>,
}

impl Numbers {
    /// Numbers without texts among them.
    pub(crate) fn new(values: impl Into<ScalarBuffer<f64>>, present: Option<NullBuffer>) -> Self {
        Numbers { values: values.into(), present, strays: Vec::new() }
    }

    /// The number of a row; `None` if it is missing.
    pub fn get(&self, row: usize) -> Option<f64> {
        let is_missing = self.present.as_ref().is_some_and(|present| present.is_null(row));
        if is_missing { None } else { self.values.get(row).copied() }
    }

    /// The first row whose number is missing.
    pub fn first_missing(&self) -> Option<usize> {
        let present = self.present.as_ref().filter(|present| present.null_count() > 0)?;
        (0..present.len()).find(|&row| present.is_null(row))
    }
}

/// Labels as codes into the dictionary of their column.
#[derive(Clone, Debug)]
pub struct Labels<'a> {
    /// One code a row; [`Labels::MISSING`] where there is none.
    pub codes: Vec<u32>,
    /// The labels met so far in this column, in order of first appearance. Later batches only add to it,
    /// and [`Summary`](crate::Summary) holds it complete.
    pub dictionary: &'a Dictionary,
}

impl Labels<'_> {
    /// The code of a label that is missing.
    pub const MISSING: u32 = u32::MAX;

    /// The code of a label that the dictionary has no room for, if [that was limited](crate::Want::labels_up_to).
    pub const BEYOND: u32 = u32::MAX - 1;

    /// The label of a row; `None` if it is missing.
    pub fn get(&self, row: usize) -> Option<&str> {
        self.codes.get(row).and_then(|&code| self.dictionary.text(code))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_numbers_and_labels_are_none() {
        let numbers = Numbers::new(vec![1.5, 0.0, 2.5], Some(NullBuffer::from(vec![true, false, true])));
        assert_eq!([0, 1, 2].map(|row| numbers.get(row)), [Some(1.5), None, Some(2.5)]);
        assert_eq!(numbers.first_missing(), Some(1));

        let mut dictionary = Dictionary::default();
        dictionary.code_of("yes");
        let labels = Labels { codes: vec![0, Labels::MISSING], dictionary: &dictionary };
        assert_eq!([0, 1].map(|row| labels.get(row)), [Some("yes"), None]);
    }
}
