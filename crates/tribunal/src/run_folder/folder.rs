//! The folder of a run: what it is a run of, who is at work in it, and its journal.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::journal::{Journal, JournalFile, check_own, lock_own, open_own, stated_study};
use crate::error::Error;
use crate::message::{Message, Setting, Verb};

/// The files by which a run is known. Results stand beside them.
pub const RUN_FILES: [&str; 3] = ["run.json", "lock", "journal"];

/// What the schema of the journal of a selection begins with.
const SELECTION_RUNS: &str = "tribunal.selection-run/";

/// The folder of a run, held by this process until it is dropped.
#[derive(Debug)]
pub(crate) struct RunFolder<R> {
    pub(crate) journal: Journal<R>,
    /// Holds the lock.
    _lock: File,
}

/// A run: what its scores depend on, and what is asked of them. This is `run.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunDescription {
    #[serde(flatten)]
    fingerprint: Fingerprint,
    /// What is computed from held-out scores, and may change from one command to the next.
    #[serde(default)]
    questions: BTreeMap<String, String>,
}

/// What a run is a run of. Everything that the scores of its learners depend on is here, and nothing else, in words that can
/// be compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Fingerprint {
    schema: String,
    /// The version of Tribunal.
    tribunal: String,
    /// The SHA-256 of the data, and how many bytes each file has.
    data: String,
    /// Who learns what from which rows.
    study: BTreeMap<String, String>,
}

impl RunDescription {
    /// A run with journals of a form, of data with a SHA-256 and such sizes; `subject` is all else that results depend on, in words,
    /// `questions` what is asked of them.
    pub(crate) fn new(
        schema: &str,
        (sha256, sizes): (&str, impl Iterator<Item = u64>),
        subject: BTreeMap<String, String>,
        questions: BTreeMap<String, String>,
    ) -> Self {
        let sizes: Vec<String> = sizes.map(|bytes| bytes.to_string()).collect();
        let fingerprint = Fingerprint {
            schema: schema.to_owned(),
            tribunal: env!("CARGO_PKG_VERSION").to_owned(),
            data: format!("{sha256} {}", sizes.join(" ")),
            study: subject,
        };
        RunDescription { fingerprint, questions }
    }
}

impl Fingerprint {
    /// # Errors
    /// The run that was begun is another one.
    fn check_goes_on(&self, path: &Path, run: &RunDescription) -> Result<(), Error> {
        let Some(difference) = self.difference(&run.fingerprint) else { return Ok(()) };
        let message = Message::from(format!("the run in {} cannot go on: ", path.display())).then(difference);
        let message = message.text(". Undo the change to go on, or begin anew with another folder (");
        Err(Error::usage(message.setting(Setting::RunFolder).text(") or without this one")))
    }

    /// The verb whose runs have such journals.
    fn verb(&self) -> Verb {
        match self.schema.starts_with(SELECTION_RUNS) {
            true => Verb::Select,
            false => Verb::Study,
        }
    }

    /// Why a run of one study cannot go on as one of another.
    fn difference(&self, other: &Fingerprint) -> Option<Message> {
        if self.verb() != other.verb() {
            let message = Message::from("it is one of `").verb(self.verb());
            return Some(message.text("`, and this is `").verb(other.verb()).text("`"));
        }
        if self.tribunal != other.tribunal {
            let (was, is) = (&self.tribunal, &other.tribunal);
            return Some(format!("it was begun by version {was} of tribunal, and this is {is}").into());
        }
        if self.schema != other.schema {
            let (was, is) = (&self.schema, &other.schema);
            return Some(
                format!("it was begun by another build of tribunal, in the form {was}, and this is {is}")
                    .into(),
            );
        }
        let keys: BTreeSet<&String> = self.study.keys().chain(other.study.keys()).collect();
        let value = |of: &'_ Fingerprint, key: &String| of.study.get(key).cloned().unwrap_or_default();
        let differs = |key: &String| {
            let (was, is) = (value(self, key), value(other, key));
            let are_several = key
                .strip_prefix("the ")
                .is_some_and(|key| key.split(' ').next().is_some_and(|word| word.ends_with('s')));
            let (verb_then, verb_now) = if are_several { ("were", "are") } else { ("was", "is") };
            (was != is).then(|| format!("{key} {verb_then} {}, and {verb_now} {}", shown(&was), shown(&is)))
        };
        let mut changes: Vec<String> = keys.into_iter().filter_map(differs).collect();
        if self.data != other.data {
            changes.insert(0, "the data have changed since".to_owned());
        }
        (!changes.is_empty()).then(|| changes.join("; ").into())
    }
}

/// A value in a message; long ones are cut.
fn shown(value: &str) -> String {
    const MOST: usize = 60;
    match value.char_indices().nth(MOST) {
        _ if value.is_empty() => "nothing".to_owned(),
        Some((end, _)) => format!("\"{}...\"", &value[..end]),
        None => format!("\"{value}\""),
    }
}

impl<R: Serialize + DeserializeOwned> RunFolder<R> {
    /// Takes hold of a folder, new or begun, and gives what its journal holds.
    ///
    /// # Errors
    /// The folder is in use, belongs to another run or holds other files, or cannot be made.
    pub(crate) fn open(path: &Path, run: &RunDescription) -> Result<(Self, Vec<R>), Error> {
        check_contents(path)?;
        check_begun(path, run)?;
        fs::create_dir_all(path).map_err(|error| unusable(path, error.to_string()))?;
        let lock = lock(path)?;
        let place = path.join("run.json");
        let journal = JournalFile::open(&path.join("journal"))?;
        let noted = read_description(&place)?;
        let begun = [noted.as_ref().map(|noted| noted.fingerprint.clone()), journal.study()?];
        begun.into_iter().flatten().try_for_each(|begun| begun.check_goes_on(path, run))?;
        let (journal, records) = journal.begin(&run.fingerprint)?;
        if noted.as_ref() != Some(run) {
            write_description(&place, run)?;
        }
        Ok((RunFolder { journal, _lock: lock }, records))
    }
}

/// A folder with other files than those of a run is somebody else's.
fn check_contents(path: &Path) -> Result<(), Error> {
    if path.is_file() {
        return Err(unusable(
            path,
            Message::from("it is a file; name a folder with ").setting(Setting::RunFolder),
        ));
    }
    let Ok(mut entries) = fs::read_dir(path) else { return Ok(()) };
    // A run that ended at once has no more than an empty journal and its lock, which others' folders have too.
    let length = |name: &str| fs::symlink_metadata(path.join(name)).ok().map(|found| found.len());
    let is_run = length("run.json").is_some() || length("journal").is_some_and(|length| length > 0);
    let is_other = |entry: io::Result<fs::DirEntry>| {
        entry.is_ok_and(|entry| RUN_FILES.iter().all(|name| entry.file_name() != *name))
    };
    if !is_run && entries.any(is_other) {
        let message = Message::from("it holds other files and no run; name a new folder with ");
        return Err(unusable(path, message.setting(Setting::RunFolder)));
    }
    Ok(())
}

/// Refuses the folder of another run before anything is made in it.
fn check_begun(path: &Path, run: &RunDescription) -> Result<(), Error> {
    let noted = read_description(&path.join("run.json"))?.map(|noted| noted.fingerprint);
    let begun = [noted, stated_study(&path.join("journal"))?];
    begun.into_iter().flatten().try_for_each(|begun: Fingerprint| begun.check_goes_on(path, run))
}

fn lock(path: &Path) -> Result<File, Error> {
    let place = path.join("lock");
    let failed = |error: io::Error| unusable(path, format!("{}: {error}", place.display()));
    let file = open_own(&place).map_err(failed)?;
    match lock_own(&file) {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(unusable(
            path,
            Message::from("another process is at work in it; wait for it, or name another folder with ")
                .setting(Setting::RunFolder),
        )),
        Err(TryLockError::Error(error)) => Err(unusable(path, error.to_string())),
    }
}

/// Writes a file of results into the folder of a run, whole or not at all.
///
/// # Errors
/// The file cannot be written.
pub fn write_run_file(folder: &Path, name: &str, text: &str) -> Result<(), Error> {
    Ok(tribunal_io::write_whole(&folder.join(name), |file| file.write_all(text.as_bytes()))?)
}

/// What a folder is a run of; nothing if that was never written.
fn read_description(path: &Path) -> Result<Option<RunDescription>, Error> {
    let folder = path.parent().unwrap_or(path);
    let text = match check_own(path).and_then(|()| fs::read_to_string(path)) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unusable(folder, format!("run.json cannot be read: {error}"))),
    };
    let damaged = |error: serde_json::Error| {
        let advice = "remove it to go on: the journal says which study it is of";
        unusable(folder, format!("run.json is damaged ({error}); {advice}"))
    };
    serde_json::from_str(&text).map(Some).map_err(damaged)
}

fn write_description(path: &Path, run: &RunDescription) -> Result<(), Error> {
    let text = serde_json::to_string_pretty(run)
        .map_err(|error| Error::data(format!("the study cannot be described: {error}")))?;
    Ok(tribunal_io::write_whole(path, |file| file.write_all(text.as_bytes()))?)
}

fn unusable(path: &Path, why: impl Into<Message>) -> Error {
    Error::usage(Message::from(format!("the folder {} cannot be used: ", path.display())).then(why))
}

#[cfg(test)]
mod tests {
    use super::*;

    type RunFolder = super::RunFolder<u64>;

    fn run(data: &str, design: &str) -> RunDescription {
        let fingerprint = Fingerprint {
            schema: "tribunal.run/3".to_owned(),
            tribunal: "1".to_owned(),
            data: data.to_owned(),
            study: [("the design".to_owned(), design.to_owned())].into(),
        };
        RunDescription { fingerprint, questions: BTreeMap::new() }
    }

    #[test]
    fn a_folder_serves_one_process_and_one_study() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("deep/run");
        let first = RunFolder::open(&path, &run("a", "cv:10")).expect("a new run");
        let check = |run: RunDescription, says: &str| {
            let error = RunFolder::open(&path, &run).expect_err(says).to_string();
            assert!(error.contains(says), "{error}");
        };
        check(run("a", "cv:10"), "another process is at work");
        drop(first);
        check(run("b", "cv:10"), "the data have changed");
        check(run("a", "cv:5"), "the design was \"cv:10\", and is \"cv:5\"");
        let mut other = run("a", "cv:10");
        other.fingerprint.tribunal = "2".into();
        check(other, "version 1");
        let mut other = run("a", "cv:10");
        other.fingerprint.schema = "tribunal.selection-run/1".into();
        check(other, "it is one of `study`, and this is `select`");
        let mut other = run("a", "cv:10");
        other.fingerprint.schema = "tribunal.run/4".into();
        check(other, "in the form tribunal.run/3, and this is tribunal.run/4");
        assert!(RunFolder::open(&path, &run("a", "cv:10")).is_ok());
        fs::write(path.join("run.json"), "{").expect("damaged");
        check(run("a", "cv:10"), "run.json is damaged");
        fs::remove_file(path.join("run.json")).expect("removed");
        check(run("a", "cv:5"), "the design was \"cv:10\", and is \"cv:5\"");
        assert!(RunFolder::open(&path, &run("a", "cv:10")).is_ok());
        let mut keyed = run("a", "cv:10");
        keyed.fingerprint.study.insert("the group".to_owned(), "x".to_owned());
        check(keyed, "the group was nothing, and is \"x\"");
        let mut keyed = run("a", "cv:10");
        keyed.fingerprint.study.insert("the learners".to_owned(), "nb".to_owned());
        check(keyed, "the learners were nothing, and are \"nb\"");
    }

    #[cfg(unix)]
    #[test]
    fn a_lock_that_is_a_link_leaves_its_target_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, letter) = (folder.path().join("run"), folder.path().join("letter"));
        for name in RUN_FILES {
            fs::create_dir(&path).expect("a folder");
            fs::write(&letter, "dear").expect("written");
            std::os::unix::fs::symlink(&letter, path.join(name)).expect("linked");
            let error = RunFolder::open(&path, &run("a", "cv:10")).expect_err("a link").to_string();
            assert!(error.contains(name) && error.contains("it is a link"), "{error}");
            assert_eq!(fs::read_to_string(&letter).expect("read"), "dear");
            fs::remove_dir_all(&path).expect("removed");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_in_the_place_of_a_file_is_not_waited_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run");
        for name in RUN_FILES {
            fs::create_dir(&path).expect("a folder");
            let made = std::process::Command::new("mkfifo").arg(path.join(name)).status();
            assert!(made.expect("mkfifo runs").success());
            let error = RunFolder::open(&path, &run("a", "cv:10")).expect_err("a pipe").to_string();
            assert!(error.contains(name) && error.contains("no regular file"), "{error}");
            fs::remove_dir_all(&path).expect("removed");
        }
    }

    #[test]
    fn what_is_asked_of_scores_may_change_and_is_noted() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run");
        let mut first = run("a", "cv:10");
        first.questions.insert("the title".to_owned(), "one".to_owned());
        drop(RunFolder::open(&path, &first).expect("a new run"));
        let journal = fs::read(path.join("journal")).expect("a journal");
        let mut second = first.clone();
        second.questions.insert("the title".to_owned(), "two".to_owned());
        drop(RunFolder::open(&path, &second).expect("the same scores"));
        assert_eq!(read_description(&path.join("run.json")).expect("noted"), Some(second));
        assert_eq!(fs::read(path.join("journal")).expect("a journal"), journal);
    }

    #[test]
    fn folders_and_files_of_others_are_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("letter.txt"), "x").expect("written");
        let error = RunFolder::open(folder.path(), &run("a", "")).expect_err("other files");
        assert!(error.to_string().contains("holds other files"), "{error}");
        // A lock and a journal of somebody else make no run.
        for name in ["lock", "journal"] {
            fs::write(folder.path().join(name), "").expect("written");
            let error = RunFolder::open(folder.path(), &run("a", "")).expect_err("other files");
            assert!(error.to_string().contains("holds other files"), "{error}");
        }
        fs::remove_file(folder.path().join("lock")).expect("removed");
        fs::write(folder.path().join("journal"), "dear diary").expect("written");
        let error = RunFolder::open(folder.path(), &run("a", "")).expect_err("a diary");
        assert!(error.to_string().contains("Nothing of it was read or changed"), "{error}");
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 2);
        let error = RunFolder::open(&folder.path().join("letter.txt"), &run("a", "")).expect_err("a file");
        assert!(error.to_string().contains("it is a file"), "{error}");
    }
}
