//! Whether probabilities are spread as they should be: below 1 they are too extreme, above 1 too timid.

use super::{Better, Compute, Estimate, Spread, metric};
use crate::certain::CertainRows;
use crate::influence::Influence;
use crate::intervals::{Interval, NoInterval, Sampled};
use crate::ranking::Ranking;
use crate::recalibration::{recalibration, sandwich_interval, slope_influence};
use crate::undefined::{Undefined, Value};

metric! {
    METRIC = "calibration_slope", "calibration slope", Probability;
    definition: "slope of the maximum-likelihood logistic regression of the truth on logit(p), p clipped to [1e-15, 1 - 1e-15]";
    undefined when: "the scores are not probabilities, are all equal, or separate the classes";
    range: f64::NEG_INFINITY, f64::INFINITY; better: Better::Near(1.0);
    reference: "Cox 1958; Steyerberg 2009";
    compute: Compute::Ranking(calibration_slope);
    interval: Spread::Influence { influence, interval };
}

/// calibration slope; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Ranking, ScoredSet, metrics::calibration_slope};
///
/// let truth = [true, true, false, true, false, true, false, false, true, false];
/// let scores = [0.9, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.4, 0.3, 0.1];
/// let ranking = Ranking::of(&ScoredSet::new(&truth, &scores)?)?;
/// assert!((calibration_slope(&ranking)? - 0.713385798262).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
pub fn calibration_slope(ranking: &Ranking) -> Value {
    Ok(recalibration(ranking)?.slope)
}

fn influence(ranking: &Ranking, _: f64) -> Result<Influence<'_>, Undefined> {
    slope_influence(ranking)
}

/// The sandwich standard error with Student's t on the rarer class; none where probabilities of 0 and 1 decide.
fn interval(sampled: &Sampled<'_>, Estimate { value, .. }: Estimate) -> Result<Interval, NoInterval> {
    if CertainRows::of(sampled.ranking).hide_mistakes() {
        return Err(NoInterval::FewCertainMistakes);
    }
    let [p, m] = sampled.classes()?.effective;
    let quantile = sampled.level.t(p.min(m) - 1.0);
    Ok(sandwich_interval(sampled, value, slope_influence, quantile)?)
}
