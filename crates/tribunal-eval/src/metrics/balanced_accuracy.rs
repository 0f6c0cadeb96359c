//! Accuracy as if both classes were equally frequent.

use super::{Better, Compute, Spread, metric, sensitivity, specificity};
use crate::confusion::Confusion;
use crate::intervals::{CellSample, Interval, IntervalMethod, NoInterval};
use crate::undefined::Value;

metric! {
    METRIC = "balanced_accuracy", "balanced accuracy", Cutoff;
    definition: "(sensitivity + specificity) / 2";
    undefined when: "a class is absent";
    range: 0.0, 1.0; better: Better::Higher;
    reference: "Brodersen, Ong, Stephan and Buhmann 2010";
    compute: Compute::Confusion(balanced_accuracy);
    interval: Spread::Cells(interval);
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

/// The arms of both intervals added as squares; at a list of given length, where the two move together, the delta method.
fn interval(sample: &CellSample<'_>, _: f64) -> Result<Interval, NoInterval> {
    if let Some(interval) = sample.mean_of_list(&|cells| balanced_accuracy(cells).unwrap_or(f64::NAN)) {
        return interval;
    }
    let [se, sp] = sample.arms()?;
    let ((se_down, se_up), (sp_down, sp_up)) = (se.lengths(), sp.lengths());
    let mean = (se.value + sp.value) / 2.0;
    let (lower, upper) = (mean - se_down.hypot(sp_down) / 2.0, mean + se_up.hypot(sp_up) / 2.0);
    Ok(Interval { lower, upper, level: sample.level, method: IntervalMethod::SquareAndAdd })
}
