//! What miscalibration adds to the Brier score.

use super::{Better, Compute, Spread, metric};
use crate::ranking::Ranking;
use crate::reliability::ReliabilityTable;
use crate::undefined::Value;

metric! {
    METRIC = "brier_reliability", "reliability part of the Brier score", Probability;
    definition: "sum over 10 equal-width bins of (n_b / N) (mean p_b - mean y_b)^2";
    undefined when: "the scores are not probabilities or there are no rows";
    range: 0.0, 1.0; better: Better::Lower;
    reference: "Murphy 1973";
    compute: Compute::Ranking(brier_reliability);
    interval: Spread::CorrectedBootstrap;
}

/// reliability part of the Brier score; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Ranking, ScoredSet, metrics::brier_reliability};
///
/// let truth = [true, true, false, true, false, true, false, false, true, false];
/// let scores = [0.9, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.4, 0.3, 0.1];
/// let ranking = Ranking::of(&ScoredSet::new(&truth, &scores)?)?;
/// assert!((brier_reliability(&ranking)? - 0.115333333333).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
pub fn brier_reliability(ranking: &Ranking) -> Value {
    let table = ReliabilityTable::of(ranking)?;
    Ok(table.mean(|bin| (bin.mean_score - bin.observed).powi(2)))
}
