//! A biased sample of a table: which rows are kept, what that does to the classes, and the kept rows as they stand.

use std::io::Write;

use serde::{Deserialize, Serialize};
use tribunal_io::{
    Dictionary, Holds, ReadOptions, RowCopy, Source, TableFormat, TableReader, Want, copy_table,
};

use tribunal_learn::{ColumnSchema, DateError, DateReading, Schema, has_date_form, read_dates};

use super::check_classes;
use crate::bias::{Bias, BiasName, BiasRows, Values};
use crate::data::{FoundTarget, TargetRequest, missing_texts};
use crate::error::Error;
use crate::form::{Form, SchemaOf};
use crate::label_reader::read_labels;
use crate::progress::{OnProgress, Progress};
use crate::resampling::LabelColumn;

/// Which rows of a table are left out.
#[derive(Clone, Debug, PartialEq)]
pub struct BiasRequest {
    /// The bias.
    pub bias: Bias,
    /// The column that it looks at; by default the first that is not the target.
    pub column: Option<String>,
    /// The classes.
    pub target: Option<TargetRequest>,
    /// What may declare the target.
    pub schema: Schema,
    /// The seed.
    pub seed: u64,
}

/// Which rows of a table are kept.
#[derive(Clone, Debug, PartialEq)]
pub struct BiasedTable {
    keep: Vec<bool>,
    summary: BiasSummary,
}

/// What a bias did to a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct BiasSummary {
    /// The version of this form.
    pub schema: SchemaOf<Self>,
    /// The kind of the bias.
    pub kind: BiasName,
    /// The column that it looked at.
    pub column: Option<String>,
    /// Whether the column was chosen because none was named.
    pub is_default_column: bool,
    /// How its values were read, if they are dates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dates: Option<DateReading>,
    /// How many rows have no value there.
    pub n_missing: usize,
    /// The seed.
    pub seed: u64,
    /// How many rows there were.
    pub n_rows: usize,
    /// How many were left out.
    pub n_dropped: usize,
    /// The column of the classes.
    pub target: Option<String>,
    /// The classes before and after.
    pub classes: Vec<ClassShift>,
}

/// A class before and after.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ClassShift {
    /// The class.
    pub class: String,
    /// How many rows it had.
    pub n_before: usize,
    /// How many are kept.
    pub n_after: usize,
    /// Its share of all rows.
    pub share_before: f64,
    /// Its share of the kept rows.
    pub share_after: f64,
}

impl Form for BiasSummary {
    const SCHEMA: &'static str = "tribunal.bias/1";
}

/// Reads what a bias looks at and decides which rows are kept.
///
/// # Errors
/// A column is missing, cannot be read, or the bias cannot be applied.
pub fn bias_table(
    source: &Source,
    request: &BiasRequest,
    on_progress: OnProgress<'_>,
) -> Result<BiasedTable, Error> {
    let reader = TableReader::open(source, &ReadOptions::default())?;
    let target =
        request.target.as_ref().map(|target| target.find_in(&reader, &request.schema)).transpose()?;
    let names: Vec<&str> = target.iter().map(|target| target.column.as_str()).collect();
    let read = read_labels(&reader, &names, on_progress)?;
    let (values, dates) = if request.bias.needs_column() {
        let name = column_name(&reader, request, target.as_ref())?;
        let (values, dates) = read_values(&reader, &name, levels(&request.schema, &name), on_progress)?;
        (Some(values), dates)
    } else {
        (None, None)
    };
    let classes = target.as_ref().zip(read.columns.first()).map(|(target, column)| target.relabelled(column));
    let classes = classes.transpose()?;
    let classes = classes.as_ref();
    classes.map_or(Ok(()), check_classes)?;
    let rows = BiasRows::new(read.n_rows);
    let rows = values.as_ref().map_or(rows, |values| rows.with_values(values));
    let rows = classes.map_or(rows, |classes| rows.with_classes(classes));
    let kept = request.bias.kept(&rows, request.seed)?;
    let mut keep = vec![false; read.n_rows];
    kept.iter().for_each(|&row| keep[row as usize] = true);
    let summary = BiasSummary { dates, ..summary(request, values.as_ref(), classes, &kept, read.n_rows) };
    Ok(BiasedTable { keep, summary })
}

fn summary(
    request: &BiasRequest,
    values: Option<&Values>,
    classes: Option<&LabelColumn>,
    kept: &[u32],
    n_rows: usize,
) -> BiasSummary {
    BiasSummary {
        schema: SchemaOf::default(),
        kind: request.bias.name(),
        column: values.map(|values| values.name().to_owned()),
        is_default_column: values.is_some() && request.column.is_none(),
        dates: None,
        n_missing: values.map_or(0, Values::n_missing),
        seed: request.seed,
        n_rows,
        n_dropped: n_rows - kept.len(),
        target: request.target.as_ref().map(|target| target.name.clone()),
        classes: classes.map(|classes| shifts(classes, kept)).unwrap_or_default(),
    }
}

/// The column that was named, or the first that is not the target.
fn column_name(
    reader: &TableReader,
    request: &BiasRequest,
    target: Option<&FoundTarget>,
) -> Result<String, Error> {
    let first = || {
        let names = reader.columns().iter().map(|column| &column.name);
        names.into_iter().find(|name| target.is_none_or(|target| target.column != **name))
    };
    request
        .column
        .as_ref()
        .or_else(first)
        .cloned()
        .ok_or_else(|| Error::usage("the table has no column but the target, so there is none to bias by"))
}

/// The levels that a schema declares of a column.
fn levels<'a>(schema: &'a Schema, column: &str) -> &'a [String] {
    match schema.columns.get(column) {
        Some(ColumnSchema::Kind(kind)) => kind.levels(),
        _ => &[],
    }
}

/// A column as numbers where all its values are and no levels are declared, and else as texts; dates with how they were read.
fn read_values(
    reader: &TableReader,
    name: &str,
    levels: &[String],
    on_progress: OnProgress<'_>,
) -> Result<(Values, Option<DateReading>), Error> {
    let found = reader.columns().iter().find(|column| column.name == name);
    let holds_numbers = found.is_some_and(|column| matches!(column.holds, Holds::Numbers | Holds::Booleans));
    if holds_numbers
        && levels.is_empty()
        && let Some(numbers) = read_numbers(reader, name, on_progress)?
    {
        return Ok((numbers, None));
    }
    read_texts(reader, name, levels, on_progress)
}

/// A column as numbers; `None` if a text stands in it that does not mean missing.
fn read_numbers(
    reader: &TableReader,
    name: &str,
    on_progress: OnProgress<'_>,
) -> Result<Option<Values>, Error> {
    let missing = missing_texts(&Schema::default());
    let (mut numbers, mut all_numbers) = (Vec::new(), true);
    let on_read = |read| on_progress(Progress::Reading(read));
    reader.read::<Error>(&[Want::cell(name)], &on_read, &mut |batch| {
        if let Some(column) = batch.numbers(0) {
            all_numbers &= column.strays.iter().all(|stray| missing.iter().any(|text| **text == *stray.text));
            numbers.extend((0..batch.rows).map(|row| column.get(row)));
        }
        Ok(())
    })?;
    Ok(all_numbers.then(|| Values::of_optional_numbers(name, numbers)))
}

fn read_texts(
    reader: &TableReader,
    name: &str,
    levels: &[String],
    on_progress: OnProgress<'_>,
) -> Result<(Values, Option<DateReading>), Error> {
    let mut codes: Vec<u32> = Vec::new();
    let on_read = |read| on_progress(Progress::Reading(read));
    let summary = reader.read::<Error>(&[Want::label(name)], &on_read, &mut |batch| {
        codes.extend(batch.labels(0).map(|labels| labels.codes.as_slice()).unwrap_or_default());
        Ok(())
    })?;
    let texts: Vec<&str> = summary.dictionaries.iter().take(1).flat_map(Dictionary::iter).collect();
    let dates = if levels.is_empty() { dates(name, &texts, &codes)? } else { None };
    let text = |code: &u32| texts.get(*code as usize).copied();
    Ok((Values::of_labels(name, codes.iter().map(text), levels), dates))
}

/// How texts are read that have the form of dates. Those that cannot be read would be sorted by their letters, which is no
/// order of time.
fn dates(name: &str, texts: &[&str], codes: &[u32]) -> Result<Option<DateReading>, Error> {
    if texts.is_empty() || !texts.iter().all(|text| has_date_form(text)) {
        return Ok(None);
    }
    let refusal = |error: DateError| {
        let row = codes.iter().position(|&code| code as usize == error.at()).unwrap_or(0) + 1;
        Error::data(format!("row {row}, column \"{name}\": {}", error.explain(texts)))
    };
    Ok(Some(read_dates(texts, None).map_err(refusal)?.reading().clone()))
}

fn shifts(classes: &LabelColumn, kept: &[u32]) -> Vec<ClassShift> {
    let (before, after) = (classes.counts(), classes.select(kept).counts());
    let shift = |(class, (&n_before, &n_after)): (&String, (&usize, &usize))| ClassShift {
        class: class.clone(),
        n_before,
        n_after,
        share_before: n_before as f64 / classes.codes().len() as f64,
        share_after: n_after as f64 / kept.len() as f64,
    };
    classes.labels().iter().zip(before.iter().zip(&after)).map(shift).collect()
}

impl BiasedTable {
    /// What the bias did.
    pub fn summary(&self) -> &BiasSummary {
        &self.summary
    }

    /// Writes the kept rows as they stand.
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
        let copying = RowCopy { columns: None, keep: Some(&self.keep), added: &[] };
        let on_read = |read| on_progress(Progress::Reading(read));
        copy_table(source, &ReadOptions::default(), &copying, format, out, &on_read)?;
        Ok(())
    }
}
