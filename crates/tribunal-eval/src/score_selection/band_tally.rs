//! What the cases of each band of a score are like: strike rate, calibration, and how pairs within the band are ranked.
//!
//! Whether a case was acted on depends on its score alone where a list is cut by score; so within a narrow band the cases that were
//! acted on are like the others. Figures inside of bands therefore survive such a selection, and figures over all bands, which mix
//! the bands as the selection did, do not (stratification by a score: Cochran 1968; Rosenbaum & Rubin 1984).

use crate::intervals::{Interval, Level, Proportion, wilson};
use crate::ranking::{Ranking, Split};
use crate::score_bands::ScoreBands;
use crate::sum::Sum;
use crate::undefined::{Undefined, Value};

/// The cases of one band of a score.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BandTally {
    /// How many rows.
    pub rows: f64,
    /// What they weigh, by class.
    pub weights: Split,
    /// The sum of their scores, each times its weight.
    pub scores: f64,
    /// The sum of their squared weights.
    pub squared_weight: f64,
    /// Pairs of a positive and a negative of the band of which the positive scores higher; ties count half.
    pub concordant: f64,
}

impl BandTally {
    /// The share of positives.
    pub fn strike_rate(&self) -> Value {
        let total = self.weights.total();
        if total > 0.0 { Ok(self.weights.positive / total) } else { Err(Undefined::NoRows) }
    }

    /// Wilson's interval of the strike rate, on as many cases of equal weight as vary alike (Kish 1965); nothing without cases.
    pub fn strike_rate_interval(&self, level: Level) -> Option<Interval> {
        let share = Proportion::weighted(self.weights.positive, self.weights.total(), self.squared_weight);
        share.ok().map(|share| wilson(share, level))
    }

    /// By how much the mean score exceeds the strike rate.
    pub fn calibration_error(&self) -> Value {
        let total = self.weights.total();
        if total > 0.0 { Ok((self.scores - self.weights.positive) / total) } else { Err(Undefined::NoRows) }
    }

    /// Pairs of a positive and a negative of the band.
    pub fn pairs(&self) -> f64 {
        self.weights.positive * self.weights.negative
    }
}

/// The cases of each band, from the lowest up.
///
/// ```
/// use tribunal_eval::{Ranking, ScoreBands, score_selection::band_tallies};
///
/// let ranking = Ranking::from_scores(&[true, false, true, false], &[0.9, 0.8, 0.4, 0.4])?;
/// let tallies = band_tallies(&ranking, &ScoreBands::from_edges(&[0.5])?);
/// let strike_rates: Vec<_> = tallies.iter().map(|tally| tally.strike_rate()).collect();
/// assert_eq!(strike_rates, [Ok(0.5), Ok(0.5)]);
/// assert_eq!((tallies[0].concordant, tallies[1].concordant), (0.5, 1.0));
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
pub fn band_tallies(ranking: &Ranking, bands: &ScoreBands) -> Vec<BandTally> {
    let concordant = concordant_pairs(ranking, bands);
    let tally = |(band, concordant): (usize, f64)| {
        let (from, to) = bands.ends(band);
        let slice = ranking.slice(from.unwrap_or(f64::NEG_INFINITY), to.unwrap_or(f64::INFINITY));
        BandTally {
            rows: slice.rows,
            weights: slice.weights,
            scores: slice.scores,
            squared_weight: slice.squared_weight,
            concordant,
        }
    };
    concordant.into_iter().enumerate().map(tally).collect()
}

/// In each band the pairs that are ranked rightly.
fn concordant_pairs(ranking: &Ranking, bands: &ScoreBands) -> Vec<f64> {
    let mut pairs = vec![Sum::default(); bands.n_bands()];
    let (mut band, mut above_band) = (bands.n_bands(), 0.0);
    for block in ranking.blocks() {
        let own_band = bands.band_of(block.score);
        if own_band != band {
            (band, above_band) = (own_band, block.above.positive);
        }
        let own = block.own();
        pairs[band].add(own.negative * (block.above.positive - above_band + own.positive / 2.0));
    }
    pairs.into_iter().map(|sum| sum.value()).collect()
}

/// The AUROC within bands, pooled by pairs.
///
/// **Definition** Σ over bands of pairs of a positive and a negative of the same band of which the positive scores higher, ties
/// counting half, divided by all pairs of the same band.
///
/// **Undefined when** no band holds both classes.
///
/// **Example**
/// ```
/// use tribunal_eval::{Ranking, ScoreBands, score_selection::auroc_within_bands};
///
/// let ranking = Ranking::from_scores(&[true, false, true, false, true], &[0.9, 0.8, 0.7, 0.4, 0.3])?;
/// // Above 0.5 one of two pairs is in order, below the only one is not.
/// let found = auroc_within_bands(&ranking, &ScoreBands::from_edges(&[0.5])?)?;
/// assert!((found - 1.0 / 3.0).abs() < 1e-15);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** a stratified Mann-Whitney statistic: van Elteren (1960) with weights by pairs.
pub fn auroc_within_bands(ranking: &Ranking, bands: &ScoreBands) -> Value {
    pooled_auroc(&band_tallies(ranking, bands))
}

/// The same of tallies.
pub(super) fn pooled_auroc(tallies: &[BandTally]) -> Value {
    let pairs: f64 = tallies.iter().map(BandTally::pairs).sum();
    let concordant: f64 = tallies.iter().map(|tally| tally.concordant).sum();
    if pairs > 0.0 { Ok(concordant / pairs) } else { Err(no_pairs()) }
}

pub(super) fn no_pairs() -> Undefined {
    Undefined::Zero { quantity: "number of pairs of a positive and a negative in one band".into() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::golden::{close, table_5_6, tied};
    use crate::metrics::auroc;
    use crate::scored_set::ScoredSet;

    fn bands(edges: &[f64]) -> ScoreBands {
        ScoreBands::from_edges(edges).expect("rising edges")
    }

    #[test]
    fn one_band_is_the_whole_list() {
        close(auroc_within_bands(&table_5_6(), &bands(&[])), 49.0 / 78.0);
        close(auroc_within_bands(&tied(), &bands(&[])), 0.7);
    }

    #[test]
    fn bands_of_one_score_know_no_order() {
        close(auroc_within_bands(&tied(), &bands(&[0.3, 0.4, 0.6, 0.7, 0.8, 0.9])), 0.5);
        let apart = Ranking::from_scores(&[true, false], &[0.9, 0.1]).expect("scores");
        assert_eq!(auroc_within_bands(&apart, &bands(&[0.5])), Err(no_pairs()));
        assert_eq!(BandTally::default().strike_rate(), Err(Undefined::NoRows));
        assert_eq!(BandTally::default().strike_rate_interval(Level::P95), None);
    }

    proptest! {
        #[test]
        fn agrees_with_counting_pairs(
            rows in prop::collection::vec((any::<bool>(), 0u8..20, 1u8..4), 1..60),
            mut edges in prop::collection::vec(0u8..20, 0..5)
        ) {
            edges.sort_unstable();
            edges.dedup();
            let bands = bands(&edges.iter().map(|edge| f64::from(*edge)).collect::<Vec<_>>());
            let truth: Vec<bool> = rows.iter().map(|row| row.0).collect();
            let scores: Vec<f64> = rows.iter().map(|row| f64::from(row.1)).collect();
            let weights: Vec<f64> = rows.iter().map(|row| f64::from(row.2)).collect();
            let set = ScoredSet::new(&truth, &scores).and_then(|set| set.with_weight(&weights)).expect("valid");
            let ranking = Ranking::of(&set).expect("rankable");
            let (mut won, mut pairs) = (0.0, 0.0);
            for p in 0..rows.len() {
                for n in 0..rows.len() {
                    if truth[p] && !truth[n] && bands.band_of(scores[p]) == bands.band_of(scores[n]) {
                        let pair = weights[p] * weights[n];
                        pairs += pair;
                        won += pair * if scores[p] > scores[n] { 1.0 } else if scores[p] == scores[n] { 0.5 } else { 0.0 };
                    }
                }
            }
            match auroc_within_bands(&ranking, &bands) {
                Ok(found) => prop_assert!((found - won / pairs).abs() < 1e-12),
                Err(_) => prop_assert_eq!(pairs, 0.0),
            }
            let total: f64 = band_tallies(&ranking, &bands).iter().map(|tally| tally.weights.total()).sum();
            prop_assert!((total - ranking.totals().total()).abs() < 1e-9);
            if let Ok(area) = auroc(&ranking) {
                let whole = auroc_within_bands(&ranking, &ScoreBands::from_edges(&[]).expect("no edge"));
                prop_assert!((whole.expect("both classes") - area).abs() < 1e-12);
            }
        }
    }
}
