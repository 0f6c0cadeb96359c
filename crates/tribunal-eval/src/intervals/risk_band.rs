//! Pointwise intervals of the curves of a risk chart.
//!
//! Recall and strike rate have the intervals of [`cph`](mod@crate::metrics::cph) and
//! [`precision_top`](mod@crate::metrics::precision_top). The share of the amount is a ratio of two sums that vary together: its influence
//! function is that of the amount in the list less its share times that of the whole amount.

use serde::{Deserialize, Serialize};

use super::interval::{Interval, IntervalMethod};
use super::sampled::{NoInterval, Sampled};
use crate::influence::{AmountRow, Influence, ListCut, local_mean_amount};
use crate::metrics::{cph, omega_amount::positive_total, precision_top};
use crate::ranking::Ranking;
use crate::undefined::Undefined;

/// Intervals of the three curves at a caseload.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RiskBand {
    /// The caseload: share of the list.
    pub share: f64,
    /// Of the share of the positives in it.
    pub recall: Result<Interval, NoInterval>,
    /// Of the share of positives among its cases.
    pub strike_rate: Result<Interval, NoInterval>,
    /// Of the share of the amount of all cases in it.
    pub amount: Result<Interval, NoInterval>,
}

/// Intervals of recall, strike rate and amount at some caseloads.
///
/// **Definition** recall and strike rate as [`cph@P`](mod@crate::metrics::cph) and
/// [`precision_top@N`](mod@crate::metrics::precision_top) have them. The share of the amount `G/M` has the influence function
/// `(mᵢ (aᵢ - c) - (G - c k) - (G/M) (aᵢ - M)) / M` per case, where `mᵢ` says how likely case `i` is among the first `k`, `aᵢ` is its amount
/// and `c` the mean amount at the cut. Without negative amounts: Wilson's interval on as many cases as vary alike; with them it also
/// holds the one corrected for skewness (Hall 1992). Student's t has the degrees of freedom that the kurtosis leaves.
///
/// **Undefined when** a class has fewer than two cases, the list has fewer than four, amounts are not known row by row or add up to
/// nothing or less. Each curve says so by itself.
///
/// **Example**
/// ```
/// use tribunal_eval::{Ranking, intervals::{Sampled, risk_bands}};
///
/// let truth: Vec<bool> = (0..40).map(|row| row % 4 == 0 || row < 6).collect();
/// let scores: Vec<f64> = (0..40).map(|row| f64::from(40 - row)).collect();
/// let ranking = Ranking::from_scores(&truth, &scores)?;
/// let [band] = &risk_bands(&Sampled::new(&ranking), &[0.25])[..] else { panic!("one caseload") };
/// assert!(band.recall.clone().is_ok_and(|interval| interval.contains(7.0 / 14.0)));
/// assert!(band.strike_rate.clone().is_ok_and(|interval| interval.contains(0.7)));
/// assert_eq!(band.amount.clone().unwrap_err().to_string(), "no interval: the data have no amounts");
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** Hampel (1974); Hall (1992).
pub fn risk_bands(sampled: &Sampled<'_>, shares: &[f64]) -> Vec<RiskBand> {
    let total = sampled.ranking.totals().total();
    let band = |&share: &f64| RiskBand {
        share,
        recall: cph::interval(sampled, share),
        strike_rate: precision_top::interval(sampled, share * total),
        amount: amount_interval(sampled, share),
    };
    shares.iter().map(band).collect()
}

/// The share of the amount in the first `share` of the list, its interval.
fn amount_interval(sampled: &Sampled<'_>, share: f64) -> Result<Interval, NoInterval> {
    let (ranking, level) = (sampled.ranking, sampled.level);
    let rows = sampled.classes()?;
    let order = ranking.amount_order()?;
    let found = amount_share(ranking, share)?;
    if share >= 1.0 {
        // The whole list holds all of it, whatever the sample.
        return Ok(Interval { lower: 1.0, upper: 1.0, level, method: IntervalMethod::EffectiveWilson });
    }
    ListCut::judged(ranking, share * ranking.totals().total())?;
    let variance = sampled.variance_at_cut(&influence(ranking, share)?)?;
    let effective = ranking.effective_amounts().max(1.0);
    let df = if variance.vanishes(1.0) { effective - 1.0 } else { variance.kurtosis_df };
    let quantile = level.t(df);
    let n = level.effective(found.clamp(0.0, 1.0), variance.total, effective);
    let wilson = level.wilson(found, n, quantile);
    if order.has_negative_amounts() {
        let asymmetry = variance.skewness / rows.n_effective().sqrt();
        // Nothing varies where a few cases decide alike; others need not.
        let error = variance.standard_error().max(level.widened(found.clamp(0.0, 1.0), effective).sqrt());
        let skewed = level.on_skewed(found, error, asymmetry, quantile).holding(found);
        return Ok(skewed.holding(wilson.lower).holding(wilson.upper));
    }
    Ok(Interval { method: IntervalMethod::EffectiveWilson, ..wilson })
}

/// The share of the amount in the first `share` of the list.
fn amount_share(ranking: &Ranking, share: f64) -> Result<f64, Undefined> {
    let whole = positive_total(ranking)?;
    Ok(ranking.top_amount_of_everybody(share * ranking.totals().total()) / whole)
}

fn influence(ranking: &Ranking, share: f64) -> Result<Influence<'_>, Undefined> {
    let found = amount_share(ranking, share)?;
    let total = ranking.totals().total();
    let mean = positive_total(ranking)? / total;
    let weight = share * total;
    let local = local_mean_amount(ranking, weight) / mean;
    Ok(Influence::Amounts(Box::new(move |row: &AmountRow| {
        let own = row.weight_through - row.weight_above;
        let within = ((weight - row.weight_above) / own).clamp(0.0, 1.0);
        let amount = row.amount / mean;
        within * (amount - local) - (found - local * share) - found * (amount - 1.0)
    })))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::influence::RankedRows;
    use crate::scored_set::ScoredSet;

    const AMOUNTS: [f64; 12] = [5.0, 1.0, -2.0, 9.0, 0.5, 3.0, 0.0, 4.0, -1.0, 2.0, 0.0, 1.0];
    const TRUTH: [bool; 12] = [true, false, true, true, false, true, false, true, false, true, false, true];
    const SCORES: [f64; 12] = [9.0, 9.0, 8.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 3.0, 2.0, 1.0];

    /// The share of the amount in a list moves with the mass of a row as the numeric derivative says.
    #[test]
    fn influence_values_of_a_tied_cut_are_derivatives() {
        // The list ends inside a block of one score: whatever is at the cut is the mean of that block.
        let scores = [9.0, 5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 1.0];
        let share_at = |weights: &[f64]| {
            let set =
                ScoredSet::new(&TRUTH, &scores).and_then(|set| set.with_weight(weights)).expect("valid");
            let ranking =
                Ranking::of(&set.with_amount_of_everybody(&AMOUNTS).expect("valid")).expect("few rows");
            amount_share(&ranking, 0.5).expect("amounts")
        };
        let set = ScoredSet::new(&TRUTH, &scores)
            .and_then(|set| set.with_amount_of_everybody(&AMOUNTS))
            .expect("valid");
        let ranking = Ranking::of(&set).expect("few rows");
        let rows = RankedRows::of_set(&ranking, &set).expect("as long");
        let values = influence(&ranking, 0.5).expect("amounts").of_rows(&rows).expect("amounts");
        assert!(values.iter().sum::<f64>().abs() < 1e-9);
        for row in 0..12 {
            let mut weights = [1.0; 12];
            weights[row] += 1e-5;
            let expected = (share_at(&weights) - share_at(&[1.0; 12])) * 12.0 / 1e-5;
            assert!(
                (values[row] - expected).abs() < 1e-3 * (1.0 + expected.abs()),
                "{row}: {} {expected}",
                values[row]
            );
        }
    }

    #[test]
    fn every_curve_says_by_itself_why_it_has_no_interval() {
        let set = ScoredSet::new(&TRUTH, &SCORES).expect("valid");
        let ranking = Ranking::of(&set.with_amount_of_everybody(&AMOUNTS).expect("valid")).expect("few rows");
        let sampled = Sampled::new(&ranking);
        let bands = risk_bands(&sampled, &[0.1, 0.5, 1.0]);
        assert_eq!(bands[0].amount, Err(NoInterval::ShortList));
        let half = bands[1].amount.as_ref().expect("amounts");
        assert!(half.method == IntervalMethod::InfluenceHall && half.lower < half.upper);
        assert!(half.contains(amount_share(&ranking, 0.5).expect("amounts")));
        assert_eq!(bands[2].amount.as_ref().map(|interval| (interval.lower, interval.upper)), Ok((1.0, 1.0)));
        let losses = Ranking::of(&set.with_amount(&[-1.0; 12]).expect("valid")).expect("few rows");
        let [band] = &risk_bands(&Sampled::new(&losses), &[0.5])[..] else { panic!("one caseload") };
        assert_eq!(band.amount, Err(NoInterval::Undefined(Undefined::NonPositiveTotal { total: -7.0 })));
        assert!(band.recall.is_ok() && band.strike_rate.is_ok());
    }
}
