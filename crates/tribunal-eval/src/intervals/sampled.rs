//! A ranking as a sample of cases: what intervals of its figures start from.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::interval::Level;
use crate::influence::{BaseRate, Influence, Moments, Variance};
use crate::ranking::{EffectiveRows, Ranking};
use crate::undefined::Undefined;

/// A ranking, the level at which intervals are wanted and the samples that they speak of.
#[derive(Clone, Copy, Debug)]
pub struct Sampled<'a> {
    /// The cases.
    pub ranking: &'a Ranking,
    /// The confidence level.
    pub level: Level,
    /// Which other samples are meant.
    pub base_rate: BaseRate,
}

/// Why a figure has no interval.
#[derive(Clone, Debug, Error, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "reason", rename_all = "snake_case")]
#[non_exhaustive]
pub enum NoInterval {
    /// One case of a class shows nothing of how the class varies.
    #[error("no interval: it takes at least two positives and two negatives")]
    FewCases,
    /// Every prediction was right and sure, so nothing is known about how large a loss can be.
    #[error("no interval: there was no loss at all, which says nothing about how large one can be")]
    NoLoss,
    /// Many probabilities are 0 or 1, and few of them proved wrong: each that does outweighs all other cases.
    #[error(
        "no interval: many probabilities are exactly 0 or 1 and fewer than ten of them proved wrong, which decides the figure"
    )]
    FewCertainMistakes,
    /// None of the cases in the list is positive, so nothing is known about what a hit brings in.
    #[error("no interval: no case in the list brings anything in")]
    NoHit,
    /// Nobody is acted on, or acting is worth nothing, so that nothing varies.
    #[error("no interval: no case is acted on, or acting is worth nothing, so nothing varies")]
    NothingAtStake,
    /// A list of a handful of cases shows nothing of how others would do.
    #[error("no interval: fewer than four cases are in the list")]
    ShortList,
    /// Predicted amounts lie on a straight line with the true ones.
    #[error("no interval: the amounts lie on a line, which shows nothing of how far others may lie from it")]
    OnALine,
    /// Hardly a case lies on one side of a cut-off that was chosen on these cases.
    #[error(
        "no interval: the cut-off was chosen on these cases and fewer than ten of them lie on one side of it"
    )]
    FewAtCutoff,
    /// The figure is the same in every bootstrap replicate, which shows nothing of how it varies.
    #[error(
        "no interval: the figure is the same in every bootstrap replicate, which shows nothing of how it varies"
    )]
    ReplicatesAgree,
    /// All cases at hand bring in the same.
    #[error("no interval: all cases at hand bring in the same, which shows nothing of how others vary")]
    CasesAgree,
    /// Positives bring in different amounts, a few of which decide where the best cut lies.
    #[error(
        "no interval: positives bring in different amounts, and a few large ones decide where the best cut lies; replicates of it do not \
         reach as far as other samples"
    )]
    AmountsDecide,
    /// A class has so few cases that replicates repeat the same few values.
    #[error(
        "no interval: with fewer than twenty cases of a class bootstrap replicates do not show how far this figure may lie off"
    )]
    FewForReplicates,
    /// The figure has a value in too few bootstrap replicates.
    #[error("no interval: the figure has no value in too many of the bootstrap replicates")]
    FewReplicates,
    /// The figure is the same in every fold, which shows nothing of how it varies.
    #[error("no interval: the figure is the same in every fold, which shows nothing of how it varies")]
    FoldsAgree,
    /// The figure has a value in one fold only.
    #[error("no interval: the figure has a value in one fold only")]
    OneFold,
    /// A mean over folds of a figure that chance inflates in each of them.
    #[error(
        "no interval: chance inflates this figure in every fold, and so its mean; the figure over all rows has one"
    )]
    InflatedInFolds,
    /// The figure itself has no value.
    #[error("no interval: {0}")]
    #[serde(with = "undefined_figure")]
    #[cfg_attr(feature = "schema", schemars(with = "undefined_figure::UndefinedFigure"))]
    Undefined(Undefined),
    /// Nobody asked for one.
    #[error("no interval was asked for")]
    NotAsked,
    /// Nobody found a formula, and draws are needed.
    #[error("no interval: this figure has no formula for one, and no bootstrap replicates were drawn")]
    NeedsReplicates,
}

/// Both enums write which of their variants it is into a field `reason`, so that one stands inside a field of the other.
mod undefined_figure {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::undefined::Undefined;

    #[derive(Deserialize, Serialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub(super) struct UndefinedFigure {
        /// Why the figure has no value.
        undefined: Undefined,
    }

    pub(super) fn serialize<S: Serializer>(reason: &Undefined, serializer: S) -> Result<S::Ok, S::Error> {
        UndefinedFigure { undefined: reason.clone() }.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Undefined, D::Error> {
        UndefinedFigure::deserialize(deserializer).map(|figure| figure.undefined)
    }
}

impl From<Undefined> for NoInterval {
    fn from(reason: Undefined) -> Self {
        Self::Undefined(reason)
    }
}

impl<'a> Sampled<'a> {
    /// A sample of cases at 95 %.
    pub fn new(ranking: &'a Ranking) -> Self {
        Self { ranking, level: Level::default(), base_rate: BaseRate::default() }
    }

    /// The variance of a figure at the cut of a list, by its influence function on the ranking itself.
    pub(crate) fn variance_at_cut(&self, influence: &Influence<'_>) -> Result<Variance, NoInterval> {
        self.classes()?;
        Ok(Variance::of(&Moments::of(self.ranking, influence), self.base_rate))
    }

    /// The variance of a figure whose influence function runs along the whole list.
    pub(crate) fn variance(
        &self,
        influence: impl for<'r> Fn(&'r Ranking) -> Result<Influence<'r>, Undefined>,
    ) -> Result<Variance, NoInterval> {
        self.classes()?;
        Ok(Variance::of(&self.moments(influence)?, self.base_rate))
    }

    /// The moments of that influence function; of a very large ranking those of groups of neighbouring rows.
    pub(crate) fn moments(
        &self,
        influence: impl for<'r> Fn(&'r Ranking) -> Result<Influence<'r>, Undefined>,
    ) -> Result<Moments, Undefined> {
        let grouped = self.ranking.grouped();
        Ok(Moments::of(grouped, &influence(grouped)?))
    }

    /// Whether each class has the two cases at least that intervals need.
    pub fn supports_intervals(&self) -> bool {
        self.classes().is_ok()
    }

    /// How many rows each class has, where there are two at least.
    pub(crate) fn classes(&self) -> Result<EffectiveRows, NoInterval> {
        let rows = self.ranking.effective_rows();
        let is_enough =
            rows.rows.iter().all(|rows| *rows >= 2.0) && rows.effective.iter().all(|rows| *rows > 1.0);
        if is_enough { Ok(rows) } else { Err(NoInterval::FewCases) }
    }
}
