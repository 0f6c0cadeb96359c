//! What the same answer for every case is worth: the baseline that a model has to beat.
//!
//! A ranking metric is asked of a list in which all cases are tied, which is what a random order is worth on average where
//! the metric is linear in the curve: 0.5 for the AUROC, the base rate for precision, 1 for lift. A probability metric is
//! asked of the base rate as everybody's probability: p (1 - p) for Brier, the entropy for the log-loss. A metric of
//! predictions is asked of flagging everybody and of flagging nobody, and the better of the two counts: the share of the
//! larger class for PCC, flag-all for F.
//!
//! What the constant answer is worth depends on the base rate of the very cases that judge the model, so the two vary together: the
//! test of their difference is a paired one.

use crate::confusion::Confusion;
use crate::cutoff::Cutoff;
use crate::influence::{ClassValues, Moments};
use crate::intervals::Sampled;
use crate::metrics::{Kind, Measure};
use crate::ranking::{Ranking, Split};
use crate::scored_set::ScoredSet;
use crate::significance::{DifferenceTest, InfluenceDifference};
use crate::undefined::{Undefined, Value};

impl Measure {
    /// The value of this metric where every case of a list with these totals gets the same answer.
    ///
    /// ```
    /// use tribunal_eval::{Split, metrics::Measure};
    ///
    /// let totals = Split { positive: 20.0, negative: 80.0 };
    /// let value = |id: &str| id.parse::<Measure>().expect("a metric").of_constant(totals).expect("a value");
    /// assert_eq!(value("auroc"), 0.5);
    /// assert_eq!(value("pcc"), 0.8);
    /// assert_eq!(value("average_precision"), 0.2);
    /// assert!((value("brier") - 0.16).abs() < 1e-12);
    /// ```
    ///
    /// # Errors
    /// The metric has no value there, for example because a class is missing.
    pub fn of_constant(&self, totals: Split) -> Value {
        match self.metric.kind {
            Kind::Cutoff => self.of_one_prediction(totals),
            Kind::Ranking | Kind::Probability => self.of_one_score(totals),
            Kind::Amount => Err(Undefined::NoAmounts),
        }
    }

    /// The test of what a model is worth beyond the constant answer, both judged by the same cases; nothing where the constant answer
    /// is worth the same whatever the base rate, or the metric has no influence function.
    ///
    /// **Definition** · the influence value of a case on the difference is that on the figure less `g'(π) (y - π)`: `g(π)` is what the
    /// constant answer is worth at the base rate `π`, and `y` is 1 for a positive.
    ///
    /// ```
    /// use tribunal_eval::{Ranking, intervals::Sampled, metrics::Measure};
    ///
    /// let truth: Vec<bool> = (0..400).map(|i| i % 20 == 0).collect();
    /// let scores: Vec<f64> = (0..400).map(|i| if i % 20 == 0 { 0.2 } else { 0.042 }).collect();
    /// let ranking = Ranking::from_scores(&truth, &scores)?;
    /// let brier: Measure = "brier".parse()?;
    /// let value = brier.of_ranking(&ranking).expect("a score")?;
    /// let test = brier.beside_constant(&Sampled::new(&ranking), None, value).expect("a paired test");
    /// assert!(test.effect.difference < 0.0 && test.p < 0.001);
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    pub fn beside_constant(
        &self,
        sampled: &Sampled<'_>,
        cutoff: Option<&Cutoff>,
        value: f64,
    ) -> Option<DifferenceTest> {
        let Sampled { ranking, level, base_rate } = *sampled;
        sampled.classes().ok()?;
        let totals = ranking.totals();
        let share = totals.positive / totals.total();
        let slope = self.slope_of_constant(totals).filter(|slope| *slope != 0.0)?;
        let of_class = ClassValues { positive: -slope * (1.0 - share), negative: slope * share };
        let influence = self.influence(ranking, cutoff).ok()?.plus(of_class)?;
        let difference = value - self.of_constant(totals).ok()?;
        let moments = Moments::of(ranking, &influence);
        let one_case = self.one_case(ranking, cutoff);
        Some(InfluenceDifference { difference, moments, base_rate, one_case }.test(level))
    }

    /// How fast the value of the constant answer changes with the base rate.
    fn slope_of_constant(&self, totals: Split) -> Option<f64> {
        const STEP: f64 = 1e-4;
        let (total, share) = (totals.total(), totals.positive / totals.total());
        let step = STEP * share.min(1.0 - share);
        let at = |share: f64| {
            self.of_constant(Split { positive: share * total, negative: (1.0 - share) * total }).ok()
        };
        let (low, high) = (at(share - step)?, at(share + step)?);
        // Rounding is no slope.
        let is_level = (high - low).abs() <= 1e-12 * high.abs().max(low.abs());
        Some(if is_level { 0.0 } else { (high - low) / (2.0 * step) }).filter(|slope| slope.is_finite())
    }

    /// The better of flagging everybody and flagging nobody.
    fn of_one_prediction(&self, totals: Split) -> Value {
        let Split { positive, negative } = totals;
        let all = Confusion { tp: positive, fp: negative, ..Confusion::default() };
        let none = Confusion { fn_: positive, tn: negative, ..Confusion::default() };
        let value = |confusion: &Confusion| self.of_confusion(confusion).unwrap_or(Err(Undefined::NoRows));
        let gain = |value: f64| self.metric.better.gain(value);
        match (value(&all), value(&none)) {
            (Ok(all), Ok(none)) => Ok(if gain(none) > gain(all) { none } else { all }),
            (Ok(value), Err(_)) | (Err(_), Ok(value)) => Ok(value),
            (Err(reason), Err(_)) => Err(reason),
        }
    }

    /// Everybody has the base rate for a score.
    fn of_one_score(&self, totals: Split) -> Value {
        let base_rate = totals.positive / totals.total();
        let (scores, weights) = ([base_rate; 2], [totals.positive, totals.negative]);
        // Where all cases are tied, figures of amounts are the same for any amounts.
        let set = ScoredSet::new(&[true, false], &scores).and_then(|set| set.with_amount(&[1.0, 0.0]));
        let set = set.and_then(|set| set.with_weight(&weights));
        let ranking = set.ok().and_then(|set| Ranking::of(&set).ok()).ok_or(Undefined::NoRows)?;
        self.of_ranking(&ranking).unwrap_or(Err(Undefined::NoRows))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::{Better, METRICS};

    const TOTALS: Split = Split { positive: 30.0, negative: 70.0 };

    fn check(id: &str, expected: f64) {
        let value = id.parse::<Measure>().expect("a metric").of_constant(TOTALS).expect("a value");
        assert!((value - expected).abs() < 1e-9, "{id}: {value}, not {expected}");
    }

    #[test]
    fn every_kind_of_metric_has_its_baseline() {
        for (id, expected) in [
            ("auroc", 0.5),
            ("gini", 0.0),
            ("omega", 0.5),
            ("omega_amount", 0.5),
            ("pauroc@0.1", 0.5),
            ("ks", 0.0),
            ("average_precision", 0.3),
            ("cph@0.1", 0.1),
            ("lift@0.1", 1.0),
            ("lift_top@10", 1.0),
            ("precision_top@10", 0.3),
            ("pcc", 0.7),
            ("error_rate", 0.3),
            ("precision", 0.3),
            ("npv", 0.7),
            ("f1", 0.6 / 1.3),
            ("balanced_accuracy", 0.5),
            ("g_mean", 0.0),
            ("mcc", 0.0),
            ("kappa", 0.0),
            ("sensitivity", 1.0),
            ("specificity", 1.0),
            ("brier", 0.21),
            ("log_loss", -(0.3 * 0.3_f64.ln() + 0.7 * 0.7_f64.ln())),
            ("ece", 0.0),
        ] {
            check(id, expected);
        }
    }

    #[test]
    fn every_metric_that_can_decide_has_one() {
        for metric in METRICS.iter().filter(|metric| metric.kind != Kind::Amount) {
            let parameter =
                metric.parameter().map(|parameter| if parameter.at_most > 1.0 { 10.0 } else { 0.2 });
            let measure = Measure::new(metric, parameter).expect("a measure");
            if matches!(metric.better, Better::Higher | Better::Lower) {
                assert!(measure.of_constant(TOTALS).is_ok(), "{measure}");
            }
        }
    }

    #[test]
    fn one_class_has_no_chance_to_rank_by() {
        assert!(Measure::AUROC.of_constant(Split { positive: 0.0, negative: 5.0 }).is_err());
        assert_eq!(Measure::PCC.of_constant(Split { positive: 0.0, negative: 5.0 }), Ok(1.0));
    }
}
