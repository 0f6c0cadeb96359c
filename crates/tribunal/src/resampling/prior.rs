//! Probabilities of a model that learned at one base rate, for use at another (Saerens, Latinne and Decaestecker 2002;
//! Elkan 2001).

use crate::error::{Error, ErrorKind};

/// From the base rate of the training rows to that of the rows in use.
///
/// ```
/// use tribunal::resampling::PriorShift;
///
/// let shift = PriorShift { trained_at: 0.5, used_at: 0.1 };
/// assert!((shift.correct(0.6)? - 1.0 / 7.0).abs() < 1e-15);
/// # Ok::<(), tribunal::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PriorShift {
    /// The share of positives that the model learned from.
    pub trained_at: f64,
    /// The share of positives where it is used.
    pub used_at: f64,
}

impl PriorShift {
    /// The probability of a case that the model gave probability `p`.
    ///
    /// # Errors
    /// A base rate is not strictly between 0 and 1, or `p` is no probability ([`ErrorKind::BadShare`]).
    pub fn correct(&self, p: f64) -> Result<f64, Error> {
        let Self { trained_at: b, used_at: u } = *self;
        let is_rate = |rate: f64| rate > 0.0 && rate < 1.0;
        if !is_rate(b) || !is_rate(u) || !(0.0..=1.0).contains(&p) {
            let words = format!(
                "probability {p} from base rate {b} to {u}: base rates lie between 0 and 1 without the ends, \
                 probabilities with them"
            );
            return Err(Error::new(ErrorKind::BadShare, words));
        }
        Ok(u * (p - p * b) / (b - p * b + u * p - b * u))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn golden_corrections() {
        let check = |trained_at, used_at, p, expected: f64| {
            let found = PriorShift { trained_at, used_at }.correct(p).expect("a probability");
            assert!((found - expected).abs() < 5e-10, "{found}");
        };
        check(0.5, 0.1, 0.6, 0.142857143);
        check(0.2831, 0.05, 0.3, 0.054033616);
    }

    #[test]
    fn impossible_rates_are_refused() {
        for (trained_at, used_at, p) in
            [(0.0, 0.5, 0.5), (0.5, 1.0, 0.5), (0.5, 0.5, 1.1), (f64::NAN, 0.5, 0.5)]
        {
            assert!(PriorShift { trained_at, used_at }.correct(p).is_err());
        }
    }

    proptest! {
        #[test]
        fn there_and_back_is_the_same(b in 0.01f64..0.99, u in 0.01f64..0.99, p in 0.0f64..=1.0) {
            let there = PriorShift { trained_at: b, used_at: u }.correct(p).expect("a probability");
            let back = PriorShift { trained_at: u, used_at: b }.correct(there).expect("a probability");
            prop_assert!((back - p).abs() < 1e-9, "{back}");
            let unmoved = PriorShift { trained_at: b, used_at: b }.correct(p).expect("a probability");
            prop_assert!((unmoved - p).abs() < 1e-12, "{unmoved}");
        }
    }
}
