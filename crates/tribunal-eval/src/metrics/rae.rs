//! Error relative to always predicting the mean.

use super::{Better, Compute, mae, metric};
use crate::amounts::AmountPairs;
use crate::undefined::{Undefined, Value};

metric! {
    METRIC = "rae", "relative absolute error", Amount;
    definition: "sum |a - p| / sum |a - mean a|";
    undefined when: "there are no rows or all amounts are equal";
    range: 0.0, f64::INFINITY; better: Better::Lower;
    reference: "Witten and Frank 2005";
    compute: Compute::Amounts(rae);
}

/// Relative absolute error; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{AmountPairs, metrics::rae};
///
/// let amounts = AmountPairs::new(&[3.0, -0.5, 2.0, 7.0], &[2.5, 0.0, 2.0, 8.0])?;
/// assert!((rae(&amounts)? - 0.235294118).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
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
