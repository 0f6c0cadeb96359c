//! Prediction intervals: how many hits one more list like these will hold.
//!
//! The expected number of hits in lists of a given length has a confidence interval, which shrinks as the sample grows. The number of
//! hits in the *next* list varies on top of that, however well its expectation is known. Both sources are of the same kind: the
//! next list is a sample of cases too, and varies like this one at its own size.
//!
//! Where few hits or few misses are expected, whole ends inside of that interval leave out counts that are not rare: ends are moved
//! outwards until the binomial tail beyond each of them is no more than its share of the level.
//!
//! Reference: Krishnamoorthy & Peng (2011), "Improved closed-form prediction intervals for binomial and Poisson distributions":
//! both samples estimate the share together.

use tribunal_tails::{UnitPoint, binomial_mass};

use crate::intervals::{Interval, IntervalMethod, Level};

/// With fewer expected hits, or misses, single counts matter.
const FEW: f64 = 25.0;

/// The number of hits among `m` cases of which a share `f` was found among `n` cases.
///
/// The ends are the solutions of `(y - m f)² = z² m/n (n + m) p (1 - p)` with `p = (n f + y)/(n + m)`; where no case or every case
/// was a hit, half a case less or more.
pub(super) fn next_count(level: Level, f: f64, n: f64, m: f64) -> Interval {
    let half = (0.5 / n).min(0.5);
    let f = f.clamp(half, 1.0 - half);
    let (found, both) = (n * f, n + m);
    let k = level.z().powi(2) * m / (n * both);
    // (1 + k) y² - 2 b y + c = 0
    let b = m * f + k * (both - 2.0 * found) / 2.0;
    let c = (m * f).powi(2) - k * found * (both - found);
    let root = (b * b - (1.0 + k) * c).max(0.0).sqrt();
    let end = |root: f64| ((b + root) / (1.0 + k)).clamp(0.0, m);
    Interval { lower: end(-root), upper: end(root), level, method: IntervalMethod::PredictedCount }
}

/// The whole numbers of hits from `next` on outwards whose tails are rare among so many cases, each a hit with a chance of `f`.
pub(super) fn holding_few_hits(next: Interval, f: f64, cases: f64) -> Interval {
    if cases * f.min(1.0 - f) >= FEW {
        return next;
    }
    if f > 0.5 {
        // Misses are as rare as hits are frequent.
        let misses = Interval { lower: cases - next.upper, upper: cases - next.lower, ..next };
        let misses = holding_few_hits(misses, 1.0 - f, cases);
        return Interval { lower: cases - misses.upper, upper: cases - misses.lower, ..next };
    }
    let tail = next.level.alpha() / 2.0;
    let mass = |k: f64| binomial_mass(k, cases, UnitPoint::of(f, 1.0 - f));
    let Interval { mut lower, mut upper, .. } = next;
    let up_to = |end: f64| (0..=end as u64).map(|k| mass(k as f64)).sum::<f64>();
    while upper < cases && 1.0 - up_to(upper) > tail {
        upper += 1.0;
    }
    while lower > 0.0 && up_to(lower - 1.0) > tail {
        lower -= 1.0;
    }
    Interval { lower, upper, ..next }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_to_come_varies_more_than_its_expectation() {
        let level = Level::P95;
        let next = next_count(level, 0.3, 200.0, 200.0);
        let expected = level.wilson(0.3, 200.0, level.z()).times(200.0);
        assert!(next.lower < expected.lower && next.upper > expected.upper);
        // Of a very long list the chance of the list itself is nothing: Wilson's interval is left.
        let (long, wilson) = (next_count(level, 0.3, 200.0, 1e12), level.wilson(0.3, 200.0, level.z()));
        assert!(
            (long.lower / 1e12 - wilson.lower).abs() < 1e-6
                && (long.upper / 1e12 - wilson.upper).abs() < 1e-6
        );
        // Of a very large sample the chance of the list is all there is.
        let (known, sd) = (next_count(level, 0.3, 1e12, 400.0), (400.0 * 0.21_f64).sqrt());
        assert!((known.upper - (120.0 + level.z() * sd)).abs() < 0.5);
    }

    /// Of known chances, the whole ends hold as often as they say, however short the list is.
    #[test]
    fn short_lists_are_held_as_often_as_long_ones() {
        for cases in [1.0, 2.0, 3.0, 5.0, 12.0, 40.0] {
            for f in [0.004, 0.04, 0.1, 0.2, 0.3, 0.5, 0.8, 0.99] {
                let next = next_count(Level::P95, f, 5000.0, cases);
                let next = Interval { lower: next.lower.ceil(), upper: next.upper.floor(), ..next };
                let next = holding_few_hits(next, f, cases);
                let held: f64 = (next.lower as u64..=next.upper as u64)
                    .map(|k| binomial_mass(k as f64, cases, UnitPoint::of(f, 1.0 - f)))
                    .sum();
                assert!(held >= 0.949, "{next:?} of {cases} with {f} holds {held}");
                assert!(next.lower.fract() == 0.0 && next.upper.fract() == 0.0 && next.upper <= cases);
            }
        }
    }

    #[test]
    fn counts_stay_within_the_list() {
        for f in [0.0, 1.0] {
            let next = next_count(Level::P95, f, 50.0, 20.0);
            assert!(next.lower >= 0.0 && next.upper <= 20.0 && next.upper > next.lower);
        }
    }

    /// Roots of the pivot, found by scipy (`tests/reference/make_decisions_reference.py`).
    #[test]
    fn ends_are_roots_of_the_pivot() {
        for (f, n, m, lower, upper) in [
            (0.0, 200.0, 200.0, 0.0, 5.109314030329356),
            (0.0, 50.0, 1000.0, 0.6412521514023348, 89.51776057622645),
            (0.05, 200.0, 200.0, 3.0389719348589006, 20.385454025487842),
            (0.305, 200.0, 200.0, 43.76504382400754, 79.7188740921427),
            (0.305, 2000.0, 20.0, 2.051819780414436, 10.16316162408306),
            (1.0, 50.0, 1000.0, 910.4822394237735, 999.3587478485977),
        ] {
            let next = next_count(Level::P95, f, n, m);
            assert!(
                (next.lower - lower).abs() < 1e-9 * m && (next.upper - upper).abs() < 1e-9 * m,
                "{next:?}"
            );
        }
    }
}
