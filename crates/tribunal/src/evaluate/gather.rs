//! From table to rankings, batch by batch: of large files only a sample of the rows is kept.

use std::borrow::Cow;

use rayon::prelude::*;
use tribunal_eval::{Ranking, RankingBuilder, ScoredSet, Undefined};
use tribunal_io::{Batch, Dictionary, Labels, Place, Progress, TableReader, Want};

use super::columns::{amounts, complete, few_labels, labelled, scored};
use super::identity::{Cases, same_cases};
use super::kept::{Kept, KeptRow, Limits, scattered};
use super::prepare::{Prepared, prepare};
use super::request::ScoreColumns;
use super::weights::WeightFigures;
use crate::classes::{Classes, ask_for_positive, listed, names_same, no_such_label};
use crate::error::Error;
use crate::room_for_rows::RoomForRows;

/// A model's scores, ranked.
pub(super) struct Model {
    pub(super) name: String,
    pub(super) ranking: Ranking,
    /// One ranking per fold, in the order of the folds; empty without folds.
    pub(super) folds: Vec<Ranking>,
    /// True and predicted amounts and the weights, where amounts were predicted.
    pub(super) amounts: Option<Amounts>,
    /// Rows one by one, as many as were wanted.
    pub(super) kept: Kept,
}

/// Columns of amounts.
#[derive(Default)]
pub(super) struct Amounts {
    pub(super) actual: Vec<f64>,
    pub(super) predicted: Vec<f64>,
    pub(super) weight: Vec<f64>,
}

/// Everything that was read.
pub(super) struct Gathered {
    pub(super) rows: u64,
    pub(super) models: Vec<Model>,
    pub(super) folds: Vec<String>,
    /// The labels that count as negative.
    pub(super) negatives: Vec<String>,
    /// What is remarkable about the weights, where there are any.
    pub(super) weights: Option<WeightFigures>,
    pub(super) warnings: Vec<String>,
}

/// Reads the wanted columns into rankings.
pub(super) fn gather(
    reader: &TableReader,
    columns: &ScoreColumns,
    most_kept: usize,
    on_progress: &(dyn Fn(Progress) + Sync),
) -> Result<Gathered, Error> {
    let Some(positive) = &columns.positive else {
        return Err(ask_for_positive(&columns.truth, &count_classes(reader, &columns.truth)?));
    };
    let layout = Layout::of(columns, positive);
    let classes = Classes::new(&columns.truth, positive, columns.rest_is_negative);
    let limits = Limits::default();
    let mut gatherer = Gatherer::new(columns, &layout, classes, most_kept);
    let keeping = (most_kept > 0).then_some(&limits);
    let room = RoomForRows::default();
    let report = |progress| {
        room.note(progress);
        on_progress(progress);
    };
    let read = reader.read_prepared(
        &layout.wants,
        &report,
        &|draft| prepare(draft, &layout, positive, keeping),
        &mut |batch, prepared| {
            match prepared {
                Some(prepared) => gatherer.take_prepared(&batch, prepared, &limits),
                None => gatherer.take(&batch),
            }?;
            room.check()
        },
    );
    gatherer.check_positive(reader, positive, read.is_err())?;
    let summary = read.map_err(|error| match gatherer.classes.met_third() {
        true => with_all_classes(error, reader, &columns.truth),
        false => error,
    })?;
    let dictionary = |place: Option<usize>| place.and_then(|idx| summary.dictionaries.get(idx));
    gatherer.finish(dictionary(layout.model), dictionary(layout.fold), dictionary(layout.id))
}

/// The error of a third class, with all classes that there are.
fn with_all_classes(error: Error, reader: &TableReader, truth: &str) -> Error {
    match count_classes(reader, truth) {
        Ok(counts) => Error::Data(format!("{error}; the column holds {}", listed(&counts))),
        Err(_) => error,
    }
}

/// With one class only nothing can be judged, and no model is better than another.
fn one_class(columns: &ScoreColumns, reason: &Undefined) -> Error {
    let ScoreColumns { truth, positive, weight, .. } = columns;
    let positive = positive.as_deref().unwrap_or_default();
    let which = if *reason == Undefined::NoPositives { "no row" } else { "every row" };
    let counted = if weight.is_some() { " with a weight above zero" } else { "" };
    Error::Data(format!(
        "{which}{counted} of column \"{truth}\" is \"{positive}\": with one class only no model can be judged; give cases of \
         both classes"
    ))
}

fn count_classes(reader: &TableReader, truth: &str) -> Result<Vec<(String, u64)>, Error> {
    let mut counts: Vec<u64> = Vec::new();
    let summary = reader.read(&[Want::label(truth)], &|_| (), &mut |batch: Batch<'_>| {
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

/// Which wanted column stands where in a batch.
pub(super) struct Layout {
    wants: Vec<Want>,
    scores: std::ops::Range<usize>,
    predicted: std::ops::Range<usize>,
    pub(super) weight: Option<usize>,
    pub(super) amount: Option<usize>,
    model: Option<usize>,
    fold: Option<usize>,
    id: Option<usize>,
}

impl Layout {
    fn of(columns: &ScoreColumns, positive: &str) -> Self {
        let mut wants = vec![Want::label(&columns.truth)];
        let mut add = |want: Option<Want>| {
            let place = wants.len();
            want.map(|want| {
                wants.push(want);
                place
            })
        };
        let weight = add(columns.weight.as_ref().map(Want::number));
        let amount = add(columns.amount.as_ref().map(|amount| {
            if columns.predicted_amounts.is_empty() {
                // Only the amounts of positives count, so the others are not even read.
                let positive = positive.to_owned();
                Want::number_where(amount, &columns.truth, move |label| names_same(label, &positive))
            } else {
                Want::number(amount)
            }
        }));
        let model = add(columns.model.as_ref().map(Want::label));
        let fold = add(columns.fold.as_ref().map(Want::label));
        let id = add(columns.id.as_ref().map(Want::label));
        let mut all = |names: &[String]| {
            let start = wants.len();
            wants.extend(names.iter().map(Want::number));
            start..wants.len()
        };
        let (scores, predicted) = (all(&columns.scores), all(&columns.predicted_amounts));
        Self { wants, scores, predicted, weight, amount, model, fold, id }
    }

    /// Where the scores stand.
    pub(super) fn scores(&self) -> std::ops::Range<usize> {
        self.scores.clone()
    }

    /// Whether each row goes into the ranking of each model, and nowhere else.
    pub(super) fn is_rankings_only(&self) -> bool {
        let groups = [self.model, self.fold, self.id];
        groups.iter().all(Option::is_none) && self.predicted.is_empty()
    }

    pub(super) fn name(&self, place: usize) -> &str {
        &self.wants[place].column
    }
}

/// The rankings of one model in the making.
struct Pool {
    all: RankingBuilder,
    folds: Vec<RankingBuilder>,
    amounts: Amounts,
    cases: Cases,
    kept: Kept,
}

struct Gatherer<'a> {
    columns: &'a ScoreColumns,
    layout: &'a Layout,
    classes: Classes,
    /// For each label of the truth column whether it is the positive one.
    verdicts: Vec<bool>,
    pools: Vec<Pool>,
    rows: u64,
    weights: WeightFigures,
    most_kept: usize,
}

/// The columns of a batch that all models share.
pub(super) struct Rows<'b> {
    pub(super) place: &'b Place,
    pub(super) truth: Vec<bool>,
    pub(super) weight: Option<&'b [f64]>,
    pub(super) amount: Option<Cow<'b, [f64]>>,
    model: Option<&'b [u32]>,
    fold: Option<&'b [u32]>,
    id: Option<&'b Labels<'b>>,
}

impl<'a> Gatherer<'a> {
    fn new(columns: &'a ScoreColumns, layout: &'a Layout, classes: Classes, most_kept: usize) -> Self {
        let pools = if layout.model.is_some() { 0 } else { columns.scores.len() };
        let pools = (0..pools).map(|_| Pool::keeping(most_kept)).collect();
        let weights = WeightFigures::default();
        Self { columns, layout, classes, verdicts: Vec::new(), pools, rows: 0, weights, most_kept }
    }

    /// Refuses a positive label that no row has. Where reading failed that is said only if a third class was the reason.
    fn check_positive(&self, reader: &TableReader, positive: &str, has_failed: bool) -> Result<(), Error> {
        let is_suspect = if has_failed { self.classes.met_third() } else { !self.verdicts.contains(&true) };
        if is_suspect {
            let counts = count_classes(reader, &self.columns.truth)?;
            if !counts.iter().any(|(label, _)| names_same(label, positive)) {
                return Err(no_such_label(&self.columns.truth, positive, &counts));
            }
        }
        Ok(())
    }

    fn take(&mut self, batch: &Batch<'_>) -> Result<(), Error> {
        let layout = self.layout;
        let truth = self.truth(batch)?;
        let id = match layout.id {
            Some(at) => labelled(batch, at, layout.name(at)).map(|_| batch.labels(at))?,
            None => None,
        };
        let rows = Rows {
            place: &batch.place,
            weight: layout.weight.map(|at| complete(batch, at, layout.name(at))).transpose()?,
            amount: layout.amount.map(|at| amounts(batch, at, &truth, layout.name(at))).transpose()?,
            model: layout.model.map(|at| few_labels(batch, at, layout.name(at), "model")).transpose()?,
            fold: layout.fold.map(|at| few_labels(batch, at, layout.name(at), "fold")).transpose()?,
            id,
            truth,
        };
        match rows.model {
            Some(model) => self.take_long(batch, &rows, model)?,
            None => self.take_wide(batch, &rows)?,
        }
        self.rows += batch.rows as u64;
        self.weights.add(&WeightFigures::of(rows.weight.unwrap_or_default()));
        Ok(())
    }

    /// Takes a batch that was counted or split where it was decoded.
    fn take_prepared(&mut self, batch: &Batch<'_>, prepared: Prepared, limits: &Limits) -> Result<(), Error> {
        self.judge_labels(batch, |_, label| prepared.first_row(label))?;
        self.rows += batch.rows as u64;
        self.weights.add(&prepared.weights);
        for (pool, rows) in self.pools.iter_mut().zip(prepared.candidates) {
            rows.into_iter().for_each(|row| pool.kept.consider(row));
            pool.kept.pass(prepared.n_cases);
            limits.lower_to(&pool.kept);
        }
        let taken = self.pools.iter_mut().zip(prepared.models).map(|(pool, chunks)| pool.all.absorb(chunks));
        taken.collect::<Result<(), _>>().map_err(|error| Error::Data(error.to_string()))
    }

    fn truth(&mut self, batch: &Batch<'_>) -> Result<Vec<bool>, Error> {
        let codes = labelled(batch, 0, &self.columns.truth)?;
        let first = |code: u32, _: &str| codes.iter().position(|&other| other == code).unwrap_or(0);
        self.judge_labels(batch, first)?;
        Ok(codes.iter().map(|&code| self.verdicts[code as usize]).collect())
    }

    /// Judges the labels that are new with this batch; `first` finds the first row with one.
    fn judge_labels(&mut self, batch: &Batch<'_>, first: impl Fn(u32, &str) -> usize) -> Result<(), Error> {
        let Some(dictionary) = batch.labels(0).map(|labels| labels.dictionary) else { return Ok(()) };
        for code in self.verdicts.len() as u32..dictionary.len() as u32 {
            let label = dictionary.text(code).unwrap_or_default();
            let place = || batch.place.locate(first(code, label)).to_string();
            self.verdicts.push(self.classes.is_positive(label, place)?);
        }
        Ok(())
    }

    /// One column per model.
    fn take_wide(&mut self, batch: &Batch<'_>, rows: &Rows<'_>) -> Result<(), Error> {
        let (columns, layout, first) = (self.columns, self.layout, self.rows);
        let needs_rows = rows.fold.is_some() || rows.id.is_some() || !layout.predicted.is_empty();
        let every: Vec<usize> = if needs_rows { (0..rows.truth.len()).collect() } else { Vec::new() };
        let take = |(model, (pool, at)): (usize, (&mut Pool, usize))| -> Result<(), Error> {
            let scores = complete(batch, at, layout.name(at))?;
            let set = scored(rows, scores, layout, at)?;
            pool.all.push(&set).map_err(|error| Error::Data(error.to_string()))?;
            for (row, &score) in scores.iter().enumerate() {
                pool.kept.take(rows.kept(row, scattered(first + row as u64), score));
            }
            if !needs_rows {
                return Ok(());
            }
            let predicted = layout.predicted.clone().nth(if layout.predicted.len() > 1 { model } else { 0 });
            let predicted = predicted.map(|at| complete(batch, at, layout.name(at))).transpose()?;
            pool.take(&every, rows, scores, columns, predicted)
        };
        // All models are taken before the first failure in their order is reported, whichever came first.
        let pools = self.pools.par_iter_mut().zip(layout.scores.clone()).enumerate();
        let taken: Vec<Result<(), Error>> = pools.map(take).collect();
        taken.into_iter().collect()
    }

    /// Every row belongs to one model.
    fn take_long(&mut self, batch: &Batch<'_>, rows: &Rows<'_>, model: &[u32]) -> Result<(), Error> {
        let (columns, layout) = (self.columns, self.layout);
        let at = layout.scores.start;
        let scores = complete(batch, at, layout.name(at))?;
        let predicted = layout.predicted.clone().next();
        let predicted = predicted.map(|at| complete(batch, at, layout.name(at))).transpose()?;
        scored(rows, scores, layout, at)?;
        let every: Vec<usize> = (0..model.len()).collect();
        let members = by_code(&every, model);
        let most_kept = self.most_kept;
        self.pools.resize_with(self.pools.len().max(members.len()), || Pool::keeping(most_kept));
        for (pool, members) in self.pools.iter_mut().zip(&members).filter(|(_, members)| !members.is_empty())
        {
            push(&mut pool.all, members, rows, scores)?;
            pool.take(members, rows, scores, columns, predicted)?;
            for &row in members {
                let key = rows.id.map_or(pool.cases.rows, |ids| u64::from(ids.codes[row]));
                pool.kept.take(rows.kept(row, scattered(key), scores[row]));
                pool.cases.add(rows.truth[row]);
            }
        }
        Ok(())
    }

    fn finish(
        self,
        models: Option<&Dictionary>,
        folds: Option<&Dictionary>,
        ids: Option<&Dictionary>,
    ) -> Result<Gathered, Error> {
        let texts = |dictionary: Option<&Dictionary>| -> Vec<String> {
            dictionary.into_iter().flat_map(Dictionary::iter).map(str::to_owned).collect()
        };
        let long = models.is_some();
        let names = if long { texts(models) } else { self.columns.scores.clone() };
        let folds = texts(folds);
        let mut warnings: Vec<String> = self.classes.rest_in_words().into_iter().collect();
        let mut cases = Vec::new();
        let mut judged = Vec::new();
        for (name, pool) in names.into_iter().zip(self.pools) {
            let rank =
                |builder: RankingBuilder| builder.finish().map_err(|error| Error::Data(error.to_string()));
            judged.push(Model {
                name: name.clone(),
                ranking: rank(pool.all)?,
                folds: pool.folds.into_iter().map(rank).collect::<Result<_, _>>()?,
                amounts: Some(pool.amounts).filter(|amounts| !amounts.actual.is_empty()),
                kept: pool.kept,
            });
            cases.push((name, pool.cases));
        }
        let mut rows = self.rows;
        if long {
            same_cases(&cases, |id| ids.and_then(|ids| ids.text(id)).unwrap_or_default().to_owned())?;
            rows = cases.first().map_or(0, |(_, cases)| cases.rows);
            if ids.is_none() && cases.len() > 1 {
                warnings.push(
                    "the models have equally many rows and positives; that they are the same cases is not checked \
                     without --id"
                        .into(),
                );
            }
        }
        if judged.iter().all(|model| model.ranking.n_rows() == 0.0) {
            return Err(Error::Data("every weight is zero, so there is nothing to judge".into()));
        }
        if let Some(reason) = judged.iter().find_map(|model| model.ranking.both_classes().err()) {
            return Err(one_class(self.columns, &reason));
        }
        let weights = self.layout.weight.map(|_| self.weights);
        let negatives = self.classes.negatives();
        Ok(Gathered { rows, models: judged, folds, negatives, weights, warnings })
    }
}

impl Rows<'_> {
    /// One row with the score of one model.
    fn kept(&self, row: usize, key: u64, score: f64) -> KeptRow {
        KeptRow {
            key,
            positive: self.truth[row],
            score,
            weight: self.weight.map_or(1.0, |weight| weight[row]),
            fold: self.fold.map_or(0, |fold| fold[row]),
        }
    }
}

impl Pool {
    fn keeping(most_kept: usize) -> Self {
        Self {
            all: RankingBuilder::default(),
            folds: Vec::new(),
            amounts: Amounts::default(),
            cases: Cases::default(),
            kept: Kept::at_most(most_kept),
        }
    }

    /// Takes what needs rows one by one: folds, ids, amounts.
    fn take(
        &mut self,
        members: &[usize],
        rows: &Rows<'_>,
        scores: &[f64],
        columns: &ScoreColumns,
        predicted: Option<&[f64]>,
    ) -> Result<(), Error> {
        if let Some(folds) = rows.fold {
            let inside = by_code(members, folds);
            self.folds.resize_with(self.folds.len().max(inside.len()), RankingBuilder::default);
            for (builder, inside) in
                self.folds.iter_mut().zip(&inside).filter(|(_, inside)| !inside.is_empty())
            {
                push(builder, inside, rows, scores)?;
            }
        }
        if let Some(ids) = rows.id {
            let twice = members.iter().find(|&&row| !self.cases.add_id(ids.codes[row], rows.truth[row]));
            if let Some(&row) = twice {
                return Err(Error::Data(format!(
                    "{}, column \"{}\": case \"{}\" appears a second time{}; each case may stand once per model{}",
                    rows.place.locate(row),
                    columns.id.as_deref().unwrap_or_default(),
                    ids.get(row).unwrap_or_default(),
                    if columns.model.is_some() { " for the same model" } else { "" },
                    if columns.model.is_some() { "" } else { ", whose column --model names" },
                )));
            }
        }
        if let (Some(predicted), Some(actual)) = (predicted, &rows.amount) {
            let infinite = |&&row: &&usize| !predicted[row].is_finite() || !actual[row].is_finite();
            if let Some(&row) = members.iter().find(infinite) {
                return Err(Error::Data(format!(
                    "{}: the amount is {} and the predicted amount {}; both must be finite numbers",
                    rows.place.locate(row),
                    actual[row],
                    predicted[row]
                )));
            }
            self.amounts.actual.extend(members.iter().map(|&row| actual[row]));
            self.amounts.predicted.extend(members.iter().map(|&row| predicted[row]));
            self.amounts
                .weight
                .extend(members.iter().map(|&row| rows.weight.map_or(1.0, |weight| weight[row])));
        }
        Ok(())
    }
}

/// Rows by their code.
fn by_code(rows: &[usize], codes: &[u32]) -> Vec<Vec<usize>> {
    let n_codes = rows.iter().map(|&row| codes[row] as usize + 1).max().unwrap_or(0);
    let mut groups = vec![Vec::new(); n_codes];
    rows.iter().for_each(|&row| groups[codes[row] as usize].push(row));
    groups
}

/// Pushes some rows of a batch.
fn push(
    builder: &mut RankingBuilder,
    members: &[usize],
    rows: &Rows<'_>,
    scores: &[f64],
) -> Result<(), Error> {
    let pick = |column: &[f64]| members.iter().map(|&row| column[row]).collect::<Vec<f64>>();
    let truth: Vec<bool> = members.iter().map(|&row| rows.truth[row]).collect();
    let (score, weight, amount) = (pick(scores), rows.weight.map(pick), rows.amount.as_deref().map(pick));
    let set = ScoredSet::new(&truth, &score)
        .and_then(|set| weight.as_deref().map_or(Ok(set), |weight| set.with_weight(weight)))
        .and_then(|set| amount.as_deref().map_or(Ok(set), |amount| set.with_amount(amount)));
    let set = set.map_err(|error| Error::Data(error.to_string()))?;
    builder.push(&set).map_err(|error| Error::Data(error.to_string()))
}
