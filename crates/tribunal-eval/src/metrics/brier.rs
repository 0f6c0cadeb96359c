//! Mean squared distance of the probability from what happened.

use super::{Better, Compute, metric};
use crate::ranking::Ranking;
use crate::reliability::weight_of_probabilities;
use crate::undefined::Value;

metric! {
    METRIC = "brier", "Brier score", Probability;
    definition: "mean of (p - y)^2";
    undefined when: "the scores are not probabilities or there are no rows";
    range: 0.0, 1.0; better: Better::Lower;
    reference: "Brier 1950";
    compute: Compute::Ranking(brier);
}

/// Brier score; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Ranking, ScoredSet, metrics::brier};
///
/// let truth = [true, true, false, true, false, true, false, false, true, false];
/// let scores = [0.9, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.4, 0.3, 0.1];
/// let ranking = Ranking::of(&ScoredSet::new(&truth, &scores)?)?;
/// assert!((brier(&ranking)? - 0.232).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
pub fn brier(ranking: &Ranking) -> Value {
    let total = weight_of_probabilities(ranking)?;
    let [sum] = ranking.sum(|p, positive| [(p - f64::from(positive)).powi(2)]);
    Ok(sum / total)
}
