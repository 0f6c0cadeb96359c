//! `feature-soft`: rows stay with a chance that rises smoothly with a column, so that no value vanishes altogether.

use tribunal_learn::encoding::Scale;
use tribunal_random::Random;

use super::BiasKind;
use super::values::Values;

pub(super) const KIND: BiasKind = BiasKind {
    name: "feature-soft",
    definition: "keeps a row with probability 1 / (1 + exp(-beta z)), z the standardised value of a column",
};

/// The rows that chance leaves out; one draw a row, in the order of the table. A missing value counts as the mean.
pub(super) fn dropped(values: &Values, beta: f64, seed: u64) -> Vec<u32> {
    let mut random = Random::new(seed);
    let scale = scale(values);
    let z = |row: u32| values.get(row).map_or(0.0, |value| scale.apply(value));
    let stays = |row: &u32| random.uniform() < chance(beta * z(*row));
    let (_, dropped): (Vec<u32>, Vec<u32>) = (0..values.len() as u32).partition(stays);
    dropped
}

fn chance(x: f64) -> f64 {
    if x.is_finite() { 1.0 / (1.0 + (-x).exp()) } else { 0.5 }
}

/// The scale of a column, over the rows that have a value; an infinite one tells rows no way apart.
fn scale(values: &Values) -> Scale {
    let known: Vec<f64> = (0..values.len() as u32).filter_map(|row| values.get(row)).collect();
    Scale::fit(known)
}

#[cfg(test)]
mod tests {
    use super::super::{Bias, BiasRows};
    use super::*;

    fn kept(numbers: &[f64], beta: f64, seed: u64) -> Vec<u32> {
        let values = Values::of_numbers("x", numbers.iter().copied());
        Bias::FeatureSoft { beta }
            .kept(&BiasRows::new(numbers.len()).with_values(&values), seed)
            .expect("rows")
    }

    #[test]
    fn one_draw_a_row_decides() {
        // The mean is 2 and the standard deviation of the sample the root of 4/3; the first draws of seed 42 are 0.084,
        // 0.379 and 0.680.
        let z = 1.0 / (4f64 / 3.0).sqrt();
        let (p_low, p_high) = (1.0 / (1.0 + z.exp()), 1.0 / (1.0 + (-z).exp()));
        let mut random = Random::new(42);
        let expected: Vec<u32> = [(0, p_low), (1, p_high), (2, p_low), (3, p_high)]
            .into_iter()
            .filter(|(_, p)| random.uniform() < *p)
            .map(|(row, _)| row)
            .collect();
        assert_eq!(kept(&[1.0, 3.0, 1.0, 3.0], 1.0, 42), expected);
    }

    #[test]
    fn the_mean_rises_with_beta_and_half_stay_without() {
        let numbers: Vec<f64> = (0..4000).map(f64::from).collect();
        let mean = |rows: &[u32]| rows.iter().map(|&row| f64::from(row)).sum::<f64>() / rows.len() as f64;
        let (down, flat, up) = (kept(&numbers, -2.0, 3), kept(&numbers, 0.0, 3), kept(&numbers, 2.0, 3));
        assert!(mean(&down) + 500.0 < mean(&flat) && mean(&flat) + 500.0 < mean(&up));
        assert!((flat.len() as f64 / 4000.0 - 0.5).abs() < 0.03);
        assert!((kept(&[7.0; 4000], 5.0, 3).len() as f64 / 4000.0 - 0.5).abs() < 0.03);
    }
}
