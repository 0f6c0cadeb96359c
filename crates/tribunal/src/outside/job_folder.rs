//! A folder for one job of a command: what it is given, what it writes, what it says. It is removed at the end.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::running;
use crate::error::Error;

/// The folder of a job.
pub(super) struct JobFolder {
    folder: TempDir,
}

impl JobFolder {
    pub(super) fn new() -> Result<Self, Error> {
        let folder = tempfile::Builder::new().prefix("tribunal-outside-").tempdir().map_err(|error| {
            Error::Data(format!("a folder for the files of a learner from outside cannot be made: {error}"))
        })?;
        running::keep_folder(folder.path());
        Ok(JobFolder { folder })
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }
}

impl Drop for JobFolder {
    fn drop(&mut self) {
        // First removed, then forgotten: an interruption in between finds it listed.
        let _ = std::fs::remove_dir_all(self.path());
        running::forget_folder(self.path());
    }
}
