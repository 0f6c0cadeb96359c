//! What a model is and why it says what it says, as plain data.
//!
//! JSON has no word for infinity, and a value that one of the classes never has is infinite evidence. It is written as a
//! log-odds of null that is certain, with the class that it favours.

use serde::{Deserialize, Serialize};
use tribunal_learn::{CoefficientTable, Influence, Input, Neighbour, Output, Path, Reasons};

use crate::any_model::AnyModel;
use crate::committee_model::MemberModel;
use crate::form::{Form, SchemaOf};
use crate::message::Message;

impl Form for Explanation {
    const SCHEMA: &'static str = "tribunal.explanation/3";
}

/// A model, and the reasons it has for rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Explanation {
    /// The version of this form.
    pub schema: SchemaOf<Self>,
    /// The model.
    pub model: ModelSummary,
    /// The model as text; not beside the reasons for rows.
    pub text: Option<String>,
    /// Its coefficients, if it is a regression; not beside the reasons for rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coefficients: Option<CoefficientTable>,
    /// The members of a committee as texts, in their order; not beside the reasons for rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<MemberText>,
    /// The rows that were asked for.
    pub rows: Vec<ExplainedRow>,
    /// What a user should know.
    pub notices: Vec<Message>,
}

/// What a model is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ModelSummary {
    /// The learner.
    pub learner: String,
    /// Its family.
    pub family: String,
    /// The target.
    pub target: String,
    /// The classes; of two the second is the positive one.
    pub classes: Vec<String>,
    /// How many rows it was trained on.
    pub rows: u64,
    /// The columns it was trained with.
    pub inputs: Vec<InputSummary>,
    /// What is doubtful about it.
    pub warnings: Vec<String>,
    /// Those who speak in a committee.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<MemberSummary>,
}

/// Who speaks in a committee.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct MemberSummary {
    /// The learner.
    pub learner: String,
    /// Its family.
    pub family: String,
    /// Its share of what the committee says.
    pub weight: f64,
    /// What the logarithms of its probabilities are divided by.
    pub temperature: f64,
    /// Whether its probabilities are made of margins, by a sigmoid.
    pub gives_margins: bool,
}

/// A member of a committee as text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct MemberText {
    /// The learner.
    pub learner: String,
    /// Its share of what the committee says.
    pub weight: f64,
    /// The model; nothing where a command explains nothing.
    pub text: Option<String>,
    /// Its coefficients, if it is a regression.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coefficients: Option<CoefficientTable>,
}

/// A column that a model was trained with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct InputSummary {
    /// Its name.
    pub name: String,
    /// Its kind, as a schema would say it.
    pub kind: String,
    /// Its levels, where it has any.
    pub levels: Vec<String>,
}

/// What a model says of a row, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ExplainedRow {
    /// The number of the row, from one.
    pub row: u64,
    /// What names it.
    pub ids: Vec<RowId>,
    /// The class that it is taken for.
    pub predicted: String,
    /// What the scores are.
    pub output: Output,
    /// The score of each class.
    pub scores: Vec<ClassScore>,
    /// The reasons.
    pub reasons: RowReasons,
}

/// A name of a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RowId {
    /// The column.
    pub column: String,
    /// What it says.
    pub value: String,
}

/// The score of a class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ClassScore {
    /// The class.
    pub class: String,
    /// Its probability or margin.
    pub score: f64,
}

/// The reasons of a model, in the form that suits it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", tag = "form")]
pub enum RowReasons {
    /// What speaks for a class and against another, in log-odds that add up.
    Evidence {
        /// What positive evidence speaks for.
        for_class: String,
        /// What negative evidence speaks for.
        against_class: String,
        /// What is said before a row is known, then each column, the strongest first.
        items: Vec<EvidenceItem>,
    },
    /// How columns change the score of a class; the changes add up to it.
    Contributions {
        /// The class.
        for_class: String,
        /// Its score before anything is known of the row.
        start: f64,
        /// What each column changes, the most first.
        items: Vec<ContributionItem>,
    },
    /// The ways down a tree.
    Paths {
        /// Each way with its share of the row.
        paths: Vec<Path>,
    },
    /// The training rows that vote.
    Neighbours {
        /// How many votes there are.
        k: f64,
        /// Who has them, the nearest first.
        items: Vec<Neighbour>,
        /// How many more have a share of the votes.
        left: usize,
    },
    /// How training rows pull the margin of a class; with where it starts and all others they add up to it.
    Influences {
        /// The class.
        for_class: String,
        /// Where the margin starts.
        start: f64,
        /// The rows that pull most, the strongest first.
        items: Vec<Influence>,
        /// What all other rows add together.
        others: f64,
        /// How many they are.
        left: usize,
    },
    /// The members of a committee; the probabilities that they enter with, times their weights, add up to its own.
    Members {
        /// What each says and why, in the order of the committee.
        members: Vec<MemberReasons>,
    },
}

/// What a member of a committee says of a row, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct MemberReasons {
    /// The learner.
    pub learner: String,
    /// Its share of what the committee says.
    pub weight: f64,
    /// The class that it takes the row for.
    pub predicted: String,
    /// What its own scores are.
    pub output: Output,
    /// Its own score of each class.
    pub scores: Vec<ClassScore>,
    /// The probability of each class that it enters with: calibrated and temperature-scaled.
    pub enters_with: Vec<ClassScore>,
    /// Why its own scores are what they are; nothing of a command, which does not say.
    pub reasons: Option<RowReasons>,
}

/// A piece of evidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EvidenceItem {
    /// The column and its value; `None` for what is known before any column.
    pub what: Option<String>,
    /// Its log-odds; `None` where they are infinite or undefined.
    pub log_odds: Option<f64>,
    /// Whether one of the classes never has this value, which rules it out.
    pub certain: bool,
    /// The class it speaks for; `None` if for neither.
    pub favours: Option<String>,
    /// The log-odds of this and everything before; `None` where they are infinite or undefined.
    pub total: Option<f64>,
}

/// What a column changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ContributionItem {
    /// The column and its value.
    pub what: String,
    /// By how much the score rises, or the amount.
    pub change: f64,
    /// The score or the amount after this and everything before.
    pub total: f64,
}

impl ModelSummary {
    pub(super) fn of(model: &AnyModel) -> Self {
        let input = |input: &Input| InputSummary {
            name: input.name.clone(),
            kind: input.kind.to_string(),
            levels: input.kind.levels().to_vec(),
        };
        ModelSummary {
            learner: model.learner(),
            family: model.family_name().to_owned(),
            target: model.target().to_owned(),
            classes: model.classes().to_vec(),
            rows: model.n_rows() as u64,
            inputs: model.inputs().iter().map(input).collect(),
            warnings: model.warnings(),
            members: match model {
                AnyModel::Committee(committee) => committee.members().iter().map(MemberSummary::of).collect(),
                AnyModel::Learned(_) | AnyModel::Outside(_) => Vec::new(),
            },
        }
    }
}

impl MemberSummary {
    fn of(member: &MemberModel) -> Self {
        MemberSummary {
            learner: member.model.learner(),
            family: member.model.family_name().to_owned(),
            weight: member.weight,
            temperature: member.scaling.temperature,
            gives_margins: member.model.output() == Output::Margins,
        }
    }
}

impl From<Reasons> for RowReasons {
    fn from(reasons: Reasons) -> Self {
        match reasons {
            Reasons::Evidence { for_class, against_class, prior, items } => {
                let items = items.into_iter().map(|item| (Some(item.what), item.log_odds)).collect();
                RowReasons::Evidence {
                    items: weighed(prior, items, &for_class, &against_class),
                    for_class,
                    against_class,
                }
            }
            Reasons::Contributions { for_class, start, items } => {
                let changes = items.into_iter().map(|item| (item.what, item.change));
                RowReasons::contributions(for_class, start, changes)
            }
            Reasons::Paths { paths } => RowReasons::Paths { paths },
            Reasons::Neighbours { k, items, left } => RowReasons::Neighbours { k, items, left },
            Reasons::Influences { for_class, start, items, others, left } => {
                RowReasons::Influences { for_class, start, items, others, left }
            }
        }
    }
}

impl RowReasons {
    /// Changes with their running total.
    pub fn contributions(
        for_class: String,
        start: f64,
        changes: impl IntoIterator<Item = (String, f64)>,
    ) -> Self {
        let mut total = start;
        let item = |(what, change): (String, f64)| {
            total += change;
            ContributionItem { what, change, total }
        };
        let items = changes.into_iter().map(item).collect();
        RowReasons::Contributions { for_class, start, items }
    }
}

impl MemberReasons {
    /// A row as this member sees it; nothing of a command, which does not say why.
    pub fn alone(&self, row: &ExplainedRow) -> Option<ExplainedRow> {
        Some(ExplainedRow {
            predicted: self.predicted.clone(),
            output: self.output,
            scores: self.scores.clone(),
            reasons: self.reasons.clone()?,
            ..row.clone()
        })
    }
}

/// Evidence with its running total, the strongest first; what says nothing stands last.
fn weighed(
    prior: f64,
    mut items: Vec<(Option<String>, f64)>,
    for_class: &str,
    against_class: &str,
) -> Vec<EvidenceItem> {
    let strength = |log_odds: f64| if log_odds.is_nan() { -1.0 } else { log_odds.abs() };
    items.sort_by(|a, b| strength(b.1).total_cmp(&strength(a.1)));
    items.insert(0, (None, prior));
    let finite = |value: f64| value.is_finite().then_some(value);
    let mut total = 0.0;
    let item = |(what, log_odds): (Option<String>, f64)| {
        total += if log_odds.is_nan() { 0.0 } else { log_odds };
        let favours = match log_odds {
            odds if odds > 0.0 => Some(for_class.to_owned()),
            odds if odds < 0.0 => Some(against_class.to_owned()),
            _ => None,
        };
        let certain = log_odds.is_infinite();
        EvidenceItem { what, log_odds: finite(log_odds), certain, favours, total: finite(total) }
    };
    items.into_iter().map(item).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_is_sorted_and_added_up() {
        let items = [("weak", 0.25), ("none", f64::NAN), ("sure", f64::NEG_INFINITY), ("strong", -2.0)];
        let items = items.map(|(what, log_odds)| (Some(what.to_owned()), log_odds)).to_vec();
        let found = weighed(-1.0, items[..1].to_vec(), "yes", "no");
        assert_eq!(found.iter().map(|item| item.total).collect::<Vec<_>>(), [Some(-1.0), Some(-0.75)]);
        assert_eq!(found[1].favours.as_deref(), Some("yes"));
        let found = weighed(-1.0, items, "yes", "no");
        let names: Vec<&str> = found.iter().map(|item| item.what.as_deref().unwrap_or("prior")).collect();
        assert_eq!(names, ["prior", "sure", "strong", "weak", "none"]);
        let sure = serde_json::to_value(&found[1]).expect("JSON");
        let expected = serde_json::json!({
            "what": "sure", "log_odds": null, "certain": true, "favours": "no", "total": null
        });
        assert_eq!(sure, expected);
        assert_eq!((found[4].certain, found[4].favours.as_deref()), (false, None));
    }
}
