//! What came of a line-up: who has scores, who failed where and why.

use serde::{Deserialize, Serialize};

use super::held_out::split_names;
use super::scores::{EntrantScores, LineUpScores};
use crate::describe::ClassCount;
use crate::form::{Form, SchemaOf};

impl Form for CrossSummary {
    const SCHEMA: &'static str = "tribunal.cross/1";
}

/// What came of a line-up on a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct CrossSummary {
    /// The version of this form.
    pub schema: SchemaOf<Self>,
    /// The target.
    pub target: String,
    /// The classes with their rows; of two the second is the positive one.
    pub classes: Vec<ClassCount>,
    /// How many rows have a target.
    pub rows: u64,
    /// How many columns were learned from.
    pub columns: u64,
    /// How rows were divided.
    pub design: String,
    /// The hash of the plan: who has the same met the same rows.
    pub plan: String,
    /// The seed.
    pub seed: u64,
    /// How many splits there are.
    pub splits: u64,
    /// How many rows are written; those of several repetitions count as often.
    pub tested: u64,
    /// The columns that are written besides those of the table.
    pub added: Vec<String>,
    /// The learners, in the order in which they were named.
    pub learners: Vec<EntrantSummary>,
    /// What is doubtful.
    pub warnings: Vec<String>,
    /// What was noticed about the table: columns and rows that were left out.
    pub notices: Vec<String>,
}

/// What came of a learner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct EntrantSummary {
    /// The learner.
    pub learner: String,
    /// On how many splits it has scores.
    pub scored: u64,
    /// Where it failed, and why.
    pub failed: Vec<FailedSplits>,
    /// The settings that were chosen inside training parts, each with the number of splits.
    pub tuned: Vec<(String, u64)>,
    /// Whether a command scored alike when it was fitted again with the same seed; `None` if that was not tried.
    pub repeatable: Option<bool>,
}

/// Splits on which a learner failed for the same reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct FailedSplits {
    /// The folds, as the table names them.
    pub folds: Vec<String>,
    /// Why.
    pub reason: String,
}

impl CrossSummary {
    /// Whether any learner has a score.
    pub fn has_scores(&self) -> bool {
        self.learners.iter().any(|learner| learner.scored > 0)
    }
}

/// What came of each entrant.
pub(super) fn entrant_summaries(scores: &LineUpScores) -> Vec<EntrantSummary> {
    let names = split_names(scores.splits.iter().map(|split| split.place));
    let summary = |entrant: &EntrantScores| EntrantSummary {
        learner: entrant.entrant.to_string(),
        scored: entrant.outcomes.iter().filter(|outcome| outcome.is_ok()).count() as u64,
        failed: failed_splits(
            entrant.outcomes.iter().map(|outcome| outcome.as_ref().err().map(String::as_str)),
            &names,
        ),
        tuned: counted(entrant.outcomes.iter().flatten().filter_map(|scores| scores.tuned.as_deref())),
        repeatable: entrant.is_repeatable,
    };
    scores.entrants.iter().map(summary).collect()
}

/// What a user should know of entrants beyond their failures.
pub(super) fn entrant_warnings(scores: &LineUpScores) -> Vec<String> {
    let is_fickle = |entrant: &&EntrantScores| entrant.is_repeatable == Some(false);
    let warning = |entrant: &EntrantScores| {
        format!(
            "{} does not do the same twice with the same seed; have it draw from TRIBUNAL_SEED",
            entrant.entrant
        )
    };
    scores.entrants.iter().filter(is_fickle).map(warning).collect()
}

/// Splits that failed for the same reason, together; `reasons` and `names` stand in the order of the splits.
pub(crate) fn failed_splits<'a>(
    reasons: impl Iterator<Item = Option<&'a str>>,
    names: &[String],
) -> Vec<FailedSplits> {
    let mut failures: Vec<FailedSplits> = Vec::new();
    for (reason, name) in reasons.zip(names) {
        let Some(reason) = reason else { continue };
        match failures.iter_mut().find(|known| known.reason == reason) {
            Some(known) => known.folds.push(name.clone()),
            None => failures.push(FailedSplits { folds: vec![name.clone()], reason: reason.to_owned() }),
        }
    }
    failures
}

/// Settings with the number of splits they were chosen on, the most frequent first.
pub(crate) fn counted<'a>(chosen: impl Iterator<Item = &'a str>) -> Vec<(String, u64)> {
    let mut counts: Vec<(String, u64)> = Vec::new();
    for settings in chosen {
        match counts.iter_mut().find(|(known, _)| known == settings) {
            Some((_, n)) => *n += 1,
            None => counts.push((settings.to_owned(), 1)),
        }
    }
    counts.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    counts
}
