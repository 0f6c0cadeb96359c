//! Compensated summation (Neumaier 1974).
//!
//! Sums over 10⁸ weighted rows must agree with an independent implementation to the last digits that
//! make sense, so every long sum of reals goes through [`Sum`].

/// A running sum that carries its rounding error along.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sum {
    total: f64,
    error: f64,
}

impl Sum {
    /// Adds one term.
    #[inline]
    pub(crate) fn add(&mut self, term: f64) {
        let next = self.total + term;
        self.error += if self.total.abs() >= term.abs() {
            (self.total - next) + term
        } else {
            (term - next) + self.total
        };
        self.total = next;
    }

    /// The sum so far.
    #[inline]
    pub(crate) fn value(self) -> f64 {
        self.total + self.error
    }
}

impl Extend<f64> for Sum {
    fn extend<I: IntoIterator<Item = f64>>(&mut self, terms: I) {
        terms.into_iter().for_each(|term| self.add(term));
    }
}

impl FromIterator<f64> for Sum {
    fn from_iter<I: IntoIterator<Item = f64>>(terms: I) -> Self {
        let mut sum = Self::default();
        sum.extend(terms);
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_what_plain_addition_loses() {
        let terms = [1.0, 1e100, 1.0, -1e100];
        assert_eq!(terms.iter().sum::<f64>(), 0.0);
        assert_eq!(terms.into_iter().collect::<Sum>().value(), 2.0);
    }
}
