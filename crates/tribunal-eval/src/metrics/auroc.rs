//! The chance that a positive outranks a negative, ties counting one half.

use super::{Better, Compute, Estimate, Spread, metric};
use crate::influence::{ClassValues, Influence, class_shares};
use crate::intervals::{Interval, IntervalMethod, NoInterval, Sampled};
use crate::ranking::{BlockRows, Ranking};
use crate::undefined::{Undefined, Value};

metric! {
    METRIC = "auroc", "area under the ROC curve", Ranking;
    definition: "trapezoid under the ROC curve = (1/PM) sum over pairs of [s+ > s-] + 0.5 [s+ = s-] (Mann-Whitney)";
    undefined when: "a class is absent";
    range: 0.0, 1.0; better: Better::Higher;
    reference: "Hanley and McNeil 1982; Fawcett 2006";
    compute: Compute::Ranking(auroc);
    interval: Spread::Influence { influence, interval };
}

/// area under the ROC curve; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Ranking, ScoredSet, metrics::auroc};
///
/// let truth = [true, true, false, true, false, true, false, false, true, false];
/// let scores = [0.9, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.4, 0.3, 0.1];
/// let ranking = Ranking::of(&ScoredSet::new(&truth, &scores)?)?;
/// assert!((auroc(&ranking)? - 0.7).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
pub fn auroc(ranking: &Ranking) -> Value {
    let totals = ranking.both_classes()?;
    Ok(ranking.twice_pairs_won() / (2.0 * totals.positive * totals.negative))
}

/// Placements: a positive moves the area by the share of negatives that it outranks, and the other way round.
pub(super) fn influence(ranking: &Ranking, _: f64) -> Result<Influence<'_>, Undefined> {
    let (area, totals) = (auroc(ranking)?, ranking.totals());
    let shares = class_shares(totals);
    Ok(Influence::Blocks(Box::new(move |block: &BlockRows| {
        let beaten = 1.0 - (block.above.negative + block.through.negative) / (2.0 * totals.negative);
        let beaten_by = (block.above.positive + block.through.positive) / (2.0 * totals.positive);
        ClassValues {
            positive: (beaten - area) / shares.positive,
            negative: (beaten_by - area) / shares.negative,
        }
    })))
}

/// Wilson's interval on as many cases as vary alike, with Student's t.
pub(super) fn interval(
    sampled: &Sampled<'_>,
    Estimate { value, .. }: Estimate,
) -> Result<Interval, NoInterval> {
    area_interval(sampled, value, |ranking| influence(ranking, 0.0))
}

/// The interval of an area between 0 and 1.
pub(super) fn area_interval(
    sampled: &Sampled<'_>,
    area: f64,
    influence: impl for<'r> Fn(&'r Ranking) -> Result<Influence<'r>, Undefined>,
) -> Result<Interval, NoInterval> {
    let (level, classes) = (sampled.level, sampled.classes()?.effective);
    let variance = sampled.variance(influence)?;
    let rarer = classes[0].min(classes[1]);
    let n = level.effective(area, variance.total, 3.0 * rarer);
    let df = if variance.vanishes(1.0) { rarer - 1.0 } else { variance.satterthwaite_df };
    let interval = level.wilson(area, n, level.t(df));
    Ok(Interval { method: IntervalMethod::EffectiveWilson, ..interval })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::{close, second, table_5_6, tied};

    #[test]
    fn golden() {
        close(auroc(&table_5_6()), 49.0 / 78.0);
        close(auroc(&tied()), 0.7);
        close(auroc(&second()), 0.8125);
    }
}
