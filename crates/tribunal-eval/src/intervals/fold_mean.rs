//! The mean of a figure over the folds of a cross-validation.
//!
//! Every row of one cross-validation is tested once, so folds differ by their test rows and, far less, by what their training
//! sets share. Student's t on the spread between folds leaves the sharing out and is a little too narrow where learners are
//! unstable; Nadeau and Bengio's correction, made for splits whose test rows overlap, is much too wide. So the standard error is
//! taken a fifth larger. References: Bayle, Bayle, Janson & Mackey (2020), "Cross-validation confidence intervals for test
//! error"; Nadeau & Bengio (2003), "Inference for the generalization error".

use super::interval::{Interval, IntervalMethod, Level};
use super::sampled::NoInterval;
use crate::significance::{Differences, TTest, TestToTrain, corrected_t};

/// The standard error of a mean over folds is so many times that of independent folds, since training sets share rows. By
/// simulation Student's t alone holds in 89 to 95 % of samples, Nadeau and Bengio's correction in 95 to 99 %.
pub const SHARED_TRAINING: f64 = 1.2;

/// How the test rows of splits lie to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TestRows {
    /// No row is tested twice, as in one cross-validation.
    Disjoint,
    /// Rows are tested in several splits, as in repeated cross-validation and repeated holdout.
    Overlapping(TestToTrain),
}

/// The interval of a mean over folds.
///
/// **Definition** `mean ± t* sqrt(c var / K)` with `K - 1` degrees of freedom; `c = 1.44` where no row is tested twice, else
/// `1 + K n_test/n_train` as in the corrected resampled t test. It speaks of the mean over the models that were trained.
///
/// **Undefined when** the figure is the same in every fold, which shows nothing of how it varies.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::{Level, TestRows, fold_mean};
/// use tribunal_eval::significance::Differences;
/// let aurocs = Differences::new(vec![0.80, 0.84, 0.78, 0.82, 0.81])?;
/// let interval = fold_mean(&aurocs, TestRows::Disjoint, Level::P95).expect("the folds differ");
/// assert_eq!(format!("{:.3} to {:.3}", interval.lower, interval.upper), "0.777 to 0.843");
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// # Errors
/// The figure is the same in every fold.
pub fn fold_mean(figures: &Differences, test_rows: TestRows, level: Level) -> Result<Interval, NoInterval> {
    if figures.are_constant() {
        return Err(NoInterval::FoldsAgree);
    }
    let test = match test_rows {
        TestRows::Disjoint => {
            let shrinkage = SHARED_TRAINING.powi(2) / figures.values().len() as f64;
            TTest::new(figures, shrinkage, level, IntervalMethod::FoldT)
        }
        TestRows::Overlapping(ratio) => corrected_t(figures, ratio, level),
    };
    Ok(test.effect.interval)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_that_agree_have_no_interval() {
        let perfect = Differences::new(vec![1.0; 10]).expect("ten folds");
        assert_eq!(fold_mean(&perfect, TestRows::Disjoint, Level::P95), Err(NoInterval::FoldsAgree));
    }

    #[test]
    fn overlapping_test_rows_have_the_corrected_t() {
        let figures = Differences::new(vec![0.80, 0.84, 0.78, 0.82, 0.81]).expect("five folds");
        let ratio = TestToTrain::from_folds(5).expect("five folds");
        let interval = fold_mean(&figures, TestRows::Overlapping(ratio), Level::P95);
        assert_eq!(interval, Ok(corrected_t(&figures, ratio, Level::P95).effect.interval));
    }
}
