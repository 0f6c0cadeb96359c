//! Twice the area between the ROC curve and the diagonal.

use super::{Better, Compute, Spread, auroc, metric};
use crate::ranking::Ranking;
use crate::undefined::Value;

metric! {
    METRIC = "gini", "Gini coefficient", Ranking;
    definition: "2 AUROC - 1";
    undefined when: "a class is absent";
    range: -1.0, 1.0; better: Better::Higher;
    reference: "Hand and Till 2001";
    compute: Compute::Ranking(gini);
    interval: Spread::Auroc { offset: -1.0, factor: 2.0 };
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
