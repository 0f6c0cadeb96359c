//! Rows of the kernel matrix, computed when they are asked for and kept as long as there is room.

use super::kernel::{Kernel, Points};

/// Kept rows take so many bytes at most (and two rows at least).
const ROOM: usize = 256 << 20;

/// No place.
const NOWHERE: usize = usize::MAX;

/// The rows of a kernel matrix; where there is no room for all, the one that was not asked for longest makes way.
#[derive(Debug)]
pub(super) struct KernelRows<'a> {
    kernel: Kernel,
    points: &'a Points<'a>,
    diagonal: Vec<f64>,
    kept: Vec<Kept>,
    place_of: Vec<usize>,
    most_kept: usize,
    n_asked: u64,
}

#[derive(Debug)]
struct Kept {
    row: usize,
    asked: u64,
    values: Vec<f64>,
}

impl<'a> KernelRows<'a> {
    pub(super) fn new(kernel: Kernel, points: &'a Points<'a>) -> Self {
        let n_rows = points.n_rows();
        let most_kept = (ROOM / (size_of::<f64>() * n_rows.max(1))).max(2);
        KernelRows::with_room(kernel, points, most_kept)
    }

    fn with_room(kernel: Kernel, points: &'a Points<'a>, most_kept: usize) -> Self {
        KernelRows {
            kernel,
            points,
            diagonal: kernel.diagonal(points),
            kept: Vec::new(),
            place_of: vec![NOWHERE; points.n_rows()],
            most_kept,
            n_asked: 0,
        }
    }

    pub(super) fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }

    /// Computes a row unless it is kept; tells its place, which holds until two others have been asked for.
    pub(super) fn place(&mut self, row: usize) -> usize {
        self.n_asked += 1;
        if self.place_of[row] == NOWHERE {
            let place = self.free_place(row);
            self.kept[place].values = self.kernel.row(self.points, &self.points.row(row));
            self.place_of[row] = place;
        }
        let place = self.place_of[row];
        self.kept[place].asked = self.n_asked;
        place
    }

    /// The row at a place.
    pub(super) fn at(&self, place: usize) -> &[f64] {
        &self.kept[place].values
    }

    /// A row.
    pub(super) fn row(&mut self, row: usize) -> &[f64] {
        let place = self.place(row);
        self.at(place)
    }

    fn free_place(&mut self, row: usize) -> usize {
        if self.kept.len() < self.most_kept {
            self.kept.push(Kept { row, asked: 0, values: Vec::new() });
            return self.kept.len() - 1;
        }
        let (place, oldest) =
            self.kept.iter_mut().enumerate().min_by_key(|(_, kept)| kept.asked).expect("two rows at least");
        self.place_of[oldest.row] = NOWHERE;
        oldest.row = row;
        place
    }

    /// The kernel matrix times some coefficients.
    pub(super) fn product(&mut self, coefficients: &[f64]) -> Vec<f64> {
        if self.kernel == Kernel::Linear {
            return self.points.weighed(&self.points.combined(coefficients));
        }
        let mut sums = vec![0.0; coefficients.len()];
        for (row, &coefficient) in coefficients.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            tribunal_algebra::add_scaled(&mut sums, coefficient, self.row(row));
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::Matrix;

    #[test]
    fn rows_are_the_same_however_few_are_kept() {
        let column = |factor: f64| (0..9).map(|row| (f64::from(row) * factor).sin()).collect();
        let matrix = Matrix::from_columns(9, vec![column(1.0), column(2.7)]);
        let points = Points::of(&matrix);
        let kernel = Kernel::Rbf { sigma: 1.0 };
        let (mut few, mut all) =
            (KernelRows::with_room(kernel, &points, 2), KernelRows::new(kernel, &points));
        for row in [0, 3, 0, 8, 3, 3, 0, 5] {
            let (first, second) = (few.place(row), few.place((row + 1) % 9));
            assert_eq!(few.at(first), all.row(row));
            assert_eq!(few.at(second), all.row((row + 1) % 9));
        }
        assert_eq!((few.kept.len(), all.kept.len()), (2, 7));
    }
}
