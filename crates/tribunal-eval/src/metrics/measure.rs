//! A metric asked for by name, its parameter included: `auroc`, `lift@0.1`, `f@2`.

use std::fmt;
use std::str::FromStr;

use super::{
    Compute, Estimate, METRICS, Metric, Spread, auroc, brier_reliability, cost, cph, ece, pcc, precision_top,
};
use crate::amounts::AmountPairs;
use crate::certain::CertainRows;
use crate::confusion::Confusion;
use crate::cutoff::Cutoff;
use crate::error::Error;
use crate::influence::{BaseRate, Influence};
use crate::intervals::{
    CellSample, Correction, Inflation, Interval, IntervalMethod, Level, NoInterval, Optimism, Replicates,
    Sampled, bootstrap_wilson, cells,
};
use crate::list_part::ListPart;
use crate::ranking::Ranking;
use crate::reliability::bin_errors;
use crate::undefined::Value;

/// Figures that are no shares are drawn again with so many cases of the rarer class or more.
const FEWEST_FOR_REPLICATES: f64 = 20.0;
/// Replicates that differ by less than so much of the figure differ by rounding alone.
const ROUNDING: f64 = 1e-12;

/// A metric with the value of its parameter.
///
/// ```
/// use tribunal_eval::{Ranking, ScoredSet, metrics::Measure};
///
/// let ranking = Ranking::of(&ScoredSet::new(&[true, false, false, false], &[0.9, 0.5, 0.4, 0.2])?)?;
/// let lift: Measure = "lift@0.25".parse()?;
/// assert_eq!(lift.of_ranking(&ranking), Some(Ok(4.0)));
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    /// The metric.
    pub metric: &'static Metric,
    parameter: f64,
    /// What the value is counted in: the cost of a false positive; 1 for all others.
    unit: f64,
}

impl PartialEq for Measure {
    fn eq(&self, other: &Self) -> bool {
        (self.metric.id, self.parameter, self.unit) == (other.metric.id, other.parameter, other.unit)
    }
}

impl Measure {
    /// The area under the ROC curve: what is meant where nothing else is said.
    pub const AUROC: Measure = Measure { metric: &auroc::METRIC, parameter: 0.0, unit: 1.0 };

    /// The share of right predictions.
    pub const PCC: Measure = Measure { metric: &pcc::METRIC, parameter: 0.0, unit: 1.0 };

    /// A metric without parameter, or one with this parameter.
    pub fn new(metric: &'static Metric, parameter: Option<f64>) -> Result<Self, Error> {
        match (metric.parameter(), parameter) {
            (None, None) => Ok(Self { metric, parameter: 0.0, unit: 1.0 }),
            (Some(kind), None) => {
                Err(Error::NeedsParameter { id: metric.id, stem: metric.stem(), parameter: kind.name })
            }
            (Some(kind), Some(value)) if kind.allows(value) => {
                Ok(Self { metric, parameter: value, unit: 1.0 })
            }
            (Some(kind), Some(value)) => Err(Error::BadParameter {
                id: metric.id,
                value: value.to_string(),
                parameter: kind.name,
                above: kind.above,
                at_most: kind.at_most,
            }),
            (None, Some(value)) => Err(Error::UnknownMetric(format!("{}@{value}", metric.id))),
        }
    }

    /// The mean cost a case, from what a false positive and a false negative cost.
    ///
    /// ```
    /// use tribunal_eval::metrics::Measure;
    ///
    /// assert_eq!(Measure::of_costs(1.0, 5.0)?.to_string(), "cost@1:5");
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    ///
    /// # Errors
    /// A cost is not above zero, or not finite.
    pub fn of_costs(false_positive: f64, false_negative: f64) -> Result<Self, Error> {
        format!("{}@{false_positive}:{false_negative}", cost::METRIC.stem()).parse()
    }

    /// What a false positive and a false negative cost, if it is a mean cost.
    pub fn costs(&self) -> Option<(f64, f64)> {
        self.metric.parameter().filter(|kind| kind.has_unit).map(|_| (self.unit, self.parameter))
    }

    /// The value of its parameter, if it has one.
    pub fn parameter(&self) -> Option<f64> {
        self.metric.parameter().map(|_| self.parameter)
    }

    /// The number of cases of the list that it looks at, if it is asked for one.
    pub fn n_cases(&self) -> Option<f64> {
        self.metric.parameter().filter(|parameter| parameter.counts_cases).map(|_| self.parameter)
    }

    /// The same metric inside a part of the list: a count of cases becomes the same share of the part.
    ///
    /// ```
    /// use tribunal_eval::{ListPart, metrics::Measure};
    ///
    /// let top: Measure = "precision_top@200".parse()?;
    /// assert_eq!(top.inside(ListPart::new(100.0, 1000.0)).to_string(), "precision_top@20");
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    #[must_use]
    pub fn inside(self, part: ListPart) -> Measure {
        self.n_cases().map_or(self, |count| Measure { parameter: part.count(count), ..self })
    }

    /// The value, if the metric looks at a confusion matrix.
    pub fn of_confusion(&self, confusion: &Confusion) -> Option<Value> {
        match self.metric.compute {
            Compute::Confusion(compute) => Some(compute(confusion)),
            Compute::ConfusionWith(_, compute) => {
                Some(compute(confusion, self.in_units()).map(|value| value * self.unit))
            }
            _ => None,
        }
    }

    /// The parameter in units of the value.
    fn in_units(&self) -> f64 {
        self.parameter / self.unit
    }

    /// The interval of a figure of cells.
    fn of_cells(
        &self,
        interval: fn(&CellSample<'_>, f64) -> Result<Interval, NoInterval>,
        sample: &CellSample<'_>,
    ) -> Result<Interval, NoInterval> {
        interval(sample, self.in_units()).map(|found| found.mapped(|end| end * self.unit))
    }

    /// The value, if the metric looks at a ranking.
    pub fn of_ranking(&self, ranking: &Ranking) -> Option<Value> {
        match self.metric.compute {
            Compute::Ranking(compute) => Some(compute(ranking)),
            Compute::RankingWith(_, compute) => Some(compute(ranking, self.parameter)),
            _ => None,
        }
    }

    /// The interval of the value, where a formula gives one. Metrics of predictions need the cut-off; one that was chosen on
    /// the data is judged as it would do on new cases ([`corrected`](Self::corrected)).
    ///
    /// ```
    /// use tribunal_eval::{Ranking, intervals::Sampled, metrics::Measure};
    ///
    /// let ranking = Ranking::from_scores(&[true, false, true, false], &[0.9, 0.8, 0.7, 0.2])?;
    /// let interval = Measure::AUROC.interval(&Sampled::new(&ranking), None).expect("two of each class");
    /// assert!(interval.contains(0.75) && interval.lower > 0.0 && interval.upper < 1.0);
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    ///
    /// # Errors
    /// The figure has no value or no interval, or replicates are needed.
    pub fn interval(&self, sampled: &Sampled<'_>, cutoff: Option<&Cutoff>) -> Result<Interval, NoInterval> {
        // Metrics of rankings have the same interval whether or not there is a cut-off.
        let at_cutoff = cutoff.and_then(|cutoff| self.of_confusion(&cutoff.confusion));
        let value = at_cutoff.or_else(|| self.of_ranking(sampled.ranking));
        self.interval_around(value.transpose()?.unwrap_or(f64::NAN), sampled, cutoff)
    }

    /// The interval of a value that is known, which saves computing it again.
    ///
    /// # Errors
    /// The figure has no interval, or replicates are needed.
    pub fn interval_around(
        &self,
        value: f64,
        sampled: &Sampled<'_>,
        cutoff: Option<&Cutoff>,
    ) -> Result<Interval, NoInterval> {
        match (self.metric.spread, cutoff) {
            (Spread::Influence { interval, .. } | Spread::Formula(interval), _) => {
                interval(sampled, Estimate { value, parameter: self.parameter })
            }
            (Spread::Bootstrap | Spread::CorrectedBootstrap | Spread::Amounts(_), _) | (_, None) => {
                Err(NoInterval::NeedsReplicates)
            }
            (_, Some(cutoff)) if cutoff.rule.is_chosen_on_the_data() && sampled.classes().is_err() => {
                Err(NoInterval::FewCases)
            }
            (Spread::Share(_) | Spread::Cells(_), Some(cutoff)) if cutoff.rule.is_list() => {
                self.interval_at_list(sampled, cutoff)
            }
            (Spread::Share(parts), Some(cutoff)) => {
                match parts(&cutoff.confusion).1 == cutoff.confusion.total() {
                    true => CellSample::of(sampled, cutoff)?.share(parts),
                    false => cells::share_interval(sampled, cutoff, parts),
                }
            }
            (Spread::Cells(interval), Some(cutoff)) => {
                cells::part_interval(sampled, cutoff, &|sample| self.of_cells(interval, sample))
            }
        }
    }

    /// The interval at a list of given length. Where a cell holds few cases, the variance of the cells knows too little, and the
    /// interval also holds what follows from that of the hits.
    fn interval_at_list(&self, sampled: &Sampled<'_>, cutoff: &Cutoff) -> Result<Interval, NoInterval> {
        let of_hits = || self.interval_of_fixed_margins(sampled, cutoff);
        if sampled.base_rate == BaseRate::Fixed {
            return of_hits();
        }
        let sample = CellSample::of(sampled, cutoff)?;
        let interval = match (self.metric.spread, self.metric.id) {
            (_, "sensitivity") => return cph::interval(sampled, cutoff.share),
            (_, "precision") => {
                return precision_top::interval(sampled, cutoff.share * sampled.ranking.totals().total());
            }
            (Spread::Share(parts), _) => sample.share(parts)?,
            (Spread::Cells(interval), _) => self.of_cells(interval, &sample)?,
            _ => return Err(NoInterval::NeedsReplicates),
        };
        match sample.has_few_in_cell() {
            true => of_hits().map(|hits| interval.holding(hits.lower).holding(hits.upper)),
            false => Ok(interval),
        }
    }

    /// The interval at a list of given length where the base rate is given too: all four margins of the confusion matrix are
    /// known, and every figure follows from the share of the positives that the list holds.
    fn interval_of_fixed_margins(
        &self,
        sampled: &Sampled<'_>,
        cutoff: &Cutoff,
    ) -> Result<Interval, NoInterval> {
        let found = cph::interval(sampled, cutoff.share)?;
        let cells = cutoff.confusion;
        let value = |share: f64| {
            let tp = (share * cells.positives()).clamp(0.0, cells.flagged().min(cells.positives()));
            let fp = (cells.flagged() - tp).min(cells.negatives());
            let moved = Confusion { tp, fp, fn_: cells.positives() - tp, tn: cells.negatives() - fp };
            self.of_confusion(&moved).and_then(Result::ok).ok_or(NoInterval::FewCases)
        };
        let (one, other) = (value(found.lower)?, value(found.upper)?);
        Ok(Interval { lower: one.min(other), upper: one.max(other), ..found })
    }

    /// The interval of an estimate that varies like these bootstrap replicates, for metrics without a formula: Wilson's on the
    /// effective number of cases for figures between 0 and 1, else Student's t; `rarer` are the cases of the rarer class.
    ///
    /// # Errors
    /// There is a single replicate, the rarer class has fewer than two cases - fewer than twenty where the figure is no share: the
    /// 95 % interval of the resolution held in half of the samples with ten positives - or the replicates of such a figure never
    /// vary.
    pub fn drawn_interval(
        &self,
        replicates: &Replicates,
        estimate: f64,
        rarer: f64,
        level: Level,
    ) -> Result<Interval, NoInterval> {
        let inflation = match self.metric.spread {
            Spread::CorrectedBootstrap => Inflation::ByChance,
            _ => Inflation::None,
        };
        if self.metric.range == (0.0, 1.0) {
            return bootstrap_wilson(replicates, estimate, rarer, inflation, level)
                .map_err(|_| NoInterval::FewCases);
        }
        if rarer < FEWEST_FOR_REPLICATES {
            return Err(NoInterval::FewForReplicates);
        }
        let error = replicates.standard_deviation().map_err(|_| NoInterval::FewReplicates)?;
        if error <= ROUNDING * estimate.abs() {
            return Err(NoInterval::ReplicatesAgree);
        }
        let half_width = level.t(rarer - 1.0) * error;
        let (low, high) = self.metric.range;
        Ok(Interval::around(estimate, half_width, level, IntervalMethod::BootstrapNormal).clipped(low, high))
    }

    /// The value at a cut-off that was chosen on the data, as it would be on new cases; `None` where the cut-off was given or
    /// nothing is known about the rule.
    pub fn corrected(&self, ranking: &Ranking, cutoff: &Cutoff) -> Option<Value> {
        let optimism = Optimism::of(ranking, cutoff)?;
        self.of_confusion(&optimism.corrected(&cutoff.confusion, Correction::OnNewCases))
    }

    /// The value on a ranking less what chance alone adds to it, of figures that cannot fall below zero: what differences of two
    /// models are differences of. `None` for other figures.
    pub fn less_chance(&self, ranking: &Ranking, value: f64) -> Option<f64> {
        match self.metric.id {
            "ece" => Some(ece::less_chance(value, &bin_errors(ranking))),
            "brier_reliability" => Some(brier_reliability::less_chance(value, &bin_errors(ranking))),
            _ => None,
        }
    }

    /// The variance that one case more or less makes in a difference of two models where single cases decide: one at the cut of
    /// lists of given length or at a cut-off that was chosen on the data, one that was given a probability of 0 or 1 and proves
    /// wrong. `None` for other figures.
    pub fn one_case(&self, ranking: &Ranking, cutoff: Option<&Cutoff>) -> Option<f64> {
        let total = ranking.totals().total();
        let unit = total / ranking.n_rows();
        let of_positives = |share: f64| 1.0 / (share * ranking.effective_rows().effective[0]);
        if let Some(cutoff) = cutoff.filter(|cutoff| cutoff.rule.is_chosen_on_the_data()) {
            let value = |cells: &Confusion| self.of_confusion(cells).and_then(Result::ok).unwrap_or(f64::NAN);
            return Some(cells::one_case(ranking, cutoff, &value)).filter(|variance| variance.is_finite());
        }
        let step = match (self.metric.stem(), cutoff.filter(|cutoff| cutoff.rule.is_list())) {
            ("precision_top", _) => unit / self.parameter,
            ("cph", _) => of_positives(1.0),
            ("lift", _) => of_positives(self.parameter),
            ("lift_top", _) => of_positives(self.parameter / total),
            ("precision", Some(cutoff)) => unit / (cutoff.share * total),
            ("sensitivity", Some(_)) => of_positives(1.0),
            ("log_loss", _) if CertainRows::of(ranking).are_many() => {
                self.metric.range.1 / ranking.effective_rows().n_effective()
            }
            _ => return None,
        };
        Some(step * step)
    }

    /// The influence function of the value; of metrics of predictions at the cut-off.
    ///
    /// # Errors
    /// The value is undefined, or nobody stated the influence function.
    pub fn influence<'a>(
        &self,
        ranking: &'a Ranking,
        cutoff: Option<&Cutoff>,
    ) -> Result<Influence<'a>, NoInterval> {
        match (self.metric.spread, cutoff) {
            (Spread::Influence { influence, .. }, _) => Ok(influence(ranking, self.parameter)?),
            (Spread::Share(_) | Spread::Cells(_), Some(cutoff)) => {
                let value =
                    |cells: &Confusion| self.of_confusion(cells).and_then(Result::ok).unwrap_or(f64::NAN);
                let influence = cells::influence(ranking, cutoff, &value)?;
                Ok(influence)
            }
            _ => Err(NoInterval::NeedsReplicates),
        }
    }

    /// The interval of a metric of amounts.
    ///
    /// # Errors
    /// The figure has no value or no interval, or the metric looks at something else.
    pub fn interval_of_amounts(
        &self,
        amounts: &AmountPairs<'_>,
        level: Level,
    ) -> Result<Interval, NoInterval> {
        match self.metric.spread {
            Spread::Amounts(interval) => interval(amounts, level),
            _ => Err(NoInterval::NeedsReplicates),
        }
    }

    /// The value, if the metric looks at amounts.
    pub fn of_amounts(&self, amounts: &AmountPairs<'_>) -> Option<Value> {
        match self.metric.compute {
            Compute::Amounts(compute) => Some(compute(amounts)),
            _ => None,
        }
    }
}

impl FromStr for Measure {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let (stem, parameter) = match text.split_once('@') {
            Some((stem, parameter)) => (stem, Some(parameter)),
            None => (text, None),
        };
        let named =
            |metric: &&&Metric| metric.stem() == stem && metric.id.contains('@') == parameter.is_some();
        let by_stem = |metric: &&&Metric| metric.stem() == stem;
        let found = METRICS.iter().find(named).or_else(|| METRICS.iter().find(by_stem));
        let metric = *found.ok_or_else(|| Error::UnknownMetric(text.to_owned()))?;
        let unit = parameter.filter(|_| metric.parameter().is_some_and(|kind| kind.has_unit));
        let (unit, number) = match unit.and_then(|text| text.split_once(':')) {
            Some((unit, number)) => (Some(unit), Some(number)),
            None => (None, parameter),
        };
        let value = |text: &str| text.parse().unwrap_or(f64::NAN);
        let measure = Self::new(metric, number.map(value));
        let measure = match (measure, unit.map(value)) {
            (Ok(measure), Some(unit)) => measure.in_unit(unit),
            (measure, _) => measure,
        };
        measure.map_err(|error| with_text(error, parameter))
    }
}

impl Measure {
    /// The same, counted in another unit.
    fn in_unit(self, unit: f64) -> Result<Self, Error> {
        match self.metric.parameter().filter(|kind| kind.allows(unit)) {
            Some(_) => Ok(Self { unit, ..self }),
            None => Self::new(self.metric, Some(f64::NAN)),
        }
    }
}

/// Shows a bad parameter as it was written.
fn with_text(error: Error, written: Option<&str>) -> Error {
    match (error, written) {
        (Error::BadParameter { id, parameter, above, at_most, .. }, Some(written)) => {
            Error::BadParameter { id, value: written.to_owned(), parameter, above, at_most }
        }
        (error, _) => error,
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.metric.parameter() {
            Some(kind) if kind.has_unit => {
                write!(f, "{}@{}:{}", self.metric.stem(), self.unit, self.parameter)
            }
            Some(_) => write!(f, "{}@{}", self.metric.stem(), self.parameter),
            None => f.write_str(self.metric.id),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        for id in ["auroc", "lift@0.1", "f1", "f@2", "lift_top@500", "pauroc@0.1"] {
            assert_eq!(id.parse::<Measure>().expect("a metric").to_string(), id);
        }
    }

    #[test]
    fn explains_what_is_wrong_with_a_name() {
        let message = |text: &str| text.parse::<Measure>().expect_err("wrong").to_string();
        assert_eq!(message("aurok"), "there is no metric `aurok`");
        assert_eq!(message("lift"), "`lift@P` needs a value for P: write `lift@VALUE`");
        assert_eq!(message("lift@2"), "`2` is no P for `lift@P`: give a number above 0 and at most 1");
        assert_eq!(message("cph@x"), "`x` is no P for `cph@P`: give a number above 0 and at most 1");
        assert_eq!(message("auroc@1"), "there is no metric `auroc@1`");
    }
}
