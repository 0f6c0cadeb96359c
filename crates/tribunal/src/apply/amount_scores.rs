//! A table with the amounts that a model predicts: the ids of its rows, the amounts that it has itself, the predicted ones.

use std::io::Write;

use serde::{Deserialize, Serialize};
use tribunal_io::{
    AddedColumn, AddedValues, ReadOptions, RowCopy, Source, TableFormat, TableReader, copy_table,
};

use super::matching::{Beside, Matched, Recipe, read_matched};
use super::score::{ScoreRequest, kept_columns, taken};
use crate::error::Error;
use crate::form::{Form, SchemaOf};
use crate::model_file::{SavedAmounts, Storable};
use crate::progress::{OnProgress, Progress};

/// Predicted amounts of the rows of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoredAmounts {
    /// The columns that are written of the table; `None` for all.
    kept: Option<Vec<String>>,
    amounts: Vec<f64>,
    summary: AmountSummary,
}

/// What came of the prediction of amounts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct AmountSummary {
    /// The version of this form.
    pub schema: SchemaOf<Self>,
    /// The learner of the model.
    pub learner: String,
    /// The column of amounts that it learned.
    pub amount: String,
    /// How many rows there are.
    pub rows: u64,
    /// The column that is added to those of the table.
    pub added: String,
    /// The smallest predicted amount; `None` where there are no rows.
    pub smallest: Option<f64>,
    /// The largest predicted amount.
    pub largest: Option<f64>,
    /// The mean of the predicted amounts.
    pub mean: Option<f64>,
    /// How many of them are negative.
    pub negative: u64,
    /// What a user should know: values that count as missing, columns that are not there.
    pub notices: Vec<String>,
}

impl Form for AmountSummary {
    const SCHEMA: &'static str = "tribunal.amounts/1";
}

/// What the predicted amounts are called, unless the request names them.
const NAME: &str = "amount";

/// Predicts the amount of every row of a table, in its order.
///
/// # Errors
/// The table cannot be read or matched with the model, or has a column of the name that the amounts would get.
pub fn score_amounts(
    saved: &SavedAmounts,
    source: &Source,
    request: &ScoreRequest,
    on_progress: OnProgress<'_>,
) -> Result<ScoredAmounts, Error> {
    let added = request.name.clone().unwrap_or_else(|| NAME.to_owned());
    let kept = kept(saved, source, request, &added)?;
    let beside = Beside::default();
    let Matched { dataset, n_rows, notices, .. } =
        read_matched(saved.recipe(), source, &request.matching, beside, on_progress)?;
    let amounts = saved.amounts.predict(&dataset, &(0..n_rows as u32).collect::<Vec<_>>())?;
    let summary = AmountSummary {
        schema: SchemaOf::default(),
        learner: saved.learner(),
        amount: saved.amounts.amount().to_owned(),
        rows: n_rows as u64,
        added,
        smallest: amounts.iter().copied().reduce(f64::min),
        largest: amounts.iter().copied().reduce(f64::max),
        mean: mean(&amounts),
        negative: amounts.iter().filter(|&&amount| amount < 0.0).count() as u64,
        notices,
    };
    Ok(ScoredAmounts { kept, amounts, summary })
}

/// The mean; shares are added up, because amounts of 1e308 would not be.
fn mean(amounts: &[f64]) -> Option<f64> {
    let n = amounts.len() as f64;
    (n > 0.0).then(|| amounts.iter().map(|amount| amount / n).sum())
}

/// The columns of the table that are written, its own amounts among them; `None` for all.
fn kept(
    saved: &SavedAmounts,
    source: &Source,
    request: &ScoreRequest,
    added: &str,
) -> Result<Option<Vec<String>>, Error> {
    let table = TableReader::open(source, &ReadOptions::default())?;
    let known: Vec<&str> = table.columns().iter().map(|column| column.name.as_str()).collect();
    let mut kept = kept_columns(&saved.origin, request.ids.as_deref(), &request.keep, &known);
    let amount = saved.amounts.amount();
    if let Some(kept) = &mut kept
        && known.contains(&amount)
        && !kept.iter().any(|name| name == amount)
    {
        kept.push(amount.to_owned());
    }
    let is_taken = match &kept {
        Some(kept) => kept.iter().any(|name| name == added),
        None => known.contains(&added),
    };
    if is_taken { Err(taken(added)) } else { Ok(kept) }
}

impl SavedAmounts {
    /// What it says of the tables that it is applied to.
    pub(super) fn recipe(&self) -> Recipe<'_> {
        Recipe { inputs: self.amounts.inputs(), origin: &self.origin }
    }
}

impl ScoredAmounts {
    /// What came of it.
    pub fn summary(&self) -> &AmountSummary {
        &self.summary
    }

    /// The predicted amounts, row by row.
    pub fn amounts(&self) -> &[f64] {
        &self.amounts
    }

    /// Writes the kept columns of the table with the amounts beside them, row by row in its order.
    ///
    /// # Errors
    /// The table cannot be read or written.
    pub fn write(
        &self,
        source: &Source,
        format: TableFormat,
        out: &mut (dyn Write + Send),
        on_progress: OnProgress<'_>,
    ) -> Result<(), tribunal_io::Error> {
        let kept: Option<Vec<&str>> =
            self.kept.as_ref().map(|kept| kept.iter().map(String::as_str).collect());
        let added = [AddedColumn { name: &self.summary.added, values: AddedValues::Numbers(&self.amounts) }];
        let copying = RowCopy { keep: None, columns: kept.as_deref(), added: &added };
        let on_read = |read| on_progress(Progress::Reading(read));
        copy_table(source, &ReadOptions::default(), &copying, format, out, &on_read)?;
        Ok(())
    }
}
