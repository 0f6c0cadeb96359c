//! The corrected resampled t test.
//!
//! Runs of a repeated holdout or cross-validation share training rows, so their differences are not independent and the
//! plain t test finds differences that are not there. The correction makes up for that with a larger variance. It is the
//! default for repeated designs. References: Nadeau & Bengio (2003), "Inference for the generalization error"; Bouckaert
//! & Frank (2004) for repeated cross-validation.

use super::differences::Differences;
use super::paired_t::TTest;
use crate::checks::within;
use crate::error::Error;
use crate::intervals::{IntervalMethod, Level};

/// The number of test rows over the number of training rows in a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TestToTrain(f64);

impl TestToTrain {
    /// From the number of rows on each side.
    ///
    /// **Undefined when** either side has no row.
    pub fn from_rows(n_test: usize, n_train: usize) -> Result<Self, Error> {
        within("the number of test rows", n_test as f64, n_test > 0, "at least 1")?;
        within("the number of training rows", n_train as f64, n_train > 0, "at least 1")?;
        Ok(Self(n_test as f64 / n_train as f64))
    }

    /// From the number of folds of a cross-validation: `1 / (k - 1)`.
    ///
    /// **Undefined when** there are fewer than two folds.
    pub fn from_folds(n_folds: usize) -> Result<Self, Error> {
        within("the number of folds", n_folds as f64, n_folds >= 2, "at least 2")?;
        Ok(Self(1.0 / (n_folds as f64 - 1.0)))
    }

    /// From the share of rows that a holdout trains on: one half for 2/3.
    ///
    /// **Undefined when** the share is not strictly between 0 and 1.
    ///
    /// **Example**
    /// ```
    /// use tribunal_eval::significance::TestToTrain;
    /// assert!((TestToTrain::from_train_share(2.0 / 3.0)?.get() - 0.5).abs() < 1e-15);
    /// assert_eq!(TestToTrain::from_folds(10)?, TestToTrain::from_rows(1, 9)?);
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    pub fn from_train_share(share: f64) -> Result<Self, Error> {
        within("the share of training rows", share, share > 0.0 && share < 1.0, "a number between 0 and 1")?;
        Ok(Self((1.0 - share) / share))
    }

    /// The ratio.
    pub fn get(self) -> f64 {
        self.0
    }
}

/// The corrected resampled t test.
///
/// **Definition** `t = mean(d) / sqrt((1/J + n_test/n_train) var(d))` over `J` runs, `J - 1` degrees of freedom. For
/// `k`-fold cross-validation repeated `r` times `J = k r` and the ratio is `1 / (k - 1)`. Without variance, `t = 0` and
/// `p = 1` if the mean is 0, else `p = 0`.
///
/// **Undefined when** never, once the [`Differences`] exist.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::Level;
/// use tribunal_eval::significance::{Differences, TestToTrain, corrected_t, paired_t};
/// let differences = Differences::new(vec![0.02, 0.01, 0.03, 0.02])?;
/// let corrected = corrected_t(&differences, TestToTrain::from_folds(4)?, Level::P95);
/// assert!(corrected.p > paired_t(&differences, Level::P95).p);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** Nadeau & Bengio (2003).
pub fn corrected_t(differences: &Differences, test_to_train: TestToTrain, level: Level) -> TTest {
    let shrinkage = 1.0 / differences.values().len() as f64 + test_to_train.0;
    TTest::new(differences, shrinkage, level, IntervalMethod::CorrectedT)
}

#[cfg(test)]
mod tests {
    use super::super::fold_table::tests::worked;
    use super::super::paired_t::paired_t;
    use super::*;

    fn check(test: TTest, t: f64, p: f64, tolerance: f64) {
        assert!((test.t - t).abs() <= 5e-7, "t = {}, expected {t}", test.t);
        assert!((test.p - p).abs() <= tolerance, "p = {}, expected {p}", test.p);
    }

    fn ratio(n_test: usize, n_train: usize) -> TestToTrain {
        TestToTrain::from_rows(n_test, n_train).expect("rows on both sides")
    }

    #[test]
    fn twenty_differences_of_a_repeated_cross_validation() {
        let d = [
            0.01, 0.02, -0.005, 0.015, 0.03, 0.0, 0.01, 0.025, -0.01, 0.02, 0.012, 0.018, 0.004, 0.022,
            0.009, -0.003, 0.016, 0.011, 0.02, 0.007,
        ];
        let differences = Differences::new(d.to_vec()).expect("twenty differences");
        assert!((differences.mean() - 0.011550).abs() < 1e-12);
        assert!((differences.variance() - 1.1005e-4).abs() < 1e-9);
        check(paired_t(&differences, Level::P95), 4.923818, 9.427e-5, 5e-9);
        check(corrected_t(&differences, ratio(1, 9), Level::P95), 2.742990, 0.012930, 5e-7);
        check(corrected_t(&differences, ratio(1, 2), Level::P95), 1.484587, 0.154055, 5e-7);
    }

    #[test]
    fn logit_against_naive_bayes_in_the_worked_table() {
        let differences = Differences::between(&worked(), 0, 4).expect("two algorithms");
        check(corrected_t(&differences, ratio(1, 9), Level::P95), 0.614095, 0.554356, 5e-7);
        check(corrected_t(&differences, ratio(1, 2), Level::P95), 0.364263, 0.724073, 5e-7);
    }

    #[test]
    fn impossible_designs_are_refused() {
        assert!(TestToTrain::from_rows(0, 5).is_err());
        assert!(TestToTrain::from_folds(1).is_err());
        assert!(TestToTrain::from_train_share(1.0).is_err());
    }
}
