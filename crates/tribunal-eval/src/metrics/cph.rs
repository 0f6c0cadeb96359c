//! CPH: the share of all positives that the top of the list holds. Not to be confused with lift.

use super::{Better, Compute, Parameter, metric};
use crate::ranking::Ranking;
use crate::undefined::{Undefined, Value};

metric! {
    METRIC = "cph@P", "cumulative percentage of hits", Ranking;
    definition: "share of the positives in the top share P of the list, ties in random order";
    undefined when: "there are no positives";
    range: 0.0, 1.0; better: Better::Higher;
    reference: "Piatetsky-Shapiro and Masand 1999; Witten and Frank 2005 call its chart the lift chart";
    compute: Compute::RankingWith(Parameter::up_to("P", 1.0), cph);
}

/// cumulative percentage of hits; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Ranking, ScoredSet, metrics::cph};
///
/// let truth = [true, true, false, true, false, true, false, false, true, false];
/// let scores = [0.9, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.4, 0.3, 0.1];
/// let ranking = Ranking::of(&ScoredSet::new(&truth, &scores)?)?;
/// assert!((cph(&ranking, 0.25)? - 0.35).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
pub fn cph(ranking: &Ranking, share: f64) -> Value {
    let totals = ranking.totals();
    if totals.positive <= 0.0 {
        return Err(Undefined::NoPositives);
    }
    Ok(ranking.top(share * totals.total()).positive / totals.positive)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::{close, table_5_6, tied};

    #[test]
    fn golden() {
        for (share, expected) in
            [(0.05, 0.073076923), (0.1, 0.111538462), (0.25, 0.288461538), (0.5, 0.576923077)]
        {
            close(cph(&table_5_6(), share), expected);
        }
        for (share, expected) in [(0.05, 0.1), (0.1, 0.2), (0.25, 0.35), (0.5, 0.666666667)] {
            close(cph(&tied(), share), expected);
        }
    }
}
