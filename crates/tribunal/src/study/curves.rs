//! ROC curves of a scenario, averaged over its splits, and the convex hulls that say which family is best when.
//!
//! References: Provost, Fawcett and Kohavi (1998) for averaging; Provost and Fawcett (2001) for hulls; Viaene et al. (2002)
//! for one hull a family.

use tribunal_eval::curves::{AveragedRoc, Curve, Hull, Range};
use tribunal_eval::intervals::Level;

use super::judged::JudgedCell;
use super::results::{FamilyHull, ScenarioCurves, Stretch, StudyLearner};
use crate::results::{FoldedRoc, HullResult, HullVertex};

/// The curves of a scenario; nothing where no learner has one.
pub(super) fn curves(
    scenario: &str,
    learners: &[StudyLearner],
    cells: &[JudgedCell],
    level: Level,
) -> Option<ScenarioCurves> {
    let averaged: Vec<(&StudyLearner, AveragedRoc)> = learners
        .iter()
        .zip(cells)
        .filter_map(|(learner, cell)| {
            let samples = cell.units.iter().map(|unit| unit.as_ref()?.roc).collect::<Option<Vec<_>>>()?;
            Some((learner, AveragedRoc::of(&samples, level)?))
        })
        .collect();
    if averaged.is_empty() {
        return None;
    }
    let curves: Vec<(&StudyLearner, Curve)> =
        averaged.iter().map(|(learner, roc)| (*learner, roc.curve())).collect();
    let mut families: Vec<&str> = Vec::new();
    for (learner, _) in curves.iter().filter(|(learner, _)| !learner.trivial) {
        if !families.contains(&learner.family.as_str()) {
            families.push(&learner.family);
        }
    }
    let of_family = |family: &str| {
        let members: Vec<&(&StudyLearner, Curve)> =
            curves.iter().filter(|(learner, _)| learner.family == family).collect();
        FamilyHull { family: family.to_owned(), hull: hull_of(&members).1 }
    };
    let (hull, joint) = hull_of(&curves.iter().collect::<Vec<_>>());
    let owners: Vec<&StudyLearner> = curves.iter().map(|(learner, _)| *learner).collect();
    let folded = |(learner, roc): (&StudyLearner, AveragedRoc)| FoldedRoc {
        model: learner.learner.clone(),
        area: roc.area(),
        roc,
    };
    Some(ScenarioCurves {
        scenario: scenario.to_owned(),
        families: families.into_iter().map(of_family).collect(),
        joint,
        stretches: stretches(&hull.ranges(), &owners),
        averaged: averaged.into_iter().map(folded).collect(),
    })
}

/// The hull of some curves, and its plain form.
fn hull_of(curves: &[&(&StudyLearner, Curve)]) -> (Hull, HullResult) {
    let hull = Hull::of_curves(&curves.iter().map(|(_, curve)| curve).collect::<Vec<_>>());
    let owner = |range: &Range| range.vertex.curve.map(|curve| curves[curve].0.learner.clone());
    let vertices = hull.ranges().iter().map(|range| HullVertex::of(range, owner(range))).collect();
    let result = HullResult { area: hull.area(), vertices };
    (hull, result)
}

/// Neighbouring corners of one owner, as one stretch. Corners of nobody between them end a stretch.
fn stretches(ranges: &[Range], owners: &[&StudyLearner]) -> Vec<Stretch> {
    let finite = |slope: f64| slope.is_finite().then_some(slope);
    let mut stretches: Vec<Stretch> = Vec::new();
    for range in ranges {
        let owner = range.vertex.curve.map(|curve| owners[curve]);
        let learner = owner.map(|owner| owner.learner.clone());
        match stretches.last_mut().filter(|last| last.learner == learner) {
            Some(last) => {
                last.fpr_to = range.vertex.fpr;
                last.slope_low = finite(range.low);
            }
            None => stretches.push(Stretch {
                learner,
                family: owner.map(|owner| owner.family.clone()),
                fpr_from: range.vertex.fpr,
                fpr_to: range.vertex.fpr,
                slope_low: finite(range.low),
                slope_high: finite(range.high),
            }),
        }
    }
    stretches
}

#[cfg(test)]
mod tests {
    use super::*;
    use tribunal_eval::curves::Vertex;

    #[test]
    fn corners_of_one_owner_are_one_stretch() {
        let learner = |name: &str| StudyLearner {
            learner: name.into(),
            run_as: name.into(),
            family: name.to_uppercase(),
            trivial: false,
        };
        let (a, b) = (learner("a"), learner("b"));
        let range = |fpr: f64, curve: Option<usize>, high: f64, low: f64| Range {
            vertex: Vertex { fpr, tpr: fpr, curve, score: None },
            low,
            high,
        };
        let ranges = [
            range(0.0, None, f64::INFINITY, 8.0),
            range(0.1, Some(0), 8.0, 4.0),
            range(0.2, Some(0), 4.0, 2.0),
            range(0.5, Some(1), 2.0, 0.5),
            range(1.0, None, 0.5, 0.0),
        ];
        let found = stretches(&ranges, &[&a, &b]);
        assert_eq!(found.len(), 4);
        assert_eq!(
            (found[0].slope_high, found[0].slope_low, found[0].learner.as_deref()),
            (None, Some(8.0), None)
        );
        let of_a = &found[1];
        assert_eq!((of_a.learner.as_deref(), of_a.family.as_deref()), (Some("a"), Some("A")));
        assert_eq!(
            (of_a.fpr_from, of_a.fpr_to, of_a.slope_low, of_a.slope_high),
            (0.1, 0.2, Some(2.0), Some(8.0))
        );
    }
}
