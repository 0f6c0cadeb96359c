//! The tails of Student's t, F, chi-square and the fair binomial.
//!
//! Each is computed as a tail, never as one minus the other side, so that small p values keep their digits; and each
//! takes an infinite statistic, which is what a difference without variance gives. References: Abramowitz & Stegun
//! (1964), 26.4.4-26.4.5 (chi-square with whole degrees of freedom), 26.5.24-26.5.28 (binomial, t and F).

use std::f64::consts::PI;

use crate::incomplete_beta::{UnitPoint, binomial_mass, incomplete_beta};
use crate::root::root;

/// `P(|T| > |t|)` for Student's t.
pub fn t_two_sided(t: f64, df: f64) -> f64 {
    if t.is_infinite() {
        return 0.0;
    }
    incomplete_beta(df / 2.0, 0.5, UnitPoint::of(df, t * t))
}

/// The `t` with `P(T > t) = tail`, for tails up to one half.
pub fn t_quantile(tail: f64, df: f64) -> f64 {
    let target = libm::log(2.0 * tail);
    let excess = |log_t: f64| libm::log(t_two_sided(libm::exp(log_t), df)) - target;
    libm::exp(root(excess, (-40.0, 300.0)))
}

/// `P(F > f)` for the F distribution.
pub fn f_sf(f: f64, df_numerator: f64, df_error: f64) -> f64 {
    if f.is_infinite() {
        return 0.0;
    }
    incomplete_beta(df_error / 2.0, df_numerator / 2.0, UnitPoint::of(df_error, df_numerator * f))
}

/// `P(X > x)` for chi-square with a whole number of degrees of freedom.
pub fn chi_square_sf(x: f64, df: usize) -> f64 {
    let half = x / 2.0;
    if half.is_infinite() {
        return 0.0;
    }
    let odd = df % 2 == 1;
    let first = if odd { libm::erfc(half.sqrt()) } else { libm::exp(-half) };
    // Going from n to n + 2 degrees of freedom adds half^(n/2) exp(-half) / Gamma(n/2 + 1).
    let mut term = if odd { 2.0 * (half / PI).sqrt() * libm::exp(-half) } else { half * libm::exp(-half) };
    let mut sum = first;
    let mut n = if odd { 1.0 } else { 2.0 };
    while n < df as f64 {
        sum += term;
        n += 2.0;
        term *= 2.0 * half / n;
    }
    sum.min(1.0)
}

/// `P(X <= k)` for the number of heads in `n` throws of a fair coin.
pub fn binomial_half_cdf(k: u64, n: u64) -> f64 {
    if k >= n {
        return 1.0;
    }
    incomplete_beta((n - k) as f64, k as f64 + 1.0, UnitPoint { x: 0.5, complement: 0.5 })
}

/// `P(X = k)` for the number of heads in `n` throws of a fair coin.
pub fn binomial_half_mass(k: u64, n: u64) -> f64 {
    binomial_mass(k as f64, n as f64, UnitPoint { x: 0.5, complement: 0.5 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        assert!((found / expected - 1.0).abs() < 1e-12, "{found:e}, expected {expected:e}");
    }

    /// Expected values by mpmath at 40 digits.
    #[test]
    fn tails_keep_their_digits() {
        close(t_two_sided(0.001, 7.0), 0.9992300172449988);
        close(t_two_sided(2.5, 9.0), 0.03386182768298574);
        close(t_two_sided(30.0, 19.0), 1.8097318417250446e-17);
        close(t_two_sided(3.0, 1.0), 0.20483276469913345);
        close(t_two_sided(1000000.0, 4.0), 5.99999999996e-24);
        close(f_sf(11.9, 5.0, 45.0), 2.2953259986106235e-07);
        close(f_sf(0.2, 9.0, 45.0), 0.9929636765959802);
        close(f_sf(100000.0, 2.0, 30.0), 4.369098104367179e-58);
        close(f_sf(60.0, 5.0, 225.0), 1.594557811070779e-39);
        close(chi_square_sf(23.4, 5), 0.00028301473269193956);
        close(chi_square_sf(3.84, 1), 0.050043521248705106);
        close(chi_square_sf(150.0, 4), 2.0357640909741394e-31);
        close(chi_square_sf(0.5, 26), 1.0);
        close(chi_square_sf(40.0, 25), 0.0291643956231523);
        close(binomial_half_cdf(5, 12), 0.38720703125);
        close(binomial_half_cdf(4900, 10000), 0.023292763852473693);
        close(binomial_half_cdf(0, 60), 8.673617379884035e-19);
    }

    #[test]
    fn infinite_statistics_have_no_tail() {
        assert_eq!(t_two_sided(f64::INFINITY, 3.0), 0.0);
        assert_eq!(f_sf(f64::INFINITY, 2.0, 3.0), 0.0);
        assert_eq!(chi_square_sf(f64::INFINITY, 3), 0.0);
    }

    #[test]
    fn statistics_of_zero_have_the_whole_tail() {
        assert_eq!(t_two_sided(0.0, 3.0), 1.0);
        assert_eq!(f_sf(0.0, 2.0, 3.0), 1.0);
        assert_eq!((1..6).map(|df| chi_square_sf(0.0, df)).sum::<f64>(), 5.0);
    }

    #[test]
    fn quantiles_of_t_invert_its_tail() {
        for (tail, df) in [(0.025, 1.0), (0.025, 9.0), (0.1, 19.0), (1e-9, 4.0), (0.5, 4.0)] {
            let t = t_quantile(tail, df);
            assert!((t_two_sided(t, df) / (2.0 * tail) - 1.0).abs() < 1e-12, "tail {tail}, df {df}: {t}");
        }
        close(t_quantile(0.025, 9.0), 2.262_157_162_798_204_6);
    }
}
