//! The rows that decisions are about, one by one: what acting on each is worth, and what was believed of it beforehand.
//!
//! Benefits differ from case to case, so that a ranking by score does not tell what a list brings in, let alone how far that may be
//! believed. All rows are kept, column by column.

use tribunal_io::Batch;

use super::super::layout::{CellLayout, DecisionLayout};
use super::super::pool::Rows;
use super::super::prepare::{LARGEST_AMOUNT, Part};
use super::super::segments::Segments;
use crate::error::Error;

/// What the cells of a benefit matrix are called, in their order.
const CELLS: [&str; 4] = ["a hit", "a false positive", "a false negative", "a correct rejection"];

/// The rows of a model.
#[derive(Debug, Default)]
pub(in crate::evaluate) struct DecisionRows {
    pub(super) score: Vec<f64>,
    /// What the models share, unless the first of them holds it.
    pub(super) cases: CaseColumns,
    /// The value of acting as it is believed beforehand, where a rule decides case by case.
    pub(super) believed: Believed,
}

/// What is known of each case, whatever models say. Columns that nobody asked for are empty.
#[derive(Debug, Default, PartialEq)]
pub(super) struct CaseColumns {
    pub(super) truth: Vec<bool>,
    pub(super) weight: Vec<f64>,
    /// Amounts; of negatives zero, unless theirs count too.
    pub(super) amount: Vec<f64>,
    /// What acting brings in beyond leaving the case alone.
    pub(super) acting: Vec<f64>,
    /// What leaving it alone brings in.
    pub(super) passing: Vec<f64>,
    pub(super) fold: Vec<u32>,
    pub(super) segment: Vec<u32>,
    pub(super) id: Vec<u32>,
}

/// The value of acting on each case, were it positive and were it negative.
#[derive(Debug, Default)]
pub(super) struct Believed {
    pub(super) if_positive: Vec<f64>,
    pub(super) if_negative: Vec<f64>,
}

impl DecisionRows {
    /// Takes the rows of a part; what models share is held by the first of them, unless each has rows of its own.
    pub(in crate::evaluate) fn take(
        &mut self,
        part: &Part,
        rows: &Rows<'_>,
        decision: &DecisionLayout,
        segments: &mut Segments,
    ) -> Result<(), Error> {
        let layout = rows.layout;
        let holds_cases = layout.model.is_some() || part.score == 0;
        for row in part.own_rows(rows.truth.len()) {
            self.score.push(rows.batch.number(layout.scores.start + part.score, row).unwrap_or_default());
            let cells = decision.cells.as_ref().map(|cells| Cells { cells, batch: rows.batch, row });
            if let Some(cells) = cells.as_ref().filter(|_| decision.is_case_by_case) {
                let predicted = layout.predicted_by(part.score).filter(|_| decision.goes_by_predicted);
                let predicted = predicted.map(|at| rows.batch.number(at, row).unwrap_or_default());
                self.believed.if_positive.push(cells.of_acting(true, predicted)?);
                self.believed.if_negative.push(cells.of_acting(false, predicted)?);
            }
            if holds_cases {
                self.cases.take(row, rows, cells.as_ref())?;
                if !layout.by.is_empty() {
                    self.cases.segment.push(rows.segment(row, segments)?);
                }
            }
        }
        Ok(())
    }

    /// Takes over the rows of another part of the table, whose folds, segments and ids have new numbers.
    pub(in crate::evaluate) fn merge(&mut self, other: Self, folds: &[u32], segments: &[u32], ids: &[u32]) {
        self.score.extend(other.score);
        self.believed.if_positive.extend(other.believed.if_positive);
        self.believed.if_negative.extend(other.believed.if_negative);
        let (own, other) = (&mut self.cases, other.cases);
        own.truth.extend(other.truth);
        for (own, other) in [
            (&mut own.weight, other.weight),
            (&mut own.amount, other.amount),
            (&mut own.acting, other.acting),
            (&mut own.passing, other.passing),
        ] {
            own.extend(other);
        }
        let new = |numbers: &[u32], old: u32| numbers.get(old as usize).copied().unwrap_or(old);
        own.fold.extend(other.fold.into_iter().map(|fold| new(folds, fold)));
        own.segment.extend(other.segment.into_iter().map(|segment| new(segments, segment)));
        own.id.extend(other.id.into_iter().map(|id| new(ids, id)));
    }

    /// The rows in the order of their ids, so that models in long form stand side by side.
    pub(in crate::evaluate) fn sorted_by_id(mut self) -> Self {
        if self.cases.id.is_empty() {
            return self;
        }
        let mut order: Vec<usize> = (0..self.score.len()).collect();
        order.sort_by_key(|&row| self.cases.id[row]);
        let of = |column: &mut Vec<f64>| {
            if !column.is_empty() {
                *column = order.iter().map(|&row| column[row]).collect();
            }
        };
        let cases = &mut self.cases;
        for column in [
            &mut self.score,
            &mut self.believed.if_positive,
            &mut self.believed.if_negative,
            &mut cases.weight,
            &mut cases.amount,
            &mut cases.acting,
            &mut cases.passing,
        ] {
            of(column);
        }
        for column in [&mut cases.fold, &mut cases.segment, &mut cases.id] {
            if !column.is_empty() {
                *column = order.iter().map(|&row| column[row]).collect();
            }
        }
        cases.truth = order.iter().map(|&row| cases.truth[row]).collect();
        self
    }
}

impl CaseColumns {
    fn take(&mut self, row: usize, rows: &Rows<'_>, cells: Option<&Cells<'_>>) -> Result<(), Error> {
        let (layout, positive) = (rows.layout, rows.truth[row]);
        self.truth.push(positive);
        if layout.weight.is_some() {
            self.weight.push(rows.weight(row));
        }
        if let Some(at) = layout.amount {
            let counts = positive || layout.amount_of_everybody;
            let amount = rows.batch.number(at, row).filter(|_| counts);
            self.amount.push(amount.unwrap_or_default());
        }
        if let Some(cells) = cells {
            let (acting, passing) = (cells.value(positive, true, None)?, cells.value(positive, false, None)?);
            self.acting.push(acting - passing);
            self.passing.push(passing);
        }
        if let Some(at) = layout.fold {
            self.fold.push(rows.code(at, row));
        }
        // In wide form models stand side by side anyway.
        if let Some(at) = layout.id.filter(|_| layout.model.is_some()) {
            self.id.push(rows.code(at, row));
        }
        Ok(())
    }
}

/// What the outcomes of a row bring in.
struct Cells<'b> {
    cells: &'b [CellLayout; 4],
    batch: &'b Batch<'b>,
    row: usize,
}

impl Cells<'_> {
    /// The value of acting beyond that of leaving the case alone, were it of this class; with a predicted amount in the place of the
    /// true one, where there is one.
    fn of_acting(&self, positive: bool, predicted: Option<f64>) -> Result<f64, Error> {
        Ok(self.value(positive, true, predicted)? - self.value(positive, false, predicted)?)
    }

    fn value(&self, positive: bool, acts: bool, predicted: Option<f64>) -> Result<f64, Error> {
        let cell = 2 * usize::from(!acts) + usize::from(!positive);
        let CellLayout { formula, places, names, amount } = &self.cells[cell];
        let place = || self.batch.place.locate(self.row);
        let number = |(column, &at): (usize, &usize)| match predicted.filter(|_| *amount == Some(column)) {
            Some(predicted) => Ok(predicted),
            None => self.batch.number(at, self.row).ok_or_else(|| {
                Error::data(format!(
                    "{}, column \"{}\": the value is missing, and what {} brings in depends on it",
                    place(),
                    names[column],
                    CELLS[cell]
                ))
            }),
        };
        let values = places.iter().enumerate().map(number).collect::<Result<Vec<f64>, Error>>()?;
        let value = formula.value(&values);
        match value.abs() <= LARGEST_AMOUNT {
            true => Ok(value),
            false => Err(Error::data(format!(
                "{}: by {formula} {} brings in {value}; it must be a number up to 1e100",
                place(),
                CELLS[cell]
            ))),
        }
    }
}
