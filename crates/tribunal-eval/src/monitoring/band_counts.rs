//! The rows of a period in a band of the score, and bands joined until each can say a rate.

use std::ops::Range;

use crate::significance::SampleMoments;

/// The rows of a period in a band.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BandCounts {
    /// All of them, acted on or not.
    pub rows: u64,
    /// Those that were acted on.
    pub actioned: u64,
    /// Those of the actioned whose outcome is known, with the sum of their outcomes: 0 and 1, or amounts.
    pub outcomes: SampleMoments,
}

impl BandCounts {
    /// Rows, how many were acted on, and how many of those were positive; every outcome of the actioned is known.
    pub fn new(rows: u64, actioned: u64, positives: u64) -> Self {
        Self { rows, actioned, outcomes: SampleMoments::counts(actioned, positives) }
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            rows: self.rows + other.rows,
            actioned: self.actioned + other.actioned,
            outcomes: self.outcomes.plus(other.outcomes),
        }
    }
}

/// Which bands are taken together: runs of neighbours, from the lowest up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinedBands(Vec<Range<usize>>);

impl JoinedBands {
    /// The runs, from the lowest up.
    pub fn runs(&self) -> &[Range<usize>] {
        &self.0
    }

    /// The runs of more than one band.
    pub fn joined(&self) -> impl Iterator<Item = Range<usize>> {
        self.0.iter().filter(|run| run.len() > 1).cloned()
    }

    /// The counts of each run.
    pub fn counts(&self, bands: &[BandCounts]) -> Vec<BandCounts> {
        let sum = |run: &Range<usize>| {
            bands[run.clone()].iter().fold(BandCounts::default(), |sum, band| sum.plus(*band))
        };
        self.0.iter().map(sum).collect()
    }
}

/// Joins every band that lacks something with its neighbour towards the middle, until none lacks it or one band is left.
///
/// The farthest from the middle goes first, so that empty ends roll up; the middle band itself joins the one above.
pub fn join_bands_without(n_bands: usize, has: impl Fn(Range<usize>) -> bool) -> JoinedBands {
    let mut runs: Vec<Range<usize>> = (0..n_bands).map(|band| band..band + 1).collect();
    // Twice the distance from the middle, so that it is a whole number.
    let distance = |place: usize, n: usize| (2 * place + 1).abs_diff(n);
    loop {
        let n = runs.len();
        let lacking = (0..n).filter(|place| !has(runs[*place].clone()));
        let farthest = lacking.max_by_key(|place| distance(*place, n));
        let Some(place) = farthest.filter(|_| n > 1) else { return JoinedBands(runs) };
        let lower = if 2 * place + 1 > n || place + 1 == n { place - 1 } else { place };
        let upper = runs.remove(lower + 1);
        runs[lower].end = upper.end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn joined(has: &[bool]) -> Vec<Range<usize>> {
        let found = join_bands_without(has.len(), |run| has[run].iter().any(|has| *has));
        found.runs().to_vec()
    }

    #[test]
    fn bands_without_cases_join_towards_the_middle() {
        assert_eq!(joined(&[true, true, true]), [0..1, 1..2, 2..3]);
        assert_eq!(joined(&[false, true, true, false]), [0..2, 2..4]);
        assert_eq!(joined(&[false, false, true, true]), [0..3, 3..4]);
        assert_eq!(joined(&[true, false, true]), [0..1, 1..3]);
        assert_eq!(joined(&[true, true, false, false, true, true]), [0..1, 1..2, 2..5, 5..6]);
        assert_eq!(joined(&[false, false]), vec![Range { start: 0, end: 2 }]);
        assert_eq!(joined(&[false]), vec![Range { start: 0, end: 1 }]);
    }

    proptest! {
        #[test]
        fn runs_cover_all_bands_and_each_has_cases(has in prop::collection::vec(any::<bool>(), 1..20)) {
            let runs = joined(&has);
            prop_assert_eq!((runs[0].start, runs[runs.len() - 1].end), (0, has.len()));
            prop_assert!(runs.windows(2).all(|pair| pair[0].end == pair[1].start));
            let are_filled = runs.iter().all(|run| has[run.clone()].contains(&true));
            prop_assert!(runs.len() == 1 || are_filled);
            prop_assert!(runs.iter().filter(|run| run.len() == 1).count() <= has.iter().filter(|has| **has).count().max(1));
        }
    }
}
