//! Intervals of functions of two independent rates, from an interval of each: square-and-add for sums, and its form for ratios.
//!
//! Donner and Zou (2012) invert the pivotal statement `theta1 - R theta2 = 0` with the variances that the ends of the two intervals
//! imply; unlike the logarithm of a ratio it needs no rate above zero. With few events Wilson's lower end is too high, so its ends are
//! moved out there. References: Zou and Donner (2008); Donner and Zou (2012), "Closed-form confidence intervals for functions of the
//! normal mean and standard deviation"; Newcombe (2013), "Confidence intervals for proportions".

use crate::intervals::{Interval, IntervalMethod, Level};

/// A rate and the ends of its interval.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rate {
    pub(super) value: f64,
    pub(super) lower: f64,
    pub(super) upper: f64,
}

impl Rate {
    /// A share of so many independent cases.
    pub(super) fn of(share: f64, n_cases: f64, level: Level) -> Self {
        let interval = level.edge_wilson(share, n_cases);
        Self { value: share, lower: interval.lower, upper: interval.upper }
    }

    /// The share of the others.
    pub(super) fn complement(self) -> Self {
        Self { value: 1.0 - self.value, lower: 1.0 - self.upper, upper: 1.0 - self.lower }
    }

    /// `offset + slope x`, for a slope of at least zero.
    pub(super) fn scaled(self, slope: f64, offset: f64) -> Self {
        let of = |x: f64| offset + slope * x;
        Self { value: of(self.value), lower: of(self.lower), upper: of(self.upper) }
    }

    /// The ends of the sum of two rates that are known independently.
    pub(super) fn plus(self, other: Self) -> Ends {
        let value = self.value + other.value;
        Ends {
            lower: value - (self.value - self.lower).hypot(other.value - other.lower),
            upper: value + (self.upper - self.value).hypot(other.upper - other.value),
        }
    }

    /// The ends of the share that the first of two rates has in their sum.
    pub(super) fn share_beside(self, other: Self) -> Ends {
        let (ratio, inverse) = (ratio_end(self, other), ratio_end(other, self));
        Ends { lower: ratio / (1.0 + ratio), upper: 1.0 / (1.0 + inverse) }
    }
}

/// The lower end of the ratio of two rates; the upper one is the inverse of that of the inverse ratio.
fn ratio_end(above: Rate, below: Rate) -> f64 {
    let product = above.value * below.value;
    let (low, high) =
        (above.lower * (2.0 * above.value - above.lower), below.upper * (2.0 * below.value - below.upper));
    // The root of `high R² - 2 product R + low` that lies below the estimate, in the form that loses no digits.
    let root = (product * product - low * high).max(0.0).sqrt();
    if low <= 0.0 { 0.0 } else { low / (product + root) }
}

/// Two ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends {
    pub(super) lower: f64,
    pub(super) upper: f64,
}

impl Ends {
    /// Taken through a rising function.
    pub(super) fn mapped(self, of: impl Fn(f64) -> f64) -> Self {
        Self { lower: of(self.lower), upper: of(self.upper) }
    }

    pub(super) fn interval(self, level: Level) -> Interval {
        Interval { lower: self.lower, upper: self.upper, level, method: IntervalMethod::SquareAndAdd }
    }
}
