//! What somebody who acts on a ranked list asks: how many cases can be acted on, and what each outcome brings in.

mod capacity;
mod case_rule;
mod expression;
mod outcomes;
mod request;
mod results;

pub use capacity::Capacity;
pub use case_rule::CaseRule;
pub use expression::{Expression, ExpressionError};
pub use outcomes::{Costs, Outcomes};
pub use request::{DecideBy, DecisionRequest};
pub use results::Decision;
