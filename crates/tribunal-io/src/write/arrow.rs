//! The Arrow IPC file format, compressed with LZ4 as Feather is.
//!
//! A file has one dictionary a column, which later batches may only add to. Batches that come from several row groups or
//! files each bring their own, so texts are coded anew by one dictionary that grows. Dictionaries of anything but texts
//! are written out.

use std::io::Write;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch, StringArray, make_array};
use arrow_cast::{CastOptions, cast, cast_with_options};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{DictionaryHandling, FileWriter, IpcWriteOptions};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};

use crate::columnar::holds;
use crate::dictionary::Dictionary;
use crate::error::{Error, ErrorKind};
use crate::table::Holds;
use crate::write::unwritten;

/// How many rows a record batch has, at most: batches are what readers share out among cores.
const BATCH_ROWS: usize = 128 << 10;

/// An Arrow file that is being written.
pub(crate) struct ArrowSink<W: Write> {
    file: FileWriter<W>,
    schema: SchemaRef,
    columns: Vec<Option<SharedTexts>>,
}

impl<W: Write> ArrowSink<W> {
    pub(crate) fn create(out: W, schema: &Schema) -> Result<Self, Error> {
        let fields: Vec<Field> = schema.fields().iter().map(|field| plain_unless_text(field)).collect();
        let columns = fields.iter().map(|field| SharedTexts::of(field.data_type())).collect();
        let schema = Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()));
        let options = IpcWriteOptions::default()
            .with_dictionary_handling(DictionaryHandling::Delta)
            .try_with_compression(Some(CompressionType::LZ4_FRAME))
            .map_err(failed)?;
        let file = FileWriter::try_new_with_options(out, &schema, options).map_err(failed)?;
        Ok(ArrowSink { file, schema, columns })
    }

    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<(), Error> {
        for start in (0..batch.num_rows()).step_by(BATCH_ROWS) {
            let rows = batch.slice(start, BATCH_ROWS.min(batch.num_rows() - start));
            self.write_rows(&rows).map_err(failed)?;
        }
        Ok(())
    }

    fn write_rows(&mut self, rows: &RecordBatch) -> Result<(), ArrowError> {
        let mut arrays = Vec::with_capacity(self.columns.len());
        let fields = self.schema.fields().iter();
        for ((shared, field), array) in self.columns.iter_mut().zip(fields).zip(rows.columns()) {
            arrays.push(match shared {
                Some(shared) => shared.code(array)?,
                None if array.data_type() != field.data_type() => cast(array, field.data_type())?,
                None => array.clone(),
            });
        }
        self.file.write(&RecordBatch::try_new(self.schema.clone(), arrays)?)
    }

    pub(crate) fn finish(mut self) -> Result<(), Error> {
        self.file.finish().map_err(failed)?;
        self.file.into_inner().map_err(failed)?.flush().map_err(unwritten)
    }
}

/// The field as it is, or of plain values if it is a dictionary of something else than texts.
fn plain_unless_text(field: &Field) -> Field {
    match field.data_type() {
        DataType::Dictionary(_, values) if holds(values) != Holds::Texts => {
            field.clone().with_data_type(values.as_ref().clone())
        }
        _ => field.clone(),
    }
}

/// The one dictionary of a column of texts.
struct SharedTexts {
    data_type: DataType,
    dictionary: Dictionary,
    /// The dictionary as an array; the same one as long as nothing is added.
    values: ArrayRef,
    /// The dictionary met last, and the codes here of its texts.
    known: Option<(ArrayRef, Vec<Option<i64>>)>,
}

impl SharedTexts {
    fn of(data_type: &DataType) -> Option<Self> {
        let DataType::Dictionary(_, values) = data_type else { return None };
        let values = arrow_array::new_empty_array(values);
        let dictionary = Dictionary::default();
        Some(SharedTexts { data_type: data_type.clone(), dictionary, values, known: None })
    }

    /// The same texts, coded by the shared dictionary.
    fn code(&mut self, array: &dyn Array) -> Result<ArrayRef, ArrowError> {
        let coded = array.as_any_dictionary();
        self.meet(coded.values())?;
        let Some((_, codes)) = &self.known else { return Ok(make_array(array.to_data())) };
        let own = cast(coded.keys(), &DataType::Int64)?;
        let own = own.as_primitive::<arrow_array::types::Int64Type>();
        let shared: Int64Array =
            own.iter().map(|key| key.and_then(|key| codes.get(key as usize).copied().flatten())).collect();
        self.array_of(&shared)
    }

    /// Adds the texts of a dictionary that was not met before.
    fn meet(&mut self, values: &ArrayRef) -> Result<(), ArrowError> {
        let is_known = |(known, _): &(ArrayRef, _)| known.to_data().ptr_eq(&values.to_data());
        if self.known.as_ref().is_some_and(is_known) {
            return Ok(());
        }
        let n_before = self.dictionary.len();
        let texts = cast(values, &DataType::Utf8)?;
        let code = |text: Option<&str>| text.map(|text| i64::from(self.dictionary.code_of(text)));
        let codes = texts.as_string::<i32>().iter().map(code).collect();
        if self.dictionary.len() > n_before {
            let all = StringArray::from_iter_values(self.dictionary.iter());
            self.values = cast(&all, values.data_type())?;
        }
        self.known = Some((values.clone(), codes));
        Ok(())
    }

    /// Codes and the shared dictionary as an array of the type of the column.
    fn array_of(&self, codes: &Int64Array) -> Result<ArrayRef, ArrowError> {
        let DataType::Dictionary(key_type, _) = &self.data_type else { return Ok(self.values.clone()) };
        let strict = CastOptions { safe: false, ..CastOptions::default() };
        let keys = cast_with_options(codes, key_type, &strict)?.to_data();
        let data = keys.into_builder().data_type(self.data_type.clone());
        Ok(make_array(data.add_child_data(self.values.to_data()).build()?))
    }
}

fn failed(error: ArrowError) -> Error {
    match error {
        ArrowError::IoError(_, cause) => unwritten(cause),
        error => Error::new(ErrorKind::ColumnType, format!("the table cannot be written as Arrow ({error})"))
            .advise("leave the column out, or write another format"),
    }
}
