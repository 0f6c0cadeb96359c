//! A figure with its interval, as plain data: the value or why there is none, the interval or why there is none.

use serde::{Deserialize, Serialize};

use crate::cutoff::Cutoff;
use crate::intervals::{Interval, NoInterval, Sampled};
use crate::metrics::Measure;
use crate::undefined::{Undefined, Value};

/// A value and how far it may be believed.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Figure {
    /// The value on the data.
    pub value: Option<f64>,
    /// Why there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undefined: Option<Undefined>,
    /// The value as it would be on new cases, where the cut-off was chosen on the data; the interval is about that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corrected: Option<f64>,
    /// The interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
    /// Why there is none, although there is a value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_interval: Option<NoInterval>,
}

impl Figure {
    /// A value with its interval.
    pub(crate) fn new(value: Value, interval: impl FnOnce(f64) -> Result<Interval, NoInterval>) -> Self {
        match value {
            Ok(value) => {
                let (interval, no_interval) = match interval(value) {
                    Ok(interval) => (Some(interval), None),
                    Err(reason) => (None, Some(reason)),
                };
                Self { value: Some(value), undefined: None, corrected: None, interval, no_interval }
            }
            Err(reason) => Self {
                value: None,
                undefined: Some(reason),
                corrected: None,
                interval: None,
                no_interval: None,
            },
        }
    }

    /// A metric of predictions at a cut-off, as everywhere else.
    pub(crate) fn at_cutoff(measure: Measure, sampled: &Sampled<'_>, cutoff: &Cutoff) -> Self {
        let value = measure.of_confusion(&cutoff.confusion).unwrap_or(Err(Undefined::NoRows));
        let corrected = measure.corrected(sampled.ranking, cutoff).and_then(Result::ok);
        let figure = Self::new(value, |value| measure.interval_around(value, sampled, Some(cutoff)));
        figure.with_corrected(corrected)
    }

    /// The same with the value on new cases beside it.
    pub(crate) fn with_corrected(self, corrected: Option<f64>) -> Self {
        Self { corrected: corrected.filter(|_| self.value.is_some()), ..self }
    }
}
