//! One learner of amounts trained on the rows of a table that have one.

use serde::{Deserialize, Serialize};
use tribunal_io::Source;
use tribunal_learn::{AmountLearner, AmountRows, ColumnSchema, Quality, Role};

use crate::data::{DataRequest, LoadedData, TableOrigin, load_data};
use crate::error::Error;
use crate::form::{Form, SchemaOf};
use crate::message::{Message, Setting};
use crate::model_file::SavedAmounts;
use crate::progress::{OnProgress, Progress};

/// What is learned, from what, and how.
#[derive(Clone, Debug)]
pub struct AmountFitRequest {
    /// The table, and the target whose positive class is learned from; without one every row with an amount is.
    pub data: DataRequest,
    /// The column of the amounts.
    pub amount: String,
    /// The learner.
    pub learner: AmountLearner,
}

/// A model of amounts with what there is to say of its making.
#[derive(Clone, Debug)]
pub struct FittedAmounts {
    /// The model, ready to be written.
    pub model: SavedAmounts,
    /// Its making.
    pub summary: AmountFitSummary,
}

/// How a model of amounts was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct AmountFitSummary {
    /// The version of this form.
    pub schema: SchemaOf<Self>,
    /// The learner.
    pub learner: String,
    /// The column of the amounts.
    pub amount: String,
    /// The target whose positive class was learned from.
    pub target: Option<String>,
    /// Its positive class.
    pub class: Option<String>,
    /// How many rows were learned from, and why others were not.
    pub rows: AmountRows,
    /// How many columns were learned from.
    pub columns: u64,
    /// How well the model fits.
    pub quality: Quality,
    /// What is doubtful about the model.
    pub warnings: Vec<String>,
    /// What was noticed about the table: columns and rows that were left out.
    pub notices: Vec<String>,
    /// The size of its file, once it is written.
    pub bytes: Option<u64>,
}

impl Form for AmountFitSummary {
    const SCHEMA: &'static str = "tribunal.amount_fit/1";
}

/// Reads a table and trains a learner of amounts on its rows.
///
/// ```
/// use tribunal::{AmountFitRequest, DataRequest, Source, fit_amounts};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("gifts.csv").to_string_lossy().into_owned();
/// # std::fs::write(&path, "age,gift\n20,5\n40,10\n60,15\n50,0\n")?;
/// // age,gift
/// // 20,5
/// // 40,10
/// // 60,15
/// // 50,0
/// let learner = "linear:cap=50".parse()?;
/// let request = AmountFitRequest { data: DataRequest::default(), amount: "gift".into(), learner };
/// let fitted = fit_amounts(&Source::open(&[path])?, &request, &|_progress| ())?;
/// assert_eq!((fitted.summary.rows.learned, fitted.summary.rows.without_amount), (3, 1));
/// let age = &fitted.model.amounts.coefficients()[1];
/// assert!(age.name == "age" && age.estimate.is_some_and(|slope| (slope - 0.25).abs() < 1e-12));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The table cannot be read or has no amounts; the target has no positive class; no row has an amount to learn from.
pub fn fit_amounts(
    source: &Source,
    request: &AmountFitRequest,
    on_progress: OnProgress<'_>,
) -> Result<FittedAmounts, Error> {
    let mut data = request.data.clone();
    data.schema.columns.insert(request.amount.clone(), ColumnSchema::Role(Role::Amount));
    data.amount = Some(request.amount.clone());
    let LoadedData { dataset, targets, amounts, notices, origin, .. } =
        load_data(source, &data, on_progress)?;
    let unread = || Error::data(format!("the amounts in \"{}\" cannot be read", request.amount));
    let amounts = amounts.ok_or_else(unread)?;
    if let Some(target) = targets.first().filter(|target| target.classes().len() != 2) {
        let classes = format!("\"{}\" has {} classes", target.name(), target.classes().len());
        let message = format!("amounts are learned from the positive class, and {classes}; say with ");
        return Err(Error::usage(Message::from(message).setting(Setting::Positive).text(" which count")));
    }
    let rows: Vec<u32> = (0..dataset.n_rows() as u32).collect();
    on_progress(Progress::Fitting { rows: rows.len() as u64 });
    let model = request.learner.fit(&dataset, &amounts, &rows)?;
    let summary = AmountFitSummary {
        schema: SchemaOf::default(),
        learner: model.learner().to_string(),
        amount: model.amount().to_owned(),
        target: model.class().map(|class| class.target.clone()),
        class: model.class().map(|class| class.class.clone()),
        rows: model.rows(),
        columns: dataset.columns().len() as u64,
        quality: *model.quality(),
        warnings: model.warnings().to_vec(),
        notices,
        bytes: None,
    };
    // Amounts are predicted for rows of any class, so nobody asks where the classes came from.
    let origin = TableOrigin { target_column: None, rule: None, ..origin };
    Ok(FittedAmounts { model: SavedAmounts { amounts: model, origin }, summary })
}
