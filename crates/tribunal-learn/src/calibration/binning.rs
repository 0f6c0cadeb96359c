//! Calibration by bins: a score is worth what the training rows with such scores were (Zadrozny and Elkan 2001).
//!
//! **Definition** Rows, sorted by score, are dealt into bins by the weight that stands before them, so that all bins weigh
//! about the same; rows of equal scores stay with the first of them, so what a large pool leaves over may be a bin of a few
//! rows. A bin is worth its share of positives, and nothing keeps the order of scores.

use super::pool::Pool;
use super::steps::Steps;

/// Bins of equal weight, each with the share of positives in it.
pub(crate) fn binned(pools: &[Pool], n_bins: usize) -> Steps {
    let total: f64 = pools.iter().map(|pool| pool.weight).sum();
    let (mut before, mut bins, mut last) = (0.0, Vec::<Pool>::new(), None);
    for pool in pools {
        let bin = (n_bins as f64 * before / total) as usize;
        before += pool.weight;
        match bins.last_mut() {
            Some(known) if last == Some(bin) => known.absorb(pool),
            _ => bins.push(*pool),
        }
        last = Some(bin);
    }
    Steps::of(&bins)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibration::scored;

    fn fitted(scores: &[f64], labels: &str, n_bins: usize) -> Steps {
        binned(&Pool::of_equal_scores(scored(scores, labels)), n_bins)
    }

    #[test]
    fn golden_bins() {
        let scores = [0.05, 0.1, 0.2, 0.3, 0.4, 0.55, 0.6, 0.7, 0.9, 0.95];
        let bins = fitted(&scores, "0001001101", 5);
        assert_eq!(bins.values(), [0.0, 0.5, 0.0, 1.0, 0.5]);
        for (edge, expected) in bins.edges().iter().zip([0.15, 0.35, 0.575, 0.8]) {
            assert!((edge - expected).abs() < 1e-12);
        }
        assert_eq!([bins.value(0.37), bins.value(0.58)], [0.0, 1.0]);
    }

    #[test]
    fn equal_scores_stay_together() {
        let bins = fitted(&[0.1, 0.3, 0.3, 0.3, 0.9, 0.9], "010011", 3);
        // The pool of 0.3 begins in the first bin, and that of 0.9 in the last.
        assert_eq!(bins.values(), [0.25, 1.0]);
        assert_eq!(bins.value(bins.edges()[0]), 1.0);
        assert_eq!(fitted(&[0.5; 4], "0011", 10).value(0.0), 0.5);
    }
}
