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
/// a bin that would end among them ends where they do. Numbers come with the weight of their row.
pub(crate) fn equal_frequency(mut rows: Vec<(f64, f64)>, n_bins: usize) -> Vec<f64> {
    rows.retain(|(value, _)| !value.is_nan());
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let blocks: Vec<(f64, f64)> =
        rows.chunk_by(|a, b| a.0 == b.0).map(|run| (run[0].0, run.iter().map(|row| row.1).sum())).collect();
    let total: f64 = blocks.iter().map(|block| block.1).sum();
    let (mut bounds, mut bin, mut before) = (Vec::new(), 1, 0.0);
    for pair in blocks.windows(2) {
        before += pair[0].1;
        // Every bin that is full here ends here.
        if bin < n_bins && before >= (bin as f64 * total) / n_bins as f64 {
            bounds.push(midway(pair[0].0, pair[1].0));
            while bin < n_bins && before >= (bin as f64 * total) / n_bins as f64 {
                bin += 1;
            }
        }
    }
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

    fn once(values: &[f64]) -> Vec<(f64, f64)> {
        values.iter().map(|&value| (value, 1.0)).collect()
    }

    #[test]
    fn weights_count_like_repetitions() {
        assert_eq!(
            equal_frequency(vec![(1.0, 3.0), (2.0, 1.0)], 2),
            equal_frequency(once(&[1.0, 1.0, 1.0, 2.0]), 2)
        );
        assert_eq!(equal_frequency(vec![(1.0, 0.1), (2.0, 0.1), (3.0, 0.2)], 2), [2.5]);
    }

    #[test]
    fn equal_numbers_stay_together() {
        assert_eq!(equal_frequency(once(&[1.0, 2.0, 3.0, 4.0]), 2), [2.5]);
        assert_eq!(equal_frequency(once(&[0.0, 0.0, 0.0, 0.0, 5.0, 6.0]), 3), [2.5]);
        assert_eq!(equal_frequency(once(&[7.0; 9]), 3), [] as [f64; 0]);
        assert_eq!(equal_frequency(once(&[]), 3), [] as [f64; 0]);
    }

    proptest! {
        #[test]
        fn distinct_numbers_are_dealt_out_evenly(n in 1_usize..200, n_bins in 2_usize..20) {
            let values: Vec<f64> = (0..n).map(|value| value as f64).collect();
            let bounds = equal_frequency(once(&values), n_bins);
            let mut counts = vec![0_usize; bounds.len() + 1];
            values.iter().for_each(|value| counts[bounds.partition_point(|bound| bound < value)] += 1);
            let (least, most) = (counts.iter().min().copied(), counts.iter().max().copied());
            prop_assert!(most.zip(least).is_some_and(|(most, least)| most - least <= 1), "{counts:?}");
        }
    }
}
