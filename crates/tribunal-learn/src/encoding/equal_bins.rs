//! Bins of equal width, and bins with equally many rows.

/// The bounds between bins of equal width; none if all numbers are the same.
pub(crate) fn equal_width(values: &[f64], n_bins: usize) -> Vec<f64> {
    let present = || values.iter().copied().filter(|value| !value.is_nan());
    let (least, most) =
        (present().fold(f64::INFINITY, f64::min), present().fold(f64::NEG_INFINITY, f64::max));
    if least.partial_cmp(&most) != Some(std::cmp::Ordering::Less) {
        return Vec::new();
    }
    // Halves do not overflow where the difference of two huge numbers would.
    let width = most / n_bins as f64 - least / n_bins as f64;
    let mut bounds: Vec<f64> = (1..n_bins).map(|bin| least + width * bin as f64).collect();
    bounds.dedup();
    bounds
}

/// The bounds between bins with equally many rows, midway between neighbouring numbers. Equal numbers stay together:
/// a bin that would end among them ends where they do.
pub(crate) fn equal_frequency(values: &[f64], n_bins: usize) -> Vec<f64> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len();
    let mut bounds = Vec::new();
    for bin in 1..n_bins {
        // The last number of this bin, and everything equal to it.
        let rank = (bin * n).div_ceil(n_bins).max(1);
        let Some(&last) = sorted.get(rank - 1) else { break };
        let end = sorted.partition_point(|&value| value <= last);
        let Some(&next) = sorted.get(end) else { break };
        bounds.push(midway(last, next));
    }
    bounds.dedup();
    bounds
}

/// The middle of two numbers, the lower one if they are neighbours.
pub(crate) fn midway(low: f64, high: f64) -> f64 {
    let middle = low / 2.0 + high / 2.0;
    if middle < high { middle.max(low) } else { low }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn widths_are_equal() {
        assert_eq!(equal_width(&[1.0, f64::NAN, 9.0], 4), [3.0, 5.0, 7.0]);
        assert_eq!(equal_width(&[2.0, 2.0], 4), [] as [f64; 0]);
        assert_eq!(equal_width(&[], 4), [] as [f64; 0]);
        assert_eq!(equal_width(&[-f64::MAX, f64::MAX], 2), [0.0]);
    }

    #[test]
    fn equal_numbers_stay_together() {
        assert_eq!(equal_frequency(&[1.0, 2.0, 3.0, 4.0], 2), [2.5]);
        assert_eq!(equal_frequency(&[0.0, 0.0, 0.0, 0.0, 5.0, 6.0], 3), [2.5]);
        assert_eq!(equal_frequency(&[7.0; 9], 3), [] as [f64; 0]);
        assert_eq!(equal_frequency(&[], 3), [] as [f64; 0]);
    }

    proptest! {
        #[test]
        fn distinct_numbers_are_dealt_out_evenly(n in 1_usize..200, n_bins in 2_usize..20) {
            let values: Vec<f64> = (0..n).map(|value| value as f64).collect();
            let bounds = equal_frequency(&values, n_bins);
            let mut counts = vec![0_usize; bounds.len() + 1];
            values.iter().for_each(|value| counts[bounds.partition_point(|bound| bound < value)] += 1);
            let (least, most) = (counts.iter().min().copied(), counts.iter().max().copied());
            prop_assert!(most.zip(least).is_some_and(|(most, least)| most - least <= 1), "{counts:?}");
        }
    }
}
