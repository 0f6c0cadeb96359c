//! Model files with a right checksum and anything in them: read, then asked to score and to explain.

use std::path::Path;
use std::sync::OnceLock;

use serde_json::json;
use sha2::{Digest, Sha256};
use tribunal::selection::MarginCalibration;
use tribunal::{
    AnyModel, CommitteeModel, MODEL_SCHEMA, Matching, MemberModel, ModelFile, SavedAmounts, SavedModel,
    ScoreRequest, Source, TableOrigin, WhichRows, explain_amounts, explain_model, explain_rows,
    read_model_file, score_amounts, score_table,
};
use tribunal_eval::unlabelled::TemperatureScaling;
use tribunal_learn::{
    AMOUNT_LEARNERS, AmountLearner, Amounts, Column, Dataset, Error, Kind, LEARNERS, Learner, Levels, Target,
    Values,
};

use crate::scratch_file;

const N_ROWS: u32 = 40;

/// The table that seeds are trained on, and that whatever was read is asked about.
fn table() -> Result<Dataset, Error> {
    let codes = |step: u32, most: u32| Values::Codes((0..N_ROWS).map(|row| row * step / 5 % most).collect());
    let numbers = (0..N_ROWS).map(|row| f64::from(row * 7 % 31) / 3.0).collect();
    let columns = vec![
        Column::new("flag", Kind::Flag, codes(3, 2))?,
        Column::new("make", Kind::Categorical(Levels::met(["Fiat", "Skoda", "VW"])), codes(4, 3))?,
        Column::new("lag", Kind::Numeric, Values::Numbers(numbers))?,
    ];
    let target = Target::new("y", ["no", "yes"], (0..N_ROWS).map(|row| u32::from(row % 3 == 0)).collect())?;
    Dataset::new(columns)?.with_target(target)
}

/// The same as a file.
fn csv() -> String {
    let row = |row: u32| {
        let make = ["Fiat", "Skoda", "VW"][(row * 4 / 5 % 3) as usize];
        format!("{},{make},{}\n", row * 3 / 5 % 2, f64::from(row * 7 % 31) / 3.0)
    };
    ["flag,make,lag\n".to_owned()].into_iter().chain((0..N_ROWS).map(row)).collect()
}

/// The first line names the learner, the second is the model.
pub(crate) fn run(bytes: &[u8]) {
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
    let (learner, body) = (String::from_utf8_lossy(&bytes[..end]), bytes.get(end + 1..).unwrap_or_default());
    let sha256: String = Sha256::digest(body).iter().map(|byte| format!("{byte:02x}")).collect();
    let header = json!({
        "schema": MODEL_SCHEMA, "tribunal": "0.1.0", "learner": learner, "bytes": body.len(), "sha256": sha256,
    });
    let file = [header.to_string().as_bytes(), b"\n", body, b"\n"].concat();
    let Some(path) = scratch_file("model.json", &file) else { return };
    let Some(data) = scratch_file("rows.csv", csv().as_bytes()) else { return };
    let (Ok(model), Ok(source)) = (read_model_file(Path::new(&path)), Source::open(&[data])) else { return };
    match model {
        ModelFile::Classes(saved) => use_classes(&saved, &source),
        ModelFile::Amounts(saved) => {
            let _ = score_amounts(&saved, &source, &ScoreRequest::default(), &|_| ());
            let _ = explain_amounts(&saved, &source, &WhichRows::First, None, &Matching::default(), &|_| ());
            let _ = saved.amounts.text();
        }
    }
}

fn use_classes(saved: &SavedModel, source: &Source) {
    // A command that a mutated file names is not run.
    if !saved.model.commands().is_empty() {
        return;
    }
    let _ = score_table(saved, source, &ScoreRequest::default(), &|_| ());
    let _ = explain_rows(saved, source, &WhichRows::First, None, &Matching::default(), &|_| ());
    let _ = explain_model(saved);
    if let AnyModel::Learned(model) = &saved.model {
        let _ = model.graph();
    }
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    static SEEDS: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    SEEDS.get_or_init(|| fitted().unwrap_or_default()).clone()
}

/// A model of the first example of each learner, and one that is calibrated.
fn fitted() -> Result<Vec<Vec<u8>>, Error> {
    let (dataset, rows) = (table()?, (0..N_ROWS).collect::<Vec<u32>>());
    let examples = LEARNERS.iter().filter_map(|form| form.examples.first()).map(|(text, _)| *text);
    let mut files = Vec::new();
    for text in examples.chain([
        "nb+isotonic",
        "svm+platt",
        "logit+beta",
        "nb+weights=1:5",
        "logit+resample=1:5,rejection,models=2",
    ]) {
        let learner: Learner = text.parse()?;
        let learner =
            learner.candidates(40).and_then(|candidates| candidates.into_iter().next()).unwrap_or(learner);
        let model = SavedModel::from(learner.fit(&dataset, &rows, 1)?);
        files.push(written(&learner.to_string(), &model));
    }
    files.extend(committee(&dataset, &rows)?);
    let amounts = Amounts::new("paid", (0..N_ROWS).map(|row| f64::from(row * 37 % 101)).collect())?;
    for (text, _) in AMOUNT_LEARNERS.iter().flat_map(|form| form.examples) {
        let learner: AmountLearner = text.parse()?;
        let amounts = learner.fit(&dataset, &amounts, &rows)?;
        files.push(written(text, &SavedAmounts { amounts, origin: TableOrigin::default() }));
    }
    Ok(files)
}

/// A committee of two models.
fn committee(dataset: &Dataset, rows: &[u32]) -> Result<Option<Vec<u8>>, Error> {
    let member = |text: &str, weight: f64| {
        let model = AnyModel::Learned(Box::new(text.parse::<Learner>()?.fit(dataset, rows, 1)?));
        let scaling = TemperatureScaling { temperature: 1.4, log_loss: 0.5 };
        Ok(MemberModel { model, calibration: MarginCalibration::default(), scaling, weight })
    };
    let Ok(committee) = CommitteeModel::new(vec![member("nb", 0.25)?, member("c45", 0.75)?]) else {
        return Ok(None);
    };
    let model = AnyModel::Committee(Box::new(committee));
    Ok(Some(written("committee", &SavedModel { model, origin: TableOrigin::default() })))
}

fn written(learner: &str, model: &impl tribunal::Storable) -> Vec<u8> {
    let body = serde_json::to_string(model).unwrap_or_default();
    format!("{learner}\n{body}").into_bytes()
}
