//! Logistic recalibration: how stated probabilities would have to be stretched and shifted (Cox 1958).
//!
//! Newton's method on the log-likelihood. The scores of each class are sorted, so a systematic sample of
//! them gives a start so good that two or three passes over all rows finish the fit.

use crate::influence::Influence;
use crate::intervals::{Interval, IntervalMethod, Sampled};
use crate::ranking::Ranking;
use crate::reliability::{CLIP, weight_of_probabilities};
use crate::undefined::{Undefined, Value};

/// Entries of a class that the first approximation looks at.
const SAMPLE: f64 = 16_384.0;
/// Newton's steps end below this size; the error that is left is of the order of its square.
const SMALL_STEP: f64 = 1e-9;
/// More steps than this are never needed for a problem that has a solution.
const MOST_STEPS: usize = 100;

/// `logit(P(+)) = intercept + slope logit(p)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Recalibration {
    pub(crate) intercept: f64,
    pub(crate) slope: f64,
}

/// The maximum-likelihood recalibration of probabilities.
pub(crate) fn recalibration(ranking: &Ranking) -> Result<Recalibration, Undefined> {
    weight_of_probabilities(ranking)?;
    ranking.both_classes()?;
    refuse_separated(ranking)?;
    let start = Recalibration { intercept: 0.0, slope: 1.0 };
    let stride = stride(ranking);
    if stride == 1 {
        return newton(ranking, 1, start).ok_or(Undefined::Separated);
    }
    let rough = newton(ranking, stride, start).unwrap_or(start);
    polish(ranking, rough).or_else(|| newton(ranking, 1, rough)).ok_or(Undefined::Separated)
}

/// A few plain Newton steps, which is all it takes from a good start; `None` if it was not good.
fn polish(ranking: &Ranking, start: Recalibration) -> Option<Recalibration> {
    const MOST_PLAIN_STEPS: usize = 5;
    let mut at = start;
    for _ in 0..MOST_PLAIN_STEPS {
        let derivatives = ranking.sum(|p, positive| {
            let l = logit(p);
            let q = logistic(at.intercept + at.slope * l);
            let (residual, spread) = (f64::from(positive) - q, q * (1.0 - q));
            [residual, residual * l, spread, spread * l, spread * l * l]
        });
        let step = newton_step(derivatives)?;
        at = Recalibration { intercept: at.intercept + step.0, slope: at.slope + step.1 };
        if is_small(step, at) {
            return Some(at);
        }
    }
    None
}

/// The step that gradient and information call for; `None` where there is no curvature.
fn newton_step([g0, g1, h00, h01, h11]: [f64; 5]) -> Option<(f64, f64)> {
    let determinant = h00 * h11 - h01 * h01;
    let step = ((h11 * g0 - h01 * g1) / determinant, (h00 * g1 - h01 * g0) / determinant);
    (determinant > 0.0 && step.0.is_finite() && step.1.is_finite()).then_some(step)
}

fn is_small(step: (f64, f64), at: Recalibration) -> bool {
    step.0.abs().max(step.1.abs()) < SMALL_STEP * (1.0 + at.slope.abs())
}

/// The influence function of the slope, from which the sandwich standard error follows (White 1982); it holds whether or not a
/// straight line is the right recalibration.
pub(crate) fn slope_influence(ranking: &Ranking) -> Result<Influence<'_>, Undefined> {
    let at = recalibration(ranking)?;
    let [h00, h01, h11] = ranking.sum(|p, _| {
        let l = logit(p);
        let q = logistic(at.intercept + at.slope * l);
        let spread = q * (1.0 - q);
        [spread, spread * l, spread * l * l]
    });
    // The row of the inverse information that belongs to the slope, times the gradients of the rows.
    let (determinant, total) = (h00 * h11 - h01 * h01, ranking.totals().total());
    let (a, b) = (-h01 / determinant * total, h00 / determinant * total);
    Ok(Influence::Scores(Box::new(move |p, positive| {
        let l = logit(p);
        (f64::from(positive) - logistic(at.intercept + at.slope * l)) * (a + b * l)
    })))
}

/// The same of the intercept at slope one.
pub(crate) fn intercept_influence(ranking: &Ranking) -> Result<Influence<'_>, Undefined> {
    let factor = calibration_in_the_large(ranking)?.exp();
    let [spread] = ranking.sum(|p, _| {
        let q = shifted(p, factor);
        [q * (1.0 - q)]
    });
    let scale = ranking.totals().total() / spread;
    Ok(Influence::Scores(Box::new(move |p, positive| (f64::from(positive) - shifted(p, factor)) * scale)))
}

/// The sandwich interval of a coefficient, with this quantile.
pub(crate) fn sandwich_interval(
    sampled: &Sampled<'_>,
    estimate: f64,
    influence: fn(&Ranking) -> Result<Influence<'_>, Undefined>,
    quantile: f64,
) -> Result<Interval, Undefined> {
    let moments = sampled.moments(influence)?;
    let squares = moments.sums[0][1] + moments.sums[1][1];
    let error = squares.sqrt() / sampled.ranking.n_rows();
    Ok(Interval::around(estimate, quantile * error, sampled.level, IntervalMethod::Sandwich))
}

fn logistic(eta: f64) -> f64 {
    1.0 / (1.0 + (-eta).exp())
}

/// `σ(a + logit p)` for `factor = eᵃ` needs neither logarithm nor exponential.
fn shifted(p: f64, factor: f64) -> f64 {
    let p = p.clamp(CLIP, 1.0 - CLIP);
    p * factor / (1.0 - p + p * factor)
}

/// The intercept alone, at slope one.
pub(crate) fn calibration_in_the_large(ranking: &Ranking) -> Value {
    let total = weight_of_probabilities(ranking)?;
    let positives = ranking.both_classes()?.positive;
    let fit = |stride: usize, mut a: f64| {
        for _ in 0..MOST_STEPS {
            let factor = a.exp();
            let [expected, spread, weight] = ranking.sum_every(stride, |p, _| {
                let q = shifted(p, factor);
                [q, q * (1.0 - q), 1.0]
            });
            let step = (positives / total * weight - expected) / spread;
            a += step.clamp(-2.0, 2.0);
            if step.abs() < SMALL_STEP {
                break;
            }
        }
        a
    };
    Ok(fit(1, fit(stride(ranking), 0.0)))
}

fn stride(ranking: &Ranking) -> usize {
    ((ranking.n_rows() / SAMPLE) as usize).max(1)
}

/// Without overlap of the classes the likelihood has no maximum.
fn refuse_separated(ranking: &Ranking) -> Result<(), Undefined> {
    let Some([(low_p, high_p), (low_n, high_n)]) = ranking.class_ranges() else {
        return Err(Undefined::NoRows);
    };
    if low_p == high_p && low_n == high_n && low_p == low_n {
        Err(Undefined::ConstantScores)
    } else if low_p >= high_n || high_p <= low_n {
        Err(Undefined::Separated)
    } else {
        Ok(())
    }
}

fn logit(p: f64) -> f64 {
    let p = p.clamp(CLIP, 1.0 - CLIP);
    (p / (1.0 - p)).ln()
}

/// Damped Newton steps until they vanish; `None` if they do not.
fn newton(ranking: &Ranking, stride: usize, start: Recalibration) -> Option<Recalibration> {
    let mut at = start;
    let mut likelihood = f64::NEG_INFINITY;
    let mut step = (0.0, 0.0);
    for _ in 0..MOST_STEPS {
        let [value, g0, g1, h00, h01, h11] = derivatives(ranking, stride, at);
        if value < likelihood - 1e-9 * likelihood.abs() {
            // The last step went too far: take half of it back.
            step = (step.0 / 2.0, step.1 / 2.0);
            at = Recalibration { intercept: at.intercept - step.0, slope: at.slope - step.1 };
            continue;
        }
        likelihood = value;
        step = newton_step([g0, g1, h00, h01, h11])?;
        at = Recalibration { intercept: at.intercept + step.0, slope: at.slope + step.1 };
        if is_small(step, at) {
            return Some(at);
        }
    }
    None
}

/// Log-likelihood, its gradient and the negative of its second derivatives.
fn derivatives(ranking: &Ranking, stride: usize, at: Recalibration) -> [f64; 6] {
    ranking.sum_every(stride, |p, positive| {
        let l = logit(p);
        let eta = at.intercept + at.slope * l;
        let e = (-eta.abs()).exp();
        let q = if eta >= 0.0 { 1.0 / (1.0 + e) } else { e / (1.0 + e) };
        let value = (if positive { eta.min(0.0) } else { -eta.max(0.0) }) - e.ln_1p();
        let residual = f64::from(positive) - q;
        let spread = q * (1.0 - q);
        [value, residual, residual * l, spread, spread * l, spread * l * l]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::ranked;

    #[test]
    fn says_when_there_is_no_fit() {
        assert_eq!(recalibration(&ranked("++--", &[0.9, 0.8, 0.8, 0.1])), Err(Undefined::Separated));
        assert_eq!(recalibration(&ranked("+-", &[0.5, 0.5])), Err(Undefined::ConstantScores));
        assert_eq!(recalibration(&ranked("++", &[0.5, 0.4])), Err(Undefined::NoNegatives));
    }

    #[test]
    fn undoes_a_known_distortion() {
        // Of 100 cases at each of three scores, 20, 50 and 80 are positive; the scores are twice too bold.
        let bold = |p: f64| 1.0 / (1.0 + (-2.0 * logit(p)).exp());
        let scores: Vec<f64> = [0.2, 0.5, 0.8].iter().flat_map(|&p| [bold(p); 100]).collect();
        let labels: String = [20, 50, 80].iter().map(|&n| "+".repeat(n) + &"-".repeat(100 - n)).collect();
        let fit = recalibration(&ranked(&labels, &scores)).expect("overlapping");
        assert!((fit.slope - 0.5).abs() < 1e-12 && fit.intercept.abs() < 1e-12, "{fit:?}");
    }
}
