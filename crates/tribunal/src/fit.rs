//! One learner trained on all the rows of a table.

use serde::{Deserialize, Serialize};
use tribunal_io::Source;
use tribunal_learn::{Dataset, Learner, Model};

use crate::data::{DataRequest, LoadedData, load_data};
use crate::describe::ClassCount;
use crate::error::Error;
use crate::form::{Form, SchemaOf};
use crate::leaks::{Leak, leaks_of};
use crate::line_up::Entrant;
use crate::model_file::SavedModel;
use crate::progress::{OnProgress, Progress};
use crate::tuning::{TuneOptions, TuningCurve, tune};

/// What is learned, from what, and how.
#[derive(Clone, Debug)]
pub struct FitRequest {
    /// The table and its target.
    pub data: DataRequest,
    /// The learner.
    pub learner: Entrant,
    /// The seed of whatever it draws.
    pub seed: u64,
    /// How settings that it leaves open are chosen.
    pub tuning: TuneOptions,
}

/// A model with what there is to say of its making.
#[derive(Clone, Debug)]
pub struct FittedTable {
    /// The model, ready to be written.
    pub model: SavedModel,
    /// Its making.
    pub summary: FitSummary,
}

/// How a model was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct FitSummary {
    /// The version of this form.
    pub schema: SchemaOf<Self>,
    /// The learner, with the settings that were tuned.
    pub learner: String,
    /// The seed.
    pub seed: u64,
    /// The target.
    pub target: String,
    /// The classes with their rows; of two the second is the positive one.
    pub classes: Vec<ClassCount>,
    /// How many rows were learned from.
    pub rows: u64,
    /// How many columns were learned from.
    pub columns: u64,
    /// The sum of the weights, where rows have any.
    pub weight: Option<f64>,
    /// What was tried, where something was tuned.
    pub tuning: Option<TuningCurve>,
    /// Columns that seem to be known only after the outcome; the model learned from them all the same.
    pub leaks: Vec<Leak>,
    /// What is doubtful about the model.
    pub warnings: Vec<String>,
    /// What was noticed about the table: columns and rows that were left out.
    pub notices: Vec<String>,
    /// The size of its file, once it is written.
    pub bytes: Option<u64>,
}

impl Form for FitSummary {
    const SCHEMA: &'static str = "tribunal.fit/1";
}

/// Reads a table and trains a learner on all its rows.
///
/// # Errors
/// The table cannot be read or has no target with at least two classes; the learner cannot learn from it.
pub fn fit_table(
    source: &Source,
    request: &FitRequest,
    on_progress: OnProgress<'_>,
) -> Result<FittedTable, Error> {
    let LoadedData { dataset, targets, notices, origin, .. } = load_data(source, &request.data, on_progress)?;
    let rows: Vec<u32> = (0..dataset.n_rows() as u32).collect();
    on_progress(Progress::Fitting { rows: rows.len() as u64 });
    let (model, tuning) = request.learner.tune_and_fit(&dataset, &rows, request.seed, &request.tuning)?;
    let summary = FitSummary {
        schema: SchemaOf::default(),
        learner: model.learner(),
        seed: request.seed,
        target: model.target().to_owned(),
        classes: class_counts(&dataset),
        rows: dataset.n_rows() as u64,
        columns: dataset.columns().len() as u64,
        weight: dataset.weights().map(|weights| weights.iter().sum()),
        tuning,
        leaks: leaks_of(&dataset, &targets),
        warnings: model.warnings(),
        notices,
        bytes: None,
    };
    Ok(FittedTable { model: SavedModel { model, origin }, summary })
}

/// Trains a learner on all rows of a data set; settings that it leaves open are tuned on them first, by the AUROC.
///
/// ```
/// use tribunal::fit_learner;
/// use tribunal_learn::{Column, Dataset, Kind, Target, Values};
///
/// let flag = Column::new("night", Kind::Flag, Values::Codes(vec![1, 0, 1, 0]))?;
/// let target = Target::new("fraud", ["no", "yes"], vec![1, 0, 0, 0])?;
/// let claims = Dataset::new(vec![flag])?.with_target(target)?;
/// let model = fit_learner(&"majority".parse()?, &claims, 1, &|_progress| ())?;
/// assert_eq!(model.posteriors(&claims, &[0])?.scores(), [0.25]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// There is no target or no row, or a column that the learner can make nothing of.
pub fn fit_learner(
    learner: &Learner,
    dataset: &Dataset,
    seed: u64,
    on_progress: OnProgress<'_>,
) -> Result<Model, Error> {
    let tuning = TuneOptions { seed, ..TuneOptions::default() };
    let rows: Vec<u32> = (0..dataset.n_rows() as u32).collect();
    on_progress(Progress::Fitting { rows: rows.len() as u64 });
    Ok(tune(learner, dataset, &rows, &tuning)?.learner.fit(dataset, &rows, seed)?)
}

/// The classes of a data set with their rows.
pub(crate) fn class_counts(dataset: &Dataset) -> Vec<ClassCount> {
    let Some(target) = dataset.target() else { return Vec::new() };
    let counted = target.classes().iter().zip(target.counts());
    counted.map(|(class, rows)| ClassCount { class: class.clone(), rows: rows as u64 }).collect()
}
