//! What a stress test of the selection found: every figure as it would have been had only the top of each list been acted on.
//!
//! Rows are tidy: one for each model, figure and selection, and one for each model, figure and all cases.

use serde::{Deserialize, Serialize};
use tribunal_eval::CutoffRule;
use tribunal_eval::intervals::{IntervalMethod, NoInterval};
use tribunal_eval::score_selection::SelectionFigure;

use crate::evaluate::At;

/// Which figures of an evaluation survive a selection of cases by their score.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct StressSelection {
    /// The selections, as they were asked for.
    pub asked: Vec<At>,
    /// How many bootstrap replicates the tests rest on.
    pub replicates: usize,
    /// What survives, one entry a model.
    pub verdicts: Vec<StressVerdict>,
    /// The selections that were made, one entry per model and selection.
    pub selections: Vec<ScoreSelected>,
    /// The figures, one row per model and figure for all cases and for each selection.
    pub figures: Vec<StressRow>,
    /// The bands of the scores, one entry per model and band, from the lowest up.
    pub bands: Vec<StressBand>,
}

/// What a selection does to a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StressOutcome {
    /// The figure is the same.
    Same,
    /// It differs by no more than chance explains.
    WithinChance,
    /// It differs by more than chance explains.
    Moves,
    /// Whether it differs by more than chance cannot be told.
    Untested,
}

/// Which figures of a model survive the selections.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct StressVerdict {
    /// Whose.
    pub model: String,
    /// The cut-off at which predictions are judged: that of all cases.
    pub cutoff: CutoffRule,
    /// The figures that are the same in every selection, and those within bands that differ by no more than chance.
    pub survives: Vec<SelectionFigure>,
    /// Other figures that differ by no more than chance on these cases; with more of them they may.
    pub within_chance: Vec<SelectionFigure>,
    /// The figures that differ by more than chance in some selection.
    pub moves: Vec<SelectionFigure>,
    /// The figures of which it cannot be told.
    pub untested: Vec<SelectionFigure>,
}

/// The cases above a score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ScoreSelected {
    /// Whose scores.
    pub model: String,
    /// As it was asked for.
    pub asked: At,
    /// Which share of the list it is, by weight. Cases are not divided, so that it may be a little more or less than was asked for.
    pub share: f64,
    /// The weight of its cases: their number without weights.
    pub cases: f64,
    /// The weight of the positives among them.
    pub positives: f64,
    /// The number with the fewest digits from which on scores are selected.
    pub threshold: f64,
    /// Which share of the cases with the lowest selected score is selected, ties taken in random order.
    pub of_lowest: f64,
}

/// A figure of all cases or of a selection.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct StressRow {
    /// Whose.
    pub model: String,
    /// Which figure.
    pub figure: SelectionFigure,
    /// Of which selection; nothing for all cases.
    pub selection: Option<At>,
    /// The figure, or nothing where it is undefined.
    pub estimate: Option<f64>,
    /// What it is compared with: the figure of all cases, or of a figure within bands what the bands of all cases make of the mix of
    /// bands in the selection.
    pub reference: Option<f64>,
    /// The figure less that.
    pub difference: Option<f64>,
    /// Lower end of the interval of the difference.
    pub lower: Option<f64>,
    /// Upper end of the interval of the difference.
    pub upper: Option<f64>,
    /// Level of the interval.
    pub level: Option<f64>,
    /// How the interval was made.
    pub method: Option<IntervalMethod>,
    /// Chance of so large a difference if there is none.
    pub p: Option<f64>,
    /// The same, adjusted by Holm over the figures and selections of the model.
    pub p_adjusted: Option<f64>,
    /// What the selection does to the figure; nothing for all cases.
    pub outcome: Option<StressOutcome>,
    /// Rows behind the figure.
    pub n: f64,
    /// Why there is no figure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undefined: Option<String>,
    /// Why the difference has no interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_interval: Option<NoInterval>,
}

/// A band of the scores of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct StressBand {
    /// Whose scores.
    pub model: String,
    /// The lowest score that belongs to it; none in the lowest band.
    pub from: Option<f64>,
    /// The score from which on the next band begins; none in the highest.
    pub to: Option<f64>,
    /// The band in words, with no more digits than it takes.
    pub label: String,
    /// The weight of its cases.
    pub cases: f64,
    /// Its strike rate, where it has cases.
    pub strike_rate: Option<f64>,
    /// Lower end of Wilson's interval of the strike rate.
    pub lower: Option<f64>,
    /// Upper end of it.
    pub upper: Option<f64>,
    /// What each selection holds of it, in the order of the selections.
    pub selected: Vec<SelectedBand>,
}

/// What a selection holds of a band.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SelectedBand {
    /// The weight of the selected cases of the band.
    pub cases: f64,
    /// Their strike rate, where there are any.
    pub strike_rate: Option<f64>,
}

impl StressSelection {
    /// The row of a figure of a model, of a selection or of all cases.
    pub fn row(&self, model: &str, figure: SelectionFigure, selection: Option<At>) -> Option<&StressRow> {
        let is_it =
            |row: &&StressRow| row.model == model && row.figure == figure && row.selection == selection;
        self.figures.iter().find(is_it)
    }
}
