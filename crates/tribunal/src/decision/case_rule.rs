//! Rules that decide case by case: act where it is expected to pay.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::expression::Expression;
use super::outcomes::Outcomes;

/// Which cases are acted on where amounts differ from case to case: those whose probability times what is at stake exceeds what
/// acting costs.
///
/// ```
/// use tribunal::CaseRule;
///
/// assert_eq!("donation:0.68".parse(), Ok(CaseRule::Donation { cost: 0.68 }));
/// assert!("donation:0,68".parse::<CaseRule>().unwrap_err().contains("write 0.68"));
/// ```
///
/// **Reference** Zadrozny and Elkan 2001; Fan, Yu and Wang 2002.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CaseRule {
    /// A donor gives the amount, a letter costs so much; what a case would give is predicted.
    Donation {
        /// Cost of a letter.
        cost: f64,
    },
    /// A fraud that is stopped saves the amount, an investigation costs so much; the amount is known of every case.
    Fraud {
        /// Cost of an investigation.
        cost: f64,
    },
    /// Act where the expected benefit of acting is at least that of leaving the case alone, by the outcomes that were stated.
    Expected,
}

impl CaseRule {
    /// The outcomes that a named rule assumes.
    pub fn outcomes(self) -> Option<Outcomes> {
        let (Self::Donation { cost } | Self::Fraud { cost }) = self else { return None };
        let hit = format!("amount - {cost}").parse::<Expression>().ok()?;
        Some(Outcomes::of_acting(hit, Expression::of_number(-cost)))
    }
}

impl FromStr for CaseRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "`{text}` is no rule: write donation:0.68 (the cost of a letter), fraud:90 (the cost of an investigation) or expected"
            )
        };
        if text == "expected" {
            return Ok(Self::Expected);
        }
        let (name, cost) = text.split_once(':').ok_or_else(wrong)?;
        let cost = match cost.trim().parse::<f64>() {
            Ok(cost) if cost.is_finite() && cost >= 0.0 => cost,
            Ok(_) => return Err(format!("`{cost}` is no cost: write 0 or more")),
            Err(_) if cost.contains(',') => {
                return Err(format!("`{cost}` has a comma; write {}", cost.trim().replacen(',', ".", 1)));
            }
            Err(_) => return Err(wrong()),
        };
        match name {
            "donation" => Ok(Self::Donation { cost }),
            "fraud" => Ok(Self::Fraud { cost }),
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for CaseRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Donation { cost } => write!(f, "donation:{cost}"),
            Self::Fraud { cost } => write!(f, "fraud:{cost}"),
            Self::Expected => f.write_str("expected"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_come_back_and_others_are_refused() {
        for text in ["donation:0.68", "fraud:90", "expected"] {
            assert_eq!(text.parse::<CaseRule>().expect(text).to_string(), text);
        }
        for wrong in ["", "donation", "fraud:", "fraud:-1", "fraud:nan", "mail:1", "expected:1"] {
            assert!(wrong.parse::<CaseRule>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_named_rule_brings_its_outcomes() {
        let outcomes = CaseRule::Fraud { cost: 90.0 }.outcomes().expect("a named rule");
        assert_eq!((outcomes.hit.value(&[400.0]), outcomes.false_positive.constant()), (310.0, Some(-90.0)));
        assert_eq!((outcomes.columns(), outcomes.matrix()), (vec!["amount"], None));
        assert_eq!(CaseRule::Expected.outcomes(), None);
    }
}
