//! Parquet: the columns of a row group are encoded at the same time.
//!
//! Batches are encoded as they come, so that a row group takes up what it will take up in the file and not what it
//! takes up in memory.

use std::collections::BTreeMap;
use std::io::Write;

use arrow_array::RecordBatch;
use arrow_schema::{Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowLeafColumn, ArrowRowGroupWriterFactory, ArrowWriterOptions,
    compute_leaves,
};
use parquet::basic::Compression as Codec;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use rayon::prelude::*;

use crate::error::{Error, ErrorKind};
use crate::write::{Compression, unwritten};

/// How many rows a row group has.
const GROUP_ROWS: usize = 1 << 20;

/// A row group of many columns ends when it has so many bytes: it is kept in memory until then.
const GROUP_BYTES: usize = 256 << 20;

/// A Parquet file that is being written.
pub(crate) struct ParquetSink<W: Write + Send> {
    file: SerializedFileWriter<W>,
    factory: ArrowRowGroupWriterFactory,
    schema: SchemaRef,
    /// The columns of the row group under way.
    columns: Vec<ArrowColumnWriter>,
    group: usize,
    group_rows: usize,
}

impl<W: Write + Send> ParquetSink<W> {
    pub(crate) fn create(
        out: W,
        schema: &SchemaRef,
        metadata: &BTreeMap<String, String>,
        compression: Compression,
    ) -> Result<Self, Error> {
        let pairs = metadata.iter().map(|(key, value)| KeyValue::new(key.clone(), value.clone())).collect();
        let properties = WriterProperties::builder()
            .set_compression(codec(compression))
            .set_max_row_group_row_count(Some(GROUP_ROWS))
            .set_key_value_metadata(Some(pairs))
            .set_created_by(concat!("tribunal ", env!("CARGO_PKG_VERSION")).to_string())
            .build();
        // The metadata of the schema stands among the pairs of the file, where every reader looks for it.
        let fields = std::sync::Arc::new(Schema::new(schema.fields().clone()));
        let options = ArrowWriterOptions::new().with_properties(properties);
        let writer = ArrowWriter::try_new_with_options(out, fields, options).map_err(failed)?;
        let (file, factory) = writer.into_serialized_writer().map_err(failed)?;
        Ok(ParquetSink {
            file,
            factory,
            schema: schema.clone(),
            columns: Vec::new(),
            group: 0,
            group_rows: 0,
        })
    }

    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<(), Error> {
        let mut start = 0;
        while start < batch.num_rows() {
            let n_rows = (GROUP_ROWS - self.group_rows).min(batch.num_rows() - start);
            self.encode(&batch.slice(start, n_rows)).map_err(failed)?;
            start += n_rows;
            if self.group_rows == GROUP_ROWS || self.group_bytes() >= GROUP_BYTES {
                self.end_group().map_err(failed)?;
            }
        }
        Ok(())
    }

    pub(crate) fn finish(mut self) -> Result<(), Error> {
        self.end_group().map_err(failed)?;
        // This flushes what it writes to, and says what went wrong; handing the writer back does not.
        self.file.finish().map(drop).map_err(failed)
    }

    fn encode(&mut self, rows: &RecordBatch) -> Result<(), ParquetError> {
        if self.columns.is_empty() {
            self.columns = self.factory.create_column_writers(self.group)?;
        }
        let mut leaves: Vec<ArrowLeafColumn> = Vec::with_capacity(self.columns.len());
        for (field, array) in self.schema.fields().iter().zip(rows.columns()) {
            leaves.extend(compute_leaves(field, array)?);
        }
        let encoded = self.columns.par_iter_mut().zip(leaves).map(|(column, leaf)| column.write(&leaf));
        first_failure(encoded.collect())?;
        self.group_rows += rows.num_rows();
        Ok(())
    }

    fn group_bytes(&self) -> usize {
        self.columns.iter().map(ArrowColumnWriter::get_estimated_total_bytes).sum()
    }

    fn end_group(&mut self) -> Result<(), ParquetError> {
        if self.columns.is_empty() {
            return Ok(());
        }
        let columns = std::mem::take(&mut self.columns);
        let closed: Vec<Result<ArrowColumnChunk, _>> =
            columns.into_par_iter().map(ArrowColumnWriter::close).collect();
        let mut group = self.file.next_row_group()?;
        for chunk in closed {
            chunk?.append_to_row_group(&mut group)?;
        }
        group.close()?;
        (self.group, self.group_rows) = (self.group + 1, 0);
        Ok(())
    }
}

/// The failure of the first column that has one, whichever thread met one first.
fn first_failure(outcomes: Vec<Result<(), ParquetError>>) -> Result<(), ParquetError> {
    outcomes.into_iter().collect()
}

fn codec(compression: Compression) -> Codec {
    match compression {
        Compression::None => Codec::UNCOMPRESSED,
        Compression::Snappy => Codec::SNAPPY,
        Compression::Lz4 => Codec::LZ4_RAW,
    }
}

fn failed(error: ParquetError) -> Error {
    match error {
        ParquetError::External(cause) => match cause.downcast::<std::io::Error>() {
            Ok(cause) => unwritten(*cause),
            Err(cause) => refused(cause.to_string()),
        },
        error => refused(error.to_string()),
    }
}

fn refused(why: String) -> Error {
    Error::new(ErrorKind::ColumnType, format!("the table cannot be written as Parquet ({why})"))
        .advise("leave the column out, or write another format")
}
