//! The rows of all models side by side, as decisions see them.

use tribunal_eval::decisions::{CaseBenefits, CaseValues, CellValue, Tie};
use tribunal_eval::{Error as Judge, ScoredSet};

use super::rows::{Believed, CaseColumns, DecisionRows};
use crate::decision::CaseRule;

/// The rows of a model.
pub(super) struct ModelRows<'a> {
    /// What was known of each case, whatever the model says.
    pub(super) cases: &'a CaseColumns,
    pub(super) score: &'a [f64],
    believed: &'a Believed,
    weight: &'a [f64],
}

impl<'a> ModelRows<'a> {
    /// The rows of each model; models in wide form share what the first of them holds.
    pub(super) fn of_models(rows: &[&'a DecisionRows]) -> Vec<Self> {
        let holder = |rows: &'a DecisionRows, first: &'a DecisionRows| match rows.cases.truth.is_empty() {
            true => &first.cases,
            false => &rows.cases,
        };
        let Some(&first) = rows.first() else { return Vec::new() };
        let of = |rows: &&'a DecisionRows| {
            let cases = holder(rows, first);
            ModelRows { cases, score: &rows.score, believed: &rows.believed, weight: &cases.weight }
        };
        rows.iter().map(of).collect()
    }

    /// The same cases with other weights and other scores.
    pub(super) fn reweighted(self, weight: &'a [f64], score: &'a [f64]) -> Self {
        Self { weight, score, ..self }
    }

    /// Whether weights are others than those of the table.
    pub(super) fn is_reweighted(&self) -> bool {
        !std::ptr::eq(self.weight, self.cases.weight.as_slice())
    }

    /// Weights, where rows have any.
    pub(super) fn weight(&self) -> Option<&'a [f64]> {
        Some(self.weight).filter(|weight| !weight.is_empty())
    }

    /// Whether another model was asked about the same cases in the same order.
    pub(super) fn is_beside(&self, other: &Self) -> bool {
        std::ptr::eq(self.cases, other.cases) || self.cases == other.cases
    }

    /// Whether another model's rows are of the same cases, by their ids, but state other amounts or weights.
    pub(super) fn contradicts(&self, other: &Self) -> bool {
        let (own, others) = (self.cases, other.cases);
        let is_same = !own.id.is_empty() && own.id == others.id && own.truth == others.truth;
        let worth = |cases: &'a CaseColumns| [&cases.weight, &cases.amount, &cases.acting, &cases.passing];
        is_same && worth(own) != worth(others)
    }

    /// The cases with what a hit counts: one each.
    pub(super) fn hits(&self) -> Result<CaseValues<'a>, Judge> {
        self.values(CellValue::Constant(1.0), CellValue::Constant(0.0), None)
    }

    /// The cases with the amounts of positives; nothing where there are none.
    pub(super) fn amounts(&self) -> Option<Result<CaseValues<'a>, Judge>> {
        let amount = Some(self.cases.amount.as_slice()).filter(|amount| !amount.is_empty())?;
        // Those of negatives are zero unless amounts are those of everybody.
        Some(self.values(CellValue::Column(amount), CellValue::Column(amount), None))
    }

    /// The cases with what acting on them and leaving them alone brings in; nothing where nobody said.
    pub(super) fn benefits(&self) -> Option<Result<CaseValues<'a>, Judge>> {
        let CaseColumns { acting, passing, .. } = self.cases;
        if acting.is_empty() {
            return None;
        }
        if passing.iter().all(|passing| *passing == 0.0) {
            return Some(self.values(CellValue::Column(acting), CellValue::Column(acting), None));
        }
        let total: Vec<f64> = acting.iter().zip(passing).map(|(acting, passing)| acting + passing).collect();
        Some(self.values(CellValue::Column(&total), CellValue::Column(&total), Some(passing)))
    }

    fn values(
        &self,
        hit: CellValue<'_>,
        false_positive: CellValue<'_>,
        passing: Option<&[f64]>,
    ) -> Result<CaseValues<'a>, Judge> {
        let passing = passing.map_or(CellValue::Constant(0.0), CellValue::Column);
        let benefits =
            CaseBenefits { hit, false_positive, false_negative: passing, correct_rejection: passing };
        let values = CaseValues::new(&self.cases.truth, &benefits)?;
        match self.weight() {
            Some(weight) => values.with_weight(weight),
            None => Ok(values),
        }
    }

    /// The cases with their scores.
    pub(super) fn scored(&self, scores: &'a [f64]) -> Result<ScoredSet<'a>, Judge> {
        let set = ScoredSet::new(&self.cases.truth, scores)?;
        match self.weight() {
            Some(weight) => set.with_weight(weight),
            None => Ok(set),
        }
    }

    /// The cases on which a rule acts.
    ///
    /// # Errors
    /// A score is no probability.
    pub(super) fn acts(&self, rule: CaseRule) -> Result<Vec<bool>, Judge> {
        let tie = match rule {
            CaseRule::Donation { .. } | CaseRule::Fraud { .. } => Tie::Pass,
            CaseRule::Expected => Tie::Act,
        };
        let nothing = CellValue::Constant(0.0);
        let believed = CaseBenefits {
            hit: CellValue::Column(&self.believed.if_positive),
            false_positive: CellValue::Column(&self.believed.if_negative),
            false_negative: nothing,
            correct_rejection: nothing,
        };
        believed.acts(self.score, tie)
    }

    /// The fold of each case, where there are two folds at least.
    pub(super) fn folds(&self) -> Option<&'a [u32]> {
        let folds = self.cases.fold.as_slice();
        folds.windows(2).any(|pair| pair[0] != pair[1]).then_some(folds)
    }

    /// What acting on each case brings in if it is positive, as far as that is known beforehand.
    pub(super) fn at_stake(&self) -> Option<&'a [f64]> {
        let differs = |at_stake: &&[f64]| at_stake.windows(2).any(|pair| pair[0] != pair[1]);
        Some(self.believed.if_positive.as_slice()).filter(differs)
    }

    /// What acting on each case is expected to bring in beyond leaving it alone.
    pub(super) fn expected(&self) -> Vec<f64> {
        let Believed { if_positive, if_negative } = self.believed;
        let believed = if_positive.iter().zip(if_negative).zip(self.score);
        believed.map(|((positive, negative), p)| p * positive + (1.0 - p) * negative).collect()
    }
}
