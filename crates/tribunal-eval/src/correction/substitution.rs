//! Substitution sampling: a sample of the population in which every row is replaced by an actioned row of its stratum.
//!
//! A row of the population has no outcome; an actioned row of the same stratum lends it one. The *jackknife* uses every row of a
//! stratum once, in random order, before any is repeated; the *bootstrap* draws all of them with replacement (Efron 1979).

use serde::{Deserialize, Serialize};
use tribunal_random::Random;

use super::counts::StratumCounts;
use super::draws::{add_with_replacement, rows_of_strata};
use crate::checks::within;
use crate::error::Error;

/// How an actioned row is chosen for a row of the population.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SubstitutionDraw {
    /// Without replacement while the stratum has unused rows, afterwards with replacement.
    #[default]
    Jackknife,
    /// With replacement.
    Bootstrap,
}

/// What is done about rows of the population whose stratum has no actioned row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum EmptyStratum {
    /// It is an error.
    #[default]
    Error,
    /// They are left out of the sample.
    Drop,
    /// They stay, without outcome.
    KeepPrevalence,
}

/// A sample of the population made of actioned rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Substitution {
    /// How often each actioned row is in it.
    pub multiplicities: Vec<u32>,
    /// Rows of the population that were drawn in each stratum.
    pub drawn: Vec<u64>,
    /// Rows of the population that stay as they are, without outcome.
    pub kept_prevalence: u64,
    /// Different actioned rows in it.
    pub distinct: u64,
}

/// Draws `size` rows of the population without replacement and replaces each by an actioned row of its stratum.
///
/// ```
/// use tribunal_eval::correction::{EmptyStratum, StratumCounts, SubstitutionDraw, substitute};
///
/// let counts = StratumCounts::new(vec![60, 40], vec![2, 3])?;
/// let sample = substitute(&counts, &[0, 0, 1, 1, 1], 100, (SubstitutionDraw::Jackknife, EmptyStratum::Error), 7)?;
/// assert_eq!((sample.drawn, sample.distinct), (vec![60, 40], 5));
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// # Errors
/// The population has fewer rows, a row is of no stratum that there is, or a stratum is empty that has to give rows.
pub fn substitute(
    counts: &StratumCounts,
    stratum_of_row: &[u32],
    size: u64,
    (draw, empty): (SubstitutionDraw, EmptyStratum),
    seed: u64,
) -> Result<Substitution, Error> {
    let population: u64 = counts.prevalence().iter().sum();
    let usable = (1..=population).contains(&size);
    within("the size of the sample", size as f64, usable, "from 1 to the rows of the population")?;
    let rows = rows_of_strata(stratum_of_row, counts.n_strata())?;
    let drawn = drawn_of_strata(counts, size, population, &mut Random::derived(seed, &[u64::MAX]));
    let mut sample = Substitution {
        multiplicities: vec![0; stratum_of_row.len()],
        drawn,
        kept_prevalence: 0,
        distinct: 0,
    };
    for (stratum, mut rows) in rows.into_iter().enumerate() {
        let needed = sample.drawn[stratum];
        let mut random = Random::derived(seed, &[stratum as u64]);
        match (rows.is_empty(), empty) {
            (true, EmptyStratum::Error) if needed > 0 => return Err(Error::EmptyStratum { stratum, needed }),
            (true, EmptyStratum::KeepPrevalence) => sample.kept_prevalence += needed,
            (true, _) => {}
            (false, _) => {
                let once =
                    if draw == SubstitutionDraw::Jackknife { needed.min(rows.len() as u64) } else { 0 };
                random.shuffle(&mut rows);
                rows.iter().take(once as usize).for_each(|&row| sample.multiplicities[row as usize] = 1);
                add_with_replacement(&rows, needed - once, &mut random, &mut sample.multiplicities);
            }
        }
    }
    sample.distinct = sample.multiplicities.iter().filter(|times| **times > 0).count() as u64;
    Ok(sample)
}

/// How many of the drawn rows of the population fall into each stratum: rows are taken one after the other, each with the chance
/// that is left to it (Fan, Muller and Rezucha 1962), so that no list of the population is needed.
fn drawn_of_strata(counts: &StratumCounts, size: u64, population: u64, random: &mut Random) -> Vec<u64> {
    let (mut wanted, mut left) = (size, population);
    let mut drawn = Vec::with_capacity(counts.n_strata());
    for &rows in counts.prevalence() {
        let mut of_stratum = 0;
        for _ in 0..rows {
            if random.below(left) < wanted {
                of_stratum += 1;
                wanted -= 1;
            }
            left -= 1;
        }
        drawn.push(of_stratum);
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(draw: SubstitutionDraw, empty: EmptyStratum, seed: u64) -> Result<Substitution, Error> {
        let counts = StratumCounts::new(vec![500, 300, 200], vec![4, 2, 0]).expect("counts");
        substitute(&counts, &[0, 0, 0, 0, 1, 1], 100, (draw, empty), seed)
    }

    #[test]
    fn shares_of_the_population_are_kept_on_average() {
        let mut totals = [0u64; 3];
        for seed in 0..400 {
            let found =
                sample(SubstitutionDraw::Bootstrap, EmptyStratum::KeepPrevalence, seed).expect("a sample");
            assert_eq!(found.drawn.iter().sum::<u64>(), 100);
            let made: u32 = found.multiplicities.iter().sum();
            assert_eq!(u64::from(made) + found.kept_prevalence, 100);
            totals.iter_mut().zip(&found.drawn).for_each(|(total, drawn)| *total += drawn);
        }
        // A share of one half has a standard error of 0.0024 over 400 samples of 100 of 1000.
        for (total, share) in totals.into_iter().zip([0.5, 0.3, 0.2]) {
            assert!((total as f64 / 40_000.0 - share).abs() < 0.01, "{total}");
        }
    }

    #[test]
    fn the_jackknife_uses_every_row_before_it_repeats_one() {
        let found = sample(SubstitutionDraw::Jackknife, EmptyStratum::Drop, 3).expect("a sample");
        assert!(found.multiplicities.iter().all(|&times| times >= 1) && found.distinct == 6);
        let counts = StratumCounts::new(vec![50, 50], vec![40, 40]).expect("counts");
        let strata: Vec<u32> = (0..80).map(|row| row / 40).collect();
        let few = substitute(&counts, &strata, 20, (SubstitutionDraw::Jackknife, EmptyStratum::Error), 3);
        let few = few.expect("a sample");
        assert!(few.multiplicities.iter().all(|&times| times <= 1) && few.distinct == 20);
    }

    #[test]
    fn a_stratum_without_actioned_rows_is_an_error_unless_told_otherwise() {
        let error = sample(SubstitutionDraw::Jackknife, EmptyStratum::Error, 1).expect_err("empty");
        assert!(matches!(error, Error::EmptyStratum { stratum: 2, .. }), "{error}");
        let counts = StratumCounts::new(vec![5], vec![1]).expect("counts");
        let all = (SubstitutionDraw::Jackknife, EmptyStratum::Error);
        assert!(
            substitute(&counts, &[0], 6, all, 1).is_err() && substitute(&counts, &[0], 0, all, 1).is_err()
        );
    }
}
