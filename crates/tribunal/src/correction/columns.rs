//! Columns of the two tables: numbers where both tables hold numbers, else labels.

use rustc_hash::FxHashMap;
use tribunal_io::{ColumnInfo, Dictionary, Holds, Labels, ReadOptions, Source, TableReader, Want};

use super::request::CorrectRequest;
use crate::classes::{names_same, no_such_label};
use crate::error::Error;
use crate::message::{Message, Setting};
use crate::progress::{OnProgress, Progress};

/// A column of both tables.
#[derive(Clone, Debug)]
pub(super) struct PairedColumn {
    pub(super) name: String,
    pub(super) values: PairedValues,
}

/// What a column holds in either table.
#[derive(Clone, Debug)]
pub(super) enum PairedValues {
    /// Numbers; NaN where one is missing.
    Numbers { prevalence: Vec<f64>, incidence: Vec<f64> },
    /// Codes into one list of labels; [`Labels::MISSING`] where there is none.
    Labels { prevalence: Vec<u32>, incidence: Vec<u32>, texts: Vec<String> },
}

/// What is read of both tables.
pub(super) struct Tables {
    pub(super) strata: Vec<PairedColumn>,
    /// The scores of both tables, where the population has them, as a column of its own.
    pub(super) scores: Scores,
    /// Whether each actioned case is positive.
    pub(super) truth: Option<Vec<bool>>,
    pub(super) n_prevalence: usize,
    pub(super) n_incidence: usize,
}

/// The scores of a model.
#[derive(Default)]
pub(super) struct Scores {
    /// Of the actioned cases.
    pub(super) incidence: Option<Vec<f64>>,
    /// Of the population, where that has the column.
    pub(super) prevalence: Option<Vec<f64>>,
}

/// Opens a table and says which it is if it has no row or cannot be read.
fn open(source: &Source) -> Result<TableReader, Error> {
    Ok(TableReader::open(source, &ReadOptions::default())?)
}

/// The column of a name, or which columns there are.
fn find<'t>(
    table: &'t TableReader,
    name: &str,
    which: &str,
    setting: Setting,
) -> Result<&'t ColumnInfo, Error> {
    if let Some(found) = table.columns().iter().find(|column| column.name == name) {
        return Ok(found);
    }
    let names = || table.columns().iter().map(|column| column.name.as_str());
    let near = tribunal_io::nearest(name, names())
        .map_or_else(String::new, |near| format!("; did you mean \"{near}\"?"));
    let files: Vec<&str> = table.names().collect();
    let shown: Vec<&str> = names().take(12).collect();
    let more = if table.columns().len() > shown.len() { ", ..." } else { "" };
    let message = Message::default().set(setting, name);
    Err(Error::usage(message.text(format!(
        ": the {which} ({}) has no such column{near} It has {}{more}",
        files.join(", "),
        shown.join(", ")
    ))))
}

fn holds_numbers(column: &ColumnInfo) -> bool {
    matches!(column.holds, Holds::Numbers)
}

/// Reads what a correction looks at: each table once.
pub(super) fn read_tables(
    (prevalence, incidence): (&Source, &Source),
    request: &CorrectRequest,
    on_progress: OnProgress<'_>,
) -> Result<Tables, Error> {
    let (population, actioned) = (open(prevalence)?, open(incidence)?);
    let mut kinds = Vec::new();
    for name in &request.strata {
        let in_population = find(&population, name, "prevalence", Setting::Strata)?;
        let in_actioned = find(&actioned, name, "incidence", Setting::Strata)?;
        kinds.push(holds_numbers(in_population) && holds_numbers(in_actioned));
    }
    let outcome = request.outcome.as_ref();
    let score = outcome.and_then(|outcome| outcome.score.as_deref());
    if let Some(outcome) = outcome {
        find(&actioned, &outcome.truth, "incidence", Setting::Truth)?;
    }
    if let Some(score) = score {
        find(&actioned, score, "incidence", Setting::Score)?;
    }
    let has_score = |column: &ColumnInfo| Some(column.name.as_str()) == score && holds_numbers(column);
    let population_has_score = population.columns().iter().any(has_score);
    let strata = || request.strata.iter().zip(&kinds);
    let want = |(name, is_number): (&String, &bool)| match is_number {
        true => Want::number(name),
        false => Want::label(name),
    };
    let score_want = |wanted: bool| score.filter(|_| wanted).map(Want::number);
    let of_population: Vec<Want> = strata().map(want).chain(score_want(population_has_score)).collect();
    let truth = outcome.map(|outcome| Want::label(&outcome.truth));
    let of_actioned: Vec<Want> = strata().map(want).chain(score_want(true)).chain(truth).collect();
    let mut population = read(&population, &of_population, on_progress)?;
    let mut actioned = read(&actioned, &of_actioned, on_progress)?;
    let truth = match outcome {
        Some(outcome) => Some(truth_of(actioned.columns.pop(), &outcome.truth, &outcome.positive)?),
        None => None,
    };
    let scores = Scores {
        incidence: match score {
            Some(_) => actioned.columns.pop().map(|column| complete(column, score, &actioned)).transpose()?,
            None => None,
        },
        prevalence: match population_has_score {
            true => {
                population.columns.pop().map(|column| complete(column, score, &population)).transpose()?
            }
            false => None,
        },
    };
    let pairs = population.columns.into_iter().zip(actioned.columns);
    let strata = request.strata.iter().zip(pairs).map(|(name, pair)| PairedColumn::of(name, pair)).collect();
    Ok(Tables { strata, scores, truth, n_prevalence: population.n_rows, n_incidence: actioned.n_rows })
}

/// A column as it was read.
enum ReadColumn {
    Numbers(Vec<f64>),
    Labels { codes: Vec<u32>, texts: Vec<String> },
}

struct ReadTable {
    columns: Vec<ReadColumn>,
    n_rows: usize,
    files: String,
}

fn read(table: &TableReader, wants: &[Want], on_progress: OnProgress<'_>) -> Result<ReadTable, Error> {
    let empty = |want: &Want| match want.kind {
        tribunal_io::WantKind::Label => ReadColumn::Labels { codes: Vec::new(), texts: Vec::new() },
        _ => ReadColumn::Numbers(Vec::new()),
    };
    let mut columns: Vec<ReadColumn> = wants.iter().map(empty).collect();
    let on_read = |read| on_progress(Progress::Reading(read));
    let summary = table.read::<Error>(wants, &on_read, &mut |batch| {
        for (place, column) in columns.iter_mut().enumerate() {
            match column {
                ReadColumn::Numbers(values) => match batch.numbers(place) {
                    Some(numbers) if numbers.present.is_none() => values.extend_from_slice(&numbers.values),
                    _ => {
                        values.extend((0..batch.rows).map(|row| batch.number(place, row).unwrap_or(f64::NAN)))
                    }
                },
                ReadColumn::Labels { codes, .. } => {
                    codes.extend(
                        batch.labels(place).map(|labels| labels.codes.as_slice()).unwrap_or_default(),
                    );
                }
            }
        }
        Ok(())
    })?;
    for (column, dictionary) in columns.iter_mut().zip(&summary.dictionaries) {
        if let ReadColumn::Labels { texts, .. } = column {
            *texts = Dictionary::iter(dictionary).map(str::to_owned).collect();
        }
    }
    let files = table.names().collect::<Vec<_>>().join(", ");
    Ok(ReadTable { columns, n_rows: summary.rows as usize, files })
}

/// Scores without a gap.
fn complete(column: ReadColumn, name: Option<&str>, table: &ReadTable) -> Result<Vec<f64>, Error> {
    let ReadColumn::Numbers(values) = column else { return Ok(Vec::new()) };
    match values.iter().position(|value| !value.is_finite()) {
        None => Ok(values),
        Some(row) => Err(Error::data(format!(
            "{}, row {}, column \"{}\": the score is missing or infinite; fill it in, or leave out the row",
            table.files,
            row + 1,
            name.unwrap_or_default()
        ))),
    }
}

/// Whether each case is positive.
fn truth_of(column: Option<ReadColumn>, name: &str, positive: &str) -> Result<Vec<bool>, Error> {
    let Some(ReadColumn::Labels { codes, texts }) = column else { return Ok(Vec::new()) };
    if let Some(row) = codes.iter().position(|&code| code == Labels::MISSING) {
        return Err(Error::data(format!(
            "incidence, row {}, column \"{name}\": the value is missing; the incidence holds the cases whose outcome is known, so \
             leave out the row",
            row + 1
        )));
    }
    let is_positive: Vec<bool> = texts.iter().map(|label| names_same(label, positive)).collect();
    if !is_positive.contains(&true) {
        let mut rows = vec![0u64; texts.len()];
        codes.iter().for_each(|&code| rows[code as usize] += 1);
        let counts: Vec<(String, u64)> = texts.into_iter().zip(rows).collect();
        return Err(no_such_label(name, positive, &counts));
    }
    Ok(codes.iter().map(|&code| is_positive[code as usize]).collect())
}

impl PairedColumn {
    fn of(name: &str, (prevalence, incidence): (ReadColumn, ReadColumn)) -> Self {
        let values = match (prevalence, incidence) {
            (ReadColumn::Numbers(prevalence), ReadColumn::Numbers(incidence)) => {
                PairedValues::Numbers { prevalence, incidence }
            }
            (
                ReadColumn::Labels { codes, texts },
                ReadColumn::Labels { codes: others, texts: other_texts },
            ) => paired_labels((codes, texts), (others, other_texts)),
            // Both tables are read as the same kind.
            _ => PairedValues::Numbers { prevalence: Vec::new(), incidence: Vec::new() },
        };
        Self { name: name.to_owned(), values }
    }
}

/// Codes of both tables into one list of labels, that of the population first.
fn paired_labels(
    (prevalence, mut texts): (Vec<u32>, Vec<String>),
    (incidence, others): (Vec<u32>, Vec<String>),
) -> PairedValues {
    let known: FxHashMap<String, u32> = texts.iter().cloned().zip(0..).collect();
    let codes: Vec<u32> = others
        .into_iter()
        .map(|text| {
            known.get(&text).copied().unwrap_or_else(|| {
                texts.push(text);
                texts.len() as u32 - 1
            })
        })
        .collect();
    let incidence =
        incidence.into_iter().map(|code| codes.get(code as usize).copied().unwrap_or(Labels::MISSING));
    PairedValues::Labels { prevalence, incidence: incidence.collect(), texts }
}
