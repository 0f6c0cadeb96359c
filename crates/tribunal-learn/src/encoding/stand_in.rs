//! What stands in for a value that is missing: the mean of numbers, the commonest of codes.

use crate::column::MISSING;

/// The mean of the numbers that are there, each with its weight; zero if there are none.
pub(crate) fn mean(values: impl Iterator<Item = (f64, f64)>) -> f64 {
    let present = values.filter(|(value, _)| !value.is_nan());
    let (total, sum) = present.fold((0.0, 0.0), |(total, sum), (value, w)| (total + w, sum + w * value));
    if total > 0.0 { sum / total } else { 0.0 }
}

/// The weight of each code.
pub(crate) fn weigh(codes: impl Iterator<Item = (u32, f64)>, n_codes: usize) -> Vec<f64> {
    let mut weights = vec![0.0; n_codes];
    codes.filter(|&(code, _)| code != MISSING).for_each(|(code, weight)| weights[code as usize] += weight);
    weights
}

/// The commonest code, the lowest among equals; 0 if there are none.
pub(crate) fn mode(weights: &[f64]) -> u32 {
    let heaviest = weights.iter().enumerate().rev().max_by(|(_, a), (_, b)| a.total_cmp(b));
    heaviest.map_or(0, |(code, _)| code as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_of_equally_common_codes_wins() {
        let check = |codes: &[u32], n_codes: usize, expected: u32| {
            assert_eq!(mode(&weigh(codes.iter().map(|&code| (code, 1.0)), n_codes)), expected);
        };
        check(&[2, 1, 1, 2, MISSING, MISSING, MISSING], 3, 1);
        check(&[MISSING], 3, 0);
        check(&[], 0, 0);
        assert_eq!(mode(&weigh([(0, 1.0), (0, 1.0), (1, 2.5)].into_iter(), 2)), 1);
    }

    #[test]
    fn the_mean_passes_over_what_is_missing() {
        assert_eq!(mean([(1.0, 1.0), (f64::NAN, 5.0), (3.0, 1.0)].into_iter()), 2.0);
        assert_eq!(mean([(1.0, 3.0), (5.0, 1.0)].into_iter()), 2.0);
        assert_eq!(mean([(f64::NAN, 1.0)].into_iter()), 0.0);
    }
}
