//! Geometric mean of the two class accuracies.

use super::{Better, Compute, Spread, metric, sensitivity, specificity};
use crate::confusion::Confusion;
use crate::intervals::{CellSample, Interval, IntervalMethod, NoInterval};
use crate::undefined::Value;

metric! {
    METRIC = "g_mean", "G-mean", Cutoff;
    definition: "sqrt(sensitivity * specificity)";
    undefined when: "a class is absent";
    range: 0.0, 1.0; better: Better::Higher;
    reference: "Kubat and Matwin 1997";
    compute: Compute::Confusion(g_mean);
    interval: Spread::Cells(interval);
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

/// The arms of both intervals added as squares, on the log scale; at a list of given length, where the two move together, the
/// delta method.
fn interval(sample: &CellSample<'_>, _: f64) -> Result<Interval, NoInterval> {
    let (arms, method) = (sample.arms()?, IntervalMethod::SquareAndAdd);
    let mean = arms.iter().map(|arm| arm.value).product::<f64>().sqrt();
    if mean == 0.0 {
        let upper = arms.iter().map(|arm| arm.interval.upper).product::<f64>().sqrt();
        return Ok(Interval { lower: 0.0, upper, level: sample.level, method });
    }
    if let Some(interval) = sample.mean_of_list(&|cells| g_mean(cells).unwrap_or(f64::NAN)) {
        return interval;
    }
    let [down, up] = [0, 1].map(|end| {
        let [one, other] = arms.each_ref().map(|arm| {
            let end = if end == 0 { arm.interval.lower } else { arm.interval.upper };
            (end / arm.value).ln()
        });
        one.hypot(other) / 2.0
    });
    Ok(Interval {
        lower: mean * (-down).exp(),
        upper: (mean * up.exp()).min(1.0),
        level: sample.level,
        method,
    })
}
