//! Twice the area between the ROC curve and the diagonal.

use super::{Better, Compute, Estimate, Spread, auroc, metric};
use crate::influence::Influence;
use crate::intervals::{Interval, NoInterval, Sampled};
use crate::ranking::Ranking;
use crate::undefined::{Undefined, Value};

metric! {
    METRIC = "gini", "Gini coefficient", Ranking;
    definition: "2 AUROC - 1";
    undefined when: "a class is absent";
    range: -1.0, 1.0; better: Better::Higher;
    reference: "Hand and Till 2001";
    compute: Compute::Ranking(gini);
    interval: Spread::Influence { influence, interval };
}

/// Gini coefficient; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Ranking, ScoredSet, metrics::gini};
///
/// let truth = [true, true, false, true, false, true, false, false, true, false];
/// let scores = [0.9, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.4, 0.3, 0.1];
/// let ranking = Ranking::of(&ScoredSet::new(&truth, &scores)?)?;
/// assert!((gini(&ranking)? - 0.4).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
pub fn gini(ranking: &Ranking) -> Value {
    Ok(2.0 * auroc(ranking)? - 1.0)
}

fn influence(ranking: &Ranking, _: f64) -> Result<Influence<'_>, Undefined> {
    Ok(auroc::influence(ranking, 0.0)?.times(2.0))
}

/// That of the AUROC, on the scale of the Gini coefficient.
fn interval(sampled: &Sampled<'_>, Estimate { value, .. }: Estimate) -> Result<Interval, NoInterval> {
    let area = (value + 1.0) / 2.0;
    let interval = auroc::area_interval(sampled, area, |ranking| auroc::influence(ranking, 0.0))?;
    Ok(interval.mapped(|end| 2.0 * end - 1.0))
}
