//! The smallest beta with which over-resampling takes rows from no stratum.
//!
//! The paper searches it by golden sections (its algorithm 2). As printed the walk does not end: its constant 1.618 makes
//! `1 - r` negative, where `(sqrt 5 - 1) / 2 = 0.618` is meant; its comparison of a vector with zero has to be one of the smallest
//! element; and it stops at a bracket of width 3, whose upper end it rounds although the minimum lies inside. Whether a beta is
//! feasible is monotone in beta, so [`search_beta`] expands by golden sections, halves the bracket to the last digit, and agrees
//! with the closed form of [`smallest_beta`].

use serde::{Deserialize, Serialize};

use super::counts::StratumCounts;

/// Which beta is meant by the smallest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum BetaVariant {
    /// The real number from which on no stratum lacks less than nothing.
    Exact,
    /// The smallest whole number of that kind.
    Strict,
    /// The smallest whole number with which no *rounded* number of rows is negative, as in the published table.
    #[default]
    Rounded,
}

impl BetaVariant {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Strict => "strict",
            Self::Rounded => "rounded",
        }
    }

    /// By how much a stratum may lack less than nothing.
    fn slack(self) -> f64 {
        if self == Self::Rounded { 0.5 } else { 0.0 }
    }
}

/// The smallest beta in closed form: `max(0, X max (y_i - slack) / x_i - Y)`, rounded up but for [`BetaVariant::Exact`].
///
/// Rounding takes halves away from zero, so a stratum that lacks exactly minus one half would lose a row: the whole number is
/// checked by the rounded numbers of rows themselves.
///
/// ```
/// use tribunal_eval::correction::{BetaVariant, StratumCounts, smallest_beta};
///
/// let counts = StratumCounts::new(vec![60, 40], vec![1, 9])?;
/// assert_eq!(smallest_beta(&counts, BetaVariant::Exact), 12.5);
/// assert_eq!(smallest_beta(&counts, BetaVariant::Strict), 13.0);
/// // At 11.25 the second stratum lacks minus a half; from 12 on it keeps its rows.
/// assert_eq!(smallest_beta(&counts, BetaVariant::Rounded), 12.0);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
pub fn smallest_beta(counts: &StratumCounts, variant: BetaVariant) -> f64 {
    let steepest = counts.pairs().map(|(x, y)| (y - variant.slack()) / x).fold(0.0, f64::max);
    let beta = (counts.total_prevalence() * steepest - counts.total_incidence() as f64).max(0.0);
    match variant {
        BetaVariant::Exact => beta,
        BetaVariant::Strict | BetaVariant::Rounded => whole(counts, beta, variant),
    }
}

/// The smallest whole number that is feasible, from one that is next to it.
fn whole(counts: &StratumCounts, near: f64, variant: BetaVariant) -> f64 {
    let mut beta = (near - 1.0).ceil().max(0.0);
    while !is_feasible(counts, beta, variant) {
        beta += 1.0;
    }
    beta
}

/// Whether no stratum would lose rows. What is missing by rounding errors alone is not missing.
fn is_feasible(counts: &StratumCounts, beta: f64, variant: BetaVariant) -> bool {
    let target = counts.total_incidence() as f64 + beta;
    let mut deltas = counts.deltas(target);
    match variant {
        BetaVariant::Rounded => deltas.all(|delta| delta.round() >= 0.0),
        _ => deltas.all(|delta| delta >= -1e-12 * target),
    }
}

/// The smallest beta by a search, as the paper means it: golden-section steps up until no stratum loses rows, then halving. For
/// all variants it is what [`smallest_beta`] says, to rounding errors.
pub fn search_beta(counts: &StratumCounts, variant: BetaVariant) -> f64 {
    if is_feasible(counts, 0.0, variant) {
        return 0.0;
    }
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let (mut low, mut high) = (0.0, 1.0);
    while !is_feasible(counts, high, variant) {
        let step = (high - low) / GOLDEN;
        (low, high) = (high, high + step);
    }
    // Every halving keeps an infeasible lower and a feasible upper end.
    while high - low > 1e-9 * (1.0 + high) && low < 0.5 * (low + high) && 0.5 * (low + high) < high {
        let middle = 0.5 * (low + high);
        if is_feasible(counts, middle, variant) { high = middle } else { low = middle }
    }
    if variant == BetaVariant::Exact { high } else { whole(counts, high, variant) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_search_finds_the_closed_form(cells in prop::collection::vec((1u64..5000, 0u64..300), 1..12)) {
            let (x, mut y): (Vec<u64>, Vec<u64>) = cells.into_iter().unzip();
            y[0] += 1;
            let counts = StratumCounts::new(x, y).expect("counts");
            for variant in [BetaVariant::Exact, BetaVariant::Strict, BetaVariant::Rounded] {
                let (closed, found) = (smallest_beta(&counts, variant), search_beta(&counts, variant));
                prop_assert!((closed - found).abs() <= 1e-6 * (1.0 + closed), "{closed} {found}");
                prop_assert!(is_feasible(&counts, closed, variant));
                let below = if variant == BetaVariant::Exact { closed * (1.0 - 1e-6) } else { closed - 1.0 };
                prop_assert!(closed < 1e-3 || !is_feasible(&counts, below, variant));
            }
        }
    }

    #[test]
    fn halves_lose_a_row() {
        // At beta 11.25 the second stratum lacks exactly minus one half, which rounds to minus one.
        let counts = StratumCounts::new(vec![60, 40], vec![1, 9]).expect("counts");
        assert!(!is_feasible(&counts, 11.25, BetaVariant::Rounded));
        let level = StratumCounts::new(vec![3, 1], vec![6, 2]).expect("counts");
        assert_eq!(smallest_beta(&level, BetaVariant::Exact), 0.0);
        assert_eq!(search_beta(&level, BetaVariant::Strict), 0.0);
    }
}
