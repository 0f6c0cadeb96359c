//! Columns of a table read as labels, each value in its place or the place of the first that is missing.

use tribunal_io::{Batch, Labels, TableReader, Want};

use crate::error::Error;
use crate::progress::{OnProgress, Progress};
use crate::resampling::LabelColumn;

/// Columns of a table, and how many rows it has.
pub(crate) struct LabelsRead {
    pub(crate) n_rows: usize,
    /// Each once, in the order of their names.
    pub(crate) columns: Vec<LabelColumn>,
}

/// Reads columns without gaps; one that is asked for twice is read once.
pub(crate) fn read_labels(
    reader: &TableReader,
    names: &[&str],
    on_progress: OnProgress<'_>,
) -> Result<LabelsRead, Error> {
    let mut distinct: Vec<&str> = names.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let wants: Vec<Want> = distinct.iter().map(|&name| Want::label(name)).collect();
    let mut codes: Vec<Vec<u32>> = vec![Vec::new(); distinct.len()];
    let on_read = |read| on_progress(Progress::Reading(read));
    let summary = reader.read::<Error>(&wants, &on_read, &mut |batch| {
        for (at, (name, codes)) in distinct.iter().zip(&mut codes).enumerate() {
            codes.extend_from_slice(labelled(&batch, at, name)?);
        }
        Ok(())
    })?;
    let mut read = Vec::with_capacity(distinct.len());
    for ((name, codes), dictionary) in distinct.iter().zip(codes).zip(&summary.dictionaries) {
        read.push(LabelColumn::new(name, codes, dictionary.iter().map(str::to_owned).collect())?);
    }
    Ok(LabelsRead { n_rows: summary.rows as usize, columns: read })
}

/// A column of labels without gaps.
fn labelled<'b>(batch: &'b Batch<'_>, at: usize, column: &str) -> Result<&'b [u32], Error> {
    let missing = |row: usize| {
        Error::data(format!(
            "{}, column \"{column}\": the value is missing; fill it in, or leave out the row or the column",
            batch.place.locate(row)
        ))
    };
    let Some(labels) = batch.labels(at) else { return Err(missing(0)) };
    match labels.codes.iter().position(|&code| code == Labels::MISSING) {
        Some(row) => Err(missing(row)),
        None => Ok(&labels.codes),
    }
}
