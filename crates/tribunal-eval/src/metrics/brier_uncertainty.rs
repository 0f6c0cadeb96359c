//! The Brier score of always stating the base rate: a property of the data.

use super::{Better, Compute, metric};
use crate::ranking::Ranking;
use crate::reliability::weight_of_probabilities;
use crate::undefined::Value;

metric! {
    METRIC = "brier_uncertainty", "uncertainty part of the Brier score", Probability;
    definition: "base rate (1 - base rate)";
    undefined when: "the scores are not probabilities or there are no rows";
    range: 0.0, 0.25; better: Better::Neither;
    reference: "Murphy 1973";
    compute: Compute::Ranking(brier_uncertainty);
}

/// uncertainty part of the Brier score; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Ranking, ScoredSet, metrics::brier_uncertainty};
///
/// let truth = [true, true, false, true, false, true, false, false, true, false];
/// let scores = [0.9, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.4, 0.3, 0.1];
/// let ranking = Ranking::of(&ScoredSet::new(&truth, &scores)?)?;
/// assert!((brier_uncertainty(&ranking)? - 0.25).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
pub fn brier_uncertainty(ranking: &Ranking) -> Value {
    weight_of_probabilities(ranking)?;
    let base_rate = ranking.base_rate()?;
    Ok(base_rate * (1.0 - base_rate))
}
