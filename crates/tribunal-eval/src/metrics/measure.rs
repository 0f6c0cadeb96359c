//! A metric asked for by name, its parameter included: `auroc`, `lift@0.1`, `f@2`.

use std::fmt;
use std::str::FromStr;

use super::{Compute, METRICS, Metric, Spread, auroc, pcc};
use crate::amounts::AmountPairs;
use crate::confusion::Confusion;
use crate::error::Error;
use crate::intervals::{Interval, IntervalMethod, Level, Proportion, delong_of_ranking, wilson};
use crate::list_part::ListPart;
use crate::ranking::Ranking;
use crate::undefined::{Undefined, Value};

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
}

impl PartialEq for Measure {
    fn eq(&self, other: &Self) -> bool {
        (self.metric.id, self.parameter) == (other.metric.id, other.parameter)
    }
}

impl Measure {
    /// The area under the ROC curve: what is meant where nothing else is said.
    pub const AUROC: Measure = Measure { metric: &auroc::METRIC, parameter: 0.0 };

    /// The share of right predictions.
    pub const PCC: Measure = Measure { metric: &pcc::METRIC, parameter: 0.0 };

    /// A metric without parameter, or one with this parameter.
    pub fn new(metric: &'static Metric, parameter: Option<f64>) -> Result<Self, Error> {
        match (metric.parameter(), parameter) {
            (None, None) => Ok(Self { metric, parameter: 0.0 }),
            (Some(kind), None) => {
                Err(Error::NeedsParameter { id: metric.id, stem: metric.stem(), parameter: kind.name })
            }
            (Some(kind), Some(value)) if value > kind.above && value <= kind.at_most => {
                Ok(Self { metric, parameter: value })
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
            Compute::ConfusionWith(_, compute) => Some(compute(confusion, self.parameter)),
            _ => None,
        }
    }

    /// The value, if the metric looks at a ranking.
    pub fn of_ranking(&self, ranking: &Ranking) -> Option<Value> {
        match self.metric.compute {
            Compute::Ranking(compute) => Some(compute(ranking)),
            Compute::RankingWith(_, compute) => Some(compute(ranking, self.parameter)),
            _ => None,
        }
    }

    /// The value with the interval that a formula gives for rows of weight one; no interval where the bootstrap must
    /// speak. `confusion` belongs to a cut-off that was fixed beforehand.
    ///
    /// ```
    /// use tribunal_eval::{Ranking, ScoredSet, intervals::Level, metrics::Measure};
    ///
    /// let ranking = Ranking::of(&ScoredSet::new(&[true, false, true, false], &[0.9, 0.8, 0.7, 0.2])?)?;
    /// let gini: Measure = "gini".parse()?;
    /// let (value, interval) = gini.judge(&ranking, None, Level::P95);
    /// assert_eq!((value, interval.expect("a formula").method.name()), (Ok(0.5), "delong"));
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    pub fn judge(
        &self,
        ranking: &Ranking,
        confusion: Option<&Confusion>,
        level: Level,
    ) -> (Value, Option<Interval>) {
        let value = || match confusion {
            Some(confusion) => self.of_confusion(confusion),
            None => self.of_ranking(ranking),
        };
        let value = || value().unwrap_or(Err(Undefined::NoRows));
        match self.metric.spread {
            Spread::Proportion(counts) => {
                let proportion =
                    confusion.map(counts).and_then(|(successes, n)| Proportion::new(successes, n).ok());
                (value(), proportion.map(|proportion| wilson(proportion, level)))
            }
            Spread::Auroc { offset, factor } => {
                let moved = |end: f64| offset + factor * end;
                let interval = delong_of_ranking(ranking).ok().map(|estimate| estimate.interval(level));
                let interval =
                    interval.map(|i| Interval { lower: moved(i.lower), upper: moved(i.upper), ..i });
                (value(), interval)
            }
            Spread::StandardError(estimate) => match estimate(ranking) {
                Ok((value, error)) => (
                    Ok(value),
                    Some(Interval::around(value, level.z() * error, level, IntervalMethod::Sandwich)),
                ),
                Err(reason) => (Err(reason), None),
            },
            Spread::Bootstrap | Spread::CorrectedBootstrap => (value(), None),
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
        let number = parameter.map(|value| value.parse().unwrap_or(f64::NAN));
        Self::new(metric, number).map_err(|error| with_text(error, parameter))
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
