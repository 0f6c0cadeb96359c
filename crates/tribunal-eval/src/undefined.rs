//! Why a statistic has no value.
//!
//! An undefined metric is an answer, not a failure: it travels as `Err(Undefined)`, is shown as `n/a`
//! with its reason, and never turns into NaN or zero.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The reason a statistic cannot be computed from the data at hand.
#[derive(Clone, Debug, Error, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "reason", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Undefined {
    /// No row carries weight.
    #[error("there are no rows with positive weight")]
    NoRows,
    /// The positive class is absent.
    #[error("there are no positives")]
    NoPositives,
    /// The negative class is absent.
    #[error("there are no negatives")]
    NoNegatives,
    /// The cut-off lies above every score.
    #[error("no case is predicted positive at this cut-off")]
    NonePredictedPositive,
    /// The cut-off lies at or below every score.
    #[error("no case is predicted negative at this cut-off")]
    NonePredictedNegative,
    /// A probability metric met a score outside [0, 1].
    #[error("the scores are not probabilities: {score} lies outside [0, 1]")]
    NotProbabilities {
        /// The offending score farthest from the unit interval.
        score: f64,
    },
    /// A probability metric met scores that were never meant as probabilities.
    #[error("the scores are margins, not probabilities")]
    Margins,
    /// The scores separate the classes, so a logistic fit has no finite optimum.
    #[error("the scores separate the classes perfectly, so the logistic fit has no finite solution")]
    Separated,
    /// All scores are equal, so there is no slope to fit.
    #[error("all scores are equal")]
    ConstantScores,
    /// A ratio's reference is zero.
    #[error("the {quantity} is zero")]
    Zero {
        /// What vanished.
        quantity: Cow<'static, str>,
    },
    /// The quantity needs amounts, and the data have none.
    #[error("the data have no amounts")]
    NoAmounts,
    /// The quantity compares orders of amounts, of which only sums by score are known.
    #[error("the amounts are known as sums by score only; their order needs the amounts of the rows")]
    AmountsNotByRow,
    /// Shares of a total that is not above zero have no meaning.
    #[error("the amounts add up to {total}, and shares of a total that is not above zero have no meaning")]
    NonPositiveTotal {
        /// What they add up to.
        total: f64,
    },
    /// No point of the curve meets a requirement.
    #[error("no cut-off reaches {requirement}")]
    OutOfReach {
        /// What was asked for, in words.
        requirement: String,
    },
    /// More cases were asked for than there are.
    #[error("the list holds {available} cases, fewer than the {asked} asked for")]
    TooFewRows {
        /// How many were asked for.
        asked: f64,
        /// How many there are.
        available: f64,
    },
}

/// What every statistic returns.
pub type Value = Result<f64, Undefined>;
