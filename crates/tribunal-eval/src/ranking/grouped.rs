//! A ranking in groups of neighbouring scores: what variances of very large rankings are computed from.
//!
//! A variance is wanted to some three digits, and influence functions are smooth along the list, so that a hundred thousand
//! groups of rows tell as much as ten million rows. Groups are single entries at both ends of the list, where single rows decide
//! about a log loss or an average precision, and grow with the distance from the nearer end.

use super::side::{Cumulative, Side};
use super::{Ranking, merge_steps};
use crate::scored_set::AmountsOf;

/// A class with so many entries or fewer is left as it is.
const MANY_ENTRIES: usize = 1 << 18;
/// A group holds at most this part of the entries between it and the nearer end of the list.
const FINENESS: usize = 1 << 13;

impl Side {
    /// Groups of neighbouring entries, each at the score in its middle; the rows must count one.
    fn grouped(&self, many_entries: usize, fineness: usize) -> Self {
        let n = self.scores.len();
        if n <= many_entries {
            let (scores, rows, weight) = (self.scores.clone(), self.rows.clone(), self.weight.clone());
            return Self { rows, weight, ..Self::one_row_each(scores) };
        }
        let (mut scores, mut totals) = (Vec::new(), vec![0.0]);
        let mut from = 0;
        while from < n {
            let to = (from + (from.min(n - from) / fineness).max(1)).min(n);
            scores.push(self.scores[from + (to - from) / 2]);
            totals.push(self.rows(to));
            from = to;
        }
        let rows = Cumulative::Totals(totals);
        Self { weight: rows.clone(), rows, ..Self::one_row_each(scores) }
    }
}

impl Ranking {
    /// The ranking in groups of neighbouring scores where it is very large, itself otherwise and where rows have weights, which
    /// differ from row to row. It has as many rows of each class; made once.
    pub(crate) fn grouped(&self) -> &Ranking {
        let grouped = self.grouped.get_or_init(|| {
            let is_large = self.positives.scores.len().max(self.negatives.scores.len()) > MANY_ENTRIES;
            (is_large && !self.is_weighted()).then(|| Box::new(self.in_groups(MANY_ENTRIES, FINENESS)))
        });
        grouped.as_deref().unwrap_or(self)
    }

    fn in_groups(&self, many_entries: usize, fineness: usize) -> Self {
        let of = |side: &Side| side.grouped(many_entries, fineness);
        let (positives, negatives) = rayon::join(|| of(&self.positives), || of(&self.negatives));
        let steps = merge_steps(&positives, &negatives);
        Self::of_steps(positives, negatives, steps, AmountsOf::Nobody)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::influence::{BaseRate, Moments, Variance};
    use crate::metrics::{METRICS, Measure, Spread};

    /// Scores of two overlapping classes, one in twenty positive, calibrated but for a shift.
    fn scored(n_rows: u64) -> Ranking {
        let uniform = |row: u64| {
            let mixed = (row + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            ((mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 11) as f64 / (1u64 << 53) as f64
        };
        let truth: Vec<bool> = (0..n_rows).map(|row| row.is_multiple_of(20)).collect();
        let score = |row: u64| {
            let noise = uniform(3 * row) + uniform(3 * row + 1) + uniform(3 * row + 2) - 1.5;
            1.0 / (1.0 + (2.9 - 2.0 * noise - f64::from(u8::from(row.is_multiple_of(20)))).exp())
        };
        let scores: Vec<f64> = (0..n_rows).map(score).collect();
        Ranking::from_scores(&truth, &scores).expect("finite scores")
    }

    #[test]
    fn variances_of_groups_are_those_of_the_rows() {
        let ranking = scored(400_000);
        let groups = ranking.in_groups(1 << 12, 1 << 11);
        assert_eq!((groups.n_rows(), groups.totals()), (ranking.n_rows(), ranking.totals()));
        assert!(groups.n_blocks() < ranking.n_blocks() / 8, "{}", groups.n_blocks());
        for metric in METRICS {
            let Spread::Influence { influence, .. } = metric.spread else { continue };
            if influence(&ranking, 0.1).is_err() {
                continue; // Amounts are left out of groups.
            }
            if Measure::new(metric, Some(100.0)).is_ok_and(|measure| measure.n_cases().is_some()) {
                continue; // Lists are cut in the ranking itself.
            }
            let variance = |ranking: &Ranking| {
                let influence = influence(ranking, 0.1).expect("both classes");
                Variance::of(&Moments::of(ranking, &influence), BaseRate::Random)
            };
            let (exact, grouped) = (variance(&ranking), variance(&groups));
            for (exact, grouped) in [
                (exact.total, grouped.total),
                (exact.skewness + 1.0, grouped.skewness + 1.0),
                (exact.kurtosis_df, grouped.kurtosis_df),
            ] {
                assert!((grouped / exact - 1.0).abs() < 2e-3, "{}: {grouped} for {exact}", metric.id);
            }
        }
    }

    #[test]
    fn small_and_weighted_rankings_are_left_as_they_are() {
        let ranking = scored(1_000);
        assert!(std::ptr::eq(ranking.grouped(), &ranking));
    }
}
