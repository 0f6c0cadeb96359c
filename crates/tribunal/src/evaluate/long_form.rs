//! Tables in long form, one row for each case and model, that are taken for one model because their column was not named.
//!
//! Cases then count once for each model, and the figures belong to none. The sure sign is a column of few texts beside one
//! that names cases: every case stands once with each text, always with the same truth. Without such a column the name of the
//! other must say that it names models, because folds look the same.

use rustc_hash::{FxHashMap, FxHashSet};
use tribunal_io::{Holds, Labels, TableReader, Want};

use super::request::ScoreColumns;
use crate::error::Error;
use crate::warning::Warning;

/// Tables of more bytes are not read a second time for this.
const MOST_BYTES: u64 = 1 << 25;
/// More columns that nobody named are not looked at.
const MOST_COLUMNS: usize = 20;
/// More texts are no models.
const MOST_MODELS: usize = 50;
/// Fewer cases repeat by chance.
const FEWEST_CASES: usize = 5;

/// Looks for a column of models that was not named.
///
/// # Errors
/// The table cannot be read.
pub(super) fn long_form(reader: &TableReader, columns: &ScoreColumns) -> Result<Option<Warning>, Error> {
    if columns.model.is_some() || reader.is_read_once() || reader.bytes() > MOST_BYTES {
        return Ok(None);
    }
    let unnamed = |is_kind: fn(Holds) -> bool| -> Vec<&str> {
        let found = reader.columns().iter().filter(|info| is_kind(info.holds) && !columns.names(&info.name));
        found.take(MOST_COLUMNS).map(|info| info.name.as_str()).collect()
    };
    let texts =
        ReadLabels::of(reader, &columns.truth, unnamed(|holds| holds == Holds::Texts), MOST_MODELS + 1)?;
    let models: Vec<&LabelledRows> =
        texts.columns.iter().filter(|column| column.has_equal_counts()).collect();
    if models.is_empty() {
        return Ok(None);
    }
    let all = ReadLabels::of(reader, &columns.truth, unnamed(|holds| holds != Holds::Nested), usize::MAX)?;
    let found = |model: &LabelledRows, id: Option<&LabelledRows>| Warning::LongForm {
        column: model.name.clone(),
        n_models: model.n_labels,
        id: id.map(|id| id.name.clone()),
    };
    for model in &models {
        let mut others = all.columns.iter().filter(|column| column.name != model.name);
        if let Some(id) = others.find(|id| all.are_models(model, id)) {
            return Ok(Some(found(model, Some(id))));
        }
    }
    let is_called_so = |model: &&&LabelledRows| is_called_model(&model.name) && texts.has_same_truths(model);
    Ok(models.iter().find(is_called_so).map(|model| found(model, None)))
}

/// Whether a column is called as columns of models are.
fn is_called_model(name: &str) -> bool {
    ["model", "learner", "classifier", "algorithm", "method", "estimator"]
        .contains(&name.to_lowercase().as_str())
}

/// The truth and some other columns.
struct ReadLabels {
    truth: LabelledRows,
    columns: Vec<LabelledRows>,
}

/// A column as codes.
struct LabelledRows {
    name: String,
    codes: Vec<u32>,
    n_labels: usize,
}

impl LabelledRows {
    /// Whether it has few labels, each on as many rows as any other, as models have.
    fn has_equal_counts(&self) -> bool {
        let n_rows = self.codes.len();
        if !(2..=MOST_MODELS).contains(&self.n_labels) || n_rows < FEWEST_CASES * self.n_labels {
            return false;
        }
        let mut counts = vec![0_usize; self.n_labels];
        let has_all = self.codes.iter().all(|&code| match counts.get_mut(code as usize) {
            Some(count) => {
                *count += 1;
                true
            }
            None => false,
        });
        has_all && counts.iter().all(|&count| count == counts[0])
    }
}

impl ReadLabels {
    /// Reads columns of at most so many labels; in others some rows have none.
    fn of(reader: &TableReader, truth: &str, names: Vec<&str>, most_labels: usize) -> Result<Self, Error> {
        let rows = |name: &str| LabelledRows { name: name.to_owned(), codes: Vec::new(), n_labels: 0 };
        let mut columns: Vec<LabelledRows> = names.into_iter().map(rows).collect();
        let mut truth = rows(truth);
        if !columns.is_empty() {
            let mut all: Vec<&mut LabelledRows> = std::iter::once(&mut truth).chain(&mut columns).collect();
            let wants: Vec<Want> =
                all.iter().map(|column| Want::labels_up_to(&column.name, most_labels)).collect();
            let summary = reader.read::<Error>(&wants, &|_| (), &mut |batch| {
                for (at, column) in all.iter_mut().enumerate() {
                    column.codes.extend(batch.labels(at).map_or(&[][..], |labels| &labels.codes));
                }
                Ok(())
            })?;
            let dictionaries = summary.dictionaries.iter();
            all.into_iter().zip(dictionaries).for_each(|(column, known)| column.n_labels = known.len());
        }
        Ok(Self { truth, columns })
    }

    /// Whether each label has as many rows of each truth as any other.
    fn has_same_truths(&self, column: &LabelledRows) -> bool {
        let mut counts: FxHashMap<(u32, u32), usize> = FxHashMap::default();
        for (&truth, &model) in self.truth.codes.iter().zip(&column.codes) {
            *counts.entry((truth, model)).or_default() += 1;
        }
        let of = |truth: u32, model: u32| counts.get(&(truth, model)).copied().unwrap_or(0);
        counts.keys().all(|&(truth, model)| of(truth, model) == of(truth, 0))
    }

    /// Whether every case stands once with each label of the other column, always with the same truth.
    fn are_models(&self, model: &LabelledRows, id: &LabelledRows) -> bool {
        if id.n_labels < FEWEST_CASES || model.n_labels * id.n_labels != model.codes.len() {
            return false;
        }
        let mut pairs: FxHashSet<(u32, u32)> = FxHashSet::default();
        let mut truths: FxHashMap<u32, u32> = FxHashMap::default();
        let rows = self.truth.codes.iter().zip(&model.codes).zip(&id.codes);
        rows.into_iter().all(|((&truth, &model), &id)| {
            id != Labels::MISSING && pairs.insert((model, id)) && *truths.entry(id).or_insert(truth) == truth
        })
    }
}
