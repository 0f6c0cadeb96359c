//! A model of amounts explained: its coefficients, or how the amounts of rows come about.

use serde::{Deserialize, Serialize};
use tribunal_io::Source;
use tribunal_learn::{AmountCoefficient, AmountRows, Contribution, Quality};

use super::explain::{WhichRows, chosen, id_columns, ids_of, notices_of};
use super::explanation::{ContributionItem, RowId};
use super::matching::{Beside, Matched, Matching, read_matched};
use crate::error::Error;
use crate::form::{Form, SchemaOf};
use crate::message::Message;
use crate::model_file::{SavedAmounts, Storable};
use crate::progress::OnProgress;

impl Form for AmountExplanation {
    const SCHEMA: &'static str = "tribunal.amount_explanation/2";
}

/// A model of amounts, and how the amounts of rows come about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct AmountExplanation {
    /// The version of this form.
    pub schema: SchemaOf<Self>,
    /// The model.
    pub model: AmountModelSummary,
    /// The model as text; not beside rows.
    pub text: Option<String>,
    /// The rows that were asked for.
    pub rows: Vec<ExplainedAmount>,
    /// What a user should know.
    pub notices: Vec<Message>,
}

/// What a model of amounts is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct AmountModelSummary {
    /// The learner.
    pub learner: String,
    /// The column of the amounts.
    pub amount: String,
    /// The target whose positive class was learned from.
    pub target: Option<String>,
    /// Its positive class.
    pub class: Option<String>,
    /// How many rows were learned from, and why others were not.
    pub rows: AmountRows,
    /// How many columns it was trained with.
    pub columns: u64,
    /// How well it fits.
    pub quality: Quality,
    /// The intercept, then each column or level.
    pub coefficients: Vec<AmountCoefficient>,
    /// What is doubtful about it.
    pub warnings: Vec<String>,
}

/// The amount of a row, and how it comes about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ExplainedAmount {
    /// The number of the row, from one.
    pub row: u64,
    /// What names it.
    pub ids: Vec<RowId>,
    /// The amount.
    pub amount: f64,
    /// The amount of the mean of the rows that were learned from.
    pub start: f64,
    /// What each column changes, the most first, up to the amount.
    pub items: Vec<ContributionItem>,
}

/// The coefficients of a model of amounts.
pub fn explain_amount_model(saved: &SavedAmounts) -> AmountExplanation {
    AmountExplanation {
        schema: SchemaOf::default(),
        model: AmountModelSummary::of(saved),
        text: Some(saved.amounts.text()),
        rows: Vec::new(),
        notices: Vec::new(),
    }
}

/// How the amounts of rows of a table come about. Rows are named by the columns `ids`, by default those that named them in
/// training.
///
/// # Errors
/// The table cannot be read or matched with the model; a row that is asked for is not there.
pub fn explain_amounts(
    saved: &SavedAmounts,
    source: &Source,
    which: &WhichRows,
    ids: Option<&[String]>,
    matching: &Matching,
    on_progress: OnProgress<'_>,
) -> Result<AmountExplanation, Error> {
    let ids = id_columns(&saved.origin, source, ids, which)?;
    let beside = Beside { classes: false, labels: &ids };
    let mut matched = read_matched(saved.recipe(), source, matching, beside, on_progress)?;
    let mut notices = notices_of(&mut matched);
    let chosen = chosen(which, &matched, &mut notices)?;
    Ok(AmountExplanation {
        schema: SchemaOf::default(),
        model: AmountModelSummary::of(saved),
        text: None,
        rows: chosen.iter().map(|&row| explained(saved, &matched, row)).collect::<Result<_, Error>>()?,
        notices,
    })
}

fn explained(saved: &SavedAmounts, matched: &Matched, row: u32) -> Result<ExplainedAmount, Error> {
    let tribunal_learn::AmountExplanation { amount, start, items } =
        saved.amounts.explain(&matched.dataset, row)?;
    let mut total = start;
    let item = |Contribution { what, change }: Contribution| {
        total += change;
        ContributionItem { what, change, total }
    };
    let items = items.into_iter().map(item).collect();
    Ok(ExplainedAmount { row: u64::from(row) + 1, ids: ids_of(matched, row), amount, start, items })
}

impl AmountModelSummary {
    fn of(saved: &SavedAmounts) -> Self {
        let model = &saved.amounts;
        AmountModelSummary {
            learner: saved.learner(),
            amount: model.amount().to_owned(),
            target: model.class().map(|class| class.target.clone()),
            class: model.class().map(|class| class.class.clone()),
            rows: model.rows(),
            columns: model.inputs().len() as u64,
            quality: *model.quality(),
            coefficients: model.coefficients(),
            warnings: model.warnings().to_vec(),
        }
    }
}
