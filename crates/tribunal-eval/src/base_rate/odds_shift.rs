//! Probabilities at another base rate, and probabilities of models that were trained on weighted or sampled rows.
//!
//! All of these multiply the odds by one factor (Elkan 2001, theorem 2; Saerens et al. 2002, equation 2.4).

use serde::{Deserialize, Serialize};

use super::check_base_rate;
use crate::checks::within;
use crate::error::Error;
use crate::undefined::Undefined;

/// By how much the rows of each class were weighted, or which share of them was kept.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClassFactors {
    /// Of the positives.
    pub positive: f64,
    /// Of the negatives.
    pub negative: f64,
}

/// A factor on the odds of a probability.
///
/// **Definition** · `p' = p k / (p k + 1 - p)`. From base rate `b` to `b'` the factor is `k = [b' / (1 - b')] / [b / (1 - b)]`, which
/// is Elkan's `b' (p - p b) / (b - p b + b' p - b b')`. Of a model that was trained with weights `w+` and `w-` - or on samples that
/// kept those shares of the classes - the factor that takes them back is `w- / w+`.
///
/// **Undefined when** a base rate is not strictly between 0 and 1, or a weight is not above 0.
///
/// **Example**
/// ```
/// use tribunal_eval::base_rate::{ClassFactors, OddsShift};
///
/// let shift = OddsShift::between(0.5, 0.1)?;
/// assert!((shift.of(0.6) - 0.142857143).abs() < 1e-9);
/// // A leaf with three positives of weight 5 and seven negatives of weight 1 states 0.68; three of ten are positive.
/// let weights = OddsShift::undoing(ClassFactors { positive: 5.0, negative: 1.0 })?;
/// assert!((weights.of(0.681818182) - 0.3).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** · Elkan 2001; Saerens, Latinne and Decaestecker 2002
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OddsShift {
    factor: f64,
}

impl OddsShift {
    /// From the base rate at which probabilities are right to another one.
    ///
    /// # Errors
    /// A base rate is not strictly between 0 and 1.
    pub fn between(from: f64, to: f64) -> Result<Self, Error> {
        let odds = |base_rate: f64| check_base_rate(base_rate).map(|rate| rate / (1.0 - rate));
        Self::by(odds(to)? / odds(from)?)
    }

    /// Takes back what weights or sampling of the training rows did to probabilities.
    ///
    /// # Errors
    /// A weight or share is not above 0.
    pub fn undoing(factors: ClassFactors) -> Result<Self, Error> {
        let usable =
            |what, factor: f64| within(what, factor, factor > 0.0 && factor.is_finite(), "more than 0");
        let positive = usable("the weight of the positives", factors.positive)?;
        Self::by(usable("the weight of the negatives", factors.negative)? / positive)
    }

    /// Rates so extreme that their odds are no number any more shift nothing.
    fn by(factor: f64) -> Result<Self, Error> {
        let is_usable = factor > 0.0 && factor.is_finite();
        within("the factor on the odds", factor, is_usable, "more than 0").map(|factor| Self { factor })
    }

    /// The factor on the odds.
    pub fn factor(self) -> f64 {
        self.factor
    }

    /// One probability; 0 and 1 stay.
    pub fn of(self, probability: f64) -> f64 {
        let shifted = probability * self.factor;
        // Multiplying by a factor above one might not be finite, dividing is.
        if self.factor > 1.0 {
            probability / (probability + (1.0 - probability) / self.factor)
        } else {
            shifted / (shifted + (1.0 - probability))
        }
    }

    /// Many probabilities.
    ///
    /// # Errors
    /// One lies outside [0, 1] or is no number.
    pub fn of_each(self, probabilities: &[f64]) -> Result<Vec<f64>, Undefined> {
        let outside = |p: &&f64| !(0.0..=1.0).contains(*p);
        match probabilities.iter().find(outside) {
            Some(&score) => Err(Undefined::NotProbabilities { score }),
            None => Ok(probabilities.iter().map(|p| self.of(*p)).collect()),
        }
    }
}

/// By how much to multiply the number of negatives so that cutting at `used` does what cutting at `wanted` did.
///
/// **Definition** · `[p* / (1 - p*)] [(1 - p0) / p0]` for the wanted cut-off `p*` and the used one `p0`. Below one negatives are
/// dropped at random, above one they are repeated.
///
/// **Undefined when** a cut-off is not strictly between 0 and 1.
///
/// **Example**
/// ```
/// use tribunal_eval::base_rate::elkan_factor;
///
/// // A miss costs five times a false alarm: the best cut-off is one in six, and a fifth of the negatives suffices.
/// assert!((elkan_factor(1.0 / 6.0, 0.5)? - 0.2).abs() < 1e-12);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** · Elkan 2001, theorem 1
pub fn elkan_factor(wanted: f64, used: f64) -> Result<f64, Error> {
    let odds = |what, cut: f64| {
        within(what, cut, cut > 0.0 && cut < 1.0, "a probability between 0 and 1")
            .map(|cut| cut / (1.0 - cut))
    };
    Ok(odds("the cut-off that is wanted", wanted)? / odds("the cut-off that is used", used)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn golden_shifts_and_factors() {
        let shifted = |from, to, p| OddsShift::between(from, to).expect("rates").of(p);
        assert!((shifted(0.5, 0.1, 0.6) - 0.142857143).abs() < 1e-9);
        assert!((shifted(0.2831, 0.05, 0.3) - 0.054033616).abs() < 1e-9);
        // Weights 1.92 and 0.38 are costs 5 and 1, scaled to a mean of one.
        let factors = ClassFactors { positive: 1.923076923, negative: 0.384615385 };
        assert!((OddsShift::undoing(factors).expect("weights").of(0.681818182) - 0.3).abs() < 1e-9);
        assert!((elkan_factor(0.1, 0.5).expect("cut-offs") - 0.111111111).abs() < 1e-9);
        // A fifth of 1003 negatives, halves rounded up.
        assert_eq!((1003.0 * elkan_factor(1.0 / 6.0, 0.5).expect("cut-offs") + 0.5).floor(), 201.0);
    }

    #[test]
    fn what_is_no_rate_weight_or_probability_is_refused() {
        for rate in [0.0, 1.0, -0.1, f64::NAN] {
            assert!(OddsShift::between(rate, 0.5).is_err() && OddsShift::between(0.5, rate).is_err());
            assert!(elkan_factor(rate, 0.5).is_err() && elkan_factor(0.5, rate).is_err());
        }
        for weight in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(OddsShift::undoing(ClassFactors { positive: weight, negative: 1.0 }).is_err());
        }
        assert!(OddsShift::between(5e-324, 1.0 - 1e-16).is_err());
        let shift = OddsShift::between(0.5, 0.1).expect("rates");
        assert_eq!(shift.of_each(&[0.2, 1.5]), Err(Undefined::NotProbabilities { score: 1.5 }));
        assert!(shift.of_each(&[f64::NAN]).is_err());
        assert_eq!(shift.of_each(&[0.0, 1.0]), Ok(vec![0.0, 1.0]));
    }

    proptest! {
        #[test]
        fn shifts_are_elkans_formula_come_back_and_keep_the_order(
            p in 0.0f64..=1.0, more in 0.0f64..=1.0, b in 0.001f64..0.999, to in 0.001f64..0.999,
        ) {
            let shift = OddsShift::between(b, to).expect("rates");
            let elkan = to * (p - p * b) / (b - p * b + to * p - b * to);
            prop_assert!((shift.of(p) - elkan).abs() < 1e-9);
            let back = OddsShift::between(to, b).expect("rates");
            prop_assert!((back.of(shift.of(p)) - p).abs() < 1e-9);
            prop_assert!((p <= more) == (shift.of(p) <= shift.of(more)) || (p - more).abs() < 1e-12);
        }

        /// A calibrated model at base rate b, shifted to b', is cut at p* where the unshifted one is at its image.
        #[test]
        fn elkans_factor_makes_one_cut_behave_like_another(wanted in 0.01f64..0.99, used in 0.01f64..0.99, p in 0.001f64..0.999) {
            let negative = elkan_factor(wanted, used).expect("cut-offs");
            let resampled = OddsShift::undoing(ClassFactors { positive: negative, negative: 1.0 }).expect("factors").of(p);
            prop_assume!((p - wanted).abs() > 1e-9);
            prop_assert_eq!(p >= wanted, resampled >= used);
        }
    }
}
