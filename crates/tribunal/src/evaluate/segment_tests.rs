//! Tests of a figure in the segments of the cases: whether it differs among them, and which of them fall short of all other cases.

use tribunal_eval::CutoffRule;
use tribunal_eval::intervals::Level;
use tribunal_eval::metrics::Better;
use tribunal_eval::significance::{GroupFigure, Untestable, holm, homogeneity};

use crate::segment_results::{SegmentAgainstRest, SegmentTest, UntestedSegment};

/// So many segments of a model are tested against all other cases: each of these tests looks at nearly all rows.
const MOST_AGAINST_REST: usize = 20;

/// The figure of a segment, or why it cannot be tested.
pub(super) type Group = Result<GroupFigure, Untestable>;

/// Whose figure is tested, and which.
#[derive(Clone, Debug)]
pub(super) struct TestedFigure {
    pub(super) model: String,
    pub(super) metric: String,
    pub(super) cutoff: Option<CutoffRule>,
    pub(super) better: Better,
}

impl TestedFigure {
    /// Whether the figure is the same in all segments.
    pub(super) fn among(&self, groups: &[Group]) -> SegmentTest {
        let found = homogeneity(groups);
        let left_out = match &found {
            Ok(found) => found.left_out.clone(),
            Err(_) => untestable(groups),
        };
        SegmentTest {
            model: self.model.clone(),
            metric: self.metric.clone(),
            cutoff: self.cutoff,
            test: found.ok().map(|found| found.test),
            p_adjusted: None,
            n_segments: groups.len() - left_out.len(),
            left_out: left_out
                .into_iter()
                .map(|(segment, because)| UntestedSegment { segment, because })
                .collect(),
        }
    }

    /// The segments whose figure falls short of that of the whole list, by how sure that is; at most twenty.
    pub(super) fn shortfalls(&self, groups: &[Group], whole: GroupFigure) -> Vec<usize> {
        let shortfall = |(place, group): (usize, &Group)| {
            let group = group
                .as_ref()
                .ok()
                .filter(|group| self.better.gain(group.value) < self.better.gain(whole.value))?;
            // The whole holds the segment too; this only says which to test.
            let f = homogeneity(&[Ok(*group), Ok(whole)]).ok()?.test.f;
            Some((place, f))
        };
        let mut found: Vec<(usize, f64)> = groups.iter().enumerate().filter_map(shortfall).collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1));
        found.into_iter().take(MOST_AGAINST_REST).map(|(place, _)| place).collect()
    }

    /// The figures of some segments against those of all other cases, adjusted over all segments that can be tested.
    pub(super) fn against_rest(
        &self,
        groups: &[Group],
        rests: Vec<(usize, GroupFigure)>,
        level: Level,
    ) -> Vec<SegmentAgainstRest> {
        let testable = groups.iter().filter(|group| group.is_ok()).count();
        // Of two segments each is the rest of the other, and one test says it all.
        let n_tests = if groups.len() == 2 { 1 } else { testable };
        let compared = |(place, rest): (usize, GroupFigure)| {
            let own = *groups[place].as_ref().ok()?;
            let p = homogeneity(&[Ok(own), Ok(rest)]).ok()?.test.p;
            Some((place, own.value, rest.value, p))
        };
        let compared: Vec<(usize, f64, f64, f64)> = rests.into_iter().filter_map(compared).collect();
        // Whoever is no worse than the rest cannot be shown to be: p = 1 keeps the family whole.
        let p_value = |&(_, own, rest, p): &(usize, f64, f64, f64)| {
            if self.better.gain(own) < self.better.gain(rest) { p } else { 1.0 }
        };
        let mut p_values: Vec<f64> = compared.iter().map(p_value).collect();
        p_values.resize(p_values.len().max(n_tests), 1.0);
        let adjusted = holm(&p_values).unwrap_or_default();
        let row = |((segment, estimate, elsewhere, p), p_adjusted)| SegmentAgainstRest {
            model: self.model.clone(),
            metric: self.metric.clone(),
            cutoff: self.cutoff,
            segment,
            estimate,
            elsewhere,
            p,
            p_adjusted,
            is_worse: p_adjusted < level.alpha(),
        };
        compared.into_iter().zip(adjusted).map(row).collect()
    }
}

/// Adjusts the tests of one figure by Holm over the models.
pub(super) fn adjust_over_models(tests: &mut [SegmentTest]) {
    let p_values: Vec<f64> = tests.iter().filter_map(|test| Some(test.test?.p)).collect();
    let adjusted = holm(&p_values).unwrap_or_default();
    let tested = tests.iter_mut().filter(|test| test.test.is_some());
    tested.zip(adjusted).for_each(|(test, p)| test.p_adjusted = Some(p));
}

fn untestable(groups: &[Group]) -> Vec<(usize, Untestable)> {
    let reason = |(place, group): (usize, &Group)| Some((place, group.clone().err()?));
    groups.iter().enumerate().filter_map(reason).collect()
}
