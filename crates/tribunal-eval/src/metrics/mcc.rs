//! Correlation of prediction and truth.

use super::{Better, Compute, Spread, metric};
use crate::confusion::Confusion;
use crate::undefined::{Undefined, Value};

metric! {
    METRIC = "mcc", "Matthews correlation coefficient", Cutoff;
    definition: "(TP TN - FP FN) / sqrt((TP+FP)(TP+FN)(TN+FP)(TN+FN)), 0 if a margin is empty";
    undefined when: "there are no rows";
    range: -1.0, 1.0; better: Better::Higher;
    reference: "Matthews 1975";
    compute: Compute::Confusion(mcc);
    interval: Spread::Cells(|sample, _| sample.correlation(&|cells| mcc(cells).unwrap_or(0.0)));
}

/// Matthews correlation coefficient; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Confusion, metrics::mcc};
///
/// let matrix = Confusion { tp: 9.0, fp: 3.0, fn_: 4.0, tn: 3.0 };
/// assert!((mcc(&matrix)? - 0.185312329).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Undefined>(())
/// ```
pub fn mcc(confusion: &Confusion) -> Value {
    let c = confusion;
    if c.total() <= 0.0 {
        return Err(Undefined::NoRows);
    }
    // The roots are taken one by one, so that margins of 10⁸ rows do not lose digits.
    let scale = c.flagged().sqrt() * c.positives().sqrt() * c.negatives().sqrt() * c.passed().sqrt();
    Ok(if scale > 0.0 { (c.tp * c.tn - c.fp * c.fn_) / scale } else { 0.0 })
}
