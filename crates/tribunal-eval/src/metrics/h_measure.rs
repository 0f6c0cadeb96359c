//! The H-measure: loss saved on average over the cost ratios that one expects.

use super::{Better, Compute, Spread, metric};
use crate::curves::Hull;
use crate::ranking::Ranking;
use crate::sum::Sum;
use crate::undefined::Value;
use tribunal_tails::{UnitPoint, incomplete_beta};

metric! {
    METRIC = "h_measure", "H-measure", Ranking;
    definition: "1 - L / Lmax: expected minimum loss on the ROC hull, relative to that of a constant classifier, over the share c of the cost that falls on false positives, c ~ Beta(2, 1 + p(-)/p(+))";
    undefined when: "a class is absent";
    range: 0.0, 1.0; better: Better::Higher;
    reference: "Hand 2009; Hand and Anagnostopoulos 2014";
    compute: Compute::Ranking(h_measure);
    interval: Spread::CorrectedBootstrap;
}

/// H-measure; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Ranking, ScoredSet, metrics::h_measure};
///
/// let perfect = Ranking::of(&ScoredSet::new(&[true, false], &[0.9, 0.1])?)?;
/// assert!((h_measure(&perfect)? - 1.0).abs() < 1e-12);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
pub fn h_measure(ranking: &Ranking) -> Value {
    let totals = ranking.both_classes()?;
    let base_rate = totals.positive / totals.total();
    let prior = CostPrior { base_rate, a: 2.0, b: 1.0 + totals.negative / totals.positive };
    let hull = Hull::of_ranking(ranking)?;
    let vertices = hull.vertices();
    // A vertex is best while c lies between the values at which its two edges become level with it.
    let mut loss = Sum::default();
    let mut high = 1.0;
    for (index, at) in vertices.iter().enumerate() {
        let low = vertices.get(index + 1).map_or(0.0, |next| {
            let (gain, price) = (base_rate * (next.tpr - at.tpr), (1.0 - base_rate) * (next.fpr - at.fpr));
            gain / (gain + price)
        });
        loss.add(prior.loss(at.fpr, at.tpr, low, high));
        high = low;
    }
    let constant = prior.loss(1.0, 1.0, 0.0, base_rate) + prior.loss(0.0, 0.0, base_rate, 1.0);
    Ok((1.0 - loss.value() / constant).clamp(0.0, 1.0))
}

/// How likely each division of the cost is thought to be.
struct CostPrior {
    base_rate: f64,
    a: f64,
    b: f64,
}

impl CostPrior {
    /// Expected loss of an operating point over the costs from `low` to `high`.
    fn loss(&self, fpr: f64, tpr: f64, low: f64, high: f64) -> f64 {
        let (a, b) = (self.a, self.b);
        let between = |a: f64, b: f64| {
            let below = |c: f64| incomplete_beta(a, b, UnitPoint { x: c, complement: 1.0 - c });
            below(high) - below(low)
        };
        let false_positive = a / (a + b) * between(a + 1.0, b);
        let false_negative = b / (a + b) * between(a, b + 1.0);
        (1.0 - self.base_rate) * fpr * false_positive + self.base_rate * (1.0 - tpr) * false_negative
    }
}
