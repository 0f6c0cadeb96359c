//! Precision at every tenth of recall.

use super::{Better, Compute, Spread, metric};
use crate::curves::mean_interpolated_precision;
use crate::ranking::Ranking;
use crate::undefined::Value;

metric! {
    METRIC = "eleven_point_average_precision", "eleven-point average precision", Ranking;
    definition: "mean of the interpolated precision max{P : R >= r} at r = 0, 0.1, .., 1";
    undefined when: "there are no positives";
    range: 0.0, 1.0; better: Better::Higher;
    reference: "Witten and Frank 2005";
    compute: Compute::Ranking(eleven_point_average_precision);
    interval: Spread::CorrectedBootstrap;
}

/// eleven-point average precision; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Ranking, ScoredSet, metrics::eleven_point_average_precision};
///
/// let truth = [true, true, false, true, false, true, false, false, true, false];
/// let scores = [0.9, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.4, 0.3, 0.1];
/// let ranking = Ranking::of(&ScoredSet::new(&truth, &scores)?)?;
/// assert!((eleven_point_average_precision(&ranking)? - 0.750360750).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
pub fn eleven_point_average_precision(ranking: &Ranking) -> Value {
    let recalls: [f64; 11] = std::array::from_fn(|tenth| tenth as f64 / 10.0);
    mean_interpolated_precision(ranking, &recalls)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::{close, table_5_6, tied};

    #[test]
    fn golden() {
        close(eleven_point_average_precision(&table_5_6()), 0.811020765);
        close(eleven_point_average_precision(&tied()), 0.750360750);
    }
}
