//! Precision at low, middle and high recall.

use super::{Better, Compute, Spread, metric};
use crate::curves::mean_interpolated_precision;
use crate::ranking::Ranking;
use crate::undefined::Value;

metric! {
    METRIC = "three_point_average_precision", "three-point average precision", Ranking;
    definition: "mean of the interpolated precision max{P : R >= r} at r = 0.2, 0.5, 0.8";
    undefined when: "there are no positives";
    range: 0.0, 1.0; better: Better::Higher;
    reference: "Witten and Frank 2005";
    compute: Compute::Ranking(three_point_average_precision);
    interval: Spread::CorrectedBootstrap;
}

/// three-point average precision; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Ranking, ScoredSet, metrics::three_point_average_precision};
///
/// let truth = [true, true, false, true, false, true, false, false, true, false];
/// let scores = [0.9, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.4, 0.3, 0.1];
/// let ranking = Ranking::of(&ScoredSet::new(&truth, &scores)?)?;
/// assert!((three_point_average_precision(&ranking)? - 0.773809524).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
pub fn three_point_average_precision(ranking: &Ranking) -> Value {
    mean_interpolated_precision(ranking, &[0.2, 0.5, 0.8])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::{close, table_5_6, tied};

    #[test]
    fn golden() {
        close(three_point_average_precision(&table_5_6()), 0.796825397);
        close(three_point_average_precision(&tied()), 0.773809524);
    }
}
