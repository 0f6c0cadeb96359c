//! Share of wrong predictions.

use super::{Better, Compute, Spread, metric};
use crate::confusion::Confusion;
use crate::undefined::{Undefined, Value};

metric! {
    METRIC = "error_rate", "error rate", Cutoff;
    definition: "1 - PCC";
    undefined when: "there are no rows";
    range: 0.0, 1.0; better: Better::Lower;
    reference: "Witten and Frank 2005";
    compute: Compute::Confusion(error_rate);
    interval: Spread::Share(|c| (c.fp + c.fn_, c.total()));
}

/// error rate; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Confusion, metrics::error_rate};
///
/// let matrix = Confusion { tp: 9.0, fp: 3.0, fn_: 4.0, tn: 3.0 };
/// assert!((error_rate(&matrix)? - 0.368421053).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Undefined>(())
/// ```
pub fn error_rate(confusion: &Confusion) -> Value {
    let total = confusion.total();
    if total > 0.0 { Ok((confusion.fp + confusion.fn_) / total) } else { Err(Undefined::NoRows) }
}
