//! How many times more positives the first N cases hold than N cases picked at random.

use super::{Better, Compute, Estimate, Parameter, Spread, cph, metric, precision_top};
use crate::influence::Influence;
use crate::intervals::{Interval, NoInterval, Sampled};
use crate::ranking::Ranking;
use crate::undefined::{Undefined, Value};

metric! {
    METRIC = "lift_top@N", "lift factor of the top N", Ranking;
    definition: "(h / N) / (base rate), where h is the expected number of positives among the top N, ties in random order; in a fold the same share as N of the whole list";
    undefined when: "there are fewer than N cases or no positives";
    range: 0.0, f64::INFINITY; better: Better::Higher;
    reference: "Witten and Frank 2005";
    compute: Compute::RankingWith(Parameter::cases("N"), lift_top);
    interval: Spread::Influence { influence, interval };
}

/// lift factor of the top N; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Ranking, ScoredSet, metrics::lift_top};
///
/// let truth = [true, true, false, true, false, true, false, false, true, false];
/// let scores = [0.9, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.4, 0.3, 0.1];
/// let ranking = Ranking::of(&ScoredSet::new(&truth, &scores)?)?;
/// assert!((lift_top(&ranking, 4.0)? - 1.5).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
pub fn lift_top(ranking: &Ranking, count: f64) -> Value {
    let base_rate = ranking.base_rate()?;
    if base_rate <= 0.0 {
        return Err(Undefined::NoPositives);
    }
    Ok(precision_top(ranking, count)? / base_rate)
}

fn influence(ranking: &Ranking, count: f64) -> Result<Influence<'_>, Undefined> {
    let share = count / ranking.totals().total();
    Ok(cph::influence(ranking, share)?.times(1.0 / share))
}

/// That of the CPH of the list, divided by its share of all cases.
fn interval(
    sampled: &Sampled<'_>,
    Estimate { parameter: count, .. }: Estimate,
) -> Result<Interval, NoInterval> {
    let share = (count / sampled.ranking.totals().total()).min(1.0);
    Ok(cph::interval(sampled, share)?.mapped(|end| end / share))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::{close, table_5_6};

    #[test]
    fn golden() {
        close(lift_top(&table_5_6(), 3.0), 0.974358974);
        close(lift_top(&table_5_6(), 10.0), 1.169230769);
        close(lift_top(&table_5_6(), 19.0), 1.0);
    }
}
