//! Which column leans on which: mutual information given the class, and the tree that keeps most of it.
//!
//! The information of a pair times the number of rows is a sum of n ln n over cells and margins. Each term is rounded to a
//! multiple of 2^-30 and added as an integer, so that sums do not depend on their order, a row can be taken out again
//! without a trace, and equal information is equal.

use rayon::prelude::*;

use super::pair_table::PairTable;
use crate::training::Training;

const SCALE: f64 = (1_u64 << 30) as f64;

/// n ln n as a whole number of 2^-30 nats.
pub(super) fn term(weight: f64) -> i128 {
    if weight > 0.0 { (weight * weight.ln() * SCALE).round() as i128 } else { 0 }
}

/// Mutual information of two columns given the class, in nats times rows.
pub(super) fn information(table: &PairTable) -> i128 {
    let (firsts, seconds) = (table.first_totals(), table.second_totals());
    let n_classes = table.shape().n_classes;
    let class_total = |class: usize| firsts.iter().skip(class).step_by(n_classes).sum::<f64>();
    let cells: i128 = table.cells().map(|(_, _, _, weight)| term(weight)).sum();
    let margins: i128 = firsts.iter().chain(&seconds).map(|&weight| term(weight)).sum();
    let classes: i128 = (0..n_classes).map(|class| term(class_total(class))).sum();
    cells - margins + classes
}

/// The same in nats.
pub(super) fn nats(information: i128, total_weight: f64) -> f64 {
    if total_weight > 0.0 { information as f64 / SCALE / total_weight } else { 0.0 }
}

/// The information of every pair of columns.
#[derive(Clone, Debug)]
pub(super) struct Information {
    n_columns: usize,
    /// The pairs (0, 1), (0, 2), ..., (1, 2), ...
    pairs: Vec<i128>,
}

/// Every pair of columns, the lower one first.
pub(super) fn pairs(n_columns: usize) -> Vec<(usize, usize)> {
    (0..n_columns).flat_map(|first| (first + 1..n_columns).map(move |second| (first, second))).collect()
}

impl Information {
    pub(super) fn of(training: &Training<'_>) -> Self {
        let columns = &training.columns;
        let of_pair = |(first, second): (usize, usize)| {
            information(&PairTable::count(&columns[first], &columns[second], training))
        };
        Information::new(columns.len(), pairs(columns.len()).into_par_iter().map(of_pair).collect())
    }

    pub(super) fn new(n_columns: usize, pairs: Vec<i128>) -> Self {
        Information { n_columns, pairs }
    }

    fn pair(&self, a: usize, b: usize) -> i128 {
        let (low, high) = (a.min(b), a.max(b));
        self.pairs[low * (2 * self.n_columns - low - 1) / 2 + high - low - 1]
    }

    /// The parent of each column in the tree.
    pub(super) fn tree(&self) -> Vec<Option<usize>> {
        spanning_tree(self.n_columns, |a, b| self.pair(a, b))
    }
}

/// The maximum spanning tree, grown from column 0 (Prim 1957). Of equal weights the lowest column is taken, and it leans on
/// the column that offered the weight first.
pub(super) fn spanning_tree<W: PartialOrd + Copy>(
    n_columns: usize,
    weight: impl Fn(usize, usize) -> W,
) -> Vec<Option<usize>> {
    let mut parents = vec![None; n_columns];
    let mut outside: Vec<(usize, Option<(W, usize)>)> = (1..n_columns).map(|column| (column, None)).collect();
    let mut newest = 0;
    while !outside.is_empty() {
        let mut best = 0;
        for idx in 0..outside.len() {
            let (column, offer) = &mut outside[idx];
            let weight = weight(newest, *column);
            if offer.is_none_or(|(known, _)| weight > known) {
                *offer = Some((weight, newest));
            }
            if outside[idx].1.map(|(weight, _)| weight) > outside[best].1.map(|(weight, _)| weight) {
                best = idx;
            }
        }
        let (column, offer) = outside.remove(best);
        parents[column] = offer.map(|(_, parent)| parent);
        newest = column;
    }
    parents
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_weights_go_to_the_lowest_column_and_the_first_offer() {
        assert_eq!(spanning_tree(4, |_, _| 0), [None, Some(0), Some(0), Some(0)]);
        let weights = [[0, 1, 2, 2], [1, 0, 5, 5], [2, 5, 0, 5], [2, 5, 5, 0]];
        assert_eq!(spanning_tree(4, |a, b| weights[a][b]), [None, Some(2), Some(0), Some(2)]);
        assert_eq!(spanning_tree(0, |_, _| 0), []);
    }
}
