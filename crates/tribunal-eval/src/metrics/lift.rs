//! How many times more positives the top of the list holds than a random list of its length.

use super::{Better, Compute, Estimate, Parameter, Spread, cph, metric};
use crate::influence::Influence;
use crate::intervals::{Interval, NoInterval, Sampled};
use crate::ranking::Ranking;
use crate::undefined::{Undefined, Value};

metric! {
    METRIC = "lift@P", "lift", Ranking;
    definition: "CPH(P) / P";
    undefined when: "there are no positives";
    range: 0.0, f64::INFINITY; better: Better::Higher;
    reference: "Piatetsky-Shapiro and Masand 1999";
    compute: Compute::RankingWith(Parameter::up_to("P", 1.0), lift);
    interval: Spread::Influence { influence, interval };
}

/// lift; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Ranking, ScoredSet, metrics::lift};
///
/// let truth = [true, true, false, true, false, true, false, false, true, false];
/// let scores = [0.9, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.4, 0.3, 0.1];
/// let ranking = Ranking::of(&ScoredSet::new(&truth, &scores)?)?;
/// assert!((lift(&ranking, 0.25)? - 1.4).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
pub fn lift(ranking: &Ranking, share: f64) -> Value {
    Ok(cph(ranking, share)? / share)
}

fn influence(ranking: &Ranking, share: f64) -> Result<Influence<'_>, Undefined> {
    Ok(cph::influence(ranking, share)?.times(1.0 / share))
}

/// That of the CPH, divided by the share.
fn interval(
    sampled: &Sampled<'_>,
    Estimate { parameter: share, .. }: Estimate,
) -> Result<Interval, NoInterval> {
    Ok(cph::interval(sampled, share)?.mapped(|end| end / share))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::{close, table_5_6};

    #[test]
    fn golden() {
        let expected =
            [(0.05, 1.461538462), (0.1, 1.115384615), (0.25, 1.153846154), (0.5, 1.153846154), (1.0, 1.0)];
        for (share, lift_at) in expected {
            close(lift(&table_5_6(), share), lift_at);
        }
    }
}
