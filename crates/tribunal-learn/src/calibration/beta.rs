//! Beta calibration: the log-odds are linear in the logs of the probability and of its complement (Kull, Silva Filho and
//! Flach 2017).
//!
//! **Definition** `ln(p / (1 - p)) = a ln s - b ln(1 - s) + c` of least cross-entropy among all with `a >= 0` and `b >= 0`,
//! so that the order of scores is kept; `s` is the score, clipped to 1e-12 from zero and one where the curve is fitted. `a =
//! b = 1`, `c = 0` leaves probabilities as they are. Both logs are taken from the log-odds that a score stands for, so that
//! zero and one are treated alike.
//!
//! A parameter that would be negative is zero and the others are fitted again, as in the authors' procedure; where that
//! can be done in more than one way, the way of least cross-entropy is taken, which is the constrained optimum.

use serde::{Deserialize, Serialize};

use super::logistic::{Case, Optimum, minimise};
use super::pool::Pool;
use crate::probability::{probability, tempered_log_odds};

/// The log-odds of 1 - 1e-12, beyond which scores are clipped where the curve is fitted.
const CLIP: f64 = 27.631_021_115_927_55;
const TOLERANCE: f64 = 1e-8;
/// What it adds to log-odds, 4e-6 at most, is less than anybody can measure, and keeps their order.
const LEAST_SLOPE: f64 = 1e-7;

/// The three parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Beta {
    pub(crate) a: f64,
    pub(crate) b: f64,
    pub(crate) c: f64,
}

impl Beta {
    /// Fits rows of both classes.
    pub(crate) fn fit(pools: &[Pool]) -> Self {
        let (positive, negative) = Pool::class_weights(pools);
        let log_odds = (positive / negative).ln();
        let nothing = Optimum { parameters: [0.0, 0.0, log_odds], loss: f64::INFINITY };
        // Which of `a` and `b` are free. Where both may be, no other choice has a lower loss.
        let choices = [[true, true], [true, false], [false, true], [false, false]];
        let fits = choices.map(|is_free| minimise(&cases(pools, is_free), nothing.parameters, TOLERANCE));
        let is_allowed = |fit: &Optimum<3>| fit.parameters[0] >= 0.0 && fit.parameters[1] >= 0.0;
        let better = |best: Optimum<3>, fit: Optimum<3>| if fit.loss < best.loss { fit } else { best };
        let [a, b, c] = fits.into_iter().filter(is_allowed).fold(nothing, better).parameters;
        Beta { a, b, c }
    }

    pub(crate) fn value(&self, score: f64) -> f64 {
        // Not clipped, so that the order of the surest scores is kept as well.
        let [rise, fall] = logs(tempered_log_odds(score));
        // A curve that is flat at one end would tie the surest scores there.
        let least = if self.a > 0.0 || self.b > 0.0 { LEAST_SLOPE } else { 0.0 };
        probability(self.a.max(least) * rise + self.b.max(least) * fall + self.c)
    }

    pub(crate) fn is_sound(&self) -> bool {
        let is_slope = |slope: f64| slope.is_finite() && slope >= 0.0;
        is_slope(self.a) && is_slope(self.b) && self.c.is_finite()
    }
}

/// What `a` and `b` are multiplied with, from the log-odds of the score.
fn logs(log_odds: f64) -> [f64; 2] {
    // The logs of 1 + e^-x and 1 + e^x, whatever the sign.
    let small = (-log_odds.abs()).exp().ln_1p();
    [log_odds.min(0.0) - small, log_odds.max(0.0) + small]
}

/// The rows with only the free terms; the parameter of a term that is always zero stays where it starts.
fn cases(pools: &[Pool], is_free: [bool; 2]) -> Vec<Case<3>> {
    let case = |pool: &Pool| {
        let [rise, fall] = logs(tempered_log_odds(pool.least).clamp(-CLIP, CLIP));
        let terms = [if is_free[0] { rise } else { 0.0 }, if is_free[1] { fall } else { 0.0 }, 1.0];
        Case { terms, weight: pool.weight, target: pool.share() }
    };
    pools.iter().map(case).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibration::Scored;

    /// Rows whose share of positives at each score is what a function says.
    fn fitted(share: impl Fn(f64) -> f64) -> Beta {
        let row = |score: f64, is_positive: bool| {
            let share = share(score);
            Scored { score, weight: if is_positive { share } else { 1.0 - share }, is_positive }
        };
        let scores = (1..20).map(|score| f64::from(score) / 20.0);
        let rows = scores.flat_map(|score| [row(score, true), row(score, false)]).collect();
        Beta::fit(&Pool::of_equal_scores(rows))
    }

    fn check(share: impl Fn(f64) -> f64, [a, b, c]: [f64; 3]) {
        let found = fitted(share);
        let is_near = |found: f64, expected: f64| (found - expected).abs() < 1e-6;
        assert!(is_near(found.a, a) && is_near(found.b, b) && is_near(found.c, c), "{found:?}");
    }

    #[test]
    fn the_curve_that_made_the_rows_is_found() {
        check(|score| score, [1.0, 1.0, 0.0]);
        let curve = Beta { a: 0.5, b: 2.0, c: -0.75 };
        check(|score| curve.value(score), [0.5, 2.0, -0.75]);
    }

    #[test]
    fn no_parameter_is_negative() {
        check(|score| 1.0 - score, [0.0, 0.0, 0.0]);
        let falls_first = |score: f64| probability(-0.5 * score.ln() - 2.0 * (1.0 - score).ln());
        let found = fitted(falls_first);
        assert!(found.a == 0.0 && found.b > 0.5, "{found:?}");
    }

    #[test]
    fn a_curve_that_is_flat_at_one_end_ties_nothing_there() {
        let sure: Vec<f64> = [20.0, 30.0, 40.0, 400.0, 500.0].map(probability).to_vec();
        for flat in [Beta { a: 0.7, b: 0.0, c: 1.0 }, Beta { a: 0.0, b: 0.7, c: 1.0 }] {
            let values: Vec<f64> = sure.iter().map(|&score| flat.value(score)).collect();
            assert!(values.windows(2).all(|pair| pair[0] < pair[1]), "{values:?}");
        }
        let constant = Beta { a: 0.0, b: 0.0, c: 1.0 };
        assert_eq!(constant.value(0.1), constant.value(0.9));
    }
}
