//! Friedman's test on ranks, with Iman and Davenport's improvement.
//!
//! Asks only which algorithm is better in each fold or data set, not by how much, and so survives scales that differ
//! between data sets. References: Friedman (1937); Iman & Davenport (1980); Demšar (2006), "Statistical comparisons of
//! classifiers over multiple data sets".

use serde::{Deserialize, Serialize};

use super::effect::ratio;
use super::fold_table::FoldTable;
use tribunal_tails::{chi_square_sf, f_sf};

/// The outcome of Friedman's test.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Friedman {
    /// The mean rank of each algorithm, 1 being best.
    pub mean_ranks: Vec<f64>,
    /// The number of folds or data sets.
    pub n_blocks: usize,
    /// The statistic, corrected for ties.
    pub chi_square: f64,
    /// Its degrees of freedom.
    pub df: usize,
    /// Its p value.
    pub p: f64,
    /// Iman and Davenport's statistic, which is less timid; infinite when all blocks agree.
    #[serde(with = "crate::infinite")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub f: f64,
    /// Its degrees of freedom.
    pub df_f: (usize, usize),
    /// Its p value.
    pub p_f: f64,
}

/// Friedman's test.
///
/// **Definition** with the mean ranks `R_j` of `k` algorithms over `N` blocks (1 = best, tied values share their mean
/// rank): `chi² = 12N / (k (k + 1)) [sum R_j² - k (k + 1)² / 4]`, divided by `1 - sum(t³ - t) / (N k (k² - 1))` for ties
/// of `t`, with `k - 1` degrees of freedom; `F = (N - 1) chi² / (N (k - 1) - chi²)` with `k - 1` and `(k - 1)(N - 1)`.
///
/// **Undefined when** never, once the [`FoldTable`] exists. When every block is one tie, both statistics are 0 and p 1.
///
/// **Example**
/// ```
/// use tribunal_eval::significance::{FoldTable, friedman};
/// let cells = [("a", "1", 0.8), ("b", "1", 0.7), ("a", "2", 0.9), ("b", "2", 0.9)];
/// assert_eq!(friedman(&FoldTable::from_cells(cells)?).mean_ranks, [1.25, 1.75]);
/// # Ok::<(), tribunal_eval::intervals::Unusable>(())
/// ```
///
/// **Reference** Friedman (1937); Iman & Davenport (1980).
pub fn friedman(table: &FoldTable) -> Friedman {
    let (k, n) = (table.algorithms().len(), table.folds().len());
    let (mean_ranks, ties) = mean_ranks(table);
    let chi_square = statistic(&mean_ranks, n as f64, ties);
    let rest = n as f64 * (k as f64 - 1.0) - chi_square;
    // Perfect agreement leaves nothing over but rounding.
    let rest = if rest > 1e-12 * chi_square { rest } else { 0.0 };
    let f = ratio((n as f64 - 1.0) * chi_square, rest);
    let (df, df_f) = (k - 1, (k - 1, (k - 1) * (n - 1)));
    let (p, p_f) = (chi_square_sf(chi_square, df), f_sf(f, df_f.0 as f64, df_f.1 as f64));
    Friedman { mean_ranks, n_blocks: n, chi_square, df, p, f, df_f, p_f }
}

/// The mean rank of each algorithm, and the sum of `t³ - t` over all ties.
fn mean_ranks(table: &FoldTable) -> (Vec<f64>, f64) {
    let n = table.folds().len();
    let (mut rank_sums, mut ties) = (vec![0.0; table.algorithms().len()], 0.0);
    for fold in 0..n {
        let gain = |row: &Vec<f64>| table.better().as_gain(row[fold]);
        let gains: Vec<f64> = table.rows().iter().map(gain).collect();
        ties += add_ranks(&gains, &mut rank_sums);
    }
    (rank_sums.iter().map(|sum| sum / n as f64).collect(), ties)
}

/// Friedman's chi-square; `ties` is the sum of `t³ - t` over all ties.
fn statistic(mean_ranks: &[f64], n: f64, ties: f64) -> f64 {
    let k = mean_ranks.len() as f64;
    let middle = (k + 1.0) / 2.0;
    // The sum of squares about the middle rank, which is what the definition's difference amounts to.
    let spread: f64 = mean_ranks.iter().map(|rank| (rank - middle) * (rank - middle)).sum();
    let untied = 1.0 - ties / (n * k * (k * k - 1.0));
    if untied > 1e-12 { 12.0 * n / (k * (k + 1.0)) * spread / untied } else { 0.0 }
}

/// Adds the ranks of one block, the largest gain first, and returns the sum of `t³ - t` over its ties.
fn add_ranks(gains: &[f64], rank_sums: &mut [f64]) -> f64 {
    let mut order: Vec<usize> = (0..gains.len()).collect();
    order.sort_by(|a, b| gains[*b].total_cmp(&gains[*a]));
    let (mut before, mut ties) = (0, 0.0);
    for tied in order.chunk_by(|a, b| gains[*a] == gains[*b]) {
        let t = tied.len() as f64;
        let rank = before as f64 + (t + 1.0) / 2.0;
        tied.iter().for_each(|algorithm| rank_sums[*algorithm] += rank);
        before += tied.len();
        ties += t * t * t - t;
    }
    ties
}

#[cfg(test)]
mod tests {
    use super::super::fold_table::tests::{table, worked};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_worked_table() {
        let test = friedman(&worked());
        for (found, expected) in test.mean_ranks.iter().zip([2.3, 5.8, 2.6, 2.8, 3.6, 3.9]) {
            assert!((found - expected).abs() < 1e-12);
        }
        for (found, expected, tolerance) in [
            (test.chi_square, 23.428571, 5e-7),
            (test.p, 2.794699e-4, 5e-11),
            (test.f, 7.935484, 5e-7),
            (test.p_f, 1.992923e-5, 5e-12),
        ] {
            assert!((found - expected).abs() <= tolerance, "{found}, expected {expected}");
        }
        assert_eq!((test.df, test.df_f), (5, (5, 45)));
    }

    #[test]
    fn agreement_and_indifference() {
        let agreed = friedman(&table(&[vec![3.0; 4], vec![2.0; 4], vec![1.0; 4]]));
        assert_eq!((agreed.chi_square, agreed.f, agreed.p_f), (8.0, f64::INFINITY, 0.0));
        let tied = friedman(&table(&vec![vec![0.5; 4]; 3]));
        assert_eq!((tied.chi_square, tied.p, tied.f, tied.p_f), (0.0, 1.0, 0.0, 1.0));
    }

    #[test]
    fn lower_is_better_turns_the_ranks() {
        let turned = friedman(&worked().lower_is_better());
        assert!((turned.mean_ranks[1] - 1.2).abs() < 1e-12);
        assert!((turned.chi_square - friedman(&worked()).chi_square).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn the_order_of_blocks_and_any_monotone_transform_do_not_matter(
            blocks in prop::collection::vec(prop::array::uniform4(0u8..5), 2..12),
        ) {
            let rows = |f: &dyn Fn(u8) -> f64, reverse: bool| -> Vec<Vec<f64>> {
                (0..4).map(|a| {
                    let row: Vec<f64> = blocks.iter().map(|block| f(block[a])).collect();
                    if reverse { row.into_iter().rev().collect() } else { row }
                }).collect()
            };
            let plain = friedman(&table(&rows(&|v| f64::from(v), false)));
            let turned = friedman(&table(&rows(&|v| libm::exp(f64::from(v)), true)));
            prop_assert_eq!(&plain, &turned);
            let mean = plain.mean_ranks.iter().sum::<f64>() / 4.0;
            prop_assert!((mean - 2.5).abs() < 1e-12);
            prop_assert!((0.0..=1.0).contains(&plain.p) && (0.0..=1.0).contains(&plain.p_f));
        }
    }
}
