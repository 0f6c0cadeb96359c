//! Share of the flagged cases that are positive.

use super::{Better, Compute, Spread, metric};
use crate::confusion::Confusion;
use crate::undefined::{Undefined, Value};

metric! {
    METRIC = "precision", "precision (strike rate)", Cutoff;
    definition: "TP / (TP + FP)";
    undefined when: "nothing is predicted positive";
    range: 0.0, 1.0; better: Better::Higher;
    reference: "Witten and Frank 2005";
    compute: Compute::Confusion(precision);
    interval: Spread::Share(|c| (c.tp, c.flagged()));
}

/// precision (strike rate); see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Confusion, metrics::precision};
///
/// let matrix = Confusion { tp: 9.0, fp: 3.0, fn_: 4.0, tn: 3.0 };
/// assert!((precision(&matrix)? - 0.75).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Undefined>(())
/// ```
pub fn precision(confusion: &Confusion) -> Value {
    let flagged = confusion.flagged();
    if flagged > 0.0 { Ok(confusion.tp / flagged) } else { Err(Undefined::NonePredictedPositive) }
}
