//! Rows of like scores, taken together: all that a calibrator needs to know of them is two sums of weights.

use super::Scored;

/// Rows whose scores lie between two, often equal, bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pool {
    pub(crate) least: f64,
    pub(crate) most: f64,
    pub(crate) weight: f64,
    pub(crate) positive: f64,
}

impl Pool {
    /// The rows of equal scores, from the lowest score to the highest. Rows that say nothing are left out: those without
    /// weight and those whose score is not a finite number.
    pub(crate) fn of_equal_scores(mut rows: Vec<Scored>) -> Vec<Pool> {
        rows.retain(|row| row.score.is_finite() && row.weight.is_finite() && row.weight > 0.0);
        rows.sort_by(|a, b| a.score.total_cmp(&b.score));
        rows.chunk_by(|a, b| a.score == b.score).map(Pool::of).collect()
    }

    fn of(rows: &[Scored]) -> Pool {
        let score = rows.first().map_or(0.0, |row| row.score);
        let weight_of = |keep: fn(&&Scored) -> bool| rows.iter().filter(keep).map(|row| row.weight).sum();
        Pool {
            least: score,
            most: score,
            weight: weight_of(|_| true),
            positive: weight_of(|row| row.is_positive),
        }
    }

    /// Takes in the rows of higher scores.
    pub(crate) fn absorb(&mut self, later: &Pool) {
        self.most = later.most;
        self.weight += later.weight;
        self.positive += later.positive;
    }

    /// The share of positives.
    pub(crate) fn share(&self) -> f64 {
        // Sums of the same weights in another order may differ in their last digits.
        if self.weight > 0.0 { (self.positive / self.weight).min(1.0) } else { 0.0 }
    }

    /// The weights of all positive and all negative rows.
    pub(crate) fn class_weights(pools: &[Pool]) -> (f64, f64) {
        let positive = pools.iter().map(|pool| pool.positive).sum();
        (positive, pools.iter().map(|pool| pool.weight - pool.positive).sum())
    }
}
