//! Models in files: a line that says what follows, and a line that holds the model.
//!
//! The first line is short and names the form and its version, the learner, and the length and SHA-256 of the second, so
//! that a foreign, newer, truncated or damaged file is told apart from a model before anything is made of it.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize, Serializer};
use sha2::{Digest, Sha256};
use tribunal_io::Source;
use tribunal_learn::{AmountLearner, AmountModel, Model};

use crate::any_model::AnyModel;
use crate::committee_model::CommitteeModel;
use crate::data::TableOrigin;
use crate::error::Error;
use crate::form::MODEL_SCHEMA;
use crate::message::{Message, Verb};
use crate::outside::{OutsideModel, permit};

/// What the forms of all versions begin with.
const ANY_VERSION: &str = "tribunal.model/";

/// No first line of a model file is longer; of a foreign file no more is read.
const LONGEST_HEADER: u64 = 4096;

/// A model with what it takes to apply it to another table.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Stored")]
pub struct SavedModel {
    /// The model.
    pub model: AnyModel,
    /// How the table was read that it was trained on.
    pub origin: TableOrigin,
}

impl From<Model> for SavedModel {
    fn from(model: Model) -> Self {
        SavedModel { model: AnyModel::Learned(Box::new(model)), origin: TableOrigin::default() }
    }
}

impl SavedModel {
    /// Fails if the model runs a command and the user did not allow that: a file from anywhere may name any command.
    ///
    /// # Errors
    /// The model runs a command; the message shows it.
    pub fn permit(&self, may_run_command: bool) -> Result<(), Error> {
        permit("the file of the model", self.model.commands(), may_run_command)
    }
}

/// The second line: the model under the name of its kind.
#[derive(Serialize)]
struct Written<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a Model>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outside: Option<&'a OutsideModel>,
    #[serde(skip_serializing_if = "Option::is_none")]
    committee: Option<&'a CommitteeModel>,
    origin: &'a TableOrigin,
}

/// The second line, read.
#[derive(Deserialize)]
struct Stored {
    model: Option<Model>,
    outside: Option<OutsideModel>,
    committee: Option<CommitteeModel>,
    origin: TableOrigin,
}

impl Serialize for SavedModel {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (model, outside, committee) = match &self.model {
            AnyModel::Learned(model) => (Some(&**model), None, None),
            AnyModel::Outside(model) => (None, Some(model), None),
            AnyModel::Committee(committee) => (None, None, Some(&**committee)),
        };
        Written { model, outside, committee, origin: &self.origin }.serialize(serializer)
    }
}

impl TryFrom<Stored> for SavedModel {
    type Error = &'static str;

    fn try_from(stored: Stored) -> Result<Self, &'static str> {
        let model = match (stored.model, stored.outside, stored.committee) {
            (Some(model), None, None) => AnyModel::Learned(Box::new(model)),
            (None, Some(model), None) => AnyModel::Outside(model),
            (None, None, Some(committee)) => AnyModel::Committee(Box::new(committee)),
            _ => return Err("there is not one model in it"),
        };
        Ok(SavedModel { model, origin: stored.origin })
    }
}

/// A model of amounts with what it takes to apply it to another table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedAmounts {
    /// The model.
    pub amounts: AmountModel,
    /// How the table was read that it was trained on.
    pub origin: TableOrigin,
}

/// What a model file holds.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelFile {
    /// A model of classes.
    Classes(Box<SavedModel>),
    /// A model of amounts.
    Amounts(Box<SavedAmounts>),
}

/// What can be kept in a model file.
pub trait Storable: Serialize + DeserializeOwned + PartialEq {
    /// The learner, with its settings.
    fn learner(&self) -> String;
}

impl Storable for SavedModel {
    fn learner(&self) -> String {
        self.model.learner()
    }
}

impl Storable for SavedAmounts {
    fn learner(&self) -> String {
        self.amounts.learner().to_string()
    }
}

#[derive(Serialize, Deserialize)]
struct Header {
    schema: String,
    tribunal: String,
    learner: String,
    bytes: u64,
    sha256: String,
}

/// Writes a model; the file appears whole or not at all. Returns how many bytes it has.
///
/// # Errors
/// The file cannot be written, or the model would not come back from it as it is.
pub fn write_model<M: Storable>(path: &Path, model: &M) -> Result<u64, Error> {
    let bytes = stored_model(model)?;
    tribunal_io::write_whole(path, |file| file.write_all(&bytes))?;
    Ok(bytes.len() as u64)
}

/// The bytes of a model file.
///
/// # Errors
/// The model would not come back from it as it is.
pub fn stored_model<M: Storable>(model: &M) -> Result<Vec<u8>, Error> {
    let body = serde_json::to_vec(model).map_err(|error| unstorable(model, &error.to_string()))?;
    let read: M = serde_json::from_slice(&body).map_err(|error| unstorable(model, &error.to_string()))?;
    if read != *model {
        return Err(unstorable(model, "it would not be the same when it is read back"));
    }
    let header = Header {
        schema: MODEL_SCHEMA.to_owned(),
        tribunal: env!("CARGO_PKG_VERSION").to_owned(),
        learner: model.learner(),
        bytes: body.len() as u64,
        sha256: sha256(&body),
    };
    let header = serde_json::to_vec(&header).map_err(|error| unstorable(model, &error.to_string()))?;
    Ok([&header[..], b"\n", &body, b"\n"].concat())
}

fn unstorable(model: &impl Storable, why: &str) -> Error {
    let learner = model.learner();
    Error::data(format!("the model of {learner} cannot be stored: {why}; choose other settings"))
}

/// Reads a model of classes that [`write_model`] wrote.
///
/// # Errors
/// The file is not there, empty, not a model, of a newer version, truncated or damaged, or a model of amounts; the message
/// says which.
pub fn read_model(path: &Path) -> Result<SavedModel, Error> {
    match read_model_file(path)? {
        ModelFile::Classes(model) => Ok(*model),
        ModelFile::Amounts(model) => Err(Error::usage(format!(
            "{}: the model of {} tells amounts, and classes are asked for; name a model of classes",
            path.display(),
            model.learner()
        ))),
    }
}

/// Reads a model of any kind that [`write_model`] wrote.
///
/// # Errors
/// The file is not there, a device, empty, not a model, of a newer version, truncated or damaged; the message says which.
pub fn read_model_file(path: &Path) -> Result<ModelFile, Error> {
    let name = path.to_string_lossy();
    if name == "-" {
        return Err(Error::usage("a model is read from a file, not from standard input; name it"));
    }
    // Finds out what there is to say of a file that is not there.
    Source::check(&name)?;
    if is_device(path) {
        let problem = "this is a device, and a model is read from a file";
        return Err(Error::usage(format!("{name}: {problem}; name one")));
    }
    let unreadable = |error: std::io::Error| Error::data(format!("{name}: cannot be read: {error}"));
    let mut file = BufReader::new(File::open(path).map_err(unreadable)?);
    let mut line = Vec::new();
    file.by_ref().take(LONGEST_HEADER).read_until(b'\n', &mut line).map_err(unreadable)?;
    let refused = match serde_json::from_slice::<Header>(&line) {
        Ok(header) if header.schema == MODEL_SCHEMA && line.ends_with(b"\n") => {
            return read_body(&name, &header, &mut file);
        }
        Ok(header) => refusal(&name, Some(&header.schema), Some(&header.tribunal)),
        Err(_) => {
            file.take(LONGEST_HEADER).read_to_end(&mut line).map_err(unreadable)?;
            match line.is_empty() {
                true => {
                    Error::data(format!("{name}: the file is empty; did the program that writes it finish?"))
                }
                false => refusal(&name, stated_schema(&line), None),
            }
        }
    };
    Err(refused)
}

/// Whether bytes come from a device, of which some have no end. Pipes end with their writer.
#[cfg(unix)]
fn is_device(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    std::fs::metadata(path).is_ok_and(|found| found.file_type().is_char_device())
}

#[cfg(not(unix))]
fn is_device(_path: &Path) -> bool {
    false
}

/// The schema that the beginning of a JSON text states, in whatever layout.
fn stated_schema(head: &[u8]) -> Option<&str> {
    let end = head.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let fields = end.trim_start().strip_prefix('{')?;
    let (_, after) = fields.split_once("\"schema\"")?;
    let value = after.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
    value.split_once('"').map(|(schema, _)| schema)
}

/// Why a file is not taken for a model, from the form that it says it has.
fn refusal(name: &str, schema: Option<&str>, writer: Option<&str>) -> Error {
    let what = match schema {
        Some(MODEL_SCHEMA) => "the model is truncated within its first line; ".to_owned(),
        Some(newer) if newer.starts_with(ANY_VERSION) => {
            let writer = writer.map_or_else(String::new, |version| format!(" ({version})"));
            format!(
                "the model was written by a newer Tribunal{writer}, in the form {newer}; this one reads {MODEL_SCHEMA}: \
                 update it, or "
            )
        }
        Some(other) if other.starts_with("tribunal.") => {
            format!("this file holds results of Tribunal ({other}), not a model; ")
        }
        _ => "this is not a model of Tribunal; ".to_owned(),
    };
    let again = if schema == Some(MODEL_SCHEMA) { " again" } else { "" };
    let message = Message::from(format!("{name}: {what}make one with `")).verb(Verb::Fit);
    Error::data(message.text("`").text(again))
}

fn read_body(name: &str, header: &Header, file: &mut impl Read) -> Result<ModelFile, Error> {
    let damaged = |what: String| Error::data(format!("{name}: {what}; copy it again, or train it again"));
    let mut body = Vec::new();
    let limit = header.bytes.saturating_add(2);
    file.take(limit).read_to_end(&mut body).map_err(|error| damaged(format!("cannot be read: {error}")))?;
    if body.len() as u64 == header.bytes.saturating_add(1) && body.last() == Some(&b'\n') {
        body.pop();
    }
    let (found, expected) = (body.len() as u64, header.bytes);
    if found < expected {
        return Err(damaged(format!("the model is truncated: {found} of {expected} bytes are there")));
    }
    if found > expected || sha256(&body) != header.sha256 {
        return Err(damaged("the model is damaged: its bytes are not those that were written".into()));
    }
    let model = match AmountLearner::is_named(&header.learner) {
        true => serde_json::from_slice(&body).map(|model| ModelFile::Amounts(Box::new(model))),
        false => serde_json::from_slice(&body).map(|model| ModelFile::Classes(Box::new(model))),
    };
    model.map_err(|error| {
        Error::data(format!(
            "{name}: the model does not fit this version of Tribunal ({error}), it was written by {}; train it again",
            header.tribunal
        ))
    })
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::fit_learner;
    use crate::outside::testing::{SHARE, Script};
    use tribunal_learn::{Column, Dataset, Kind, LEARNERS, Levels, Target, Values};

    fn data() -> Dataset {
        let n = 60;
        let codes = |step: u32, most: u32| Values::Codes((0..n).map(|row| row * step / 5 % most).collect());
        let numbers = (0..n).map(|row| f64::from(row * 7 % 31) / 3.0).collect();
        let columns = vec![
            Column::new("flag", Kind::Flag, codes(3, 2)),
            Column::new("make", Kind::Categorical(Levels::met(["Fiat", "a|b", "Škoda"])), codes(4, 3)),
            Column::new("lag", Kind::Numeric, Values::Numbers(numbers)),
        ];
        let columns = columns.into_iter().collect::<Result<_, _>>().expect("columns");
        let target = Target::new("y", ["no", "yes"], (0..n).map(|row| u32::from(row % 3 == 0)).collect());
        Dataset::new(columns).and_then(|data| data.with_target(target?)).expect("a data set")
    }

    fn model(learner: &str, data: &Dataset) -> SavedModel {
        fit_learner(&learner.parse().expect("a learner"), data, 7, &|_| ()).expect("a model").into()
    }

    #[test]
    fn every_model_comes_back_to_the_last_bit() {
        let data = data();
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("model.json");
        let rows: Vec<u32> = (0..60).collect();
        for (learner, _) in LEARNERS.iter().flat_map(|form| form.examples) {
            let written = model(learner, &data);
            let n_bytes = write_model(&path, &written).expect("written");
            assert_eq!(n_bytes, std::fs::metadata(&path).expect("there").len());
            let read = read_model(&path).expect("read");
            assert_eq!(read, written, "{learner}");
            let scores = |saved: &SavedModel| -> Vec<u64> {
                let scores = saved.model.posteriors(&data, &rows).expect("scores").scores();
                scores.iter().map(|score| score.to_bits()).collect()
            };
            assert_eq!(scores(&read), scores(&written), "{learner}");
        }
    }

    #[test]
    fn a_model_of_amounts_is_told_from_one_of_classes() {
        let data = data();
        let paid = tribunal_learn::Amounts::new("paid", (0..60).map(|row| f64::from(row % 13)).collect());
        let learner: AmountLearner = "linear:cap=50".parse().expect("a learner");
        let rows: Vec<u32> = (0..60).collect();
        let amounts = learner.fit(&data, &paid.expect("amounts"), &rows).expect("a model");
        let written = SavedAmounts { amounts, origin: TableOrigin::default() };
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("amounts.json");
        write_model(&path, &written).expect("written");
        assert_eq!(read_model_file(&path).expect("read"), ModelFile::Amounts(Box::new(written)));
        let error = read_model(&path).expect_err("no classes").to_string();
        assert!(error.contains("amounts.json: the model of linear:cap=50 tells amounts"), "{error}");
        let classes = model("majority", &data);
        write_model(&path, &classes).expect("written");
        assert_eq!(read_model_file(&path).expect("read"), ModelFile::Classes(Box::new(classes)));
    }

    #[test]
    fn a_model_from_outside_comes_back_and_needs_leave_to_run() {
        let (script, data) = (Script::new(SHARE), data());
        let outside = script.learner().fit(&data, &[0, 1, 2], 7).expect("a model");
        let written = SavedModel { model: AnyModel::Outside(outside), origin: TableOrigin::default() };
        let path = script.folder().join("model.json");
        write_model(&path, &written).expect("written");
        let read = read_model(&path).expect("read");
        assert_eq!(read, written);
        assert_eq!(read.model.posteriors(&data, &[5]).expect("scores").scores(), [0.333333]);
        let error = read.permit(false).expect_err("no leave").to_string();
        assert!(error.contains(script.learner().command()) && error.contains("`run_command`"), "{error}");
        assert!(read.permit(true).is_ok() && model("majority", &data).permit(false).is_ok());
    }

    fn check(content: &[u8], expected: &str) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("model.json");
        std::fs::write(&path, content).expect("written");
        let error = read_model(&path).expect_err(expected).to_string();
        assert!(error.contains("model.json: ") && error.contains(expected), "{error}");
    }

    #[test]
    fn what_is_not_a_model_is_told_apart() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("model.json");
        write_model(&path, &model("majority", &data())).expect("written");
        let good = std::fs::read(&path).expect("read");
        let text = String::from_utf8(good.clone()).expect("text");
        let header_len = text.find('\n').expect("two lines");
        check(b"", "the file is empty");
        check(b"a,b\n1,2\n", "not a model of Tribunal");
        check(&[0x80, 0x04, 0x95, 0x00, 0xff, b'\n', 0x1f], "not a model of Tribunal");
        check(
            &[b"{\"schema\":\"other/1\"}\n".to_vec(), vec![b'x'; 100_000]].concat(),
            "not a model of Tribunal",
        );
        check(&vec![0x1f; 1 << 20], "not a model of Tribunal");
        let results = b"{\n  \"schema\": \"tribunal.evaluation/1\",\n  \"data\": {}\n}\n";
        check(results, "results of Tribunal (tribunal.evaluation/1)");
        check(text.replace("model/1", "model/2").as_bytes(), "written by a newer Tribunal (0.");
        check(
            b"{\"schema\":\"tribunal.model/3\",\"zip\":true}\n",
            "written by a newer Tribunal, in the form",
        );
        check(&good[..header_len - 3], "truncated within its first line");
        check(&good[..header_len + 1], "truncated: 0 of");
        check(&good[..good.len() - 9], "the model is truncated");
        check(text.replace("\"no\"", "\"on\"").as_bytes(), "the model is damaged");
        check(&[&good[..], b"more"].concat(), "the model is damaged");
        let body = b"{\"model\":{}}";
        let head = format!(
            "{{\"schema\":\"tribunal.model/1\",\"tribunal\":\"0.0.9\",\"learner\":\"x\",\"bytes\":{},\"sha256\":\"{}\"}}\n",
            body.len(),
            sha256(body)
        );
        check(&[head.as_bytes(), body].concat(), "does not fit this version of Tribunal");
    }

    #[test]
    fn the_last_line_need_not_be_ended() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("model.json");
        let written = model("majority", &data());
        write_model(&path, &written).expect("written");
        let good = std::fs::read(&path).expect("read");
        std::fs::write(&path, &good[..good.len() - 1]).expect("written");
        assert_eq!(read_model(&path).expect("read"), written);
    }

    #[test]
    fn a_file_that_is_not_there_names_its_neighbour() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("model.json"), "").expect("written");
        let error = read_model(&folder.path().join("modle.json")).expect_err("not there").to_string();
        assert!(error.contains("no such file; did you mean \"model.json\"?"), "{error}");
    }
}
