//! Scored rows from slices of numbers and labels.

use std::sync::Arc;

use tribunal_io::TableReader;
use tribunal_io::arrow_array::{
    ArrayRef, BooleanArray, Float64Array, Int32Array, Int64Array, RecordBatch, StringArray, UInt8Array,
    UInt32Array, UInt64Array,
};

use super::evaluate_table;
use super::request::{EvaluateRequest, ScoreColumns};
use crate::error::Error;
use crate::results::Evaluation;

/// What may stand in a column of labels: booleans, whole numbers, texts.
pub trait LabelValue: Sized {
    /// The column.
    fn array(values: &[Self]) -> ArrayRef;
}

macro_rules! label_values {
    ($($value:ty => $array:ty),*) => {
        $(impl LabelValue for $value {
            fn array(values: &[Self]) -> ArrayRef {
                Arc::new(<$array>::from(values.to_vec()))
            }
        })*
    };
}

label_values!(bool => BooleanArray, u8 => UInt8Array, i32 => Int32Array, u32 => UInt32Array, i64 => Int64Array,
    u64 => UInt64Array, &str => StringArray, String => StringArray);

/// Scored rows in memory: what each case was, what models said of it, and how much it counts.
///
/// Columns are named, because results speak of them by name. Truth may be booleans, whole numbers or texts; the positive label
/// is named as it reads (`true`, `1`, `yes`), and is `true` unless told otherwise.
///
/// ```
/// use tribunal::{ScoredRows, evaluate_rows};
///
/// let rows = ScoredRows::new("fraud", [true, true, false, true, false, false])
///     .score("logit", [0.9, 0.8, 0.7, 0.4, 0.4, 0.1])
///     .score("forest", [0.9, 0.3, 0.2, 0.8, 0.4, 0.1]);
/// let evaluation = evaluate_rows(&rows, &rows.request(), &|_progress| ())?;
/// let auroc = evaluation.metrics.iter().find(|row| row.model == "logit" && row.metric == "auroc");
/// assert_eq!(auroc.and_then(|row| row.estimate), Some(7.5 / 9.0));
/// # Ok::<(), tribunal::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ScoredRows {
    columns: ScoreColumns,
    arrays: Vec<(String, ArrayRef)>,
}

impl ScoredRows {
    /// Rows with their truth.
    pub fn new<T: LabelValue>(name: &str, truth: impl AsRef<[T]>) -> Self {
        let columns =
            ScoreColumns { truth: name.into(), positive: Some("true".into()), ..Default::default() };
        Self { columns, arrays: vec![(name.to_owned(), T::array(truth.as_ref()))] }
    }

    /// Names the label that counts as positive.
    pub fn positive(mut self, label: impl ToString) -> Self {
        self.columns.positive = Some(label.to_string());
        self
    }

    /// Counts every label but the positive one as negative, however many there are.
    pub fn rest_is_negative(mut self) -> Self {
        self.columns.rest_is_negative = true;
        self
    }

    /// Adds the scores of a model.
    pub fn score(mut self, name: &str, scores: impl AsRef<[f64]>) -> Self {
        self.columns.scores.push(name.to_owned());
        self.with_numbers(name, scores.as_ref())
    }

    /// Says which model each row belongs to, for rows in long form with one score column.
    pub fn model<T: LabelValue>(mut self, name: &str, models: impl AsRef<[T]>) -> Self {
        self.columns.model = Some(name.to_owned());
        self.with_labels(name, models.as_ref())
    }

    /// Adds weights.
    pub fn weight(mut self, name: &str, weights: impl AsRef<[f64]>) -> Self {
        self.columns.weight = Some(name.to_owned());
        self.with_numbers(name, weights.as_ref())
    }

    /// Adds what a positive case is worth.
    pub fn amount(mut self, name: &str, amounts: impl AsRef<[f64]>) -> Self {
        self.columns.amount = Some(name.to_owned());
        self.with_numbers(name, amounts.as_ref())
    }

    /// Counts the amounts of negatives too, such as credits that an audit ends with.
    pub fn amount_of_everybody(mut self) -> Self {
        self.columns.amount_of_everybody = true;
        self
    }

    /// Adds predicted amounts: one column for all models, or one for each.
    pub fn predicted_amount(mut self, name: &str, predicted: impl AsRef<[f64]>) -> Self {
        self.columns.predicted_amounts.push(name.to_owned());
        self.with_numbers(name, predicted.as_ref())
    }

    /// Says in which fold each row was held out.
    pub fn fold<T: LabelValue>(mut self, name: &str, folds: impl AsRef<[T]>) -> Self {
        self.columns.fold = Some(name.to_owned());
        self.with_labels(name, folds.as_ref())
    }

    /// Says to which segment each row belongs: every figure is wanted in each of them too. Of several such columns each combination
    /// of labels is a segment.
    ///
    /// ```
    /// use tribunal::{ScoredRows, evaluate_rows};
    ///
    /// let rows = ScoredRows::new("fraud", [true, false, false, true, true, false])
    ///     .score("logit", [0.9, 0.8, 0.7, 0.4, 0.4, 0.1])
    ///     .by("region", ["north", "north", "north", "south", "south", "south"]);
    /// let evaluation = evaluate_rows(&rows, &rows.request(), &|_progress| ())?;
    /// let segments = evaluation.segments.expect("two regions");
    /// assert_eq!(segments.segments[1].labels, ["south"]);
    /// assert_eq!((segments.segments[1].rows, segments.segments[1].positives), (3, 2));
    /// # Ok::<(), tribunal::Error>(())
    /// ```
    pub fn by<T: LabelValue>(mut self, name: &str, labels: impl AsRef<[T]>) -> Self {
        self.columns.by.push(name.to_owned());
        self.with_labels(name, labels.as_ref())
    }

    /// Says which case each row is.
    pub fn id<T: LabelValue>(mut self, name: &str, ids: impl AsRef<[T]>) -> Self {
        self.columns.id = Some(name.to_owned());
        self.with_labels(name, ids.as_ref())
    }

    /// Adds a column of numbers that costs and benefits look at.
    pub fn column(self, name: &str, values: impl AsRef<[f64]>) -> Self {
        self.with_numbers(name, values.as_ref())
    }

    fn with_numbers(mut self, name: &str, values: &[f64]) -> Self {
        self.arrays.push((name.to_owned(), Arc::new(Float64Array::from(values.to_vec()))));
        self
    }

    fn with_labels<T: LabelValue>(mut self, name: &str, values: &[T]) -> Self {
        self.arrays.push((name.to_owned(), T::array(values)));
        self
    }

    /// The usual questions about these rows.
    pub fn request(&self) -> EvaluateRequest {
        EvaluateRequest::new(self.columns.clone())
    }

    /// The rows as a record batch.
    ///
    /// # Errors
    /// A column has another length than the truth.
    pub fn batch(&self) -> Result<RecordBatch, Error> {
        let expected = self.arrays[0].1.len();
        if let Some((column, array)) = self.arrays.iter().find(|(_, array)| array.len() != expected) {
            return Err(Error::usage(format!(
                "\"{column}\" has {} values, but the truth \"{}\" has {expected}",
                array.len(),
                self.columns.truth
            )));
        }
        // A column may play two parts, as one that is both weight and amount.
        let mut arrays: Vec<&(String, ArrayRef)> = Vec::new();
        for array in &self.arrays {
            if !arrays.iter().any(|(name, known)| *name == array.0 && **known == *array.1) {
                arrays.push(array);
            }
        }
        let batch = RecordBatch::try_from_iter(arrays.into_iter().cloned());
        batch.map_err(|error| Error::usage(error.to_string()))
    }
}

/// Judges scored rows in memory.
pub fn evaluate_rows(
    rows: &ScoredRows,
    request: &EvaluateRequest,
    on_progress: crate::progress::OnProgress<'_>,
) -> Result<Evaluation, Error> {
    evaluate_table(&TableReader::of_batches("rows in memory", vec![rows.batch()?])?, request, on_progress)
}
