//! The weight of each class for each value of a column, among the rows of a node.
//!
//! Rows that count alike are summed first and multiplied by their share once, so that sums depend neither on the order
//! of rows nor on whether a row is there twice or has weight two. Where a column has many more values than the node has
//! rows, the rows are sorted instead of counted, so that few rows cost little whatever the column.

use super::cases::{CaseColumn, Cell, Cells};
use super::rows::Rows;
use super::weights::{Sum, Weigh};

/// So many rows are worth counting in several tables at a time, which do not wait for each other.
const MANY: usize = 512;
/// So many are if the tables are small.
const SEVERAL: usize = 16;
/// The cells of a small table.
const FEW_CELLS: usize = 32;

/// The sums of one thread, used again and again.
pub(crate) struct Tally<S> {
    n_classes: usize,
    n_codes: usize,
    /// The values that `weights` is about, if not all of them.
    listed: Option<Vec<u32>>,
    /// The weight of each class, value by value.
    weights: Vec<f64>,
    /// The weight of each class among the rows whose value is known.
    classes: Vec<f64>,
    unknown: f64,
    /// All zero between uses.
    counts: Vec<S>,
    keys: Vec<u64>,
}

impl<S: Sum> Tally<S> {
    pub(crate) fn new(n_classes: usize) -> Self {
        Tally {
            n_classes,
            n_codes: 0,
            listed: None,
            weights: Vec::new(),
            classes: Vec::new(),
            unknown: 0.0,
            counts: Vec::new(),
            keys: Vec::new(),
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
        self.n_codes = column.n_codes;
        self.weights.clear();
        self.listed = None;
        match &column.cells {
            Cells::Narrow(cells) => self.count_narrow(cells, index, rows, weigh),
            Cells::Middle(cells) => self.sum_cells(cells, index, rows, weigh),
            Cells::Wide(cells) => self.sum_cells(cells, index, rows, weigh),
        }
        self.sum_classes();
    }

    /// Takes what is known of a column without gaps: the weight of each class, value by value.
    pub(crate) fn take(&mut self, column: &CaseColumn, weights: &[f64]) {
        self.n_codes = column.n_codes;
        self.listed = None;
        self.weights.clear();
        self.weights.extend_from_slice(weights);
        self.weights.resize(self.n_cells(), 0.0);
        self.sum_classes();
    }

    fn sum_cells<C: Cell, W: Weigh<Sum = S>>(&mut self, cells: &[C], index: &[u32], rows: &Rows, weigh: &W) {
        if self.n_cells() > 2 * rows.n_entries() + 64 {
            return self.sort(cells, index, rows, weigh);
        }
        self.make_room();
        for (rows, factor) in rows.segments(index) {
            rows.iter().for_each(|&row| self.counts[cells[row as usize].place()] += weigh.weight(row));
            self.flush(factor);
        }
    }

    fn count_narrow<W: Weigh<Sum = S>>(&mut self, cells: &[u8], index: &[u32], rows: &Rows, weigh: &W) {
        self.make_room();
        for (rows, factor) in rows.segments(index) {
            match rows.len() {
                SEVERAL.. if self.n_cells() <= FEW_CELLS => {
                    self.count_many::<FEW_CELLS, W>(cells, rows, weigh);
                }
                MANY.. => self.count_many::<256, W>(cells, rows, weigh),
                _ => {
                    rows.iter()
                        .for_each(|&row| self.counts[cells[row as usize].place()] += weigh.weight(row));
                }
            }
            self.flush(factor);
        }
    }

    /// Counts in four tables of `N` cells, which are as many as there are or more.
    fn count_many<const N: usize, W: Weigh<Sum = S>>(&mut self, cells: &[u8], rows: &[u32], weigh: &W) {
        let mut tables = [[S::default(); N]; 4];
        for rows in rows.chunks(4) {
            for (table, &row) in tables.iter_mut().zip(rows) {
                table[cells[row as usize].place()] += weigh.weight(row);
            }
        }
        for table in tables {
            self.counts.iter_mut().zip(table).for_each(|(count, more)| *count += more);
        }
    }

    fn n_cells(&self) -> usize {
        (self.n_codes + 1) * self.n_classes
    }

    fn make_room(&mut self) {
        let n_cells = self.n_cells();
        self.weights.resize(n_cells, 0.0);
        self.counts.resize(n_cells, S::default());
    }

    fn flush(&mut self, factor: f64) {
        for (weight, count) in self.weights.iter_mut().zip(&mut self.counts) {
            *weight += std::mem::take(count).into() * factor;
        }
    }

    /// Sums by sorting: cells in order, within them segments.
    fn sort<C: Cell, W: Weigh<Sum = S>>(&mut self, cells: &[C], index: &[u32], rows: &Rows, weigh: &W) {
        self.keys.clear();
        let mut position = 0;
        for (rows, _) in rows.segments(index) {
            let key = |(at, &row): (usize, &u32)| {
                ((cells[row as usize].place() as u64) << 32) | (position + at as u64)
            };
            self.keys.extend(rows.iter().enumerate().map(key));
            position += rows.len() as u64;
        }
        self.keys.sort_unstable();
        let segments: Vec<(&[u32], f64)> = rows.segments(index).collect();
        let mut codes = Vec::new();
        for run in self.keys.chunk_by(|a, b| a >> 32 == b >> 32) {
            let cell = (run[0] >> 32) as usize;
            let (code, class) = (cell / self.n_classes, cell % self.n_classes);
            if codes.last() != Some(&(code as u32)) {
                codes.push(code as u32);
                self.weights.resize(self.weights.len() + self.n_classes, 0.0);
            }
            let at = self.weights.len() - self.n_classes + class;
            self.weights[at] = run_weight(run, &segments, weigh);
        }
        self.listed = Some(codes);
    }

    /// Gathers what is known and what is not.
    fn sum_classes(&mut self) {
        self.classes.clear();
        self.classes.resize(self.n_classes, 0.0);
        let n_listed = self.listed.as_ref().map_or(self.n_codes + 1, Vec::len);
        let is_unknown =
            self.listed.as_ref().is_none_or(|listed| listed.last() == Some(&(self.n_codes as u32)));
        let n_known = n_listed - usize::from(is_unknown);
        let (known, unknown) = self.weights.split_at(n_known * self.n_classes);
        for weights in known.chunks_exact(self.n_classes) {
            self.classes.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
        }
        self.unknown = unknown.iter().sum();
        let n_known = known.len();
        self.weights.truncate(n_known);
    }

    /// The values that may occur, rising, with the weight of each class.
    pub(crate) fn values(&self) -> impl Iterator<Item = (usize, &[f64])> {
        let code = |at: usize| self.listed.as_ref().map_or(at, |listed| listed[at] as usize);
        self.weights.chunks_exact(self.n_classes).enumerate().map(move |(at, weights)| (code(at), weights))
    }

    /// The weight of each class among the rows whose value is known.
    pub(crate) fn classes(&self) -> &[f64] {
        &self.classes
    }

    /// The weight of the rows whose value is missing.
    pub(crate) fn unknown(&self) -> f64 {
        self.unknown
    }
}

/// The weight of rows of one cell, given as positions in segments that count differently.
fn run_weight<W: Weigh>(run: &[u64], segments: &[(&[u32], f64)], weigh: &W) -> f64 {
    let mut positions = run.iter().map(|key| (key & 0xffff_ffff) as usize).peekable();
    let (mut start, mut weight) = (0, 0.0);
    for (rows, factor) in segments {
        let end = start + rows.len();
        let mut sum = W::Sum::default();
        while let Some(position) = positions.next_if(|&position| position < end) {
            sum += weigh.weight(rows[position - start]);
        }
        weight += sum.into() * factor;
        if positions.peek().is_none() {
            break;
        }
        start = end;
    }
    weight
}
