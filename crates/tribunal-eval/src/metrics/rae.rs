//! Error relative to always predicting the mean.

use super::{Better, Compute, Spread, mae, metric};
use crate::amounts::AmountPairs;
use crate::intervals::{Interval, Level, NoInterval};
use crate::undefined::{Undefined, Value};

metric! {
    METRIC = "rae", "relative absolute error", Amount;
    definition: "sum |a - p| / sum |a - mean a|";
    undefined when: "there are no rows or all amounts are equal";
    range: 0.0, f64::INFINITY; better: Better::Lower;
    reference: "Witten and Frank 2005";
    compute: Compute::Amounts(rae);
    interval: Spread::Amounts(interval);
}

/// Relative absolute error; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{AmountPairs, metrics::rae};
///
/// let amounts = AmountPairs::new(&[3.0, -0.5, 2.0, 7.0], &[2.5, 0.0, 2.0, 8.0])?;
/// assert!((rae(&amounts)? - 0.235294118).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
pub fn rae(amounts: &AmountPairs<'_>) -> Value {
    let reference = amounts.reference_mean()?;
    let spread = amounts.mean(|actual, _| (actual - reference).abs())?;
    if spread > 0.0 {
        Ok(mae(amounts)? / spread)
    } else {
        Err(Undefined::Zero { quantity: "spread of the amounts".into() })
    }
}

/// Student's t on the log scale; the mean that the amounts are compared with varies too.
fn interval(amounts: &AmountPairs<'_>, level: Level) -> Result<Interval, NoInterval> {
    let (ratio, error, mean) = (rae(amounts)?, mae(amounts)?, amounts.reference_mean()?);
    let spread = amounts.mean(|actual, _| (actual - mean).abs())?;
    let lean = if amounts.has_own_mean() { amounts.mean(|actual, _| (actual - mean).signum())? } else { 0.0 };
    let influence = |actual: f64, predicted: f64| {
        let of_spread = (actual - mean).abs() - spread - lean * (actual - mean);
        ((actual - predicted).abs() - error - ratio * of_spread) / spread
    };
    amounts.error_of(influence)?.on_logs(ratio, level)
}
