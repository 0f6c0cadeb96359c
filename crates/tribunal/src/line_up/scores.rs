//! What a line-up said of the rows that it was tested on.

use tribunal_learn::Posteriors;

use super::entrant::Entrant;
use crate::resampling::SplitPlace;

/// The scores of each entrant for the test rows of each split.
#[derive(Clone, Debug, PartialEq)]
pub struct LineUpScores {
    /// The name of the target.
    pub target: String,
    /// The classes; of two the second is the positive one.
    pub classes: Vec<String>,
    /// The rows that each split was tested on.
    pub splits: Vec<TestedRows>,
    /// The entrants, in their order.
    pub entrants: Vec<EntrantScores>,
}

/// The rows that a split tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestedRows {
    /// Which repetition and fold it is.
    pub place: SplitPlace,
    /// The rows, ascending.
    pub rows: Vec<u32>,
}

/// What an entrant said of each split.
#[derive(Clone, Debug, PartialEq)]
pub struct EntrantScores {
    /// The entrant.
    pub entrant: Entrant,
    /// One outcome a split.
    pub outcomes: Vec<Outcome>,
    /// Whether a command scored a split alike when it was fitted again with the same seed; `None` if that was not tried.
    pub is_repeatable: Option<bool>,
}

/// The scores of a split, or why there are none.
pub type Outcome = Result<SplitScores, String>;

/// The scores of the test rows of a split.
#[derive(Clone, Debug, PartialEq)]
pub struct SplitScores {
    /// The probability of each class, row by row, without costs in it where these can be taken out.
    pub posteriors: Posteriors,
    /// The learner with the settings that were chosen inside the training part, where some were open.
    pub tuned: Option<String>,
    /// Whether the choice fell on the edge of what was tried, though there are learners beyond.
    pub at_edge: bool,
}

impl EntrantScores {
    /// Whether there is any score of it.
    pub fn has_scores(&self) -> bool {
        self.outcomes.iter().any(Result::is_ok)
    }
}
