//! What the axes of curves show.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What an axis shows. CPH and lift are two things, and every axis says which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Axis {
    /// Share of the negatives that are flagged.
    FalsePositiveRate,
    /// Share of the positives that are flagged.
    TruePositiveRate,
    /// The same, beside precision.
    Recall,
    /// Share of the flagged that are positive.
    Precision,
    /// Share of the list from the top.
    ShareOfList,
    /// Share of the positives found: cumulative percentage of hits.
    Cph,
    /// CPH over the share of the list.
    Lift,
    /// Mean stated probability.
    StatedProbability,
    /// Observed share of positives.
    ObservedRate,
    /// Probability cost of the positives (Drummond and Holte 2006).
    ProbabilityCost,
    /// Normalised expected cost (Drummond and Holte 2006).
    NormalisedCost,
    /// Profit of acting on the top of the list.
    Profit,
    /// Share of the amount of all positives that is found.
    ShareOfAmount,
}

impl Axis {
    /// The label of the axis in a drawing.
    pub fn label(self) -> &'static str {
        match self {
            Self::FalsePositiveRate => "false-positive rate",
            Self::TruePositiveRate => "true-positive rate",
            Self::Recall => "recall",
            Self::Precision => "precision",
            Self::ShareOfList => "share of the list",
            Self::Cph => "CPH: share of the positives found",
            Self::Lift => "lift: CPH / share of the list",
            Self::StatedProbability => "mean stated probability",
            Self::ObservedRate => "observed share of positives",
            Self::ProbabilityCost => "probability cost of the positives",
            Self::NormalisedCost => "normalised expected cost",
            Self::Profit => "profit",
            Self::ShareOfAmount => "share of the amount found",
        }
    }
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.label())
    }
}
