//! Gains and losses along the scores, from the rows that decisions are made on.

use tribunal_eval::Cutoff;
use tribunal_eval::decisions::CellValue;
use tribunal_eval::error_matrix::{CellAmounts, GainLossPanel};
use tribunal_eval::intervals::Level;

use super::Candidate;
use super::table::ModelRows;

/// The rows of all models, where there are any.
pub(in crate::evaluate) struct Panels<'a> {
    rows: Vec<ModelRows<'a>>,
    level: Level,
}

impl<'a> Panels<'a> {
    pub(in crate::evaluate) fn of(candidates: &[Candidate<'a>], level: Level) -> Self {
        let rows: Vec<_> = candidates.iter().map(|candidate| candidate.rows).collect();
        let has_rows = rows.first().is_some_and(|rows| !rows.score.is_empty());
        Self { rows: if has_rows { ModelRows::of_models(&rows) } else { Vec::new() }, level }
    }

    /// What right predictions by a cut-off bring in and wrong ones cost: by the stated outcomes, else by the absolute amounts.
    /// Nothing where no rows were kept or nothing says what they are worth.
    pub(in crate::evaluate) fn gain_loss(
        &self,
        model: usize,
        cutoff: &Cutoff,
        n_bins: usize,
    ) -> Option<Result<GainLossPanel, String>> {
        let rows = self.rows.get(model)?;
        let cases = rows.cases;
        if cases.acting.is_empty() && cases.amount.is_empty() {
            return None;
        }
        let predicted: Vec<bool> =
            rows.score.iter().map(|score| cutoff.score.is_some_and(|least| *score >= least)).collect();
        if divides_ties(cutoff, &predicted, rows.weight()) {
            let reason =
                "the cut-off divides cases of one score, so it does not say which of them bring in what";
            return Some(Err(reason.to_owned()));
        }
        let panel = |amounts: &CellAmounts<'_>| {
            let set = rows.scored(rows.score)?;
            GainLossPanel::of(&set, &predicted, amounts, n_bins, self.level)
        };
        let said = |error: tribunal_eval::Error| error.to_string();
        if cases.acting.is_empty() {
            return Some(panel(&CellAmounts::magnitudes(&cases.amount)).map_err(said));
        }
        let acted: Vec<f64> =
            cases.acting.iter().zip(&cases.passing).map(|(acting, passing)| acting + passing).collect();
        let negative = |values: &[f64]| values.iter().map(|value| -value).collect::<Vec<f64>>();
        let (lost_by_acting, lost_by_passing) = (negative(&acted), negative(&cases.passing));
        let amounts = CellAmounts {
            tp: CellValue::Column(&acted),
            fp: CellValue::Column(&lost_by_acting),
            fn_: CellValue::Column(&lost_by_passing),
            tn: CellValue::Column(&cases.passing),
        };
        Some(panel(&amounts).map_err(said))
    }
}

/// Whether a cut-off flags a part of the cases of one score.
fn divides_ties(cutoff: &Cutoff, predicted: &[bool], weight: Option<&[f64]>) -> bool {
    let of_row = |row: usize| weight.map_or(1.0, |weight| weight[row]);
    let flagged: f64 = (0..predicted.len()).filter(|row| predicted[*row]).map(of_row).sum();
    (flagged - cutoff.confusion.flagged()).abs() > 1e-9 * cutoff.confusion.total()
}
