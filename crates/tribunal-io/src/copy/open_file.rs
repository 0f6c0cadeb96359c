//! A file to be copied, opened in its own format.

use crate::arff::ArffTable;
use crate::columnar::StoredTable;
use crate::csv::CsvTable;
use crate::error::Error;
use crate::file_table::FileTable;
use crate::format::{Format, sniff};
use crate::ipc::ArrowTable;
use crate::json_lines::JsonTable;
use crate::source::Input;
use crate::table::ReadOptions;

/// A file whose format is known.
pub(crate) enum OpenFile {
    Csv(CsvTable),
    Json(JsonTable),
    Arff(ArffTable),
    Stored(Box<dyn StoredTable>),
}

impl OpenFile {
    pub(crate) fn open(input: &Input, options: &ReadOptions) -> Result<Self, Error> {
        Ok(match sniff(input)? {
            #[cfg(feature = "parquet")]
            Format::Parquet => {
                OpenFile::Stored(Box::new(crate::parquet::ParquetTable::open_as_stored(input)?))
            }
            Format::ArrowFile => OpenFile::Stored(Box::new(ArrowTable::open_file(input)?)),
            Format::ArrowStream => OpenFile::Stored(Box::new(ArrowTable::open_stream(input)?)),
            Format::Csv(sample) => OpenFile::Csv(CsvTable::open(input, &sample, options)?),
            Format::JsonLines(sample) => OpenFile::Json(JsonTable::open(input, &sample)?),
            Format::Arff(sample) => OpenFile::Arff(ArffTable::open(input, &sample)?),
        })
    }

    pub(crate) fn table(&self) -> &dyn FileTable {
        match self {
            OpenFile::Csv(table) => table,
            OpenFile::Json(table) => table,
            OpenFile::Arff(table) => table,
            OpenFile::Stored(table) => table.as_ref(),
        }
    }

    pub(crate) fn csv(&self) -> Option<&CsvTable> {
        if let OpenFile::Csv(table) = self { Some(table) } else { None }
    }

    pub(crate) fn json(&self) -> Option<&JsonTable> {
        if let OpenFile::Json(table) = self { Some(table) } else { None }
    }

    pub(crate) fn stored(&self) -> Option<&dyn StoredTable> {
        if let OpenFile::Stored(table) = self { Some(table.as_ref()) } else { None }
    }
}
