//! What somebody who acts on a ranked list asks.

use serde::{Deserialize, Serialize};
use tribunal_eval::CutoffRule;
use tribunal_eval::decisions::{BenefitMatrix, Capacity, CostMatrix};
use tribunal_eval::metrics::Measure;

use super::{CaseRule, Expression, Outcomes};
use crate::error::Error;
use crate::message::{Message, Setting};

/// Costs and benefits that somebody may ask for: sums of larger ones have no cents.
const MOST_MONEY: f64 = 1e12;

/// What decides which model is best.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum DecideBy {
    /// Positives among the cases that are acted on.
    Hits,
    /// Their amount.
    Amount,
    /// What acting brings in.
    Profit,
    /// A metric of all rows.
    Metric(Measure),
}

impl std::str::FromStr for DecideBy {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "hits" => Ok(Self::Hits),
            "amount" => Ok(Self::Amount),
            "profit" => Ok(Self::Profit),
            other => other.parse().map(Self::Metric).map_err(|error| {
                let words = ["hits", "amount", "profit"].into_iter();
                match tribunal_io::nearest(other, words) {
                    Some(near) if !other.contains('@') => Error::usage(format!(
                        "\"{other}\" decides nothing; did you mean `{near}`? (write hits, amount, profit or the id of a metric)"
                    )),
                    _ => Error::unknown_metric(&error),
                }
            }),
        }
    }
}

impl std::fmt::Display for DecideBy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Hits => f.write_str("hits"),
            Self::Amount => f.write_str("amount"),
            Self::Profit => f.write_str("profit"),
            Self::Metric(measure) => measure.fmt(f),
        }
    }
}

impl From<DecideBy> for String {
    fn from(decide_by: DecideBy) -> Self {
        decide_by.to_string()
    }
}

impl TryFrom<String> for DecideBy {
    type Error = Error;

    fn try_from(text: String) -> Result<Self, Error> {
        text.parse()
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for DecideBy {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "DecideBy".into()
    }

    fn json_schema(_generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "description": "What decides which model is best: hits, amount, profit or the id of a metric.",
        })
    }
}

/// The question of somebody who acts on the top of a list. Nothing of it is asked where every field is empty.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct DecisionRequest {
    /// How many cases can be acted on.
    pub capacity: Option<Capacity>,
    /// What each outcome brings in.
    pub outcomes: Option<Outcomes>,
    /// A rule that decides case by case, instead of a cut through the list.
    pub rule: Option<CaseRule>,
    /// What models are ranked, tested and recommended by; profit where it is known, else hits at the capacity, else the AUROC.
    pub decide_by: Option<DecideBy>,
}

impl DecisionRequest {
    /// Whether rows are needed one by one to answer it.
    pub fn is_asked(&self) -> bool {
        self.capacity.is_some() || self.outcomes.is_some() || self.rule.is_some()
    }

    /// Whether models are ranked by a metric and not by what acting brings in.
    pub(crate) fn goes_by_metric(&self) -> bool {
        matches!(self.decide_by, Some(DecideBy::Metric(_)))
    }

    /// The outcomes that are meant: those that were stated, or those of a named rule.
    pub fn effective_outcomes(&self) -> Option<Outcomes> {
        self.outcomes.clone().or_else(|| self.rule.and_then(CaseRule::outcomes))
    }

    /// The cut-off at which predictions are judged where nobody names one: that of the capacity, or the one that earns most where the
    /// benefits are the same for every case.
    pub(crate) fn cutoff(&self, total: f64) -> Option<CutoffRule> {
        let of_capacity =
            self.capacity.and_then(|capacity| Some(CutoffRule::Share(capacity.share(total).ok()?)));
        let of_benefits = || self.effective_outcomes()?.matrix().map(CutoffRule::MaxBenefit);
        of_capacity.or_else(of_benefits)
    }

    /// Refuses what cannot be right whatever the data are.
    pub(crate) fn check(&self, has_amounts: bool, has_predicted_amounts: bool) -> Result<(), Error> {
        if let Some(rule @ (CaseRule::Donation { .. } | CaseRule::Fraud { .. })) = self.rule {
            if self.outcomes.is_some() {
                return Err(Error::usage(
                    Message::from(format!(
                        "{rule} says what every outcome brings in; state costs and benefits with "
                    ))
                    .set(Setting::Rule, "expected")
                    .text(" instead, or leave them out"),
                ));
            }
            if !has_amounts {
                let message =
                    Message::from(format!("{rule} goes by amounts: add ")).set(Setting::Amount, "COLUMN");
                return Err(Error::usage(message));
            }
        }
        if matches!(self.rule, Some(CaseRule::Donation { .. })) && !has_predicted_amounts {
            return Err(Error::usage(
                Message::from("what a case would give is not known beforehand, so donation needs predicted amounts: add ")
                    .set(Setting::PredictedAmount, "COLUMN"),
            ));
        }
        if self.rule == Some(CaseRule::Expected) && self.outcomes.is_none() {
            return Err(Error::usage(
                Message::from("the rule of expected benefits needs to know what the outcomes bring in: add ")
                    .set(Setting::BenefitHit, "VALUE")
                    .text(" or ")
                    .set(Setting::CostFp, "VALUE"),
            ));
        }
        let formulas = || self.outcomes.iter().flat_map(Outcomes::cells);
        if !has_amounts && formulas().any(|formula| formula.names("amount")) {
            let message = Message::from("`amount` stands for the column of amounts: add ")
                .set(Setting::Amount, "COLUMN");
            return Err(Error::usage(message));
        }
        let is_too_large = |formula: &&Expression| {
            formula.constant().is_some_and(|value| value.is_nan() || value.abs() > MOST_MONEY)
        };
        if let Some(formula) = formulas().find(is_too_large) {
            return Err(Error::usage(format!(
                "`{formula}` is no amount: write a number of at most {MOST_MONEY:e}"
            )));
        }
        if let Some(matrix) = self.outcomes.as_ref().and_then(Outcomes::matrix) {
            check_matrix(matrix)?;
        }
        self.check_decide_by(has_amounts)
    }

    fn check_decide_by(&self, has_amounts: bool) -> Result<(), Error> {
        let needs = |what: &str, setting: Setting, value: &str| {
            let message = Message::from(format!("nothing says {what}: add ")).set(setting, value);
            Err(Error::usage(message))
        };
        let is_list = self.capacity.is_some() || self.effective_outcomes().is_some();
        match self.decide_by {
            Some(DecideBy::Profit) if self.effective_outcomes().is_none() => {
                needs("what acting brings in", Setting::BenefitHit, "VALUE")
            }
            Some(DecideBy::Hits | DecideBy::Amount) if !is_list => {
                needs("how many cases can be acted on", Setting::Capacity, "200")
            }
            Some(DecideBy::Amount) if !has_amounts => {
                needs("what cases are worth", Setting::Amount, "COLUMN")
            }
            _ => Ok(()),
        }
    }

    /// The formulas of the outcomes, whose columns have to be read.
    pub(crate) fn cells(&self) -> Option<[Expression; 4]> {
        self.effective_outcomes().map(|outcomes| outcomes.cells().map(Clone::clone))
    }
}

/// Refuses benefits under which the scores do not matter.
fn check_matrix(matrix: BenefitMatrix) -> Result<(), Error> {
    if matrix.false_positive >= matrix.correct_rejection && matrix.hit >= matrix.false_negative {
        return Err(Error::usage(
            Message::from(format!(
                "acting on everybody is best whatever the scores, for acting on a negative costs nothing or less (against leaving \
                 it alone it brings in {}): state a cost that exceeds this with ",
                matrix.false_positive - matrix.correct_rejection
            ))
            .set(Setting::CostFp, "VALUE"),
        ));
    }
    if matrix.hit <= matrix.false_negative && matrix.false_positive <= matrix.correct_rejection {
        return Err(Error::usage(
            Message::from(format!(
                "acting on nobody is best whatever the scores, for acting on a positive brings in nothing or less (against leaving \
                 it alone {}): state a benefit that makes up for this with ",
                matrix.hit - matrix.false_negative
            ))
            .set(Setting::BenefitHit, "VALUE"),
        ));
    }
    CostMatrix::new(matrix.costs()).map(drop).map_err(|error| Error::usage(error.to_string()))
}
