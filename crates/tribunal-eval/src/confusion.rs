//! The confusion matrix: what becomes of cases when those at or above a cut-off are predicted positive.

use serde::{Deserialize, Serialize};

use crate::ranking::{Ranking, Split};

/// Weights of the four outcomes. Counts may be fractional: a cut inside a block of tied scores takes the
/// expected share of it.
///
/// ```
/// use tribunal_eval::{Confusion, Ranking, ScoredSet};
///
/// let ranking = Ranking::of(&ScoredSet::new(&[true, false, true], &[0.9, 0.6, 0.4])?)?;
/// let matrix = Confusion::at_score(&ranking, 0.5);
/// assert_eq!((matrix.tp, matrix.fp, matrix.fn_, matrix.tn), (1.0, 1.0, 1.0, 0.0));
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Confusion {
    /// Positives predicted positive.
    pub tp: f64,
    /// Negatives predicted positive.
    pub fp: f64,
    /// Positives predicted negative.
    #[serde(rename = "fn")]
    pub fn_: f64,
    /// Negatives predicted negative.
    pub tn: f64,
}

impl Confusion {
    /// Predicts positive what scores at least `threshold`.
    pub fn at_score(ranking: &Ranking, threshold: f64) -> Self {
        Self::of(ranking, ranking.through(ranking.blocks_from(threshold)))
    }

    /// Predicts positive a part of the ranking that holds these weights.
    pub fn of(ranking: &Ranking, flagged: Split) -> Self {
        let totals = ranking.totals();
        Self {
            tp: flagged.positive,
            fp: flagged.negative,
            fn_: totals.positive - flagged.positive,
            tn: totals.negative - flagged.negative,
        }
    }

    /// Weight of all cases.
    pub fn total(&self) -> f64 {
        self.tp + self.fp + self.fn_ + self.tn
    }

    /// Weight of the positives.
    pub fn positives(&self) -> f64 {
        self.tp + self.fn_
    }

    /// Weight of the negatives.
    pub fn negatives(&self) -> f64 {
        self.fp + self.tn
    }

    /// Whether nobody is predicted positive, or everybody.
    pub fn is_constant(&self) -> bool {
        self.tp + self.fp <= 0.0 || self.fn_ + self.tn <= 0.0
    }

    /// Weight of what is predicted positive.
    pub fn flagged(&self) -> f64 {
        self.tp + self.fp
    }

    /// Weight of what is predicted negative.
    pub fn passed(&self) -> f64 {
        self.fn_ + self.tn
    }
}
