//! A number with its interval, or with the reason why it has none.

use serde::{Deserialize, Serialize};

use crate::intervals::{Interval, NoInterval};

/// A number with its interval.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct IntervalEstimate {
    /// The number.
    pub value: f64,
    /// How far it may be believed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
    /// Why there is no interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_interval: Option<NoInterval>,
}

impl IntervalEstimate {
    /// A number that is the same in every sample that is spoken of: it has no interval, and that takes no reason.
    pub fn known(value: f64) -> Self {
        Self { value, interval: None, no_interval: None }
    }

    pub(super) fn new(value: f64, interval: Result<Interval, NoInterval>) -> Self {
        // An interval without a width says that nothing can vary, which cases that agree do not show.
        let interval = interval.and_then(|ends| match ends.lower < ends.upper {
            true => Ok(ends),
            false => Err(NoInterval::CasesAgree),
        });
        Self { value, no_interval: interval.as_ref().err().cloned(), interval: interval.ok() }
    }

    /// The figure and its interval times a factor.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self { value: factor * self.value, interval: self.interval.map(|ends| ends.times(factor)), ..self }
    }
}
