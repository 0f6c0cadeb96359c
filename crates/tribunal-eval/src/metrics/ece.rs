//! How far stated probabilities lie from observed rates, over ten bins.

use super::{Better, Compute, Spread, metric};
use crate::ranking::Ranking;
use crate::reliability::ReliabilityTable;
use crate::undefined::Value;

metric! {
    METRIC = "ece", "expected calibration error", Probability;
    definition: "sum over 10 equal-width bins of (n_b / N) |mean p_b - mean y_b|";
    undefined when: "the scores are not probabilities or there are no rows";
    range: 0.0, 1.0; better: Better::Lower;
    reference: "Naeini, Cooper and Hauskrecht 2015";
    compute: Compute::Ranking(ece);
    interval: Spread::CorrectedBootstrap;
}

/// expected calibration error; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Ranking, ScoredSet, metrics::ece};
///
/// let truth = [true, true, false, true, false, true, false, false, true, false];
/// let scores = [0.9, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.4, 0.3, 0.1];
/// let ranking = Ranking::of(&ScoredSet::new(&truth, &scores)?)?;
/// assert!((ece(&ranking)? - 0.3).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
pub fn ece(ranking: &Ranking) -> Value {
    let table = ReliabilityTable::of(ranking)?;
    Ok(table.mean(|bin| (bin.mean_score - bin.observed).abs()))
}
