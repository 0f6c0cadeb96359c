//! A fitted model of amounts: coefficients, with everything that is needed to apply them to other rows.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::coefficient::{AmountCoefficient, Estimate, INTERCEPT, Quality};
use super::regression::{Findings, Regression};
use super::rows::choose;
use super::stored::StoredAmountModel;
use super::{AmountLearner, AmountRows, Amounts};
use crate::dataset::Dataset;
use crate::encoding::{Matrix, NumericEncoder, NumericOptions, Scaling};
use crate::error::{Error, ErrorKind};
use crate::model::Input;

/// Rows that are encoded and predicted at a time, by one thread.
const BLOCK: usize = 8192;

/// A model of amounts: immutable, and the same after it was written and read back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StoredAmountModel")]
pub struct AmountModel {
    pub(super) learner: AmountLearner,
    pub(super) amount: String,
    pub(super) class: Option<AmountClass>,
    pub(super) inputs: Vec<Input>,
    pub(super) rows: AmountRows,
    pub(super) warnings: Vec<String>,
    pub(super) encoder: NumericEncoder,
    /// The amount of the mean row.
    pub(super) base: f64,
    pub(super) intercept: Estimate,
    pub(super) terms: Vec<Term>,
    pub(super) quality: Quality,
}

/// The class whose rows were learned from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AmountClass {
    /// The target.
    pub target: String,
    /// Its positive class.
    pub class: String,
}

/// A feature, in its own units.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Term {
    pub(super) name: String,
    /// Its mean in the rows that were learned from.
    pub(super) centre: f64,
    /// `None` where it was left out.
    pub(super) estimate: Option<Estimate>,
}

impl AmountModel {
    pub(super) fn fit(
        learner: &AmountLearner,
        dataset: &Dataset,
        amounts: &Amounts,
        rows: &[u32],
    ) -> Result<AmountModel, Error> {
        let (chosen, rows) = choose(&learner.linear, dataset, amounts, rows)?;
        let options = NumericOptions { missing: learner.linear.missing, scaling: Scaling::Off };
        let encoder = NumericEncoder::fit(dataset, &chosen, &options)?;
        let findings = Regression::new(dataset, amounts, &chosen, &encoder)?.solve()?;
        let warnings = warnings(&findings, chosen.len());
        let Findings { base, intercept, terms, quality, .. } = findings;
        let class = |target: &crate::target::Target| AmountClass {
            target: target.name().to_owned(),
            class: target.classes()[1].clone(),
        };
        Ok(AmountModel {
            learner: learner.clone(),
            amount: amounts.name().to_owned(),
            class: dataset.target().map(class),
            inputs: dataset.inputs(),
            rows,
            warnings,
            encoder,
            base,
            intercept,
            terms,
            quality,
        })
    }

    /// The learner that it comes from.
    pub fn learner(&self) -> &AmountLearner {
        &self.learner
    }

    /// The name of the amounts.
    pub fn amount(&self) -> &str {
        &self.amount
    }

    /// The class whose rows were learned from; `None` where every row with an amount was.
    pub fn class(&self) -> Option<&AmountClass> {
        self.class.as_ref()
    }

    /// The columns that it was trained with.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// The rows that it was trained on, and those that it was not.
    pub fn rows(&self) -> AmountRows {
        self.rows
    }

    /// What a user should know.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// How well it fits.
    pub fn quality(&self) -> &Quality {
        &self.quality
    }

    /// The intercept, then the coefficient of each column, in its own units.
    pub fn coefficients(&self) -> Vec<AmountCoefficient> {
        let df = self.quality.residual_df;
        let of_term = |term: &Term| match term.estimate {
            Some(estimate) => AmountCoefficient::new(&term.name, estimate, df),
            None => AmountCoefficient::left_out(&term.name),
        };
        let intercept = AmountCoefficient::new(INTERCEPT, self.intercept, df);
        std::iter::once(intercept).chain(self.terms.iter().map(of_term)).collect()
    }

    /// The amounts of rows of a data set. Columns are matched by name; others may be there.
    ///
    /// # Errors
    /// A column is not there, of another kind or with other levels ([`Dataset::aligned_to`]); values so far from those of
    /// training that the amount is no number.
    pub fn predict(&self, dataset: &Dataset, rows: &[u32]) -> Result<Vec<f64>, Error> {
        dataset.check_aligned(&self.inputs)?;
        let block = |rows: &[u32]| {
            let matrix = self.encoder.encode(dataset, rows)?;
            let mut amounts = vec![self.base; rows.len()];
            for (idx, term) in self.terms.iter().enumerate() {
                let changes = matrix.column(idx).iter().map(|&value| term.change(value));
                amounts.iter_mut().zip(changes).for_each(|(amount, change)| *amount += change);
            }
            amounts.iter_mut().for_each(|amount| *amount = self.raised(*amount));
            match amounts.iter().position(|amount| !amount.is_finite()) {
                Some(idx) => Err(self.beyond(&matrix, idx, rows[idx])),
                None => Ok(amounts),
            }
        };
        Ok(rows.par_chunks(BLOCK).map(block).collect::<Result<Vec<Vec<f64>>, Error>>()?.concat())
    }

    /// An amount that is not below the floor, if there is one.
    pub(super) fn raised(&self, amount: f64) -> f64 {
        // NaN must not be taken for the floor.
        self.learner.linear.floor.filter(|floor| amount < *floor).unwrap_or(amount)
    }

    /// The error for a row whose amount is no number.
    pub(super) fn beyond(&self, matrix: &Matrix, idx: usize, row: u32) -> Error {
        let size = |at: usize| self.terms[at].change(matrix.column(at)[idx]).abs();
        let widest = (0..self.terms.len()).max_by(|&a, &b| size(a).total_cmp(&size(b))).unwrap_or(0);
        let (name, value) = (&self.terms[widest].name, matrix.column(widest)[idx]);
        let problem = format!("row {}: with {name:?} at {value:e} the amount is no number any more", row + 1);
        Error::new(ErrorKind::Inconsistent, problem).advise("correct the value, or leave it empty")
    }
}

impl Term {
    /// By how much a value changes the amount of the mean row.
    pub(super) fn change(&self, value: f64) -> f64 {
        self.estimate.map_or(0.0, |estimate| estimate.value * (value - self.centre))
    }
}

fn warnings(findings: &Findings, n_rows: usize) -> Vec<String> {
    let Quality { n, residual_df, residual_sd, .. } = findings.quality;
    let mut warnings = Vec::new();
    if let Some((names, verb)) = listed(&findings.constant, ["is", "are"]) {
        warnings.push(format!("{names} {verb} the same in all rows that were learned from, and left out"));
    }
    if let Some((names, verb)) = listed(&findings.aliased, ["says", "say"]) {
        warnings.push(format!("{names} {verb} nothing beyond the columns before, and left out"));
    }
    if residual_df <= 0.0 {
        warnings.push(format!(
            "there are as many coefficients as rows ({n}), so the fit is exact and its precision unknown; learn from \
             more rows, or from fewer columns"
        ));
    } else if residual_sd == Some(0.0) {
        warnings.push(
            "the fit is exact, so its precision cannot be told; is the amount made of the columns?".into(),
        );
    }
    if n / (n_rows as f64) < 0.5 {
        warnings.push(format!(
            "the weights of {n_rows} rows add up to {n:.4} only; a weight of 2 counts as the row twice, so scale \
             weights to a mean of 1 unless they are meant to count for that little"
        ));
    }
    warnings
}

/// The first of some names, with the verb that goes with their number.
fn listed<'a>(names: &[String], [one, several]: [&'a str; 2]) -> Option<(String, &'a str)> {
    const SHOWN: usize = 8;
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("{name:?}")).collect();
    let more = names.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let verb = if names.len() == 1 { one } else { several };
    (!names.is_empty()).then(|| (shown.join(", ") + &more, verb))
}
