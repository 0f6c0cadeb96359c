//! Share of positives among the first N cases of the list: what N investigations will find.

use super::{Better, Compute, Parameter, Spread, cph, metric};
use crate::influence::{BaseRate, Influence, ListCut};
use crate::intervals::{Interval, NoInterval, Sampled};
use crate::ranking::Ranking;
use crate::undefined::{Undefined, Value};

metric! {
    METRIC = "precision_top@N", "success proportion of the top N", Ranking;
    definition: "h / N, where h is the expected number of positives among the top N, ties in random order; in a fold the same share as N of the whole list";
    undefined when: "there are fewer than N cases";
    range: 0.0, 1.0; better: Better::Higher;
    reference: "Witten and Frank 2005";
    compute: Compute::RankingWith(Parameter::cases("N"), precision_top);
    interval: Spread::Influence { influence, interval: |sampled, estimate| interval(sampled, estimate.parameter) };
}

/// success proportion of the top N; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Ranking, ScoredSet, metrics::precision_top};
///
/// let truth = [true, true, false, true, false, true, false, false, true, false];
/// let scores = [0.9, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.4, 0.3, 0.1];
/// let ranking = Ranking::of(&ScoredSet::new(&truth, &scores)?)?;
/// assert!((precision_top(&ranking, 4.0)? - 0.75).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
pub fn precision_top(ranking: &Ranking, count: f64) -> Value {
    let available = ranking.totals().total();
    if available < count {
        return Err(Undefined::TooFewRows { asked: count, available });
    }
    Ok(ranking.top(count).positive / count)
}

fn influence(ranking: &Ranking, count: f64) -> Result<Influence<'_>, Undefined> {
    let cut = ListCut::at(ranking, count)?;
    Ok(cut.influence(1.0 / cut.share, 0.0))
}

/// Wilson's interval on as many cases as vary alike, its ends moved out where a few cases decide.
pub(crate) fn interval(sampled: &Sampled<'_>, count: f64) -> Result<Interval, NoInterval> {
    precision_top(sampled.ranking, count)?;
    sampled.classes()?;
    let cut = ListCut::judged(sampled.ranking, count)?;
    let variance = sampled.variance_at_cut(&cut.influence(1.0 / cut.share, 0.0))?.total;
    let precision = (cut.hits / cut.share).clamp(0.0, 1.0);
    if sampled.base_rate == BaseRate::Fixed && cut.base_rate <= cut.share && cut.share < 1.0 {
        // The two are then multiples of each other, and the list may hold all positives.
        let found = cph::interval(sampled, cut.share)?;
        return Ok(found.mapped(|end| end * cut.base_rate / cut.share).holding(precision));
    }
    let n = sampled.level.effective(precision, variance, cut.n_cases);
    Ok(sampled.level.edge_wilson(precision, n))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::{close, table_5_6};

    #[test]
    fn golden() {
        close(precision_top(&table_5_6(), 1.0), 1.0);
        close(precision_top(&table_5_6(), 3.0), 2.0 / 3.0);
        close(precision_top(&table_5_6(), 10.0), 0.8);
    }
}
