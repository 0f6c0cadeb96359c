//! What stands in for a value that is missing: the mean of numbers, the commonest of codes.

use crate::column::MISSING;

/// The mean of the numbers that are there; zero if there are none.
pub(crate) fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let present = values.filter(|value| !value.is_nan());
    let (n, sum) = present.fold((0.0, 0.0), |(n, sum), value| (n + 1.0, sum + value));
    if n > 0.0 { sum / n } else { 0.0 }
}

/// The commonest code, the lowest among equals; 0 if there are none.
pub(crate) fn mode(codes: impl Iterator<Item = u32>, n_codes: usize) -> u32 {
    let mut counts = vec![0_usize; n_codes];
    codes.filter(|&code| code != MISSING).for_each(|code| counts[code as usize] += 1);
    let commonest = counts.iter().enumerate().rev().max_by_key(|&(_, count)| count);
    commonest.map_or(0, |(code, _)| code as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_of_equally_common_codes_wins() {
        assert_eq!(mode([2, 1, 1, 2, MISSING, MISSING, MISSING].into_iter(), 3), 1);
        assert_eq!(mode([MISSING].into_iter(), 3), 0);
        assert_eq!(mode([].into_iter(), 0), 0);
    }

    #[test]
    fn the_mean_passes_over_what_is_missing() {
        assert_eq!(mean([1.0, f64::NAN, 3.0].into_iter()), 2.0);
        assert_eq!(mean([f64::NAN].into_iter()), 0.0);
    }
}
