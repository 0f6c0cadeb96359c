//! The journal of a study: every result that is finished, one line each, kept before the next is begun.
//!
//! A line is a checksum and a record. Whatever ends the program - a signal, a full disk - leaves at most a torn line at the
//! end, which is cut off when the journal is opened again. Scores are kept as their bytes, so what is read is what was
//! written to the last bit.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};

use crate::error::Error;

/// The length of a checksum.
const N_DIGITS: usize = 16;

/// A finished result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Record {
    /// A learner on a split of a scenario.
    Split { place: CellPlace, split: usize, held: Held },
    /// Whether a command scores alike when it is fitted again.
    Repeatable { place: CellPlace, repeatable: bool },
    /// The settings that were chosen on all rows of a scenario, and the seconds that the choice took.
    Chosen { scenario: usize, learner: usize, settings: String, seconds: f64 },
    /// A learner on all rows of a scenario.
    Whole { scenario: usize, learner: usize, whole: Result<Whole, String> },
}

/// A learner in a scenario under a design, by their places in the study.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct CellPlace {
    pub(super) design: usize,
    pub(super) scenario: usize,
    pub(super) learner: usize,
}

/// What a learner said of the rows that a split held out, or why it said nothing.
pub(super) type Held = Result<HeldOut, String>;

/// What a learner said of the rows that a split held out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct HeldOut {
    /// The score of each row.
    #[serde(serialize_with = "write_numbers", deserialize_with = "read_numbers")]
    pub(super) scores: Vec<f64>,
    /// Whether scores are margins; probabilities otherwise.
    pub(super) margins: bool,
    /// The settings that were chosen, where some were open.
    pub(super) tuned: Option<String>,
    /// Whether the choice fell on the edge of its grid.
    pub(super) at_edge: bool,
}

/// A model of all rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Whole {
    /// What it says of the rows that it learned from.
    pub(super) held: HeldOut,
    /// How large it is as it is saved.
    pub(super) bytes: u64,
    /// Seconds for the choice of settings, for the fit, and for scoring.
    pub(super) tuning: Option<f64>,
    pub(super) training: f64,
    pub(super) scoring: f64,
}

/// A journal that is open.
#[derive(Debug)]
pub(super) struct Journal {
    file: File,
    path: PathBuf,
    /// How many bytes of it are sound.
    length: u64,
    n_records: usize,
}

impl Journal {
    /// Opens a journal, new or old, and gives what it holds. A torn end is cut off.
    ///
    /// # Errors
    /// The file cannot be opened or read.
    pub(super) fn open(path: &Path) -> Result<(Journal, Vec<Record>), Error> {
        let failed = |error: std::io::Error| unwritten(path, &error, 0);
        let options = OpenOptions::new().create(true).read(true).append(true).clone();
        let mut file = options.open(path).map_err(failed)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let (records, length) = sound_records(&bytes);
        if length < bytes.len() {
            file.set_len(length as u64).map_err(failed)?;
        }
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        let journal =
            Journal { file, path: path.to_owned(), length: length as u64, n_records: records.len() };
        Ok((journal, records))
    }

    /// Keeps records. If that fails, what was kept before still stands.
    ///
    /// # Errors
    /// The disk is full, or the file cannot be written.
    pub(super) fn append(&mut self, records: &[Record]) -> Result<(), Error> {
        let mut lines = Vec::new();
        for record in records {
            let record = serde_json::to_vec(record)
                .map_err(|error| Error::Data(format!("a result cannot be kept: {error}")))?;
            lines.extend_from_slice(checksum(&record).as_bytes());
            lines.push(b' ');
            lines.extend_from_slice(&record);
            lines.push(b'\n');
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
fn sound_records(bytes: &[u8]) -> (Vec<Record>, usize) {
    let (mut records, mut length) = (Vec::new(), 0);
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let Some(record) = sound_record(line) else { break };
        records.push(record);
        length += line.len();
    }
    (records, length)
}

fn sound_record(line: &[u8]) -> Option<Record> {
    let line = line.strip_suffix(b"\n")?;
    let (sum, rest) = line.split_at_checked(N_DIGITS)?;
    let record = rest.strip_prefix(b" ")?;
    if sum != checksum(record).as_bytes() {
        return None;
    }
    serde_json::from_slice(record).ok()
}

fn checksum(record: &[u8]) -> String {
    Sha256::digest(record).iter().take(N_DIGITS / 2).map(|byte| format!("{byte:02x}")).collect()
}

fn unwritten(path: &Path, error: &std::io::Error, n_records: usize) -> Error {
    let kept = match n_records {
        0 => String::new(),
        n => format!("; {n} results are kept, and the same command goes on from there"),
    };
    Error::Data(format!("{} cannot be written: {error}{kept}", path.display()))
}

fn write_numbers<S: Serializer>(numbers: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    serializer.serialize_str(&STANDARD.encode(bytes))
}

fn read_numbers<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let bytes = STANDARD.decode(text).map_err(serde::de::Error::custom)?;
    let (numbers, rest) = bytes.as_chunks::<8>();
    if !rest.is_empty() {
        return Err(serde::de::Error::custom("the scores are cut off"));
    }
    Ok(numbers.iter().map(|&bytes| f64::from_le_bytes(bytes)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn records(scores: &[f64]) -> Vec<Record> {
        let place = CellPlace { design: 0, scenario: 1, learner: 2 };
        let held =
            HeldOut { scores: scores.to_vec(), margins: true, tuned: Some("nb:5".into()), at_edge: false };
        let whole = Whole { held: held.clone(), bytes: 7, tuning: None, training: 0.25, scoring: 1e-9 };
        vec![
            Record::Split { place, split: 3, held: Ok(held) },
            Record::Split { place, split: 4, held: Err("no \"row\"\nat all".into()) },
            Record::Repeatable { place, repeatable: true },
            Record::Chosen { scenario: 2, learner: 0, settings: "nb:5".into(), seconds: 0.1 },
            Record::Whole { scenario: 0, learner: 1, whole: Ok(whole) },
        ]
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
            let (mut journal, found) = Journal::open(&path).expect("a journal");
            prop_assert!(found.is_empty());
            journal.append(&written).expect("written");
            drop(journal);
            let bytes = std::fs::read(&path).expect("bytes");
            let length = (bytes.len() as f64 * cut) as usize;
            std::fs::write(&path, &bytes[..length]).expect("cut");
            let (mut journal, found) = Journal::open(&path).expect("a journal");
            prop_assert_eq!(&found[..], &written[..found.len()]);
            let n_lines = bytes[..length].iter().filter(|&&byte| byte == b'\n').count();
            prop_assert_eq!(found.len(), n_lines);
            journal.append(&written[found.len()..]).expect("written");
            drop(journal);
            prop_assert_eq!(std::fs::read(&path).expect("bytes"), bytes);
        }
    }

    #[test]
    fn a_damaged_record_ends_what_is_believed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal");
        let (mut journal, _) = Journal::open(&path).expect("a journal");
        journal.append(&records(&[0.5])).expect("written");
        let mut bytes = std::fs::read(&path).expect("bytes");
        let second = bytes.iter().position(|&byte| byte == b'\n').expect("a line") + 40;
        bytes[second] ^= 1;
        std::fs::write(&path, bytes).expect("damaged");
        assert_eq!(Journal::open(&path).expect("a journal").1.len(), 1);
    }

    #[test]
    fn a_full_disk_is_told_and_keeps_what_was_there() {
        if !Path::new("/dev/full").exists() {
            return;
        }
        let file = OpenOptions::new().write(true).open("/dev/full").expect("the full device");
        let mut journal = Journal { file, path: "journal".into(), length: 0, n_records: 3 };
        let error = journal.append(&records(&[])).expect_err("full").to_string();
        assert!(error.contains("No space left") && error.contains("3 results are kept"), "{error}");
    }
}
