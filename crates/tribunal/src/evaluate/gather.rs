//! From table to rankings, batch by batch: of large tables only a sample of the rows is kept.
//!
//! Every table takes the same way, whatever its form: [`Prepared`] on all cores, then [`CollectedScores`] in order.

use tribunal_eval::{Ranking, Undefined};
use tribunal_io::{Batch, Dictionary, Labels, Progress, TableReader, Want};

use super::decide::DecisionRows;
use super::identity::{Cases, same_cases};
use super::kept::Kept;
use super::layout::Layout;
use super::pool::{Pool, Renumbered, Rows};
use super::prepare::{Flaw, MOST_GROUPS, Prepared};
use super::request::ScoreColumns;
use super::segments::{Segments, same_segments};
use super::weights::WeightFigures;
use crate::charts::ChartRequest;
use crate::classes::{Classes, ask_for_positive, listed, names_same, no_such_label};
use crate::decision::DecisionRequest;
use crate::error::Error;
use crate::room_for_rows::RoomForRows;
use crate::warning::Warning;

/// A model's scores, ranked.
pub(super) struct Model {
    pub(super) name: String,
    pub(super) ranking: Ranking,
    /// One ranking per fold, in the order of the folds; empty without folds.
    pub(super) folds: Vec<Ranking>,
    /// One ranking per segment, in their order; empty without segments.
    pub(super) segments: Vec<Ranking>,
    /// True and predicted amounts and the weights, where amounts were predicted.
    pub(super) amounts: Option<Amounts>,
    /// Rows one by one, as many as were wanted.
    pub(super) kept: Kept,
    /// All rows, where decisions are asked for.
    pub(super) decision: DecisionRows,
}

/// Columns of amounts.
#[derive(Debug, Default)]
pub(super) struct Amounts {
    pub(super) actual: Vec<f64>,
    pub(super) predicted: Vec<f64>,
    pub(super) weight: Vec<f64>,
    /// The segment of each row; empty without segments.
    pub(super) segment: Vec<u32>,
}

/// Everything that was read.
pub(super) struct Gathered {
    pub(super) rows: u64,
    pub(super) models: Vec<Model>,
    pub(super) folds: Vec<String>,
    /// The labels of each segment, column by column.
    pub(super) segments: Vec<Vec<String>>,
    /// The labels that count as negative.
    pub(super) negatives: Vec<String>,
    /// What is remarkable about the weights, where there are any.
    pub(super) weights: Option<WeightFigures>,
    pub(super) warnings: Vec<Warning>,
}

/// The scores of a table or of a part of it, collected into rankings: what an evaluation is made from.
///
/// Parts of a table can be collected apart - by several processes, say - and merged: the figures are those of the whole.
#[derive(Debug)]
pub struct CollectedScores {
    columns: ScoreColumns,
    decision: DecisionRequest,
    charts: ChartRequest,
    classes: Classes,
    /// For each label of the truth column whether it is the positive one, and on how many rows it stands.
    labels: Vec<(String, bool, u64)>,
    /// The models in long form, in order of first appearance.
    models: Dictionary,
    folds: Dictionary,
    ids: Dictionary,
    segments: Segments,
    pools: Vec<Pool>,
    /// How many rows came before the first of these.
    first_row: u64,
    rows: u64,
    weights: WeightFigures,
    most_kept: usize,
}

impl CollectedScores {
    /// Reads the wanted columns of a table that starts at some row of the whole.
    pub(super) fn read(
        table: &TableReader,
        (columns, decision, charts): (&ScoreColumns, &DecisionRequest, &ChartRequest),
        most_kept: usize,
        first_row: u64,
        on_progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Self, Error> {
        let Some(positive) = &columns.positive else {
            return Err(ask_for_positive(&columns.truth, &count_classes(table, &columns.truth)?));
        };
        let layout = Layout::of(columns, (decision, charts), positive);
        let mut collected = Self::new(columns, positive, most_kept, first_row);
        collected.decision = decision.clone();
        collected.charts = charts.clone();
        let room = RoomForRows::default();
        let report = |progress| {
            room.note(progress);
            on_progress(progress);
        };
        let read = table.read_prepared(
            &layout.wants,
            &report,
            &|draft| Prepared::of(draft, &layout, positive),
            &mut |batch, prepared| {
                collected.take(&batch, prepared, &layout)?;
                room.check()
            },
        );
        let summary = read.map_err(|error| match collected.classes.met_third() {
            true => collected.with_all_classes(error, table),
            false => error,
        })?;
        let dictionary = |place: Option<usize>| {
            place.and_then(|idx| summary.dictionaries.get(idx)).cloned().unwrap_or_default()
        };
        collected.models = dictionary(layout.model);
        collected.folds = dictionary(layout.fold);
        collected.ids = dictionary(layout.id);
        collected.segments.name(layout.by.clone().map(|place| dictionary(Some(place))).collect());
        Ok(collected)
    }

    fn new(columns: &ScoreColumns, positive: &str, most_kept: usize, first_row: u64) -> Self {
        let n_pools = if columns.model.is_some() { 0 } else { columns.scores.len() };
        Self {
            columns: columns.clone(),
            decision: DecisionRequest::default(),
            charts: ChartRequest::default(),
            classes: Classes::new(&columns.truth, positive, columns.rest_is_negative),
            labels: Vec::new(),
            models: Dictionary::default(),
            folds: Dictionary::default(),
            ids: Dictionary::default(),
            segments: Segments::default(),
            pools: (0..n_pools).map(|_| Pool::keeping(most_kept)).collect(),
            first_row,
            rows: 0,
            weights: WeightFigures::default(),
            most_kept,
        }
    }

    /// Takes the next batch.
    fn take(&mut self, batch: &Batch<'_>, prepared: Prepared, layout: &Layout) -> Result<(), Error> {
        let flaw = |flaw: &Flaw| flaw.error(layout, &batch.place);
        if let Err(missing @ Flaw::Missing { column: 0, .. }) = &prepared.parts {
            return Err(flaw(missing));
        }
        self.take_labels(batch, &prepared)?;
        let parts = prepared.parts.as_ref().map_err(flaw)?;
        let groups = [(layout.model, "model"), (layout.fold, "fold")].into_iter();
        let groups = groups.chain(layout.by.clone().map(|column| (Some(column), "segment")));
        for (column, what) in groups {
            let Some(column) = column else { continue };
            if batch.labels(column).is_some_and(|labels| labels.dictionary.len() > MOST_GROUPS) {
                return Err(flaw(&Flaw::TooMany { column, what }));
            }
        }
        self.weights.add(&prepared.weights);
        let rows = Rows { batch, truth: &prepared.truth, layout, columns: &self.columns };
        // One column per model: all models keep the same rows, and the ids are those of all.
        let shared = parts.first().filter(|_| layout.model.is_none());
        let shared = shared.map(|part| self.pools[0].choose(part, &rows, self.first_row));
        for part in prepared.parts.into_iter().flatten() {
            let place = rows.model_of(&part);
            let most_kept = self.most_kept;
            self.pools.resize_with(self.pools.len().max(place + 1), || Pool::keeping(most_kept));
            let pool = &mut self.pools[place];
            if place == 0 || shared.is_none() {
                pool.take_ids(&part, &rows)?;
            }
            match &shared {
                Some(chosen) => pool.take(part, &rows, chosen, &mut self.segments)?,
                None => {
                    let chosen = pool.choose(&part, &rows, self.first_row);
                    pool.take(part, &rows, &chosen, &mut self.segments)?;
                }
            }
        }
        self.rows += batch.rows as u64;
        Ok(())
    }

    /// Counts the labels of the truth column, and judges those that are new.
    fn take_labels(&mut self, batch: &Batch<'_>, prepared: &Prepared) -> Result<(), Error> {
        let Some(dictionary) = batch.labels(0).map(|labels| labels.dictionary) else { return Ok(()) };
        for rows in &prepared.labels {
            let Some(code) = dictionary.get(&rows.label) else { continue };
            match self.labels.get_mut(code as usize) {
                Some((_, _, n_rows)) => *n_rows += rows.n_rows,
                None => {
                    let place = || batch.place.locate(rows.first_row).to_string();
                    let is_positive = self.classes.is_positive(&rows.label, place)?;
                    self.labels.push((rows.label.clone(), is_positive, rows.n_rows));
                }
            }
        }
        Ok(())
    }

    /// The error of a third class, with all classes that there are; that no row has the positive label is said instead.
    fn with_all_classes(&self, error: Error, table: &TableReader) -> Error {
        let Ok(counts) = count_classes(table, &self.columns.truth) else { return error };
        let positive = self.columns.positive.as_deref().unwrap_or_default();
        if !counts.iter().any(|(label, _)| names_same(label, positive)) {
            return no_such_label(&self.columns.truth, positive, &counts);
        }
        Error::data(error.message().text(format!("; the column holds {}", listed(&counts))))
    }

    /// Takes over what was collected of other rows of the same table.
    ///
    /// # Errors
    /// The parts were asked for other columns, a case stands in both, or a third class appears.
    pub fn merge(&mut self, other: Self) -> Result<(), Error> {
        let is_same =
            self.columns == other.columns && self.decision == other.decision && self.charts == other.charts;
        if !is_same || self.most_kept != other.most_kept {
            return Err(Error::usage("parts of a table can be merged if the same was asked of each"));
        }
        for (label, _, n_rows) in other.labels {
            match self.labels.iter_mut().find(|(known, ..)| *known == label) {
                Some((_, _, known)) => *known += n_rows,
                None => {
                    let is_positive = self.classes.is_positive(&label, || "the merged part".to_owned())?;
                    self.labels.push((label, is_positive, n_rows));
                }
            }
        }
        let renumber = |own: &mut Dictionary, other: &Dictionary| -> Vec<u32> {
            other.iter().map(|text| own.code_of(text)).collect()
        };
        let models = renumber(&mut self.models, &other.models);
        let numbers = Renumbered {
            folds: renumber(&mut self.folds, &other.folds),
            segments: self.segments.merge(&other.segments),
            ids: renumber(&mut self.ids, &other.ids),
        };
        for (place, pool) in other.pools.into_iter().enumerate() {
            let place = models.get(place).map_or(place, |&code| code as usize);
            let most_kept = self.most_kept;
            self.pools.resize_with(self.pools.len().max(place + 1), || Pool::keeping(most_kept));
            if let Some(id) = self.pools[place].merge(pool, &numbers)? {
                return Err(Error::data(format!(
                    "case \"{}\" stands in both parts; each case may stand once per model",
                    self.ids.text(id).unwrap_or_default()
                )));
            }
        }
        self.first_row = self.first_row.min(other.first_row);
        self.rows += other.rows;
        self.weights.add(&other.weights);
        Ok(())
    }

    /// The rankings of everything that was collected.
    pub(super) fn finish(self) -> Result<Gathered, Error> {
        if !self.labels.iter().any(|(_, is_positive, _)| *is_positive) {
            let counts: Vec<(String, u64)> =
                self.labels.iter().map(|(label, _, n_rows)| (label.clone(), *n_rows)).collect();
            let positive = self.columns.positive.as_deref().unwrap_or_default();
            return Err(no_such_label(&self.columns.truth, positive, &counts));
        }
        let texts =
            |dictionary: &Dictionary| -> Vec<String> { dictionary.iter().map(str::to_owned).collect() };
        let long = self.columns.model.is_some();
        let names = if long { texts(&self.models) } else { self.columns.scores.clone() };
        let folds = texts(&self.folds);
        let mut warnings: Vec<Warning> = self.classes.several_negatives().into_iter().collect();
        let mut cases: Vec<(String, Cases)> = Vec::new();
        let mut judged = Vec::new();
        for (name, mut pool) in names.into_iter().zip(self.pools) {
            cases.push((name.clone(), std::mem::take(&mut pool.cases)));
            judged.push(pool.finish(name, folds.len(), self.segments.len())?);
        }
        let mut rows = self.rows;
        if long {
            same_cases(&cases, |id| self.ids.text(id).unwrap_or_default().to_owned())?;
            rows = cases.first().map_or(0, |(_, cases)| cases.rows);
            if self.columns.id.is_none() && cases.len() > 1 {
                warnings.push(Warning::UncheckedCases);
            }
        }
        if judged.iter().all(|model| model.ranking.n_rows() == 0.0) {
            return Err(Error::data("every weight is zero, so there is nothing to judge"));
        }
        if let Some(reason) = judged.iter().find_map(|model| model.ranking.both_classes().err()) {
            return Err(one_class(&self.columns, &reason));
        }
        let weights = self.columns.weight.as_ref().map(|_| self.weights);
        let negatives = self.classes.negatives();
        let segments = self.segments.labels();
        same_segments(&self.columns.by, &segments, &judged)?;
        Ok(Gathered { rows, models: judged, folds, segments, negatives, weights, warnings })
    }
}

/// With one class only nothing can be judged, and no model is better than another.
fn one_class(columns: &ScoreColumns, reason: &Undefined) -> Error {
    let ScoreColumns { truth, positive, weight, .. } = columns;
    let positive = positive.as_deref().unwrap_or_default();
    let which = if *reason == Undefined::NoPositives { "no row" } else { "every row" };
    let counted = if weight.is_some() { " with a weight above zero" } else { "" };
    Error::data(format!(
        "{which}{counted} of column \"{truth}\" is \"{positive}\": with one class only no model can be judged; give cases of \
         both classes"
    ))
}

fn count_classes(table: &TableReader, truth: &str) -> Result<Vec<(String, u64)>, Error> {
    let mut counts: Vec<u64> = Vec::new();
    let summary = table.read(&[Want::label(truth)], &|_| (), &mut |batch: Batch<'_>| {
        for &code in batch.labels(0).map_or(&[][..], |labels| &labels.codes) {
            if code != Labels::MISSING {
                counts.resize(counts.len().max(code as usize + 1), 0);
                counts[code as usize] += 1;
            }
        }
        Ok::<(), Error>(())
    })?;
    let names = summary.dictionaries.first().into_iter().flat_map(Dictionary::iter);
    Ok(names.map(str::to_owned).zip(counts).collect())
}
