//! Accuracy as if both classes were equally frequent.

use super::{Better, Compute, metric, sensitivity, specificity};
use crate::confusion::Confusion;
use crate::undefined::Value;

metric! {
    METRIC = "balanced_accuracy", "balanced accuracy", Cutoff;
    definition: "(sensitivity + specificity) / 2";
    undefined when: "a class is absent";
    range: 0.0, 1.0; better: Better::Higher;
    reference: "Brodersen, Ong, Stephan and Buhmann 2010";
    compute: Compute::Confusion(balanced_accuracy);
}

/// balanced accuracy; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Confusion, metrics::balanced_accuracy};
///
/// let matrix = Confusion { tp: 9.0, fp: 3.0, fn_: 4.0, tn: 3.0 };
/// assert!((balanced_accuracy(&matrix)? - 0.596153846).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Undefined>(())
/// ```
pub fn balanced_accuracy(confusion: &Confusion) -> Value {
    Ok((sensitivity(confusion)? + specificity(confusion)?) / 2.0)
}
