//! One division of the rows: what is learned from, what is tuned on, what is judged.

use serde::{Deserialize, Serialize};

/// The rows of one split. Numbers count from zero and ascend; the training rows of a bootstrap replicate come in the
/// order of the draws, with repeats.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// Rows to learn from.
    pub train: Vec<u32>,
    /// Rows to choose settings on; empty unless the design is three-way.
    pub validation: Vec<u32>,
    /// Rows to be judged on.
    pub test: Vec<u32>,
}

/// Where a row stands in a split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// It is learned from.
    Train,
    /// Settings are chosen on it.
    Validation,
    /// It is judged.
    Test,
}

impl Part {
    /// Every part.
    pub const ALL: [Self; 3] = [Self::Train, Self::Validation, Self::Test];

    /// The word that stands in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Train => "train",
            Self::Validation => "validation",
            Self::Test => "test",
        }
    }
}

impl Split {
    /// A split from the part of each row.
    pub(super) fn of(parts: impl Iterator<Item = Part>) -> Self {
        let mut split = Self::default();
        for (part, row) in parts.zip(0..) {
            split.part_mut(part).push(row);
        }
        split
    }

    fn part_mut(&mut self, part: Part) -> &mut Vec<u32> {
        match part {
            Part::Train => &mut self.train,
            Part::Validation => &mut self.validation,
            Part::Test => &mut self.test,
        }
    }

    /// The rows of a part.
    pub fn part(&self, part: Part) -> &[u32] {
        match part {
            Part::Train => &self.train,
            Part::Validation => &self.validation,
            Part::Test => &self.test,
        }
    }

    /// The same split with rows renumbered: row `i` becomes `rows[i]`.
    pub(super) fn renumbered(self, rows: &[u32]) -> Self {
        let renumber = |part: Vec<u32>| part.into_iter().map(|row| rows[row as usize]).collect();
        Self { train: renumber(self.train), validation: renumber(self.validation), test: renumber(self.test) }
    }
}
