//! The reliability table: stated probabilities against observed rates (Murphy and Winkler 1977).

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::curves::{Curve, CurveKind, Point};
use crate::intervals::{Interval, Level, Proportion, wilson};
use crate::ranking::Ranking;
use crate::undefined::Undefined;

/// Probabilities nearer to 0 or 1 than this are moved here before a logarithm is taken.
pub(crate) const CLIP: f64 = 1e-15;

/// Equal-width bins of the unit interval.
const N_BINS: usize = 10;

/// One bin of probabilities.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ReliabilityBin {
    /// Lower edge, included.
    pub from: f64,
    /// Upper edge, excluded but in the last bin.
    pub to: f64,
    /// Rows in the bin.
    pub rows: f64,
    /// Their weight.
    pub weight: f64,
    /// Mean stated probability.
    pub mean_score: f64,
    /// Observed share of positives.
    pub observed: f64,
    /// Wilson interval of the observed share; with weights at Kish's effective number of rows.
    pub interval: Interval,
}

/// Ten equal-width bins; empty ones are left out.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ReliabilityTable {
    /// The bins that hold cases, from low to high probability.
    pub bins: Vec<ReliabilityBin>,
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
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(ranking: &Ranking) -> Result<Self, Undefined> {
        Self::with_level(ranking, Level::default())
    }

    /// The same with intervals of another level.
    pub fn with_level(ranking: &Ranking, level: Level) -> Result<Self, Undefined> {
        weight_of_probabilities(ranking)?;
        let edge = |bin: usize| bin as f64 / N_BINS as f64;
        let end = |bin: usize| if bin + 1 == N_BINS { f64::INFINITY } else { edge(bin + 1) };
        let bins = (0..N_BINS).into_par_iter().filter_map(|bin| {
            let slice = ranking.slice(edge(bin), end(bin));
            let weight = slice.weights.total();
            let proportion =
                Proportion::weighted(slice.weights.positive, weight, slice.squared_weight).ok()?;
            Some(ReliabilityBin {
                from: edge(bin),
                to: edge(bin + 1),
                rows: slice.rows,
                weight,
                mean_score: slice.scores / weight,
                observed: proportion.share(),
                interval: wilson(proportion, level),
            })
        });
        Ok(Self { bins: bins.collect() })
    }

    /// Observed rate over stated probability, one point a bin.
    pub fn curve(&self) -> Curve {
        let points = self.bins.iter().map(|bin| Point { x: bin.mean_score, y: bin.observed }).collect();
        Curve { kind: CurveKind::Calibration, points }
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
