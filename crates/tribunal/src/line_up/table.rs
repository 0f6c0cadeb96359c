//! A line-up on the rows of a table, and its held-out scores as a table that `tribunal evaluate` reads.

use std::io::Write;

use arrow_array::{RecordBatch, UInt32Array};
use arrow_ipc::reader::FileReader;
use arrow_schema::ArrowError;
use arrow_select::concat::concat_batches;
use arrow_select::take::take_record_batch;
use tribunal_io::{ReadOptions, RowCopy, Source, TableFormat, TableReader, TableWriter, copy_table};

use super::costs::about_costs;
use super::cross::cross_validate;
use super::entrant::Entrant;
use super::held_out::{Beside, batches};
use super::scores::LineUpScores;
use super::summary::{CrossSummary, entrant_summaries, entrant_warnings};
use crate::apply::{Keep, kept_columns};
use crate::data::{DataRequest, LoadedData, load_data};
use crate::division::Division;
use crate::error::Error;
use crate::fit::class_counts;
use crate::message::{Message, Setting};
use crate::progress::{OnProgress, Progress};
use crate::resampling::{Design, Plan};

/// Who is tried on what, and how.
#[derive(Clone, Debug)]
pub struct CrossRequest {
    /// The table and its target.
    pub data: DataRequest,
    /// Who takes part.
    pub entrants: Vec<Entrant>,
    /// How rows are divided. A column that it names is not learned from, unless its kind is declared.
    pub design: Design,
    /// The column of groups that no split may tear apart.
    pub group: Option<String>,
    /// Which columns of the table are written too.
    pub keep: Keep,
    /// The seed of the plan and of whatever the learners draw.
    pub seed: u64,
}

/// Held-out scores of the rows of a table.
#[derive(Clone, Debug)]
pub struct CrossTable {
    /// One for each repetition.
    batches: Vec<RecordBatch>,
    scores: LineUpScores,
    summary: CrossSummary,
}

/// Tries a line-up on the rows of a table.
///
/// # Errors
/// The table cannot be read or divided, has no target with at least two classes, or has columns of the names that are
/// added. Learners that fail are no error; see [`CrossSummary`].
pub fn cross_table(
    source: &Source,
    request: &CrossRequest,
    on_progress: OnProgress<'_>,
) -> Result<CrossTable, Error> {
    check_entrants(&request.entrants)?;
    let division = Division::new(&request.design, request.group.as_deref())?;
    let columns = division.read(source, on_progress)?;
    let mut data = request.data.clone();
    division.keep_out(&mut data);
    let loaded = load_data(source, &data, on_progress)?;
    let Some(target) = loaded.dataset.target() else {
        return Err(no_target());
    };
    let plan = division.plan(&columns, &loaded.rows, target, request.seed)?;
    let kept = kept_names(source, request, &loaded)?;
    let is_target = |name: &String| Some(name) == loaded.origin.target_column.as_ref();
    let mut beside = Beside {
        kept: None,
        numbers: kept.iter().all(is_target).then_some(&loaded.rows[..]),
        truth: loaded
            .origin
            .rule
            .as_ref()
            .map(|_| target)
            .filter(|target| !kept.contains(&target.name().to_owned())),
    };
    let added = added_names(&beside, &plan, &request.entrants, target.classes());
    check_names(&kept, &added)?;
    beside.kept =
        (!kept.is_empty()).then(|| kept_batch(source, &kept, &loaded.rows, on_progress)).transpose()?;
    let scores = cross_validate(&request.entrants, &loaded.dataset, &plan, request.seed, on_progress)?;
    let batches = batches(&scores, &beside, &added).map_err(|error| unkept(&error))?;
    let mut summary = summary(request, &plan, &loaded, added, &scores);
    let time = division.time_summary(&columns, &loaded.rows, &plan);
    summary.notices.extend(time.map(|time| time.to_string()));
    let learned = scores.entrants.iter().filter_map(|entrant| {
        let found = entrant.outcomes.iter().flatten().next()?;
        about_costs(&entrant.entrant, &found.posteriors)
    });
    summary.notices.extend(learned);
    Ok(CrossTable { batches, scores, summary })
}

/// Nobody said what is to be predicted.
pub(crate) fn no_target() -> Error {
    Error::usage(Message::from("what is to be predicted? Name its column with ").setting(Setting::Target))
}

/// There is somebody, and nobody twice: columns are named by learners.
pub(crate) fn check_entrants(entrants: &[Entrant]) -> Result<(), Error> {
    if entrants.is_empty() {
        return Err(Error::usage(
            Message::from("nobody takes part; name a learner with ").setting(Setting::Learner),
        ));
    }
    let twice = (1..entrants.len()).find(|&idx| entrants[..idx].contains(&entrants[idx]));
    twice.map_or(Ok(()), |idx| Err(Error::usage(format!("{} is named twice; name it once", entrants[idx]))))
}

/// The columns of the table that are written.
fn kept_names(source: &Source, request: &CrossRequest, loaded: &LoadedData) -> Result<Vec<String>, Error> {
    let table = TableReader::open(source, &ReadOptions::default())?;
    let known: Vec<&str> = table.columns().iter().map(|column| column.name.as_str()).collect();
    let kept = kept_columns(&loaded.origin, None, &request.keep, &known);
    Ok(kept.unwrap_or_else(|| known.into_iter().map(str::to_owned).collect()))
}

/// The columns that are added, in their order.
fn added_names(beside: &Beside<'_>, plan: &Plan, entrants: &[Entrant], classes: &[String]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    names.extend(beside.numbers.map(|_| "row".to_owned()));
    names.extend(beside.truth.map(|truth| truth.name().to_owned()));
    names.push("fold".to_owned());
    let last = plan.place(plan.n_splits() - 1);
    names.extend((last.repetition > 0).then(|| "repetition".to_owned()));
    for entrant in entrants {
        match classes {
            [_, _] => names.push(entrant.to_string()),
            classes => names.extend(classes.iter().map(|class| format!("{entrant}_{class}"))),
        }
    }
    names
}

fn check_names(kept: &[String], added: &[String]) -> Result<(), Error> {
    match added.iter().find(|name| kept.contains(name)) {
        Some(name) => {
            let message = format!(
                "a column \"{name}\" of the table would be written beside the \"{name}\" that is added; rename it, or \
                 leave it out of "
            );
            let message = Message::from(message).setting(Setting::Keep).text(" and ");
            Err(Error::usage(message.setting(Setting::Id)))
        }
        None => Ok(()),
    }
}

/// The columns of the table that are written, of rows that have a target, with the types they have.
fn kept_batch(
    source: &Source,
    names: &[String],
    rows: &[u32],
    on_progress: OnProgress<'_>,
) -> Result<RecordBatch, Error> {
    let unread = |error: ArrowError| unkept(&error);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let copying = RowCopy { columns: Some(&names), ..RowCopy::default() };
    let mut bytes = Vec::new();
    let on_read = |read| on_progress(Progress::Reading(read));
    copy_table(source, &ReadOptions::default(), &copying, TableFormat::ArrowIpc, &mut bytes, &on_read)?;
    let reader = FileReader::try_new(std::io::Cursor::new(bytes), None).map_err(unread)?;
    let schema = reader.schema();
    let batches = reader.collect::<Result<Vec<RecordBatch>, _>>().map_err(unread)?;
    let all = concat_batches(&schema, &batches).map_err(unread)?;
    take_record_batch(&all, &UInt32Array::from(rows.to_vec())).map_err(unread)
}

fn unkept(error: &ArrowError) -> Error {
    Error::data(format!("columns of the table cannot be written beside the scores: {error}"))
}

fn summary(
    request: &CrossRequest,
    plan: &Plan,
    loaded: &LoadedData,
    added: Vec<String>,
    scores: &LineUpScores,
) -> CrossSummary {
    let mut warnings: Vec<String> = plan.warnings().iter().map(ToString::to_string).collect();
    warnings.extend(entrant_warnings(scores));
    CrossSummary {
        schema: Default::default(),
        target: scores.target.clone(),
        classes: class_counts(&loaded.dataset),
        rows: loaded.dataset.n_rows() as u64,
        columns: loaded.dataset.columns().len() as u64,
        design: plan.design().to_string(),
        plan: plan.hash(),
        seed: request.seed,
        splits: plan.n_splits() as u64,
        tested: scores.splits.iter().map(|split| split.rows.len() as u64).sum(),
        added,
        learners: entrant_summaries(scores),
        warnings,
        notices: loaded.notices.clone(),
    }
}

impl CrossTable {
    /// What came of it.
    pub fn summary(&self) -> &CrossSummary {
        &self.summary
    }

    /// The scores.
    pub fn scores(&self) -> &LineUpScores {
        &self.scores
    }

    /// Writes the held-out scores: the columns that are kept, the target by its classes if a rule made it, the fold, the
    /// repetition where there are several, and the scores of each learner. What is missing is a learner that failed.
    ///
    /// # Errors
    /// The table cannot be written.
    pub fn write(&self, format: TableFormat, out: &mut (dyn Write + Send)) -> Result<(), tribunal_io::Error> {
        let Some(first) = self.batches.first() else { return Ok(()) };
        let seed = self.summary.seed.to_string();
        let mut writer = TableWriter::create(out, format, first.schema(), &[("seed", &seed)])?;
        self.batches.iter().try_for_each(|batch| writer.write(batch))?;
        writer.finish()
    }
}
