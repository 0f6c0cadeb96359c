//! The population stability index: how far the shares of a column's cells moved from one sample to another.
//!
//! It is the symmetric Kullback-Leibler divergence of the shares (Jeffreys 1946), in credit scoring read as small below 0.1 and
//! large above 0.25 (Siddiqi 2006). It grows by chance alone the fewer rows there are, so what chance makes of it stands beside it.
//!
//! References: Siddiqi (2006), "Credit risk scorecards"; Yurdakul (2018), "Statistical properties of population stability index".

use serde::{Deserialize, Serialize};
use tribunal_tails::gamma_quantile;

use super::chi_square::TwoCounts;
use crate::checks::at_least;
use crate::error::Error;

/// The share that a cell counts with at least, in place of a logarithm of zero. It is a share and no number of rows, so that a
/// table that is written twice has the same index.
pub const LEAST_CELL_SHARE: f64 = 1e-4;

/// One sample of twenty exceeds what stands for chance.
const CHANCE: f64 = 0.95;

/// A population stability index.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StabilityIndex {
    /// The index.
    pub psi: f64,
    /// What it exceeds in one of twenty pairs of samples from the same distribution.
    pub by_chance: f64,
}

/// The population stability index of two samples, from their rows in each cell.
///
/// **Definition** `sum (q - p) ln(q / p)` over the cells of shares `p` in the first sample and `q` in the second, each at least 1e-4.
/// By chance alone it is about `(1/n + 1/m)` times chi-square with one degree of freedom less than there are cells, for `n` and `m`
/// rows; `by_chance` is the 95 % quantile of that.
///
/// **Undefined when** a sample has no row.
///
/// **Example**
/// ```
/// use tribunal_eval::significance::{TwoCounts, population_stability_index};
/// let cells = [(50, 30), (30, 30), (20, 40)].map(|(first, second)| TwoCounts { first, second });
/// let index = population_stability_index(&cells)?;
/// assert!((index.psi - (0.2 * (5.0_f64 / 3.0).ln() + 0.2 * 2.0_f64.ln())).abs() < 1e-12);
/// assert!((index.by_chance - 5.991465 * 0.02).abs() < 1e-6);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** Siddiqi (2006); Yurdakul (2018).
pub fn population_stability_index(cells: &[TwoCounts]) -> Result<StabilityIndex, Error> {
    let (n, m) = cells.iter().fold((0, 0), |(n, m), cell| (n + cell.first, m + cell.second));
    at_least("rows of the first sample", n as usize, 1)?;
    at_least("rows of the second sample", m as usize, 1)?;
    let (n, m) = (n as f64, m as f64);
    let filled = cells.iter().filter(|cell| cell.total() > 0);
    let term = |cell: &TwoCounts| {
        let p = (cell.first as f64 / n).max(LEAST_CELL_SHARE);
        let q = (cell.second as f64 / m).max(LEAST_CELL_SHARE);
        (q - p) * libm::log(q / p)
    };
    let psi = filled.clone().map(term).sum();
    let df = filled.count().saturating_sub(1);
    let by_chance = match df {
        0 => 0.0,
        df => 2.0 * gamma_quantile(df as f64 / 2.0, CHANCE) * (1.0 / n + 1.0 / m),
    };
    Ok(StabilityIndex { psi, by_chance })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tribunal_random::Random;

    fn index(cells: &[(u64, u64)]) -> StabilityIndex {
        let cells: Vec<TwoCounts> =
            cells.iter().map(|&(first, second)| TwoCounts { first, second }).collect();
        population_stability_index(&cells).expect("two samples")
    }

    #[test]
    fn swapping_and_duplicating_samples_changes_nothing() {
        let cells = [(120, 30), (0, 12), (77, 0), (40, 41)];
        let swapped = cells.map(|(first, second)| (second, first));
        let twice = cells.map(|(first, second)| (2 * first, 2 * second));
        assert!((index(&cells).psi - index(&swapped).psi).abs() < 1e-12);
        assert_eq!(index(&cells).psi, index(&twice).psi);
        assert!(index(&cells).by_chance > index(&twice).by_chance);
    }

    #[test]
    fn equal_samples_have_none_and_empty_ones_are_refused() {
        assert_eq!(index(&[(10, 20), (5, 10)]).psi, 0.0);
        assert_eq!(index(&[(10, 20)]), StabilityIndex { psi: 0.0, by_chance: 0.0 });
        assert!(population_stability_index(&[TwoCounts { first: 3, second: 0 }]).is_err());
    }

    #[test]
    fn chance_exceeds_its_bound_in_one_sample_of_twenty() {
        let mut random = Random::new(2);
        let n_beyond = (0..1000)
            .filter(|_| {
                let mut cells = vec![(0, 0); 10];
                (0..500).for_each(|_| cells[random.below(10) as usize].0 += 1);
                (0..800).for_each(|_| cells[random.below(10) as usize].1 += 1);
                let found = index(&cells);
                found.psi > found.by_chance
            })
            .count();
        assert!((30..=70).contains(&n_beyond), "{n_beyond} of 1000");
    }
}
