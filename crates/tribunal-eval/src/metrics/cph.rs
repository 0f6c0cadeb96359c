//! CPH: the share of all positives that the top of the list holds. Not to be confused with lift.

use super::{Better, Compute, Parameter, Spread, metric, precision_top};
use crate::influence::{BaseRate, Influence, ListCut};
use crate::intervals::{Interval, IntervalMethod, NoInterval, Sampled};
use crate::ranking::Ranking;
use crate::undefined::{Undefined, Value};

metric! {
    METRIC = "cph@P", "cumulative percentage of hits", Ranking;
    definition: "share of the positives in the top share P of the list, ties in random order";
    undefined when: "there are no positives";
    range: 0.0, 1.0; better: Better::Higher;
    reference: "Piatetsky-Shapiro and Masand 1999; Witten and Frank 2005 call its chart the lift chart";
    compute: Compute::RankingWith(Parameter::up_to("P", 1.0), cph);
    interval: Spread::Influence { influence, interval: |sampled, estimate| interval(sampled, estimate.parameter) };
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

/// Below so many positives no list is worth more cases than there are positives.
const FEW_POSITIVES: f64 = 10.0;

pub(super) fn influence(ranking: &Ranking, share: f64) -> Result<Influence<'_>, Undefined> {
    let cut = ListCut::at(ranking, share * ranking.totals().total())?;
    Ok(influence_at(&cut))
}

/// The list holds a share of the positives, whose number varies too.
fn influence_at(cut: &ListCut) -> Influence<'static> {
    cut.influence(1.0 / cut.base_rate, -cut.hits / (cut.base_rate * cut.base_rate))
}

/// Wilson's interval on as many cases as vary alike; no list can hold more positives than cases.
pub(crate) fn interval(sampled: &Sampled<'_>, share: f64) -> Result<Interval, NoInterval> {
    let (ranking, level) = (sampled.ranking, sampled.level);
    let classes = sampled.classes()?;
    if share >= 1.0 {
        // The whole list holds all positives, whatever the sample.
        return Ok(Interval { lower: 1.0, upper: 1.0, level, method: IntervalMethod::EffectiveWilson });
    }
    let cut = ListCut::judged(ranking, share * ranking.totals().total())?;
    let found = (cut.hits / cut.base_rate).clamp(0.0, 1.0);
    if sampled.base_rate == BaseRate::Fixed && cut.share < cut.base_rate {
        // The two are then multiples of each other, and the list may be full of positives.
        let precision = precision_top::interval(sampled, cut.weight)?;
        return Ok(precision.mapped(|end| end * cut.share / cut.base_rate).holding(found));
    }
    let (positives, precision) = (cut.n_positives, (cut.hits / cut.share).clamp(0.0, 1.0));
    let odds = cut.share / cut.base_rate;
    let of_positives = level.widened(found, positives);
    let smoothing = match odds < 1.0 {
        true => of_positives.min(odds * odds * level.widened(precision, cut.n_cases)),
        // A list longer than there are positives may hold them all, which says little about the next positives.
        false => of_positives,
    };
    let variance = sampled.variance_at_cut(&influence_at(&cut))?.total + smoothing;
    let smoothed = level.smoothed(found, positives);
    let n = smoothed * (1.0 - smoothed) / variance;
    let n = if positives < FEW_POSITIVES { n.min(positives) } else { n };
    let Interval { lower, upper, .. } = level.wilson(found, n, level.z());
    let n_all = classes.n_effective();
    let least_base_rate = match sampled.base_rate {
        BaseRate::Random => level.wilson(cut.base_rate, n_all, level.z()).lower,
        BaseRate::Fixed => cut.base_rate,
    };
    let most = (cut.share / least_base_rate).min(1.0);
    Ok(Interval { lower, upper: upper.min(most).max(found), level, method: IntervalMethod::EffectiveWilson })
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
