//! What the journal of a study holds: every result that is finished.

use serde::{Deserialize, Serialize};
use tribunal_learn::{Output, Posteriors};

use crate::run_folder::{read_numbers, write_numbers};

/// A finished result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Record {
    /// A learner on a split of a scenario.
    Split { place: CellPlace, split: usize, held: Held },
    /// Whether a command scores alike when it is fitted again.
    Repeatable { place: CellPlace, repeatable: bool },
    /// The settings that were chosen on all rows of a scenario, and the seconds that the choice took.
    Chosen { scenario: usize, learner: usize, settings: String, seconds: f64 },
    /// A learner on all rows of a scenario.
    Whole { scenario: usize, learner: usize, whole: Result<Whole, String> },
}

/// A learner in a scenario under a design, by their places in the study.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct CellPlace {
    pub(super) design: usize,
    pub(super) scenario: usize,
    pub(super) learner: usize,
}

/// What a learner said of the rows that a split held out, or why it said nothing.
pub(super) type Held = Result<HeldOut, String>;

/// What a learner said of the rows that a split held out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct HeldOut {
    /// The score of each row.
    #[serde(serialize_with = "write_numbers", deserialize_with = "read_numbers")]
    pub(super) scores: Vec<f64>,
    /// Whether scores are margins; probabilities otherwise.
    pub(super) margins: bool,
    /// From which score on a row is taken for positive, where costs have moved that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) moved_cut: Option<f64>,
    /// The settings that were chosen, where some were open.
    pub(super) tuned: Option<String>,
    /// Whether the choice fell on the edge of its grid.
    pub(super) at_edge: bool,
}

impl HeldOut {
    /// What probabilities or margins without costs in them say of the positive class.
    pub(super) fn of(posteriors: &Posteriors) -> Self {
        let (output, cut) = (posteriors.output(), posteriors.cut());
        HeldOut {
            scores: posteriors.scores(),
            margins: output == Output::Margins,
            moved_cut: (cut != output.cut()).then_some(cut),
            tuned: None,
            at_edge: false,
        }
    }

    /// How its scores are read.
    pub(super) fn reading(&self) -> ScoreReading {
        let output = if self.margins { Output::Margins } else { Output::Probabilities };
        ScoreReading { margins: self.margins, cut: self.moved_cut.unwrap_or(output.cut()) }
    }
}

/// How scores are read: whether they are margins, and from which one on a row is taken for positive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ScoreReading {
    pub(super) margins: bool,
    pub(super) cut: f64,
}

/// A model of all rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Whole {
    /// What it says of the rows that it learned from.
    pub(super) held: HeldOut,
    /// How large it is as it is saved.
    pub(super) bytes: u64,
    /// Seconds for the choice of settings, for the fit, and for scoring.
    pub(super) tuning: Option<f64>,
    pub(super) training: f64,
    pub(super) scoring: f64,
}
