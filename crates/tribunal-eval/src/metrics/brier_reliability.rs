//! What miscalibration adds to the Brier score.

use super::{Better, Compute, Estimate, Spread, metric};
use crate::influence::Influence;
use crate::intervals::{Interval, IntervalMethod, NoInterval, Sampled};
use crate::ranking::Ranking;
use crate::reliability::{BinError, ReliabilityTable, bin_errors, bin_of};
use crate::undefined::{Undefined, Value};

metric! {
    METRIC = "brier_reliability", "reliability part of the Brier score", Probability;
    definition: "sum over 10 equal-width bins of (n_b / N) (mean p_b - mean y_b)^2";
    undefined when: "the scores are not probabilities or there are no rows";
    range: 0.0, 1.0; better: Better::Lower;
    reference: "Murphy 1973";
    compute: Compute::Ranking(brier_reliability);
    interval: Spread::Influence { influence, interval };
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

impl BinError {
    /// How far the mean probability of the bin is off.
    fn distance(&self) -> f64 {
        if self.share > 0.0 { self.mean / self.share } else { 0.0 }
    }
}

fn influence(ranking: &Ranking, _: f64) -> Result<Influence<'_>, Undefined> {
    let value = brier_reliability(ranking)?;
    let distances: Vec<f64> = bin_errors(ranking).iter().map(BinError::distance).collect();
    Ok(Influence::Scores(Box::new(move |p, positive| {
        let distance = distances[bin_of(p)];
        2.0 * distance * (p - f64::from(positive)) - distance * distance - value
    })))
}

/// The figure less what chance alone adds to it: the variance of each bin.
pub(super) fn less_chance(value: f64, bins: &[BinError]) -> f64 {
    let by_chance = bins.iter().filter(|bin| bin.share > 0.0).map(|bin| bin.variance / bin.share);
    value - by_chance.sum::<f64>()
}

/// A square cannot fall below zero, so that chance alone adds the variance of each bin. That is taken off the estimate; the
/// interval starts at zero where probabilities that are right would show as much.
fn interval(sampled: &Sampled<'_>, Estimate { value, .. }: Estimate) -> Result<Interval, NoInterval> {
    let level = sampled.level;
    let linear = sampled.variance(|ranking| influence(ranking, 0.0))?.total;
    let bins = bin_errors(sampled.ranking);
    let filled = || bins.iter().filter(|bin| bin.share > 0.0);
    let squared: f64 = filled().map(|bin| 2.0 * (bin.variance / bin.share).powi(2)).sum();
    let error = (linear + squared).sqrt();
    if error <= 1e-12 * value {
        // What is certain in one sample need not be in another.
        return Ok(level.wilson(value, sampled.classes()?.n_effective(), level.z()));
    }
    let centre = less_chance(value, &bins);
    let interval = Interval::around(centre, level.z() * error, level, IntervalMethod::InfluenceCorrected);
    let usual: f64 = filled().map(|bin| bin.calibrated / bin.share).sum();
    let usual_squared: f64 = filled().map(|bin| 2.0 * (bin.calibrated / bin.share).powi(2)).sum();
    let interval = interval.clipped(0.0, 1.0).holding(value);
    let is_usual = value <= usual + level.z() * usual_squared.sqrt();
    Ok(if is_usual { Interval { lower: 0.0, ..interval } } else { interval })
}
