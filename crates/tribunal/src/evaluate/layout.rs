//! Which column of a table plays which part.

use std::ops::Range;

use tribunal_io::Want;

use super::request::ScoreColumns;
use crate::classes::names_same;

/// Which wanted column stands where in a batch.
pub(super) struct Layout {
    pub(super) wants: Vec<Want>,
    pub(super) scores: Range<usize>,
    pub(super) predicted: Range<usize>,
    pub(super) weight: Option<usize>,
    pub(super) amount: Option<usize>,
    pub(super) model: Option<usize>,
    pub(super) fold: Option<usize>,
    pub(super) id: Option<usize>,
    /// The columns whose labels make the segments.
    pub(super) by: Range<usize>,
}

impl Layout {
    /// The truth stands first.
    pub(super) fn of(columns: &ScoreColumns, positive: &str) -> Self {
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
        let mut all = |names: &[String], want: fn(&String) -> Want| {
            let start = wants.len();
            wants.extend(names.iter().map(want));
            start..wants.len()
        };
        let scores = all(&columns.scores, |name| Want::number(name));
        let predicted = all(&columns.predicted_amounts, |name| Want::number(name));
        let by = all(&columns.by, |name| Want::label(name));
        Self { wants, scores, predicted, weight, amount, model, fold, id, by }
    }

    /// Where the predicted amounts of a model stand: its own column, or the one for all.
    pub(super) fn predicted_by(&self, score: usize) -> Option<usize> {
        self.predicted.clone().nth(if self.predicted.len() > 1 { score } else { 0 })
    }

    /// What a column is called.
    pub(super) fn name(&self, place: usize) -> &str {
        &self.wants[place].column
    }
}
