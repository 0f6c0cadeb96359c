//! What was tried, and what it came to.

use serde::{Deserialize, Serialize};
use tribunal_eval::Value;
use tribunal_eval::metrics::Better;
use tribunal_learn::Learner;

use super::options::TuneRule;
use crate::error::Error;

/// What candidates came to on inner folds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct TuningCurve {
    /// The learner that left something open.
    pub learner: String,
    /// The metric.
    pub metric: String,
    /// Which values of it are good.
    pub better: Better,
    /// How one was chosen.
    pub rule: TuneRule,
    /// How many inner folds there were.
    pub folds: u64,
    /// The seed of the inner folds.
    pub seed: u64,
    /// The candidates, in the order of the grid.
    pub candidates: Vec<TunedCandidate>,
    /// Whether the best lies on the edge of the grid, though there are learners beyond.
    pub at_edge: bool,
    /// What is doubtful about the choice.
    pub warnings: Vec<String>,
}

impl TuningCurve {
    /// The candidate that was chosen.
    pub fn chosen(&self) -> Option<&TunedCandidate> {
        self.candidates.iter().find(|candidate| candidate.chosen)
    }
}

/// A candidate with what it came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct TunedCandidate {
    /// The learner.
    pub learner: String,
    /// The mean over the folds where the metric has a value.
    pub mean: Option<f64>,
    /// The standard error of that mean, from two folds on.
    pub standard_error: Option<f64>,
    /// On how many folds the metric has a value.
    pub folds: u64,
    /// Whether it was chosen.
    pub chosen: bool,
    /// Whether it is within one standard error of the best, the best included.
    pub within_one_se: bool,
    /// Why it could not be fitted, or why the metric has no value on any fold.
    pub undefined: Option<String>,
}

impl TunedCandidate {
    /// The mean and the standard error of the values of folds.
    pub(super) fn of_folds(learner: &Learner, values: &[Value]) -> Self {
        let defined: Vec<f64> = values.iter().filter_map(|value| value.as_ref().ok().copied()).collect();
        let n_values = defined.len() as f64;
        let mean = (!defined.is_empty()).then(|| defined.iter().sum::<f64>() / n_values);
        let error = |mean: f64| {
            let squares: f64 = defined.iter().map(|value| (value - mean).powi(2)).sum();
            (squares / (n_values - 1.0) / n_values).sqrt()
        };
        let reason = values.iter().find_map(|value| value.as_ref().err());
        TunedCandidate {
            learner: learner.to_string(),
            mean,
            standard_error: mean.filter(|_| defined.len() > 1).map(error),
            folds: defined.len() as u64,
            chosen: false,
            within_one_se: false,
            undefined: reason.filter(|_| mean.is_none()).map(ToString::to_string),
        }
    }

    /// One that could not be fitted.
    pub(super) fn failed(learner: &Learner, error: &Error) -> Self {
        TunedCandidate { undefined: Some(error.to_string()), ..Self::of_folds(learner, &[]) }
    }
}
