//! The scores of one model in the making.

use tribunal_eval::RankingBuilder;
use tribunal_io::Batch;

use super::decide::DecisionRows;
use super::gather::{Amounts, Model};
use super::identity::Cases;
use super::kept::{Kept, KeptRow, key_of_id, key_of_row};
use super::layout::Layout;
use super::prepare::{MOST_GROUPS, Part};
use super::request::ScoreColumns;
use super::segments::Segments;
use crate::error::Error;
use crate::message::{Message, Setting};

/// The rankings of one model in the making.
#[derive(Debug)]
pub(super) struct Pool {
    all: RankingBuilder,
    folds: Vec<RankingBuilder>,
    segments: Vec<RankingBuilder>,
    amounts: Amounts,
    pub(super) cases: Cases,
    kept: Kept,
    decision: DecisionRows,
}

/// A batch, and which of its rows are positive.
pub(super) struct Rows<'b> {
    pub(super) batch: &'b Batch<'b>,
    pub(super) truth: &'b [bool],
    pub(super) layout: &'b Layout,
    pub(super) columns: &'b ScoreColumns,
}

/// The new numbers of folds, segments and ids of another part of the table.
pub(super) struct Renumbered {
    pub(super) folds: Vec<u32>,
    pub(super) segments: Vec<u32>,
    pub(super) ids: Vec<u32>,
}

/// A row that may be kept, and its key.
pub(super) type Candidate = (usize, u64);

impl Rows<'_> {
    /// The place of the model whose rows a part holds.
    pub(super) fn model_of(&self, part: &Part) -> usize {
        let first = part.rows.as_ref().and_then(|rows| rows.first()).copied().unwrap_or(0);
        self.layout.model.map_or(part.score, |at| self.code(at, first) as usize)
    }

    pub(super) fn code(&self, at: usize, row: usize) -> u32 {
        self.batch.labels(at).and_then(|labels| labels.codes.get(row)).copied().unwrap_or(0)
    }

    /// The number of the segment of a row.
    pub(super) fn segment(&self, row: usize, segments: &mut Segments) -> Result<u32, Error> {
        let codes = self.layout.by.clone().map(|at| self.code(at, row)).collect();
        let place = segments.place_of(codes);
        match segments.len() <= MOST_GROUPS {
            true => Ok(place),
            false => Err(Error::usage(format!(
                "the columns \"{}\" make more than {MOST_GROUPS} segments; name fewer of them, or columns with fewer labels",
                self.columns.by.join("\", \"")
            ))),
        }
    }

    /// The amount of a row, zero where it does not count.
    pub(super) fn amount(&self, row: usize) -> f64 {
        let counts = self.truth[row] || self.layout.amount_of_everybody;
        let amount = self.layout.amount.filter(|_| counts).and_then(|at| self.batch.number(at, row));
        amount.unwrap_or_default()
    }

    pub(super) fn weight(&self, row: usize) -> f64 {
        self.layout.weight.and_then(|at| self.batch.number(at, row)).unwrap_or(1.0)
    }
}

impl Part {
    /// The rows of the batch that are its own.
    pub(super) fn own_rows(&self, n_rows: usize) -> impl Iterator<Item = usize> {
        let n_own = self.rows.as_ref().map_or(n_rows, Vec::len);
        (0..n_own).map(|place| self.rows.as_ref().map_or(place, |rows| rows[place]))
    }
}

impl Pool {
    pub(super) fn keeping(most_kept: usize) -> Self {
        Self {
            all: RankingBuilder::default(),
            folds: Vec::new(),
            segments: Vec::new(),
            amounts: Amounts::default(),
            cases: Cases::default(),
            kept: Kept::at_most(most_kept),
            decision: DecisionRows::default(),
        }
    }

    /// The rows of a part that may be kept. The key of a case is that of its id, or of its place among the rows of the model.
    pub(super) fn choose(&self, part: &Part, rows: &Rows<'_>, first_row: u64) -> Vec<Candidate> {
        let limits = self.kept.limits();
        if limits == [0, 0] {
            return Vec::new();
        }
        let mut chosen = Vec::new();
        let mut consider = |row: usize, key: u64| {
            if key <= limits[usize::from(rows.truth[row])] && rows.weight(row) > 0.0 {
                chosen.push((row, key));
            }
        };
        let own = part.own_rows(rows.truth.len());
        match rows.layout.id.and_then(|at| rows.batch.labels(at)) {
            Some(ids) => own.for_each(|row| consider(row, key_of_id(ids.get(row).unwrap_or_default()))),
            None => {
                let places = first_row + self.cases.rows..;
                own.zip(places).for_each(|(row, place)| consider(row, key_of_row(place)));
            }
        }
        chosen
    }

    /// Notes the ids of a part.
    ///
    /// # Errors
    /// A case appears a second time.
    pub(super) fn take_ids(&mut self, part: &Part, rows: &Rows<'_>) -> Result<(), Error> {
        let Some(ids) = rows.layout.id.and_then(|at| rows.batch.labels(at)) else { return Ok(()) };
        let mut own = part.own_rows(rows.truth.len());
        let Some(row) = own.find(|&row| !self.cases.add_id(ids.codes[row], rows.truth[row])) else {
            return Ok(());
        };
        let columns = rows.columns;
        let message = Message::from(format!(
            "{}, column \"{}\": case \"{}\" appears a second time{}; each case may stand once per model",
            rows.batch.place.locate(row),
            columns.id.as_deref().unwrap_or_default(),
            ids.get(row).unwrap_or_default(),
            if columns.model.is_some() { " for the same model" } else { "" },
        ));
        Err(Error::data(match columns.model {
            Some(_) => message,
            None => message.text(", whose column ").setting(Setting::Model).text(" names"),
        }))
    }

    /// Takes the rows of a part, and those of the candidates that are kept.
    pub(super) fn take(
        &mut self,
        part: Part,
        rows: &Rows<'_>,
        chosen: &[Candidate],
        segments: &mut Segments,
    ) -> Result<(), Error> {
        let Rows { batch, truth, layout, .. } = rows;
        let scores = layout.scores.start + part.score;
        self.kept.pass(part.n_cases);
        for &(row, key) in chosen {
            self.kept.consider(KeptRow {
                key,
                positive: truth[row],
                score: batch.number(scores, row).unwrap_or_default(),
                weight: rows.weight(row),
                fold: layout.fold.map_or(0, |at| rows.code(at, row)),
                segment: if layout.by.is_empty() { 0 } else { rows.segment(row, segments)? },
                amount: rows.amount(row),
            });
        }
        if let (Some(predicted), Some(actual)) = (layout.predicted_by(part.score), layout.amount) {
            for row in part.own_rows(truth.len()) {
                // A negative case may have no amount: it is worth nothing.
                self.amounts.actual.push(batch.number(actual, row).unwrap_or_default());
                self.amounts.predicted.push(batch.number(predicted, row).unwrap_or_default());
                self.amounts.weight.push(rows.weight(row));
                if !layout.by.is_empty() {
                    self.amounts.segment.push(rows.segment(row, segments)?);
                }
            }
        }
        if let Some(decision) = &layout.decision {
            self.decision.take(&part, rows, decision, segments)?;
        }
        self.cases.pass(part.n_rows);
        for (row, chunks) in part.folds {
            let fold = layout.fold.map_or(0, |at| rows.code(at, row)) as usize;
            self.folds.resize_with(self.folds.len().max(fold + 1), RankingBuilder::default);
            self.folds[fold].absorb(chunks).map_err(refused)?;
        }
        for (row, chunks) in part.segments {
            let segment = rows.segment(row, segments)? as usize;
            self.segments.resize_with(self.segments.len().max(segment + 1), RankingBuilder::default);
            self.segments[segment].absorb(chunks).map_err(refused)?;
        }
        self.all.absorb(part.all).map_err(refused)
    }

    /// Takes over the rows of another part of the table, whose folds and ids are renumbered. A case that is there already is
    /// returned.
    pub(super) fn merge(&mut self, other: Self, numbers: &Renumbered) -> Result<Option<u32>, Error> {
        let Renumbered { folds, segments, ids } = numbers;
        self.all.merge(other.all).map_err(refused)?;
        merge_groups(&mut self.folds, other.folds, folds)?;
        merge_groups(&mut self.segments, other.segments, segments)?;
        self.amounts.actual.extend(other.amounts.actual);
        self.amounts.predicted.extend(other.amounts.predicted);
        self.amounts.weight.extend(other.amounts.weight);
        let renumbered =
            other.amounts.segment.iter().map(|&old| segments.get(old as usize).copied().unwrap_or(old));
        self.amounts.segment.extend(renumbered);
        self.decision.merge(other.decision, folds, segments, ids);
        let new = |numbers: &[u32], old: u32| numbers.get(old as usize).copied().unwrap_or(old);
        self.kept.merge(other.kept, |row| KeptRow {
            fold: new(folds, row.fold),
            segment: new(segments, row.segment),
            ..row
        });
        Ok(self.cases.merge(other.cases, ids))
    }

    /// The model with its rankings.
    pub(super) fn finish(self, name: String, n_folds: usize, n_segments: usize) -> Result<Model, Error> {
        let rank = |builder: RankingBuilder| builder.finish().map_err(refused);
        let all = |mut builders: Vec<RankingBuilder>, n_groups: usize| {
            builders.resize_with(n_groups, RankingBuilder::default);
            builders.into_iter().map(rank).collect::<Result<Vec<_>, _>>()
        };
        Ok(Model {
            name,
            ranking: rank(self.all)?,
            folds: all(self.folds, n_folds)?,
            segments: all(self.segments, n_segments)?,
            amounts: Some(self.amounts).filter(|amounts| !amounts.actual.is_empty()),
            kept: self.kept,
            decision: self.decision.sorted_by_id(),
        })
    }
}

fn refused(error: tribunal_eval::Error) -> Error {
    Error::data(error.to_string())
}

/// Adds rankings in the making to those of the same groups.
fn merge_groups(
    own: &mut Vec<RankingBuilder>,
    others: Vec<RankingBuilder>,
    numbers: &[u32],
) -> Result<(), Error> {
    for (old, builder) in others.into_iter().enumerate() {
        let new = numbers.get(old).map_or(old, |&new| new as usize);
        own.resize_with(own.len().max(new + 1), RankingBuilder::default);
        own[new].merge(builder).map_err(refused)?;
    }
    Ok(())
}
