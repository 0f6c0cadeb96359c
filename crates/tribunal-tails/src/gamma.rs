//! Quantiles of the gamma distribution of scale one.

use crate::root::root;

/// The `x` with `P(X <= x) = probability` for the gamma distribution of this shape and scale one.
///
/// ```
/// // A shape of one is the exponential distribution.
/// let x = tribunal_tails::gamma_quantile(1.0, 0.05);
/// assert!((x + 0.95f64.ln()).abs() < 1e-14);
/// ```
pub fn gamma_quantile(shape: f64, probability: f64) -> f64 {
    let target = libm::log(probability);
    libm::exp(root(|log_x| log_cdf(shape, log_x) - target, (-700.0, 7.0)))
}

/// The logarithm of `P(X <= e^log_x)`, by the series of the lower incomplete gamma function, all of whose terms are positive.
fn log_cdf(shape: f64, log_x: f64) -> f64 {
    let x = libm::exp(log_x);
    let (mut term, mut sum, mut k) = (1.0, 1.0, shape);
    while term > sum * 1e-17 {
        k += 1.0;
        term *= x / k;
        sum += term;
    }
    shape * log_x - x - libm::lgamma(shape + 1.0) + libm::log(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// scipy.stats.gamma.ppf (1.17.1).
    #[test]
    fn quantiles_are_those_of_scipy() {
        for (shape, probability, expected) in [
            (0.5, 0.05, 0.0019660700000116),
            (2.0, 0.05, 0.35536151190936045),
            (3.5, 0.05, 1.0836747472904045),
            (3.0, 0.95, 6.295793622000408),
            (100.0, 0.5, 99.66686457),
        ] {
            let found = gamma_quantile(shape, probability);
            assert!((found / expected - 1.0).abs() < 1e-6, "{shape} {probability}: {found}");
        }
    }
}
