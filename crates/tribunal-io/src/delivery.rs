//! Chunks made into batches: given their place in the file and the shared dictionaries.

use std::sync::Arc;

use crate::batch::{Batch, Column, Labels};
use crate::chunk::{Chunk, ChunkColumn};
use crate::dictionary::Dictionary;
use crate::draft::Visit;
use crate::error::{Error, ErrorKind};
use crate::file_table::{FileTable, Slot, unknown_column};
use crate::place::Place;
use crate::table::{Progress, Summary, Want};

/// Gives chunks their place in the file and their shared dictionaries.
pub(crate) struct Delivery<'a> {
    files: &'a [Box<dyn FileTable>],
    total_bytes: u64,
    summary: Summary,
    /// How many labels each wanted column may have.
    most_labels: Vec<usize>,
    /// The columns that are read: first those that are wanted.
    names: Vec<Arc<str>>,
    /// Whether each column is listed by a file or, failing that, has shown a value.
    is_seen: Vec<bool>,
    bytes: u64,
    file_idx: usize,
    /// Lines or rows of the current file that have been passed.
    passed: u64,
}

impl<'a> Delivery<'a> {
    pub(crate) fn new(
        files: &'a [Box<dyn FileTable>],
        total_bytes: u64,
        plans: &[Vec<Slot>],
        wanted: &[Want],
    ) -> Self {
        let names: Vec<Arc<str>> =
            plans.first().into_iter().flatten().map(|slot| slot.name.clone()).collect();
        let summary = Summary { rows: 0, dictionaries: vec![Dictionary::default(); wanted.len()] };
        let most_labels = wanted.iter().map(|want| want.most_labels).collect();
        let passed = files.first().map_or(0, |file| file.lines_before());
        let is_listed = |idx: usize| plans.iter().any(|plan| plan[idx].column.is_some());
        let is_seen = (0..names.len()).map(is_listed).collect();
        Delivery { files, total_bytes, summary, most_labels, names, is_seen, bytes: 0, file_idx: 0, passed }
    }

    pub(crate) fn deliver<T, E: From<Error>>(
        &mut self,
        file_idx: usize,
        chunks: Result<Vec<(Chunk, T)>, Error>,
        on_progress: &dyn Fn(Progress),
        visit: &mut Visit<'_, T, E>,
    ) -> Result<(), E> {
        if file_idx != self.file_idx {
            self.file_idx = file_idx;
            self.passed = self.files[file_idx].lines_before();
        }
        for (chunk, prepared) in chunks.map_err(|error| error.shift(self.passed))? {
            self.bytes += chunk.bytes;
            if chunk.rows > 0 {
                self.summary.rows += chunk.rows as u64;
                visit(self.batch(chunk), prepared)?;
            } else {
                self.passed += chunk.span;
            }
            on_progress(self.progress());
        }
        Ok(())
    }

    fn batch(&mut self, chunk: Chunk) -> Batch<'_> {
        let file = &self.files[self.file_idx];
        let place = Place {
            file: file.name().clone(),
            unit: file.unit(),
            first: self.passed + 1,
            lines: chunk.lines,
        };
        self.passed += chunk.span;
        for (is_seen, column) in self.is_seen.iter_mut().zip(&chunk.columns) {
            *is_seen = *is_seen || !column.is_missing();
        }
        // Labels that only decided on rows have no dictionary here, and end here.
        let shared = self.summary.dictionaries.iter_mut().zip(&self.most_labels);
        let columns =
            chunk.columns.into_iter().zip(shared).map(|(column, (dictionary, &most))| match column {
                ChunkColumn::Number(numbers) | ChunkColumn::Conditional { numbers, .. } => {
                    Column::Number(numbers)
                }
                ChunkColumn::Coded(coded) => Column::Coded(coded),
                ChunkColumn::Label(labels) => {
                    Column::Label(Labels { codes: labels.share(dictionary, most), dictionary })
                }
            });
        Batch { rows: chunk.rows, place, columns: columns.collect() }
    }

    fn progress(&self) -> Progress {
        let total_bytes = self.total_bytes;
        Progress { rows: self.summary.rows, bytes: self.bytes.min(total_bytes), total_bytes }
    }

    pub(crate) fn finish(self) -> Result<Summary, Error> {
        let unseen = self.names.iter().zip(&self.is_seen).find(|(_, is_seen)| !**is_seen);
        if let (Some((name, _)), Some(file)) = (unseen, self.files.first()) {
            return Err(unknown_column(name, file.columns()).in_file(file.name()));
        }
        if self.summary.rows > 0 {
            return Ok(self.summary);
        }
        Err(no_rows(self.files.iter().map(|file| &**file.name())))
    }
}

/// The error for files that hold no row together.
pub(crate) fn no_rows<'a>(files: impl Iterator<Item = &'a str>) -> Error {
    let names: Vec<&str> = files.collect();
    let problem = format!("{}: there is a header but not one row", names.join(", "));
    Error::new(ErrorKind::NoRows, problem).advise("did the program that writes it finish?")
}
