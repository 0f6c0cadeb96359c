//! The largest distance between the score distributions of the two classes.

use super::{Better, Compute, Spread, metric};
use crate::ranking::{Ranking, Split};
use crate::undefined::Value;

metric! {
    METRIC = "ks", "Kolmogorov-Smirnov distance", Ranking;
    definition: "max over cut-offs of |TPR - FPR|";
    undefined when: "a class is absent";
    range: 0.0, 1.0; better: Better::Higher;
    reference: "Smirnov 1948; Hand 2009";
    compute: Compute::Ranking(ks);
    interval: Spread::CorrectedBootstrap;
}

/// Kolmogorov-Smirnov distance; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Ranking, ScoredSet, metrics::ks};
///
/// let truth = [true, true, false, true, false, true, false, false, true, false];
/// let scores = [0.9, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.4, 0.3, 0.1];
/// let ranking = Ranking::of(&ScoredSet::new(&truth, &scores)?)?;
/// assert!((ks(&ranking)? - 0.4).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
pub fn ks(ranking: &Ranking) -> Value {
    let totals = ranking.both_classes()?;
    let distance = |at: Split, _| (at.positive / totals.positive - at.negative / totals.negative).abs();
    Ok(ranking.best_cut(distance).1)
}
