//! Cut-offs as they are asked for: with their numbers, or by the costs and benefits that were stated anyway.

use std::str::FromStr;

use tribunal_eval::curves::{Benefit, Payoff};
use tribunal_eval::decisions::BenefitMatrix;
use tribunal_eval::{CutoffRule, Error as Judge};

use super::{CaseRule, DecisionRequest, Outcomes};
use crate::error::Error;
use crate::message::{Message, Setting};

/// A cut-off as it is asked for. `max-profit` and `max-benefit` without numbers go by the stated costs and benefits.
///
/// ```
/// use tribunal::{AskedCutoff, Costs, DecisionRequest, Outcomes};
///
/// let [letter, sale] = ["6", "10"].map(|text| text.parse().expect("a number"));
/// let outcomes = Outcomes::of_costs(&Costs { hit: Some(&sale), action: Some(&letter), ..Costs::default() })?;
/// let decision = DecisionRequest { outcomes: Some(outcomes), ..DecisionRequest::default() };
/// let rule = "max-profit".parse::<AskedCutoff>()?.settled(&decision)?;
/// assert_eq!(rule.to_string(), "max-profit:10:6");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AskedCutoff {
    /// A rule that says everything.
    Rule(CutoffRule),
    /// Where the stated outcomes earn most, as what positives bring in and what acting costs.
    MaxProfit,
    /// Where the stated outcomes earn most, as a matrix of the four.
    MaxBenefit,
}

impl FromStr for AskedCutoff {
    type Err = Judge;

    fn from_str(text: &str) -> Result<Self, Judge> {
        match text.trim() {
            "max-profit" => Ok(Self::MaxProfit),
            "max-benefit" => Ok(Self::MaxBenefit),
            rule => rule.parse().map(Self::Rule),
        }
    }
}

impl AskedCutoff {
    /// The rule that is meant where the outcomes of a case bring in what this decision says.
    ///
    /// # Errors
    /// A rule without numbers where no costs or benefits are stated, or where they differ from case to case and not by the amount
    /// alone.
    pub fn settled(self, decision: &DecisionRequest) -> Result<CutoffRule, Error> {
        let name = match self {
            Self::Rule(rule) => return Ok(rule),
            Self::MaxProfit => "max-profit",
            Self::MaxBenefit => "max-benefit",
        };
        let Some(outcomes) = decision.effective_outcomes() else {
            return Err(unstated(name));
        };
        match (self, outcomes.matrix()) {
            (Self::MaxProfit, Some(matrix)) => Ok(most_profit(matrix)),
            (_, Some(matrix)) => Ok(CutoffRule::MaxBenefit(matrix)),
            (_, None) => amounts_less_cost(&outcomes).ok_or_else(|| case_by_case(name, &outcomes)),
        }
    }
}

/// What a positive brings in and what acting costs, where leaving a case alone brings in nothing; else all four outcomes count.
fn most_profit(matrix: BenefitMatrix) -> CutoffRule {
    let BenefitMatrix { hit, false_positive, false_negative, correct_rejection } = matrix;
    if false_negative != 0.0 || correct_rejection != 0.0 {
        return CutoffRule::MaxBenefit(matrix);
    }
    CutoffRule::MaxProfit(Payoff {
        benefit: Benefit::Fixed(hit - false_positive),
        cost: 0.0 - false_positive,
    })
}

/// Outcomes that differ from case to case by the amount alone, less what acting costs.
fn amounts_less_cost(outcomes: &Outcomes) -> Option<CutoffRule> {
    let cost = 0.0 - outcomes.false_positive.constant()?;
    let (hit, of_fraud) = (outcomes.hit.to_string(), CaseRule::Fraud { cost }.outcomes()?.hit.to_string());
    let is_hit = hit == of_fraud || (cost == 0.0 && hit == "amount");
    let is_free_to_pass = [&outcomes.false_negative, &outcomes.correct_rejection]
        .into_iter()
        .all(|formula| formula.constant() == Some(0.0));
    let rule = CutoffRule::MaxProfit(Payoff { benefit: Benefit::Amount, cost });
    (is_hit && is_free_to_pass).then_some(rule)
}

fn unstated(name: &str) -> Error {
    let message = Message::from(format!("{name} goes by costs and benefits, and none are stated: add "))
        .set(Setting::BenefitHit, "10")
        .text(" and ")
        .set(Setting::CostFp, "6")
        .text(", or write the numbers into the rule: ");
    let numbers = if name == "max-profit" { "max-profit:10:6" } else { "max-benefit:10:-6:0:0" };
    Error::usage(message.set(Setting::Cutoff, numbers))
}

fn case_by_case(name: &str, outcomes: &Outcomes) -> Error {
    let formula = outcomes.cells().into_iter().find(|formula| formula.constant().is_none());
    let formula = formula.map(ToString::to_string).unwrap_or_default();
    let message = Message::from(format!(
        "{name} needs costs and benefits that are the same for every case, and `{formula}` differs from case to case; the best cut by \
         such benefits is what is answered without "
    ))
    .setting(Setting::Cutoff)
    .text("; of numbers write them into the rule: ");
    let numbers = if name == "max-profit" { "max-profit:10:6" } else { "max-benefit:10:-6:0:0" };
    Error::usage(message.set(Setting::Cutoff, numbers))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::{Costs, Expression};

    fn decision(hit: &str, action: &str, missed: &str) -> DecisionRequest {
        let formula = |text: &str| text.parse::<Expression>().expect(text);
        let [hit, action, missed] = [hit, action, missed].map(formula);
        let costs = Costs {
            hit: Some(&hit),
            action: Some(&action),
            false_negative: Some(&missed),
            ..Costs::default()
        };
        let outcomes = Outcomes::of_costs(&costs).expect("short formulas");
        DecisionRequest { outcomes: Some(outcomes), ..DecisionRequest::default() }
    }

    fn settled(rule: &str, decision: &DecisionRequest) -> Result<String, String> {
        let asked: AskedCutoff = rule.parse().expect("a rule");
        asked.settled(decision).map(|rule| rule.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn rules_without_numbers_take_the_stated_ones() {
        let check = |decision: &DecisionRequest, profit: &str, benefit: &str| {
            assert_eq!(settled("max-profit", decision), Ok(profit.to_owned()));
            assert_eq!(settled("max-benefit", decision), Ok(benefit.to_owned()));
        };
        check(&decision("10", "6", "0"), "max-profit:10:6", "max-benefit:4:-6:0:0");
        check(&decision("10", "6", "3"), "max-benefit:4:-6:-3:0", "max-benefit:4:-6:-3:0");
        check(&decision("amount", "90", "0"), "max-profit:amount:90", "max-profit:amount:90");
        check(&decision("amount", "0", "0"), "max-profit:amount:0", "max-profit:amount:0");
        let fraud =
            DecisionRequest { rule: Some(CaseRule::Fraud { cost: 90.0 }), ..DecisionRequest::default() };
        check(&fraud, "max-profit:amount:90", "max-profit:amount:90");
        assert_eq!(settled("max-profit:10:5", &fraud), Ok("max-profit:10:5".to_owned()));
        assert_eq!(settled("youden", &DecisionRequest::default()), Ok("youden".to_owned()));
    }

    #[test]
    fn what_settles_nothing_is_said() {
        let of_nothing = settled("max-profit", &DecisionRequest::default()).expect_err("no costs");
        assert!(
            of_nothing.contains("`benefit_tp = 10`") && of_nothing.contains("max-profit:10:6"),
            "{of_nothing}"
        );
        for formula in ["0.4 * amount", "paid"] {
            let error = settled("max-benefit", &decision(formula, "90", "0")).expect_err("case by case");
            assert!(error.contains(&format!("`{formula} - 90` differs from case to case")), "{error}");
        }
    }
}
