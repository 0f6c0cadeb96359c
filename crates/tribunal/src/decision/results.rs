//! What was found about acting on a list.

use serde::{Deserialize, Serialize};
use tribunal_eval::decisions::{BestList, CapacityHits, CapacityValue, IntervalEstimate, OptimismCorrection};

use super::DecideBy;
use crate::results::Comparison;

/// What was found about acting on a list.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Decision {
    /// What models are ranked, tested and recommended by.
    pub by: DecideBy,
    /// Which cases are acted on.
    pub policy: Policy,
    /// Cases of the lists that the figures speak of: those at hand, or those of the capacity.
    pub list_size: f64,
    /// The base rate that everything is read at, where another one than that of the cases at hand was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_rate: Option<f64>,
    /// Model by model.
    pub models: Vec<ModelDecision>,
    /// What takes no model, and what nobody can do better than.
    pub baselines: Vec<BaselineDecision>,
    /// Differences between models by what decides, paired and adjusted by Holm over the pairs.
    pub comparisons: Vec<Comparison>,
}

/// Which cases are acted on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// The first ones of the list, as many as the capacity allows.
    TopOfList,
    /// Those on which acting is expected to pay, as many as the capacity allows.
    CaseByCase,
    /// Those above the cut that earns most.
    BestCut,
}

/// What acting by a model's scores brings in.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ModelDecision {
    /// Whose.
    pub model: String,
    /// Cases that are acted on.
    pub acted: f64,
    /// Their share of the list.
    pub share: f64,
    /// The lowest score that is acted on; nothing where nobody is, or where cases are decided one by one.
    pub score: Option<f64>,
    /// Positives among them.
    pub hits: IntervalEstimate,
    /// The amount of these positives, where there are amounts.
    pub amount: Option<IntervalEstimate>,
    /// What acting brings in, where that is known; at a cut that was chosen on these cases, what new cases are expected to bring in.
    pub profit: Option<IntervalEstimate>,
    /// The best cut, and how the optimism of its choice was taken off.
    pub best_cut: Option<BestCut>,
    /// What acting on as many cases as can be finds, what the last of them is like and what is left undone.
    pub at_capacity: Option<AtCapacity>,
    /// The same at other lengths of the list.
    pub depths: Vec<AtCapacity>,
}

/// A cut that was chosen on the cases that judge it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct BestCut {
    /// The cut, with the profit there, which flatters.
    #[serde(flatten)]
    pub list: BestList,
    /// How its optimism was corrected.
    pub correction: OptimismCorrection,
    /// Cases above the cut, where the next one no longer pays, and how far that may lie off: quantiles over the replicates that correct
    /// the optimism.
    pub depth: IntervalEstimate,
}

/// What acting on so many cases of a list finds.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct AtCapacity {
    /// Positives.
    pub hits: CapacityHits,
    /// Their amount, where there are amounts.
    pub amount: Option<CapacityValue>,
    /// What acting brings in, where that is known.
    pub profit: Option<CapacityValue>,
}

/// A policy that takes no model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum BaselinePolicy {
    /// Acting on nobody.
    Nobody,
    /// Acting on everybody.
    Everybody,
    /// Acting on as many cases as the best model, drawn at random.
    AtRandom,
    /// Acting on as many cases as the best model, the largest amounts first.
    LargestAmounts,
    /// Acting exactly where it pays: the ceiling, which takes knowing the truth.
    Ceiling,
}

impl BaselinePolicy {
    /// What is done, as a sentence says it.
    #[cfg(feature = "learners")]
    pub(crate) fn in_words(self) -> &'static str {
        match self {
            Self::Nobody => "acting on nobody",
            Self::Everybody => "acting on everybody",
            Self::AtRandom => "as many cases at random",
            Self::LargestAmounts => "as many cases by the largest amounts",
            Self::Ceiling => "acting exactly where it pays",
        }
    }
}

/// What a policy that takes no model brings in.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct BaselineDecision {
    /// Which.
    pub policy: BaselinePolicy,
    /// Cases that are acted on.
    pub acted: f64,
    /// Positives among them.
    pub hits: IntervalEstimate,
    /// Their amount, where there are amounts.
    pub amount: Option<IntervalEstimate>,
    /// What acting brings in, where that is known.
    pub profit: Option<IntervalEstimate>,
    /// What the best model brings in more, by what decides.
    pub beaten_by: Option<Lead>,
}

/// What one policy brings in more than another on the same cases.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Lead {
    /// The difference.
    pub difference: f64,
    /// Lower end of its interval.
    pub lower: f64,
    /// Upper end.
    pub upper: f64,
    /// Chance of so large a difference if there is none, adjusted by Holm over the policies without a model.
    pub p_adjusted: f64,
}

/// A figure that decides.
pub(crate) trait Decides {
    /// What decides, where it is one of them.
    fn by(&self, by: DecideBy) -> Option<&IntervalEstimate>;
}

impl Decides for ModelDecision {
    fn by(&self, by: DecideBy) -> Option<&IntervalEstimate> {
        chosen(by, &self.hits, self.amount.as_ref(), self.profit.as_ref())
    }
}

impl Decides for BaselineDecision {
    fn by(&self, by: DecideBy) -> Option<&IntervalEstimate> {
        chosen(by, &self.hits, self.amount.as_ref(), self.profit.as_ref())
    }
}

fn chosen<'a>(
    by: DecideBy,
    hits: &'a IntervalEstimate,
    amount: Option<&'a IntervalEstimate>,
    profit: Option<&'a IntervalEstimate>,
) -> Option<&'a IntervalEstimate> {
    match by {
        DecideBy::Hits => Some(hits),
        DecideBy::Amount => amount,
        DecideBy::Profit => profit,
        DecideBy::Metric(_) => None,
    }
}
