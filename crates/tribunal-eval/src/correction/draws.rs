//! Which rows are repeated and which are left out.

use tribunal_random::Random;

use super::design::NO_STRATUM;
use super::resampling::Resampling;
use crate::error::Error;

/// The rows of each stratum, ascending; those of none are in no list.
pub(super) fn rows_of_strata(stratum_of_row: &[u32], n_strata: usize) -> Result<Vec<Vec<u32>>, Error> {
    let mut rows = vec![Vec::new(); n_strata];
    for (row, &stratum) in stratum_of_row.iter().enumerate().filter(|(_, stratum)| **stratum != NO_STRATUM) {
        match rows.get_mut(stratum as usize) {
            Some(rows) => rows.push(row as u32),
            None => {
                let (what, value) = ("the stratum of a row", f64::from(stratum));
                return Err(Error::OutOfRange { what, value, expected: "one of the strata" });
            }
        }
    }
    Ok(rows)
}

/// How often each row is in the corrected sample: a stratum that lacks rows repeats some, drawn with replacement; one that has too
/// many leaves some out, drawn without. Rows of no stratum are in it zero times.
///
/// Every stratum has a stream of its own, so that strata that are added or change leave the draws of others as they are.
///
/// ```
/// use tribunal_eval::correction::{Rounding, StratumCounts, mixed, multiplicities};
///
/// let plan = mixed(&StratumCounts::new(vec![60, 40], vec![2, 8])?, Rounding::Nearest)?;
/// let times = multiplicities(&[0, 0, 1, 1, 1, 1, 1, 1, 1, 1], &plan, 7)?;
/// assert_eq!((times[..2].iter().sum::<u32>(), times[2..].iter().sum::<u32>()), (6, 4));
/// assert!(times[..2].iter().all(|&times| times >= 1) && times[2..].iter().all(|&times| times <= 1));
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// # Errors
/// A row is of a stratum that the plan does not have, or the plan was made for other rows.
pub fn multiplicities(stratum_of_row: &[u32], plan: &Resampling, seed: u64) -> Result<Vec<u32>, Error> {
    let rows = rows_of_strata(stratum_of_row, plan.strata.len())?;
    let mut times = vec![0; stratum_of_row.len()];
    for (stratum, (rows, planned)) in rows.into_iter().zip(&plan.strata).enumerate() {
        if rows.len() as i64 + planned.delta_rounded != planned.size as i64 {
            let what = format!("stratum {stratum} of the rows");
            let expected = (planned.size as i64 - planned.delta_rounded).max(0) as usize;
            return Err(Error::LengthMismatch { what, found: rows.len(), expected });
        }
        rows.iter().for_each(|&row| times[row as usize] = 1);
        let mut random = Random::derived(seed, &[stratum as u64]);
        match planned.delta_rounded {
            added @ 1.. => add_with_replacement(&rows, added as u64, &mut random, &mut times),
            removed => leave_out(rows, removed.unsigned_abs() as usize, &mut random, &mut times),
        }
    }
    Ok(times)
}

/// Adds so many rows, drawn with replacement.
pub(super) fn add_with_replacement(rows: &[u32], n: u64, random: &mut Random, times: &mut [u32]) {
    for _ in 0..n {
        let drawn = rows[random.below(rows.len() as u64) as usize];
        times[drawn as usize] = times[drawn as usize].saturating_add(1);
    }
}

fn leave_out(mut rows: Vec<u32>, n: usize, random: &mut Random, times: &mut [u32]) {
    if n > 0 {
        random.shuffle(&mut rows);
        rows.iter().take(n).for_each(|&row| times[row as usize] = 0);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{BetaVariant, Rounding, StratumCounts, mixed, over};
    use super::*;

    proptest! {
        #[test]
        fn multiplicities_have_the_sizes_of_the_plan(
            prevalence in prop::collection::vec(1u64..900, 4), strata in prop::collection::vec(0u32..5, 1..200), seed: u64
        ) {
            // The last number stands for rows of no stratum, and every stratum has a row.
            let strata: Vec<u32> =
                (0..4).chain(strata).map(|stratum| if stratum == 4 { NO_STRATUM } else { stratum }).collect();
            let of = |wanted: u32| strata.iter().filter(|stratum| **stratum == wanted).count() as u64;
            let counts = StratumCounts::new(prevalence, (0..4).map(of).collect()).expect("counts");
            for plan in [
                mixed(&counts, Rounding::Nearest).expect("a plan"),
                over(&counts, BetaVariant::Rounded).expect("a plan"),
            ] {
                let times = multiplicities(&strata, &plan, seed).expect("draws");
                prop_assert_eq!(&times, &multiplicities(&strata, &plan, seed).expect("draws"));
                for (place, planned) in plan.strata.iter().enumerate() {
                    let in_it = || times.iter().zip(&strata).filter(|(_, stratum)| **stratum == place as u32);
                    prop_assert_eq!(in_it().map(|(times, _)| u64::from(*times)).sum::<u64>(), planned.size);
                    let least = u32::from(planned.delta_rounded >= 0);
                    prop_assert!(in_it().all(|(times, _)| *times >= least));
                }
                prop_assert!(times.iter().zip(&strata).all(|(times, stratum)| *stratum != NO_STRATUM || *times == 0));
            }
        }
    }

    #[test]
    fn every_row_is_as_likely_to_be_repeated() {
        let counts = StratumCounts::new(vec![20, 1], vec![4, 1]).expect("counts");
        let plan = over(&counts, BetaVariant::Exact).expect("a plan");
        let mut total = [0u32; 4];
        for seed in 0..2000 {
            let times = multiplicities(&[0, 0, 0, 0, 1], &plan, seed).expect("draws");
            total.iter_mut().zip(times).for_each(|(total, times)| *total += times);
        }
        // Sixteen rows are added to four: five each, with a standard error of sqrt(16 * 3/16 / 2000) = 0.04.
        for total in total {
            assert!((f64::from(total) / 2000.0 - 5.0).abs() < 0.2, "{total}");
        }
    }
}
