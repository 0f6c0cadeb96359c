//! A curve: its kind and its points.

use serde::{Deserialize, Serialize};

use super::axis::Axis;
use crate::ranking::{Ranking, Split};
use crate::undefined::Undefined;

/// A point of a curve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Point {
    /// Abscissa.
    pub x: f64,
    /// Ordinate.
    pub y: f64,
}

/// Which curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CurveKind {
    /// True-positive rate over false-positive rate (Fawcett 2006).
    Roc,
    /// Precision over recall.
    PrecisionRecall,
    /// Share of the positives found over share of the list: the cumulative gains chart.
    Cph,
    /// CPH divided by the share of the list.
    Lift,
    /// Observed rate over stated probability.
    Calibration,
    /// Normalised expected cost over probability cost (Drummond and Holte 2006).
    Cost,
    /// Profit over share of the list.
    Profit,
    /// Share of the positives' amount found over share of the list.
    Amount,
}

impl CurveKind {
    /// The curves that any ranking has.
    pub const OF_RANKINGS: [Self; 4] = [Self::Roc, Self::PrecisionRecall, Self::Cph, Self::Lift];

    /// What the axes show, abscissa first.
    pub fn axes(self) -> (Axis, Axis) {
        match self {
            Self::Roc => (Axis::FalsePositiveRate, Axis::TruePositiveRate),
            Self::PrecisionRecall => (Axis::Recall, Axis::Precision),
            Self::Cph => (Axis::ShareOfList, Axis::Cph),
            Self::Lift => (Axis::ShareOfList, Axis::Lift),
            Self::Calibration => (Axis::StatedProbability, Axis::ObservedRate),
            Self::Cost => (Axis::ProbabilityCost, Axis::NormalisedCost),
            Self::Profit => (Axis::ShareOfList, Axis::Profit),
            Self::Amount => (Axis::ShareOfList, Axis::ShareOfAmount),
        }
    }

    /// Where the curve stands when these weights are above the cut-off; `None` for curves that are not
    /// functions of a ranking alone.
    #[inline]
    pub fn point(self, above: Split, totals: Split) -> Option<Point> {
        let (share, recall) = (above.total() / totals.total(), above.positive / totals.positive);
        match self {
            Self::Roc => Some(Point { x: above.negative / totals.negative, y: recall }),
            Self::PrecisionRecall => Some(Point { x: recall, y: above.positive / above.total() }),
            Self::Cph => Some(Point { x: share, y: recall }),
            Self::Lift => Some(Point { x: share, y: recall / share }),
            Self::Calibration | Self::Cost | Self::Profit | Self::Amount => None,
        }
    }

    /// Whether the curve starts in (0, 0), where nothing is above the cut-off.
    fn has_origin(self) -> bool {
        matches!(self, Self::Roc | Self::Cph | Self::Profit | Self::Amount)
    }
}

/// A curve as plain data.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Curve {
    /// Which curve.
    pub kind: CurveKind,
    /// Its points, in the order of the ranking.
    pub points: Vec<Point>,
    /// The score at which each point is reached: cases that score at least so much are above the cut-off. Infinite at
    /// the origin, where nobody is. Empty where nobody asked for them, and for curves that are no walk down a ranking.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "crate::infinite::each")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Option<f64>>"))]
    pub thresholds: Vec<f64>,
}

impl Curve {
    /// One point after each block of tied scores, behind the origin where the curve has one.
    ///
    /// ```
    /// use tribunal_eval::{Ranking, ScoredSet, curves::{Curve, CurveKind}};
    ///
    /// let ranking = Ranking::of(&ScoredSet::new(&[true, false, true], &[0.9, 0.9, 0.2])?)?;
    /// let roc = Curve::of(CurveKind::Roc, &ranking)?;
    /// let points: Vec<_> = roc.points.iter().map(|p| (p.x, p.y)).collect();
    /// assert_eq!(points, [(0.0, 0.0), (1.0, 0.5), (1.0, 1.0)]);
    /// assert_eq!(Curve::with_thresholds(CurveKind::Roc, &ranking)?.thresholds, [f64::INFINITY, 0.9, 0.2]);
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    pub fn of(kind: CurveKind, ranking: &Ranking) -> Result<Self, Undefined> {
        let totals = ranking.both_classes()?;
        let lead = usize::from(kind.has_origin());
        let points = ranking.map_path(lead, |above| kind.point(above, totals).unwrap_or_default());
        Ok(Self { kind, points, thresholds: Vec::new() })
    }

    /// The same with the score that leads to each point, which takes half as long again.
    pub fn with_thresholds(kind: CurveKind, ranking: &Ranking) -> Result<Self, Undefined> {
        let origin = kind.has_origin().then_some(f64::INFINITY);
        let thresholds = origin.into_iter().chain(ranking.scores()).collect();
        Ok(Self { thresholds, ..Self::of(kind, ranking)? })
    }

    /// The curve at some blocks only; [`Ranking::landmarks`] picks few that show it well.
    pub fn at_blocks(kind: CurveKind, ranking: &Ranking, blocks: &[usize]) -> Result<Self, Undefined> {
        let totals = ranking.both_classes()?;
        let at = |&block: &usize| kind.point(ranking.through(block + 1), totals);
        let reached = blocks.iter().filter_map(|block| Some((at(block)?, ranking.score(*block))));
        Ok(Self::of_walk(kind, reached))
    }

    /// Points with the scores that lead to them, behind the origin where the curve has one.
    pub(crate) fn of_walk(kind: CurveKind, reached: impl Iterator<Item = (Point, f64)>) -> Self {
        let lead = kind.has_origin().then_some((Point::default(), f64::INFINITY));
        let (points, thresholds) = lead.into_iter().chain(reached).unzip();
        Self { kind, points, thresholds }
    }

    /// Points that no score leads to.
    pub(crate) fn of_points(kind: CurveKind, points: impl IntoIterator<Item = Point>) -> Self {
        Self { kind, points: points.into_iter().collect(), thresholds: Vec::new() }
    }

    /// Ordinate at `x`: linear between points, and the largest where several share the abscissa.
    pub fn at(&self, x: f64) -> f64 {
        let after = self.points.partition_point(|point| point.x <= x);
        match (after.checked_sub(1).map(|last| self.points[last]), self.points.get(after)) {
            (Some(left), Some(right)) if left.x < x => {
                left.y + (right.y - left.y) * (x - left.x) / (right.x - left.x)
            }
            (Some(left), _) => left.y,
            (None, right) => right.map_or(0.0, |point| point.y),
        }
    }

    /// Area under the curve by the trapezoid rule.
    pub fn area(&self) -> f64 {
        self.points.windows(2).map(|pair| (pair[1].x - pair[0].x) * (pair[0].y + pair[1].y) / 2.0).sum()
    }
}

impl Ranking {
    /// At most about `most` blocks that show every curve of the ranking well: evenly spread over both
    /// classes, and denser at the top of the list, where people act. The last block is among them.
    pub fn landmarks(&self, most: usize) -> Vec<usize> {
        if self.n_blocks() <= most {
            return (0..self.n_blocks()).collect();
        }
        let totals = self.totals();
        let reached = |enough: &dyn Fn(Split) -> bool| self.first_block(enough);
        let n_even = most / 2;
        let even = (1..n_even).map(|part| {
            // Both classes count alike, however rare one of them is.
            let share = |above: Split| {
                above.positive / totals.positive.max(1e-300) + above.negative / totals.negative.max(1e-300)
            };
            reached(&|above| share(above) * n_even as f64 >= 2.0 * part as f64)
        });
        let n_top = most / 2;
        let step = totals.total().max(2.0).ln() / n_top as f64;
        let top = (0..n_top).map(|part| reached(&|above| above.total() >= (part as f64 * step).exp()));
        let mut landmarks: Vec<usize> = even.chain(top).chain([self.n_blocks() - 1]).collect();
        landmarks.sort_unstable();
        landmarks.dedup();
        landmarks
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::{ranked, second, table_5_6, tied};

    fn check(ranking: &Ranking, expected: &[(f64, f64)]) {
        let roc = Curve::of(CurveKind::Roc, ranking).expect("both classes");
        assert_eq!(roc.points.len(), expected.len());
        for (point, &(x, y)) in roc.points.iter().zip(expected) {
            assert!(
                (point.x - x).abs() < 1e-12 && (point.y - y).abs() < 1e-12,
                "{point:?} is not ({x}, {y})"
            );
        }
    }

    /// Values of scikit-learn 1.9.1: `roc_curve(..., drop_intermediate=False)` and `precision_recall_curve`, whose
    /// order is turned and whose last point, which no threshold reaches, is left out.
    #[test]
    fn points_and_thresholds_are_those_of_scikit_learn() {
        let ranking = ranked("++-+-+--+-", &[0.9, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.4, -0.0, 0.0]);
        let curve = |kind: CurveKind| Curve::with_thresholds(kind, &ranking).expect("both classes");
        let check = |curve: &Curve, x: &[f64], y: &[f64], thresholds: &[f64]| {
            assert_eq!(curve.points.iter().map(|point| point.x).collect::<Vec<_>>(), x);
            assert_eq!(curve.points.iter().map(|point| point.y).collect::<Vec<_>>(), y);
            assert_eq!(curve.thresholds, thresholds);
        };
        check(
            &curve(CurveKind::Roc),
            &[0.0, 0.0, 0.2, 0.2, 0.6, 0.8, 1.0],
            &[0.0, 0.2, 0.4, 0.6, 0.8, 0.8, 1.0],
            &[f64::INFINITY, 0.9, 0.8, 0.7, 0.6, 0.4, 0.0],
        );
        check(
            &curve(CurveKind::PrecisionRecall),
            &[0.2, 0.4, 0.6, 0.8, 0.8, 1.0],
            &[1.0, 0.6666666666666666, 0.75, 0.5714285714285714, 0.5, 0.5],
            &[0.9, 0.8, 0.7, 0.6, 0.4, 0.0],
        );
        let few = Curve::at_blocks(CurveKind::Cph, &ranking, &[1, 5]).expect("both classes");
        assert_eq!(few.thresholds, [f64::INFINITY, 0.8, 0.0]);
    }

    #[test]
    fn golden_roc_points() {
        check(
            &tied(),
            &[(0.0, 0.0), (0.0, 0.2), (0.2, 0.4), (0.2, 0.6), (0.6, 0.8), (0.8, 0.8), (0.8, 1.0), (1.0, 1.0)],
        );
        let second_points = [
            (0.0, 0.0),
            (0.0, 0.25),
            (0.0, 0.5),
            (0.25, 0.5),
            (0.25, 0.75),
            (0.5, 0.75),
            (0.5, 1.0),
            (0.75, 1.0),
            (1.0, 1.0),
        ];
        check(&second(), &second_points);
        let roc = Curve::of(CurveKind::Roc, &table_5_6()).expect("both classes");
        assert_eq!(roc.points.len(), 18);
        assert!((roc.points[1].y - 1.0 / 13.0).abs() < 1e-12);
        assert!((roc.points[2].x - 1.0 / 6.0).abs() < 1e-12 && (roc.points[2].y - 2.0 / 13.0).abs() < 1e-12);
    }

    #[test]
    fn lift_is_cph_over_share() {
        let ranking = table_5_6();
        let cph = Curve::of(CurveKind::Cph, &ranking).expect("both classes");
        let lift = Curve::of(CurveKind::Lift, &ranking).expect("both classes");
        for (cph, lift) in cph.points[1..].iter().zip(&lift.points) {
            assert!((lift.y - cph.y / cph.x).abs() < 1e-12);
        }
    }

    #[test]
    fn value_on_a_vertical_segment_is_the_largest() {
        let roc = Curve::of(CurveKind::Roc, &tied()).expect("both classes");
        assert_eq!([roc.at(0.0), roc.at(0.2), roc.at(1.0)], [0.2, 0.6, 1.0]);
        assert!((roc.at(0.4) - 0.7).abs() < 1e-12);
    }
}
