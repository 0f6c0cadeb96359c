//! Amounts that give the outcome away: a rule takes them as known of every case, and only positives have any.

use super::super::request::EvaluateRequest;
use super::Candidate;
use crate::decision::CaseRule;
use crate::warning::Warning;

/// With fewer negatives it says little that none of them has an amount.
const FEWEST_NEGATIVES: usize = 10;
/// Amounts are those of positives where so large a part of them has one.
const LEAST_COVERED: f64 = 0.5;

/// The warning, where the amounts that a rule goes by are zero for every negative and not for positives.
pub(in crate::evaluate) fn amount_leak(
    candidates: &[Candidate<'_>],
    request: &EvaluateRequest,
) -> Option<Warning> {
    let rule = request.decision.rule?;
    // Predicted amounts stand for the true ones, except where a rule knows these.
    let is_known = matches!(rule, CaseRule::Fraud { .. }) || request.columns.predicted_amounts.is_empty();
    let outcomes = request.decision.effective_outcomes().filter(|_| is_known)?;
    let (hit, miss) = (&outcomes.hit, &outcomes.false_negative);
    let column = hit.columns().iter().chain(miss.columns()).next()?;
    let column = request.columns.amount.as_ref().filter(|_| column == "amount").unwrap_or(column);
    let without = |formula: &crate::decision::Expression| formula.value(&vec![0.0; formula.columns().len()]);
    let nothing = without(hit) - without(miss);
    let rows = candidates.first()?.rows;
    let has_amount = |value: f64| (value - nothing).abs() > 1e-9 * nothing.abs().max(1.0);
    let (mut positives, mut negatives, mut covered) = (0_usize, 0_usize, 0_usize);
    for (&truth, &value) in rows.cases.truth.iter().zip(&rows.believed.if_positive) {
        match (truth, has_amount(value)) {
            (false, true) => return None,
            (false, false) => negatives += 1,
            (true, is_there) => {
                positives += 1;
                covered += usize::from(is_there);
            }
        }
    }
    let share = covered as f64 / positives as f64;
    (negatives >= FEWEST_NEGATIVES && share >= LEAST_COVERED).then(|| Warning::AmountOfPositivesOnly {
        column: column.clone(),
        rows: covered as u64,
        class: request.columns.positive.clone().unwrap_or_default(),
        covered: share,
        rule: rule.to_string(),
    })
}
