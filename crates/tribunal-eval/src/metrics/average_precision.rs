//! Precision averaged over the recall that it buys.

use super::{Better, Compute, metric};
use crate::ranking::Ranking;
use crate::undefined::{Undefined, Value};

metric! {
    METRIC = "average_precision", "average precision", Ranking;
    definition: "sum over distinct scores of (R_n - R_(n-1)) P_n, without interpolation";
    undefined when: "there are no positives";
    range: 0.0, 1.0; better: Better::Higher;
    reference: "Manning, Raghavan and Schutze 2008";
    compute: Compute::Ranking(average_precision);
}

/// average precision; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Ranking, ScoredSet, metrics::average_precision};
///
/// let truth = [true, true, false, true, false, true, false, false, true, false];
/// let scores = [0.9, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.4, 0.3, 0.1];
/// let ranking = Ranking::of(&ScoredSet::new(&truth, &scores)?)?;
/// assert!((average_precision(&ranking)? - 0.708730159).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
pub fn average_precision(ranking: &Ranking) -> Value {
    let totals = ranking.totals();
    if totals.positive <= 0.0 {
        return Err(Undefined::NoPositives);
    }
    let sum = ranking.sum_hits(|gained, through| gained * through.positive / through.total());
    Ok(sum / totals.positive)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::{close, table_5_6, tied};
    use crate::scored_set::ScoredSet;

    #[test]
    fn golden() {
        close(average_precision(&table_5_6()), 0.779044432057);
        close(average_precision(&tied()), 0.708730159);
    }

    #[test]
    fn blocks_without_positives_may_be_passed_over() {
        let mixed = |row: u64| row.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        let truth: Vec<bool> = (0..600_000).map(|row| mixed(row) % 10 == 0).collect();
        let score: Vec<f64> = (0..600_000).map(|row| mixed(row + 7) as f64).collect();
        let ranking = Ranking::of(&ScoredSet::new(&truth, &score).expect("finite")).expect("few rows");
        let sum = ranking.sum_blocks(|above, through| {
            (through.positive - above.positive) * through.positive / through.total()
        });
        assert_eq!(average_precision(&ranking), Ok(sum / ranking.totals().positive));
    }
}
