//! Nemenyi's test after Friedman's: the critical difference of mean ranks, and the groups of a critical-difference
//! diagram.
//!
//! Also Holm's step-down on the same ranks, which finds more when only some comparisons matter. References: Nemenyi
//! (1963), "Distribution-free multiple comparisons"; Demšar (2006) for the diagram.

use std::f64::consts::SQRT_2;

use serde::{Deserialize, Serialize};

use super::friedman::Friedman;
use super::holm::holm;
use super::studentized_range::StudentizedRange;
use super::subsets::Subsets;
use crate::intervals::{Level, Unusable};
use tribunal_tails::normal_two_sided;

/// Two algorithms compared by their mean ranks.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RankPair {
    /// The first algorithm, by position in the table.
    pub first: usize,
    /// The second.
    pub second: usize,
    /// The mean rank of the first less that of the second; negative when the first is better.
    pub difference: f64,
    /// The difference in standard errors.
    pub z: f64,
    /// Nemenyi's p value, right for all pairs together.
    pub p_nemenyi: f64,
    /// The normal p value after Holm's adjustment over all pairs.
    pub p_holm: f64,
}

/// The outcome of Nemenyi's test.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Nemenyi {
    /// One less the error over all pairs.
    pub level: Level,
    /// The quantile of the studentized range over the root of two.
    pub q: f64,
    /// The difference of mean ranks from which on two algorithms differ.
    pub critical_difference: f64,
    /// Every pair, in the order of the table.
    pub pairs: Vec<RankPair>,
    /// The algorithms that cannot be told apart; those of two or more are the bars of the diagram.
    pub subsets: Subsets,
}

impl Nemenyi {
    /// The bars of the critical-difference diagram: subsets of two or more algorithms, best first.
    pub fn cliques(&self) -> Vec<Vec<usize>> {
        self.subsets.members().into_iter().filter(|members| members.len() > 1).collect()
    }
}

/// Nemenyi's test on the mean ranks of Friedman's.
///
/// **Definition** two of `k` algorithms differ when their mean ranks over `N` blocks lie at least
/// `CD = q sqrt(k (k + 1) / 6N)` apart, `q` being the quantile of the studentized range of `k` means with known variance
/// over the root of 2. For Holm's p values, `z = (R_i - R_j) / sqrt(k (k + 1) / 6N)`.
///
/// **Undefined when** never, once Friedman's ranks exist.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::Level;
/// use tribunal_eval::significance::{FoldTable, friedman, nemenyi};
/// let cells = [("a", "1", 0.8), ("b", "1", 0.7), ("a", "2", 0.9), ("b", "2", 0.8)];
/// let outcome = nemenyi(&friedman(&FoldTable::from_cells(cells)?), Level::P95)?;
/// assert!((outcome.critical_difference - 1.959964 * 0.5f64.sqrt()).abs() < 1e-6);
/// assert_eq!(outcome.cliques(), [[0, 1]]);
/// # Ok::<(), tribunal_eval::intervals::Unusable>(())
/// ```
///
/// **Reference** Nemenyi (1963); Demšar (2006).
pub fn nemenyi(friedman: &Friedman, level: Level) -> Result<Nemenyi, Unusable> {
    let k = friedman.mean_ranks.len();
    let mut range = StudentizedRange::new(k, f64::INFINITY)?;
    let q = range.quantile(level.get(), k)? / SQRT_2;
    let error = (k as f64 * (k as f64 + 1.0) / (6.0 * friedman.n_blocks as f64)).sqrt();
    let critical_difference = q * error;
    let gains: Vec<f64> = friedman.mean_ranks.iter().map(|rank| -rank).collect();
    let pairs = rank_pairs(&friedman.mean_ranks, error, &mut range)?;
    let subsets = Subsets::step_down(&gains, |difference, _| difference >= critical_difference);
    Ok(Nemenyi { level, q, critical_difference, pairs, subsets })
}

fn rank_pairs(
    mean_ranks: &[f64],
    error: f64,
    range: &mut StudentizedRange,
) -> Result<Vec<RankPair>, Unusable> {
    let k = mean_ranks.len();
    let mut pairs = Vec::new();
    for first in 0..k {
        for second in first + 1..k {
            let difference = mean_ranks[first] - mean_ranks[second];
            let z = difference / error;
            let p_nemenyi = range.sf(z.abs() * SQRT_2, k)?;
            pairs.push(RankPair { first, second, difference, z, p_nemenyi, p_holm: normal_two_sided(z) });
        }
    }
    let adjusted = holm(&pairs.iter().map(|pair| pair.p_holm).collect::<Vec<_>>())?;
    pairs.iter_mut().zip(adjusted).for_each(|(pair, p)| pair.p_holm = p);
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::super::fold_table::tests::{table, worked};
    use super::super::friedman::friedman;
    use super::*;

    #[test]
    fn the_worked_table() {
        let outcome = nemenyi(&friedman(&worked()), Level::P95).expect("ranks");
        assert!((outcome.q - 2.849705).abs() <= 5e-7);
        assert!((outcome.critical_difference - 2.384235).abs() <= 5e-7);
        // Ranks 2.3 2.6 2.8 3.6 3.9 5.8: only the three best lie 2.384 from C45s.
        assert_eq!(outcome.cliques(), [vec![0, 2, 3, 4, 5], vec![4, 5, 1]]);
        for pair in &outcome.pairs {
            assert_eq!(pair.p_nemenyi < 0.05, outcome.subsets.differ(pair.first, pair.second), "{pair:?}");
        }
    }

    #[test]
    fn the_published_quantiles() {
        let check = |level: f64, expected: &[f64]| {
            for (k, expected) in (2..).zip(expected) {
                let rows: Vec<Vec<f64>> = (0..k).map(|i| vec![f64::from(i), 0.5]).collect();
                let outcome =
                    nemenyi(&friedman(&table(&rows)), Level::new(level).expect("a level")).expect("ranks");
                assert!((outcome.q - expected).abs() <= 5e-7, "{}, expected {expected}", outcome.q);
            }
        };
        let at_five =
            [1.959964, 2.343701, 2.569032, 2.727774, 2.849705, 2.948320, 3.030878, 3.101730, 3.163684];
        check(0.95, &at_five);
        check(0.90, &[1.644854, 2.052293, 2.291341, 2.459516, 2.588521]);
    }
}
