//! The area as Viaene and colleagues measured it: the curve sampled at 100 points, then the trapezoid.

use super::{Better, Compute, Estimate, Spread, auroc, metric};
use crate::curves::{sample_roc, trapezoid};
use crate::intervals::{Interval, NoInterval, Sampled};
use crate::ranking::Ranking;
use crate::undefined::Value;

metric! {
    METRIC = "auroc_100", "AUROC of 100 sampled points", Ranking;
    definition: "trapezoid over R(i/99), i = 0..99, where R is the ROC curve; may differ slightly from the exact area";
    undefined when: "a class is absent";
    range: 0.0, 1.0; better: Better::Higher;
    reference: "Viaene, Derrig, Baesens and Dedene 2002";
    compute: Compute::Ranking(auroc_100);
    interval: Spread::Influence { influence: auroc::influence, interval };
}

/// AUROC of 100 sampled points; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Ranking, ScoredSet, metrics::auroc_100};
///
/// let truth = [true, true, false, true, false, true, false, false, true, false];
/// let scores = [0.9, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.4, 0.3, 0.1];
/// let ranking = Ranking::of(&ScoredSet::new(&truth, &scores)?)?;
/// assert!((auroc_100(&ranking)? - 0.699989796959).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
pub fn auroc_100(ranking: &Ranking) -> Value {
    Ok(trapezoid(&sample_roc(ranking)?))
}

/// That of the exact area around the sampled one: they vary alike.
fn interval(sampled: &Sampled<'_>, Estimate { value, .. }: Estimate) -> Result<Interval, NoInterval> {
    auroc::area_interval(sampled, value, |ranking| auroc::influence(ranking, 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::{close, second, table_5_6, tied};

    #[test]
    fn golden() {
        close(auroc_100(&table_5_6()), 0.629370629371);
        close(auroc_100(&tied()), 0.699989796959);
        close(auroc_100(&second()), 0.813131313131);
    }
}
