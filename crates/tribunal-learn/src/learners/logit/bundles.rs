//! Bundles of exclusive columns: indicators of the levels of a category, of which no row has more than one (exclusive feature
//! bundling; Ke et al. 2017).
//!
//! A column of two values is `off + step z`, where z is one in the rows that have its rarer value. Sums over rows of a bundle
//! are then sums over the rows of each z, which takes one pass over the rows however many columns there are. A category of
//! 256 levels costs as much as a number.

use rayon::prelude::*;

use crate::encoding::Matrix;

/// Fewer columns are multiplied sooner than bundled.
const FEWEST_COLUMNS: usize = 32;

/// Columns of two values each; no row has the rarer value of more than one of them.
#[derive(Debug)]
pub(super) struct Bundle {
    /// For each row the slot of the column that is on, or as many as there are slots.
    on: Vec<u32>,
    pub(super) slots: Vec<Slot>,
}

/// A column of a bundle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Slot {
    /// Its place in the matrix.
    pub(super) column: usize,
    /// The commoner value.
    pub(super) off: f64,
    /// The rarer value less the commoner one.
    pub(super) step: f64,
}

impl Bundle {
    /// The bundles of a matrix: neighbouring columns that exclude each other.
    pub(super) fn all_of(matrix: &Matrix) -> Vec<Bundle> {
        if matrix.n_columns() < FEWEST_COLUMNS {
            return Vec::new();
        }
        let slot = |column: usize| Slot::of(column, matrix.column(column));
        let slots: Vec<Option<Slot>> = (0..matrix.n_columns()).into_par_iter().map(slot).collect();
        let mut bundles: Vec<Bundle> = Vec::new();
        let mut open = Bundle::empty(matrix.n_rows());
        for slot in slots {
            let taken = slot.is_some_and(|slot| open.take(slot, matrix.column(slot.column)));
            if !taken {
                bundles.extend(std::mem::replace(&mut open, Bundle::empty(matrix.n_rows())).closed());
                slot.map(|slot| open.take(slot, matrix.column(slot.column)));
            }
        }
        bundles.extend(open.closed());
        bundles
    }

    fn empty(n_rows: usize) -> Self {
        Bundle { on: vec![u32::MAX; n_rows], slots: Vec::new() }
    }

    /// Adds a column unless a row has another already; tells whether it did.
    fn take(&mut self, slot: Slot, values: &[f64]) -> bool {
        let is_on = |value: f64| value != slot.off;
        if self.on.iter().zip(values).any(|(&on, &value)| is_on(value) && on != u32::MAX) {
            return false;
        }
        let number = self.slots.len() as u32;
        self.on.iter_mut().zip(values).filter(|(_, value)| is_on(**value)).for_each(|(on, _)| *on = number);
        self.slots.push(slot);
        true
    }

    /// The bundle, if there is enough in it to be worth its while.
    fn closed(mut self) -> Option<Bundle> {
        let n_slots = self.slots.len() as u32;
        self.on.iter_mut().for_each(|on| *on = (*on).min(n_slots));
        (self.slots.len() >= FEWEST_COLUMNS).then_some(self)
    }

    /// For rows from `start` on what is on, one number a row.
    pub(super) fn on(&self, start: usize, n_rows: usize) -> &[u32] {
        &self.on[start..start + n_rows]
    }

    /// The sums of numbers of rows from `start` on over the rows of each slot.
    pub(super) fn sums(&self, start: usize, numbers: impl ExactSizeIterator<Item = f64>) -> Vec<f64> {
        let mut sums = vec![0.0; self.slots.len() + 1];
        let on = self.on(start, numbers.len());
        on.iter().zip(numbers).for_each(|(&slot, number)| sums[slot as usize] += number);
        sums.pop();
        sums
    }
}

impl Slot {
    /// `None` for a column that has not two values.
    fn of(column: usize, values: &[f64]) -> Option<Slot> {
        let first = *values.first()?;
        let second = *values.iter().find(|value| **value != first)?;
        if values.iter().any(|value| *value != first && *value != second) {
            return None;
        }
        let n_second = values.iter().filter(|value| **value == second).count();
        let (off, on) = if 2 * n_second <= values.len() { (first, second) } else { (second, first) };
        Some(Slot { column, off, step: on - off })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Indicators of so many levels in turn, on a scale, between two other columns.
    fn matrix(n_rows: usize, n_levels: usize) -> Matrix {
        let number = (0..n_rows).map(|row| row as f64).collect();
        let indicator = |level: usize| {
            (0..n_rows).map(move |row| if row % (n_levels + 1) == level { 5.0 } else { -0.2 }).collect()
        };
        let columns = std::iter::once(vec![1.0; n_rows]).chain((0..n_levels).map(indicator));
        Matrix::from_columns(n_rows, columns.chain([number]).collect())
    }

    #[test]
    fn indicators_of_a_category_are_one_bundle() {
        let bundles = Bundle::all_of(&matrix(200, 40));
        assert_eq!(bundles.len(), 1);
        assert_eq!(bundles[0].slots.len(), 40);
        assert_eq!(bundles[0].slots[3], Slot { column: 4, off: -0.2, step: 5.2 });
        // Rows 0 to 2 have the levels of these numbers, row 40 none.
        assert_eq!((bundles[0].on(0, 3), bundles[0].on(40, 2)), (&[0, 1, 2][..], &[40, 0][..]));
        let sums = bundles[0].sums(0, (0..82).map(f64::from));
        assert_eq!((sums.len(), sums[7]), (40, 7.0 + 48.0));
    }

    #[test]
    fn two_categories_are_two_bundles_and_few_levels_none() {
        let (first, second) = (matrix(2000, 40), matrix(2000, 33));
        let both = Matrix::new(2000, 77, [first.values(), second.values()].concat());
        let slots: Vec<usize> = Bundle::all_of(&both).iter().map(|bundle| bundle.slots.len()).collect();
        assert_eq!(slots, [40, 33]);
        assert!(Bundle::all_of(&matrix(200, 31)).is_empty());
    }
}
