//! What the charts hold. The curves themselves follow from the table of cuts; here stands what the table does not say.

use serde::{Deserialize, Serialize};
use tribunal_eval::base_rate::AtBaseRate;
use tribunal_eval::conditions::{IsoPerformance, MixtureRange, OwnedStretch, Recipe};
use tribunal_eval::curves::{Capture, LiftScenario, RiskArea, RiskLimits, RiskPoint};
use tribunal_eval::error_matrix::{ErrorMatrixChart, GainLossPanel, ScoreBand};
use tribunal_eval::intervals::{Interval, RiskBand};
use tribunal_eval::{CutoffRule, Undefined};

use crate::evaluate::At;

/// The charts of a model.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ModelCharts {
    /// Whose.
    pub model: String,
    /// Areas of the risk chart. Its curves are functions of `cuts`: recall, strike rate and the amount over the caseload, and the
    /// best order by amount.
    pub cases: RiskArea,
    /// The amount of all cases, where shares of it have a meaning.
    pub amount: Option<f64>,
    /// The area under the share of the amount, where the amounts of the rows are known.
    pub amounts: Option<RiskArea>,
    /// Why there are no amounts, or no limits of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amounts_undefined: Option<Undefined>,
    /// The areas in each fold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub folds: Vec<FoldRisk>,
    /// The asked depths of the list: scenarios of the lift chart, and how much of what was possible was reached.
    pub depths: Vec<DepthReading>,
    /// The curves of the risk chart at some caseloads, with their limits and intervals; where curves were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub risk: Vec<RiskReading>,
    /// What is seen at each of the asked cut-offs; where curves, bins or bands were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cutoffs: Vec<CutoffCharts>,
}

/// The areas of a risk chart in a fold.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct FoldRisk {
    /// Which.
    pub fold: String,
    /// The area under recall, or nothing where a class is absent.
    pub cases: Option<RiskArea>,
    /// The area under the share of the amount, where it is defined.
    pub amounts: Option<RiskArea>,
}

/// A depth of the list.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct DepthReading {
    /// As it was asked for.
    pub asked: At,
    /// The point of the lift chart, beside the diagonal and the perfect line.
    pub lift: Option<LiftScenario>,
    /// How much of what was possible was reached.
    pub capture: Option<Capture>,
    /// Intervals of recall, strike rate and the share of the amount.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intervals: Option<RiskBand>,
    /// The interval of the captured share of the cases: that of the strike rate where the best list holds positives only, that of
    /// recall where it holds all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of_cases: Option<Interval>,
    /// Why there is nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undefined: Option<String>,
}

/// The risk chart at a caseload.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RiskReading {
    /// The three curves.
    #[serde(flatten)]
    pub point: RiskPoint,
    /// What the best and the worst order reach.
    pub limits: RiskLimits,
    /// Pointwise intervals, by influence functions on the whole list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intervals: Option<RiskBand>,
    /// The spread over folds, where there are two at least in which the curves have a value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over_folds: Option<FoldBand>,
}

/// The curves of the risk chart over the folds: means with intervals that the spread over folds makes, where it makes any. They speak
/// of the models that were trained; those on the whole list of the scores as they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct FoldBand {
    /// Share of the positives.
    pub recall: Option<FoldSpread>,
    /// Share of positives among the cases acted on.
    pub strike_rate: Option<FoldSpread>,
    /// Share of the amount.
    pub amount: Option<FoldSpread>,
}

/// A figure over the folds in which it has a value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct FoldSpread {
    /// The mean over the folds.
    pub mean: f64,
    /// The smallest of them.
    pub lowest: f64,
    /// The largest of them.
    pub highest: f64,
    /// How many folds these are.
    pub n_folds: usize,
    /// The interval of the mean; nothing where all folds agree.
    pub interval: Option<Interval>,
}

/// What is seen at a cut-off.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct CutoffCharts {
    /// The rule that was asked for.
    pub asked: CutoffRule,
    /// The error-matrix chart; nothing where the rule finds no cut-off.
    pub error_matrix: Option<ErrorMatrixChart>,
    /// The four outcomes in bands of scores, where edges were given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bands: Vec<ScoreBand>,
    /// Gains and losses along the scores, where outcomes have a value and rows are kept: a decision or bins were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gain_loss: Option<GainLossPanel>,
    /// Why something is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undefined: Option<String>,
}

/// Figures at another base rate.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct BaseRateReading {
    /// That of the cases at hand.
    pub own: f64,
    /// The other one.
    pub base_rate: f64,
    /// What probabilities are worth there.
    pub probabilities: Vec<ShiftedProbability>,
    /// The figures of each model at each cut-off.
    pub figures: Vec<BaseRateFigures>,
}

/// A probability and what it is worth at another base rate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ShiftedProbability {
    /// At the base rate of the cases at hand.
    pub from: f64,
    /// At the other one.
    pub to: f64,
}

/// The figures of a model at a cut-off, here and at another base rate.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct BaseRateFigures {
    /// Whose.
    pub model: String,
    /// The rule of the cut-off.
    pub cutoff: CutoffRule,
    /// At the base rate of the cases at hand; nothing where the rule finds no cut-off.
    pub here: Option<AtBaseRate>,
    /// At the other one.
    pub there: Option<AtBaseRate>,
    /// Why there is nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undefined: Option<String>,
}

/// Which of several models owns which operating conditions. Models are meant by their places in `data.models`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ConditionReading {
    /// The base rate that cost ratios and caseloads speak of: the other one, where one was asked for.
    pub base_rate: f64,
    /// Area under the joint ROC hull.
    pub area: f64,
    /// Who owns which slopes, cost ratios and, where costs are known, base rates.
    pub stretches: Vec<OwnedStretch>,
    /// What to mix between the vertices of different models.
    pub mixtures: Vec<MixtureRange>,
    /// What to mix for the asked depths.
    pub recipes: Vec<DepthRecipe>,
    /// The line of equal expected cost that touches the joint hull, for each condition that was asked about: the stated costs, or equal
    /// ones, at the base rate of the cases at hand and at the other one. Empty where neither costs nor a base rate were stated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub iso_performance: Vec<IsoPerformance>,
    /// The models without a vertex: nothing is lost without them.
    pub dominated: Vec<String>,
}

/// How to reach a depth of the list exactly.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct DepthRecipe {
    /// As it was asked for.
    pub asked: At,
    /// The two schemes and the share of the first; cases and hits are those of the list at hand, at the base rate.
    pub recipe: Recipe,
}
