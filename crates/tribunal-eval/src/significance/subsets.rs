//! Homogeneous subsets: which runs of ranked means cannot be told apart, and the letters that say so in a table.
//!
//! Duncan's, Tukey's and Nemenyi's tests differ in how far apart two means must lie; what follows from that is the same
//! for all. The rule is step-down with containment: nothing inside a span that is not significant is significant.
//! References: Duncan (1955), "Multiple range and multiple F tests"; Piepho (2004) for letters.

use serde::{Deserialize, Serialize};

/// Ranked means and the spans of them that cannot be told apart.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "Parsed")]
pub struct Subsets {
    order: Vec<usize>,
    spans: Vec<Span>,
}

/// A run of ranks, ends included, 0 being the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Span {
    /// The rank of its best mean.
    pub first: usize,
    /// The rank of its worst mean.
    pub last: usize,
}

/// Subsets as they were read, before the spans are compared with the order.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Subsets"))]
struct Parsed {
    order: Vec<usize>,
    spans: Vec<Span>,
}

impl TryFrom<Parsed> for Subsets {
    type Error = String;

    fn try_from(Parsed { order, spans }: Parsed) -> Result<Self, String> {
        let mut sorted = order.clone();
        sorted.sort_unstable();
        if !sorted.into_iter().eq(0..order.len()) {
            return Err("the order of subsets is no permutation of the algorithms".into());
        }
        match spans.iter().find(|span| span.first > span.last || span.last >= order.len()) {
            Some(Span { first, last }) => {
                Err(format!("a subset from rank {first} to {last} of {} algorithms", order.len()))
            }
            None => Ok(Self { order, spans }),
        }
    }
}

impl Span {
    fn contains(self, rank: usize) -> bool {
        (self.first..=self.last).contains(&rank)
    }
}

impl Subsets {
    /// The subsets of means, larger being better, given how far apart the ends of a span of ranks must lie.
    ///
    /// `significant` is asked about the difference of two means and the number of means they span, at least 2.
    pub(crate) fn step_down(gains: &[f64], significant: impl Fn(f64, usize) -> bool) -> Self {
        let order = best_first(gains);
        let together = |first: usize, last: usize| {
            first == last || !significant(gains[order[first]] - gains[order[last]], last - first + 1)
        };
        let mut spans: Vec<Span> = Vec::new();
        for first in 0..order.len() {
            let last = (first..order.len()).rev().find(|last| together(first, *last)).unwrap_or(first);
            if spans.last().is_none_or(|span| span.last < last) {
                spans.push(Span { first, last });
            }
        }
        Self { order, spans }
    }

    /// All means in one subset.
    pub(crate) fn all_together(gains: &[f64]) -> Self {
        let span = Span { first: 0, last: gains.len().saturating_sub(1) };
        Self { order: best_first(gains), spans: vec![span] }
    }

    /// The algorithms from best to worst mean, ties in their own order.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// The subsets as spans of ranks, best first.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// The members of each subset, best first.
    pub fn members(&self) -> Vec<Vec<usize>> {
        self.spans.iter().map(|span| self.order[span.first..=span.last].to_vec()).collect()
    }

    /// The algorithms that cannot be told from the best.
    pub fn top_group(&self) -> &[usize] {
        self.spans.first().map_or(&[], |span| &self.order[span.first..=span.last])
    }

    /// Whether two algorithms differ significantly: no subset holds both.
    pub fn differ(&self, first: usize, second: usize) -> bool {
        let rank = |algorithm: usize| self.order.iter().position(|other| *other == algorithm);
        match (rank(first), rank(second)) {
            (Some(a), Some(b)) => !self.spans.iter().any(|span| span.contains(a) && span.contains(b)),
            _ => false,
        }
    }

    /// The letters of each algorithm: two that share one cannot be told apart.
    ///
    /// The best subset is `a`; after `z` come `aa`, `ab` and so on.
    pub fn letters(&self) -> Vec<Vec<String>> {
        let mut letters = vec![Vec::new(); self.order.len()];
        for (index, span) in self.spans.iter().enumerate() {
            for algorithm in &self.order[span.first..=span.last] {
                letters[*algorithm].push(letter(index));
            }
        }
        letters
    }
}

fn best_first(gains: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..gains.len()).collect();
    order.sort_by(|a, b| gains[*b].total_cmp(&gains[*a]));
    order
}

/// `a` to `z`, then `aa`, `ab` and so on.
fn letter(index: usize) -> String {
    let last = char::from(b'a' + (index % 26) as u8);
    if index < 26 { last.to_string() } else { letter(index / 26 - 1) + &last.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn containment_keeps_a_narrow_span_inside_a_wide_one_together() {
        let ranges = [1.506090, 1.583852];
        let subsets = Subsets::step_down(&[10.00, 8.45, 8.42], |d, n| d >= ranges[n - 2]);
        assert_eq!(subsets.members(), [[0, 1, 2]]);
        assert!(!subsets.differ(0, 1));
    }

    #[test]
    fn overlapping_subsets_share_letters() {
        let subsets = Subsets::step_down(&[1.0, 3.0, 2.0, 9.0], |d, _| d >= 1.5);
        assert_eq!(subsets.members(), [vec![3], vec![1, 2], vec![2, 0]]);
        assert_eq!(subsets.letters().concat(), ["c", "b", "b", "c", "a"]);
        assert_eq!(subsets.top_group(), [3]);
        assert!(subsets.differ(0, 1) && !subsets.differ(0, 2) && !subsets.differ(2, 2));
    }

    #[test]
    fn a_difference_equal_to_the_critical_one_counts() {
        assert!(Subsets::step_down(&[2.0, 0.5], |d, _| d >= 1.5).differ(0, 1));
    }

    #[test]
    fn letters_go_on_after_z() {
        assert_eq!([0, 25, 26, 27, 701, 702].map(letter), ["a", "z", "aa", "ab", "zz", "aaa"]);
    }

    proptest! {
        #[test]
        fn subsets_cover_all_means_and_none_holds_another(
            gains in prop::collection::vec(0u8..40, 1..30),
            ranges in prop::collection::vec(0.5f64..20.0, 29),
        ) {
            let gains: Vec<f64> = gains.into_iter().map(f64::from).collect();
            let subsets = Subsets::step_down(&gains, |d, n| d >= ranges[n - 2]);
            let mut covered = vec![false; gains.len()];
            subsets.members().concat().iter().for_each(|algorithm| covered[*algorithm] = true);
            prop_assert!(covered.iter().all(|covered| *covered));
            for pair in subsets.spans().windows(2) {
                prop_assert!(pair[0].first < pair[1].first && pair[0].last < pair[1].last);
            }
            prop_assert!(subsets.top_group().contains(&subsets.order()[0]));
        }

        /// The definition word by word: two are together when some span around both is not significant.
        #[test]
        fn pairs_differ_as_the_definition_says(
            gains in prop::collection::vec(0u8..40, 2..12),
            ranges in prop::collection::vec(0.5f64..20.0, 11),
        ) {
            let gains: Vec<f64> = gains.into_iter().map(f64::from).collect();
            let significant = |d: f64, n: usize| d >= ranges[n - 2];
            let subsets = Subsets::step_down(&gains, significant);
            let (order, n) = (subsets.order(), gains.len());
            let apart = |i: usize, j: usize| significant(gains[order[i]] - gains[order[j]], j - i + 1);
            for u in 0..n {
                for v in u + 1..n {
                    let together = (0..=u).any(|i| (v..n).any(|j| !apart(i, j)));
                    prop_assert_eq!(subsets.differ(order[u], order[v]), !together);
                }
            }
        }
    }
}
