//! All distances of a row, sixteen training rows at a time.
//!
//! Training rows stand in blocks of sixteen, within a block column by column, so that the sums of a block stay in vector
//! registers until they are complete. Every sum is made in the order of the columns by the same three operations whatever
//! the machine, and has the bits that `squared_distance` gives.

use tribunal_algebra::vectorised;

use super::points::Points;

/// Training rows that are looked at together.
const LANES: usize = 16;

/// Rows to be judged that are looked at together.
pub(super) const PAIR: usize = 2;

/// Training rows, block by block.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    n_rows: usize,
    n_columns: usize,
    values: Vec<f64>,
}

impl Blocks {
    pub(super) fn of(points: &Points) -> Blocks {
        let (n_rows, n_columns) = (points.n_rows, points.n_columns);
        let mut values = vec![0.0; n_rows.div_ceil(LANES) * LANES * n_columns];
        for row in 0..n_rows {
            let block = row / LANES * LANES * n_columns;
            for (idx, &value) in points.row(row).iter().enumerate() {
                values[block + idx * LANES + row % LANES] = value;
            }
        }
        Blocks { n_rows, n_columns, values }
    }

    /// The distances of two rows to every training row.
    pub(super) fn distances(&self, rows: [&[f64]; PAIR], found: &mut [Vec<f64>; PAIR]) {
        found.iter_mut().for_each(|found| found.resize(self.n_rows.next_multiple_of(LANES), 0.0));
        let [first, second] = found;
        vectorised(
            #[inline(always)]
            || self.fill(rows, first, second),
        );
        found.iter_mut().for_each(|found| found.truncate(self.n_rows));
    }

    /// The distances of a row to every training row, with the squared differences of each column multiplied by a number.
    pub(super) fn stretched_distances(&self, row: &[f64], stretches: &[f64], found: &mut Vec<f64>) {
        found.resize(self.n_rows.next_multiple_of(LANES), 0.0);
        let width = LANES * self.n_columns;
        vectorised(
            #[inline(always)]
            || {
                for (idx, found) in found.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
                    let (columns, _) = self.values[idx * width..][..width].as_chunks::<LANES>();
                    *found = stretched_block(columns, row, stretches);
                }
            },
        );
        found.truncate(self.n_rows);
    }

    #[inline(always)]
    fn fill(&self, rows: [&[f64]; PAIR], first: &mut [f64], second: &mut [f64]) {
        let width = LANES * self.n_columns;
        let (first, _) = first.as_chunks_mut::<LANES>();
        let (second, _) = second.as_chunks_mut::<LANES>();
        for (idx, (first, second)) in first.iter_mut().zip(second).enumerate() {
            let (columns, _) = self.values[idx * width..][..width].as_chunks::<LANES>();
            [*first, *second] = block_distances(columns, rows);
        }
    }
}

#[inline(always)]
fn block_distances(columns: &[[f64; LANES]], rows: [&[f64]; PAIR]) -> [[f64; LANES]; PAIR] {
    let mut sums = [[0.0; LANES]; PAIR];
    for ((column, &first), &second) in columns.iter().zip(rows[0]).zip(rows[1]) {
        for lane in 0..LANES {
            let differences = [first - column[lane], second - column[lane]];
            sums[0][lane] += differences[0] * differences[0];
            sums[1][lane] += differences[1] * differences[1];
        }
    }
    sums
}

#[inline(always)]
fn stretched_block(columns: &[[f64; LANES]], row: &[f64], stretches: &[f64]) -> [f64; LANES] {
    let mut sums = [0.0; LANES];
    for ((column, value), stretch) in columns.iter().zip(row).zip(stretches) {
        for lane in 0..LANES {
            let difference = value - column[lane];
            sums[lane] += stretch * difference * difference;
        }
    }
    sums
}
