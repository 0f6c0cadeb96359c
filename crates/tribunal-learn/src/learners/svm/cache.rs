//! The kernel cache: rows of the kernel matrix among active rows, computed when they are asked for and kept as long as there
//! is room.

use super::kernel::{Kernel, Points};

/// No place.
const NOWHERE: usize = usize::MAX;

/// The rows of a kernel matrix; where there is no room for all, the one that was not asked for longest makes way. Values do
/// not depend on what is kept.
#[derive(Debug)]
pub(super) struct KernelRows<'a> {
    kernel: Kernel,
    points: Points<'a>,
    diagonal: Vec<f64>,
    kept: Vec<Kept>,
    place_of: Vec<usize>,
    /// Bytes that kept rows may take, though two rows are always kept.
    room: usize,
    n_asked: u64,
}

#[derive(Debug)]
struct Kept {
    row: usize,
    asked: u64,
    values: Vec<f64>,
}

impl<'a> KernelRows<'a> {
    pub(super) fn new(kernel: Kernel, points: Points<'a>, room: usize) -> Self {
        KernelRows {
            kernel,
            diagonal: kernel.diagonal(&points),
            kept: Vec::new(),
            place_of: vec![NOWHERE; points.n_rows()],
            room,
            n_asked: 0,
            points,
        }
    }

    pub(super) fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }

    pub(super) fn room(&self) -> usize {
        self.room
    }

    /// Computes a row unless it is kept; tells its place, which holds until two others have been asked for.
    pub(super) fn place(&mut self, row: usize) -> usize {
        self.n_asked += 1;
        if self.place_of[row] == NOWHERE {
            let place = self.free_place(row);
            self.kernel.row_into(&self.points, &self.points.row(row), &mut self.kept[place].values);
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

    fn most_kept(&self) -> usize {
        (self.room / (size_of::<f64>() * self.diagonal.len().max(1))).max(2)
    }

    fn free_place(&mut self, row: usize) -> usize {
        if self.kept.len() < self.most_kept() {
            self.kept.push(Kept { row, asked: 0, values: Vec::new() });
            return self.kept.len() - 1;
        }
        let (place, oldest) =
            self.kept.iter_mut().enumerate().min_by_key(|(_, kept)| kept.asked).expect("two rows at least");
        self.place_of[oldest.row] = NOWHERE;
        oldest.row = row;
        place
    }

    /// Goes on with some of the rows, ascending; what is kept of them stays.
    pub(super) fn restrict(&mut self, rows: &[u32]) {
        self.points = self.points.take(rows);
        self.diagonal = rows.iter().map(|&row| self.diagonal[row as usize]).collect();
        let mut number_of = vec![NOWHERE; self.place_of.len()];
        rows.iter().enumerate().for_each(|(number, &row)| number_of[row as usize] = number);
        self.kept.retain(|kept| number_of[kept.row] != NOWHERE);
        self.place_of = vec![NOWHERE; rows.len()];
        for (place, kept) in self.kept.iter_mut().enumerate() {
            kept.row = number_of[kept.row];
            self.place_of[kept.row] = place;
            kept.values = rows.iter().map(|&row| kept.values[row as usize]).collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::Matrix;

    const ROOM: usize = 1 << 20;

    fn matrix() -> Matrix {
        let column = |factor: f64| (0..9).map(|row| (f64::from(row) * factor).sin()).collect();
        Matrix::from_columns(9, vec![column(1.0), column(2.7)])
    }

    #[test]
    fn rows_are_the_same_however_few_are_kept() {
        let matrix = matrix();
        let kernel = Kernel::Rbf { sigma: 1.0 };
        let rows = |room: usize| KernelRows::new(kernel, Points::of(&matrix), room);
        let (mut few, mut all) = (rows(0), rows(ROOM));
        for row in [0, 3, 0, 8, 3, 3, 0, 5] {
            let (first, second) = (few.place(row), few.place((row + 1) % 9));
            assert_eq!(few.at(first), all.row(row));
            assert_eq!(few.at(second), all.row((row + 1) % 9));
        }
        assert_eq!((few.kept.len(), all.kept.len()), (2, 7));
    }

    #[test]
    fn rows_among_some_are_those_of_all_without_the_others() {
        let matrix = matrix();
        for kernel in [Kernel::Linear, Kernel::Rbf { sigma: 1.0 }] {
            let mut all = KernelRows::new(kernel, Points::of(&matrix), ROOM);
            let mut some = KernelRows::new(kernel, Points::of(&matrix), ROOM);
            // Kept, kept and put aside, not kept.
            [4, 2].into_iter().for_each(|row| _ = some.place(row));
            let active = [0, 1, 4, 7];
            some.restrict(&active);
            assert_eq!(some.kept.len(), 1);
            for (number, &row) in active.iter().enumerate() {
                let expected: Vec<f64> =
                    active.iter().map(|&other| all.row(row as usize)[other as usize]).collect();
                assert_eq!(some.row(number), expected);
                assert_eq!(some.diagonal()[number], all.diagonal()[row as usize]);
            }
        }
    }
}
