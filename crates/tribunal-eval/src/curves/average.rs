//! Curves of several folds averaged vertically (Provost, Fawcett and Kohavi 1998).

use serde::{Deserialize, Serialize};

use super::roc::trapezoid;
use super::{Curve, CurveKind, Point};
use crate::intervals::Level;
use tribunal_tails::t_quantile;

/// Sampled false-positive rates: i/99, both ends included.
pub const N_SAMPLES: usize = 100;

/// The mean of fold curves at 100 false-positive rates, with its dispersion.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AveragedRoc {
    /// Number of curves.
    pub n_curves: usize,
    /// The sampled false-positive rates.
    pub fpr: Vec<f64>,
    /// Mean true-positive rate at each.
    pub tpr: Vec<f64>,
    /// Standard deviation over the curves (divisor n - 1; zero for a single curve).
    pub sd: Vec<f64>,
    /// Lower end of the band `mean - t sd / sqrt(n)`, not below 0.
    pub lower: Vec<f64>,
    /// Upper end of the band, not above 1.
    pub upper: Vec<f64>,
}

impl AveragedRoc {
    /// Averages curves sampled by [`sample_roc`](super::sample_roc), with a band of the given level;
    /// `None` without curves.
    pub fn of(samples: &[[f64; N_SAMPLES]], level: Level) -> Option<Self> {
        let n = samples.len();
        if n == 0 {
            return None;
        }
        let mean = |i: usize| samples.iter().map(|tpr| tpr[i]).sum::<f64>() / n as f64;
        let tpr: Vec<f64> = (0..N_SAMPLES).map(mean).collect();
        let squares = |i: usize| samples.iter().map(|curve| (curve[i] - tpr[i]).powi(2)).sum::<f64>();
        let sd: Vec<f64> = (0..N_SAMPLES).map(|i| (squares(i) / (n.max(2) - 1) as f64).sqrt()).collect();
        let t = if n > 1 { t_quantile(level.tail(), n as f64 - 1.0) } else { 0.0 };
        let half_width = t / (n as f64).sqrt();
        let end = |sign: f64| {
            tpr.iter().zip(&sd).map(|(y, sd)| (y + sign * half_width * sd).clamp(0.0, 1.0)).collect()
        };
        Some(Self {
            n_curves: n,
            fpr: (0..N_SAMPLES).map(|i| i as f64 / (N_SAMPLES - 1) as f64).collect(),
            lower: end(-1.0),
            upper: end(1.0),
            sd,
            tpr,
        })
    }

    /// The mean as a curve that starts in the origin.
    pub fn curve(&self) -> Curve {
        let points = self.fpr.iter().zip(&self.tpr).map(|(&x, &y)| Point { x, y });
        Curve { kind: CurveKind::Roc, points: std::iter::once(Point::default()).chain(points).collect() }
    }

    /// Area under the samples: the mean of the curves' own sampled areas.
    pub fn area(&self) -> f64 {
        trapezoid(&self.tpr)
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample_roc;
    use super::*;
    use crate::golden::{second, tied};
    use crate::metrics::{auroc, auroc_100};

    #[test]
    fn golden_vertical_average_and_pooling() {
        let samples = [tied(), second()].map(|ranking| sample_roc(&ranking).expect("both classes"));
        let average = AveragedRoc::of(&samples, Level::P95).expect("two curves");
        for (i, y) in [(0, 0.35), (25, 0.688131313), (50, 0.876262626), (75, 0.9), (99, 1.0)] {
            assert!((average.tpr[i] - y).abs() < 1e-9, "{i}: {}", average.tpr[i]);
        }
        let mean = (auroc_100(&tied()).expect("defined") + auroc_100(&second()).expect("defined")) / 2.0;
        assert!((average.area() - 0.756560555045).abs() < 1e-12 && (average.area() - mean).abs() < 1e-12);
        let pooled = auroc(&tied().merge(second())).expect("defined");
        assert!((pooled - 0.740740740741).abs() < 1e-12);
    }

    #[test]
    fn the_band_is_student_t() {
        let samples = [[0.4; N_SAMPLES], [0.6; N_SAMPLES]];
        let average = AveragedRoc::of(&samples, Level::P95).expect("two curves");
        // sd = 0.141421, t(1, .975) = 12.706205: wider than the unit interval, so clipped.
        assert_eq!((average.lower[0], average.upper[0]), (0.0, 1.0));
        let three = AveragedRoc::of(&[[0.4; N_SAMPLES], [0.5; N_SAMPLES], [0.6; N_SAMPLES]], Level::P95)
            .expect("three");
        assert!((three.upper[7] - (0.5 + 4.302652729749464 * 0.1 / 3f64.sqrt())).abs() < 1e-9);
    }
}
