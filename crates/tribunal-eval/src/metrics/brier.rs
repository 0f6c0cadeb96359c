//! Mean squared distance of the probability from what happened.

use super::{Better, Compute, Estimate, Spread, metric};
use crate::influence::Influence;
use crate::intervals::{Interval, NoInterval, Sampled};
use crate::ranking::Ranking;
use crate::reliability::weight_of_probabilities;
use crate::undefined::{Undefined, Value};

metric! {
    METRIC = "brier", "Brier score", Probability;
    definition: "mean of (p - y)^2";
    undefined when: "the scores are not probabilities or there are no rows";
    range: 0.0, 1.0; better: Better::Lower;
    reference: "Brier 1950";
    compute: Compute::Ranking(brier);
    interval: Spread::Influence { influence, interval };
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

fn influence(ranking: &Ranking, _: f64) -> Result<Influence<'_>, Undefined> {
    let mean = brier(ranking)?;
    Ok(Influence::Scores(Box::new(move |p, positive| (p - f64::from(positive)).powi(2) - mean)))
}

/// Student's t on the log scale; where all losses are equal, as they are where there is none, Wilson's interval of a share of
/// all cases: what is certain in one sample need not be in another.
fn interval(sampled: &Sampled<'_>, Estimate { value: mean, .. }: Estimate) -> Result<Interval, NoInterval> {
    let level = sampled.level;
    let variance = sampled.variance(|ranking| influence(ranking, 0.0))?;
    if variance.vanishes(mean) {
        return Ok(level.wilson(mean, sampled.classes()?.n_effective(), level.z()));
    }
    let quantile = level.t(variance.kurtosis_df);
    Ok(level.on_logs(mean, variance.standard_error(), quantile).clipped(0.0, 1.0))
}
