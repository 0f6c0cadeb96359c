//! Rows copied by way of Arrow record batches: columnar files as they stand, everything else typed column by column.

use std::io::Write;
use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use arrow_select::filter::filter_record_batch;

use crate::batch::Numbers;
use crate::chunk::{Chunk, ChunkColumn, LocalLabels};
use crate::columnar::{BatchJob, StoredBatch, StoredTable};
use crate::copy::{Passed, Tally};
use crate::error::{Error, ErrorKind, quoted};
use crate::file_table::{FileTable, Job, Slot};
use crate::kind::{Kind, NamedKinds};
use crate::pipeline::in_order;
use crate::table::Want;
use crate::write::{TableFormat, TableWriter};

/// Writes the rows of batches that are kept, with the columns that are added.
pub(crate) struct BatchCopy<'a, 't> {
    tally: &'t mut Tally<'a>,
    schema: SchemaRef,
    writer: TableWriter<&'t mut (dyn Write + Send)>,
}

impl<'a, 't> BatchCopy<'a, 't> {
    /// Begins a copy of a table with these columns.
    pub(crate) fn create(
        tally: &'t mut Tally<'a>,
        columns: &Schema,
        format: TableFormat,
        out: &'t mut (dyn Write + Send),
    ) -> Result<Self, Error> {
        let own = columns.fields().iter().cloned();
        let added = tally.copying.added.iter().map(|column| Arc::new(column.field()));
        let fields: Vec<Arc<Field>> = own.chain(added).collect();
        let schema = Arc::new(Schema::new_with_metadata(fields, columns.metadata().clone()));
        let writer = TableWriter::create(out, format, schema.clone(), &[])?;
        Ok(BatchCopy { tally, schema, writer })
    }

    fn put(&mut self, columns: &[ArrayRef], n_rows: usize, bytes: u64) -> Result<(), Error> {
        let rows = self.tally.pass(n_rows, bytes)?;
        let added = self.tally.copying.added.iter().map(|column| column.array(rows.clone()));
        let arrays = columns.iter().cloned().chain(added).collect();
        let batch = RecordBatch::try_new(self.schema.clone(), arrays).map_err(misfit)?;
        match self.tally.copying.keep.map(|keep| &keep[rows]) {
            Some(keep) if keep.contains(&false) => {
                let kept = filter_record_batch(&batch, &BooleanArray::from(keep.to_vec())).map_err(misfit)?;
                self.writer.write(&kept)
            }
            _ => self.writer.write(&batch),
        }
    }

    /// Copies these columns of columnar files; their types are kept, those of the first file where they differ.
    pub(crate) fn copy_stored(mut self, files: &[&dyn StoredTable], schema: &Schema) -> Result<(), Error> {
        let jobs = files.iter().enumerate();
        let jobs = jobs.flat_map(|(idx, file)| file.batch_jobs().map(move |job| (idx, job)));
        let work = |(idx, job): (usize, Result<BatchJob<'_>, Error>)| {
            let conform = |StoredBatch { rows, bytes }| {
                let columns = conform(&rows, schema).map_err(|error| error.in_file(files[idx].name()))?;
                Ok((columns, rows.num_rows(), bytes))
            };
            job.and_then(|job| job()).and_then(|batches| batches.into_iter().map(conform).collect())
        };
        in_order(jobs, work, |batches: Result<Vec<_>, Error>| {
            batches?.iter().try_for_each(|(columns, n_rows, bytes)| self.put(columns, *n_rows, *bytes))
        })?;
        self.writer.finish()
    }

    /// Copies files of any format, each column as one of its kind.
    pub(crate) fn copy_typed(mut self, files: &[&dyn FileTable], kinds: &NamedKinds) -> Result<(), Error> {
        let plans = files.iter().map(|file| plan(*file, kinds)).collect::<Result<Vec<_>, _>>()?;
        let jobs = files.iter().zip(&plans).enumerate();
        let jobs = jobs.flat_map(|(idx, (file, plan))| file.jobs(plan).map(move |job| (idx, job)));
        let work = |(idx, job): (usize, Result<Job<'_>, Error>)| (idx, job.and_then(|job| typed(job, kinds)));
        let mut passed = Passed::default();
        in_order(jobs, work, |(idx, found): (usize, Result<Vec<Typed>, Error>)| {
            for Typed { columns, n_rows, span, bytes } in passed.located(idx, files[idx], found)? {
                passed.add(span);
                self.put(&columns, n_rows, bytes)?;
            }
            Ok(())
        })?;
        self.writer.finish()
    }
}

/// The columns of a batch in the order and of the types of a schema.
fn conform(batch: &RecordBatch, schema: &Schema) -> Result<Vec<ArrayRef>, Error> {
    if batch.schema_ref().fields() == schema.fields() {
        return Ok(batch.columns().to_vec());
    }
    let strict = CastOptions { safe: false, ..CastOptions::default() };
    let column = |field: &Arc<Field>| {
        let array = batch.column_by_name(field.name()).ok_or_else(|| lacking(field.name()))?;
        let misfit = |error| misfit(error).in_column(field.name());
        cast_with_options(array, field.data_type(), &strict).map_err(misfit)
    };
    schema.fields().iter().map(column).collect()
}

fn lacking(name: &str) -> Error {
    Error::new(ErrorKind::DifferentColumns, format!("there is no column {}", quoted(name)))
        .advise("files read as one table need the same columns")
}

fn misfit(error: arrow_schema::ArrowError) -> Error {
    let problem = format!("the rows do not fit the types of the first file ({error})");
    Error::new(ErrorKind::ColumnType, problem).advise("write the files with the same types first")
}

/// The schema of columns that are known by their kinds.
pub(crate) fn schema_of(kinds: &NamedKinds) -> Schema {
    let field = |(name, kind): &(String, Kind)| {
        let data_type = match kind {
            Kind::Whole | Kind::Long => DataType::Int64,
            Kind::Real => DataType::Float64,
            Kind::Boolean => DataType::Boolean,
            Kind::Text | Kind::Nothing => DataType::Utf8,
        };
        Field::new(name, data_type, true)
    };
    Schema::new(kinds.columns.iter().map(field).collect::<Vec<_>>())
}

/// Whole numbers that a double cannot hold are read as labels.
fn plan(file: &dyn FileTable, kinds: &NamedKinds) -> Result<Vec<Slot>, Error> {
    let want = |(name, kind): &(String, Kind)| match kind {
        Kind::Whole | Kind::Real => Want::number(name),
        Kind::Nothing | Kind::Long | Kind::Boolean | Kind::Text => Want::label(name),
    };
    let wanted: Vec<Want> = kinds.columns.iter().map(want).collect();
    file.plan(&wanted)
}

/// A chunk as arrays.
struct Typed {
    columns: Vec<ArrayRef>,
    n_rows: usize,
    span: u64,
    bytes: u64,
}

fn typed(job: Job<'_>, kinds: &NamedKinds) -> Result<Vec<Typed>, Error> {
    let mut batches = Vec::new();
    job(&mut |Chunk { rows, span, bytes, columns, .. }| {
        let kinds = kinds.columns.iter().map(|(_, kind)| *kind);
        let columns = columns.into_iter().zip(kinds).map(|(column, kind)| array_of(column, kind)).collect();
        batches.push(Typed { columns, n_rows: rows, span, bytes });
    })?;
    Ok(batches)
}

fn array_of(column: ChunkColumn, kind: Kind) -> ArrayRef {
    match column {
        ChunkColumn::Number(numbers) | ChunkColumn::Conditional { numbers, .. } => numbers_of(numbers, kind),
        ChunkColumn::Coded(coded) => numbers_of(coded.decode(), kind),
        ChunkColumn::Label(labels) => match kind {
            Kind::Long => Arc::new(each(&labels, whole).collect::<Int64Array>()),
            Kind::Boolean => Arc::new(each(&labels, |text| Some(text == "true")).collect::<BooleanArray>()),
            _ => Arc::new(texts(&labels)),
        },
    }
}

fn numbers_of(Numbers { values, present, .. }: Numbers, kind: Kind) -> ArrayRef {
    if kind != Kind::Whole {
        return Arc::new(Float64Array::new(values, present));
    }
    let whole: Vec<i64> = values.iter().map(|&value| value as i64).collect();
    Arc::new(Int64Array::new(whole.into(), present))
}

/// `NA` is a number that is missing.
fn whole(text: &str) -> Option<i64> {
    text.trim_ascii().parse().ok()
}

fn texts(labels: &LocalLabels) -> StringArray {
    labels.codes.iter().map(|&code| labels.dictionary.text(code)).collect()
}

/// The value of each row, every label being looked into once.
fn each<T: Copy>(labels: &LocalLabels, value: impl Fn(&str) -> Option<T>) -> impl Iterator<Item = Option<T>> {
    let values: Vec<Option<T>> = labels.dictionary.iter().map(value).collect();
    labels.codes.iter().map(move |&code| values.get(code as usize).copied().flatten())
}
