//! A model explained: as a whole, or for rows of a table.

use tribunal_io::{ReadOptions, Source, TableReader};
use tribunal_learn::{CoefficientTable, Dataset, Posteriors};

use super::explanation::{
    ClassScore, ExplainedRow, Explanation, MemberReasons, MemberText, ModelSummary, RowId, RowReasons,
};
use super::matching::{Beside, LabelsOf, Matched, Matching, read_matched};
use super::row_list::RowList;
use crate::any_model::AnyModel;
use crate::committee_model::{CommitteeModel, MemberModel};
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

/// The model as text. A model from outside is shown by its command, a committee member by member.
///
/// # Errors
/// A command cannot be run.
pub fn explain_model(saved: &SavedModel) -> Result<Explanation, Error> {
    let mut notices = Vec::new();
    let (text, coefficients) = text_of(&saved.model, &mut notices)?;
    let members = match &saved.model {
        AnyModel::Committee(committee) => {
            let of_member = |member: &MemberModel| {
                let (text, coefficients) = text_of(&member.model, &mut notices)?;
                Ok(MemberText { learner: member.model.learner(), weight: member.weight, text, coefficients })
            };
            committee.members().iter().map(of_member).collect::<Result<Vec<MemberText>, Error>>()?
        }
        AnyModel::Learned(_) | AnyModel::Outside(_) => Vec::new(),
    };
    let model = ModelSummary::of(&saved.model);
    let rows = Vec::new();
    Ok(Explanation { schema: Default::default(), model, text, coefficients, members, rows, notices })
}

/// What a single model is, in words and in coefficients. A committee has neither.
fn text_of(
    model: &AnyModel,
    notices: &mut Vec<Message>,
) -> Result<(Option<String>, Option<CoefficientTable>), Error> {
    match model {
        AnyModel::Learned(model) => Ok((Some(model.text()), model.coefficients())),
        AnyModel::Outside(model) => {
            let text = model.explain()?;
            let silence = text.is_none().then(|| format!("{} explains nothing", model.learner()).into());
            notices.extend(silence);
            Ok((text, None))
        }
        AnyModel::Committee(_) => Ok((None, None)),
    }
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
    if let AnyModel::Outside(model) = &saved.model {
        return Err(Error::usage(format!(
            "{} does not say why single rows get their scores; leave the data out to see what it says of the model",
            model.learner()
        )));
    }
    let ids = id_columns(&saved.origin, source, ids, which)?;
    let beside = Beside { classes: false, labels: &ids };
    let mut matched = read_matched(saved.recipe(), source, matching, beside, on_progress)?;
    let mut notices = notices_of(&mut matched);
    let chosen = chosen(which, &matched, &mut notices)?;
    let explained = |&row: &u32| explained(&saved.model, &matched, row);
    Ok(Explanation {
        schema: Default::default(),
        model: ModelSummary::of(&saved.model),
        text: None,
        coefficients: None,
        members: Vec::new(),
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

fn explained(model: &AnyModel, matched: &Matched, row: u32) -> Result<ExplainedRow, Error> {
    let dataset = &matched.dataset;
    let (posteriors, reasons) = match model {
        AnyModel::Committee(committee) => members_heard(committee, dataset, row)?,
        single => {
            let reasons = reasons_of(single, dataset, row)?.ok_or_else(|| {
                Error::usage(format!("{} does not say why single rows get their scores", single.learner()))
            })?;
            (single.posteriors(dataset, &[row])?, reasons)
        }
    };
    Ok(ExplainedRow {
        row: u64::from(row) + 1,
        ids: ids_of(matched, row),
        predicted: predicted(&posteriors, model.classes())?,
        output: posteriors.output(),
        scores: class_scores(model.classes(), posteriors.row(0)),
        reasons,
    })
}

/// Why a single model says what it says; nothing of a command, which does not tell.
fn reasons_of(model: &AnyModel, dataset: &Dataset, row: u32) -> Result<Option<RowReasons>, Error> {
    match model {
        AnyModel::Learned(model) => Ok(Some(model.explain(dataset, row)?.reasons.into())),
        AnyModel::Outside(_) | AnyModel::Committee(_) => Ok(None),
    }
}

/// What a committee says of a row, and what each of its members.
fn members_heard(
    committee: &CommitteeModel,
    dataset: &Dataset,
    row: u32,
) -> Result<(Posteriors, RowReasons), Error> {
    let heard = |member: &MemberModel| {
        let (model, said) = (&member.model, member.posteriors(dataset, &[row])?);
        Ok(MemberReasons {
            learner: model.learner(),
            weight: member.weight,
            predicted: predicted(&said.own, model.classes())?,
            output: said.own.output(),
            scores: class_scores(model.classes(), said.own.row(0)),
            enters_with: class_scores(model.classes(), said.scaled.row(0)),
            reasons: reasons_of(model, dataset, row)?,
        })
    };
    let members = committee.members().iter().map(heard).collect::<Result<_, Error>>()?;
    Ok((committee.posteriors(dataset, &[row])?, RowReasons::Members { members }))
}

fn class_scores(classes: &[String], scores: &[f64]) -> Vec<ClassScore> {
    let both = classes.iter().zip(scores);
    both.map(|(class, &score)| ClassScore { class: class.clone(), score }).collect()
}

/// The class that the first row is taken for.
fn predicted(posteriors: &Posteriors, classes: &[String]) -> Result<String, Error> {
    let predicted = posteriors.predicted().next().unwrap_or(0);
    classes.get(predicted).cloned().ok_or_else(|| {
        Error::data("the model gives scores of more classes than it names: fit the model again")
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
