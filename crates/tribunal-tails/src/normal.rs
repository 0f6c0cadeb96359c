//! The normal distribution, exact far into its tails.
//!
//! The tail is `erfc`, and the quantile is a rough start brought to the last digit by steps of Halley's method on that
//! tail. References: Abramowitz & Stegun (1964), 26.2.23 for the start; Halley (1694).

use std::f64::consts::{PI, SQRT_2};

/// The density of the standard normal distribution.
pub fn normal_density(z: f64) -> f64 {
    libm::exp(-0.5 * z * z) / (2.0 * PI).sqrt()
}

/// The upper tail of the standard normal distribution.
///
/// **Definition** `P(Z > z) = erfc(z / sqrt 2) / 2`.
///
/// **Undefined when** never; a NaN gives a NaN.
///
/// **Example**
/// ```
/// let far = tribunal_tails::normal_sf(8.0);
/// assert!((far / 6.220960574271785e-16 - 1.0).abs() < 1e-14);
/// ```
///
/// **Reference** Abramowitz & Stegun (1964), 26.2.
pub fn normal_sf(z: f64) -> f64 {
    0.5 * libm::erfc(z / SQRT_2)
}

/// The two-sided p value of a standard normal statistic.
pub fn normal_two_sided(z: f64) -> f64 {
    libm::erfc(z.abs() / SQRT_2)
}

/// The `z` with `P(Z > z) = tail`, for a tail strictly between 0 and 1.
pub fn normal_quantile_upper(tail: f64) -> f64 {
    if tail > 0.5 {
        return -normal_quantile_upper(1.0 - tail);
    }
    // Each step cubes the error, so the start's 4.5e-4 is gone after two; the third is for the far tail.
    (0..3).fold(rough_quantile_upper(tail), |z, _| z - halley_step(z, tail))
}

/// Within 4.5e-4 of the quantile, for tails up to one half.
fn rough_quantile_upper(tail: f64) -> f64 {
    let t = (-2.0 * libm::log(tail)).sqrt();
    let numerator = 2.515517 + t * (0.802853 + t * 0.010328);
    let denominator = 1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308));
    t - numerator / denominator
}

/// What Halley's method subtracts from `z` to bring its tail to `tail`.
fn halley_step(z: f64, tail: f64) -> f64 {
    let newton = (tail - normal_sf(z)) / normal_density(z);
    newton / (1.0 - 0.5 * z * newton)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tails of the normal distribution to 17 digits, by mpmath at 40 digits.
    const TAILS: [(f64, f64); 5] = [
        (1.0, 0.15865525393145705),
        (3.0, 0.0013498980316300946),
        (8.0, 6.220960574271785e-16),
        (20.0, 2.7536241186062337e-89),
        (37.0, 5.725571222524577e-300),
    ];

    #[test]
    fn tails_keep_their_digits() {
        for (z, tail) in TAILS {
            // The rounding of z itself moves the tail by z² times as much.
            let tolerance = f64::EPSILON * (4.0 + z * z);
            assert!((normal_sf(z) / tail - 1.0).abs() < tolerance, "tail at {z}");
        }
    }

    #[test]
    fn quantiles_invert_the_tail() {
        for (z, tail) in TAILS {
            assert!((normal_quantile_upper(tail) / z - 1.0).abs() < 4e-16, "quantile at {z}");
        }
    }
}
