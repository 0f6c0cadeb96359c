//! Geometric mean of the two class accuracies.

use super::{Better, Compute, metric, sensitivity, specificity};
use crate::confusion::Confusion;
use crate::undefined::Value;

metric! {
    METRIC = "g_mean", "G-mean", Cutoff;
    definition: "sqrt(sensitivity * specificity)";
    undefined when: "a class is absent";
    range: 0.0, 1.0; better: Better::Higher;
    reference: "Kubat and Matwin 1997";
    compute: Compute::Confusion(g_mean);
}

/// G-mean; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Confusion, metrics::g_mean};
///
/// let matrix = Confusion { tp: 9.0, fp: 3.0, fn_: 4.0, tn: 3.0 };
/// assert!((g_mean(&matrix)? - 0.588348405).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Undefined>(())
/// ```
pub fn g_mean(confusion: &Confusion) -> Value {
    Ok((sensitivity(confusion)? * specificity(confusion)?).sqrt())
}
