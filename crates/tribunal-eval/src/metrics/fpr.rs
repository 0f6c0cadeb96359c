//! Share of the negatives that are flagged.

use super::{Better, Compute, Spread, metric};
use crate::confusion::Confusion;
use crate::undefined::{Undefined, Value};

metric! {
    METRIC = "fpr", "false-positive rate", Cutoff;
    definition: "FP / (FP + TN)";
    undefined when: "there are no negatives";
    range: 0.0, 1.0; better: Better::Lower;
    reference: "Witten and Frank 2005";
    compute: Compute::Confusion(fpr);
    interval: Spread::Share(|c| (c.fp, c.negatives()));
}

/// false-positive rate; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Confusion, metrics::fpr};
///
/// let matrix = Confusion { tp: 9.0, fp: 3.0, fn_: 4.0, tn: 3.0 };
/// assert!((fpr(&matrix)? - 0.5).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Undefined>(())
/// ```
pub fn fpr(confusion: &Confusion) -> Value {
    let negatives = confusion.negatives();
    if negatives > 0.0 { Ok(confusion.fp / negatives) } else { Err(Undefined::NoNegatives) }
}
