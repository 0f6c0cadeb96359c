//! Share of the negatives that are left in peace.

use super::{Better, Compute, Spread, metric};
use crate::confusion::Confusion;
use crate::undefined::{Undefined, Value};

metric! {
    METRIC = "specificity", "specificity", Cutoff;
    definition: "TN / (FP + TN)";
    undefined when: "there are no negatives";
    range: 0.0, 1.0; better: Better::Higher;
    reference: "Witten and Frank 2005";
    compute: Compute::Confusion(specificity);
    interval: Spread::Share(|c| (c.tn, c.negatives()));
}

/// specificity; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Confusion, metrics::specificity};
///
/// let matrix = Confusion { tp: 9.0, fp: 3.0, fn_: 4.0, tn: 3.0 };
/// assert!((specificity(&matrix)? - 0.5).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Undefined>(())
/// ```
pub fn specificity(confusion: &Confusion) -> Value {
    let negatives = confusion.negatives();
    if negatives > 0.0 { Ok(confusion.tn / negatives) } else { Err(Undefined::NoNegatives) }
}
