//! How far stated probabilities lie from observed rates, over ten bins.

use super::{Better, Compute, Estimate, Spread, metric};
use crate::influence::Influence;
use crate::intervals::{Interval, IntervalMethod, NoInterval, Sampled};
use crate::ranking::Ranking;
use crate::reliability::{BinError, ReliabilityTable, bin_errors, bin_of};
use crate::undefined::{Undefined, Value};
use tribunal_tails::{normal_density, normal_sf};

metric! {
    METRIC = "ece", "expected calibration error", Probability;
    definition: "sum over 10 equal-width bins of (n_b / N) |mean p_b - mean y_b|";
    undefined when: "the scores are not probabilities or there are no rows";
    range: 0.0, 1.0; better: Better::Lower;
    reference: "Naeini, Cooper and Hauskrecht 2015";
    compute: Compute::Ranking(ece);
    interval: Spread::Influence { influence, interval };
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

/// A row moves its bin's distance towards the side on which the bin lies.
fn influence(ranking: &Ranking, _: f64) -> Result<Influence<'_>, Undefined> {
    let value = ece(ranking)?;
    // A bin without error lies on neither side; rounding must not choose one.
    let sign = |mean: f64| if mean < -1e-12 { -1.0 } else { 1.0 };
    let signs: Vec<f64> = bin_errors(ranking).iter().map(|bin| sign(bin.mean)).collect();
    Ok(Influence::Scores(Box::new(move |p, positive| signs[bin_of(p)] * (p - f64::from(positive)) - value)))
}

/// What chance alone adds to the distance of a bin.
fn by_chance(bin: &BinError) -> f64 {
    let deviation = bin.variance.sqrt();
    if deviation <= 0.0 {
        return 0.0;
    }
    let u = bin.mean.abs() / deviation;
    deviation * (2.0 * normal_density(u) - 2.0 * u * normal_sf(u))
}

/// The error less what chance alone adds to it.
pub(super) fn less_chance(value: f64, bins: &[BinError]) -> f64 {
    value - bins.iter().map(by_chance).sum::<f64>()
}

/// Distances cannot fall below zero, so that chance alone makes an error. That is taken off the estimate; the interval starts
/// at zero where probabilities that are right would show as large an error. Where all cases are equally far off, as they are where
/// none is, Wilson's interval of a share of all cases: what is certain in one sample need not be in another.
fn interval(sampled: &Sampled<'_>, Estimate { value, .. }: Estimate) -> Result<Interval, NoInterval> {
    let level = sampled.level;
    let variance = sampled.variance(|ranking| influence(ranking, 0.0))?;
    if variance.vanishes(value) {
        return Ok(level.wilson(value, variance.n_rows, level.z()));
    }
    let bins = bin_errors(sampled.ranking);
    let (centre, error) = (less_chance(value, &bins), variance.standard_error());
    let interval = Interval::around(centre, level.z() * error, level, IntervalMethod::InfluenceCorrected);
    let pi = std::f64::consts::PI;
    let calibrated: f64 = bins.iter().map(|bin| bin.calibrated).sum();
    let usual: f64 = bins.iter().map(|bin| (2.0 * bin.calibrated / pi).sqrt()).sum();
    let is_usual = value <= usual + level.z() * ((1.0 - 2.0 / pi) * calibrated).sqrt();
    let interval = interval.clipped(0.0, 1.0).holding(value);
    Ok(if is_usual { Interval { lower: 0.0, ..interval } } else { interval })
}
