//! A first study file for a table: what is guessed is said, what can be changed is shown.

mod columns;
mod guess;
mod line_up;
mod paths;
mod selection_text;
mod text;

use std::path::PathBuf;

use tribunal_io::Source;
use tribunal_learn::claims_schema;

use self::columns::Unusable;
use self::guess::Chosen;
use self::paths::relative_to;
use self::selection_text::{AboutSelection, selection_text};
use self::text::{About, claims_text, study_text};
use crate::data::{DataRequest, TargetRequest};
use crate::describe::{Description, describe};
use crate::error::Error;
use crate::message::Message;
use crate::progress::OnProgress;

/// The seed of the sample by which very large tables are looked at.
const SEED: u64 = 1;

/// What is known before a table is looked at.
#[derive(Clone, Debug, Default)]
pub struct InitOptions {
    /// What is to be predicted; guessed if nobody says so.
    pub target: Option<TargetRequest>,
    /// The folder that the study file will lie in, from which the data are named; the current one if nobody says so.
    pub folder: Option<PathBuf>,
}

/// The text of a commented study file for a table, which runs as it is. Its remarks name settings and verbs, which the
/// front end words.
///
/// Without a target, that column of two values is taken whose name sounds most like an outcome, or else the last one; the
/// text says so, and what else it could have been. Columns that name rows, hold dates or sentences, or numbers but for a few
/// cells are ignored, with the reason; those that give the target away are named, and stay until somebody ignores them. A
/// table of synthetic claims becomes the study of Viaene et al. (2002).
///
/// `files` are the names under which the study will find the table.
///
/// ```
/// use tribunal::{InitOptions, Source, init_study};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("claims.csv").to_string_lossy().into_owned();
/// std::fs::write(&path, "lag,night,fraud\n3,yes,no\n14,no,yes\n,no,no\n9,yes,no\n")?;
/// let options = InitOptions { folder: Some(folder.path().into()), ..InitOptions::default() };
/// let text = init_study(&Source::open(&[&path])?, &[path], &options, &|_progress| ())?.to_string();
/// assert!(text.contains("data = \"claims.csv\"\n"));
/// assert!(text.contains("fraud = { column = \"fraud\", positive = \"yes\" }\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Files that cannot be read; a target that is not there, tells nothing apart or has several classes; no target, where no
/// column has two values.
pub fn init_study(
    source: &Source,
    files: &[String],
    options: &InitOptions,
    on_progress: OnProgress<'_>,
) -> Result<Message, Error> {
    let folder = options.folder.clone().unwrap_or_default();
    let files: Vec<String> = files.iter().map(|file| relative_to(&folder, file)).collect();
    let chosen = match &options.target {
        Some(target) => Chosen::given(target),
        None => {
            let seen = describe(source, &DataRequest::default(), SEED, on_progress)?;
            if are_claims(&seen) {
                return Ok(claims_text(&files, seen.rows));
            }
            Chosen::guessed(&seen, &[])?
        }
    };
    let request = DataRequest { targets: vec![chosen.request.clone()], ..DataRequest::default() };
    let description = describe(source, &request, SEED, on_progress)?;
    let target = chosen.target(&description)?;
    Ok(study_text(&About { files: &files, description: &description, target: &target }))
}

/// The text of a commented selection file, which chooses a learner by a labelled table for a population: like that of a study, with
/// the columns ignored that the population does not have, or has with other values only.
///
/// `files` and `population` are the names under which the selection will find the tables.
///
/// # Errors
/// A table cannot be read, or nothing is said to be the target and no column has two values.
pub fn init_selection(
    source: &Source,
    files: &[String],
    population: &[String],
    options: &InitOptions,
    on_progress: OnProgress<'_>,
) -> Result<Message, Error> {
    let folder = options.folder.clone().unwrap_or_default();
    let relative =
        |files: &[String]| -> Vec<String> { files.iter().map(|file| relative_to(&folder, file)).collect() };
    let there = describe(&Source::open(population)?, &DataRequest::default(), SEED, on_progress)?;
    let chosen = match &options.target {
        Some(target) => Chosen::given(target),
        None => {
            let seen = describe(source, &DataRequest::default(), SEED, on_progress)?;
            Chosen::guessed(&seen, &Unusable::of(&seen, &there).absent)?
        }
    };
    let request = DataRequest { targets: vec![chosen.request.clone()], ..DataRequest::default() };
    let description = describe(source, &request, SEED, on_progress)?;
    let target = chosen.target_of_any_classes(&description)?;
    let unusable = Unusable::of(&description, &there);
    Ok(selection_text(&AboutSelection {
        table: About { files: &relative(files), description: &description, target: &target },
        population: &relative(population),
        unusable: &unusable,
    }))
}

/// Whether a table has the columns of the claims study.
fn are_claims(description: &Description) -> bool {
    let has = |name: &String| description.columns.iter().any(|column| column.name == *name);
    claims_schema().columns.keys().all(has)
}

#[cfg(test)]
mod tests;
