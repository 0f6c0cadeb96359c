//! Tables out: record batches written as CSV, Parquet, Arrow IPC or JSON lines.
//!
//! Texts are formatted in slices of rows and Parquet column by column, on all cores; both are put together in order, so
//! that the bytes do not depend on the number of threads. `arrow-csv` and `arrow-json` were rejected: they write one row
//! after the other on one core.

mod arrow;
pub(crate) mod cells;
pub(crate) mod csv;
pub(crate) mod json_lines;
pub(crate) mod numbers;
#[cfg_attr(not(feature = "parquet"), path = "no_parquet.rs")]
mod parquet;
mod table_format;

use std::io::Write;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{Field, Schema, SchemaRef};
use rayon::prelude::*;

use self::arrow::ArrowSink;
use self::csv::Layout;
use self::parquet::ParquetSink;
use crate::error::{Error, ErrorKind, quoted};

pub use self::table_format::TableFormat;

/// How many rows are formatted as one piece of work.
const SLICE_ROWS: usize = 8 << 10;

/// How many slices are formatted before they are written.
const SLICES: usize = 32;

/// How the pages of a Parquet file are compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    None,
    /// Snappy, which every reader knows.
    #[default]
    Snappy,
    /// LZ4 in the form of `LZ4_RAW`, which readers know since 2021.
    Lz4,
}

/// Writes a table batch by batch.
///
/// It needs nothing but a [`Write`], so it goes together with [`write_whole`](crate::write_whole), which makes the file
/// appear complete or not at all. What is missing (null) is an empty field in CSV and null in JSON lines.
///
/// - *CSV*: quotes where they are needed. Numbers are the shortest text that reads back as the same number, except that
///   a Float64 field whose metadata says `decimals` has exactly so many. Dates are ISO 8601.
/// - *Parquet*: row groups of 2^20 rows (fewer if they would take more than 256 MiB), dictionaries, statistics.
/// - *Arrow*: the file format (Feather version 2), compressed with LZ4.
/// - *JSON lines*: numbers as in CSV; those that are not finite are null.
///
/// The bytes do not depend on the number of threads.
///
/// ```
/// use std::sync::Arc;
///
/// use arrow_array::{Float64Array, RecordBatch, StringArray};
/// use arrow_schema::{DataType, Field, Schema};
/// use tribunal_io::{TableFormat, TableWriter, write_whole};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("claims.csv");
/// let cents = [("decimals".to_string(), "2".to_string())].into();
/// let amount = Field::new("amount", DataType::Float64, true).with_metadata(cents);
/// let schema = Arc::new(Schema::new(vec![Field::new("claim", DataType::Utf8, false), amount]));
/// let claims = StringArray::from(vec!["C-1", "C-2, reopened"]);
/// let amounts = Float64Array::from(vec![Some(1200.5), None]);
/// let batch = RecordBatch::try_new(schema.clone(), vec![Arc::new(claims), Arc::new(amounts)])?;
///
/// write_whole(&path, |file| {
///     let mut writer = TableWriter::create(file, TableFormat::Csv, schema, &[("seed", "1")])?;
///     writer.write(&batch)?;
///     Ok(writer.finish()?)
/// })?;
///
/// assert_eq!(std::fs::read_to_string(&path)?, "claim,amount\nC-1,1200.50\n\"C-2, reopened\",\n");
/// # Ok(())
/// # }
/// ```
pub struct TableWriter<W: Write + Send> {
    schema: SchemaRef,
    sink: Sink<W>,
}

enum Sink<W: Write + Send> {
    Text(W, TextRows),
    Parquet(Box<ParquetSink<W>>),
    Arrow(Box<ArrowSink<W>>),
}

/// How rows become text.
#[derive(Clone, Copy)]
enum TextRows {
    Csv(Layout),
    Json,
}

impl<W: Write + Send> TableWriter<W> {
    /// Begins a table with these columns.
    ///
    /// `metadata` is added to that of the schema and stands in the file where the format has a place for it, in Parquet
    /// and Arrow.
    ///
    /// # Errors
    /// The start of the file cannot be written, or the format has no place for a column.
    pub fn create(
        out: W,
        format: TableFormat,
        schema: SchemaRef,
        metadata: &[(&str, &str)],
    ) -> Result<Self, Error> {
        Self::create_compressed(out, format, schema, metadata, Compression::default())
    }

    /// The same, with another compression of Parquet. Other formats pay no heed to it.
    ///
    /// # Errors
    /// As [`create`](Self::create).
    pub fn create_compressed(
        mut out: W,
        format: TableFormat,
        schema: SchemaRef,
        metadata: &[(&str, &str)],
        compression: Compression,
    ) -> Result<Self, Error> {
        let described = described(&schema, metadata);
        let sink = match format {
            TableFormat::Parquet => {
                Sink::Parquet(Box::new(ParquetSink::create(out, &described, compression)?))
            }
            TableFormat::ArrowIpc => Sink::Arrow(Box::new(ArrowSink::create(out, &described)?)),
            TableFormat::JsonLines => Sink::Text(out, TextRows::Json),
            TableFormat::Csv | TableFormat::Tsv => {
                let layout = Layout { delimiter: format.delimiter().unwrap_or(b','), quote: b'"' };
                out.write_all(&layout.header(&schema)).map_err(unwritten)?;
                Sink::Text(out, TextRows::Csv(layout))
            }
        };
        Ok(TableWriter { schema, sink })
    }

    /// Adds rows.
    ///
    /// # Errors
    /// The columns are not those of the table, the format cannot hold a column, or the rows cannot be written.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<(), Error> {
        agree(&self.schema, batch)?;
        match &mut self.sink {
            Sink::Text(out, rows) => write_text(out, *rows, batch),
            Sink::Parquet(sink) => sink.write(batch),
            Sink::Arrow(sink) => sink.write(batch),
        }
    }

    /// Writes what is left and ends the table. A table that is not ended is not whole.
    ///
    /// # Errors
    /// The rest of the file cannot be written.
    pub fn finish(self) -> Result<(), Error> {
        match self.sink {
            Sink::Text(mut out, _) => out.flush().map_err(unwritten),
            Sink::Parquet(sink) => sink.finish(),
            Sink::Arrow(sink) => sink.finish(),
        }
    }
}

/// The schema with more metadata.
fn described(schema: &Schema, metadata: &[(&str, &str)]) -> Schema {
    let mut all = schema.metadata().clone();
    all.extend(metadata.iter().map(|&(key, value)| (key.to_string(), value.to_string())));
    Schema::new_with_metadata(schema.fields().clone(), all)
}

/// Formats slices of rows at the same time and writes them in order.
fn write_text(out: &mut impl Write, rows: TextRows, batch: &RecordBatch) -> Result<(), Error> {
    let starts: Vec<usize> = (0..batch.num_rows()).step_by(SLICE_ROWS).collect();
    let format = |&start: &usize| {
        let slice = batch.slice(start, SLICE_ROWS.min(batch.num_rows() - start));
        match rows {
            TextRows::Csv(layout) => layout.rows(&slice),
            TextRows::Json => json_lines::rows(&slice),
        }
    };
    for starts in starts.chunks(SLICES) {
        let slices: Vec<Result<Vec<u8>, Error>> = starts.par_iter().map(format).collect();
        slices.into_iter().try_for_each(|slice| out.write_all(&slice?).map_err(unwritten))?;
    }
    Ok(())
}

/// The error for what the system refuses to write; the file is added where its name is known.
pub(crate) fn unwritten(error: std::io::Error) -> Error {
    Error::io("cannot be written", error)
}

/// Fails if the columns of a batch are not those of the table, or lack values where the table has no place for that.
fn agree(table: &SchemaRef, batch: &RecordBatch) -> Result<(), Error> {
    if Arc::ptr_eq(table, batch.schema_ref()) {
        return Ok(());
    }
    let (known, found) = (table.fields(), batch.schema_ref().fields());
    let fits = |idx: &usize| match (known.get(*idx), found.get(*idx)) {
        (Some(known), Some(found)) => {
            known.name() == found.name()
                && known.data_type() == found.data_type()
                && (known.is_nullable() || batch.column(*idx).null_count() == 0)
        }
        _ => false,
    };
    let odd = (0..known.len().max(found.len())).find(|idx| !fits(idx));
    odd.map_or(Ok(()), |idx| Err(misfit(idx, known.get(idx), found.get(idx))))
}

fn misfit(idx: usize, known: Option<&Arc<Field>>, found: Option<&Arc<Field>>) -> Error {
    let describe = |field: Option<&Arc<Field>>| match field {
        Some(field) if field.is_nullable() => {
            format!("{} of type {}", quoted(field.name()), field.data_type())
        }
        Some(field) => format!("{} of type {} without nulls", quoted(field.name()), field.data_type()),
        None => "nothing".to_string(),
    };
    let problem = format!(
        "column {} of the rows is {}, that of the table {}",
        idx + 1,
        describe(found),
        describe(known)
    );
    Error::new(ErrorKind::InvalidInput, problem)
        .advise("give batches of the schema that the table was created with")
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::types::Int8Type;
    use arrow_array::{
        ArrayRef, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Float32Array, Float64Array,
        Int64Array, ListArray, StringArray, TimestampSecondArray, UInt8Array,
    };

    fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
        RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true)))
            .expect("a batch")
    }

    fn written(format: TableFormat, batches: &[RecordBatch]) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        let mut writer = TableWriter::create(&mut bytes, format, batches[0].schema(), &[("seed", "7")])?;
        batches.iter().try_for_each(|batch| writer.write(batch))?;
        writer.finish()?;
        Ok(bytes)
    }

    fn check(format: TableFormat, batch: RecordBatch, expected: &str) {
        let bytes = written(format, &[batch]).expect("written");
        assert_eq!(String::from_utf8(bytes).expect("text"), expected);
    }

    fn one(array: impl arrow_array::Array + 'static) -> RecordBatch {
        batch(vec![("x", Arc::new(array))])
    }

    fn every_type() -> RecordBatch {
        let coded: DictionaryArray<Int8Type> = [Some("north"), None].into_iter().collect();
        let money = Decimal128Array::from(vec![Some(-1250), None]).with_precision_and_scale(9, 2);
        batch(vec![
            ("whole", Arc::new(Int64Array::from(vec![Some(-7), None]))),
            ("small", Arc::new(UInt8Array::from(vec![Some(255), None]))),
            ("double", Arc::new(Float64Array::from(vec![Some(0.1), None]))),
            ("single", Arc::new(Float32Array::from(vec![Some(0.1), None]))),
            ("flag", Arc::new(BooleanArray::from(vec![Some(true), None]))),
            ("text", Arc::new(StringArray::from(vec![Some("plain"), None]))),
            ("coded", Arc::new(coded)),
            ("day", Arc::new(Date32Array::from(vec![Some(19_000), None]))),
            (
                "time",
                Arc::new(TimestampSecondArray::from(vec![Some(86_400), None]).with_timezone("Europe/Paris")),
            ),
            ("money", Arc::new(money.expect("a decimal"))),
        ])
    }

    #[test]
    fn every_type_has_its_text() {
        let header = "whole,small,double,single,flag,text,coded,day,time,money\n";
        let first = "-7,255,0.1,0.1,true,plain,north,2022-01-08,1970-01-02T00:00:00Z,-12.50\n";
        check(TableFormat::Csv, every_type(), &format!("{header}{first},,,,,,,,,\n"));
        let object = r#"{"whole":-7,"small":255,"double":0.1,"single":0.1,"flag":true,"text":"plain","coded":"north","#;
        let object = format!(r#"{object}"day":"2022-01-08","time":"1970-01-02T00:00:00Z","money":-12.50}}"#);
        let nulls = r#"{"whole":null,"small":null,"double":null,"single":null,"flag":null,"text":null,"#;
        let nulls = format!(r#"{nulls}"coded":null,"day":null,"time":null,"money":null}}"#);
        check(TableFormat::JsonLines, every_type(), &format!("{object}\n{nulls}\n"));
    }

    #[test]
    fn texts_are_quoted_where_they_must_be() {
        let texts =
            ["plain", "a,b", "say \"so\"", "two\nlines", " led", "", "it's", "'q'", "a;b\tc", "5\" pipe"];
        let quoted = "x\nplain\n\"a,b\"\n\"say \"\"so\"\"\"\n\"two\nlines\"\n\" led\"\n\"\"\nit's\n\"'q'\"\na;b\tc\n\"5\"\" pipe\"\n";
        check(TableFormat::Csv, one(StringArray::from(texts.to_vec())), quoted);
        check(
            TableFormat::Tsv,
            batch(vec![("a;b", one(StringArray::from(vec!["a\tb"])).column(0).clone())]),
            "\"a;b\"\n\"a\tb\"\n",
        );
        check(TableFormat::JsonLines, one(StringArray::from(vec!["a\"b\n"])), "{\"x\":\"a\\\"b\\n\"}\n");
    }

    #[test]
    fn a_row_of_nothing_is_still_a_row() {
        check(TableFormat::Csv, one(Int64Array::from(vec![None, Some(1)])), "x\n\"\"\n1\n");
    }

    #[test]
    fn json_has_no_word_for_infinity() {
        let values = vec![f64::NAN, f64::INFINITY, 2.0];
        check(
            TableFormat::JsonLines,
            one(Float64Array::from(values.clone())),
            "{\"x\":null}\n{\"x\":null}\n{\"x\":2}\n",
        );
        check(TableFormat::Csv, one(Float64Array::from(values)), "x\nNaN\ninf\n2\n");
    }

    #[test]
    fn lists_have_no_place_in_a_text() {
        let lists = ListArray::from_iter_primitive::<arrow_array::types::Int64Type, _, _>([Some([Some(1)])]);
        let lists = one(lists);
        for format in [TableFormat::Csv, TableFormat::JsonLines] {
            let error = written(format, std::slice::from_ref(&lists)).expect_err("no place");
            assert_eq!((error.kind(), error.column()), (ErrorKind::ColumnType, Some("x")));
        }
        for format in [TableFormat::Parquet, TableFormat::ArrowIpc] {
            written(format, std::slice::from_ref(&lists)).expect("a place");
        }
    }

    #[test]
    fn other_columns_are_refused() {
        for (other, word) in [
            (every_type(), "\\\"whole\\\""),
            (batch(vec![("x", Arc::new(Float64Array::from(vec![1.0])))]), "Float64"),
        ] {
            let error =
                written(TableFormat::Csv, &[one(Int64Array::from(vec![1])), other]).expect_err("refused");
            assert_eq!(error.kind(), ErrorKind::InvalidInput);
            assert!(error.to_string().contains(&word.replace('\\', "")), "{error}");
        }
    }
}
