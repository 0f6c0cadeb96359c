//! Amounts: how much a positive case is worth, for rules in two stages - who, then how much.
//!
//! An [`AmountLearner`] is fitted to the rows of the positive class that have an amount; the [`AmountModel`] that it gives
//! predicts the amount of any row, and says why. Learners are listed in [`AMOUNT_LEARNERS`].
//!
//! A model of amounts sees donors only and is asked about everybody, as Fan and Davidson (2006) do it; nothing here mends
//! what the donors have in common that others do not.

mod coefficient;
mod explain;
mod form;
mod learner;
mod least_squares;
mod linear;
mod model;
mod regression;
mod rows;
mod show;
mod spread;
mod stored;
mod values;

pub use coefficient::{AmountCoefficient, FTest, INTERCEPT, Quality};
pub use explain::AmountExplanation;
pub use form::AmountForm;
pub use learner::AmountLearner;
pub use model::{AmountClass, AmountModel};
pub use rows::AmountRows;
pub use values::Amounts;

/// Every learner of amounts there is, in the order in which tables show them.
pub const AMOUNT_LEARNERS: &[&AmountForm] = &[&linear::FORM];
