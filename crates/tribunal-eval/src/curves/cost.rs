//! Cost curves: the hull seen through costs and base rates that are not known yet (Drummond and Holte 2006).

use super::{Curve, CurveKind, Hull, Point};

/// Lower envelope of the normalised expected cost, the image of the ROC hull.
///
/// The abscissa is the probability cost of the positives, `p(+) c(FN) / (p(+) c(FN) + p(-) c(FP))`; the
/// ordinate is `FNR x + FPR (1 - x)` at the best vertex.
pub fn cost_curve(hull: &Hull) -> Curve {
    let crossing = |pair: &[super::Vertex]| {
        let (rise, run) = (pair[1].tpr - pair[0].tpr, pair[1].fpr - pair[0].fpr);
        let x = run / (run + rise);
        Point { x, y: (1.0 - pair[0].tpr) * x + pair[0].fpr * (1.0 - x) }
    };
    let ends = (Point::default(), Point { x: 1.0, y: 0.0 });
    let mut points = vec![ends.0];
    points.extend(hull.vertices().windows(2).map(crossing).filter(|point| point.x > 0.0 && point.x < 1.0));
    points.push(ends.1);
    Curve::of_points(CurveKind::Cost, points)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::{second, tied};
    use crate::operating::Condition;

    #[test]
    fn envelope_is_the_cheapest_vertex_everywhere() {
        let hull = Hull::of_ranking(&tied()).expect("both classes");
        let curve = cost_curve(&hull);
        for hundredth in 0..=100 {
            let x = f64::from(hundredth) / 100.0;
            let cost = |v: &super::super::Vertex| (1.0 - v.tpr) * x + v.fpr * (1.0 - x);
            let cheapest = hull.vertices().iter().map(cost).fold(f64::INFINITY, f64::min);
            assert!((curve.at(x) - cheapest).abs() < 1e-12, "{x}");
        }
    }

    #[test]
    fn golden_point() {
        let curves =
            [tied(), second()].map(|ranking| Curve::of(CurveKind::Roc, &ranking).expect("both classes"));
        let envelope = cost_curve(&Hull::of_curves(&[&curves[0], &curves[1]]));
        let condition = Condition { base_rate: 0.2831, false_positive: 1.0, false_negative: 5.0 };
        let x = condition.probability_cost();
        assert!((x - 0.663806).abs() < 1e-6 && (envelope.at(x) - 0.168097).abs() < 1e-6);
        assert!((envelope.at(x) * 2.1324 - 0.358450).abs() < 1e-6);
    }
}
