//! What is left of the Brier score because a bin holds different probabilities.

use super::{Better, Compute, brier, brier_reliability, brier_resolution, brier_uncertainty, metric};
use crate::ranking::Ranking;
use crate::undefined::Value;

metric! {
    METRIC = "brier_within_bin", "within-bin part of the Brier score", Probability;
    definition: "Brier - (reliability - resolution + uncertainty)";
    undefined when: "the scores are not probabilities or there are no rows";
    range: -1.0, 1.0; better: Better::Neither;
    reference: "Stephenson, Coelho and Jolliffe 2008";
    compute: Compute::Ranking(brier_within_bin);
}

/// within-bin part of the Brier score; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Ranking, ScoredSet, metrics::brier_within_bin};
///
/// let truth = [true, true, false, true, false, true, false, false, true, false];
/// let scores = [0.9, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.4, 0.3, 0.1];
/// let ranking = Ranking::of(&ScoredSet::new(&truth, &scores)?)?;
/// assert!((brier_within_bin(&ranking)? - 0.0).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
pub fn brier_within_bin(ranking: &Ranking) -> Value {
    let parts = brier_reliability(ranking)? - brier_resolution(ranking)? + brier_uncertainty(ranking)?;
    let rest = brier(ranking)? - parts;
    // What rounding leaves of a difference of equals is nothing.
    Ok(if rest.abs() < 1e-15 { 0.0 } else { rest })
}
