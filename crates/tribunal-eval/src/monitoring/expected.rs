//! The AUROC to expect of a population where only the rates of bands of the score are known.

use super::factors::StrikeRateFactors;
use crate::undefined::{Undefined, Value};

/// The AUROC that a population has if its bands have these rates.
///
/// **Definition** of bands with shares `pi` of a population and rates `r`, the chance that a positive lies in a higher band than a
/// negative, those of one band counting half: `sum pi_i r_i (sum_{j<i} pi_j (1 - r_j) + pi_i (1 - r_i) / 2)` over
/// `sum pi r · sum pi (1 - r)`. It is the confidence-based estimate with the rate of its band for the probability of a row.
///
/// **Undefined when** the rates expect no positives or no negatives.
///
/// **Example**
/// ```
/// use tribunal_eval::monitoring::{StrikeRateFactors, expected_auroc};
/// let factors = StrikeRateFactors { population: vec![0.5, 0.5], selection: vec![1.0, 1.0], rates: vec![0.2, 0.8] };
/// assert!((expected_auroc(&factors.population, &factors.rates)? - 0.8).abs() < 1e-12);
/// # Ok::<(), tribunal_eval::Undefined>(())
/// ```
///
/// **Reference** Guillory et al. (2021) on differences of confidences; NannyML (2022), confidence-based performance estimation.
pub fn expected_auroc(population: &[f64], rates: &[f64]) -> Value {
    let (mut positives, mut negatives, mut pairs) = (0.0, 0.0, 0.0);
    for (share, rate) in population.iter().zip(rates) {
        let (positive, negative) = (share * rate, share * (1.0 - rate));
        pairs += positive * (negatives + negative / 2.0);
        positives += positive;
        negatives += negative;
    }
    match (positives > 0.0, negatives > 0.0) {
        (false, _) => Err(Undefined::NoPositives),
        (_, false) => Err(Undefined::NoNegatives),
        _ => Ok(pairs / (positives * negatives)),
    }
}

impl StrikeRateFactors {
    /// The AUROC of the bands on the own population.
    pub fn auroc_of_bands(&self) -> Value {
        expected_auroc(&self.population, &self.rates)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_class_has_none_and_equal_rates_have_one_half() {
        assert_eq!(expected_auroc(&[0.5, 0.5], &[0.0, 0.0]), Err(Undefined::NoPositives));
        assert_eq!(expected_auroc(&[0.5, 0.5], &[1.0, 1.0]), Err(Undefined::NoNegatives));
        assert!((expected_auroc(&[0.3, 0.7], &[0.4, 0.4]).expect("both classes") - 0.5).abs() < 1e-12);
        assert_eq!(expected_auroc(&[0.3, 0.7], &[0.0, 1.0]), Ok(1.0));
    }
}
