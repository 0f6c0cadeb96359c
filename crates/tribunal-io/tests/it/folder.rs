//! A temporary folder of files, and whole tables read from it.

use std::path::PathBuf;

use tempfile::TempDir;
use tribunal_io::{Batch, Column, Error, ReadOptions, Source, Summary, TableReader, Want};

/// A folder that is removed with its files.
pub(crate) struct Folder(TempDir);

/// One column, in full.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Values {
    Numbers(Vec<Option<f64>>),
    Labels(Vec<Option<String>>),
}

/// A table, in full.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) columns: Vec<Values>,
    /// Where each row stands, the folder left out.
    pub(crate) places: Vec<String>,
    pub(crate) summary: Summary,
}

impl Folder {
    pub(crate) fn new() -> Self {
        Folder(tempfile::tempdir().expect("a temporary folder"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), bytes).expect("a file");
    }

    pub(crate) fn source(&self, names: &[&str]) -> Result<Source, Error> {
        let paths: Vec<String> =
            names.iter().map(|name| self.path(name).to_string_lossy().into_owned()).collect();
        Source::open(&paths)
    }

    pub(crate) fn open(&self, names: &[&str], options: &ReadOptions) -> Result<TableReader, Error> {
        TableReader::open(&self.source(names)?, options)
    }

    pub(crate) fn read(&self, names: &[&str], wanted: &[Want]) -> Result<Table, Error> {
        self.read_with(names, wanted, &ReadOptions::default())
    }

    pub(crate) fn read_with(
        &self,
        names: &[&str],
        wanted: &[Want],
        options: &ReadOptions,
    ) -> Result<Table, Error> {
        let reader = self.open(names, options)?;
        let mut table = Table::default();
        let folder = format!("{}{}", self.0.path().display(), std::path::MAIN_SEPARATOR);
        let summary = reader.read::<Error>(wanted, &|_| (), &mut |batch| {
            table.add(&batch, &folder);
            Ok(())
        })?;
        table.summary = summary;
        Ok(table)
    }

    /// The message of the error that reading ends in, the folder left out.
    pub(crate) fn error(&self, names: &[&str], wanted: &[Want]) -> (Error, String) {
        let error = self.read(names, wanted).expect_err("an error");
        let folder = format!("{}{}", self.0.path().display(), std::path::MAIN_SEPARATOR);
        let message = error.to_string().replace(&folder, "");
        (error, message)
    }
}

impl Table {
    fn add(&mut self, batch: &Batch<'_>, folder: &str) {
        self.places
            .extend((0..batch.rows).map(|row| batch.place.locate(row).to_string().replace(folder, "")));
        self.columns.resize_with(batch.columns.len(), || Values::Numbers(Vec::new()));
        for (values, column) in self.columns.iter_mut().zip(&batch.columns) {
            values.add(column, batch.rows);
        }
    }

    pub(crate) fn numbers(&self, idx: usize) -> &[Option<f64>] {
        match &self.columns[idx] {
            Values::Numbers(numbers) => numbers,
            Values::Labels(_) => panic!("column {idx} holds labels"),
        }
    }

    pub(crate) fn labels(&self, idx: usize) -> Vec<Option<&str>> {
        match &self.columns[idx] {
            Values::Labels(labels) => labels.iter().map(Option::as_deref).collect(),
            Values::Numbers(_) => panic!("column {idx} holds numbers"),
        }
    }
}

impl Values {
    fn add(&mut self, column: &Column<'_>, n_rows: usize) {
        match column {
            Column::Number(numbers) => {
                let Values::Numbers(values) = self else { panic!("not numbers") };
                values.extend((0..n_rows).map(|row| numbers.get(row)));
            }
            Column::Coded(_) => panic!("read without preparing"),
            Column::Label(labels) => {
                if let Values::Numbers(_) = self {
                    *self = Values::Labels(Vec::new());
                }
                let Values::Labels(values) = self else { panic!("not labels") };
                values.extend((0..n_rows).map(|row| labels.get(row).map(str::to_string)));
            }
        }
    }
}
