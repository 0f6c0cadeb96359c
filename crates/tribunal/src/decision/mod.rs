//! What somebody who acts on a ranked list asks: how many cases can be acted on, and what each outcome brings in.

mod asked_cutoff;
mod case_rule;
mod expression;
mod outcomes;
mod request;
mod results;

pub use asked_cutoff::AskedCutoff;
pub use case_rule::CaseRule;
pub use expression::{Expression, ExpressionError};
pub use outcomes::{Costs, Outcomes};
pub use request::{DecideBy, DecisionRequest};
pub(crate) use results::Decides;
pub use results::{
    AtCapacity, BaselineDecision, BaselinePolicy, BestCut, Decision, Lead, ModelDecision, Policy,
};
