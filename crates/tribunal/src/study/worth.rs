//! What cases are worth: the columns of a table that amounts, costs and benefits look at.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array};
use tribunal_io::{ReadOptions, Source, TableReader, Want};
use tribunal_learn::{Amounts, Dataset};

use super::request::StudyRequest;
use crate::decision::{CaseRule, Expression, Outcomes};
use crate::error::Error;
use crate::progress::{OnProgress, Progress};
use crate::resampling::Plan;

/// What the cells of a benefit matrix are called, in their order.
const CELLS: [&str; 4] = ["a hit", "a false positive", "a false negative", "a correct rejection"];

/// Columns of numbers, of all rows of a table.
pub(super) struct WorthColumns {
    columns: Vec<(String, Vec<Option<f64>>)>,
}

impl WorthColumns {
    /// Reads the columns that a study asks about.
    ///
    /// # Errors
    /// A column is not there, or something else than numbers stands in it.
    pub(super) fn read(
        source: &Source,
        request: &StudyRequest,
        on_progress: OnProgress<'_>,
    ) -> Result<Self, Error> {
        let mut columns: Vec<(String, Vec<Option<f64>>)> =
            request.worth_columns().into_iter().map(|name| (name, Vec::new())).collect();
        if !columns.is_empty() {
            let wants: Vec<Want> = columns.iter().map(|(name, _)| Want::number(name)).collect();
            let on_read = |read| on_progress(Progress::Reading(read));
            let reader = TableReader::open(source, &ReadOptions::default())?;
            reader.read::<Error>(&wants, &on_read, &mut |batch| {
                for (at, (_, values)) in columns.iter_mut().enumerate() {
                    values.extend((0..batch.rows).map(|row| batch.number(at, row)));
                }
                Ok(())
            })?;
        }
        Ok(Self { columns })
    }

    /// The columns of some rows of the table.
    pub(super) fn select(&self, rows: &[u32]) -> Self {
        let of_rows = |(name, values): &(String, Vec<Option<f64>>)| {
            (name.clone(), rows.iter().map(|&row| values[row as usize]).collect())
        };
        Self { columns: self.columns.iter().map(of_rows).collect() }
    }

    /// The columns with their names, as a table holds them.
    pub(super) fn arrays(self) -> impl Iterator<Item = (String, ArrayRef)> {
        self.columns
            .into_iter()
            .map(|(name, values)| (name, Arc::new(values.into_iter().collect::<Float64Array>()) as ArrayRef))
    }

    /// The same with zero in the place of amounts that negatives do not have.
    pub(super) fn without_gaps_of_negatives(mut self, amount: Option<&str>, truth: &[bool]) -> Self {
        for (_, values) in self.columns.iter_mut().filter(|(name, _)| Some(name.as_str()) == amount) {
            for (value, _) in values.iter_mut().zip(truth).filter(|(_, positive)| !**positive) {
                value.get_or_insert(0.0);
            }
        }
        self
    }

    fn column(&self, name: &str) -> Option<&[Option<f64>]> {
        self.columns.iter().find(|(known, _)| known == name).map(|(_, values)| values.as_slice())
    }

    /// Refuses columns with gaps where a figure depends on them. `rows` are the numbers of these rows in the table.
    ///
    /// # Errors
    /// A value is missing on a row whose worth depends on it.
    pub(super) fn check(&self, request: &StudyRequest, truth: &[bool], rows: &[u32]) -> Result<(), Error> {
        let missing = |name: &str, row: usize, what: &str| {
            let column = format!("row {}, column \"{name}\": the value is missing, and ", rows[row] + 1);
            Error::data(format!("{column}{what} depends on it; fill it in, or leave out the row"))
        };
        let gap = |name: &str, wanted: &dyn Fn(usize) -> bool| {
            let values = self.column(name)?;
            (0..values.len()).find(|&row| values[row].is_none() && wanted(row))
        };
        if let Some(name) = &request.amount
            && let Some(row) = gap(name, &|row| truth[row])
        {
            return Err(missing(name, row, "what a positive case is worth"));
        }
        let outcomes = request.decision.effective_outcomes();
        let cells = outcomes.iter().flat_map(Outcomes::cells).zip(CELLS).enumerate();
        for (place, (formula, cell)) in cells {
            // Hits and false negatives are outcomes of positives; a rule asks what each outcome of a case would bring in.
            let is_of_positives = place % 2 == 0;
            let is_wanted = |row: usize| request.asks_each_outcome() || truth[row] == is_of_positives;
            for name in request.columns_of(formula) {
                if let Some(row) = gap(name, &is_wanted) {
                    return Err(missing(name, row, &format!("what {cell} brings in")));
                }
            }
        }
        Ok(())
    }

    /// What each row would bring, predicted by a learner of amounts on the training rows of the first split that tests it.
    ///
    /// # Errors
    /// There is no amount to learn from.
    pub(super) fn predicted(
        &self,
        request: &StudyRequest,
        dataset: &Dataset,
        plan: &Plan,
    ) -> Result<Vec<Option<f64>>, Error> {
        let mut predicted = vec![None; dataset.n_rows()];
        let Some(name) = &request.amount else { return Ok(predicted) };
        let values = self.column(name).unwrap_or_default();
        let amounts = Amounts::new(name, values.iter().map(|value| value.unwrap_or(f64::NAN)).collect())?;
        for split in plan.splits() {
            let open: Vec<u32> =
                split.test.iter().copied().filter(|&row| predicted[row as usize].is_none()).collect();
            if open.is_empty() {
                continue;
            }
            let model = request.amount_learner.fit(dataset, &amounts, &split.train)?;
            for (row, amount) in open.iter().zip(model.predict(dataset, &open)?) {
                predicted[*row as usize] = Some(amount);
            }
        }
        Ok(predicted)
    }
}

impl StudyRequest {
    /// Whether amounts are predicted before anybody acts.
    pub(super) fn predicts_amounts(&self) -> bool {
        matches!(self.decision.rule, Some(CaseRule::Donation { .. }))
    }

    /// Whether every outcome of a case has to be known beforehand; what would be given is predicted where the rule is that of
    /// donations.
    fn asks_each_outcome(&self) -> bool {
        self.decision.rule.is_some() && !self.predicts_amounts()
    }

    /// The columns of a formula by the names that they have in the table.
    fn columns_of<'a>(&'a self, formula: &'a Expression) -> impl Iterator<Item = &'a str> {
        let amount = self.amount.as_deref();
        formula.columns().iter().map(move |name| match amount {
            Some(amount) if name == "amount" => amount,
            _ => name,
        })
    }
}
