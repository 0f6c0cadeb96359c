//! The regularised incomplete beta function and the binomial mass behind it.
//!
//! The tails of Student's t, of F and of the binomial are all this one function. It takes both `x` and `1 - x`, so that
//! neither is lost by subtraction, and computes its leading factor by Loader's expansion, so that large parameters cost
//! no digits. References: Loader (2000), "Fast and accurate computation of binomial probabilities"; Lentz (1976) for
//! the continued fraction, as given by DiDonato & Morris (1992).

use std::f64::consts::PI;

use crate::root::root;

/// A point of the unit interval together with its complement.
#[derive(Debug, Clone, Copy)]
pub struct UnitPoint {
    /// The part below.
    pub x: f64,
    /// The part above, `1 - x`, computed without subtraction where that matters.
    pub complement: f64,
}

impl UnitPoint {
    /// The shares of `part` and `rest` in their sum.
    pub fn of(part: f64, rest: f64) -> Self {
        Self { x: part / (part + rest), complement: rest / (part + rest) }
    }

    fn swapped(self) -> Self {
        Self { x: self.complement, complement: self.x }
    }
}

/// `I_x(a, b)`, the regularised incomplete beta function, for `a, b > 0`.
pub fn incomplete_beta(a: f64, b: f64, at: UnitPoint) -> f64 {
    if at.x <= 0.0 {
        return 0.0;
    }
    if at.complement <= 0.0 {
        return 1.0;
    }
    if at.x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta_low(b, a, at.swapped());
    }
    incomplete_beta_low(a, b, at)
}

/// The same where the continued fraction converges quickly, `x` at most about `a / (a + b)`.
fn incomplete_beta_low(a: f64, b: f64, at: UnitPoint) -> f64 {
    // x^a (1-x)^b / (a B(a, b)), written with the binomial mass.
    let front = b / (a + b) * binomial_mass(a, a + b, at);
    front * continued_fraction(a, b, at.x)
}

/// The continued fraction of the incomplete beta function, by Lentz's method.
fn continued_fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    const MOST_TERMS: u32 = 100_000;
    let away_from_zero = |v: f64| if v.abs() < TINY { TINY } else { v };
    let mut c = 1.0;
    let mut d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut value = d;
    for m in 1..MOST_TERMS {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for term in [even, odd] {
            d = 1.0 / away_from_zero(1.0 + term * d);
            c = away_from_zero(1.0 + term / c);
            change = c * d;
            value *= change;
        }
        if (change - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    value
}

/// The binomial mass `C(n, k) x^k (1-x)^(n-k)`, for real `0 <= k <= n`.
pub fn binomial_mass(k: f64, n: f64, at: UnitPoint) -> f64 {
    if k == 0.0 {
        return libm::exp(n * log_of_complement(at));
    }
    if k == n {
        return libm::exp(n * log_of_complement(at.swapped()));
    }
    let exponent = stirling_error(n)
        - stirling_error(k)
        - stirling_error(n - k)
        - deviance(k, n * at.x)
        - deviance(n - k, n * at.complement);
    libm::exp(exponent) * (n / (2.0 * PI * k * (n - k))).sqrt()
}

/// `ln(1 - x)`, from whichever of the two parts is small.
fn log_of_complement(at: UnitPoint) -> f64 {
    if at.x < 0.5 { libm::log1p(-at.x) } else { libm::log(at.complement) }
}

/// `ln Gamma(n + 1)` less Stirling's formula for it.
fn stirling_error(n: f64) -> f64 {
    if n < 16.0 {
        return libm::lgamma(n + 1.0) - (n + 0.5) * libm::log(n) + n - 0.5 * (2.0 * PI).ln();
    }
    let nn = n * n;
    let series =
        1.0 / 360.0 - (1.0 / 1260.0 - (1.0 / 1680.0 - (1.0 / 1188.0 - 691.0 / 360360.0 / nn) / nn) / nn) / nn;
    (1.0 / 12.0 - series / nn) / n
}

/// `k ln(k / m) + m - k`, without cancellation when `k` is near `m`.
fn deviance(k: f64, m: f64) -> f64 {
    if (k - m).abs() >= 0.1 * (k + m) {
        return k * libm::log(k / m) + m - k;
    }
    let v = (k - m) / (k + m);
    let mut sum = (k - m) * v;
    let mut power = 2.0 * k * v;
    for j in 1..1000 {
        power *= v * v;
        let next = sum + power / f64::from(2 * j + 1);
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}

/// The `x` with `I_x(a, b) = probability`.
pub fn beta_quantile(probability: f64, a: f64, b: f64) -> f64 {
    root(|x| incomplete_beta(a, b, UnitPoint { x, complement: 1.0 - x }) - probability, (0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(a: f64, b: f64, x: f64, expected: f64) {
        let found = incomplete_beta(a, b, UnitPoint { x, complement: 1.0 - x });
        assert!((found / expected - 1.0).abs() < 2e-13, "I_{x}({a}, {b}) = {found:e}, expected {expected:e}");
    }

    /// Expected values by mpmath at 50 digits.
    #[test]
    fn values_agree_with_high_precision() {
        check(5.0, 4.0, 0.3, 0.05796764999999999);
        check(22.5, 0.5, 0.97, 0.24430864578433575);
        check(22.5, 2.5, 0.2, 1.1871869239899575e-14);
        check(0.5, 0.5, 0.01, 0.06376856085851985);
        check(75.0, 26.0, 0.7, 0.1631301044663515);
        check(500.0, 500.0, 0.45, 0.0007636789395265001);
        check(50000.0, 50001.0, 0.5, 0.5012615631070984);
        check(50000.0, 50001.0, 0.49, 1.290651428688758e-10);
        check(100000.0, 0.5, 0.99999, 0.1572986881624258);
        check(4.5, 0.5, 0.0001, 2.5870052268966847e-19);
    }

    #[test]
    fn the_ends_are_exact() {
        assert_eq!(incomplete_beta(2.0, 3.0, UnitPoint { x: 0.0, complement: 1.0 }), 0.0);
        assert_eq!(incomplete_beta(2.0, 3.0, UnitPoint { x: 1.0, complement: 0.0 }), 1.0);
    }

    #[test]
    fn the_masses_of_a_binomial_add_up() {
        let at = UnitPoint { x: 0.3, complement: 0.7 };
        let total: f64 = (0..=40).map(|k| binomial_mass(f64::from(k), 40.0, at)).sum();
        assert!((total - 1.0).abs() < 1e-14);
    }
}
