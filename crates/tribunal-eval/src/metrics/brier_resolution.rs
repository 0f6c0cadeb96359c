//! What telling cases apart takes off the Brier score.

use super::{Better, Compute, Spread, metric};
use crate::ranking::Ranking;
use crate::reliability::ReliabilityTable;
use crate::undefined::Value;

metric! {
    METRIC = "brier_resolution", "resolution part of the Brier score", Probability;
    definition: "sum over 10 equal-width bins of (n_b / N) (mean y_b - base rate)^2";
    undefined when: "the scores are not probabilities or there are no rows";
    range: 0.0, 0.25; better: Better::Higher;
    reference: "Murphy 1973";
    compute: Compute::Ranking(brier_resolution);
    interval: Spread::CorrectedBootstrap;
}

/// resolution part of the Brier score; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Ranking, ScoredSet, metrics::brier_resolution};
///
/// let truth = [true, true, false, true, false, true, false, false, true, false];
/// let scores = [0.9, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.4, 0.3, 0.1];
/// let ranking = Ranking::of(&ScoredSet::new(&truth, &scores)?)?;
/// assert!((brier_resolution(&ranking)? - 0.133333333333).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
pub fn brier_resolution(ranking: &Ranking) -> Value {
    let table = ReliabilityTable::of(ranking)?;
    let base_rate = ranking.base_rate()?;
    Ok(table.mean(|bin| (bin.observed - base_rate).powi(2)))
}
