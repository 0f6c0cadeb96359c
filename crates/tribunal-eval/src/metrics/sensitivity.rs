//! Share of the positives that are found.

use super::{Better, Compute, Spread, metric};
use crate::confusion::Confusion;
use crate::undefined::{Undefined, Value};

metric! {
    METRIC = "sensitivity", "sensitivity (recall)", Cutoff;
    definition: "TP / (TP + FN)";
    undefined when: "there are no positives";
    range: 0.0, 1.0; better: Better::Higher;
    reference: "Witten and Frank 2005";
    compute: Compute::Confusion(sensitivity);
    interval: Spread::Share(|c| (c.tp, c.positives()));
}

/// sensitivity (recall); see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Confusion, metrics::sensitivity};
///
/// let matrix = Confusion { tp: 9.0, fp: 3.0, fn_: 4.0, tn: 3.0 };
/// assert!((sensitivity(&matrix)? - 0.692307692).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Undefined>(())
/// ```
pub fn sensitivity(confusion: &Confusion) -> Value {
    let positives = confusion.positives();
    if positives > 0.0 { Ok(confusion.tp / positives) } else { Err(Undefined::NoPositives) }
}
