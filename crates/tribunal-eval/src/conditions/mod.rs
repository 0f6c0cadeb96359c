//! Which model owns which operating conditions: base rates, costs and capacities, read off the joint ROC hull of several models.
//!
//! A condition is a slope in ROC space, and the model on whose vertex a line of that slope rests has the least expected cost under it.
//! Models are meant by their places in the list that was given. Hull and vertices are those of the sample: the best of many cut-offs
//! and models looks better than it is, which [`best_cuts`] corrects for the choice of the cut-off.
//!
//! | question | answer |
//! | --- | --- |
//! | who owns which cost ratios and base rates, and who none | [`Ownership::ranges`], [`Ownership::stretches`], [`Ownership::dominated`] |
//! | the best vertex under a condition, its line and cost | [`Ownership::iso_performance`] |
//! | what each model costs under a condition, with an interval | [`best_cuts`] |
//! | how to reach a caseload or a false-positive rate exactly | [`Ownership::mixtures`], [`Ownership::at_caseload`], [`Ownership::at_fpr`] |
//!
//! References: Provost and Fawcett (2001), "Robust classification for imprecise environments"; Drummond and Holte (2006), "Cost curves".

mod best_cuts;
mod iso_performance;
mod mixtures;
mod ownership;

pub use best_cuts::{BestCut, best_cuts};
pub use iso_performance::IsoPerformance;
pub use mixtures::{MixtureRange, Recipe};
pub use ownership::{OwnedRange, OwnedStretch, Owner, Ownership, Span};

use crate::base_rate::{ErrorCosts, check_base_rate};
use crate::error::Error;
use crate::operating::Condition;

/// A condition under which both classes occur and both errors cost something.
fn check_condition(condition: &Condition) -> Result<(), Error> {
    let Condition { base_rate, false_positive, false_negative } = *condition;
    check_base_rate(base_rate)?;
    ErrorCosts { false_positive, false_negative }.checked().map(|_| ())
}
