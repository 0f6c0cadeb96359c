//! How far off predicted amounts are, on average.

use super::{Better, Compute, Spread, metric};
use crate::amounts::AmountPairs;
use crate::intervals::{Interval, Level, NoInterval};
use crate::undefined::Value;

metric! {
    METRIC = "mae", "mean absolute error", Amount;
    definition: "mean |a - p|";
    undefined when: "there are no rows";
    range: 0.0, f64::INFINITY; better: Better::Lower;
    reference: "Witten and Frank 2005";
    compute: Compute::Amounts(mae);
    interval: Spread::Amounts(interval);
}

/// Mean absolute error; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{AmountPairs, metrics::mae};
///
/// let amounts = AmountPairs::new(&[3.0, -0.5, 2.0, 7.0], &[2.5, 0.0, 2.0, 8.0])?;
/// assert!((mae(&amounts)? - 0.5).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
pub fn mae(amounts: &AmountPairs<'_>) -> Value {
    amounts.mean(|actual, predicted| (actual - predicted).abs())
}

/// Student's t on the log scale.
fn interval(amounts: &AmountPairs<'_>, level: Level) -> Result<Interval, NoInterval> {
    let mean = mae(amounts)?;
    amounts.error_of(|actual, predicted| (actual - predicted).abs() - mean)?.on_logs(mean, level)
}
