//! Which column of a table plays which part.

use std::ops::Range;

use tribunal_io::Want;

use super::request::ScoreColumns;
use crate::charts::ChartRequest;
use crate::classes::names_same;
use crate::decision::{CaseRule, DecisionRequest, Expression};

/// Which wanted column stands where in a batch.
pub(super) struct Layout {
    pub(super) wants: Vec<Want>,
    pub(super) scores: Range<usize>,
    pub(super) predicted: Range<usize>,
    pub(super) weight: Option<usize>,
    pub(super) amount: Option<usize>,
    /// Whether amounts of negatives count.
    pub(super) amount_of_everybody: bool,
    pub(super) model: Option<usize>,
    pub(super) fold: Option<usize>,
    pub(super) id: Option<usize>,
    /// The columns whose labels make the segments.
    pub(super) by: Range<usize>,
    /// What is asked of the rows one by one, where decisions are.
    pub(super) decision: Option<DecisionLayout>,
}

/// What decisions need of each row.
pub(super) struct DecisionLayout {
    /// What the outcomes bring in, where that is known: in the order hit, false positive, false negative, correct rejection.
    pub(super) cells: Option<[CellLayout; 4]>,
    /// Whether a rule looks at every case before its truth is known.
    pub(super) is_case_by_case: bool,
    /// Whether predicted amounts, where there are any, stand for the true ones beforehand.
    pub(super) goes_by_predicted: bool,
}

/// A formula and where its columns stand.
pub(super) struct CellLayout {
    pub(super) formula: Expression,
    pub(super) places: Vec<usize>,
    /// What the columns are called in the table.
    pub(super) names: Vec<String>,
    /// Which of them is the column of amounts.
    pub(super) amount: Option<usize>,
}

impl Layout {
    /// The truth stands first.
    pub(super) fn of(
        columns: &ScoreColumns,
        (decision, charts): (&DecisionRequest, &ChartRequest),
        positive: &str,
    ) -> Self {
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
            if columns.predicted_amounts.is_empty() && !columns.amount_of_everybody {
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
        let n_roles = wants.len();
        // Gains and losses along the scores go by the amounts where nobody says what outcomes bring in.
        let has_panel = charts.bins.is_some() && columns.amount.is_some();
        let decision = (decision.is_asked() || has_panel).then(|| DecisionLayout {
            cells: decision
                .cells()
                .map(|cells| cells.map(|formula| CellLayout::of(formula, columns, &mut wants, n_roles))),
            is_case_by_case: decision.rule.is_some(),
            goes_by_predicted: !matches!(decision.rule, Some(CaseRule::Fraud { .. })),
        });
        let amount_of_everybody = columns.amount_of_everybody;
        Self { wants, scores, predicted, weight, amount, amount_of_everybody, model, fold, id, by, decision }
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

impl CellLayout {
    /// A formula, whose columns are wanted too. `amount` stands for the column of amounts where there is one.
    /// Columns of other roles stand among the first `n_roles`: amounts are wanted there on some rows only.
    fn of(formula: Expression, columns: &ScoreColumns, wants: &mut Vec<Want>, n_roles: usize) -> Self {
        let named =
            |name: &String| columns.amount.as_ref().filter(|_| name == "amount").unwrap_or(name).clone();
        let names: Vec<String> = formula.columns().iter().map(named).collect();
        let amount = names.iter().position(|name| Some(name) == columns.amount.as_ref());
        let place = |name: &String| {
            let known = wants[n_roles..].iter().position(|want| want.column == *name);
            n_roles
                + known.unwrap_or_else(|| {
                    wants.push(Want::number(name));
                    wants.len() - 1 - n_roles
                })
        };
        Self { places: names.iter().map(place).collect(), formula, names, amount }
    }
}
