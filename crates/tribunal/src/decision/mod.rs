//! What somebody who acts on a ranked list asks: how many cases can be acted on, and what each outcome brings in.

mod capacity;
mod expression;
mod outcomes;

pub use capacity::Capacity;
pub use expression::{Expression, ExpressionError};
pub use outcomes::Outcomes;
