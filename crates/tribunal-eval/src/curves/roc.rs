//! The ROC curve sampled at 100 points, as Viaene and colleagues (2002) do.

use super::average::N_SAMPLES;
use super::{Curve, CurveKind, Point};
use crate::ranking::Ranking;
use crate::undefined::Undefined;

/// The ROC curve with the threshold of every point: [`Curve::with_thresholds`] of [`CurveKind::Roc`].
pub fn roc_curve(ranking: &Ranking) -> Result<Curve, Undefined> {
    Curve::with_thresholds(CurveKind::Roc, ranking)
}

/// `R(i/99)` for `i = 0..99`: the curve's height at regularly spaced false-positive rates.
///
/// ```
/// use tribunal_eval::{Ranking, ScoredSet, curves::sample_roc};
///
/// let ranking = Ranking::of(&ScoredSet::new(&[true, false], &[0.9, 0.1])?)?;
/// assert!(sample_roc(&ranking)?.iter().all(|&tpr| tpr == 1.0));
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
pub fn sample_roc(ranking: &Ranking) -> Result<[f64; N_SAMPLES], Undefined> {
    let totals = ranking.both_classes()?;
    let point = |n_blocks: usize| CurveKind::Roc.point(ranking.through(n_blocks), totals).unwrap_or_default();
    Ok(std::array::from_fn(|sample| {
        let x = sample as f64 / (N_SAMPLES - 1) as f64;
        let last = last_at_or_before(ranking.n_blocks(), x, point);
        let left = point(last);
        if left.x == x || last == ranking.n_blocks() {
            return left.y;
        }
        let right = point(last + 1);
        left.y + (right.y - left.y) * (x - left.x) / (right.x - left.x)
    }))
}

/// The last of the points 0..=n whose abscissa is at most `x`; the abscissas never fall.
fn last_at_or_before(n: usize, x: f64, point: impl Fn(usize) -> Point) -> usize {
    let (mut low, mut high) = (0, n + 1);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if point(middle).x <= x { low = middle } else { high = middle }
    }
    low
}

/// Area under regularly spaced samples of a curve over [0, 1].
pub fn trapezoid(samples: &[f64]) -> f64 {
    let intervals = samples.len().saturating_sub(1).max(1) as f64;
    samples.windows(2).map(|pair| (pair[0] + pair[1]) / 2.0).sum::<f64>() / intervals
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::table_5_6;

    #[test]
    fn the_area_depends_a_little_on_the_number_of_samples() {
        let sampled = trapezoid(&sample_roc(&table_5_6()).expect("both classes"));
        assert!((sampled - 0.629370629371).abs() < 1e-12);
        let roc = Curve::of(CurveKind::Roc, &table_5_6()).expect("both classes");
        let finer: Vec<f64> = (0..=100).map(|i| roc.at(f64::from(i) / 100.0)).collect();
        assert!((trapezoid(&finer) - 0.629738461538).abs() < 1e-12);
    }
}
