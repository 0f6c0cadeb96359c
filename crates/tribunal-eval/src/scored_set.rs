//! Truth and scores, validated once.
//!
//! Everything that judges starts from a [`ScoredSet`]: what each case was, and what a model said of it.
//! Where the scores came from is nobody's business here.

use serde::{Deserialize, Serialize};

use crate::checks::{check_amounts, check_finite, check_length, check_weights};
use crate::error::Error;

/// Whose amounts are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AmountsOf {
    /// Nobody's.
    #[default]
    Nobody,
    /// Those of positives: acting on a negative brings in nothing.
    Positives,
    /// Those of both classes: acting on a negative brings in its own amount, which may be a credit or a loss.
    Everybody,
}

/// Truth and scores of the same cases, optionally weighted and with amounts.
///
/// `y_true[i]` says whether case `i` is positive; a larger `y_score[i]` means more belief in that.
/// The set borrows its columns, so judging costs no copy.
///
/// ```
/// use tribunal_eval::ScoredSet;
///
/// let set = ScoredSet::new(&[true, false, true], &[0.9, 0.4, 0.7])?.with_weight(&[1.0, 2.0, 1.0])?;
/// assert_eq!(set.n_rows(), 3);
///
/// let nan = ScoredSet::new(&[true], &[f64::NAN]).unwrap_err();
/// assert_eq!(nan.to_string(), "score of row 0 is NaN; it must be a finite number");
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ScoredSet<'a> {
    pub(crate) truth: &'a [bool],
    pub(crate) score: &'a [f64],
    pub(crate) weight: Option<&'a [f64]>,
    pub(crate) amount: Option<&'a [f64]>,
    pub(crate) amounts_of: AmountsOf,
}

impl<'a> ScoredSet<'a> {
    /// Pairs truth with scores.
    pub fn new(y_true: &'a [bool], y_score: &'a [f64]) -> Result<Self, Error> {
        check_length("score", y_score.len(), y_true.len())?;
        check_finite("score", y_score)?;
        Ok(Self { truth: y_true, score: y_score, weight: None, amount: None, amounts_of: AmountsOf::Nobody })
    }

    /// Gives each case a non-negative weight: 2 counts as the case twice, 0 as its absence.
    pub fn with_weight(self, sample_weight: &'a [f64]) -> Result<Self, Error> {
        check_weights(sample_weight, self.truth.len())?;
        Ok(Self { weight: Some(sample_weight), ..self })
    }

    /// Gives each case an amount: what acting on it is worth if it is positive. Amounts of negatives are
    /// not looked at.
    pub fn with_amount(self, amount: &'a [f64]) -> Result<Self, Error> {
        check_length("amount", amount.len(), self.truth.len())?;
        check_amounts("amount", amount, |row| self.truth[row])?;
        Ok(Self { amount: Some(amount), amounts_of: AmountsOf::Positives, ..self })
    }

    /// Gives each case an amount: what acting on it is worth, whichever class it is of. An audit of a return that was right
    /// may end with a credit; it has a negative amount then.
    ///
    /// ```
    /// use tribunal_eval::{AmountsOf, Ranking, ScoredSet};
    ///
    /// let set = ScoredSet::new(&[true, false, true], &[0.9, 0.4, 0.7])?;
    /// let ranking = Ranking::of(&set.with_amount_of_everybody(&[120.0, -30.0, 80.0])?)?;
    /// assert_eq!(ranking.amounts_of(), AmountsOf::Everybody);
    /// assert_eq!((ranking.amount_through(3), ranking.amount_of_everybody_through(3)), (200.0, 170.0));
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    pub fn with_amount_of_everybody(self, amount: &'a [f64]) -> Result<Self, Error> {
        check_length("amount", amount.len(), self.truth.len())?;
        check_amounts("amount", amount, |_| true)?;
        Ok(Self { amount: Some(amount), amounts_of: AmountsOf::Everybody, ..self })
    }

    /// How many cases there are.
    pub fn n_rows(&self) -> usize {
        self.truth.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_columns_of_another_length() {
        let error = ScoredSet::new(&[true, false], &[0.5]).expect_err("too short");
        assert_eq!(error.to_string(), "score has 1 values, but truth has 2");
    }

    #[test]
    fn refuses_infinite_scores_and_negative_weights() {
        let error = ScoredSet::new(&[true, false], &[0.5, f64::INFINITY]).expect_err("infinite");
        assert_eq!((error.row(), error.to_string().contains("inf")), (Some(1), true));
        let set = ScoredSet::new(&[true, false], &[0.5, 0.1]).expect("fine");
        let error = set.with_weight(&[1.0, -2.0]).expect_err("negative");
        assert_eq!(error.to_string(), "weight of row 1 is -2; weights must not be negative");
    }

    #[test]
    fn refuses_weights_and_amounts_whose_squares_are_lost() {
        let set = ScoredSet::new(&[true, false], &[0.5, 0.1]).expect("fine");
        for extreme in [1e155, 1e308, 5e-324, 1e-200] {
            assert_eq!(set.with_weight(&[1.0, extreme]).expect_err("extreme").row(), Some(1), "{extreme}");
        }
        assert_eq!(set.with_amount(&[-1e200, 0.0]).expect_err("extreme").row(), Some(0));
        assert!(set.with_weight(&[0.0, 1e90]).is_ok() && set.with_amount(&[1e-90, 1e300]).is_ok());
    }

    #[test]
    fn amounts_of_negatives_are_not_looked_at() {
        let set = ScoredSet::new(&[true, false], &[0.5, 0.1]).expect("fine");
        assert!(set.with_amount(&[1.0, f64::NAN]).is_ok());
        assert_eq!(set.with_amount(&[f64::NAN, 1.0]).expect_err("NaN").row(), Some(0));
        assert_eq!(set.with_amount_of_everybody(&[1.0, f64::NAN]).expect_err("NaN").row(), Some(1));
    }
}
