//! How far off predicted amounts are, large misses counting most.

use super::{Better, Compute, Spread, metric};
use crate::amounts::AmountPairs;
use crate::intervals::{Interval, Level, NoInterval};
use crate::undefined::Value;

metric! {
    METRIC = "rmse", "root mean squared error", Amount;
    definition: "sqrt(mean (a - p)^2)";
    undefined when: "there are no rows";
    range: 0.0, f64::INFINITY; better: Better::Lower;
    reference: "Witten and Frank 2005";
    compute: Compute::Amounts(rmse);
    interval: Spread::Amounts(interval);
}

/// Root mean squared error; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{AmountPairs, metrics::rmse};
///
/// let amounts = AmountPairs::new(&[3.0, -0.5, 2.0, 7.0], &[2.5, 0.0, 2.0, 8.0])?;
/// assert!((rmse(&amounts)? - 0.612372436).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
pub fn rmse(amounts: &AmountPairs<'_>) -> Value {
    Ok(amounts.mean(|actual, predicted| (actual - predicted).powi(2))?.sqrt())
}

/// Student's t on the log scale.
fn interval(amounts: &AmountPairs<'_>, level: Level) -> Result<Interval, NoInterval> {
    let root = rmse(amounts)?;
    if root <= 0.0 {
        return Err(NoInterval::NoLoss);
    }
    let influence = |actual: f64, predicted: f64| ((actual - predicted).powi(2) - root * root) / (2.0 * root);
    amounts.error_of(influence)?.on_logs(root, level)
}
