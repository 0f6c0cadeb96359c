//! The test of an estimate whose standard error is known from elsewhere: permutations, or a jackknife.

use tribunal_tails::t_two_sided;

/// The two-sided p value of a difference with a standard error that rests on so many degrees of freedom.
///
/// **Definition** twice the tail of Student's distribution beyond `|difference| / standard_error`. Without a standard error
/// `p = 1` if the difference is 0, else `p = 0`.
///
/// **Undefined when** never; what is not a number has `p = 1`.
///
/// **Example**
/// ```
/// use tribunal_eval::significance::standardised_p;
/// assert!((standardised_p(1.96, 1.0, 1e6) - 0.05).abs() < 1e-4);
/// assert_eq!([standardised_p(0.0, 0.0, 5.0), standardised_p(0.1, 0.0, 5.0)], [1.0, 0.0]);
/// ```
///
/// **Reference** Student (1908).
pub fn standardised_p(difference: f64, standard_error: f64, df: f64) -> f64 {
    if !difference.is_finite() || !standard_error.is_finite() || difference == 0.0 {
        return 1.0;
    }
    if standard_error <= 0.0 { 0.0 } else { t_two_sided(difference / standard_error, df.max(1.0)) }
}

/// A standardised value of a skewed distribution as one of the normal distribution with the same tail.
///
/// **Definition** Wilson and Hilferty's cube root for Pearson's type III distribution of skewness `g`:
/// `6/g ((1 + g z / 2)^(1/3) - 1) + g/6`. Without skewness the value stays.
///
/// **Undefined when** never.
///
/// **Example**
/// ```
/// use tribunal_eval::significance::without_skewness;
/// assert_eq!(without_skewness(3.0, 0.0), 3.0);
/// // Beyond 3 lies more of a distribution with a long right tail, so 3 is less remarkable there.
/// assert!((without_skewness(3.0, 0.5) - 2.544).abs() < 1e-3);
/// ```
///
/// **Reference** Wilson & Hilferty (1931).
pub fn without_skewness(z: f64, skewness: f64) -> f64 {
    if skewness.abs() < 1e-6 || !skewness.is_finite() {
        return z;
    }
    6.0 / skewness * ((1.0 + skewness * z / 2.0).cbrt() - 1.0) + skewness / 6.0
}
