//! The best vertex under one condition, and the line of points that cost as much.

use serde::{Deserialize, Serialize};

use super::check_condition;
use super::ownership::{Owner, Ownership};
use crate::curves::Vertex;
use crate::error::Error;
use crate::operating::Condition;

/// An iso-performance line: the points of ROC space with the least expected cost that any model reaches under a condition.
///
/// **Definition** · The line `t = intercept + slope f` through the vertex of the joint hull that maximises `t - slope f`; of equals the
/// one with the fewest false alarms. Its points cost `b (1 - t) c(FN) + (1 - b) f c(FP)` a case. The normalised cost divides that by
/// `b c(FN) + (1 - b) c(FP)`, the cost of being wrong throughout, and stands over the probability cost in a cost curve.
///
/// **Undefined when** the base rate is not strictly between 0 and 1, or a cost is not above 0.
///
/// **Example**
/// ```
/// use tribunal_eval::{Condition, Ranking, conditions::Ownership};
///
/// let ranking = Ranking::from_scores(&[true, false, true, false], &[0.9, 0.8, 0.7, 0.1])?;
/// let ownership = Ownership::of_rankings(&[&ranking])?;
/// let line = ownership.iso_performance(&Condition { base_rate: 0.5, false_positive: 1.0, false_negative: 4.0 })?;
/// assert_eq!((line.vertex.score, line.slope, line.intercept, line.cost), (Some(0.7), 0.25, 0.875, 0.25));
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** · Provost and Fawcett 2001; Drummond and Holte 2006 for the normalised cost
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct IsoPerformance {
    /// The condition.
    pub condition: Condition,
    /// Slope of the line.
    pub slope: f64,
    /// The true-positive rate at which it meets a false-positive rate of zero.
    pub intercept: f64,
    /// Whose the vertex is.
    pub owner: Owner,
    /// The vertex.
    pub vertex: Vertex,
    /// Another vertex on the same line, where there is one.
    pub tied: Vec<Vertex>,
    /// Expected cost per case.
    pub cost: f64,
    /// Probability cost of the positives: the abscissa of a cost curve.
    pub probability_cost: f64,
    /// Normalised expected cost: its ordinate.
    pub normalised_cost: f64,
}

impl Ownership {
    /// The best vertex under a condition with its line.
    ///
    /// # Errors
    /// The base rate is not strictly between 0 and 1, or a cost is not above 0.
    pub fn iso_performance(&self, condition: &Condition) -> Result<IsoPerformance, Error> {
        check_condition(condition)?;
        let vertex = self.hull.optimum(condition);
        let slope = condition.slope();
        let x = condition.probability_cost();
        let is_tied = |other: &&Vertex| self.is_tied(other, &vertex, condition);
        Ok(IsoPerformance {
            condition: *condition,
            slope,
            intercept: vertex.tpr - slope * vertex.fpr,
            owner: Owner::of(&vertex),
            vertex,
            tied: self.hull.vertices().iter().filter(is_tied).copied().collect(),
            cost: condition.cost(vertex.fpr, vertex.tpr),
            probability_cost: x,
            normalised_cost: (1.0 - vertex.tpr) * x + vertex.fpr * (1.0 - x),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::ownership::tests::three;
    use super::*;

    fn line(base_rate: f64, false_negative: f64) -> IsoPerformance {
        let condition = Condition { base_rate, false_positive: 1.0, false_negative };
        three().iso_performance(&condition).expect("usable")
    }

    #[track_caller]
    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-6, "{found} is not {expected}");
    }

    #[test]
    fn golden_conditions() {
        let dear_misses = line(0.2831, 5.0);
        assert_eq!((dear_misses.vertex.fpr, dear_misses.vertex.tpr), (0.5, 1.0));
        assert_eq!((dear_misses.owner, dear_misses.vertex.score), (Owner::Model(1), Some(0.3)));
        close(dear_misses.slope, 0.506464147);
        close(dear_misses.cost, 0.358450);
        close(dear_misses.probability_cost, 0.663806);
        close(dear_misses.normalised_cost, 0.168097);
        close(dear_misses.normalised_cost * 2.1324, 0.358450);
        let rare = line(0.0879, 1.0);
        close(rare.slope, 10.376564278);
        assert_eq!((rare.vertex.fpr, rare.vertex.tpr, rare.tied.len()), (0.0, 0.5, 0));
        close(rare.cost, 0.043950);
    }

    #[test]
    fn of_equals_the_fewest_false_alarms_are_taken_and_the_others_named() {
        let even = line(0.5, 1.0);
        assert_eq!((even.slope, even.cost, even.intercept), (1.0, 0.25, 0.5));
        assert_eq!((even.vertex.fpr, even.vertex.tpr), (0.0, 0.5));
        let tied: Vec<_> = even.tied.iter().map(|vertex| (vertex.fpr, vertex.tpr)).collect();
        assert_eq!(tied, [(0.5, 1.0)]);
    }

    #[test]
    fn impossible_conditions_are_refused() {
        for (base_rate, false_negative) in
            [(0.0, 1.0), (1.0, 1.0), (0.5, 0.0), (0.5, f64::NAN), (0.5, f64::INFINITY)]
        {
            let condition = Condition { base_rate, false_positive: 1.0, false_negative };
            assert!(three().iso_performance(&condition).is_err());
        }
    }
}
