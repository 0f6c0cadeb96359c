//! Share of the passed cases that are negative.

use super::{Better, Compute, Spread, metric};
use crate::confusion::Confusion;
use crate::undefined::{Undefined, Value};

metric! {
    METRIC = "npv", "negative predictive value", Cutoff;
    definition: "TN / (TN + FN)";
    undefined when: "nothing is predicted negative";
    range: 0.0, 1.0; better: Better::Higher;
    reference: "Witten and Frank 2005";
    compute: Compute::Confusion(npv);
    interval: Spread::Share(|c| (c.tn, c.passed()));
}

/// negative predictive value; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Confusion, metrics::npv};
///
/// let matrix = Confusion { tp: 9.0, fp: 3.0, fn_: 4.0, tn: 3.0 };
/// assert!((npv(&matrix)? - 0.428571429).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Undefined>(())
/// ```
pub fn npv(confusion: &Confusion) -> Value {
    let passed = confusion.passed();
    if passed > 0.0 { Ok(confusion.tn / passed) } else { Err(Undefined::NonePredictedNegative) }
}
