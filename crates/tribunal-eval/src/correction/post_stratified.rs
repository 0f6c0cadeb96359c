//! Post-stratification weights.

use super::counts::StratumCounts;
use super::design::NO_STRATUM;
use crate::error::Error;

/// The weight of each actioned row that gives every stratum the share it has in the population; the weights add up to the number
/// of rows that have a stratum.
///
/// **Definition** · `w = (x_h / X_s) Y / y_h` for a row of stratum h, where `X_s` is the population of the strata that have
/// actioned rows. Strata without any cannot be weighted up: their share goes to the others, which is worth a warning.
///
/// **Undefined when** no row has a stratum.
///
/// **Example**
/// ```
/// use tribunal_eval::correction::{StratumCounts, post_stratification_weights};
///
/// let counts = StratumCounts::new(vec![60, 40], vec![1, 4])?;
/// assert_eq!(post_stratification_weights(&counts, &[0, 1, 1, 1, 1])?, [3.0, 0.5, 0.5, 0.5, 0.5]);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** · Holt and Smith (1979), "Post stratification"
pub fn post_stratification_weights(
    counts: &StratumCounts,
    stratum_of_row: &[u32],
) -> Result<Vec<f64>, Error> {
    let reached: f64 = counts.pairs().filter(|(_, y)| *y > 0.0).map(|(x, _)| x).sum();
    let rows = counts.total_incidence() as f64;
    let of_stratum: Vec<f64> =
        counts.pairs().map(|(x, y)| if y > 0.0 { x / reached * rows / y } else { 0.0 }).collect();
    let weight = |&stratum: &u32| match of_stratum.get(stratum as usize) {
        Some(weight) => Ok(*weight),
        None if stratum == NO_STRATUM => Ok(0.0),
        None => {
            let (what, value) = ("the stratum of a row", f64::from(stratum));
            Err(Error::OutOfRange { what, value, expected: "one of the strata" })
        }
    };
    stratum_of_row.iter().map(weight).collect()
}
