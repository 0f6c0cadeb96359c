//! How many rows each stratum gains or loses: mixed resampling and over-resampling.
//!
//! With prevalence counts `x_i` of X in all and incidence counts `y_i` of Y in all, a stratum lacks `Delta_i = a x_i - y_i` rows,
//! where `a` is `Y / X` in mixed resampling (equations 11 to 16) and `(Y + beta) / X` in over-resampling (17 to 21). The paper
//! compares `y_i` with `x_i`; what makes sense, and what its tables show, is the sign of Delta.

use serde::{Deserialize, Serialize};

use super::beta::{BetaVariant, smallest_beta};
use super::counts::StratumCounts;
use crate::error::Error;

/// How numbers of rows become whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Rounding {
    /// Each to the nearest, halves away from zero; the sum may move by a few rows.
    #[default]
    Nearest,
    /// By largest remainders, so that the sample has exactly as many rows as before.
    ExactTotal,
}

/// What becomes of a stratum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StratumPlan {
    /// What it lacks, a real number; below zero what it has too many.
    pub delta: f64,
    /// The same in whole rows: added with replacement, or left out at random.
    pub delta_rounded: i64,
    /// Rows after that.
    pub size: u64,
}

/// What becomes of every stratum.
#[derive(Clone, Debug, PartialEq)]
pub struct Resampling {
    /// Rows of the corrected sample for each row of the population, before rounding.
    pub alpha: f64,
    /// By how many rows the sample grows before rounding, in over-resampling.
    pub beta: Option<f64>,
    /// The strata, in order.
    pub strata: Vec<StratumPlan>,
}

impl Resampling {
    /// Rows of each stratum in the corrected sample.
    pub fn sizes(&self) -> Vec<u64> {
        self.strata.iter().map(|stratum| stratum.size).collect()
    }

    /// Rows of the corrected sample.
    pub fn total(&self) -> u64 {
        self.strata.iter().map(|stratum| stratum.size).sum()
    }
}

/// Mixed resampling: strata that have too few rows gain some, others lose some.
///
/// ```
/// use tribunal_eval::correction::{Rounding, StratumCounts, mixed};
///
/// let plan = mixed(&StratumCounts::new(vec![60, 40], vec![1, 9])?, Rounding::Nearest)?;
/// assert_eq!(plan.sizes(), [6, 4]);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// # Errors
/// A stratum without rows would have to gain some.
pub fn mixed(counts: &StratumCounts, rounding: Rounding) -> Result<Resampling, Error> {
    planned(counts, None, rounding)
}

/// Over-resampling: no stratum loses rows, and the smallest beta makes that possible.
///
/// # Errors
/// A stratum without rows would have to gain some.
pub fn over(counts: &StratumCounts, variant: BetaVariant) -> Result<Resampling, Error> {
    planned(counts, Some(smallest_beta(counts, variant)), Rounding::Nearest)
}

fn planned(counts: &StratumCounts, beta: Option<f64>, rounding: Rounding) -> Result<Resampling, Error> {
    let target = counts.total_incidence() as f64 + beta.unwrap_or(0.0);
    let deltas: Vec<f64> = counts.deltas(target).collect();
    let rounded = match rounding {
        Rounding::Nearest => deltas.iter().map(|delta| delta.round() as i64).collect(),
        Rounding::ExactTotal => largest_remainders(&deltas, counts.incidence()),
    };
    let stratum = |(place, (&delta, delta_rounded)): (usize, (&f64, i64))| {
        let rows = counts.incidence()[place];
        if rows == 0 && delta_rounded > 0 {
            return Err(Error::EmptyStratum { stratum: place, needed: delta_rounded as u64 });
        }
        // Nothing is taken away that is not there: delta is never below minus the rows.
        Ok(StratumPlan { delta, delta_rounded, size: rows.saturating_add_signed(delta_rounded) })
    };
    let strata = deltas.iter().zip(rounded).enumerate().map(stratum).collect::<Result<_, _>>()?;
    Ok(Resampling { alpha: target / counts.total_prevalence(), beta, strata })
}

/// Whole numbers whose sum is zero: floors, of which those with the largest remainders are one more; earlier strata first among
/// equals. Where the real ones do not add up to zero, as with a total of the population that is not that of the strata, the
/// rounding of their sum is given out too.
fn largest_remainders(deltas: &[f64], rows: &[u64]) -> Vec<i64> {
    let floors: Vec<i64> = deltas.iter().map(|delta| delta.floor() as i64).collect();
    let mut missing = -floors.iter().sum::<i64>();
    let mut order: Vec<usize> = (0..deltas.len()).collect();
    let remainder = |place: usize| deltas[place] - deltas[place].floor();
    order.sort_by(|&a, &b| remainder(b).total_cmp(&remainder(a)).then(a.cmp(&b)));
    let mut whole = floors;
    while missing != 0 {
        let before = missing;
        for &place in &order {
            let step = missing.signum();
            let keeps_rows = step > 0 || whole[place] + step >= -(rows[place] as i64);
            if step != 0 && keeps_rows {
                whole[place] += step;
                missing -= step;
            }
        }
        if missing == before {
            break;
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn counts() -> impl Strategy<Value = StratumCounts> {
        prop::collection::vec((1u64..5000, 1u64..300), 1..12).prop_map(|cells| {
            let (x, y) = cells.into_iter().unzip();
            StratumCounts::new(x, y).expect("counts")
        })
    }

    proptest! {
        #[test]
        fn shares_are_those_of_the_population_but_for_rounding(counts in counts()) {
            for plan in [
                mixed(&counts, Rounding::Nearest).expect("a plan"),
                mixed(&counts, Rounding::ExactTotal).expect("a plan"),
                over(&counts, BetaVariant::Exact).expect("a plan"),
            ] {
                for (stratum, (x, y)) in plan.strata.iter().zip(counts.pairs()) {
                    prop_assert!((y + stratum.delta - plan.alpha * x).abs() < 1e-9 * (1.0 + y));
                    prop_assert!((stratum.size as f64 - plan.alpha * x).abs() <= 1.0);
                    prop_assert_eq!(stratum.size as i64, y as i64 + stratum.delta_rounded);
                }
            }
        }

        #[test]
        fn nothing_is_lost_in_over_resampling_and_no_row_in_an_exact_total(counts in counts()) {
            for variant in [BetaVariant::Exact, BetaVariant::Strict, BetaVariant::Rounded] {
                let plan = over(&counts, variant).expect("a plan");
                prop_assert!(plan.strata.iter().all(|stratum| stratum.delta_rounded >= 0));
            }
            let exact = mixed(&counts, Rounding::ExactTotal).expect("a plan");
            prop_assert_eq!(exact.total(), counts.total_incidence());
        }
    }

    #[test]
    fn a_stratum_without_rows_is_told() {
        let counts = StratumCounts::new(vec![50, 50], vec![0, 10]).expect("counts");
        let error = mixed(&counts, Rounding::Nearest).expect_err("nothing to repeat");
        assert_eq!(error, Error::EmptyStratum { stratum: 0, needed: 5 });
        // Half a row of two is no row.
        let small = StratumCounts::new(vec![1, 1000], vec![0, 10]).expect("counts");
        assert_eq!(mixed(&small, Rounding::Nearest).expect("nothing is needed").sizes(), [0, 10]);
    }
}
