//! What a selection has found so far; in the folder of a run, kept before the next is begun.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::audit::Simulated;
use super::fits::{ForwardFit, KeptPosteriors};
use crate::error::Error;
use crate::run_folder::{RunDescription, RunFolder};

/// A finished result, or why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Record {
    /// The settings of a learner, chosen on the labelled rows where some are open.
    Settled { learner: usize, settings: Result<String, String> },
    /// What a learner says of held-out labelled rows, repetition by repetition.
    HeldOut { learner: usize, said: Result<Vec<KeptPosteriors>, String> },
    /// What its model of all labelled rows says.
    Forward { learner: usize, fit: Result<ForwardFit, String> },
    /// How the reverse model does that a learner makes of the labels of another.
    Reverse { learner: usize, labeller: usize, value: Result<Option<f64>, String> },
    /// What a learner says of labelled rows that are left out one by one.
    LeaveOneOut { learner: usize, said: Result<KeptPosteriors, String> },
    /// What its reverse models of the folds say.
    ReverseValidation { learner: usize, said: Result<KeptPosteriors, String> },
    /// What came of a simulation of the audit.
    Simulation { simulation: usize, found: Result<Simulated, String> },
}

/// The records of a selection.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    records: Vec<Record>,
    folder: Option<RunFolder<Record>>,
}

impl Ledger {
    /// That of a run in a folder, with what it holds already.
    ///
    /// # Errors
    /// The folder cannot be used, or is one of another run.
    pub(super) fn open(folder: &Path, run: &RunDescription) -> Result<Self, Error> {
        let (folder, records) = RunFolder::open(folder, run)?;
        Ok(Ledger { records, folder: Some(folder) })
    }

    /// Keeps what was found.
    ///
    /// # Errors
    /// The journal cannot be written.
    pub(super) fn keep(&mut self, records: Vec<Record>) -> Result<(), Error> {
        if let Some(folder) = &mut self.folder {
            folder.journal.append(&records)?;
        }
        self.records.extend(records);
        Ok(())
    }

    /// The first record that answers.
    pub(super) fn find<T>(&self, answer: impl Fn(&Record) -> Option<T>) -> Option<T> {
        self.records.iter().find_map(answer)
    }
}
