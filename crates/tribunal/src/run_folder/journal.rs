//! The journal of a run: every result that is finished, one line each, kept before the next is begun.
//!
//! A line is a checksum and a record. The first line says what the results are of, and the checksum of every other
//! is one of that line too: no result is taken for one of another run, wherever the file or a line of it came from.
//! Whatever ends the program - a signal, a full disk - leaves at most a torn line at the end, which is cut off when the
//! journal is opened again. Scores are kept as their bytes, so what is read is what was written to the last bit.

use std::fs::{File, TryLockError};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::error::Error;
use crate::message::{Message, Setting};

/// The length of a checksum.
const N_DIGITS: usize = 16;
/// A first line that is longer was not written by this program.
const LONGEST_HEADING: u64 = 1 << 30;

/// The file of a journal, opened and read but not yet believed.
#[derive(Debug)]
pub(crate) struct JournalFile {
    file: File,
    path: PathBuf,
    bytes: Vec<u8>,
}

/// A journal of such records that is open.
#[derive(Debug)]
pub(crate) struct Journal<R> {
    file: File,
    path: PathBuf,
    /// The digest of the first line, which goes into the checksums of the others.
    binding: Vec<u8>,
    /// How many bytes of it are sound.
    length: u64,
    n_records: usize,
    records: PhantomData<fn(R)>,
}

impl JournalFile {
    /// Opens the file of a journal, new or old, and keeps others from it.
    ///
    /// # Errors
    /// The file cannot be opened or read, is a link or no file at all, or another process writes it.
    pub(super) fn open(path: &Path) -> Result<JournalFile, Error> {
        let failed = |error: std::io::Error| unwritten(path, &error, 0);
        let mut file = open_own(path).map_err(failed)?;
        match lock_own(&file) {
            Err(TryLockError::WouldBlock) => {
                let message = Message::from(format!(
                    "{} cannot be used: another process is at work in it; wait for it, or name another folder with ",
                    path.display()
                ));
                return Err(Error::usage(message.setting(Setting::RunFolder)));
            }
            // Where the system has no locks, that of the folder has to do.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        Ok(JournalFile { file, path: path.to_owned(), bytes })
    }

    /// What the first line says that the results are of; nothing if there is no line yet.
    ///
    /// # Errors
    /// There are lines, but the first of them does not say.
    pub(super) fn study<S: DeserializeOwned>(&self) -> Result<Option<S>, Error> {
        study_of(self.bytes.split_inclusive(|&byte| byte == b'\n').next().unwrap_or_default(), &self.path)
    }

    /// Begins the journal of a run, or goes on with it, and gives what it holds. A torn end is cut off.
    ///
    /// # Errors
    /// The journal is of another run, or cannot be written.
    pub(super) fn begin<S: Serialize, R: DeserializeOwned>(
        self,
        study: &S,
    ) -> Result<(Journal<R>, Vec<R>), Error> {
        let heading = written_line(&Heading { study }, &[])?;
        let binding = Sha256::digest(&heading).to_vec();
        let (records, length): (Vec<R>, usize) = match self.bytes.strip_prefix(&heading[..]) {
            Some(rest) => sound_records(rest, &binding),
            None if heading.starts_with(&self.bytes) => (Vec::new(), 0),
            None => return Err(unknown(&self.path)),
        };
        let JournalFile { mut file, path, bytes } = self;
        let failed = |error: std::io::Error| unwritten(&path, &error, records.len());
        if bytes.len() < heading.len() {
            file.set_len(0).map_err(failed)?;
            file.write_all(&heading).and_then(|()| file.sync_data()).map_err(failed)?;
        }
        let length = (heading.len() + length) as u64;
        if length < bytes.len() as u64 {
            file.set_len(length).map_err(failed)?;
        }
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        let n_records = records.len();
        Ok((Journal { file, path, binding, length, n_records, records: PhantomData }, records))
    }
}

/// What the first line of a journal says that its results are of; nothing if there is no journal or no whole line yet. Nothing is
/// made or changed.
///
/// # Errors
/// As [`JournalFile::study`].
pub(super) fn stated_study<S: DeserializeOwned>(path: &Path) -> Result<Option<S>, Error> {
    let failed = |error: std::io::Error| unwritten(path, &error, 0);
    if std::fs::symlink_metadata(path).is_err() {
        return Ok(None);
    }
    check_own(path).map_err(failed)?;
    let mut first = Vec::new();
    let file = no_follow(File::options().read(true)).open(path).map_err(failed)?;
    BufReader::new(file.take(LONGEST_HEADING)).read_until(b'\n', &mut first).map_err(failed)?;
    let (digits, rest) = first.split_at(first.len().min(N_DIGITS));
    if !digits.iter().all(u8::is_ascii_hexdigit) || !(rest.is_empty() || rest.starts_with(b" ")) {
        return Err(unknown(path));
    }
    study_of(&first, path)
}

fn study_of<S: DeserializeOwned>(first: &[u8], path: &Path) -> Result<Option<S>, Error> {
    if !first.ends_with(b"\n") {
        return Ok(None);
    }
    let study = sound_line(first, &[]).and_then(|line| serde_json::from_slice(line).ok());
    study.map(|Heading { study }| Some(study)).ok_or_else(|| unknown(path))
}

fn unknown(path: &Path) -> Error {
    let message = format!(
        "{} does not say what its results are of: an older version of tribunal began it, or its first line is \
         damaged. Nothing of it was read or changed; move it away to begin anew, or name another folder with ",
        path.display()
    );
    Error::usage(Message::from(message).setting(Setting::RunFolder))
}

/// Opens a file of the folder of a run for reading and writing, or makes it. It must be a file of its own: behind a link
/// there is somebody else's.
pub(super) fn open_own(path: &Path) -> std::io::Result<File> {
    check_own(path)?;
    let mut options = File::options();
    options.create(true).read(true).append(true);
    no_follow(&mut options).open(path)
}

/// Refuses what is no file of its own: a link, or a pipe that would be waited for without an end.
pub(super) fn check_own(path: &Path) -> std::io::Result<()> {
    match std::fs::symlink_metadata(path).is_ok_and(|found| !found.is_file()) {
        true => Err(std::io::Error::other("it is a link or no regular file; remove it")),
        false => Ok(()),
    }
}

/// Locks a file of the folder of a run. A command that is being started shares the locks of whoever starts it until its own
/// program begins, so a lock that is in the way is tried again for a moment.
pub(super) fn lock_own(file: &File) -> Result<(), TryLockError> {
    const TRIES: usize = 20;
    const PAUSE: std::time::Duration = std::time::Duration::from_millis(10);
    for _ in 1..TRIES {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            tried => return tried,
        }
    }
    file.try_lock()
}

/// A link that was put there in the meantime is not followed either.
#[cfg(unix)]
fn no_follow(options: &mut std::fs::OpenOptions) -> &mut std::fs::OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    options.custom_flags(i32::try_from(rustix::fs::OFlags::NOFOLLOW.bits()).unwrap_or_default())
}

#[cfg(not(unix))]
fn no_follow(options: &mut std::fs::OpenOptions) -> &mut std::fs::OpenOptions {
    options
}

/// The first line.
#[derive(Serialize, Deserialize)]
struct Heading<S> {
    study: S,
}

impl<R: Serialize> Journal<R> {
    /// Keeps records. If that fails, what was kept before still stands.
    ///
    /// # Errors
    /// The disk is full, or the file cannot be written.
    pub(crate) fn append(&mut self, records: &[R]) -> Result<(), Error> {
        let mut lines = Vec::new();
        for record in records {
            lines.extend(written_line(record, &self.binding)?);
        }
        let written = self.file.write_all(&lines).and_then(|()| self.file.sync_data());
        if let Err(error) = written {
            // A torn line does no harm, so nothing is lost if this fails too.
            let _ = self.file.set_len(self.length);
            return Err(unwritten(&self.path, &error, self.n_records));
        }
        self.length += lines.len() as u64;
        self.n_records += records.len();
        Ok(())
    }
}

/// The records up to the first line that is not sound, and how many bytes they have.
fn sound_records<R: DeserializeOwned>(bytes: &[u8], binding: &[u8]) -> (Vec<R>, usize) {
    let (mut records, mut length) = (Vec::new(), 0);
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let record = sound_line(line, binding).and_then(|record| serde_json::from_slice(record).ok());
        let Some(record) = record else { break };
        records.push(record);
        length += line.len();
    }
    (records, length)
}

/// What a line holds, if its checksum is right.
fn sound_line<'a>(line: &'a [u8], binding: &[u8]) -> Option<&'a [u8]> {
    let line = line.strip_suffix(b"\n")?;
    let (sum, rest) = line.split_at_checked(N_DIGITS)?;
    let held = rest.strip_prefix(b" ")?;
    (sum == checksum(held, binding).as_bytes()).then_some(held)
}

fn written_line(held: &impl Serialize, binding: &[u8]) -> Result<Vec<u8>, Error> {
    let held =
        serde_json::to_vec(held).map_err(|error| Error::data(format!("a result cannot be kept: {error}")))?;
    Ok([checksum(&held, binding).as_bytes(), b" ", &held, b"\n"].concat())
}

fn checksum(held: &[u8], binding: &[u8]) -> String {
    let digest = Sha256::new().chain_update(binding).chain_update(held).finalize();
    digest.iter().take(N_DIGITS / 2).map(|byte| format!("{byte:02x}")).collect()
}

fn unwritten(path: &Path, error: &std::io::Error, n_records: usize) -> Error {
    let kept = match n_records {
        0 => String::new(),
        n => format!("; {n} results are kept, and the same command goes on from there"),
    };
    Error::data(format!("{} cannot be written: {error}{kept}", path.display()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::numbers::{read_numbers, write_numbers};
    use super::*;

    /// A result, or why there is none.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    enum Record {
        Scores {
            #[serde(serialize_with = "write_numbers", deserialize_with = "read_numbers")]
            scores: Vec<f64>,
        },
        Failed(Result<u64, String>),
    }

    fn records(scores: &[f64]) -> Vec<Record> {
        let scores = Record::Scores { scores: scores.to_vec() };
        let reason = Record::Failed(Err("no \"row\"\nat all".into()));
        vec![scores.clone(), reason, Record::Failed(Ok(7)), scores, Record::Failed(Ok(8))]
    }

    fn open(path: &Path) -> (Journal<Record>, Vec<Record>) {
        JournalFile::open(path).and_then(|file| file.begin(&"claims")).expect("a journal")
    }

    proptest! {
        /// Wherever a journal is cut off, the whole records before the cut come back and more can be appended.
        #[test]
        fn a_torn_journal_gives_its_whole_records(
            scores in prop::collection::vec(prop::num::f64::NORMAL, 0..5),
            cut in 0.0_f64..1.0,
        ) {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("journal");
            let written = records(&scores);
            let (mut journal, found) = open(&path);
            prop_assert!(found.is_empty());
            journal.append(&written).expect("written");
            drop(journal);
            let bytes = std::fs::read(&path).expect("bytes");
            let length = (bytes.len() as f64 * cut) as usize;
            std::fs::write(&path, &bytes[..length]).expect("cut");
            let (mut journal, found) = open(&path);
            prop_assert_eq!(&found[..], &written[..found.len()]);
            let n_lines = bytes[..length].iter().filter(|&&byte| byte == b'\n').count();
            prop_assert_eq!(found.len(), n_lines.saturating_sub(1));
            journal.append(&written[found.len()..]).expect("written");
            drop(journal);
            prop_assert_eq!(std::fs::read(&path).expect("bytes"), bytes);
        }
    }

    #[test]
    fn a_damaged_record_ends_what_is_believed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal");
        let (mut journal, _) = open(&path);
        journal.append(&records(&[0.5])).expect("written");
        let mut bytes = std::fs::read(&path).expect("bytes");
        drop(journal);
        let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(idx, _)| idx);
        let third = ends.clone().nth(1).expect("a line") + 40;
        bytes[third] ^= 1;
        std::fs::write(&path, bytes).expect("damaged");
        assert_eq!(open(&path).1.len(), 1);
    }

    fn check_refused(path: &Path, bytes: &[u8]) {
        std::fs::write(path, bytes).expect("written");
        let file = JournalFile::open(path).expect("a file");
        let error =
            file.study::<String>().map(drop).and_then(|()| file.begin::<_, Record>(&"claims").map(drop));
        let message = error.expect_err("no journal of this study").to_string();
        assert!(message.contains("does not say what its results are of"), "{message}");
        assert_eq!(std::fs::read(path).expect("bytes"), bytes, "nothing is lost");
    }

    #[test]
    fn results_are_those_of_the_study_that_the_first_line_names() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal");
        let (mut journal, _) = open(&path);
        journal.append(&records(&[0.5])).expect("written");
        drop(journal);
        let file = JournalFile::open(&path).expect("a file");
        assert_eq!(file.study::<String>().expect("a study").as_deref(), Some("claims"));
        assert!(file.begin::<_, Record>(&"other").is_err());
        let bytes = std::fs::read(&path).expect("bytes");
        let first = bytes.iter().position(|&byte| byte == b'\n').expect("a line") + 1;
        // A damaged first line, a line of an older version, and a file of somebody else.
        let mut damaged = bytes.clone();
        damaged[30] ^= 1;
        check_refused(&path, &damaged);
        check_refused(&path, &bytes[first..]);
        check_refused(&path, b"dear diary");
        // Results below another heading are not results.
        let other = written_line(&Heading { study: "other" }, &[]).expect("a line");
        std::fs::write(&path, [&other, &bytes[first..]].concat()).expect("written");
        let (_, found) =
            JournalFile::open(&path).and_then(|file| file.begin::<_, Record>(&"other")).expect("a journal");
        assert_eq!(found, []);
    }

    #[test]
    fn one_process_writes_a_journal() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal");
        let _held = open(&path);
        let message = JournalFile::open(&path).expect_err("in use").to_string();
        assert!(message.contains("another process is at work"), "{message}");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, other) = (folder.path().join("journal"), folder.path().join("letter"));
        std::fs::write(&other, "dear").expect("written");
        std::os::unix::fs::symlink(&other, &path).expect("linked");
        let message = JournalFile::open(&path).expect_err("a link").to_string();
        assert!(message.contains("journal cannot be written: it is a link"), "{message}");
        assert!(no_follow(File::options().read(true)).open(&path).is_err());
        assert_eq!(std::fs::read_to_string(&other).expect("read"), "dear");
    }

    #[test]
    fn a_full_disk_is_told_and_keeps_what_was_there() {
        if !Path::new("/dev/full").exists() {
            return;
        }
        let file = File::options().write(true).open("/dev/full").expect("the full device");
        let mut journal = Journal::<Record> {
            file,
            path: "journal".into(),
            binding: Vec::new(),
            length: 0,
            n_records: 3,
            records: PhantomData,
        };
        let error = journal.append(&records(&[])).expect_err("full").to_string();
        assert!(error.contains("No space left") && error.contains("3 results are kept"), "{error}");
    }
}
