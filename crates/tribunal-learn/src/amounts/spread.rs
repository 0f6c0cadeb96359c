//! Where the values of a column lie. Columns are moved to their mean and shrunk to at most one before anything is
//! squared, so that neither 1e300 nor a year of four digits costs a digit.

/// The ends and the mean of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spread {
    min: f64,
    max: f64,
    mean: f64,
}

/// The deviations of equal numbers that were computed in different ways.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

impl Spread {
    /// What nothing was seen of.
    pub(super) const NONE: Spread = Spread { min: f64::INFINITY, max: f64::NEG_INFINITY, mean: 0.0 };

    /// Takes in values, each with its share of the weight of all rows.
    pub(super) fn absorb(self, values: &[f64], shares: &[f64]) -> Spread {
        let both = values.iter().zip(shares);
        both.fold(self, |Spread { min, max, mean }, (&value, share)| Spread {
            min: min.min(value),
            max: max.max(value),
            mean: mean + share * value,
        })
    }

    /// Both together.
    pub(super) fn merge(self, other: &Spread) -> Spread {
        Spread { min: self.min.min(other.min), max: self.max.max(other.max), mean: self.mean + other.mean }
    }

    /// Whether one can compute with these values.
    pub(super) fn is_finite(&self) -> bool {
        self.mean.is_finite() && (self.max - self.min).is_finite()
    }

    /// Whether all values are the same but for rounding.
    pub(super) fn is_constant(&self) -> bool {
        self.max - self.min <= ROUNDING * self.magnitude()
    }

    /// The largest value, whatever its sign.
    pub(super) fn magnitude(&self) -> f64 {
        self.max.abs().max(self.min.abs())
    }

    /// The ends, for messages.
    pub(super) fn ends(&self) -> (f64, f64) {
        (self.min, self.max)
    }

    /// The mean; a sum of rounded shares may leave the values by a few bits.
    pub(super) fn centre(&self) -> f64 {
        self.mean.clamp(self.min, self.max)
    }

    /// The largest deviation from the mean; one where there is none.
    pub(super) fn scale(&self) -> f64 {
        let largest = (self.max - self.centre()).max(self.centre() - self.min);
        if largest > 0.0 { largest } else { 1.0 }
    }

    /// A value as a deviation of at most one.
    pub(super) fn apply(&self, value: f64) -> f64 {
        (value - self.centre()) / self.scale()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(values: &[f64]) -> Spread {
        Spread::NONE.absorb(values, &vec![1.0 / values.len() as f64; values.len()])
    }

    #[test]
    fn deviations_are_at_most_one() {
        for values in
            [vec![1.0, 2.0, 6.0], vec![-1e300, 1e300, 7.0], vec![5e-324, 1e-323], vec![1e9, 1e9 + 1.0]]
        {
            let spread = spread(&values);
            assert!(spread.is_finite() && !spread.is_constant(), "{values:?}");
            assert!(values.iter().all(|&value| spread.apply(value).abs() <= 1.0), "{values:?}");
        }
        assert_eq!((spread(&[1.0, 2.0, 6.0]).centre(), spread(&[1.0, 2.0, 6.0]).scale()), (3.0, 3.0));
    }

    #[test]
    fn what_is_the_same_but_for_rounding_is_constant() {
        for values in [vec![0.1 + 0.2, 0.3], vec![0.1; 7], vec![0.0], vec![1e300; 3]] {
            assert!(spread(&values).is_constant(), "{values:?}");
        }
        assert_eq!(spread(&[0.1; 7]).apply(0.1), 0.0);
    }

    #[test]
    fn what_cannot_be_computed_with_is_told() {
        assert!(!spread(&[-1.7e308, 1.7e308]).is_finite());
        assert!(!spread(&[1.0, f64::NAN]).is_finite());
        assert!(spread(&[1.7e308; 4]).is_finite());
    }
}
