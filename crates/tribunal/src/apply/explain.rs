//! A model explained: as a whole, or for rows of a table.

use tribunal_io::{ReadOptions, Source, TableReader};
use tribunal_learn::Model;

use super::explanation::{ClassScore, ExplainedRow, Explanation, ModelSummary, RowId};
use super::matching::{Beside, LabelsOf, Matched, Matching, read_matched};
use super::row_list::RowList;
use crate::any_model::AnyModel;
use crate::data::TableOrigin;
use crate::error::Error;
use crate::message::{Message, Setting};
use crate::model_file::SavedModel;
use crate::progress::OnProgress;

/// How many rows are explained if nobody says which.
const FIRST: u32 = 5;

/// The rows that are to be explained.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum WhichRows {
    /// The first five.
    #[default]
    First,
    /// Those of these numbers.
    Numbers(RowList),
    /// Those whose id is this.
    WithId(String),
}

/// The model as text. A model from outside is shown by its command.
///
/// # Errors
/// The command cannot be run.
pub fn explain_model(saved: &SavedModel) -> Result<Explanation, Error> {
    let (text, notices) = match &saved.model {
        AnyModel::Learned(model) => (Some(model.text()), Vec::new()),
        AnyModel::Outside(model) => {
            let text = model.explain()?;
            let silence = text.is_none().then(|| format!("{} explains nothing", model.learner()).into());
            (text, silence.into_iter().collect())
        }
    };
    let coefficients = match &saved.model {
        AnyModel::Learned(model) => model.coefficients(),
        AnyModel::Outside(_) => None,
    };
    let model = ModelSummary::of(&saved.model);
    Ok(Explanation { schema: Default::default(), model, text, coefficients, rows: Vec::new(), notices })
}

/// Why a model says of rows of a table what it says. Rows are named by the columns `ids`, by default those that named them
/// in training.
///
/// # Errors
/// The table cannot be read or matched with the model; a row that is asked for is not there.
pub fn explain_rows(
    saved: &SavedModel,
    source: &Source,
    which: &WhichRows,
    ids: Option<&[String]>,
    matching: &Matching,
    on_progress: OnProgress<'_>,
) -> Result<Explanation, Error> {
    let AnyModel::Learned(model) = &saved.model else {
        return Err(Error::usage(format!(
            "{} does not say why single rows get their scores; leave the data out to see what it says of the model",
            saved.model.learner()
        )));
    };
    let ids = id_columns(&saved.origin, source, ids, which)?;
    let beside = Beside { classes: false, labels: &ids };
    let mut matched = read_matched(saved.recipe(), source, matching, beside, on_progress)?;
    let mut notices = notices_of(&mut matched);
    let chosen = chosen(which, &matched, &mut notices)?;
    let explained = |&row: &u32| explained(model, &matched, row);
    Ok(Explanation {
        schema: Default::default(),
        model: ModelSummary::of(&saved.model),
        text: None,
        coefficients: None,
        rows: chosen.iter().map(explained).collect::<Result<_, Error>>()?,
        notices,
    })
}

/// The columns that name rows, as far as the table has them.
pub(super) fn id_columns(
    origin: &TableOrigin,
    source: &Source,
    asked: Option<&[String]>,
    which: &WhichRows,
) -> Result<Vec<String>, Error> {
    if let Some(ids) = asked {
        return Ok(ids.to_vec());
    }
    let table = TableReader::open(source, &ReadOptions::default())?;
    let is_there = |name: &&String| table.columns().iter().any(|column| column.name == **name);
    let ids: Vec<String> = origin.ids.iter().filter(is_there).cloned().collect();
    match which {
        WhichRows::WithId(_) if ids.is_empty() => Err(Error::usage(
            Message::from("the table has no column that the model knows as an id; name it with ")
                .set(Setting::Id, "COLUMN"),
        )),
        _ => Ok(ids),
    }
}

/// What was noticed as rows were matched.
pub(super) fn notices_of(matched: &mut Matched) -> Vec<Message> {
    std::mem::take(&mut matched.notices).into_iter().map(Message::from).collect()
}

/// The rows that are explained; where nobody said which, a notice does.
pub(super) fn chosen(
    which: &WhichRows,
    matched: &Matched,
    notices: &mut Vec<Message>,
) -> Result<Vec<u32>, Error> {
    let n_rows = matched.n_rows;
    match which {
        WhichRows::First => {
            let n_shown = FIRST.min(n_rows as u32);
            if (n_shown as usize) < n_rows {
                let message = Message::from(format!("the first {n_shown} of {n_rows} rows are explained; "));
                notices.push(message.setting(Setting::Rows).text(" chooses others"));
            }
            RowList::first(n_shown).of(n_rows).map_err(Error::usage)
        }
        WhichRows::Numbers(rows) => rows.of(n_rows).map_err(Error::usage),
        WhichRows::WithId(value) => {
            let is_named = |row: &u32| matched.labels.iter().any(|ids| ids.get(*row as usize) == Some(value));
            let rows: Vec<u32> = (0..n_rows as u32).filter(is_named).collect();
            let columns: Vec<&str> = matched.labels.iter().map(|ids| ids.column.as_str()).collect();
            match rows.is_empty() {
                true => Err(Error::usage(format!("no row has \"{value}\" in {}", columns.join(" or ")))),
                false => Ok(rows),
            }
        }
    }
}

fn explained(model: &Model, matched: &Matched, row: u32) -> Result<ExplainedRow, Error> {
    let reasons = model.explain(&matched.dataset, row)?.reasons;
    let posteriors = model.posteriors(&matched.dataset, &[row])?;
    let predicted = posteriors.predicted().next().unwrap_or(0);
    let both = model.classes().iter().zip(posteriors.row(0));
    Ok(ExplainedRow {
        row: u64::from(row) + 1,
        ids: ids_of(matched, row),
        predicted: model.classes().get(predicted).cloned().ok_or_else(|| {
            Error::data("the model gives scores of more classes than it names: fit the model again")
        })?,
        output: posteriors.output(),
        scores: both.map(|(class, &score)| ClassScore { class: class.clone(), score }).collect(),
        reasons: reasons.into(),
    })
}

/// What names a row.
pub(super) fn ids_of(matched: &Matched, row: u32) -> Vec<RowId> {
    let named = |ids: &LabelsOf| {
        let value = ids.get(row as usize)?.to_owned();
        Some(RowId { column: ids.column.clone(), value })
    };
    matched.labels.iter().filter_map(named).collect()
}
