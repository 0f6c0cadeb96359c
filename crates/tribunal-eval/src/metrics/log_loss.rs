//! Surprise at what happened, in nats: confident mistakes cost most.

use super::{Better, Compute, Estimate, Spread, metric};
use crate::certain::{CertainRows, is_certain_and_wrong};
use crate::influence::Influence;
use crate::intervals::{Interval, IntervalMethod, NoInterval, Sampled};
use crate::ranking::Ranking;
use crate::reliability::{CLIP, weight_of_probabilities};
use crate::undefined::{Undefined, Value};

metric! {
    METRIC = "log_loss", "logarithmic loss", Probability;
    definition: "-mean[y ln p + (1 - y) ln(1 - p)], p clipped to [1e-15, 1 - 1e-15]";
    undefined when: "the scores are not probabilities or there are no rows";
    range: 0.0, 34.53957599234088; better: Better::Lower;
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

fn loss(p: f64, positive: bool) -> f64 {
    let p = p.clamp(CLIP, 1.0 - CLIP);
    -(if positive { p } else { 1.0 - p }).ln()
}

fn influence(ranking: &Ranking, _: f64) -> Result<Influence<'_>, Undefined> {
    let mean = log_loss(ranking)?;
    Ok(Influence::Scores(Box::new(move |p, positive| loss(p, positive) - mean)))
}

/// Nobody can know how large a loss may be where there was none. Where many probabilities are 0 or 1, how often those prove
/// wrong is a rate of its own, and the rest varies by itself.
fn interval(sampled: &Sampled<'_>, Estimate { value: mean, .. }: Estimate) -> Result<Interval, NoInterval> {
    sampled.classes()?;
    if mean <= 2.0 * CLIP {
        return Err(NoInterval::NoLoss);
    }
    let certain = CertainRows::of(sampled.ranking);
    let interval = match certain.are_many() {
        true => of_certain_and_rest(sampled, mean, certain.wrong / sampled.ranking.n_rows())?,
        false => of_mean(sampled, mean, |ranking| influence(ranking, 0.0))?,
    };
    let (low, high) = METRIC.range;
    Ok(interval.clipped(low, high).holding(mean))
}

/// Student's t on the log scale. Losses that are all equal are taken to vary as much as they are large, as exponential losses do.
fn of_mean(
    sampled: &Sampled<'_>,
    mean: f64,
    influence: impl for<'r> Fn(&'r Ranking) -> Result<Influence<'r>, Undefined>,
) -> Result<Interval, NoInterval> {
    let (level, variance) = (sampled.level, sampled.variance(influence)?);
    let [p, m] = sampled.classes()?.effective;
    let (error, df) = match variance.vanishes(mean) {
        true => (mean / variance.n_rows.sqrt(), p.min(m) - 1.0),
        false => (variance.standard_error(), variance.kurtosis_df),
    };
    Ok(level.on_logs(mean, error, level.t(df)))
}

/// The arms of two intervals, added as squares (Zou and Donner 2008): how often certain probabilities prove wrong, each at the
/// largest loss, and the mean of all other losses.
fn of_certain_and_rest(sampled: &Sampled<'_>, mean: f64, wrong: f64) -> Result<Interval, NoInterval> {
    let (level, ranking) = (sampled.level, sampled.ranking);
    let other = |p: f64, positive: bool| match is_certain_and_wrong(p, positive) {
        true => 0.0,
        false => loss(p, positive),
    };
    let [sum] = ranking.sum(|p, positive| [other(p, positive)]);
    let rest = sum / ranking.totals().total();
    let (below, above) = match rest > 2.0 * CLIP {
        true => {
            let interval = of_mean(sampled, rest, |_| {
                Ok(Influence::Scores(Box::new(move |p, positive| other(p, positive) - rest)))
            })?;
            (rest - interval.lower, interval.upper - rest)
        }
        false => (0.0, 0.0),
    };
    let largest = METRIC.range.1;
    let rate = level.edge_wilson(wrong, sampled.classes()?.n_effective());
    Ok(Interval {
        lower: mean - below.hypot(largest * (wrong - rate.lower)),
        upper: mean + above.hypot(largest * (rate.upper - wrong)),
        level,
        method: IntervalMethod::SquareAndAdd,
    })
}
