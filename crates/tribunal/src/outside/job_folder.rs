//! A folder for one job of a command: what it is given, what it writes, what it says. It is removed at the end.
//!
//! Whoever is killed removes nothing. So the folder holds a file that is locked as long as its process lives, and the first
//! job of another process removes what it finds unlocked.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::Duration;

use tempfile::TempDir;

use super::running;
use crate::error::Error;

const PREFIX: &str = "tribunal-outside-";

/// The file that tells whether somebody is at work.
const LOCK: &str = ".lock";

/// A folder that was just made may have no lock yet.
const YOUNG: Duration = Duration::from_secs(60);

/// The folder of a job.
pub(super) struct JobFolder {
    folder: TempDir,
    /// Holds the lock.
    _lock: File,
}

impl JobFolder {
    pub(super) fn new() -> Result<Self, Error> {
        static SWEPT: Once = Once::new();
        SWEPT.call_once(|| remove_left_behind(&std::env::temp_dir()));
        let unmade = |error: std::io::Error| {
            Error::data(format!("a folder for the files of a learner from outside cannot be made: {error}"))
        };
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir().map_err(unmade)?;
        running::keep_folder(folder.path());
        let lock = File::create_new(folder.path().join(LOCK)).map_err(unmade)?;
        // Without a lock nobody removes what is left behind; the job itself does not need it.
        let _ = lock.try_lock();
        Ok(JobFolder { folder, _lock: lock })
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

/// Removes folders of jobs whose processes ended before they could.
fn remove_left_behind(temporary: &Path) {
    for entry in fs::read_dir(temporary).into_iter().flatten().flatten() {
        if entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes()) && is_left_behind(&entry) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn is_left_behind(entry: &fs::DirEntry) -> bool {
    // The metadata of an entry are those of a link itself, so that only folders are folders.
    let is_old = |found: &fs::Metadata| {
        found.is_dir() && found.modified().is_ok_and(|time| time.elapsed().is_ok_and(|age| age > YOUNG))
    };
    entry.metadata().is_ok_and(|found| is_old(&found))
        && File::open(entry.path().join(LOCK)).is_ok_and(|lock| lock.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    #[test]
    fn folders_of_processes_that_were_killed_are_removed() {
        let temporary = tempfile::tempdir().expect("a folder");
        let folder = |name: &str, age: u64| {
            let path = temporary.path().join(name);
            fs::create_dir(&path).expect("a folder");
            let lock = File::create(path.join(LOCK)).expect("a lock");
            let time = SystemTime::now() - Duration::from_secs(age);
            File::open(&path).and_then(|folder| folder.set_modified(time)).expect("a time");
            lock
        };
        drop(folder("tribunal-outside-killed", 600));
        drop(folder("tribunal-outside-young", 0));
        drop(folder("letters", 600));
        let working = folder("tribunal-outside-working", 600);
        working.lock().expect("locked");
        remove_left_behind(temporary.path());
        let mut left: Vec<_> = fs::read_dir(temporary.path())
            .expect("a folder")
            .flatten()
            .map(|entry| entry.file_name())
            .collect();
        left.sort();
        assert_eq!(left, ["letters", "tribunal-outside-working", "tribunal-outside-young"]);
    }
}
