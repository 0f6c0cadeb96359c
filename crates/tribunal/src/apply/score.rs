//! A table scored by a model: the ids of its rows, their classes if known, the score, and the class it speaks for.

use std::io::Write;

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use tribunal_io::{
    AddedColumn, AddedValues, ReadOptions, RowCopy, Source, TableFormat, TableReader, copy_table,
};

use tribunal_learn::Output;

use super::matching::{Beside, Matched, Matching, read_matched};
use crate::data::TableOrigin;
use crate::error::Error;
use crate::form::{Form, SchemaOf};
use crate::line_up::about_costs;
use crate::message::{Message, Setting};
use crate::model_file::SavedModel;
use crate::progress::{OnProgress, Progress};

/// How a table is scored, and what is written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScoreRequest {
    /// How columns and values are matched.
    pub matching: Matching,
    /// Which columns of the table are written too.
    pub keep: Keep,
    /// The columns that name rows; by default those of the training table.
    pub ids: Option<Vec<String>>,
    /// The name of the score, by default `score`; the class is then `NAME_predicted`.
    pub name: Option<String>,
}

/// Which columns of a table are written beside its scores.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Keep {
    /// The ids, and the target if the table has it.
    #[default]
    Usual,
    /// These as well.
    Also(Vec<String>),
    /// All, as they stand.
    All,
}

/// Scores of the rows of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoredTable {
    /// The columns that are written of the table; `None` for all.
    kept: Option<Vec<String>>,
    /// The target by its classes, with its name.
    truth: Option<(String, Vec<u32>)>,
    /// The scores, with their names.
    scores: Vec<(String, Vec<f64>)>,
    predicted: (String, Vec<u32>),
    classes: Vec<String>,
    summary: ScoreSummary,
}

/// What came of the scoring of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ScoreSummary {
    /// The version of this form.
    pub schema: SchemaOf<Self>,
    /// The learner of the model.
    pub learner: String,
    /// The target of the model.
    pub target: String,
    /// What the scores are.
    pub output: Output,
    /// How many rows were scored.
    pub rows: u64,
    /// The columns that are added to those of the table.
    pub added: Vec<String>,
    /// What is said of each class.
    pub classes: Vec<PredictedClass>,
    /// What a user should know: values that count as missing, columns that are not there.
    pub notices: Vec<String>,
}

/// What a model says of a class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PredictedClass {
    /// The class.
    pub class: String,
    /// In how many rows it is predicted.
    pub rows: u64,
    /// Its mean probability or margin.
    pub mean_score: f64,
}

impl Form for ScoreSummary {
    const SCHEMA: &'static str = "tribunal.scores/1";
}

/// Scores every row of a table, in its order.
///
/// ```
/// use tribunal::{FitRequest, ScoreRequest, Source, TargetRequest, TuneOptions, fit_table, score_table};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("claims.csv").to_string_lossy().into_owned();
/// # std::fs::write(&path, "lag,night,fraud\n3,yes,no\n14,no,yes\n,no,no\n9,no,no\n")?;
/// // lag,night,fraud
/// // 3,yes,no
/// // 14,no,yes
/// // ,no,no
/// // 9,no,no
/// let targets = vec![TargetRequest { name: "fraud".into(), positive: None }];
/// let data = tribunal::DataRequest { targets, ..Default::default() };
/// let source = Source::open(&[path])?;
/// let tuning = TuneOptions::default();
/// let request = FitRequest { data, learner: "majority".parse()?, seed: 1, tuning };
/// let fitted = fit_table(&source, &request, &|_progress| ())?;
///
/// let scored = score_table(&fitted.model, &source, &ScoreRequest::default(), &|_progress| ())?;
/// assert_eq!(scored.summary().added, ["score", "predicted"]);
/// let mut out = Vec::new();
/// scored.write(&source, tribunal_io::TableFormat::Csv, &mut out, &|_progress| ())?;
/// assert!(out.starts_with(b"fraud,score,predicted\nno,0.25,no\nyes,0.25,no\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The table cannot be read or matched with the model, or has a column of the name that a score would get.
pub fn score_table(
    saved: &SavedModel,
    source: &Source,
    request: &ScoreRequest,
    on_progress: OnProgress<'_>,
) -> Result<ScoredTable, Error> {
    let names = ColumnNames::new(saved, source, request)?;
    let beside = Beside { classes: names.truth.is_some(), labels: &[] };
    let Matched { dataset, n_rows, classes, notices, .. } =
        read_matched(saved.recipe(), source, &request.matching, beside, on_progress)?;
    let model = &saved.model;
    let posteriors = model.posteriors(&dataset, &(0..n_rows as u32).collect::<Vec<_>>())?;
    let predicted: Vec<u32> = posteriors.predicted().map(|class| class as u32).collect();
    let posteriors = posteriors.without_costs();
    let notices = notices.into_iter().chain(about_costs(model.learner(), &posteriors)).collect();
    let of_class = |class: usize| posteriors.of_class(class).collect::<Vec<f64>>();
    let scores: Vec<Vec<f64>> = match model.classes().len() {
        2 => vec![of_class(1)],
        n => (0..n).map(of_class).collect(),
    };
    let said = |(class, name): (usize, &String)| PredictedClass {
        class: name.clone(),
        rows: predicted.iter().filter(|&&found| found as usize == class).count() as u64,
        mean_score: posteriors.of_class(class).sum::<f64>() / n_rows as f64,
    };
    let summary = ScoreSummary {
        schema: SchemaOf::default(),
        learner: model.learner(),
        target: model.target().to_owned(),
        output: posteriors.output(),
        rows: n_rows as u64,
        added: names.added().map(str::to_owned).collect(),
        classes: model.classes().iter().enumerate().map(said).collect(),
        notices,
    };
    Ok(ScoredTable {
        kept: names.kept,
        truth: names.truth.zip(classes),
        scores: names.scores.into_iter().zip(scores).collect(),
        predicted: (names.predicted, predicted),
        classes: model.classes().to_vec(),
        summary,
    })
}

/// The names of what is written.
struct ColumnNames {
    /// `None` for all columns of the table.
    kept: Option<Vec<String>>,
    truth: Option<String>,
    scores: Vec<String>,
    predicted: String,
}

impl ColumnNames {
    fn new(saved: &SavedModel, source: &Source, request: &ScoreRequest) -> Result<Self, Error> {
        let table = TableReader::open(source, &ReadOptions::default())?;
        let known: Vec<&str> = table.columns().iter().map(|column| column.name.as_str()).collect();
        let SavedModel { model, origin } = saved;
        let kept = kept_columns(origin, request.ids.as_deref(), &request.keep, &known);
        let is_kept = |name: &str| match &kept {
            Some(kept) => kept.iter().any(|kept| kept == name),
            None => known.contains(&name),
        };
        let is_classed = origin.rule.as_ref().is_some_and(|rule| known.contains(&rule.column.as_str()));
        let truth = (is_classed && !is_kept(model.target())).then(|| model.target().to_owned());
        let score = request.name.as_deref().unwrap_or("score");
        let scores = match model.classes() {
            [_, _] => vec![score.to_owned()],
            classes => classes.iter().map(|class| format!("{score}_{class}")).collect(),
        };
        let predicted = request.name.as_ref().map_or("predicted".into(), |name| format!("{name}_predicted"));
        let is_taken = |name: &&String| is_kept(name) || truth.as_ref() == Some(name);
        if let Some(name) = scores.iter().chain([&predicted]).find(is_taken) {
            return Err(taken(name));
        }
        Ok(ColumnNames { kept, truth, scores, predicted })
    }

    fn added(&self) -> impl Iterator<Item = &str> {
        self.truth.iter().chain(&self.scores).chain([&self.predicted]).map(String::as_str)
    }
}

/// The columns of the table that are written; `None` for all.
pub(crate) fn kept_columns(
    origin: &TableOrigin,
    ids: Option<&[String]>,
    keep: &Keep,
    known: &[&str],
) -> Option<Vec<String>> {
    let also: &[String] = match keep {
        Keep::All => return None,
        Keep::Usual => &[],
        Keep::Also(columns) => columns,
    };
    let known: FxHashSet<&str> = known.iter().copied().collect();
    let is_there = |name: &&String| known.contains(name.as_str());
    let mut kept = match ids {
        Some(ids) => ids.to_vec(),
        None => origin.ids.iter().filter(is_there).cloned().collect(),
    };
    // A target that a rule makes is written by its classes instead.
    let target = origin.target_column.iter().filter(|_| origin.rule.is_none());
    kept.extend(target.filter(is_there).cloned());
    kept.extend_from_slice(also);
    Some(without_repetition(kept))
}

pub(super) fn taken(name: &str) -> Error {
    let message = format!(
        "a column \"{name}\" of the table would be written beside the \"{name}\" of the model; give the score another \
         name with "
    );
    let message = Message::from(message).setting(Setting::ScoreName).text(", for example ");
    Error::usage(message.set(Setting::ScoreName, "model_score"))
}

fn without_repetition(mut names: Vec<String>) -> Vec<String> {
    let mut met = FxHashSet::default();
    names.retain(|name| met.insert(name.clone()));
    names
}

impl ScoredTable {
    /// What came of it.
    pub fn summary(&self) -> &ScoreSummary {
        &self.summary
    }

    /// Writes the kept columns of the table with the scores beside them, row by row in its order.
    ///
    /// # Errors
    /// The table cannot be read or written.
    pub fn write(
        &self,
        source: &Source,
        format: TableFormat,
        out: &mut (dyn Write + Send),
        on_progress: OnProgress<'_>,
    ) -> Result<(), tribunal_io::Error> {
        let kept: Option<Vec<&str>> =
            self.kept.as_ref().map(|kept| kept.iter().map(String::as_str).collect());
        let mut added: Vec<AddedColumn<'_>> = Vec::new();
        added.extend(self.truth.as_ref().map(|truth| self.labelled(truth)));
        added.extend(
            self.scores
                .iter()
                .map(|(name, scores)| AddedColumn { name, values: AddedValues::Numbers(scores) }),
        );
        added.push(self.labelled(&self.predicted));
        let copying = RowCopy { keep: None, columns: kept.as_deref(), added: &added };
        let on_read = |read| on_progress(Progress::Reading(read));
        copy_table(source, &ReadOptions::default(), &copying, format, out, &on_read)?;
        Ok(())
    }

    fn labelled<'a>(&'a self, (name, codes): &'a (String, Vec<u32>)) -> AddedColumn<'a> {
        AddedColumn { name, values: AddedValues::Labels { codes, texts: &self.classes } }
    }
}
