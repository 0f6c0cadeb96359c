//! The distribution of the studentized range: how far apart the largest and smallest of several means lie, in standard
//! errors, when all of them are equal.
//!
//! Tukey's, Duncan's and Nemenyi's tests all rest on it. Both tails are integrals of positive terms, so neither is
//! one minus the other and the far tail keeps its digits. The terms decay smoothly to nothing on both sides, and for
//! such functions the plain trapezoidal rule converges faster than any power of its step, Gauss-Legendre included.
//!
//! - The range `w` of `k` standard normals is above or below a bound by an integral over the largest of them; centred at
//!   `w / 2`, every node and its mirror image share one `erfc`, and one sweep of multiplications serves every `k`.
//! - Dividing by an estimated standard deviation is an integral over `ln w` with weights that depend on `q` only by a
//!   shift. The inner integrals are kept, so a second `q`, another `k` or the next step of a root costs next to nothing.
//!
//! References: Tukey (1953), "The problem of multiple comparisons"; Copenhaver & Holland (1988) for the integrals;
//! Trefethen & Weideman (2014), "The exponentially convergent trapezoidal rule".

use std::collections::HashMap;
use std::f64::consts::SQRT_2;

use crate::checks::within;
use crate::error::Error;
use tribunal_tails::{normal_density, root};

/// The natural logarithm of what is left out at each end of an integral, relative to the whole.
const NEGLIGIBLE: f64 = 42.0;
/// Beyond so many standard deviations from its middle the inner integrand is negligible.
const REACH: f64 = 9.5;

/// The distribution of the studentized range for 2 up to `max_means` means and one number of degrees of freedom.
///
/// Keeps its inner integrals, so that many questions about the same degrees of freedom cost little more than one.
///
/// ```
/// use tribunal_eval::significance::StudentizedRange;
///
/// let mut range = StudentizedRange::new(10, 60.0)?;
/// assert!((range.cdf(4.0, 10)? - 0.849542191).abs() < 1e-9);
/// let mut known_variance = StudentizedRange::new(5, f64::INFINITY)?;
/// assert!((known_variance.sf(9.0, 5)? / 1.965121137391232e-9 - 1.0).abs() < 1e-13);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct StudentizedRange {
    max_means: usize,
    scale: Option<Scale>,
    ranges: HashMap<i64, NormalRange>,
}

impl StudentizedRange {
    /// The distribution for up to `max_means` means; infinite `df` means that the variance is known.
    ///
    /// **Undefined when** there are fewer than two means or less than one degree of freedom.
    pub fn new(max_means: usize, df: f64) -> Result<Self, Error> {
        within("the number of means", max_means as f64, max_means >= 2, "at least 2")?;
        within("the degrees of freedom", df, df >= 1.0, "at least 1, or infinity")?;
        let scale = df.is_finite().then(|| Scale::new(max_means, df));
        Ok(Self { max_means, scale, ranges: HashMap::new() })
    }

    /// The lower tail `P(Q <= q)` for `n_means` means.
    ///
    /// **Definition** `int f(s) W(q s) ds`, where `f` is the density of the estimated standard deviation,
    /// `chi / sqrt(df)`, and `W(w) = k int phi(z) [Phi(z) - Phi(z - w)]^(k-1) dz` for `k` means.
    ///
    /// **Undefined when** `n_means` is below 2 or above what the distribution was made for, or `q` is NaN.
    ///
    /// **Reference** Tukey (1953).
    pub fn cdf(&mut self, q: f64, n_means: usize) -> Result<f64, Error> {
        self.tail(q, n_means, Side::Lower)
    }

    /// The upper tail `P(Q > q)` for `n_means` means, exact also where it is tiny.
    ///
    /// **Definition** as [`cdf`](Self::cdf), with `k int phi(z) {Phi(z)^(k-1) - [Phi(z) - Phi(z - w)]^(k-1)} dz` for
    /// the inner integral.
    ///
    /// **Undefined when** `n_means` is below 2 or above what the distribution was made for, or `q` is NaN.
    ///
    /// **Reference** Tukey (1953).
    pub fn sf(&mut self, q: f64, n_means: usize) -> Result<f64, Error> {
        self.tail(q, n_means, Side::Upper)
    }

    /// The `q` with `P(Q <= q) = probability` for `n_means` means.
    ///
    /// **Definition** the inverse of [`cdf`](Self::cdf).
    ///
    /// **Undefined when** the probability is not strictly between 0 and 1, or `n_means` is out of range.
    ///
    /// **Example**
    /// ```
    /// use tribunal_eval::significance::StudentizedRange;
    /// let mut range = StudentizedRange::new(6, 45.0)?;
    /// assert!((range.quantile(0.95, 6)? - 4.208669).abs() < 1e-6);
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    ///
    /// **Reference** Tukey (1953).
    pub fn quantile(&mut self, probability: f64, n_means: usize) -> Result<f64, Error> {
        let usable = probability > 0.0 && probability < 1.0;
        within("the probability", probability, usable, "a number between 0 and 1")?;
        self.check_means(n_means)?;
        Ok(if probability > 0.5 {
            self.inverse(1.0 - probability, n_means, Side::Upper)
        } else {
            self.inverse(probability, n_means, Side::Lower)
        })
    }

    fn check_means(&self, n_means: usize) -> Result<(), Error> {
        let usable = (2..=self.max_means).contains(&n_means);
        within("the number of means", n_means as f64, usable, "from 2 to what the distribution was made for")
            .map(drop)
    }

    fn tail(&mut self, q: f64, n_means: usize, side: Side) -> Result<f64, Error> {
        self.check_means(n_means)?;
        within("the studentized range", q, !q.is_nan(), "a number")?;
        if q <= 0.0 {
            return Ok(side.of_nothing());
        }
        if q == f64::INFINITY {
            return Ok(1.0 - side.of_nothing());
        }
        Ok(self.positive_tail(q, n_means, side))
    }

    /// A tail at a finite `q > 0`.
    fn positive_tail(&mut self, q: f64, n_means: usize, side: Side) -> f64 {
        let Some(scale) = &self.scale else {
            return NormalRange::new(q, self.max_means).tail(n_means, side);
        };
        let max_means = self.max_means;
        let (log_q, mut sum, mut total) = (libm::log(q), 0.0, 0.0);
        for node in scale.nodes(q, side, n_means) {
            let log_w = node as f64 * scale.step;
            let new = || NormalRange::new(libm::exp(log_w), max_means);
            let weight = scale.weight(log_w - log_q);
            sum += weight * self.ranges.entry(node).or_insert_with(new).tail(n_means, side);
            total += weight;
        }
        // Dividing by the sum of the weights spares the gamma function and its rounding.
        (sum / total).min(1.0)
    }

    /// The `q` at which a tail has the given probability.
    fn inverse(&mut self, probability: f64, n_means: usize, side: Side) -> f64 {
        let target = libm::log(probability);
        let mut excess = |log_q: f64| libm::log(self.positive_tail(libm::exp(log_q), n_means, side)) - target;
        let too_small = |excess: f64| (excess < 0.0) == (side == Side::Lower);
        // From q = 3 outwards until the signs differ.
        let (mut near, mut far) = (3f64.ln(), 3f64.ln());
        let upwards = too_small(excess(near));
        while too_small(excess(far)) == upwards && far.abs() < 300.0 {
            near = far;
            far += if upwards { 0.25 } else { -0.25 };
        }
        libm::exp(root(excess, (near, far)))
    }
}

/// Which tail of a distribution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Lower,
    Upper,
}

impl Side {
    /// The tail at a range of zero.
    fn of_nothing(self) -> f64 {
        if self == Side::Lower { 0.0 } else { 1.0 }
    }
}

/// The trapezoidal rule over the logarithm of the estimated standard deviation.
#[derive(Debug, Clone)]
struct Scale {
    df: f64,
    step: f64,
    /// How far below and above its peak the density of the logarithm is not negligible.
    below: f64,
    above: f64,
}

impl Scale {
    fn new(max_means: usize, df: f64) -> Self {
        let step = (0.5 / (2.0 * df).sqrt()).min(0.125 / (max_means as f64).powf(0.25));
        Self { df, step, below: reach_below(df), above: reach_above(df) }
    }

    /// The weight of a node at `y`, the logarithm of the estimated over the true standard deviation, up to a factor.
    fn weight(&self, y: f64) -> f64 {
        libm::exp(self.df * (y - 0.5 * libm::expm1(2.0 * y)))
    }

    /// The nodes in `ln w` that matter for a tail at `q`.
    fn nodes(&self, q: f64, side: Side, n_means: usize) -> std::ops::RangeInclusive<i64> {
        // In the far tails most of the probability comes from a small or a large estimate of the standard deviation.
        let (lower_shift, upper_shift) = match side {
            Side::Upper => (0.5 * libm::log1p((0.5 * q * q + 2.0) / self.df), 0.0),
            Side::Lower => (0.0, 0.5 * libm::log1p((n_means as f64 - 1.0) / self.df)),
        };
        let log_q = libm::log(q);
        let first = (log_q - lower_shift - self.below) / self.step;
        let last = (log_q + upper_shift + self.above) / self.step;
        (first.floor() as i64)..=(last.ceil() as i64)
    }
}

/// The `t` with `df (t - (1 - exp(-2t)) / 2) = NEGLIGIBLE`: below `-t` the density of the logarithm is negligible.
fn reach_below(df: f64) -> f64 {
    let goal = NEGLIGIBLE / df;
    // Convex, so Newton's steps from above stay above.
    (0..40).fold(goal.sqrt() + goal + 0.5, |t, _| {
        t - (t + 0.5 * libm::expm1(-2.0 * t) - goal) / -libm::expm1(-2.0 * t)
    })
}

/// The `t` with `df ((exp(2t) - 1) / 2 - t) = NEGLIGIBLE`: above `t` the density of the logarithm is negligible.
fn reach_above(df: f64) -> f64 {
    let goal = NEGLIGIBLE / df;
    (0..40).fold(goal.sqrt(), |t, _| t - (0.5 * libm::expm1(2.0 * t) - t - goal) / libm::expm1(2.0 * t))
}

/// Both tails of the range of 2, 3, … standard normals at one bound.
#[derive(Debug, Clone)]
struct NormalRange {
    cdf: Vec<f64>,
    sf: Vec<f64>,
}

impl NormalRange {
    fn new(w: f64, max_means: usize) -> Self {
        let mut tails = Self { cdf: vec![0.0; max_means - 1], sf: vec![0.0; max_means - 1] };
        // With many means the integrand is about as narrow as their number's root.
        let step = (0.7 / (max_means as f64).sqrt()).min(0.35);
        let n = (REACH / step).ceil() as i32;
        for node in 0..=n {
            tails.add_pair(w / 2.0, f64::from(node) * step, if node == 0 { 0.5 * step } else { step });
        }
        tails
    }

    /// Adds the nodes at `t` above and below the middle `half`.
    fn add_pair(&mut self, half: f64, t: f64, step: f64) {
        let (upper, lower) = (Normal::at(half + t), Normal::at(half - t));
        // The probability of lying within the range, the same for both nodes; taken where neither part is near one.
        let inside = lower.below - upper.above;
        self.add(step * normal_density(half + t), upper.below, lower.above, inside);
        self.add(step * normal_density(half - t), lower.below, upper.above, inside);
    }

    /// Adds one node: the largest value has `below` under it, `outside` of it further than the range.
    fn add(&mut self, weight: f64, below: f64, outside: f64, inside: f64) {
        // inside^(k-1) and below^(k-1) - inside^(k-1), each from its predecessor without a subtraction.
        let (mut within, mut beyond) = (inside, outside);
        for (index, (cdf, sf)) in self.cdf.iter_mut().zip(&mut self.sf).enumerate() {
            let k = (index + 2) as f64;
            *cdf += k * weight * within;
            *sf += k * weight * beyond;
            beyond = below * beyond + outside * within;
            within *= inside;
        }
    }

    fn tail(&self, n_means: usize, side: Side) -> f64 {
        match side {
            // Wide ranges leave the bulk of the lower tail's integrand out of reach, but then this loses nothing.
            Side::Lower if self.sf[n_means - 2] < 0.5 => 1.0 - self.sf[n_means - 2],
            Side::Lower => self.cdf[n_means - 2],
            Side::Upper => self.sf[n_means - 2],
        }
    }
}

/// Both tails of a standard normal.
struct Normal {
    below: f64,
    above: f64,
}

impl Normal {
    fn at(z: f64) -> Self {
        let small = 0.5 * libm::erfc(z.abs() / SQRT_2);
        if z < 0.0 {
            Self { below: small, above: 1.0 - small }
        } else {
            Self { below: 1.0 - small, above: small }
        }
    }
}

/// The lower tail `P(Q <= q)` of the studentized range of `n_means` means with `df` degrees of freedom.
///
/// **Definition** see [`StudentizedRange::cdf`]; infinite `df` means that the variance is known.
///
/// **Undefined when** there are fewer than two means, less than one degree of freedom, or `q` is NaN.
///
/// **Example**
/// ```
/// use tribunal_eval::significance::studentized_range_cdf;
/// assert!((studentized_range_cdf(3.5, 5, 20.0)? - 0.863497648).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** Tukey (1953).
pub fn studentized_range_cdf(q: f64, n_means: usize, df: f64) -> Result<f64, Error> {
    StudentizedRange::new(n_means, df)?.cdf(q, n_means)
}

/// The upper tail `P(Q > q)` of the studentized range of `n_means` means with `df` degrees of freedom.
///
/// **Definition** see [`StudentizedRange::sf`]; infinite `df` means that the variance is known.
///
/// **Undefined when** there are fewer than two means, less than one degree of freedom, or `q` is NaN.
///
/// **Example**
/// ```
/// use tribunal_eval::significance::studentized_range_sf;
/// let p = studentized_range_sf(5.0, 20, f64::INFINITY)?;
/// assert!((p - 0.0513646635791336).abs() < 1e-15);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** Tukey (1953).
pub fn studentized_range_sf(q: f64, n_means: usize, df: f64) -> Result<f64, Error> {
    StudentizedRange::new(n_means, df)?.sf(q, n_means)
}

/// The quantile of the studentized range of `n_means` means with `df` degrees of freedom.
///
/// **Definition** the `q` with `P(Q <= q) = probability`.
///
/// **Undefined when** the probability is not strictly between 0 and 1, there are fewer than two means, or less than one
/// degree of freedom.
///
/// **Example**
/// ```
/// use tribunal_eval::significance::studentized_range_quantile;
/// assert!((studentized_range_quantile(0.95, 10, f64::INFINITY)? - 4.474124).abs() < 1e-6);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** Tukey (1953).
pub fn studentized_range_quantile(probability: f64, n_means: usize, df: f64) -> Result<f64, Error> {
    StudentizedRange::new(n_means, df)?.quantile(probability, n_means)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relative(found: f64, expected: f64, tolerance: f64) {
        assert!((found / expected - 1.0).abs() <= tolerance, "{found:e}, expected {expected:e}");
    }

    /// Lower tails as published with nine decimals.
    #[test]
    fn the_published_tails_and_quantiles() {
        for (q, n_means, df, expected) in [
            (3.0, 3, 10.0, 0.865016585),
            (3.5, 5, 20.0, 0.863497648),
            (4.0, 10, 60.0, 0.849542191),
            (2.5, 2, 5.0, 0.862657874),
            (5.0, 20, 207.0, 0.940842634),
            (3.77, 26, 225.0, 0.414358421),
        ] {
            let cdf = studentized_range_cdf(q, n_means, df).expect("a range");
            assert!((cdf - expected).abs() <= 5.01e-10, "{cdf}, expected {expected}");
        }
        for (n_means, df, expected) in
            [(6, 45.0, 4.208669), (3, 10.0, 3.876777), (10, f64::INFINITY, 4.474124)]
        {
            let q = studentized_range_quantile(0.95, n_means, df).expect("a probability");
            assert!((q - expected).abs() <= 5.01e-7, "{q}, expected {expected}");
        }
    }

    /// Upper tails by Gauss-Legendre quadrature at 34 to 140 digits.
    #[test]
    fn upper_tails_keep_their_digits() {
        for (q, n_means, df, expected) in [
            (2.5, 2, 5.0, 0.13734212643403468),
            (3.0, 3, 10.0, 0.134983415189564),
            (3.77, 26, 225.0, 0.585641579273588),
            (5.0, 100, 1000.0, 0.4808064836173229),
            (30.0, 20, 10.0, 9.631036595302466e-08),
            (8.0, 100, 2.0, 0.3256874340289333),
            (14.0, 5, 20.0, 3.5035836835239923e-08),
            (5.0, 20, f64::INFINITY, 0.05136466357913357),
            (9.0, 5, f64::INFINITY, 1.965121137391232e-09),
            (0.1, 2, f64::INFINITY, 0.9436280222029834),
            (20.0, 50, f64::INFINITY, 2.5583972901090877e-42),
            (30.0, 10, f64::INFINITY, 3.245847377603043e-98),
        ] {
            relative(studentized_range_sf(q, n_means, df).expect("a range"), expected, 5e-14);
        }
    }

    /// Two means with one degree of freedom: `Q / sqrt 2` is the absolute value of a Cauchy variable.
    #[test]
    fn two_means_have_closed_forms() {
        for q in [0.01, 0.7, 3.0, 17.0, 1e4] {
            let arc = std::f64::consts::FRAC_2_PI * libm::atan2(SQRT_2, q);
            relative(studentized_range_sf(q, 2, 1.0).expect("a range"), arc, 1e-13);
            let normal = studentized_range_sf(q, 2, f64::INFINITY).expect("a range");
            assert!((normal - libm::erfc(q / 2.0)).abs() <= 1e-12 * normal, "{normal:e}");
        }
    }

    #[test]
    fn the_tails_add_up_and_the_quantile_inverts_them() {
        for df in [1.0, 2.5, 12.0, 300.0, 1e7, f64::INFINITY] {
            let mut range = StudentizedRange::new(40, df).expect("means and degrees of freedom");
            for n_means in [2, 9, 40] {
                for probability in [1e-6, 0.2, 0.5, 0.9, 0.999999] {
                    let q = range.quantile(probability, n_means).expect("a probability");
                    let (cdf, sf) =
                        (range.cdf(q, n_means).expect("a range"), range.sf(q, n_means).expect("a range"));
                    assert!((cdf + sf - 1.0).abs() < 1e-13, "{df} {n_means} {probability}");
                    // A tiny range is a difference of nearly equal numbers and keeps a few digits less.
                    relative(cdf, probability, if q < 0.01 { 1e-10 } else { 1e-12 });
                }
            }
        }
    }

    #[test]
    fn the_ends_are_exact_and_nonsense_is_refused() {
        let mut range = StudentizedRange::new(5, 10.0).expect("means and degrees of freedom");
        assert_eq!((range.cdf(0.0, 5), range.sf(-1.0, 5)), (Ok(0.0), Ok(1.0)));
        assert_eq!((range.cdf(f64::INFINITY, 5), range.sf(f64::INFINITY, 5)), (Ok(1.0), Ok(0.0)));
        assert!(range.cdf(f64::NAN, 5).is_err());
        assert!(range.cdf(1.0, 6).is_err() && range.cdf(1.0, 1).is_err());
        assert!(range.quantile(1.0, 5).is_err());
        assert!(StudentizedRange::new(1, 10.0).is_err());
        assert!(StudentizedRange::new(5, 0.0).is_err() && StudentizedRange::new(5, f64::NAN).is_err());
    }

    #[test]
    fn what_is_asked_before_does_not_change_the_answer() {
        let mut asked = StudentizedRange::new(20, 30.0).expect("means and degrees of freedom");
        let fresh = asked.clone().sf(4.0, 7).expect("a range");
        for q in [0.3, 2.0, 9.0] {
            asked.cdf(q, 20).expect("a range");
        }
        assert_eq!(asked.sf(4.0, 7), Ok(fresh));
    }
}
