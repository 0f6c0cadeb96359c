//! The structural risk bound: how much worse than its training error a model can be, from the VC dimension of its family.

use serde::{Deserialize, Serialize};

use crate::checks::within;
use crate::error::Error;

/// A bound of the generalisation error that holds with probability `1 - delta` for rows of the training distribution. It says nothing
/// about rows of another distribution, and is too wide to choose by.
///
/// **Definition** · `TE + sqrt((VC ln(2 n / VC + 1) - ln(delta / 4)) / n)`, with training error TE, VC dimension and n rows, as Fan and
/// Davidson print it. Vapnik's own bound has the one outside of the logarithm, `VC (ln(2 n / VC) + 1)`, and is larger
/// ([`vapnik`](Self::vapnik)).
///
/// **Undefined when** the training error is no share, the VC dimension is not above zero, there are no rows, or delta is not between
/// 0 and 1; Vapnik's when the VC dimension is above 2 n.
///
/// **Example**
/// ```
/// use tribunal_eval::unlabelled::RiskBound;
///
/// let bound = RiskBound::new(0.05, 10.0, 1000, 0.05)?;
/// assert!((bound.value() - 0.289614431).abs() < 1e-9);
/// assert!(bound.vapnik()? > bound.value());
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** · Fan and Davidson (2006), "ReverseTesting: an efficient framework to select amongst classifiers under sample
/// selection bias"; Vapnik (1995), "The nature of statistical learning theory"
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RiskBound {
    training_error: f64,
    vc_dimension: f64,
    n_rows: u64,
    delta: f64,
}

impl RiskBound {
    /// What the bound is made of.
    ///
    /// # Errors
    /// A number is outside of its range.
    pub fn new(training_error: f64, vc_dimension: f64, n_rows: u64, delta: f64) -> Result<Self, Error> {
        let is_share = (0.0..=1.0).contains(&training_error);
        within("the training error", training_error, is_share, "a share between 0 and 1")?;
        let is_dimension = vc_dimension > 0.0 && vc_dimension.is_finite();
        within("the VC dimension", vc_dimension, is_dimension, "a finite number above 0")?;
        within("the number of rows", n_rows as f64, n_rows > 0, "1 or more")?;
        let is_probability = delta > 0.0 && delta < 1.0;
        within("delta", delta, is_probability, "a probability above 0 and below 1")?;
        Ok(Self { training_error, vc_dimension, n_rows, delta })
    }

    /// The bound as Fan and Davidson print it; above 1 it says nothing.
    pub fn value(&self) -> f64 {
        self.with_capacity(self.vc_dimension * (2.0 * self.n() / self.vc_dimension + 1.0).ln())
    }

    /// Vapnik's bound.
    ///
    /// # Errors
    /// The VC dimension is above twice the number of rows.
    pub fn vapnik(&self) -> Result<f64, Error> {
        let is_usable = self.vc_dimension <= 2.0 * self.n();
        within("the VC dimension", self.vc_dimension, is_usable, "at most twice the number of rows")?;
        Ok(self.with_capacity(self.vc_dimension * ((2.0 * self.n() / self.vc_dimension).ln() + 1.0)))
    }

    fn n(&self) -> f64 {
        self.n_rows as f64
    }

    fn with_capacity(&self, capacity: f64) -> f64 {
        self.training_error + ((capacity - (self.delta / 4.0).ln()) / self.n()).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unlabelled::worked_example::close;

    fn bound(error: f64, vc: f64, n: u64, delta: f64) -> f64 {
        RiskBound::new(error, vc, n, delta).expect("usable").value()
    }

    #[test]
    fn golden_risk_bound() {
        close(bound(0.05, 10.0, 1000, 0.05), 0.289614431);
    }

    #[test]
    fn it_grows_with_capacity_and_falls_with_rows() {
        for (low, high) in [(1.0, 2.0), (10.0, 400.0), (900.0, 5000.0)] {
            assert!(bound(0.1, low, 1000, 0.05) < bound(0.1, high, 1000, 0.05));
        }
        assert!(bound(0.1, 10.0, 1000, 0.05) > bound(0.1, 10.0, 2000, 0.05));
        assert!(bound(0.1, 10.0, 1000, 0.01) > bound(0.1, 10.0, 1000, 0.05));
        assert!(bound(0.1, 10.0, 1000, 0.05) < bound(0.2, 10.0, 1000, 0.05));
    }

    #[test]
    fn impossible_numbers_are_refused() {
        for (error, vc, n, delta) in
            [(1.5, 1.0, 10, 0.1), (0.1, 0.0, 10, 0.1), (0.1, 1.0, 0, 0.1), (0.1, 1.0, 10, 1.0)]
        {
            assert!(RiskBound::new(error, vc, n, delta).is_err());
        }
        assert!(RiskBound::new(0.1, 21.0, 10, 0.1).expect("usable").vapnik().is_err());
    }
}
