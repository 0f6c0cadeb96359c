//! The weight of each class for each value of a column, among the rows of a node.
//!
//! Rows that count alike are summed first and multiplied by their share once, so that sums depend neither on the order
//! of rows nor on whether a row is there twice or has weight two. Few rows of a column of many values touch few counters:
//! only those are looked at and cleared.

use super::cases::{CaseColumn, Cells};
use super::rows::Rows;
use super::weights::{Sum, Weigh};

/// The counters of one thread; all are zero between uses.
pub(crate) struct Tally<S> {
    n_classes: usize,
    counts: Vec<S>,
    weights: Vec<f64>,
    /// The values that occur, rising, if not all are looked at.
    touched: Vec<u32>,
    is_sparse: bool,
    n_codes: usize,
}

/// A kind of cell.
trait Cell: Copy {
    fn place(self) -> usize;
}

impl Cell for u8 {
    fn place(self) -> usize {
        usize::from(self)
    }
}

impl Cell for u16 {
    fn place(self) -> usize {
        usize::from(self)
    }
}

impl Cell for u32 {
    fn place(self) -> usize {
        self as usize
    }
}

impl<S: Sum> Tally<S> {
    pub(crate) fn new(n_classes: usize, most_cells: usize) -> Self {
        Tally {
            n_classes,
            counts: vec![S::default(); most_cells],
            weights: vec![0.0; most_cells],
            touched: Vec::new(),
            is_sparse: false,
            n_codes: 0,
        }
    }

    /// Sums the rows of a node; whatever was summed before is forgotten.
    pub(crate) fn sum<W: Weigh<Sum = S>>(
        &mut self,
        column: &CaseColumn,
        index: &[u32],
        rows: &Rows,
        weigh: &W,
    ) {
        self.clear();
        self.n_codes = column.n_codes;
        self.is_sparse = self.n_cells() > 4 * rows.n_entries() + 64;
        match &column.cells {
            Cells::Narrow(cells) => self.sum_cells(cells, index, rows, weigh),
            Cells::Middle(cells) => self.sum_cells(cells, index, rows, weigh),
            Cells::Wide(cells) => self.sum_cells(cells, index, rows, weigh),
        }
    }

    fn n_cells(&self) -> usize {
        (self.n_codes + 1) * self.n_classes
    }

    fn sum_cells<C: Cell, W: Weigh<Sum = S>>(&mut self, cells: &[C], index: &[u32], rows: &Rows, weigh: &W) {
        for (rows, factor) in rows.segments(index) {
            for &row in rows {
                self.counts[cells[row as usize].place()] += weigh.weight(row);
            }
            if self.is_sparse {
                rows.iter().for_each(|&row| self.flush(cells[row as usize].place(), factor));
                let code = |&row: &u32| (cells[row as usize].place() / self.n_classes) as u32;
                self.touched.extend(rows.iter().map(code));
            } else {
                self.flush_all(factor);
            }
        }
        self.touched.sort_unstable();
        self.touched.dedup();
    }

    fn flush(&mut self, cell: usize, factor: f64) {
        let count = std::mem::take(&mut self.counts[cell]);
        self.weights[cell] += count.into() * factor;
    }

    fn flush_all(&mut self, factor: f64) {
        let n_cells = self.n_cells();
        for (weight, count) in self.weights[..n_cells].iter_mut().zip(&mut self.counts[..n_cells]) {
            *weight += std::mem::take(count).into() * factor;
        }
    }

    fn clear(&mut self) {
        if self.is_sparse {
            for &code in &self.touched {
                self.weights[code as usize * self.n_classes..][..self.n_classes].fill(0.0);
            }
        } else {
            let n_cells = self.n_cells().min(self.weights.len());
            self.weights[..n_cells].fill(0.0);
        }
        self.touched.clear();
    }

    /// The values that may occur, rising, with the weight of each class.
    pub(crate) fn values(&self) -> impl Iterator<Item = (usize, &[f64])> {
        let n_dense = if self.is_sparse { 0 } else { self.n_codes };
        let touched = self.touched.iter().map(|&code| code as usize).filter(|&code| code < self.n_codes);
        (0..n_dense).chain(touched).map(|code| (code, self.of_code(code)))
    }

    /// The weight of the rows whose value is missing.
    pub(crate) fn unknown(&self) -> f64 {
        self.of_code(self.n_codes).iter().sum()
    }

    fn of_code(&self, code: usize) -> &[f64] {
        &self.weights[code * self.n_classes..][..self.n_classes]
    }
}
