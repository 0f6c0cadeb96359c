//! What a careful reader should know of segments: too few cases to judge by, or no others to compare with.

use crate::segment_results::{Segment, SegmentResults};
use crate::warning::Warning;

/// Figures of segments with fewer cases of a class are mostly chance.
const FEW_CASES: u64 = 30;
/// So many segments are named.
const MOST_NAMED: usize = 5;

/// Every warning about the segments.
pub(super) fn segment_warnings(results: &SegmentResults) -> Vec<Warning> {
    let rarer = |segment: &Segment| segment.positives.min(segment.rows - segment.positives);
    let those = |is_one: &dyn Fn(u64) -> bool| {
        let found: Vec<&Segment> = results.segments.iter().filter(|segment| is_one(rarer(segment))).collect();
        let named = found.iter().take(MOST_NAMED).map(|segment| segment.labels.clone()).collect();
        (!found.is_empty()).then_some((named, found.len() as u64))
    };
    let one = (results.segments.len() == 1).then(|| Warning::OneSegment { columns: results.columns.clone() });
    let one_class = those(&|rarer| rarer == 0);
    let few = those(&|rarer| (1..FEW_CASES).contains(&rarer));
    let one_class =
        one_class.map(|(segments, n_segments)| Warning::OneClassSegments { segments, n_segments });
    let few = few.map(|(segments, n_segments)| Warning::FewInSegments {
        segments,
        n_segments,
        fewer_than: FEW_CASES,
    });
    [one, one_class, few].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(segments: &[(&str, u64, u64)]) -> SegmentResults {
        let segment = |&(label, rows, positives): &(&str, u64, u64)| Segment {
            labels: vec![label.to_owned()],
            rows,
            positives,
            base_rate: None,
        };
        SegmentResults {
            columns: vec!["region".into()],
            segments: segments.iter().map(segment).collect(),
            figures: Vec::new(),
            cutoffs: Vec::new(),
            tests: Vec::new(),
            against_rest: Vec::new(),
            decisions: None,
        }
    }

    fn check(segments: &[(&str, u64, u64)], expected: &[&str]) {
        let warnings = segment_warnings(&results(segments));
        let sentences: Vec<String> = warnings.iter().map(|warning| warning.message().to_string()).collect();
        assert_eq!(sentences.len(), expected.len(), "{sentences:?}");
        for (sentence, expected) in sentences.iter().zip(expected) {
            assert!(sentence.contains(expected), "{sentence}");
        }
    }

    #[test]
    fn few_cases_of_either_class_are_told_with_names() {
        check(&[("a", 100, 50), ("b", 60, 30)], &[]);
        check(&[("a", 100, 50)], &["every case has the same label in region"]);
        check(
            &[("a", 100, 95), ("b", 60, 29), ("c", 500, 0), ("d", 900, 300)],
            &[
                "1 segment holds cases of one class only (c)",
                "2 segments have fewer than 30 positives or negatives (a; b)",
            ],
        );
        let many: Vec<(&str, u64, u64)> = vec![("x", 20, 5); 12];
        check(&many, &["12 segments have fewer than 30 positives or negatives (x; x; x; x; x and 7 more)"]);
    }
}
