//! The area where few negatives are flagged, on a scale on which 0.5 is chance and 1 is perfect.

use super::{Better, Compute, Parameter, metric};
use crate::ranking::{Ranking, Split};
use crate::sum::Sum;
use crate::undefined::Value;

metric! {
    METRIC = "pauroc@F", "partial AUROC", Ranking;
    definition: "area A under the ROC curve for FPR <= F, standardised: (1 + (A - F^2/2) / (F - F^2/2)) / 2";
    undefined when: "a class is absent";
    range: 0.0, 1.0; better: Better::Higher;
    reference: "McClish 1989";
    compute: Compute::RankingWith(Parameter::up_to("F", 1.0), pauroc);
}

/// partial AUROC; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Ranking, ScoredSet, metrics::pauroc};
///
/// let truth = [true, true, false, true, false, true, false, false, true, false];
/// let scores = [0.9, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.4, 0.3, 0.1];
/// let ranking = Ranking::of(&ScoredSet::new(&truth, &scores)?)?;
/// assert!((pauroc(&ranking, 0.2)? - 0.611111111111).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
pub fn pauroc(ranking: &Ranking, max_fpr: f64) -> Value {
    let totals = ranking.both_classes()?;
    let edge = max_fpr * totals.negative;
    let (mut area, mut before) = (Sum::default(), Split::default());
    for at in ranking.path() {
        let width = at.negative - before.negative;
        let inside = (edge - before.negative).clamp(0.0, width);
        if inside > 0.0 {
            // The height where the edge cuts the segment; the whole segment where it does not.
            let height = before.positive + (at.positive - before.positive) * inside / width;
            area.add(inside * (before.positive + height) / 2.0);
        }
        if at.negative >= edge {
            break;
        }
        before = at;
    }
    let area = area.value() / (totals.positive * totals.negative);
    let chance = max_fpr * max_fpr / 2.0;
    Ok((1.0 + (area - chance) / (max_fpr - chance)) / 2.0)
}
