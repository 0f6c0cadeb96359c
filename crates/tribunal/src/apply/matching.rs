//! A table read as a model needs it. Columns are matched by name, in any order; others are passed over.

use rustc_hash::FxHashSet;
use tribunal_io::{Batch, Dictionary, ErrorKind, ReadOptions, Source, Summary, TableReader, Want};
use tribunal_learn::{AlignOptions, Dataset, Input, Schema, Unmatched};

use super::filling::{Filling, Flaw, Reading};
use crate::data::{TableOrigin, missing_texts};
use crate::error::Error;
use crate::message::{Message, Setting};
use crate::model_file::SavedModel;
use crate::progress::{OnProgress, Progress};

/// How a table is matched with a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matching {
    /// Whether a value that the model never met is an error; otherwise it counts as missing.
    pub is_strict: bool,
    /// Whether a column that is not there counts as missing in every row; otherwise it is an error.
    pub allows_missing_columns: bool,
    /// Texts that mean a missing value, beyond the usual ones and those of the training table.
    pub missing: Vec<String>,
}

/// What is read of a table besides the columns of the model.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Beside<'a> {
    /// Whether classes are made of the target's column, where there are a rule and the column.
    pub(super) classes: bool,
    /// Columns whose labels are kept.
    pub(super) labels: &'a [String],
}

/// What a model says of the tables that it is applied to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recipe<'a> {
    /// The columns that it was trained with.
    pub(super) inputs: &'a [Input],
    /// How their table was read.
    pub(super) origin: &'a TableOrigin,
}

impl SavedModel {
    /// What it says of the tables that it is applied to.
    pub(super) fn recipe(&self) -> Recipe<'_> {
        Recipe { inputs: self.model.inputs(), origin: &self.origin }
    }
}

/// The rows of a table as a model sees them.
pub(super) struct Matched {
    pub(super) dataset: Dataset,
    pub(super) n_rows: usize,
    /// The class of each row by the model's rule.
    pub(super) classes: Option<Vec<u32>>,
    /// The labels that were asked for.
    pub(super) labels: Vec<LabelsOf>,
    /// How many rows have a value that was never met in training.
    pub(super) rows_with_new_levels: u64,
    pub(super) notices: Vec<String>,
}

/// The labels of a column.
pub(super) struct LabelsOf {
    pub(super) column: String,
    codes: Vec<u32>,
    dictionary: Dictionary,
}

impl LabelsOf {
    pub(super) fn get(&self, row: usize) -> Option<&str> {
        self.dictionary.text(*self.codes.get(row)?)
    }
}

/// The columns of a model and what is wanted beside, while they are read.
struct Columns<'a> {
    /// The columns of the model, and those of them that the table has.
    wanted: &'a [Input],
    inputs: Vec<(&'a Input, Filling<'a>)>,
    absent: FxHashSet<&'a str>,
    classes: Option<Filling<'a>>,
    labels: &'a [String],
    codes: Vec<Vec<u32>>,
}

/// Reads the columns of a model, and what is wanted beside.
pub(super) fn read_matched(
    recipe: Recipe<'_>,
    source: &Source,
    matching: &Matching,
    beside: Beside<'_>,
    on_progress: OnProgress<'_>,
) -> Result<Matched, Error> {
    let table = TableReader::open(source, &ReadOptions::default())?;
    let mut columns = Columns::new(recipe, &table, beside);
    if !matching.allows_missing_columns {
        let absent = Absent { names: &columns.absent_names(), table: &table, source };
        absent.refuse("which the model was trained with", |message| {
            let message = message.text("rename it, or add ").set(Setting::MissingColumns, "allow");
            message.text(" to count it as missing in every row")
        })?;
    }
    let declared = [&recipe.origin.missing[..], &matching.missing].concat();
    let missing = missing_texts(&Schema { missing: declared, ..Schema::default() });
    let reading = Reading { missing: &missing, is_strict: matching.is_strict };
    let on_read = |read| on_progress(Progress::Reading(read));
    let summary = table.read(&columns.wanted(), &on_read, &mut |batch| columns.absorb(&batch, &reading))?;
    columns.finish(summary)
}

impl<'a> Columns<'a> {
    fn new(recipe: Recipe<'a>, table: &TableReader, beside: Beside<'a>) -> Self {
        let names = recipe.inputs.iter().map(|input| input.name.as_str());
        let absent = absent_columns(table, names);
        let present = recipe.inputs.iter().filter(|input| !absent.contains(input.name.as_str()));
        let inputs = present.map(|input| (input, Filling::of_input(input))).collect();
        let classes = if beside.classes { classes_wanted(recipe.origin, table) } else { None };
        let codes = vec![Vec::new(); beside.labels.len()];
        Columns { wanted: recipe.inputs, inputs, absent, classes, labels: beside.labels, codes }
    }

    fn absent_names(&self) -> Vec<&'a str> {
        let names = self.wanted.iter().map(|input| input.name.as_str());
        names.filter(|name| self.absent.contains(name)).collect()
    }

    fn wanted(&self) -> Vec<Want> {
        let filled = self.inputs.iter().map(|(_, filling)| filling).chain(&self.classes);
        filled.map(Filling::want).chain(self.labels.iter().map(Want::label)).collect()
    }

    fn absorb(&mut self, batch: &Batch<'_>, reading: &Reading<'_>) -> Result<(), Error> {
        let n_filled = self.n_filled();
        let inputs = self.inputs.iter_mut().map(|(_, filling)| (filling, reading.is_strict));
        // What the rule cannot judge has no class; it is not what is scored, so it is no error either.
        let filled = inputs.chain(self.classes.iter_mut().map(|classes| (classes, false))).enumerate();
        Flaw::first(filled.filter_map(|(idx, (filling, is_strict))| {
            filling.absorb(batch, idx, &Reading { is_strict, ..*reading }).err()
        }))?;
        for (codes, idx) in self.codes.iter_mut().zip(n_filled..) {
            codes.extend(batch.labels(idx).map_or(&[][..], |labels| &labels.codes));
        }
        Ok(())
    }

    /// How many columns are read before the labels.
    fn n_filled(&self) -> usize {
        self.inputs.len() + usize::from(self.classes.is_some())
    }

    fn finish(self, summary: Summary) -> Result<Matched, Error> {
        let (n_rows, n_filled) = (summary.rows as usize, self.n_filled());
        let mut columns = Vec::with_capacity(self.inputs.len());
        let mut unmet = Vec::new();
        let mut has_new_level = vec![false; n_rows];
        for (input, filling) in self.inputs {
            filling.unknown_rows().iter().for_each(|&row| has_new_level[row as usize] = true);
            unmet.extend(filling.notice(["was never met in training", "were never met in training"]));
            columns.push(filling.into_column(&input.kind)?);
        }
        // Columns that are not there were refused before anything was read, unless they are allowed.
        let options = AlignOptions { missing_columns: Unmatched::Missing, ..AlignOptions::default() };
        let aligned = Dataset::of_rows(n_rows, columns)?.into_aligned(self.wanted, &options)?;
        let absent = |name: &String| format!("\"{name}\" is not there: it counts as missing in every row");
        let mut notices: Vec<String> = aligned.missing_columns.iter().map(absent).collect();
        notices.append(&mut unmet);
        let unclassed = ["has no class by the rule", "have no class by the rule"];
        notices.extend(self.classes.as_ref().and_then(|classes| classes.notice(unclassed)));
        let labels = self.labels.iter().zip(self.codes).zip(summary.dictionaries.into_iter().skip(n_filled));
        let labels = labels.map(|((column, codes), dictionary)| LabelsOf {
            column: column.clone(),
            codes,
            dictionary,
        });
        Ok(Matched {
            dataset: aligned.dataset,
            n_rows,
            classes: self.classes.map(Filling::into_codes),
            labels: labels.collect(),
            rows_with_new_levels: has_new_level.into_iter().filter(|has| *has).count() as u64,
            notices,
        })
    }
}

/// The rows of another table with the columns and levels of a training table.
pub(crate) struct MatchedPopulation {
    pub(crate) dataset: Dataset,
    /// How many rows have a level that the training table does not have.
    pub(crate) rows_with_new_levels: u64,
    pub(crate) notices: Vec<String>,
}

/// Reads another table with the columns and levels of a training table, as if a model of it were to score the rows.
///
/// # Errors
/// The table cannot be read, or lacks a column.
pub(crate) fn read_population(
    inputs: &[Input],
    origin: &TableOrigin,
    source: &Source,
    matching: &Matching,
    on_progress: OnProgress<'_>,
) -> Result<MatchedPopulation, Error> {
    let table = TableReader::open(source, &ReadOptions::default())?;
    let recipe = Recipe { inputs, origin };
    let absent = Columns::new(recipe, &table, Beside::default()).absent_names();
    Absent { names: &absent, table: &table, source }.refuse("which the labelled table has", |message| {
        let left_out = absent.first().map_or_else(String::new, |name| format!("{name}=ignore"));
        let message = message.text("rename it, or add ").set(Setting::Kind, left_out);
        message.text(" to learn nothing from it")
    })?;
    let Matched { dataset, rows_with_new_levels, notices, .. } =
        read_matched(recipe, source, matching, Beside::default(), on_progress)?;
    Ok(MatchedPopulation { dataset, rows_with_new_levels, notices })
}

/// The classes that the model's rule makes of the target's column, if the table has it.
fn classes_wanted<'a>(origin: &'a TableOrigin, table: &TableReader) -> Option<Filling<'a>> {
    let rule = origin.rule.as_ref()?;
    let is_there = table.columns().iter().any(|column| column.name == rule.column);
    let class_of = |label: &str| rule.class_of(label).ok().map(u32::from);
    is_there.then(|| Filling::of_classes(&rule.column, class_of))
}

/// The columns that the table does not have. JSON lines may name a column late, so they are looked through.
fn absent_columns<'a>(table: &TableReader, names: impl Iterator<Item = &'a str>) -> FxHashSet<&'a str> {
    let listed: FxHashSet<&str> = table.columns().iter().map(|column| column.name.as_str()).collect();
    let is_unknown = |name: &&str| {
        let read = table.read::<tribunal_io::Error>(&[Want::label(*name)], &|_| (), &mut |_| Ok(()));
        read.is_err_and(|error| error.kind() == ErrorKind::UnknownColumn)
    };
    names.filter(|name| !listed.contains(name)).filter(is_unknown).collect()
}

/// Columns that a table does not have.
struct Absent<'a> {
    names: &'a [&'a str],
    table: &'a TableReader,
    source: &'a Source,
}

impl Absent<'_> {
    /// Names them, where there are any, with who needs them and what to do.
    fn refuse(&self, needed: &str, advice: impl Fn(Message) -> Message) -> Result<(), Error> {
        const SHOWN: usize = 8;
        let Some(first) = self.names.first() else { return Ok(()) };
        let file = self.source.names().next().unwrap_or_default();
        let near =
            tribunal_io::nearest(first, self.table.columns().iter().map(|column| column.name.as_str()));
        let near = near.map_or_else(String::new, |near| format!("; did you mean \"{near}\"?"));
        let others: Vec<String> =
            self.names[1..].iter().take(SHOWN).map(|name| format!("\"{name}\"")).collect();
        let more = self.names.len() - 1 - others.len();
        let others = match (others.is_empty(), more) {
            (true, _) => String::new(),
            (false, 0) => format!(", nor {}", others.join(", ")),
            (false, more) => format!(", nor {} and {more} more", others.join(", ")),
        };
        let message = format!("{file}: there is no column \"{first}\"{others}, {needed}{near}; ");
        Err(Error::usage(advice(Message::from(message))))
    }
}
