//! Which column leans on which: mutual information given the class, and the tree that keeps most of it.
//!
//! The information of a pair times the number of rows is a sum of n ln n over cells and margins. Each term is rounded to a
//! multiple of 2^-30 and added as an integer, so that sums do not depend on their order, a row can be taken out again
//! without a trace, and equal information is equal.

use std::sync::LazyLock;

use rayon::prelude::*;

use super::pair_table::PairTable;
use crate::encoding::NominalColumn;
use crate::learners::nb::class_totals;
use crate::training::Training;

const SCALE: f64 = (1_u64 << 30) as f64;

/// No term is larger, so that a sum of a thousand million of them is a number: that of a weight of 2 10^17.
const LARGEST: f64 = (1_u128 << 93) as f64;

/// Whole weights below this are looked up.
const LOOKED_UP: usize = 1 << 13;

/// n ln n as a whole number of 2^-30 nats.
pub(super) fn term(weight: f64) -> i128 {
    static TERMS: LazyLock<Vec<i128>> =
        LazyLock::new(|| (0..LOOKED_UP).map(|n| computed(n as f64)).collect());
    let whole = weight as usize;
    if whole < LOOKED_UP && whole as f64 == weight { TERMS[whole] } else { computed(weight) }
}

fn computed(weight: f64) -> i128 {
    if weight > 0.0 { (weight * weight.ln() * SCALE).round().clamp(-LARGEST, LARGEST) as i128 } else { 0 }
}

/// Mutual information of two columns given the class, in nats times rows.
pub(super) fn information(table: &PairTable) -> i128 {
    let n_classes = table.shape().n_classes;
    let mut firsts = vec![0.0; table.shape().n_first * n_classes];
    let mut seconds = vec![0.0; table.shape().n_second * n_classes];
    let mut cells = 0;
    table.visit(|first, second, class, weight| {
        cells += term(weight);
        firsts[first * n_classes + class] += weight;
        seconds[second * n_classes + class] += weight;
    });
    let classes = class_totals(&firsts, n_classes).into_iter().map(term).sum::<i128>();
    cells - firsts.into_iter().chain(seconds).map(term).sum::<i128>() + classes
}

/// The same in nats.
pub(super) fn nats(information: i128, total_weight: f64) -> f64 {
    if total_weight > 0.0 { information as f64 / SCALE / total_weight } else { 0.0 }
}

/// Which column leans on no other, of those that vary. Smoothing blurs it least.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Root {
    #[default]
    First,
    /// The first column of the pair that tells most about each other.
    Strongest,
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
        let columns = training.columns();
        let varies: Vec<bool> = columns.iter().map(NominalColumn::varies).collect();
        let of_pair = |(first, second): (usize, usize)| match varies[first] && varies[second] {
            true => information(&PairTable::count(&columns[first], &columns[second], training)),
            false => 0,
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

    /// The parent of each column in the tree of these columns, which vary; the others lean on none and none leans on them.
    pub(super) fn tree(&self, root: Root, varying: &[usize]) -> Vec<Option<usize>> {
        let among = spanning_tree(varying.len(), |a, b| self.pair(varying[a], varying[b]));
        let mut parents = vec![None; self.n_columns];
        for (&column, parent) in varying.iter().zip(among) {
            parents[column] = parent.map(|parent| varying[parent]);
        }
        match self.strongest(varying).filter(|_| root == Root::Strongest) {
            Some(column) => hung_on(column, parents),
            None => parents,
        }
    }

    /// The first column of the strongest pair; of equals the first pair counts.
    fn strongest(&self, varying: &[usize]) -> Option<usize> {
        let pairs = || pairs(varying.len()).into_iter().map(|(a, b)| (varying[a], varying[b]));
        let most = pairs().map(|(a, b)| self.pair(a, b)).max()?;
        pairs().find(|&(a, b)| self.pair(a, b) == most).map(|(a, _)| a)
    }
}

/// The same tree with another root.
fn hung_on(root: usize, mut parents: Vec<Option<usize>>) -> Vec<Option<usize>> {
    let (mut column, mut above) = (root, None);
    while let Some(next) = std::mem::replace(&mut parents[column], above) {
        (column, above) = (next, Some(column));
    }
    parents
}

/// The maximum spanning tree, grown from column 0 (Prim 1957). Of equal weights the lowest column is taken, and it leans on
/// the column that offered the weight first.
pub(super) fn spanning_tree<W: PartialOrd + Copy>(
    n_columns: usize,
    weight: impl Fn(usize, usize) -> W,
) -> Vec<Option<usize>> {
    let mut parents = vec![None; n_columns];
    // The columns outside of the tree, in order, with the best offer of a column inside.
    let mut outside: Vec<(usize, W, usize)> =
        (1..n_columns).map(|column| (column, weight(0, column), 0)).collect();
    let mut newest = 0;
    while let Some(&(_, mut most, _)) = outside.first() {
        let mut best = 0;
        for (idx, (column, known, parent)) in outside.iter_mut().enumerate() {
            let offer = weight(newest, *column);
            if offer > *known {
                (*known, *parent) = (offer, newest);
            }
            if *known > most || idx == 0 {
                (best, most) = (idx, *known);
            }
        }
        let (column, _, parent) = outside.remove(best);
        parents[column] = Some(parent);
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

    #[test]
    fn huge_weights_do_not_leave_the_range_of_sums() {
        let shape = super::super::pair_table::Shape { n_first: 2, n_second: 2, n_classes: 2 };
        let huge = PairTable::of_cells(shape, vec![1e300; 8]);
        assert_eq!(information(&huge), information(&PairTable::of_cells(shape, vec![1e290; 8])));
    }

    #[test]
    fn a_tree_hangs_on_its_first_column_or_on_its_strongest_pair() {
        // The pairs (0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3).
        let information = Information::new(4, vec![5, 1, 1, 6, 0, 7]);
        assert_eq!(information.tree(Root::First, &[0, 1, 2, 3]), [None, Some(0), Some(1), Some(2)]);
        assert_eq!(information.tree(Root::Strongest, &[0, 1, 2, 3]), [Some(1), Some(2), None, Some(2)]);
        assert_eq!(Information::new(1, Vec::new()).tree(Root::Strongest, &[0]), [None]);
    }

    #[test]
    fn what_does_not_vary_is_no_part_of_the_tree() {
        let information = Information::new(4, vec![0, 0, 0, 0, 3, 0]);
        assert_eq!(information.tree(Root::First, &[1, 2, 3]), [None, None, Some(1), Some(1)]);
        assert_eq!(information.tree(Root::Strongest, &[1, 2, 3]), [None, None, Some(1), Some(1)]);
        assert_eq!(information.tree(Root::Strongest, &[]), [None; 4]);
    }
}
