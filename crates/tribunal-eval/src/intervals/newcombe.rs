//! Newcombe's interval of the difference of two independent shares.
//!
//! Reference: Newcombe (1998), "Interval estimation for the difference between independent proportions", method 10.

use super::interval::{Interval, Level};
use super::proportion::{Proportion, wilson};

/// Newcombe's hybrid score interval of `first - second`.
///
/// **Definition** with Wilson's intervals `l1..u1` and `l2..u2` of the shares `p1` and `p2`: from
/// `d - sqrt((p1 - l1)² + (u2 - p2)²)` to `d + sqrt((u1 - p1)² + (p2 - l2)²)` around `d = p1 - p2`.
///
/// **Undefined when** never, once the [`Proportion`]s exist.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::{Level, Proportion, newcombe};
/// // Newcombe's first example: 56 of 70 less 48 of 80.
/// let interval = newcombe(Proportion::new(56.0, 70.0)?, Proportion::new(48.0, 80.0)?, Level::P95);
/// assert!((interval.lower - 0.0524).abs() < 5e-5 && (interval.upper - 0.3339).abs() < 5e-5);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** Newcombe (1998).
pub fn newcombe(first: Proportion, second: Proportion, level: Level) -> Interval {
    let negated = wilson(second, level).times(-1.0);
    wilson(first, level).plus(first.share(), negated, -second.share(), 0.0).clipped(-1.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check((a, n): (f64, f64), (b, m): (f64, f64), lower: f64, upper: f64) {
        let share = |successes, n| Proportion::new(successes, n).expect("a share");
        let found = newcombe(share(a, n), share(b, m), Level::P95);
        assert!((found.lower - lower).abs() < 5e-5 && (found.upper - upper).abs() < 5e-5, "{found:?}");
        let mirrored = newcombe(share(b, m), share(a, n), Level::P95);
        assert!((mirrored.lower + found.upper).abs() < 1e-12 && (mirrored.upper + found.lower).abs() < 1e-12);
    }

    /// Table II of Newcombe (1998), method 10.
    #[test]
    fn the_examples_of_newcombe() {
        check((56.0, 70.0), (48.0, 80.0), 0.0524, 0.3339);
        check((9.0, 10.0), (3.0, 10.0), 0.1705, 0.8090);
        check((6.0, 7.0), (2.0, 7.0), 0.0582, 0.8062);
        check((5.0, 56.0), (0.0, 29.0), -0.0381, 0.1926);
        check((0.0, 10.0), (0.0, 20.0), -0.1611, 0.2775);
        check((10.0, 10.0), (0.0, 10.0), 0.6075, 1.0);
    }
}
