//! The quantile of the normal distribution, for probabilities that users give.

use tribunal_tails::normal_quantile_upper;

use crate::checks::within;
use crate::error::Error;

/// The quantile of the standard normal distribution.
///
/// **Definition** the `z` with `P(Z <= z) = probability`.
///
/// **Undefined when** the probability is not strictly between 0 and 1.
///
/// **Example**
/// ```
/// let z = tribunal_eval::intervals::normal_quantile(0.9)?;
/// assert!((z - 1.2815515655446004).abs() < 1e-15);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** Abramowitz & Stegun (1964), 26.2.23, refined by Halley's method.
pub fn normal_quantile(probability: f64) -> Result<f64, Error> {
    let usable = probability > 0.0 && probability < 1.0;
    let p = within("the probability", probability, usable, "a number between 0 and 1")?;
    Ok(if p < 0.5 { -normal_quantile_upper(p) } else { normal_quantile_upper(1.0 - p) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_symmetric_and_only_of_probabilities() {
        assert!(normal_quantile(0.5).expect("a probability").abs() < 1e-16);
        let low =
            normal_quantile(0.975).expect("a probability") + normal_quantile(0.025).expect("a probability");
        assert!(low.abs() < 1e-15);
        assert!(normal_quantile(1.0).is_err());
    }
}
