//! The precision-recall curve, and interpolated precision: the best precision that still reaches a recall.

use super::{Curve, CurveKind};
use crate::ranking::Ranking;
use crate::undefined::{Undefined, Value};

/// The precision-recall curve with the threshold of every point: [`Curve::with_thresholds`] of [`CurveKind::PrecisionRecall`].
pub fn precision_recall_curve(ranking: &Ranking) -> Result<Curve, Undefined> {
    Curve::with_thresholds(CurveKind::PrecisionRecall, ranking)
}

/// Mean of `max {P : R >= r}` over ascending recalls `r`. Sums of weights round, so a recall that falls short of `r` by
/// rounding alone reaches it.
pub(crate) fn mean_interpolated_precision(ranking: &Ranking, recalls: &[f64]) -> Value {
    let positives = ranking.totals().positive;
    if positives <= 0.0 {
        return Err(Undefined::NoPositives);
    }
    let (mut sum, mut best) = (0.0, 0.0_f64);
    let mut ends = ranking.path().rev().peekable();
    for &recall in recalls.iter().rev() {
        let reached = recall * (1.0 - 1e-12);
        while let Some(above) = ends.next_if(|above| above.positive / positives >= reached) {
            best = best.max(above.positive / above.total());
        }
        sum += best;
    }
    Ok(sum / recalls.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ScoredSet;

    #[test]
    fn equal_weights_change_no_interpolated_precision() {
        let truth = [true, false, true, false, true, false, false, true, false, true];
        let scores = [1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1];
        for weight in [0.1, 0.3, 0.7, 1.0, 3.3] {
            let weights = [weight; 10];
            let set =
                ScoredSet::new(&truth, &scores).and_then(|set| set.with_weight(&weights)).expect("valid");
            let ranking = Ranking::of(&set).expect("few rows");
            let found = mean_interpolated_precision(&ranking, &[0.2, 0.5, 0.8]).expect("positives");
            assert!((found - 0.7).abs() < 1e-12, "{weight}: {found}");
        }
    }
}
