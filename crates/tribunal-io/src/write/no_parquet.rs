//! What stands for the writer of Parquet in a build without it: it refuses.

use std::convert::Infallible;
use std::marker::PhantomData;

use arrow_array::RecordBatch;
use arrow_schema::Schema;

use crate::error::{Error, ErrorKind};
use crate::write::Compression;

/// A Parquet file that is never begun.
pub(crate) struct ParquetSink<W>(Infallible, PhantomData<W>);

impl<W> ParquetSink<W> {
    pub(crate) fn create(_out: W, _schema: &Schema, _compression: Compression) -> Result<Self, Error> {
        Err(Error::new(ErrorKind::UnknownFormat, "this build writes no Parquet")
            .advise("write the table as CSV or Arrow, or build with the feature `parquet`"))
    }

    pub(crate) fn write(&mut self, _batch: &RecordBatch) -> Result<(), Error> {
        match self.0 {}
    }

    pub(crate) fn finish(self) -> Result<(), Error> {
        match self.0 {}
    }
}
