//! Platt's sigmoid: the log-odds are a straight line in the score (Platt 2000), fitted as Lin, Lin and Weng (2007) do.
//!
//! **Definition** `p = 1 / (1 + exp(A score + B))` of least cross-entropy, where the target of a positive row is
//! `(n+ + 1) / (n+ + 2)` and that of a negative one `1 / (n- + 2)`, `n+` and `n-` being sums of weights. The line starts at
//! `A = 0`, `B = ln((n- + 1) / (n+ + 1))` and is found when both slopes are below 1e-5.

use serde::{Deserialize, Serialize};

use super::logistic::{Case, minimise};
use super::pool::Pool;
use crate::probability::probability;

const TOLERANCE: f64 = 1e-5;

/// The two parameters, with the sign that Platt gives them: `a` is negative where high scores are positive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Platt {
    pub(crate) a: f64,
    pub(crate) b: f64,
}

impl Platt {
    pub(crate) fn fit(pools: &[Pool]) -> Self {
        let (positive, negative) = Pool::class_weights(pools);
        let (high, low) = ((positive + 1.0) / (positive + 2.0), 1.0 / (negative + 2.0));
        let case = |pool: &Pool| {
            let share = pool.share();
            let target = share * high + (1.0 - share) * low;
            Case { terms: [pool.least, 1.0], weight: pool.weight, target }
        };
        let cases: Vec<Case<2>> = pools.iter().map(case).collect();
        let start = [0.0, ((positive + 1.0) / (negative + 1.0)).ln()];
        let [slope, intercept] = minimise(&cases, start, TOLERANCE).parameters;
        Platt { a: -slope, b: -intercept }
    }

    pub(crate) fn value(&self, score: f64) -> f64 {
        probability(-(self.a * score + self.b))
    }

    pub(crate) fn is_sound(&self) -> bool {
        self.a.is_finite() && self.b.is_finite()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibration::scored;

    #[test]
    fn golden_line() {
        let scores: Vec<f64> = (-4..=4).map(|half| f64::from(half) / 2.0).collect();
        let Platt { a, b } = Platt::fit(&Pool::of_equal_scores(scored(&scores, "000101101")));
        assert!((a + 0.607020213).abs() < 1e-9, "{a}");
        assert!((b - 0.231765743).abs() < 1e-9, "{b}");
    }
}
