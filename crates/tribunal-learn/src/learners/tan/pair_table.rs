//! How often the values of two columns come together, class by class.

use serde::{Deserialize, Serialize};

use crate::column::MISSING;
use crate::encoding::NominalColumn;
use crate::model_shape::are_weights;
use crate::training::Training;

/// The weight of the rows of each pair of values and class. Pairs of which a value is missing are not counted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PairTable {
    shape: Shape,
    cells: Cells,
}

/// How many values there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Shape {
    pub(crate) n_first: usize,
    pub(crate) n_second: usize,
    pub(crate) n_classes: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Cells {
    /// Every cell that there may be.
    Dense(Vec<f64>),
    /// The cells that are not empty, in ascending order, where there may be far more than rows.
    Sparse(Vec<(u64, f64)>),
}

/// Tables up to this size are dense whatever the number of rows.
const SMALL: usize = 1 << 16;

/// The codes of a column of levels or bins; numbers have none.
pub(crate) fn codes_of(column: &NominalColumn) -> (&[u32], usize) {
    match column {
        NominalColumn::Codes { codes, n_codes } => (codes, *n_codes),
        NominalColumn::Numbers(_) => (&[], 0),
    }
}

impl Shape {
    pub(crate) fn new(first: &NominalColumn, second: &NominalColumn, n_classes: usize) -> Self {
        Shape { n_first: codes_of(first).1, n_second: codes_of(second).1, n_classes }
    }

    pub(crate) fn n_cells(&self) -> usize {
        self.n_first.saturating_mul(self.n_second).saturating_mul(self.n_classes)
    }

    /// Whether a table of this shape may be laid out whole.
    pub(crate) fn is_dense(&self, n_rows: usize) -> bool {
        self.n_cells() <= SMALL.max(4 * n_rows)
    }

    #[inline]
    pub(crate) fn cell(&self, first: u32, second: u32, class: usize) -> usize {
        (first as usize * self.n_second + second as usize) * self.n_classes + class
    }
}

impl PairTable {
    /// Counts the rows of two columns.
    pub(crate) fn count(first: &NominalColumn, second: &NominalColumn, training: &Training<'_>) -> Self {
        let shape = Shape::new(first, second, training.n_classes);
        let (firsts, seconds) = (codes_of(first).0, codes_of(second).0);
        let cells = if shape.is_dense(training.n_rows()) {
            Cells::Dense(dense(shape, firsts, seconds, training))
        } else {
            Cells::Sparse(sparse(shape, firsts, seconds, training))
        };
        PairTable { shape, cells }
    }

    pub(crate) fn of_cells(shape: Shape, cells: Vec<f64>) -> Self {
        PairTable { shape, cells: Cells::Dense(cells) }
    }

    pub(crate) fn shape(&self) -> Shape {
        self.shape
    }

    /// The weight of a cell.
    pub(crate) fn weight(&self, first: u32, second: u32, class: usize) -> f64 {
        let cell = self.shape.cell(first, second, class);
        match &self.cells {
            Cells::Dense(cells) => cells[cell],
            Cells::Sparse(cells) => {
                cells.binary_search_by_key(&(cell as u64), |(cell, _)| *cell).map_or(0.0, |idx| cells[idx].1)
            }
        }
    }

    /// Every cell, if they are laid out whole.
    pub(crate) fn dense(&self) -> Option<&[f64]> {
        match &self.cells {
            Cells::Dense(cells) => Some(cells),
            Cells::Sparse(_) => None,
        }
    }

    /// Shows the cells that are not empty to a function: first value, second value, class, weight.
    pub(crate) fn visit(&self, mut see: impl FnMut(usize, usize, usize, f64)) {
        let Shape { n_second, n_classes, .. } = self.shape;
        let mut place = |cell: usize, weight: f64| {
            let (pair, class) = (cell / n_classes, cell % n_classes);
            see(pair / n_second, pair % n_second, class, weight);
        };
        match &self.cells {
            Cells::Dense(cells) => {
                let filled = cells.iter().enumerate().filter(|(_, weight)| **weight != 0.0);
                filled.for_each(|(cell, &weight)| place(cell, weight));
            }
            Cells::Sparse(cells) => cells.iter().for_each(|&(cell, weight)| place(cell as usize, weight)),
        }
    }

    /// The weight of each first value and class.
    pub(crate) fn first_totals(&self) -> Vec<f64> {
        let n_classes = self.shape.n_classes;
        let mut totals = vec![0.0; self.shape.n_first * n_classes];
        self.visit(|first, _, class, weight| totals[first * n_classes + class] += weight);
        totals
    }

    /// Whether what was read from a file is a table.
    pub(crate) fn is_sound(&self) -> bool {
        let n_cells = self.shape.n_cells();
        match &self.cells {
            Cells::Dense(cells) => cells.len() == n_cells && are_weights(cells),
            Cells::Sparse(cells) => {
                cells.is_sorted_by_key(|(cell, _)| *cell)
                    && cells.last().is_none_or(|(cell, _)| (*cell as u128) < n_cells as u128)
                    && are_weights(cells.iter().map(|(_, weight)| weight))
            }
        }
    }
}

/// Counts into every cell that there may be.
fn dense(shape: Shape, firsts: &[u32], seconds: &[u32], training: &Training<'_>) -> Vec<f64> {
    let rows = firsts.iter().zip(seconds).zip(training.classes.iter());
    let known = |((first, second), _): &((&u32, &u32), &u32)| **first != MISSING && **second != MISSING;
    match &training.weights {
        None => {
            let mut counts = vec![0_u32; shape.n_cells()];
            for ((&first, &second), &class) in rows.filter(known) {
                counts[shape.cell(first, second, class as usize)] += 1;
            }
            counts.into_iter().map(f64::from).collect()
        }
        Some(weights) => {
            let mut cells = vec![0.0; shape.n_cells()];
            for (((&first, &second), &class), weight) in rows.zip(weights.iter()) {
                if first != MISSING && second != MISSING {
                    cells[shape.cell(first, second, class as usize)] += weight;
                }
            }
            cells
        }
    }
}

/// Sorts the cells of the rows and adds up those that are the same.
fn sparse(shape: Shape, firsts: &[u32], seconds: &[u32], training: &Training<'_>) -> Vec<(u64, f64)> {
    let rows = firsts.iter().zip(seconds).zip(training.classes.iter()).enumerate();
    let known = rows.filter(|(_, ((first, second), _))| **first != MISSING && **second != MISSING);
    let cell = |(row, ((&first, &second), &class)): (usize, ((&u32, &u32), &u32))| {
        (shape.cell(first, second, class as usize) as u64, training.weight(row))
    };
    let mut cells: Vec<(u64, f64)> = known.map(cell).collect();
    cells.sort_by_key(|(cell, _)| *cell);
    cells.dedup_by(|later, earlier| {
        let is_same = later.0 == earlier.0;
        if is_same {
            earlier.1 += later.1;
        }
        is_same
    });
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::Encoded;

    fn column(codes: &[u32], n_codes: usize) -> NominalColumn {
        NominalColumn::Codes { codes: codes.to_vec(), n_codes }
    }

    fn counted(n_second: usize, weights: Option<Vec<f64>>) -> PairTable {
        let training = Training {
            inputs: Encoded::Columns { columns: vec![].into(), n_rows: 4 },
            classes: vec![0, 1, 1, 1].into(),
            n_classes: 2,
            rows: vec![0, 1, 2, 3].into(),
            weights: weights.map(Into::into),
        };
        PairTable::count(&column(&[0, 1, 1, MISSING], 2), &column(&[2, 0, 0, 1], n_second), &training)
    }

    fn cells(table: &PairTable) -> Vec<(usize, usize, usize, f64)> {
        let mut cells = Vec::new();
        table.visit(|first, second, class, weight| cells.push((first, second, class, weight)));
        cells
    }

    #[test]
    fn large_tables_hold_the_same_as_small_ones() {
        for weights in [None, Some(vec![2.0, 1.0, 0.5, 7.0])] {
            let (small, large) = (counted(3, weights.clone()), counted(1 << 20, weights));
            assert!(small.dense().is_some() && large.dense().is_none());
            assert_eq!(cells(&small), cells(&large));
            assert_eq!(small.first_totals(), large.first_totals());
            assert_eq!(small.weight(1, 0, 1), large.weight(1, 0, 1));
            assert_eq!(large.weight(1, 1, 1), 0.0);
            assert!(small.is_sound() && large.is_sound());
        }
    }
}
