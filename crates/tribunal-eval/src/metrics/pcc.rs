//! Share of correct predictions, as a fraction.

use super::{Better, Compute, Spread, metric};
use crate::confusion::Confusion;
use crate::undefined::{Undefined, Value};

metric! {
    METRIC = "pcc", "percentage correctly classified", Cutoff;
    definition: "(TP + TN) / N";
    undefined when: "there are no rows";
    range: 0.0, 1.0; better: Better::Higher;
    reference: "Viaene, Derrig, Baesens and Dedene 2002";
    compute: Compute::Confusion(pcc);
    interval: Spread::Share(|c| (c.tp + c.tn, c.total()));
}

/// percentage correctly classified; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Confusion, metrics::pcc};
///
/// let matrix = Confusion { tp: 9.0, fp: 3.0, fn_: 4.0, tn: 3.0 };
/// assert!((pcc(&matrix)? - 0.631578947).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Undefined>(())
/// ```
pub fn pcc(confusion: &Confusion) -> Value {
    let total = confusion.total();
    if total > 0.0 { Ok((confusion.tp + confusion.tn) / total) } else { Err(Undefined::NoRows) }
}
