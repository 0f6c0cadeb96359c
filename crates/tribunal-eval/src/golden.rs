//! The worked examples by which the unit tests check themselves: 19 ranked customers (Witten and Frank,
//! chapter 5), ten cases with ties, and eight without.

use crate::ranking::Ranking;
use crate::scored_set::ScoredSet;

/// Ranks labels written as a string of `+` and `-`.
pub(crate) fn ranked(labels: &str, scores: &[f64]) -> Ranking {
    let truth: Vec<bool> = labels.chars().map(|label| label == '+').collect();
    Ranking::of(&ScoredSet::new(&truth, scores).expect("valid scores")).expect("few rows")
}

/// 19 customers, 13 of whom responded.
pub(crate) fn table_5_6() -> Ranking {
    ranked(
        "++-+++++-+-++-+-+-+",
        &[
            0.95, 0.93, 0.93, 0.88, 0.86, 0.85, 0.82, 0.80, 0.80, 0.79, 0.77, 0.76, 0.73, 0.65, 0.63, 0.58,
            0.56, 0.49, 0.48,
        ],
    )
}

/// Ten cases, half of them positive, with ties.
pub(crate) fn tied() -> Ranking {
    ranked("++-+-+--+-", &[0.9, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.4, 0.3, 0.1])
}

/// Eight cases, half of them positive, out of order.
pub(crate) fn second() -> Ranking {
    ranked("-++-+-+-", &[0.2, 0.9, 0.7, 0.6, 0.5, 0.4, 0.3, 0.1])
}

/// Asserts that a value is what a table prints, to nine decimals.
#[track_caller]
pub(crate) fn close(found: crate::undefined::Value, expected: f64) {
    let found = found.expect("defined");
    assert!((found - expected).abs() < 1e-9, "found {found}, expected {expected}");
}
