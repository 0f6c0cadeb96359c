//! Costs and benefits of the four outcomes of a decision, and the probability from which acting pays.
//!
//! Reference: Elkan (2001), "The foundations of cost-sensitive learning".

use serde::{Deserialize, Serialize};

use crate::error::Error;

/// Expected costs that differ by less than this part of them are equal.
const EQUAL: f64 = 1e-12;

/// What each outcome costs: `C[predicted][actual]`. Benefits are negative costs.
///
/// [`new`](Self::new) refuses matrices under which one of the two decisions is never the better one; whoever wants such a matrix
/// writes the fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CostMatrix {
    /// Acting on a positive, `C[1][1]`.
    pub hit: f64,
    /// Acting on a negative, `C[1][0]`.
    pub false_positive: f64,
    /// Not acting on a positive, `C[0][1]`. It may be infinite, which JSON writes as `null`.
    #[serde(with = "crate::infinite")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub false_negative: f64,
    /// Not acting on a negative, `C[0][0]`.
    pub correct_rejection: f64,
}

impl CostMatrix {
    /// A matrix under which either decision can be the better one.
    ///
    /// ```
    /// use tribunal_eval::decisions::CostMatrix;
    ///
    /// let cells = CostMatrix { false_positive: 1.0, false_negative: 5.0, ..CostMatrix::default() };
    /// assert!((CostMatrix::new(cells)?.threshold()? - 1.0 / 6.0).abs() < 1e-15);
    /// let wrong = CostMatrix { correct_rejection: 2.0, ..cells };
    /// assert!(CostMatrix::new(wrong).unwrap_err().to_string().contains("a false positive costs no more"));
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    ///
    /// # Errors
    /// A cell is not a finite number (false negatives may cost infinitely much), or an error costs no more than the right decision
    /// ([`Error::DegenerateCosts`]).
    pub fn new(cells: Self) -> Result<Self, Error> {
        cells.checked()?;
        let Self { hit, false_positive, false_negative, correct_rejection } = cells;
        if false_positive <= correct_rejection {
            let (error, right) = ("false positive", "correct rejection");
            return Err(Error::DegenerateCosts { error, right });
        }
        if false_negative <= hit {
            return Err(Error::DegenerateCosts { error: "false negative", right: "hit" });
        }
        Ok(cells)
    }

    fn checked(&self) -> Result<(), Error> {
        let finite = [self.hit, self.false_positive, self.correct_rejection];
        let bad = finite.into_iter().find(|cell| !cell.is_finite());
        let bad =
            bad.or(Some(self.false_negative).filter(|cell| cell.is_nan() || *cell == f64::NEG_INFINITY));
        match bad {
            Some(value) => Err(Error::OutOfRange {
                what: "a cell of the cost matrix",
                value,
                expected: "a finite number",
            }),
            None => Ok(()),
        }
    }

    /// What acting on a negative costs beyond leaving it alone.
    fn excess_of_false_positive(&self) -> f64 {
        self.false_positive - self.correct_rejection
    }

    /// What leaving a positive alone costs beyond acting on it.
    fn excess_of_false_negative(&self) -> f64 {
        self.false_negative - self.hit
    }

    /// The probability from which acting is the better decision.
    ///
    /// **Definition** · `p* = (C[1][0] - C[0][0]) / (C[1][0] - C[0][0] + C[0][1] - C[1][1])`; 0 where false negatives cost
    /// infinitely much.
    ///
    /// **Undefined when** the matrix is degenerate (see [`new`](Self::new)).
    ///
    /// **Example**
    /// ```
    /// use tribunal_eval::decisions::CostMatrix;
    ///
    /// let costs = CostMatrix { hit: -2.0, false_positive: 1.0, false_negative: 10.0, correct_rejection: 0.0 };
    /// assert!((costs.threshold()? - 0.076923077).abs() < 1e-9);
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    ///
    /// **Reference** · Elkan 2001
    pub fn threshold(&self) -> Result<f64, Error> {
        Self::new(*self)?;
        let of_negative = self.excess_of_false_positive();
        Ok(of_negative / (of_negative + self.excess_of_false_negative()))
    }

    /// Expected cost of not acting and of acting on a case of this probability.
    pub fn expected(&self, p: f64) -> [f64; 2] {
        // No chance of an infinite cost is no cost.
        let times = |p: f64, cost: f64| if p > 0.0 { p * cost } else { 0.0 };
        [
            times(p, self.false_negative) + times(1.0 - p, self.correct_rejection),
            times(p, self.hit) + times(1.0 - p, self.false_positive),
        ]
    }

    /// Whether to act on a case of this probability: where both decisions cost the same to twelve digits, yes.
    ///
    /// Only differences within a column enter, and what is equal is relative to them, so that a constant added to a column or a
    /// positive factor changes nothing.
    pub fn acts(&self, p: f64) -> bool {
        if self.false_negative == f64::INFINITY {
            return true;
        }
        let gained = p * self.excess_of_false_negative();
        let lost = (1.0 - p) * self.excess_of_false_positive();
        gained - lost >= -EQUAL * gained.abs().max(lost.abs())
    }

    /// The same matrix as benefits.
    ///
    /// # Errors
    /// False negatives cost infinitely much, so that no profit could be added up.
    pub fn benefits(&self) -> Result<BenefitMatrix, Error> {
        BenefitMatrix::new(BenefitMatrix {
            hit: -self.hit,
            false_positive: -self.false_positive,
            false_negative: -self.false_negative,
            correct_rejection: -self.correct_rejection,
        })
    }
}

/// What each outcome brings in: `B[predicted][actual]`, the negative of a [`CostMatrix`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BenefitMatrix {
    /// Acting on a positive, `B[1][1]`.
    pub hit: f64,
    /// Acting on a negative, `B[1][0]`.
    pub false_positive: f64,
    /// Not acting on a positive, `B[0][1]`.
    pub false_negative: f64,
    /// Not acting on a negative, `B[0][0]`.
    pub correct_rejection: f64,
}

impl BenefitMatrix {
    /// A matrix of finite numbers. Degenerate ones are allowed: they value what was decided elsewhere.
    ///
    /// # Errors
    /// A cell is not a finite number.
    pub fn new(cells: Self) -> Result<Self, Error> {
        let all = [cells.hit, cells.false_positive, cells.false_negative, cells.correct_rejection];
        match all.into_iter().find(|cell| !cell.is_finite()) {
            Some(value) => Err(Error::OutOfRange {
                what: "a cell of the benefit matrix",
                value,
                expected: "a finite number",
            }),
            None => Ok(cells),
        }
    }

    /// The same matrix as costs.
    pub fn costs(&self) -> CostMatrix {
        CostMatrix {
            hit: -self.hit,
            false_positive: -self.false_positive,
            false_negative: -self.false_negative,
            correct_rejection: -self.correct_rejection,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use proptest::prelude::*;

    fn matrix(hit: f64, false_positive: f64, false_negative: f64, correct_rejection: f64) -> CostMatrix {
        CostMatrix { hit, false_positive, false_negative, correct_rejection }
    }

    #[test]
    fn golden_thresholds() {
        for (costs, expected) in [
            (matrix(0.0, 1.0, 5.0, 0.0), 0.166666667),
            (matrix(0.0, 1.0, 1.0, 0.0), 0.5),
            (matrix(-2.0, 1.0, 10.0, 0.0), 0.076923077),
            (matrix(0.0, 1.0, f64::INFINITY, 0.0), 0.0),
        ] {
            assert!((costs.threshold().expect("sound") - expected).abs() < 1e-9, "{costs:?}");
        }
    }

    #[test]
    fn golden_decisions_and_their_expected_costs() {
        let costs = matrix(0.0, 1.0, 5.0, 0.0);
        let expected =
            [(0.2, [1.0, 0.8]), (0.15, [0.75, 0.85]), (0.6, [3.0, 0.4]), (1.0 / 6.0, [5.0 / 6.0; 2])];
        for ((p, risks), acts) in expected.into_iter().zip([true, false, true, true]) {
            let found = costs.expected(p);
            assert!((found[0] - risks[0]).abs() < 1e-12 && (found[1] - risks[1]).abs() < 1e-12, "{p}");
            assert_eq!(costs.acts(p), acts, "{p}");
        }
    }

    #[test]
    fn degenerate_costs_are_refused_unless_written_out() {
        let always = matrix(0.0, 1.0, 5.0, 2.0);
        assert_eq!(CostMatrix::new(always).expect_err("degenerate").kind(), ErrorKind::DegenerateCosts);
        assert!(always.threshold().is_err() && always.acts(0.0) && always.acts(1.0));
        let never = matrix(0.0, 1.0, -1.0, 0.0);
        assert_eq!(CostMatrix::new(never).expect_err("degenerate").kind(), ErrorKind::DegenerateCosts);
        assert!(CostMatrix::new(matrix(f64::NAN, 1.0, 5.0, 0.0)).is_err());
    }

    #[test]
    fn an_infinite_cost_of_a_miss_acts_on_everybody_and_survives_json() {
        let costs = matrix(0.0, 1.0, f64::INFINITY, 0.0);
        assert!(costs.acts(0.0) && costs.expected(0.0) == [0.0, 1.0] && costs.benefits().is_err());
        let json = serde_json::to_string(&costs).expect("serialises");
        assert_eq!(serde_json::from_str::<CostMatrix>(&json).expect("reads back"), costs);
    }

    proptest! {
        #[test]
        fn constants_in_a_column_and_positive_factors_change_no_decision(
            cells in prop::array::uniform4(-100i32..100), shift in prop::array::uniform2(-50i32..50),
            factor in 1u8..10, p in 0u32..=64
        ) {
            // Whole numbers and 64ths are exact, so that ties are ties before and after.
            let [hit, fp, miss, cr] = cells.map(f64::from);
            let [of_positives, of_negatives] = shift.map(f64::from);
            let (p, factor) = (f64::from(p) / 64.0, f64::from(factor) * 1e-9);
            let costs = matrix(hit, fp, miss, cr);
            let shifted = matrix(hit + of_positives, fp + of_negatives, miss + of_positives, cr + of_negatives);
            let scaled = matrix(factor * hit, factor * fp, factor * miss, factor * cr);
            prop_assert_eq!(costs.acts(p), shifted.acts(p));
            prop_assert_eq!(costs.acts(p), scaled.acts(p));
        }

        #[test]
        fn acting_from_the_threshold_on_is_the_cheaper_decision(
            fp in 0.01f64..100.0, miss in 0.01f64..100.0, p in 0.0f64..=1.0
        ) {
            let costs = matrix(0.0, fp, miss, 0.0);
            let [passing, acting] = costs.expected(p);
            prop_assume!((passing - acting).abs() > 1e-9 * passing.max(acting));
            prop_assert_eq!(costs.acts(p), acting < passing);
            prop_assert_eq!(costs.acts(p), p >= costs.threshold().expect("sound"));
        }
    }
}
