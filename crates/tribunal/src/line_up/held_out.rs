//! Held-out scores as columns: repetition by repetition, the rows of each in the order of the table.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray, UInt32Array};
use arrow_schema::{ArrowError, Field, Schema};
use arrow_select::take::take_record_batch;
use tribunal_learn::Target;

use super::scores::{EntrantScores, LineUpScores};
use crate::resampling::SplitPlace;

/// The names of splits; folds count from 0, as everywhere, and repetitions from 1.
pub(crate) fn split_names(places: impl Iterator<Item = SplitPlace> + Clone) -> Vec<String> {
    let is_repeated = places.clone().any(|place| place.repetition > 0);
    let has_folds = places.clone().any(|place| place.fold > 0);
    let name = |SplitPlace { repetition, fold }: SplitPlace| match (is_repeated, has_folds) {
        (true, true) => format!("r{}-f{fold}", repetition + 1),
        (true, false) => format!("r{}", repetition + 1),
        (false, _) => fold.to_string(),
    };
    places.map(name).collect()
}

/// What stands beside the scores of a row.
pub(super) struct Beside<'a> {
    /// The columns of the table that are kept, of rows that have a target.
    pub(super) kept: Option<RecordBatch>,
    /// The numbers of these rows in the table, where nothing else names them.
    pub(super) numbers: Option<&'a [u32]>,
    /// The target, where it is written by its classes.
    pub(super) truth: Option<&'a Target>,
}

/// The rows of the table to be written, one batch a repetition; `added` names the columns that are not kept ones.
pub(super) fn batches(
    scores: &LineUpScores,
    beside: &Beside<'_>,
    added: &[String],
) -> Result<Vec<RecordBatch>, ArrowError> {
    let names = split_names(scores.splits.iter().map(|split| split.place));
    repetitions(scores).map(|repetition| repetition.batch(beside, added, &names)).collect()
}

/// The rows that are tested in one repetition.
struct Repetition<'a> {
    scores: &'a LineUpScores,
    /// The row, the split that tests it, and its place among the rows of the split.
    entries: Vec<(u32, usize, usize)>,
}

/// Repetition by repetition.
fn repetitions(scores: &LineUpScores) -> impl Iterator<Item = Repetition<'_>> {
    let splits: Vec<usize> = (0..scores.splits.len()).collect();
    let repetition_of = |split_idx: usize| scores.splits[split_idx].place.repetition;
    let chunks: Vec<Vec<usize>> =
        splits.chunk_by(|&a, &b| repetition_of(a) == repetition_of(b)).map(<[usize]>::to_vec).collect();
    chunks.into_iter().map(|splits| Repetition::new(scores, &splits))
}

impl<'a> Repetition<'a> {
    fn new(scores: &'a LineUpScores, splits: &[usize]) -> Self {
        let of_split = |&split_idx: &usize| {
            let rows = scores.splits[split_idx].rows.iter().enumerate();
            rows.map(move |(place, &row)| (row, split_idx, place))
        };
        let mut entries: Vec<(u32, usize, usize)> = splits.iter().flat_map(of_split).collect();
        entries.sort_unstable();
        Repetition { scores, entries }
    }

    fn batch(
        &self,
        beside: &Beside<'_>,
        names: &[String],
        folds: &[String],
    ) -> Result<RecordBatch, ArrowError> {
        let added = names.iter().zip(self.added(beside, folds));
        let mut columns: Vec<(Field, ArrayRef)> =
            added.map(|(name, array)| (Field::new(name, array.data_type().clone(), true), array)).collect();
        if let Some(kept) = &beside.kept {
            let kept = take_record_batch(kept, &UInt32Array::from_iter_values(self.rows()))?;
            let fields = kept.schema_ref().fields().iter().map(|field| field.as_ref().clone());
            // What names the row stands first.
            let start = usize::from(beside.numbers.is_some());
            columns.splice(start..start, fields.zip(kept.columns().to_vec()));
        }
        let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) = columns.into_iter().unzip();
        RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)
    }

    /// The columns that are added, in the order of their names.
    fn added(&self, beside: &Beside<'_>, folds: &[String]) -> Vec<ArrayRef> {
        let mut arrays: Vec<ArrayRef> = Vec::new();
        arrays.extend(beside.numbers.map(|numbers| {
            let number = |row: u32| i64::from(numbers[row as usize]) + 1;
            Arc::new(Int64Array::from_iter_values(self.rows().map(number))) as ArrayRef
        }));
        arrays.extend(beside.truth.map(|truth| self.truth(truth)));
        arrays.push(self.folds(folds));
        arrays.extend(self.is_repeated().then(|| self.numbers()));
        let n_classes = self.scores.classes.len();
        let classes = if n_classes == 2 { 1..2 } else { 0..n_classes };
        for entrant in &self.scores.entrants {
            arrays.extend(classes.clone().map(|class| self.scores(entrant, class)));
        }
        arrays
    }

    fn rows(&self) -> impl Iterator<Item = u32> + '_ {
        self.entries.iter().map(|&(row, ..)| row)
    }

    /// The class of each row by its name.
    fn truth(&self, target: &Target) -> ArrayRef {
        let class = |row: u32| Some(target.classes()[target.codes()[row as usize] as usize].as_str());
        Arc::new(self.rows().map(class).collect::<StringArray>())
    }

    fn is_repeated(&self) -> bool {
        self.scores.splits.iter().any(|split| split.place.repetition > 0)
    }

    /// The fold of each row: a number where there is one repetition, a name where there are several.
    fn folds(&self, names: &[String]) -> ArrayRef {
        if !self.is_repeated() {
            let fold =
                |&(_, split_idx, _): &(u32, usize, usize)| self.scores.splits[split_idx].place.fold as i64;
            return Arc::new(Int64Array::from_iter_values(self.entries.iter().map(fold)));
        }
        let fold = |&(_, split_idx, _): &(u32, usize, usize)| Some(names[split_idx].as_str());
        Arc::new(self.entries.iter().map(fold).collect::<StringArray>())
    }

    /// The repetition of each row, from one.
    fn numbers(&self) -> ArrayRef {
        let number = |&(_, split_idx, _): &(u32, usize, usize)| {
            self.scores.splits[split_idx].place.repetition as i64 + 1
        };
        Arc::new(Int64Array::from_iter_values(self.entries.iter().map(number)))
    }

    /// What an entrant says of a class; nothing where it failed.
    fn scores(&self, entrant: &EntrantScores, class: usize) -> ArrayRef {
        let score = |&(_, split_idx, place): &(u32, usize, usize)| {
            let found = entrant.outcomes[split_idx].as_ref().ok()?;
            Some(found.posteriors.row(place)[class])
        };
        Arc::new(self.entries.iter().map(score).collect::<Float64Array>())
    }
}
