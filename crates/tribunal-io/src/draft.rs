//! Rows that one core has just decoded, before they are put in order.

use std::sync::Arc;

use crate::batch::{Batch, Numbers};
use crate::chunk::{Chunk, ChunkColumn};
use crate::dictionary::Dictionary;

/// Consecutive rows of one file whose place in it is not yet known.
#[derive(Debug)]
pub struct Draft<'a> {
    /// How many rows.
    pub rows: usize,
    columns: &'a mut [ChunkColumn],
}

/// What takes batches in order, each with what was prepared of its draft.
pub type Visit<'v, T, E> = dyn FnMut(Batch<'_>, T) -> Result<(), E> + 'v;

/// Labels as codes into a dictionary of their own.
#[derive(Clone, Copy, Debug)]
pub struct DraftLabels<'a> {
    /// One code a row; [`Labels::MISSING`](crate::Labels::MISSING) where there is none.
    pub codes: &'a [u32],
    /// The labels of these rows, in order of first appearance.
    pub dictionary: &'a Dictionary,
}

/// Numbers as positions in a list of few, none of them missing.
#[derive(Clone, Debug)]
pub struct CodedNumbers {
    /// One position a row, within `values`.
    pub codes: Vec<u16>,
    /// The numbers that the file lists; not all need occur in these rows.
    pub values: Arc<[f64]>,
}

impl CodedNumbers {
    /// The number of a row.
    pub fn get(&self, row: usize) -> Option<f64> {
        self.codes.get(row).and_then(|&code| self.values.get(usize::from(code))).copied()
    }

    /// The number of each row.
    pub fn decode(&self) -> Numbers {
        let decoded = self.codes.iter().map(|&code| self.values[usize::from(code)]);
        Numbers::new(decoded.collect::<Vec<f64>>(), None)
    }
}

impl<'a> Draft<'a> {
    pub(crate) fn of(chunk: &'a mut Chunk) -> Self {
        Draft { rows: chunk.rows, columns: &mut chunk.columns }
    }

    /// Lets go of what the rows of a wanted column hold, if the visit does not need them: its dictionary stays.
    pub fn let_go(&mut self, idx: usize) {
        if let Some(column) = self.columns.get_mut(idx) {
            column.let_go();
        }
    }

    /// The wanted column at `idx`, if it was wanted as a number and is not [coded](Self::coded).
    pub fn numbers(&self, idx: usize) -> Option<&Numbers> {
        match self.columns.get(idx) {
            Some(ChunkColumn::Number(numbers) | ChunkColumn::Conditional { numbers, .. }) => Some(numbers),
            _ => None,
        }
    }

    /// The wanted column at `idx`, if it was wanted as a number and the file lists the few numbers there are.
    pub fn coded(&self, idx: usize) -> Option<&CodedNumbers> {
        match self.columns.get(idx) {
            Some(ChunkColumn::Coded(coded)) => Some(coded),
            _ => None,
        }
    }

    /// The wanted column at `idx`, if it was wanted as a label.
    pub fn labels(&self, idx: usize) -> Option<DraftLabels<'_>> {
        match self.columns.get(idx) {
            Some(ChunkColumn::Label(labels)) => {
                Some(DraftLabels { codes: &labels.codes, dictionary: &labels.dictionary })
            }
            _ => None,
        }
    }
}
