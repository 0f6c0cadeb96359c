//! The precision-recall curve, and interpolated precision: the best precision that still reaches a recall.

use super::{Curve, CurveKind};
use crate::ranking::Ranking;
use crate::undefined::{Undefined, Value};

/// The precision-recall curve with the threshold of every point: [`Curve::of`] with [`CurveKind::PrecisionRecall`].
pub fn precision_recall_curve(ranking: &Ranking) -> Result<Curve, Undefined> {
    Curve::of(CurveKind::PrecisionRecall, ranking)
}

/// Mean of `max {P : R >= r}` over ascending recalls `r`.
pub(crate) fn mean_interpolated_precision(ranking: &Ranking, recalls: &[f64]) -> Value {
    let positives = ranking.totals().positive;
    if positives <= 0.0 {
        return Err(Undefined::NoPositives);
    }
    let (mut sum, mut best) = (0.0, 0.0_f64);
    let mut ends = ranking.path().rev().peekable();
    for &recall in recalls.iter().rev() {
        while let Some(above) = ends.next_if(|above| above.positive / positives >= recall) {
            best = best.max(above.positive / above.total());
        }
        sum += best;
    }
    Ok(sum / recalls.len() as f64)
}
