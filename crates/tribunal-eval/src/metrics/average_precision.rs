//! Precision averaged over the recall that it buys.

use super::{Better, Compute, Estimate, Spread, metric};
use crate::influence::{ClassValues, Influence};
use crate::intervals::{Interval, IntervalMethod, NoInterval, Sampled};
use crate::ranking::{BlockRows, Ranking};
use crate::undefined::{Undefined, Value};

metric! {
    METRIC = "average_precision", "average precision", Ranking;
    definition: "sum over distinct scores of (R_n - R_(n-1)) P_n, without interpolation";
    undefined when: "there are no positives";
    range: 0.0, 1.0; better: Better::Higher;
    reference: "Manning, Raghavan and Schutze 2008";
    compute: Compute::Ranking(average_precision);
    interval: Spread::Influence { influence, interval };
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

/// Below so many positives the logit scale is too steep.
const FEW_POSITIVES: f64 = 10.0;

/// A case moves the precision at every block below it too.
fn influence(ranking: &Ranking, _: f64) -> Result<Influence<'_>, Undefined> {
    let (value, base_rate) = (average_precision(ranking)?, ranking.base_rate()?);
    // What the blocks below those with so many entries of positives add: positives over cases, and times precision.
    let mut below = vec![[0.0; 2]; ranking.n_positive_entries() + 1];
    let terms = |block: &BlockRows| {
        let hits = (block.through.positive - block.above.positive) / block.through.total();
        [hits, hits * block.through.positive / block.through.total()]
    };
    for block in ranking.block_rows().filter(|block| block.through.positive > block.above.positive) {
        below[block.positive_entries] = terms(&block);
    }
    // Each entry holds its own block's terms first, then the sum of those after it.
    let mut sum = [0.0; 2];
    for entry in below.iter_mut().rev() {
        let own = std::mem::replace(entry, sum);
        sum = [sum[0] + own[0], sum[1] + own[1]];
    }
    Ok(Influence::Blocks(Box::new(move |block: &BlockRows| {
        let precision = block.through.positive / block.through.total();
        let ([own_a, own_b], [a, b]) = (terms(block), below[block.positive_entries]);
        let (a, b) = (a + own_a, b + own_b);
        ClassValues { positive: (precision - value + a - b) / base_rate, negative: -b / base_rate }
    })))
}

/// Student's t on the logit scale; Wilson's interval where positives are few or nothing varies.
fn interval(sampled: &Sampled<'_>, Estimate { value, .. }: Estimate) -> Result<Interval, NoInterval> {
    let (level, [positives, negatives]) = (sampled.level, sampled.classes()?.effective);
    let variance = sampled.variance(|ranking| influence(ranking, 0.0))?;
    let is_unanimous = variance.vanishes(1.0);
    let df = if is_unanimous { positives.min(negatives) - 1.0 } else { variance.kurtosis_df };
    let quantile = level.t(df);
    if positives < FEW_POSITIVES || value >= 1.0 || is_unanimous {
        let n = level.effective(value, variance.total, positives);
        return Ok(Interval { method: IntervalMethod::EffectiveWilson, ..level.wilson(value, n, quantile) });
    }
    Ok(level.on_logits(value, variance.standard_error(), quantile))
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
