//! How many rows of the population and of the actioned cases each stratum has.

use crate::checks::{at_least, within};
use crate::error::Error;

/// Rows of prevalence and incidence in each stratum.
///
/// ```
/// use tribunal_eval::correction::StratumCounts;
///
/// let counts = StratumCounts::new(vec![60, 40], vec![1, 9])?;
/// assert_eq!((counts.total_prevalence(), counts.total_incidence()), (100.0, 10));
/// assert!(StratumCounts::new(vec![60, 0], vec![1, 9]).is_err());
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct StratumCounts {
    prevalence: Vec<u64>,
    incidence: Vec<u64>,
    total_prevalence: f64,
}

impl StratumCounts {
    /// The rows of each stratum, in the same order.
    ///
    /// # Errors
    /// There is no stratum, the two have different lengths, a stratum has no row of the population, or none has incidence.
    pub fn new(prevalence: Vec<u64>, incidence: Vec<u64>) -> Result<Self, Error> {
        at_least("strata", prevalence.len(), 1)?;
        if prevalence.len() != incidence.len() {
            let (what, found) = ("the incidence of the strata".into(), incidence.len());
            return Err(Error::LengthMismatch { what, found, expected: prevalence.len() });
        }
        if prevalence.contains(&0) {
            let what = "the prevalence of a stratum";
            return Err(Error::OutOfRange {
                what,
                value: 0.0,
                expected: "at least one row of the population",
            });
        }
        at_least("rows of incidence", incidence.iter().sum::<u64>() as usize, 1)?;
        let total_prevalence = prevalence.iter().sum::<u64>() as f64;
        Ok(Self { prevalence, incidence, total_prevalence })
    }

    /// The same with another number of rows of the whole population, of which the strata are a part.
    ///
    /// # Errors
    /// The strata have more rows.
    pub fn with_total(self, total_prevalence: f64) -> Result<Self, Error> {
        let in_strata = self.prevalence.iter().sum::<u64>() as f64;
        let usable = total_prevalence >= in_strata && total_prevalence.is_finite();
        within("the total of the population", total_prevalence, usable, "the rows of all strata or more")?;
        Ok(Self { total_prevalence, ..self })
    }

    /// How many strata there are.
    pub fn n_strata(&self) -> usize {
        self.prevalence.len()
    }

    /// Rows of the population in each stratum, x.
    pub fn prevalence(&self) -> &[u64] {
        &self.prevalence
    }

    /// Actioned rows in each stratum, y.
    pub fn incidence(&self) -> &[u64] {
        &self.incidence
    }

    /// Rows of the whole population, X.
    pub fn total_prevalence(&self) -> f64 {
        self.total_prevalence
    }

    /// All actioned rows, Y.
    pub fn total_incidence(&self) -> u64 {
        self.incidence.iter().sum()
    }

    /// Both counts of each stratum as numbers, x and y.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (f64, f64)> {
        self.prevalence.iter().zip(&self.incidence).map(|(&x, &y)| (x as f64, y as f64))
    }

    /// What each stratum lacks of `target` rows in all, `(target / X) x - y`; below zero what it has too many.
    pub(crate) fn deltas(&self, target: f64) -> impl Iterator<Item = f64> {
        let alpha = target / self.total_prevalence;
        self.pairs().map(move |(x, y)| alpha * x - y)
    }
}
