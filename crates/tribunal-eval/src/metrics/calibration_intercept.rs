//! Whether probabilities are too low (above 0) or too high (below 0) on the whole, in log-odds.

use super::{Better, Compute, Estimate, Spread, metric};
use crate::certain::CertainRows;
use crate::influence::Influence;
use crate::intervals::{Interval, NoInterval, Sampled};
use crate::ranking::Ranking;
use crate::recalibration::{calibration_in_the_large, intercept_influence, sandwich_interval};
use crate::undefined::{Undefined, Value};

metric! {
    METRIC = "calibration_intercept", "calibration in the large", Probability;
    definition: "intercept of the logistic regression of the truth with offset logit(p), p clipped to [1e-15, 1 - 1e-15]";
    undefined when: "the scores are not probabilities or a class is absent";
    range: f64::NEG_INFINITY, f64::INFINITY; better: Better::Near(0.0);
    reference: "Cox 1958; Steyerberg 2009";
    compute: Compute::Ranking(calibration_intercept);
    interval: Spread::Influence { influence, interval };
}

/// calibration in the large; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Ranking, ScoredSet, metrics::calibration_intercept};
///
/// let truth = [true, true, false, true, false, true, false, false, true, false];
/// let scores = [0.9, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.4, 0.3, 0.1];
/// let ranking = Ranking::of(&ScoredSet::new(&truth, &scores)?)?;
/// assert!((calibration_intercept(&ranking)? - (-0.415304676807)).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
pub fn calibration_intercept(ranking: &Ranking) -> Value {
    calibration_in_the_large(ranking)
}

fn influence(ranking: &Ranking, _: f64) -> Result<Influence<'_>, Undefined> {
    intercept_influence(ranking)
}

/// The sandwich standard error; none where probabilities of 0 and 1 decide.
fn interval(sampled: &Sampled<'_>, Estimate { value, .. }: Estimate) -> Result<Interval, NoInterval> {
    sampled.classes()?;
    if CertainRows::of(sampled.ranking).hide_mistakes() {
        return Err(NoInterval::FewCertainMistakes);
    }
    Ok(sandwich_interval(sampled, value, intercept_influence, sampled.level.z())?)
}
