//! Another base rate: what a confusion matrix and probabilities say where positives are rarer or more frequent than in the data.
//!
//! Sensitivity and specificity are rates inside a class, so they stay; everything that mixes the classes moves: predictive values,
//! PCC, F, MCC, kappa, lift, expected cost and stated probabilities. That assumes that cases of a class look the same in both places
//! (prior shift); a selection that drops true negatives only changes the specificity too, and no other base rate undoes it.
//!
//! | question | answer |
//! | --- | --- |
//! | the rates of both classes, of a confusion matrix or a cut of a ranking | [`ClassRates`] |
//! | every figure at another base rate | [`AtBaseRate`] |
//! | probabilities at another base rate, or after weights or sampling | [`OddsShift`] |
//! | how many negatives make one cut-off behave like another | [`elkan_factor`] |
//!
//! References: Elkan (2001), "The foundations of cost-sensitive learning"; Saerens, Latinne and Decaestecker (2002), "Adjusting the
//! outputs of a classifier to new a priori probabilities"; Mercaldo, Lau and Zhou (2007), "Confidence intervals for predictive
//! values with an emphasis to case-control studies".

mod arms;
mod class_rates;
mod figures;
mod odds_shift;

pub use class_rates::ClassRates;
pub(crate) use figures::cost;
pub use figures::{AtBaseRate, ErrorCosts, Reading};
pub use odds_shift::{ClassFactors, OddsShift, elkan_factor};

use crate::checks::within;
use crate::error::Error;

/// A base rate at which both classes occur.
pub(crate) fn check_base_rate(base_rate: f64) -> Result<f64, Error> {
    let is_usable = base_rate > 0.0 && base_rate < 1.0;
    within("the base rate", base_rate, is_usable, "a number between 0 and 1, such as 0.01")
}
