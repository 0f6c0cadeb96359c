//! Whether predicted amounts rise with the true ones.

use super::{Better, Compute, Spread, metric};
use crate::amounts::AmountPairs;
use crate::intervals::{Interval, Level, NoInterval};
use crate::undefined::{Undefined, Value};

metric! {
    METRIC = "amount_correlation", "correlation of predicted with true amounts", Amount;
    definition: "Pearson correlation of a and p";
    undefined when: "there are no rows or one side is constant";
    range: -1.0, 1.0; better: Better::Higher;
    reference: "Witten and Frank 2005";
    compute: Compute::Amounts(amount_correlation);
    interval: Spread::Amounts(interval);
}

/// Correlation of predicted with true amounts; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{AmountPairs, metrics::amount_correlation};
///
/// let amounts = AmountPairs::new(&[3.0, -0.5, 2.0, 7.0], &[2.5, 0.0, 2.0, 8.0])?;
/// assert!((amount_correlation(&amounts)? - 0.984869618).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
pub fn amount_correlation(amounts: &AmountPairs<'_>) -> Value {
    let actual_mean = amounts.mean(|actual, _| actual)?;
    let predicted_mean = amounts.mean(|_, predicted| predicted)?;
    let product = amounts.mean(|a, p| (a - actual_mean) * (p - predicted_mean))?;
    let spread = amounts.mean(|a, _| (a - actual_mean).powi(2))?
        * amounts.mean(|_, p| (p - predicted_mean).powi(2))?;
    if spread > 0.0 {
        Ok((product / spread.sqrt()).clamp(-1.0, 1.0))
    } else {
        Err(Undefined::Zero { quantity: "spread of the true or of the predicted amounts".into() })
    }
}

/// Student's t on Fisher's z scale, without the assumption of normal amounts.
fn interval(amounts: &AmountPairs<'_>, level: Level) -> Result<Interval, NoInterval> {
    let correlation = amount_correlation(amounts)?;
    if correlation.abs() >= 1.0 - 1e-12 {
        return Err(NoInterval::OnALine);
    }
    let (mean_a, mean_p) = (amounts.mean(|a, _| a)?, amounts.mean(|_, p| p)?);
    let sd_a = amounts.mean(|a, _| (a - mean_a).powi(2))?.sqrt();
    let sd_p = amounts.mean(|_, p| (p - mean_p).powi(2))?.sqrt();
    let influence = |a: f64, p: f64| {
        let (a, p) = ((a - mean_a) / sd_a, (p - mean_p) / sd_p);
        a * p - correlation * (a * a + p * p) / 2.0
    };
    Ok(amounts.error_of(influence)?.on_fisher_z(correlation, level))
}
