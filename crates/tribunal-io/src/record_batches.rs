//! Record batches of Arrow as a table: held in memory, or coming one after the other from another program.

use std::sync::{Arc, Mutex};

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};

use crate::chunk::Chunk;
use crate::columnar::{check_types, chunks_of, describe, projection};
use crate::error::{Error, ErrorKind};
use crate::file_table::{FileTable, Job, Jobs, Slot};
use crate::place::Unit;
use crate::table::ColumnInfo;

/// How many rows a job has, at most, so that one large batch is work for all cores.
const ROWS: usize = 256 << 10;

type Incoming = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>;

/// Record batches with the same columns.
pub(crate) struct BatchTable {
    name: Arc<str>,
    schema: SchemaRef,
    columns: Vec<ColumnInfo>,
    batches: Batches,
}

enum Batches {
    /// All are there, and can be read any number of times.
    Held(Vec<RecordBatch>),
    /// They come once.
    Incoming(Mutex<Option<Incoming>>),
}

impl BatchTable {
    /// Batches that are there.
    ///
    /// # Errors
    /// There is none, or one has other columns than the first.
    pub(crate) fn held(name: &str, batches: Vec<RecordBatch>) -> Result<Self, Error> {
        let name = Arc::from(name);
        let Some(first) = batches.first() else {
            return Err(Error::new(ErrorKind::NoRows, "there is no record batch").in_file(&name));
        };
        let table = Self::new(name, first.schema(), Batches::Held(Vec::new()));
        batches.iter().try_for_each(|batch| table.check(batch))?;
        Ok(Self { batches: Batches::Held(batches), ..table })
    }

    /// Batches that will come.
    pub(crate) fn incoming(name: &str, batches: impl RecordBatchReader + Send + 'static) -> Self {
        let schema = batches.schema();
        Self::new(Arc::from(name), schema, Batches::Incoming(Mutex::new(Some(Box::new(batches)))))
    }

    fn new(name: Arc<str>, schema: SchemaRef, batches: Batches) -> Self {
        Self { name, columns: describe(&schema), schema, batches }
    }

    /// Bytes in memory; nothing is known of those to come.
    pub(crate) fn bytes(&self) -> u64 {
        match &self.batches {
            Batches::Held(batches) => batches.iter().map(|batch| batch.get_array_memory_size() as u64).sum(),
            Batches::Incoming(_) => 0,
        }
    }

    fn check(&self, batch: &RecordBatch) -> Result<(), Error> {
        if batch.schema().fields() == self.schema.fields() {
            return Ok(());
        }
        let problem = "the record batches have different columns, or columns of different types";
        Err(Error::new(ErrorKind::DifferentColumns, problem).in_file(&self.name))
    }

    fn job<'a>(&'a self, batch: RecordBatch, slots: &'a [Slot]) -> Job<'a> {
        Box::new(move |take: &mut dyn FnMut(Chunk)| {
            self.check(&batch)?;
            let wanted = batch.project(&projection(slots)).map_err(|error| self.unreadable(error))?;
            chunks_of(&wanted, slots, &self.name).map(|chunks| chunks.into_iter().for_each(take))
        })
    }

    fn incoming_jobs<'a>(&'a self, incoming: Option<Incoming>, slots: &'a [Slot]) -> Jobs<'a> {
        let Some(mut incoming) = incoming else {
            let problem = "the record batches come once and were read already";
            let error = Error::new(ErrorKind::AlreadyRead, problem).in_file(&self.name);
            return Box::new(std::iter::once(Err(error.advise("collect them to read them again"))));
        };
        let mut failed = false;
        Box::new(std::iter::from_fn(move || {
            let batch = if failed { None } else { incoming.next() }?;
            failed = batch.is_err();
            Some(batch.map(|batch| self.job(batch, slots)).map_err(|error| self.unreadable(error)))
        }))
    }

    fn unreadable(&self, error: ArrowError) -> Error {
        let problem = format!("the next record batch cannot be had ({error})");
        Error::new(ErrorKind::Corrupt, problem).in_file(&self.name).because(error)
    }
}

impl FileTable for BatchTable {
    fn name(&self) -> &Arc<str> {
        &self.name
    }

    fn columns(&self) -> &[ColumnInfo] {
        &self.columns
    }

    fn unit(&self) -> Unit {
        Unit::Row
    }

    fn is_read_once(&self) -> bool {
        matches!(self.batches, Batches::Incoming(_))
    }

    fn jobs<'a>(&'a self, slots: &'a [Slot]) -> Jobs<'a> {
        if let Err(error) = check_types(&self.name, &self.columns, slots) {
            return Box::new(std::iter::once(Err(error)));
        }
        match &self.batches {
            Batches::Held(batches) => {
                let pieces = |batch: &'a RecordBatch| {
                    let starts = (0..batch.num_rows()).step_by(ROWS);
                    starts.map(|start| batch.slice(start, ROWS.min(batch.num_rows() - start)))
                };
                Box::new(batches.iter().flat_map(pieces).map(|batch| Ok(self.job(batch, slots))))
            }
            Batches::Incoming(incoming) => {
                // Whoever panicked with the lock took nothing: a poisoned lock still holds the batches.
                let taken = incoming.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
                self.incoming_jobs(taken, slots)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{TableReader, Want};
    use arrow_array::{ArrayRef, Float64Array, RecordBatchIterator, StringArray};

    fn batch(rows: std::ops::Range<u32>) -> RecordBatch {
        let scores: ArrayRef = Arc::new(Float64Array::from_iter_values(rows.clone().map(f64::from)));
        let labels: ArrayRef =
            Arc::new(StringArray::from_iter_values(rows.map(|row| format!("l{}", row % 3))));
        RecordBatch::try_from_iter([("label", labels), ("score", scores)]).expect("columns")
    }

    fn read(table: &TableReader) -> Result<(Vec<f64>, usize), Error> {
        let mut scores = Vec::new();
        let wants = [Want::number("score"), Want::label("label")];
        let summary = table.read::<Error>(&wants, &|_| (), &mut |batch| {
            scores.extend_from_slice(&batch.numbers(0).expect("wanted").values);
            Ok(())
        })?;
        Ok((scores, summary.dictionaries[1].len()))
    }

    #[test]
    fn batches_in_memory_are_read_as_often_as_wanted_and_a_stream_once() {
        let expected = ((0..600_000).map(f64::from).collect::<Vec<_>>(), 3);
        let batches = || vec![batch(0..500_000), batch(500_000..500_000), batch(500_000..600_000)];
        let held = TableReader::of_batches("claims", batches()).expect("a table");
        assert!(!held.is_read_once());
        assert_eq!(read(&held).expect("rows"), expected);
        assert_eq!(read(&held).expect("rows"), expected);
        let stream = RecordBatchIterator::new(batches().into_iter().map(Ok), batch(0..1).schema());
        let stream = TableReader::of_stream("claims", stream);
        assert!(stream.is_read_once());
        assert_eq!(read(&stream).expect("rows"), expected);
        assert_eq!(read(&stream).expect_err("read already").kind(), ErrorKind::AlreadyRead);
    }

    #[test]
    fn batches_with_other_columns_and_broken_streams_are_refused() {
        let other = batch(0..3).project(&[0]).expect("one column");
        let error =
            TableReader::of_batches("claims", vec![batch(0..3), other.clone()]).err().expect("refused");
        assert_eq!(error.kind(), ErrorKind::DifferentColumns);
        let schema = batch(0..1).schema();
        let check = |batches: Vec<Result<RecordBatch, ArrowError>>, kind: ErrorKind| {
            let stream = RecordBatchIterator::new(batches, schema.clone());
            let error = read(&TableReader::of_stream("claims", stream)).expect_err("refused");
            assert_eq!(error.kind(), kind, "{error}");
        };
        check(vec![Ok(batch(0..3)), Ok(other)], ErrorKind::DifferentColumns);
        check(vec![Ok(batch(0..3)), Err(ArrowError::IpcError("lost".into()))], ErrorKind::Corrupt);
        check(vec![], ErrorKind::NoRows);
    }
}
