//! The largest distance between the score distributions of the two classes.

use super::{Better, Compute, Estimate, Spread, metric};
use crate::confusion::Confusion;
use crate::intervals::{Correction, Interval, IntervalMethod, NoInterval, Optimism, Sampled};
use crate::ranking::{Ranking, Split};
use crate::undefined::Value;

metric! {
    METRIC = "ks", "Kolmogorov-Smirnov distance", Ranking;
    definition: "max over cut-offs of |TPR - FPR|";
    undefined when: "a class is absent";
    range: 0.0, 1.0; better: Better::Higher;
    reference: "Smirnov 1948; Hand 2009";
    compute: Compute::Ranking(ks);
    interval: Spread::Formula(interval);
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

/// Distances that differ by less are equal.
const ROUNDING: f64 = 1e-12;

/// The two rates at the cut less what the choice of the cut adds, with edge-corrected Wilson intervals whose arms are added as
/// squares; it always holds the distance itself.
fn interval(
    sampled: &Sampled<'_>,
    Estimate { value: distance, .. }: Estimate,
) -> Result<Interval, NoInterval> {
    let (ranking, level) = (sampled.ranking, sampled.level);
    let classes = sampled.classes()?;
    let totals = ranking.totals();
    let rates = |at: Split| (at.positive / totals.positive, at.negative / totals.negative);
    let apart = |at: Split| {
        let (tpr, fpr) = rates(at);
        (tpr - fpr).abs()
    };
    // Of equal optima the highest cut; rounding of weights must not choose among them.
    let is_best = |at: Split| apart(at) >= distance * (1.0 - ROUNDING);
    let n_blocks = if distance > ROUNDING { 1 + ranking.find_block(is_best).unwrap_or(0) } else { 0 };
    let flagged = ranking.through(n_blocks);
    let cells = Confusion::of(ranking, flagged);
    let (tpr, fpr) = rates(flagged);
    // Where negatives rank higher the list is read from its end.
    let cells = if tpr >= fpr {
        cells
    } else {
        Confusion { tp: cells.fn_, fn_: cells.tp, fp: cells.tn, tn: cells.fp }
    };
    let optimism = Optimism::of_distance(ranking, n_blocks, &cells).ok_or(NoInterval::FewCases)?;
    let corrected = optimism.corrected(&cells, Correction::BestAttainable);
    let t = corrected.tp / corrected.positives();
    let f = corrected.fp / corrected.negatives();
    let of_t = level.edge_wilson(t, classes.effective[0]);
    let of_f = level.edge_wilson(f, classes.effective[1]);
    let lower = (t - f - (t - of_t.lower).hypot(of_f.upper - f)).clamp(0.0, 1.0);
    let upper = (t - f + (of_t.upper - t).hypot(f - of_f.lower)).clamp(0.0, 1.0);
    Ok(Interval { lower, upper, level, method: IntervalMethod::SquareAndAdd }.holding(distance))
}
