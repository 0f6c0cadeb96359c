//! The test of two AUROCs on different rows.
//!
//! For models that never met the same cases: another year, another region. On the same rows it wastes what they have in
//! common; take DeLong's test there. Reference: Hanley & McNeil (1982), "The meaning and use of the area under a ROC
//! curve".

use super::delong::AurocTest;
use crate::intervals::{AurocEstimate, AurocMethod, IntervalMethod, Level};

/// The test of two AUROCs that were computed from different rows.
///
/// **Definition** `z = (A_1 - A_2) / sqrt(SE_1² + SE_2²)`, two-sided normal. Without variance, `p = 1` if the AUROCs are
/// equal, else 0. The standard errors may come from Hanley and McNeil or from DeLong.
///
/// **Undefined when** never, once the estimates exist.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::{ClassCounts, Level, hanley_mcneil};
/// use tribunal_eval::significance::independent_auroc_test;
/// let counts = ClassCounts { positives: 50.0, negatives: 100.0 };
/// let test = independent_auroc_test(&hanley_mcneil(0.8, counts)?, &hanley_mcneil(0.7, counts)?, Level::P95);
/// assert!((test.z - 1.595082).abs() < 1e-6);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** Hanley & McNeil (1982).
pub fn independent_auroc_test(first: &AurocEstimate, second: &AurocEstimate, level: Level) -> AurocTest {
    let method = match (first.method, second.method) {
        (AurocMethod::Delong, AurocMethod::Delong) => IntervalMethod::Delong,
        _ => IntervalMethod::HanleyMcneil,
    };
    AurocTest::new(first.auroc, second.auroc, first.variance + second.variance, level, method)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intervals::{ClassCounts, hanley_mcneil};

    fn estimate(auroc: f64, positives: f64, negatives: f64) -> AurocEstimate {
        hanley_mcneil(auroc, ClassCounts { positives, negatives }).expect("an AUROC")
    }

    #[test]
    fn standard_errors_add_up_in_squares() {
        let test =
            independent_auroc_test(&estimate(0.8, 50.0, 100.0), &estimate(0.8653, 396.0, 1003.0), Level::P95);
        assert!((test.standard_error - 0.041247222f64.hypot(0.012266073)).abs() < 1e-9);
        assert!((test.z + 0.0653 / test.standard_error).abs() < 1e-12);
        assert!(test.p > 0.1 && test.effect.interval.contains(0.0));
    }

    #[test]
    fn without_variance_the_difference_decides() {
        let perfect = estimate(1.0, 5.0, 5.0);
        assert_eq!(independent_auroc_test(&perfect, &perfect, Level::P95).p, 1.0);
        assert_eq!(independent_auroc_test(&perfect, &estimate(0.0, 5.0, 5.0), Level::P95).p, 0.0);
    }
}
