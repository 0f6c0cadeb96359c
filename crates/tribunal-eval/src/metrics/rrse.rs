//! Root squared error relative to always predicting the mean.

use super::{Better, Compute, Spread, metric, rmse};
use crate::amounts::AmountPairs;
use crate::intervals::{Interval, Level, NoInterval};
use crate::undefined::{Undefined, Value};

metric! {
    METRIC = "rrse", "root relative squared error", Amount;
    definition: "sqrt(sum (a - p)^2 / sum (a - mean a)^2)";
    undefined when: "there are no rows or all amounts are equal";
    range: 0.0, f64::INFINITY; better: Better::Lower;
    reference: "Witten and Frank 2005";
    compute: Compute::Amounts(rrse);
    interval: Spread::Amounts(interval);
}

/// Root relative squared error; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{AmountPairs, metrics::rrse};
///
/// let amounts = AmountPairs::new(&[3.0, -0.5, 2.0, 7.0], &[2.5, 0.0, 2.0, 8.0])?;
/// assert!((rrse(&amounts)? - 0.226697735).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
pub fn rrse(amounts: &AmountPairs<'_>) -> Value {
    let reference = amounts.reference_mean()?;
    let spread = amounts.mean(|actual, _| (actual - reference).powi(2))?;
    if spread > 0.0 {
        Ok(rmse(amounts)? / spread.sqrt())
    } else {
        Err(Undefined::Zero { quantity: "spread of the amounts".into() })
    }
}

/// Student's t on the log scale.
fn interval(amounts: &AmountPairs<'_>, level: Level) -> Result<Interval, NoInterval> {
    let (ratio, mean) = (rrse(amounts)?, amounts.reference_mean()?);
    let spread = amounts.mean(|actual, _| (actual - mean).powi(2))?;
    if ratio <= 0.0 {
        return Err(NoInterval::NoLoss);
    }
    let influence = |actual: f64, predicted: f64| {
        ((actual - predicted).powi(2) - ratio * ratio * (actual - mean).powi(2)) / (2.0 * ratio * spread)
    };
    amounts.error_of(influence)?.on_logs(ratio, level)
}
