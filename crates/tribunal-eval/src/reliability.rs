//! The reliability table: stated probabilities against observed rates (Murphy and Winkler 1977).

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::curves::{Curve, CurveKind, Point};
use crate::intervals::{Interval, Level, Proportion, wilson};
use crate::ranking::{Ranking, Slice, Split};
use crate::undefined::Undefined;

/// Probabilities nearer to 0 or 1 than this are moved here before a logarithm is taken.
pub(crate) const CLIP: f64 = 1e-15;

/// Equal-width bins of the unit interval.
pub(crate) const N_BINS: usize = 10;

/// The lower edge of a bin, included, and the upper, excluded; the last bin has no upper edge.
pub(crate) fn bin_ends(bin: usize) -> (f64, f64) {
    let edge = |bin: usize| bin as f64 / N_BINS as f64;
    (edge(bin), if bin + 1 == N_BINS { f64::INFINITY } else { edge(bin + 1) })
}

/// The bin of a probability.
pub(crate) fn bin_of(p: f64) -> usize {
    (0..N_BINS).rev().find(|bin| p >= bin_ends(*bin).0).unwrap_or(0)
}

/// How far the probabilities of one bin are off, and how that varies.
pub(crate) struct BinError {
    /// Share of all cases that the bin holds.
    pub(crate) share: f64,
    /// Sum of `p - y`, divided by the number of all rows.
    pub(crate) mean: f64,
    /// Its variance if the probabilities were right.
    pub(crate) calibrated: f64,
    /// Its variance.
    pub(crate) variance: f64,
}

/// The errors of the bins of equal width.
pub(crate) fn bin_errors(ranking: &Ranking) -> Vec<BinError> {
    let n = ranking.n_rows();
    let of_bin = |bin: usize| {
        let [ones, error, square, calibrated] = ranking.sum_between(bin_ends(bin), |p, positive| {
            let error = p - f64::from(positive);
            [1.0, error, error * error, p * (1.0 - p)]
        });
        let (mean, calibrated) = (error[0] / n, calibrated[1] / (n * n));
        let variance = ((square[1] / n - mean * mean) / n).max(calibrated);
        BinError { share: ones[0] / n, mean, calibrated, variance }
    };
    (0..N_BINS).map(of_bin).collect()
}

/// One bin of probabilities.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ReliabilityBin {
    /// Lower edge, included.
    pub from: f64,
    /// Upper edge, excluded but in the last bin; in bins of equal count the highest score, included.
    pub to: f64,
    /// Rows in the bin.
    pub rows: f64,
    /// Their weight.
    pub weight: f64,
    /// Weight of the positives among them.
    pub positives: f64,
    /// Mean stated probability.
    pub mean_score: f64,
    /// Observed share of positives.
    pub observed: f64,
    /// Wilson interval of the observed share; with weights at Kish's effective number of rows.
    pub interval: Interval,
}

/// Bins of probabilities: ten of equal width, of which empty ones are left out, or some of about equal count.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ReliabilityTable {
    /// The bins that hold cases, from low to high probability.
    pub bins: Vec<ReliabilityBin>,
}

impl ReliabilityBin {
    /// The bin between two edges that holds these cases; `None` where it holds none.
    fn of((from, to): (f64, f64), slice: &Slice, level: Level) -> Option<Self> {
        let Split { positive: positives, .. } = slice.weights;
        let weight = slice.weights.total();
        let proportion = Proportion::weighted(positives, weight, slice.squared_weight).ok()?;
        Some(Self {
            from,
            to,
            rows: slice.rows,
            weight,
            positives,
            mean_score: slice.scores / weight,
            observed: proportion.share(),
            interval: wilson(proportion, level),
        })
    }
}

impl ReliabilityTable {
    /// Tabulates a ranking whose scores are probabilities, with 95 % intervals.
    ///
    /// ```
    /// use tribunal_eval::{Ranking, ReliabilityTable, ScoredSet};
    ///
    /// let ranking = Ranking::of(&ScoredSet::new(&[false, true, true], &[0.1, 0.15, 0.8])?)?;
    /// let table = ReliabilityTable::of(&ranking)?;
    /// assert_eq!((table.bins.len(), table.bins[0].observed), (2, 0.5));
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    pub fn of(ranking: &Ranking) -> Result<Self, Undefined> {
        Self::with_level(ranking, Level::default())
    }

    /// The same with intervals of another level.
    pub fn with_level(ranking: &Ranking, level: Level) -> Result<Self, Undefined> {
        weight_of_probabilities(ranking)?;
        let bins = (0..N_BINS).into_par_iter().filter_map(|bin| {
            let (from, to) = bin_ends(bin);
            ReliabilityBin::of((from, to.min(1.0)), &ranking.slice(from, to), level)
        });
        Ok(Self { bins: bins.collect() })
    }

    /// At most `n_bins` bins of about equal weight, from the lowest score up (equal-frequency bins). Equal scores are
    /// never divided: a bin ends with the score at which its share of the list is reached, so that fewer and unequal
    /// bins come of many ties. The edges of a bin are its lowest and its highest score.
    ///
    /// ```
    /// use tribunal_eval::{Ranking, ReliabilityTable, intervals::Level};
    ///
    /// let ranking = Ranking::from_scores(&[false, false, true, true], &[0.1, 0.2, 0.2, 0.8])?;
    /// let table = ReliabilityTable::of_equal_counts(&ranking, 2, Level::P95)?;
    /// let bins: Vec<_> = table.bins.iter().map(|bin| (bin.from, bin.to, bin.rows, bin.positives)).collect();
    /// assert_eq!(bins, [(0.1, 0.2, 3.0, 1.0), (0.8, 0.8, 1.0, 1.0)]);
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    pub fn of_equal_counts(ranking: &Ranking, n_bins: usize, level: Level) -> Result<Self, Undefined> {
        let total = weight_of_probabilities(ranking)?;
        let mut bins = Vec::new();
        // The first block, from the top, that belongs to a bin that is done.
        let mut done = ranking.n_blocks();
        for bin in 1..=n_bins {
            // What is left above the bin; rounding must not leave a part of a case.
            let left = total * (n_bins - bin) as f64 / n_bins as f64 * (1.0 + 1e-12);
            let start = if bin == n_bins { 0 } else { ranking.n_blocks_within(left).min(done) };
            if start < done {
                let (from, to) = (ranking.score(done - 1), ranking.score(start));
                bins.extend(ReliabilityBin::of((from, to), &ranking.slice(from, to.next_up()), level));
                done = start;
            }
        }
        Ok(Self { bins })
    }

    /// Observed rate over stated probability, one point a bin.
    pub fn curve(&self) -> Curve {
        let points = self.bins.iter().map(|bin| Point { x: bin.mean_score, y: bin.observed });
        Curve::of_points(CurveKind::Calibration, points)
    }

    /// Mean of a function of the bins, each times its weight.
    pub(crate) fn mean(&self, of: impl Fn(&ReliabilityBin) -> f64) -> f64 {
        let total: f64 = self.bins.iter().map(|bin| bin.weight).sum();
        self.bins.iter().map(|bin| bin.weight * of(bin)).sum::<f64>() / total
    }
}

/// Total weight, where every score is a probability.
pub(crate) fn weight_of_probabilities(ranking: &Ranking) -> Result<f64, Undefined> {
    let (highest, lowest) = ranking.score_range().ok_or(Undefined::NoRows)?;
    let score = if highest - 1.0 > -lowest { highest } else { lowest };
    if lowest < 0.0 || highest > 1.0 {
        Err(Undefined::NotProbabilities { score })
    } else {
        Ok(ranking.totals().total())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::{ranked, tied};

    #[test]
    fn bins_are_closed_below_and_the_last_one_above() {
        let table = ReliabilityTable::of(&ranked("+-+-", &[1.0, 0.9, 0.1, 0.0])).expect("probabilities");
        let bins: Vec<_> = table.bins.iter().map(|bin| (bin.from, bin.rows, bin.observed)).collect();
        assert_eq!(bins, [(0.0, 1.0, 0.0), (0.1, 1.0, 1.0), (0.9, 2.0, 0.5)]);
    }

    /// By hand: 0.1 0.2 0.3 0.3 0.3 | 0.7 0.9, since both the first and the second third of seven cases end among the
    /// ties.
    #[test]
    fn bins_of_equal_count_keep_ties_together() {
        let ranking = ranked("-+--+++", &[0.1, 0.2, 0.3, 0.3, 0.3, 0.7, 0.9]);
        let table = ReliabilityTable::of_equal_counts(&ranking, 3, Level::P95).expect("probabilities");
        let bins: Vec<_> =
            table.bins.iter().map(|bin| (bin.from, bin.to, bin.rows, bin.positives, bin.observed)).collect();
        assert_eq!(bins.len(), 2, "{bins:?}");
        assert_eq!(bins[0], (0.1, 0.3, 5.0, 2.0, 0.4));
        assert_eq!(bins[1], (0.7, 0.9, 2.0, 2.0, 1.0));
        assert!((table.bins[0].mean_score - 0.24).abs() < 1e-15);
        let seven = ReliabilityTable::of_equal_counts(&ranking, 7, Level::P95).expect("probabilities");
        let rows: Vec<f64> = seven.bins.iter().map(|bin| bin.rows).collect();
        assert_eq!(rows, [1.0, 1.0, 3.0, 1.0, 1.0]);
        let ends = ReliabilityTable::of_equal_counts(&ranked("+-", &[1.0, 0.0]), 2, Level::P95);
        assert_eq!(ends.expect("probabilities").bins.len(), 2);
    }

    #[test]
    fn bins_of_equal_count_are_equal_without_ties() {
        let scores: Vec<f64> = (0..1000).map(|i| f64::from(i * i) / 1e6).collect();
        let ranking = ranked(&"+-".repeat(500), &scores);
        let table = ReliabilityTable::of_equal_counts(&ranking, 10, Level::P95).expect("probabilities");
        assert!(table.bins.iter().all(|bin| (bin.rows, bin.positives) == (100.0, 50.0)));
        assert_eq!(table.bins.len(), 10);
    }

    #[test]
    fn intervals_are_wilsons() {
        let table = ReliabilityTable::of(&tied()).expect("probabilities");
        let bin = table.bins.iter().find(|bin| bin.from == 0.6).expect("three cases at 0.6");
        assert!((bin.interval.lower - 0.061492).abs() < 1e-6 && (bin.interval.upper - 0.792340).abs() < 1e-6);
    }

    #[test]
    fn scores_outside_the_unit_interval_are_named() {
        let reason = ReliabilityTable::of(&ranked("+-", &[3.0, -0.5])).expect_err("no probabilities");
        assert_eq!(reason, Undefined::NotProbabilities { score: 3.0 });
    }
}
