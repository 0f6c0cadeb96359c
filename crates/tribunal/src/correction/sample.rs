//! The corrected sample as a table: the actioned rows as they stand, with their stratum and with how often or with which weight each
//! counts.

use std::io::Write;

use tribunal_eval::correction::NO_STRATUM;
use tribunal_io::{
    AddedColumn, AddedValues, Labels, ReadOptions, RowCopy, Source, TableFormat, TableReader, copy_table,
};

use super::run::CorrectedTable;
use super::stratify::Stratified;
use super::weighting::WeightedRows;
use crate::error::Error;
use crate::progress::{OnProgress, Progress};

/// The name of the column of strata.
const STRATUM: &str = "correction_stratum";

/// What is written beside each actioned row.
#[derive(Clone, Debug)]
pub(super) struct SampleColumns {
    names: Vec<String>,
    stratum: Vec<u32>,
    columns: Vec<SampleColumn>,
}

#[derive(Clone, Debug)]
struct SampleColumn {
    name: String,
    values: SampleValues,
}

#[derive(Clone, Debug)]
enum SampleValues {
    Multiplicities(Vec<u32>),
    Weights(Vec<f64>),
}

impl SampleColumns {
    pub(super) fn new(stratified: &Stratified) -> Self {
        let missing = |&stratum: &u32| if stratum == NO_STRATUM { Labels::MISSING } else { stratum };
        Self {
            names: stratified.strata.iter().map(|stratum| stratum.name.clone()).collect(),
            stratum: stratified.of_row.iter().map(missing).collect(),
            columns: Vec::new(),
        }
    }

    /// Adds the multiplicities or weights of a method.
    pub(super) fn add(&mut self, rows: WeightedRows) {
        let name = format!("correction_{}", rows.method);
        let values = match rows.multiplicities {
            Some(times) => SampleValues::Multiplicities(times),
            None => SampleValues::Weights(rows.weights),
        };
        self.columns.push(SampleColumn { name, values });
    }

    /// Rows that count by any method.
    fn kept(&self) -> Vec<bool> {
        let counts = |row: usize, column: &SampleColumn| match &column.values {
            SampleValues::Multiplicities(times) => times[row] > 0,
            SampleValues::Weights(weights) => weights[row] > 0.0,
        };
        (0..self.stratum.len()).map(|row| self.columns.iter().any(|column| counts(row, column))).collect()
    }

    fn added(&self) -> Vec<AddedColumn<'_>> {
        let stratum = AddedColumn {
            name: STRATUM,
            values: AddedValues::Labels { codes: &self.stratum, texts: &self.names },
        };
        std::iter::once(stratum).chain(self.columns.iter().map(SampleColumn::added)).collect()
    }
}

impl SampleColumn {
    fn added(&self) -> AddedColumn<'_> {
        let values = match &self.values {
            SampleValues::Multiplicities(times) => AddedValues::Whole(times),
            SampleValues::Weights(weights) => AddedValues::Numbers(weights),
        };
        AddedColumn { name: &self.name, values }
    }
}

impl CorrectedTable {
    /// Checks that the columns of the sample are new to the table, which are not written over.
    ///
    /// # Errors
    /// The table has a column of such a name.
    pub fn check_names(&self, incidence: &Source) -> Result<(), Error> {
        let reader = TableReader::open(incidence, &ReadOptions::default())?;
        let added = self.columns.added();
        let is_there =
            |column: &&AddedColumn<'_>| reader.columns().iter().any(|known| known.name == column.name);
        match added.iter().find(is_there) {
            Some(column) => Err(Error::usage(format!(
                "the incidence has a column \"{}\" already, and it is not written over; is it a corrected sample? Give the \
                 incidence as it was, or rename the column",
                column.name
            ))),
            None => Ok(()),
        }
    }

    /// The names of the columns that the sample has beside those of the incidence.
    pub fn sample_columns(&self) -> Vec<String> {
        self.columns.added().iter().map(|column| column.name.to_owned()).collect()
    }

    /// Writes the corrected sample: the actioned rows that count, as they stand, with their stratum and a column for each method,
    /// of whole numbers where rows are repeated and of weights where they are weighted.
    ///
    /// # Errors
    /// The table has a column of such a name, or cannot be read or written.
    pub fn write(
        &self,
        incidence: &Source,
        format: TableFormat,
        out: &mut (dyn Write + Send),
        on_progress: OnProgress<'_>,
    ) -> Result<(), tribunal_io::Error> {
        let (kept, added) = (self.columns.kept(), self.columns.added());
        let copying = RowCopy { columns: None, keep: Some(&kept), added: &added };
        let on_read = |read| on_progress(Progress::Reading(read));
        copy_table(incidence, &ReadOptions::default(), &copying, format, out, &on_read)?;
        Ok(())
    }
}
