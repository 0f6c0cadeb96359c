//! Surprise at what happened, in nats: confident mistakes cost most.

use super::{Better, Compute, Spread, metric};
use crate::influence::Influence;
use crate::intervals::{Interval, NoInterval, Sampled};
use crate::ranking::Ranking;
use crate::reliability::{CLIP, weight_of_probabilities};
use crate::undefined::{Undefined, Value};

metric! {
    METRIC = "log_loss", "logarithmic loss", Probability;
    definition: "-mean[y ln p + (1 - y) ln(1 - p)], p clipped to [1e-15, 1 - 1e-15]";
    undefined when: "the scores are not probabilities or there are no rows";
    range: 0.0, 34.538776394910684; better: Better::Lower;
    reference: "Good 1952";
    compute: Compute::Ranking(log_loss);
    interval: Spread::Influence { influence, interval };
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

fn influence(ranking: &Ranking, _: f64) -> Result<Influence<'_>, Undefined> {
    let mean = log_loss(ranking)?;
    Ok(Influence::Scores(Box::new(move |p, positive| {
        let p = p.clamp(CLIP, 1.0 - CLIP);
        -(if positive { p } else { 1.0 - p }).ln() - mean
    })))
}

/// Student's t on the log scale. Nobody can know how large a loss may be where there was none; where all losses are equal they
/// are taken to vary as much as they are large, as exponential losses do.
fn interval(sampled: &Sampled<'_>, _: f64) -> Result<Interval, NoInterval> {
    let (level, mean) = (sampled.level, log_loss(sampled.ranking)?);
    let variance = sampled.variance(&influence(sampled.ranking, 0.0)?)?;
    if mean <= 2.0 * CLIP {
        return Err(NoInterval::NoLoss);
    }
    let (low, high) = METRIC.range;
    let [p, m] = sampled.classes()?.effective;
    let (error, df) = match variance.vanishes(mean) {
        true => (mean / variance.n_rows.sqrt(), p.min(m) - 1.0),
        false => (variance.standard_error(), variance.kurtosis_df),
    };
    Ok(level.on_logs(mean, error, level.t(df)).clipped(low, high))
}
