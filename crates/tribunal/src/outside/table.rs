//! Rows of a data set as a file that any tool reads.

use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use tribunal_io::{TableFormat, TableWriter, write_whole};
use tribunal_learn::{Column, Dataset, Input, Kind, MISSING, Values};

use crate::error::Error;

/// So many rows are turned into arrays at a time.
const BLOCK: usize = 1 << 16;

/// A column of a file that is to be written.
pub(super) enum OutColumn<'a> {
    /// A predictor.
    Predictor(&'a Column),
    /// Classes by their names.
    Classes { name: &'a str, codes: &'a [u32], classes: &'a [String] },
    /// Weights.
    Weights { name: &'a str, weights: &'a [f64] },
}

impl OutColumn<'_> {
    fn name(&self) -> &str {
        match self {
            Self::Predictor(column) => column.name(),
            Self::Classes { name, .. } | Self::Weights { name, .. } => name,
        }
    }

    fn data_type(&self) -> DataType {
        match self {
            Self::Predictor(column) => match (column.kind(), column.values()) {
                (Kind::Flag, _) => DataType::Int64,
                (_, Values::Codes(_)) => DataType::Utf8,
                (_, Values::Numbers(_)) => DataType::Float64,
            },
            Self::Classes { .. } => DataType::Utf8,
            Self::Weights { .. } => DataType::Float64,
        }
    }

    fn array(&self, rows: &[u32]) -> ArrayRef {
        match self {
            Self::Predictor(column) => match (column.kind(), column.values()) {
                (Kind::Flag, Values::Codes(codes)) => Arc::new(flags(codes, rows)),
                (kind, Values::Codes(codes)) => Arc::new(texts(codes, kind.levels(), rows)),
                (_, Values::Numbers(numbers)) => Arc::new(doubles(numbers, rows)),
            },
            Self::Classes { codes, classes, .. } => Arc::new(texts(codes, classes, rows)),
            Self::Weights { weights, .. } => Arc::new(doubles(weights, rows)),
        }
    }
}

fn flags(codes: &[u32], rows: &[u32]) -> Int64Array {
    let flag = |&row: &u32| Some(codes[row as usize]).filter(|&code| code != MISSING).map(i64::from);
    rows.iter().map(flag).collect()
}

fn texts(codes: &[u32], levels: &[String], rows: &[u32]) -> StringArray {
    rows.iter().map(|&row| levels.get(codes[row as usize] as usize).map(String::as_str)).collect()
}

fn doubles(numbers: &[f64], rows: &[u32]) -> Float64Array {
    rows.iter().map(|&row| Some(numbers[row as usize]).filter(|number| !number.is_nan())).collect()
}

/// The predictors of a model, in its order.
pub(super) fn predictors<'a>(dataset: &'a Dataset, inputs: &[Input]) -> Result<Vec<OutColumn<'a>>, Error> {
    let predictor = |input: &Input| {
        let column = dataset.column(&input.name).ok_or_else(|| {
            Error::data(format!(
                "there is no column \"{}\", which the model was trained with; add it",
                input.name
            ))
        });
        column.map(OutColumn::Predictor)
    };
    inputs.iter().map(predictor).collect()
}

/// Writes some rows; a row may occur more than once.
pub(super) fn write_rows(
    path: &Path,
    columns: &[OutColumn<'_>],
    rows: &[u32],
    format: TableFormat,
) -> Result<(), Error> {
    let fields: Vec<Field> =
        columns.iter().map(|column| Field::new(column.name(), column.data_type(), true)).collect();
    let schema = Arc::new(Schema::new(fields));
    write_whole(path, |file| {
        let mut writer = TableWriter::create(file, format, schema.clone(), &[])?;
        for rows in rows.chunks(BLOCK) {
            let arrays = columns.iter().map(|column| column.array(rows)).collect();
            let batch = RecordBatch::try_new(schema.clone(), arrays).map_err(std::io::Error::other)?;
            writer.write(&batch)?;
        }
        Ok(writer.finish()?)
    })?;
    Ok(())
}
