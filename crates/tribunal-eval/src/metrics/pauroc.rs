//! The area where few negatives are flagged, on a scale on which 0.5 is chance and 1 is perfect.

use super::{Better, Compute, Estimate, Parameter, Spread, auroc, metric};
use crate::influence::{ClassValues, Influence, class_shares};
use crate::intervals::{Interval, NoInterval, Sampled};
use crate::ranking::{BlockRows, Ranking, Split};
use crate::sum::Sum;
use crate::undefined::{Undefined, Value};

metric! {
    METRIC = "pauroc@F", "partial AUROC", Ranking;
    definition: "area A under the ROC curve for FPR <= F, standardised: (1 + (A - F^2/2) / (F - F^2/2)) / 2";
    undefined when: "a class is absent";
    range: 0.0, 1.0; better: Better::Higher;
    reference: "McClish 1989";
    compute: Compute::RankingWith(Parameter::up_to("F", 1.0), pauroc);
    interval: Spread::Influence { influence, interval };
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
    Ok(standardised(partial_area(ranking, max_fpr)?, max_fpr))
}

/// The area on McClish's scale.
fn standardised(area: f64, max_fpr: f64) -> f64 {
    let chance = max_fpr * max_fpr / 2.0;
    (1.0 + (area - chance) / (max_fpr - chance)) / 2.0
}

/// The area under the ROC curve where the false-positive rate is at most `max_fpr`.
fn partial_area(ranking: &Ranking, max_fpr: f64) -> Value {
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
    Ok(area.value() / (totals.positive * totals.negative))
}

/// The influence function of the area divided by `max_fpr`.
fn of_mean_height(ranking: &Ranking, max_fpr: f64) -> Result<Influence<'_>, Undefined> {
    let (area, totals) = (partial_area(ranking, max_fpr)?, ranking.totals());
    let shares = class_shares(totals);
    let edge = max_fpr * totals.negative;
    // Which part of a block lies before the edge.
    let inside = move |above: Split, through: Split| {
        let own = through.negative - above.negative;
        match own > 0.0 {
            true => ((edge - above.negative) / own).clamp(0.0, 1.0),
            // Sums of weights may miss the edge by rounding.
            false => f64::from(above.negative <= edge + 1e-12 * totals.negative),
        }
    };
    // The true-positive rate at the edge.
    let found =
        ranking.sum_blocks(|above, through| (through.positive - above.positive) * inside(above, through));
    let at_edge = found / totals.positive;
    Ok(Influence::Blocks(Box::new(move |block: &BlockRows| {
        let (above, through) = (block.above, block.through);
        let own = Split {
            positive: through.positive - above.positive,
            negative: through.negative - above.negative,
        };
        let m = inside(above, through);
        let width = m * (edge - above.negative - m * own.negative / 2.0) / totals.negative;
        let height = m * ((above.positive + m * own.positive / 2.0) / totals.positive - at_edge);
        ClassValues {
            positive: (width - area) / (shares.positive * max_fpr),
            negative: (height - (area - max_fpr * at_edge)) / (shares.negative * max_fpr),
        }
    })))
}

fn influence(ranking: &Ranking, max_fpr: f64) -> Result<Influence<'_>, Undefined> {
    let slope = standardised(max_fpr, max_fpr) - standardised(0.0, max_fpr);
    Ok(of_mean_height(ranking, max_fpr)?.times(slope))
}

/// That of the mean height of the curve, on McClish's scale.
fn interval(sampled: &Sampled<'_>, estimate: Estimate) -> Result<Interval, NoInterval> {
    let max_fpr = estimate.parameter;
    let (lowest, highest) = (standardised(0.0, max_fpr), standardised(max_fpr, max_fpr));
    let height = (estimate.value - lowest) / (highest - lowest);
    let interval = auroc::area_interval(sampled, height, |ranking| of_mean_height(ranking, max_fpr))?;
    Ok(interval.mapped(|end| standardised(end * max_fpr, max_fpr)))
}
