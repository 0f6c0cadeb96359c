//! Root squared error relative to always predicting the mean.

use super::{Better, Compute, metric, rmse};
use crate::amounts::AmountPairs;
use crate::undefined::{Undefined, Value};

metric! {
    METRIC = "rrse", "root relative squared error", Amount;
    definition: "sqrt(sum (a - p)^2 / sum (a - mean a)^2)";
    undefined when: "there are no rows or all amounts are equal";
    range: 0.0, f64::INFINITY; better: Better::Lower;
    reference: "Witten and Frank 2005";
    compute: Compute::Amounts(rrse);
}

/// Root relative squared error; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{AmountPairs, metrics::rrse};
///
/// let amounts = AmountPairs::new(&[3.0, -0.5, 2.0, 7.0], &[2.5, 0.0, 2.0, 8.0])?;
/// assert!((rrse(&amounts)? - 0.226697735).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
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
