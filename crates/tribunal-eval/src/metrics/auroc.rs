//! The chance that a positive outranks a negative, ties counting one half.

use super::{Better, Compute, Spread, metric};
use crate::ranking::Ranking;
use crate::undefined::Value;

metric! {
    METRIC = "auroc", "area under the ROC curve", Ranking;
    definition: "trapezoid under the ROC curve = (1/PM) sum over pairs of [s+ > s-] + 0.5 [s+ = s-] (Mann-Whitney)";
    undefined when: "a class is absent";
    range: 0.0, 1.0; better: Better::Higher;
    reference: "Hanley and McNeil 1982; Fawcett 2006";
    compute: Compute::Ranking(auroc);
    interval: Spread::Auroc { offset: 0.0, factor: 1.0 };
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
