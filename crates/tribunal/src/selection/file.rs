//! A selection as a file: TOML in which whatever is left out has a default, and whatever is wrong is said with its place.
//!
//! ```toml
//! data = "claims-1994.csv"
//! deploy = "claims-1996.csv"
//! learners = ["logit", "c45", "nb:5", "knn:{1,10,100}"]
//! audit = 10
//!
//! [targets]
//! fraud = { column = "fraud", positive = "yes" }
//! ```
//!
//! Keys: `data`, `deploy`, `schema`, `missing`, `min_firings`, `target`, `predictors`, `weight`, `id`, `amount`, `learners`, `metric`,
//! `rule`, `reverse_labels`, `design`, `reverse_testing`, `reverse_validation`, `leave_one_out`, `audit`, `ask`, `check_with_target`,
//! `level`, `seed`, and the tables `columns`, `sets` and `targets` of a [`Schema`](tribunal_learn::Schema), which are put over the
//! schema that is named. A list of one may be written as a single text.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use toml::Spanned;
use tribunal_eval::intervals::Level;
use tribunal_learn::{ColumnSchema, TargetSchema};

use super::criterion::SelectionMetric;
use super::request::{NAMED_SETS, SelectRequest, USUAL_SELECTION, named_learners};
use crate::data::{DataRequest, TargetRequest, has_set, unknown_set};
use crate::decision::CaseRule;
use crate::error::Error;
use crate::line_up::Entrant;
use crate::message::{Message, Setting, Verb};
use crate::outside::permit;
use crate::study::learners_of;
use crate::toml_file::TomlFile;
use crate::toml_words::{DeclaredColumns, Word, Words, files_beside};

/// A selection that was read from a file.
#[derive(Clone, Debug)]
pub struct SelectionFile {
    /// The labelled table: files and globs, relative ones from the folder of the file. Nothing if the file names none.
    pub train: Vec<String>,
    /// The population, likewise.
    pub deploy: Vec<String>,
    /// The schema file that is named, from where the program runs; nothing if it is a built-in one.
    pub schema: Option<String>,
    /// What is asked.
    pub request: SelectRequest,
}

impl SelectionFile {
    /// Fails if the file names commands as learners and the user did not allow them: a file from anywhere may name any command.
    ///
    /// # Errors
    /// A learner of the file is a command; the message shows all of them.
    pub fn permit(&self, may_run_command: bool) -> Result<(), Error> {
        let commands = self.request.entrants.iter().filter_map(|entrant| match entrant {
            Entrant::Outside(learner) => Some(learner),
            Entrant::BuiltIn(_) => None,
        });
        permit("the selection file", commands, may_run_command)
    }
}

/// The keys as they are written, with the places of their values.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    data: Option<Words>,
    deploy: Option<Words>,
    schema: Option<Word>,
    #[serde(default)]
    missing: Vec<String>,
    min_firings: Option<usize>,
    target: Option<String>,
    predictors: Option<Word>,
    weight: Option<String>,
    id: Option<Words>,
    amount: Option<String>,
    learners: Option<Words>,
    metric: Option<Word>,
    rule: Option<Word>,
    reverse_labels: Option<Word>,
    design: Option<Word>,
    reverse_testing: Option<bool>,
    reverse_validation: Option<bool>,
    leave_one_out: Option<bool>,
    audit: Option<usize>,
    ask: Option<usize>,
    check_with_target: Option<bool>,
    level: Option<Spanned<f64>>,
    seed: Option<u64>,
    #[serde(default)]
    columns: BTreeMap<String, ColumnSchema>,
    #[serde(default)]
    sets: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    targets: BTreeMap<String, TargetSchema>,
}

/// Reads a selection file.
///
/// ```
/// use tribunal::selection::read_selection;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("select.toml");
/// std::fs::write(&path, "deploy = 'new.csv'\ntarget = 'fraud'\nlearners = ['logit', 'fan-davidson']\naudit = 10\n")?;
/// let file = read_selection(&path)?;
/// assert_eq!((file.request.entrants.len(), file.request.audit), (4, 10));
///
/// std::fs::write(&path, "target = 'fraud'\nmetric = 'acuracy'\n")?;
/// let error = read_selection(&path).unwrap_err().to_string();
/// assert!(error.contains("select.toml, line 2, column 10: learners are not selected by \"acuracy\""));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The file cannot be read, or something in it is not understood; the message names line and column, and the nearest known word.
pub fn read_selection(path: &Path) -> Result<SelectionFile, Error> {
    let name = path.to_string_lossy();
    let advice = Message::from("`").verb(Verb::Init).text(" DATA ").set(Setting::Deploy, "POPULATION");
    let file = TomlFile::read(&name, "selection", advice.text("` writes one"))?;
    let written: Written = file.parse()?;
    let folder = path.parent().unwrap_or(Path::new(""));
    for word in written.data.iter().chain(&written.deploy).flat_map(|Words(words)| words.get_ref()) {
        file.meaning(word, |name| match name.is_empty() {
            true => Err(Error::usage("the name of a file is empty; name one, or leave the key out")),
            false => Ok(()),
        })?;
    }
    Ok(SelectionFile {
        train: files_beside(folder, &written.data),
        deploy: files_beside(folder, &written.deploy),
        schema: declared(&written).schema_file(folder),
        request: request(&written, &file, folder)?,
    })
}

fn declared(written: &Written) -> DeclaredColumns<'_> {
    DeclaredColumns {
        schema: &written.schema,
        missing: &written.missing,
        min_firings: written.min_firings,
        weight: written.weight.as_deref(),
        id: &written.id,
        columns: &written.columns,
        sets: &written.sets,
        targets: &written.targets,
    }
}

fn request(written: &Written, file: &TomlFile, folder: &Path) -> Result<SelectRequest, Error> {
    let data = data(written, file, folder)?;
    let plain = SelectRequest::new(entrants(written, file)?);
    let rule: Option<CaseRule> =
        file.optional_meaning(&written.rule, |text| text.parse().map_err(Error::usage))?;
    let metric = file.optional_meaning(&written.metric, str::parse)?;
    Ok(SelectRequest {
        data,
        metric: metric.unwrap_or(if rule.is_some() { SelectionMetric::Benefit } else { plain.metric }),
        rule,
        reverse_labels: file
            .optional_meaning(&written.reverse_labels, str::parse)?
            .unwrap_or(plain.reverse_labels),
        design: file.optional_meaning(&written.design, str::parse)?.unwrap_or(plain.design),
        with_reverse_testing: written.reverse_testing.unwrap_or(plain.with_reverse_testing),
        with_reverse_validation: written.reverse_validation.unwrap_or(plain.with_reverse_validation),
        with_leave_one_out: written.leave_one_out.unwrap_or(plain.with_leave_one_out),
        audit: written.audit.unwrap_or(plain.audit),
        ask: written.ask.unwrap_or(plain.ask),
        check_with_target: written.check_with_target.unwrap_or(plain.check_with_target),
        level: level(written, file)?.unwrap_or(plain.level),
        seed: written.seed.unwrap_or(plain.seed),
        entrants: plain.entrants,
        labels: plain.labels,
    })
}

/// The target is the one that is named, or the only one that is declared.
fn data(written: &Written, file: &TomlFile, folder: &Path) -> Result<DataRequest, Error> {
    let (schema, _) = declared(written).schema(file, folder)?;
    let names = match &written.target {
        Some(name) => vec![name.clone()],
        None => file.targets_as_written()?,
    };
    let predictors = file.optional_meaning(&written.predictors, |name| match has_set(name, &schema) {
        true => Ok(name.to_owned()),
        false => Err(unknown_set(name, &schema)),
    })?;
    let target = |name| TargetRequest { name, positive: None };
    Ok(DataRequest {
        schema,
        targets: names.into_iter().map(target).collect(),
        predictors,
        amount: written.amount.clone(),
    })
}

fn entrants(written: &Written, file: &TomlFile) -> Result<Vec<Entrant>, Error> {
    let Some(Words(words)) = &written.learners else {
        return Ok(USUAL_SELECTION
            .split(';')
            .map(selection_learners_of)
            .collect::<Result<Vec<_>, _>>()?
            .concat());
    };
    if words.get_ref().is_empty() {
        return Err(file.wrong(words.span(), "the list is empty; leave it out for the usual learners"));
    }
    let of_words = words.get_ref().iter().map(|word| file.meaning(word, selection_learners_of));
    let mut distinct: Vec<Entrant> = Vec::new();
    for entrant in of_words.collect::<Result<Vec<_>, _>>()?.concat() {
        if !distinct.contains(&entrant) {
            distinct.push(entrant);
        }
    }
    Ok(distinct)
}

fn level(written: &Written, file: &TomlFile) -> Result<Option<Level>, Error> {
    let Some(level) = &written.level else { return Ok(None) };
    let wrong = |error: tribunal_eval::Error| file.wrong(level.span(), error.to_string());
    Level::new(*level.get_ref()).map(Some).map_err(wrong)
}

/// The learners that a text names: one, those of a word of a study such as `all-tan`, or the set of a paper such as `fan-davidson`.
///
/// ```
/// use tribunal::selection::selection_learners_of;
///
/// assert_eq!(selection_learners_of("fan-davidson")?.len(), 4);
/// assert_eq!(selection_learners_of("all-nb")?.len(), 4);
/// let error = selection_learners_of("fan-davison").unwrap_err().to_string();
/// assert!(error.contains("did you mean fan-davidson?"));
/// # Ok::<(), tribunal::Error>(())
/// ```
///
/// # Errors
/// The text is neither; the nearest is suggested.
pub fn selection_learners_of(text: &str) -> Result<Vec<Entrant>, Error> {
    if let Some(learners) = named_learners(text) {
        return learners.split(';').map(|learner| learner.trim().parse()).collect();
    }
    learners_of(text).map_err(|error| {
        match tribunal_io::nearest(text.trim(), NAMED_SETS.iter().map(|(name, _)| *name)) {
            Some(near) if text.contains('-') => {
                Error::usage(format!("there are no learners \"{}\"; did you mean {near}?", text.trim()))
            }
            _ => error,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::selection::ReverseLabels;

    const TARGET: &str = "[targets]\nfraud = { column = 'fraud', positive = 'yes' }\n";

    fn read_in(folder: &Path, text: &str) -> Result<SelectionFile, String> {
        let path = folder.join("claims.toml");
        std::fs::write(&path, text).expect("written");
        read_selection(&path).map_err(|error| error.to_string())
    }

    fn read(text: &str) -> Result<SelectionFile, String> {
        read_in(tempfile::tempdir().expect("a folder").path(), text)
    }

    fn names(request: &SelectRequest) -> Vec<String> {
        request.entrants.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_is_left_out_has_a_default() {
        let SelectionFile { train, deploy, schema, request } = read(TARGET).expect("a selection");
        assert_eq!((train.len(), deploy.len(), schema), (0, 0, None));
        assert_eq!(names(&request).join("; "), USUAL_SELECTION);
        assert_eq!((request.metric, request.rule), (SelectionMetric::Pcc, None));
        assert_eq!(
            (request.design.to_string().as_str(), request.audit, request.ask, request.seed),
            ("cv:10", 0, 0, 1)
        );
        assert!(
            request.with_reverse_testing && request.with_reverse_validation && !request.with_leave_one_out
        );
        assert_eq!(request.data.targets[0].name, "fraud");
    }

    #[test]
    fn whatever_is_said_counts() {
        let text = "data = ['a/*.csv', '/b.csv']\ndeploy = 'new.csv'\nmissing = ['none']\ntarget = 'late'\npredictors = 'few'\n\
            weight = 'w'\nid = 'claim'\namount = 'paid'\nlearners = ['nb:5', 'all-nb', 'fan-davidson-cost']\nrule = 'fraud:90'\n\
            reverse_labels = 'soft'\ndesign = 'cv:5x2'\nreverse_testing = false\nreverse_validation = false\nleave_one_out = true\n\
            audit = 20\nask = 25\ncheck_with_target = true\nlevel = 0.9\nseed = 7\n[sets]\nfew = ['age']\n[targets]\n\
            fraud = { column = 'fraud', positive = 'yes' }\nlate = { column = 'lag', positive = '>=4' }\n";
        let folder = tempfile::tempdir().expect("a folder");
        let SelectionFile { train, deploy, request, .. } = read_in(folder.path(), text).expect("a selection");
        let beside = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
        assert_eq!((train, deploy), (vec![beside("a/*.csv"), "/b.csv".to_owned()], vec![beside("new.csv")]));
        assert_eq!(
            names(&request),
            ["nb:5", "nb", "nb:25", "nb:50", "bnb", "c45:unpruned", "c45:curtailed", "rdt"]
        );
        assert_eq!(
            (request.metric, request.rule, request.reverse_labels),
            (SelectionMetric::Benefit, Some(CaseRule::Fraud { cost: 90.0 }), ReverseLabels::Soft)
        );
        assert_eq!((request.design.to_string().as_str(), request.level.get()), ("cv:5x2", 0.9));
        assert!(
            !request.with_reverse_testing && !request.with_reverse_validation && request.with_leave_one_out
        );
        assert!(request.check_with_target);
        assert_eq!((request.audit, request.ask, request.seed), (20, 25, 7));
        assert_eq!(
            (request.data.amount.as_deref(), request.data.predictors.as_deref()),
            (Some("paid"), Some("few"))
        );
        let targets: Vec<&str> = request.data.targets.iter().map(|target| target.name.as_str()).collect();
        assert_eq!(targets, ["late"]);
    }

    #[test]
    fn what_is_wrong_is_said_with_line_and_column() {
        let check = |text: &str, place: &str, says: &str| {
            let error = read(&format!("{text}\n{TARGET}")).expect_err(text);
            assert!(error.contains(&format!("claims.toml, {place}: ")) && error.contains(says), "{error}");
        };
        check("depoly = 'x'", "line 1, column 1", "did you mean `deploy`?");
        check("learners = []", "line 1, column 12", "the list is empty");
        check("learners = ['nb', 'tann']", "line 1, column 19", "did you mean tan?");
        check("learners = 'fan-davisson'", "line 1, column 12", "did you mean fan-davidson?");
        check("metric = 'gain'", "line 1, column 10", "choose pcc (accuracy), auroc or benefit");
        check("rule = 'donation'", "line 1, column 8", "is no rule");
        check("reverse_labels = 'hrad'", "line 1, column 18", "did you mean hard?");
        check("design = 'vc:10'", "line 1, column 10", "did you mean `cv:10`?");
        check("predictors = 'flag'", "line 1, column 14", "did you mean \"flags\"?");
        check("level = 95", "line 1, column 9", "such as 0.95");
        check("audit = -1", "line 1, column 9", "expected a whole number, zero or more");
        check("data = ''", "line 1, column 8", "the name of a file is empty");
        check("deploy = ['a.csv', '']", "line 1, column 20", "the name of a file is empty");
    }

    #[test]
    fn commands_of_a_file_need_the_word_of_the_user() {
        let file = read(&format!("learners = ['nb', 'outside:sh a.sh']\n{TARGET}")).expect("a selection");
        assert!(file.permit(true).is_ok());
        let error = file.permit(false).expect_err("a command");
        assert_eq!(error.kind(), ErrorKind::Usage);
        assert_eq!(
            error.to_string(),
            "the selection file names a command that would be run: sh a.sh; if you trust it, add `run_command`"
        );
    }
}
