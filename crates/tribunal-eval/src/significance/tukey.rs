//! Tukey's honestly significant difference on the two-way analysis of variance.
//!
//! Holds the error over all pairs at once, and gives each difference an interval that is right for all of them together.
//! The error term is that of the two-way analysis, so the folds' own differences do not blur the algorithms'.
//! Reference: Tukey (1953), "The problem of multiple comparisons".

use serde::{Deserialize, Serialize};

use super::anova::{Anova, anova};
use super::effect::{Effect, ratio};
use super::fold_table::FoldTable;
use super::studentized_range::StudentizedRange;
use super::subsets::Subsets;
use crate::intervals::{Interval, IntervalMethod, Level, Unusable};

/// Two algorithms compared by Tukey's test.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct TukeyPair {
    /// The first algorithm, by position in the table.
    pub first: usize,
    /// The second.
    pub second: usize,
    /// The mean of the first less that of the second, with its simultaneous interval.
    pub effect: Effect,
    /// The difference in standard errors of a mean.
    #[serde(with = "crate::infinite")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub q: f64,
    /// The probability that some pair of so many equal algorithms lies so far apart.
    pub p: f64,
}

/// The outcome of Tukey's test.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Tukey {
    /// One less the error over all pairs.
    pub level: Level,
    /// The analysis of variance.
    pub anova: Anova,
    /// The quantile of the studentized range.
    pub q: f64,
    /// The difference from which on two means differ.
    pub honest_difference: f64,
    /// Every pair, in the order of the table.
    pub pairs: Vec<TukeyPair>,
    /// The algorithms that cannot be told apart.
    pub subsets: Subsets,
}

/// Tukey's honestly significant difference.
///
/// **Definition** two of `a` means differ when they lie at least `q SE` apart, `q` being the quantile of the studentized
/// range of `a` means at the level and `SE = sqrt(MSE / folds)`; `p = P(Q > |d| / SE)`; the interval is `d ± q SE`.
///
/// **Undefined when** never, once the [`FoldTable`] exists. Without residuals, p is 0 for a difference and 1 for none.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::Level;
/// use tribunal_eval::significance::{FoldTable, tukey};
/// let cells = [
///     ("a", "1", 0.80), ("a", "2", 0.81), ("a", "3", 0.83),
///     ("b", "1", 0.79), ("b", "2", 0.82), ("b", "3", 0.82),
///     ("c", "1", 0.60), ("c", "2", 0.61), ("c", "3", 0.64),
/// ];
/// let outcome = tukey(&FoldTable::from_cells(cells)?, Level::P95)?;
/// assert!(outcome.pairs[0].p > 0.5 && outcome.pairs[1].p < 0.001);
/// # Ok::<(), tribunal_eval::intervals::Unusable>(())
/// ```
///
/// **Reference** Tukey (1953).
pub fn tukey(table: &FoldTable, level: Level) -> Result<Tukey, Unusable> {
    let anova = anova(table);
    let n_means = anova.means.len();
    let mut range = StudentizedRange::new(n_means, anova.df_error as f64)?;
    let q = range.quantile(level.get(), n_means)?;
    let honest_difference = q * anova.standard_error();
    let mut pairs = Vec::new();
    for first in 0..n_means {
        for second in first + 1..n_means {
            pairs.push(pair((first, second), &anova, (honest_difference, level), &mut range)?);
        }
    }
    let gain = |mean: &f64| table.better().as_gain(*mean);
    let gains: Vec<f64> = anova.means.iter().map(gain).collect();
    let rounding = anova.rounding();
    let subsets = Subsets::step_down(&gains, |d, _| d > rounding && d >= honest_difference);
    Ok(Tukey { level, anova, q, honest_difference, pairs, subsets })
}

fn pair(
    (first, second): (usize, usize),
    anova: &Anova,
    (half_width, level): (f64, Level),
    range: &mut StudentizedRange,
) -> Result<TukeyPair, Unusable> {
    let difference = anova.means[first] - anova.means[second];
    let counts = difference.abs() > anova.rounding();
    let q = ratio(if counts { difference.abs() } else { 0.0 }, anova.standard_error());
    let interval = Interval::around(difference, half_width, level, IntervalMethod::Tukey);
    let effect = Effect { difference, interval };
    Ok(TukeyPair { first, second, effect, q, p: range.sf(q, anova.means.len())? })
}

#[cfg(test)]
mod tests {
    use super::super::fold_table::tests::{table, worked};
    use super::*;

    #[test]
    fn the_worked_table() {
        let outcome = tukey(&worked(), Level::P95).expect("a table");
        assert!((outcome.q - 4.208669).abs() < 5e-7);
        assert!((outcome.honest_difference - 4.208669 * 0.528755).abs() < 1e-5);
        // C45s lies apart from all others; the others lie within 2.2253 of each other.
        assert_eq!(outcome.subsets.members(), [vec![2, 0, 3, 4, 5], vec![1]]);
        for pair in &outcome.pairs {
            let significant = pair.first == 1 || pair.second == 1;
            assert_eq!(pair.p < 0.05, significant, "{pair:?}");
            assert_eq!(!pair.effect.interval.contains(0.0), significant, "{pair:?}");
            assert_eq!(outcome.subsets.differ(pair.first, pair.second), significant, "{pair:?}");
        }
    }

    #[test]
    fn two_means_are_a_paired_t_test() {
        let two = table(&[vec![0.8, 0.7, 0.9, 0.6], vec![0.7, 0.7, 0.7, 0.5]]);
        let outcome = tukey(&two, Level::P95).expect("a table");
        // t = 0.1 / sqrt(var / 4) with var = 2/300, 3 degrees of freedom.
        assert!((outcome.pairs[0].p - 0.091721).abs() < 1e-6, "{}", outcome.pairs[0].p);
    }

    #[test]
    fn without_residuals_every_difference_counts() {
        let rows = [vec![0.1, 0.2, 0.4], vec![0.2, 0.3, 0.5], vec![0.1, 0.2, 0.4]];
        let outcome = tukey(&table(&rows), Level::P95).expect("a table");
        assert_eq!(outcome.pairs.iter().map(|pair| pair.p).collect::<Vec<_>>(), [0.0, 1.0, 0.0]);
        assert_eq!(outcome.subsets.members(), [vec![1], vec![0, 2]]);
    }
}
