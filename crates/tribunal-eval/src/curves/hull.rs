//! The ROC convex hull: the best that a choice among classifiers, or a mixture of them, can reach
//! (Provost and Fawcett 2001).

use serde::{Deserialize, Serialize};

use super::{Curve, CurveKind, Point};
use crate::operating::Condition;
use crate::ranking::{Ranking, Split};
use crate::undefined::Undefined;

/// A corner of the hull.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Vertex {
    /// False-positive rate.
    pub fpr: f64,
    /// True-positive rate.
    pub tpr: f64,
    /// Which of the given curves it lies on; `None` for flagging nobody or everybody.
    pub curve: Option<usize>,
    /// The score from which on cases are flagged there, where the curve knows.
    pub score: Option<f64>,
}

/// Operating conditions under which a vertex is the best choice: the iso-performance slopes from `low` to
/// `high`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Range {
    /// The vertex.
    pub vertex: Vertex,
    /// Slope of its right edge.
    #[serde(with = "crate::infinite")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub low: f64,
    /// Slope of its left edge; infinite for the first vertex.
    #[serde(with = "crate::infinite")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub high: f64,
}

/// How to reach a point of the hull: the first scheme with probability `q`, otherwise the second.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Mixture {
    /// Used with probability `q`.
    pub first: Vertex,
    /// Used otherwise.
    pub second: Vertex,
    /// Share of the first.
    pub q: f64,
}

impl Mixture {
    /// Where the mixture stands in ROC space.
    pub fn point(&self) -> Point {
        let mix = |first: f64, second: f64| self.q * first + (1.0 - self.q) * second;
        Point { x: mix(self.first.fpr, self.second.fpr), y: mix(self.first.tpr, self.second.tpr) }
    }
}

/// The upper convex hull of ROC curves, from (0, 0) to (1, 1).
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "Parsed")]
pub struct Hull {
    vertices: Vec<Vertex>,
}

/// A hull as it was read, before its ends are looked at.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Hull"))]
struct Parsed {
    vertices: Vec<Vertex>,
}

impl TryFrom<Parsed> for Hull {
    type Error = &'static str;

    fn try_from(Parsed { vertices }: Parsed) -> Result<Self, &'static str> {
        let is_at = |vertex: Option<&Vertex>, at: f64| vertex.is_some_and(|v| v.fpr == at && v.tpr == at);
        if is_at(vertices.first(), 0.0) && is_at(vertices.last(), 1.0) {
            Ok(Self { vertices })
        } else {
            Err("a ROC hull runs from (0, 0) to (1, 1)")
        }
    }
}

impl Hull {
    /// The hull of several curves; vertices remember whose they are.
    ///
    /// ```
    /// use tribunal_eval::{Ranking, ScoredSet, curves::{Curve, CurveKind, Hull}};
    ///
    /// let truth = [true, true, false, false];
    /// let roc = |scores| Curve::of(CurveKind::Roc, &Ranking::of(&ScoredSet::new(&truth, scores).unwrap()).unwrap());
    /// let (early, late) = (roc(&[0.9, 0.2, 0.5, 0.1])?, roc(&[0.9, 0.3, 0.9, 0.1])?);
    /// let hull = Hull::of_curves(&[&early, &late]);
    /// assert_eq!(hull.area(), 0.875);
    /// # Ok::<(), tribunal_eval::Undefined>(())
    /// ```
    pub fn of_curves(curves: &[&Curve]) -> Self {
        let vertices = curves.iter().enumerate().flat_map(|(index, curve)| {
            curve.points.iter().enumerate().map(move |(at, point)| {
                let score = curve.thresholds.get(at).copied();
                Vertex { fpr: point.x, tpr: point.y, curve: Some(index), score }
            })
        });
        let mut candidates: Vec<Vertex> = vertices.collect();
        // Of equal points the earliest curve's comes last and stays.
        candidates.sort_by(|a, b| {
            a.fpr.total_cmp(&b.fpr).then(a.tpr.total_cmp(&b.tpr)).then(b.curve.cmp(&a.curve))
        });
        Self::of_sorted(candidates.into_iter())
    }

    /// The hull of one ranking's curve.
    pub fn of_ranking(ranking: &Ranking) -> Result<Self, Undefined> {
        let totals = ranking.both_classes()?;
        // Only points that end a rise can be corners; the others need not be looked at.
        let mut before = Split::default();
        let mut ends = ranking.path().enumerate().peekable();
        let corners = std::iter::from_fn(|| {
            loop {
                let (block, at) = ends.next()?;
                let rose = at.positive > before.positive;
                let rises_straight_on = ends.peek().is_some_and(|(_, next)| next.negative == at.negative);
                before = at;
                if rose && !rises_straight_on {
                    let point = CurveKind::Roc.point(at, totals)?;
                    let score = Some(ranking.score(block));
                    return Some(Vertex { fpr: point.x, tpr: point.y, curve: Some(0), score });
                }
            }
        });
        Ok(Self::of_sorted(corners))
    }

    fn of_sorted(candidates: impl Iterator<Item = Vertex>) -> Self {
        let corner = |at: f64| Vertex { fpr: at, tpr: at, curve: None, score: None };
        let mut vertices = vec![corner(0.0)];
        for next in candidates.filter(|v| !is_corner(v)).chain([corner(1.0)]) {
            while vertices.len() > 1
                && !turns_right(vertices[vertices.len() - 2], vertices[vertices.len() - 1], next)
            {
                vertices.pop();
            }
            vertices.push(next);
        }
        Self { vertices }
    }

    /// The corners, from (0, 0) to (1, 1).
    pub fn vertices(&self) -> &[Vertex] {
        &self.vertices
    }

    /// The hull as a curve.
    pub fn curve(&self) -> Curve {
        let points = self.vertices.iter().map(|vertex| Point { x: vertex.fpr, y: vertex.tpr });
        let threshold = |vertex: &Vertex| match vertex.curve {
            None if vertex.fpr == 0.0 => Some(f64::INFINITY),
            None => Some(f64::NEG_INFINITY),
            Some(_) => vertex.score,
        };
        let thresholds = self.vertices.iter().map(threshold).collect::<Option<Vec<f64>>>();
        Curve { thresholds: thresholds.unwrap_or_default(), ..Curve::of_points(CurveKind::Roc, points) }
    }

    /// Area under the hull; at least that of each curve.
    pub fn area(&self) -> f64 {
        self.curve().area()
    }

    /// For each vertex the iso-performance slopes under which it is best: who owns which conditions.
    pub fn ranges(&self) -> Vec<Range> {
        let slope = |pair: &[Vertex]| (pair[1].tpr - pair[0].tpr) / (pair[1].fpr - pair[0].fpr);
        let edges: Vec<f64> = self.vertices.windows(2).map(slope).collect();
        let range = |(index, &vertex): (usize, &Vertex)| Range {
            vertex,
            low: edges.get(index).copied().unwrap_or(0.0),
            high: index.checked_sub(1).map_or(f64::INFINITY, |left| edges[left]),
        };
        self.vertices.iter().enumerate().map(range).collect()
    }

    /// The best vertex under a condition; of equals the one that flags fewest.
    pub fn optimum(&self, condition: &Condition) -> Vertex {
        let slope = condition.slope();
        let merit = |vertex: &Vertex| vertex.tpr - slope * vertex.fpr;
        let better = |best: Vertex, &next: &Vertex| {
            if merit(&next) > merit(&best) + 1e-12 { next } else { best }
        };
        self.vertices[1..].iter().fold(self.vertices[0], better)
    }

    /// The recipe for the hull's point at a false-positive rate: the best for "at most so many false alarms".
    pub fn at_fpr(&self, fpr: f64) -> Mixture {
        self.crossing(fpr.clamp(0.0, 1.0), |vertex| vertex.fpr)
    }

    /// The recipe for examining at most `cases` of a population with these numbers of either class.
    pub fn at_caseload(&self, cases: f64, population: Split) -> Mixture {
        let load = |vertex: &Vertex| vertex.tpr * population.positive + vertex.fpr * population.negative;
        self.crossing(cases.clamp(0.0, population.total()), load)
    }

    /// The last edge on which a quantity that rises along the hull reaches `target`.
    fn crossing(&self, target: f64, quantity: impl Fn(&Vertex) -> f64) -> Mixture {
        let beyond = self.vertices.partition_point(|vertex| quantity(vertex) <= target);
        let second = beyond.min(self.vertices.len() - 1);
        let (first, second) = (self.vertices[second - 1], self.vertices[second]);
        let (low, high) = (quantity(&first), quantity(&second));
        Mixture { first, second, q: if high > low { (high - target) / (high - low) } else { 0.0 } }
    }
}

fn is_corner(vertex: &Vertex) -> bool {
    vertex.fpr == vertex.tpr && (vertex.fpr == 0.0 || vertex.fpr == 1.0)
}

/// Whether b lies above the line from a to c by more than rounding can explain.
fn turns_right(a: Vertex, b: Vertex, c: Vertex) -> bool {
    let (left, right) = ((b.fpr - a.fpr) * (c.tpr - a.tpr), (b.tpr - a.tpr) * (c.fpr - a.fpr));
    left - right < -1e-12 * (left.abs() + right.abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::{second, table_5_6, tied};

    fn check(hull: &Hull, expected: &[(f64, f64)], area: f64) {
        let found: Vec<_> = hull.vertices().iter().map(|vertex| (vertex.fpr, vertex.tpr)).collect();
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!(
                (found.0 - expected.0).abs() < 1e-12 && (found.1 - expected.1).abs() < 1e-12,
                "{found:?}"
            );
        }
        assert!((hull.area() - area).abs() < 1e-12);
    }

    fn joint() -> Hull {
        let curves = [tied(), second()]
            .map(|ranking| Curve::with_thresholds(CurveKind::Roc, &ranking).expect("both classes"));
        Hull::of_curves(&[&curves[0], &curves[1]])
    }

    #[test]
    fn golden_hulls() {
        let of = |ranking: &Ranking| Hull::of_ranking(ranking).expect("both classes");
        let customers =
            [(0.0, 0.0), (0.0, 1.0 / 13.0), (1.0 / 6.0, 6.0 / 13.0), (0.5, 10.0 / 13.0), (1.0, 1.0)];
        check(&of(&table_5_6()), &customers, 0.692307692308);
        check(&of(&tied()), &[(0.0, 0.0), (0.0, 0.2), (0.2, 0.6), (0.8, 1.0), (1.0, 1.0)], 0.76);
        check(&joint(), &[(0.0, 0.0), (0.0, 0.5), (0.5, 1.0), (1.0, 1.0)], 0.875);
    }

    #[test]
    fn hull_of_a_ranking_is_the_hull_of_its_curve() {
        for ranking in [table_5_6(), tied(), second()] {
            let curve = Curve::with_thresholds(CurveKind::Roc, &ranking).expect("both classes");
            assert_eq!(Hull::of_ranking(&ranking).expect("both classes"), Hull::of_curves(&[&curve]));
        }
    }

    #[test]
    fn golden_optima() {
        let check = |base_rate: f64, false_negative: f64, point: (f64, f64), cost: f64| {
            let condition = Condition { base_rate, false_positive: 1.0, false_negative };
            let best = joint().optimum(&condition);
            assert_eq!((best.fpr, best.tpr), point);
            assert!((condition.cost(best.fpr, best.tpr) - cost).abs() < 1e-9);
        };
        check(0.2831, 5.0, (0.5, 1.0), 0.358450);
        check(0.5, 1.0, (0.0, 0.5), 0.25);
        check(0.0879, 1.0, (0.0, 0.5), 0.043950);
    }

    #[test]
    fn owners_ranges_and_mixtures() {
        let hull = joint();
        let owners: Vec<_> = hull.vertices().iter().map(|vertex| vertex.curve).collect();
        assert_eq!(owners, [None, Some(1), Some(1), None]);
        let scores: Vec<_> = hull.vertices().iter().map(|vertex| vertex.score).collect();
        assert_eq!(scores, [None, Some(0.7), Some(0.3), None]);
        let slopes: Vec<_> = hull.ranges().iter().map(|range| (range.low, range.high)).collect();
        assert_eq!(slopes, [(f64::INFINITY, f64::INFINITY), (1.0, f64::INFINITY), (0.0, 1.0), (0.0, 0.0)]);
        let mixture = hull.at_fpr(0.3);
        assert!((mixture.q - 0.4).abs() < 1e-12);
        assert!((mixture.point().x - 0.3).abs() < 1e-12 && (mixture.point().y - 0.8).abs() < 1e-12);
        assert_eq!(hull.at_fpr(0.0).point(), Point { x: 0.0, y: 0.5 });
        assert_eq!(hull.at_fpr(1.0).point(), Point { x: 1.0, y: 1.0 });
        let few = hull.at_caseload(10.0, Split { positive: 40.0, negative: 60.0 });
        assert!((few.point().y * 40.0 - 10.0).abs() < 1e-9 && few.point().x == 0.0);
    }
}
