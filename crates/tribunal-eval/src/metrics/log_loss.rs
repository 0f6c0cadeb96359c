//! Surprise at what happened, in nats: confident mistakes cost most.

use super::{Better, Compute, metric};
use crate::ranking::Ranking;
use crate::reliability::{CLIP, weight_of_probabilities};
use crate::undefined::Value;

metric! {
    METRIC = "log_loss", "logarithmic loss", Probability;
    definition: "-mean[y ln p + (1 - y) ln(1 - p)], p clipped to [1e-15, 1 - 1e-15]";
    undefined when: "the scores are not probabilities or there are no rows";
    range: 0.0, 34.538776394910684; better: Better::Lower;
    reference: "Good 1952";
    compute: Compute::Ranking(log_loss);
}

/// logarithmic loss; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Ranking, ScoredSet, metrics::log_loss};
///
/// let truth = [true, true, false, true, false, true, false, false, true, false];
/// let scores = [0.9, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.4, 0.3, 0.1];
/// let ranking = Ranking::of(&ScoredSet::new(&truth, &scores)?)?;
/// assert!((log_loss(&ranking)? - 0.645818295461).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
pub fn log_loss(ranking: &Ranking) -> Value {
    let total = weight_of_probabilities(ranking)?;
    let sum = ranking.sum_ln(|p, positive| {
        let p = p.clamp(CLIP, 1.0 - CLIP);
        if positive { p } else { 1.0 - p }
    });
    // Less than nothing can only be rounding.
    Ok((-sum / total).max(0.0))
}
