//! The joint hull, and the ranges of slopes, cost ratios and base rates under which each of its vertices is best.

use serde::{Deserialize, Serialize};

use crate::base_rate::{ErrorCosts, check_base_rate};
use crate::curves::{Curve, Hull, Range, Vertex};
use crate::error::Error;
use crate::operating::Condition;
use crate::ranking::Ranking;
use crate::undefined::Undefined;

/// Who is best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Owner {
    /// Acting on nobody.
    Nobody,
    /// Acting on everybody.
    Everybody,
    /// The model at this place.
    Model(usize),
}

impl Owner {
    /// Whose a vertex is.
    pub fn of(vertex: &Vertex) -> Self {
        match vertex.curve {
            Some(model) => Self::Model(model),
            None if vertex.fpr > 0.0 => Self::Everybody,
            None => Self::Nobody,
        }
    }
}

/// From one number to another.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Span {
    /// The lower end.
    pub low: f64,
    /// The upper end; none where there is no bound.
    pub high: Option<f64>,
}

impl Span {
    fn new(low: f64, high: f64) -> Self {
        Self { low, high: high.is_finite().then_some(high) }
    }

    /// Both spans and what lies between them.
    fn joined(self, other: Self) -> Self {
        let high = match (self.high, other.high) {
            (Some(one), Some(other)) => Some(one.max(other)),
            _ => None,
        };
        Self { low: self.low.min(other.low), high }
    }

    /// Whether a number lies in it, ends included.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && self.high.is_none_or(|high| value <= high)
    }
}

/// The conditions under which a vertex has the least expected cost.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct OwnedRange {
    /// Whose it is.
    pub owner: Owner,
    /// The vertex, with the score from which on cases are flagged.
    pub vertex: Vertex,
    /// Iso-performance slopes `c(FP) p(-) / (c(FN) p(+))`.
    pub slope: Span,
    /// Cost of a miss over that of a false alarm, where a base rate was given.
    pub cost_ratio: Option<Span>,
    /// Base rates, where costs were given.
    pub base_rate: Option<Span>,
}

/// Neighbouring ranges of one owner as one.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct OwnedStretch {
    /// Whose they are.
    pub owner: Owner,
    /// The first vertex, for the rarest or cheapest positives.
    pub first: Vertex,
    /// The last vertex.
    pub last: Vertex,
    /// Iso-performance slopes.
    pub slope: Span,
    /// Cost of a miss over that of a false alarm, where a base rate was given.
    pub cost_ratio: Option<Span>,
    /// Base rates, where costs were given.
    pub base_rate: Option<Span>,
}

/// The joint ROC hull of several models and what follows from it.
///
/// **Definition** · A vertex of the hull is best for the slopes `m = c(FP) p(-) / (c(FN) p(+))` between those of its two edges. At a
/// base rate `b` these are the cost ratios `c(FN) / c(FP) = (1 - b) / (b m)`; at given costs with `k = c(FP) / c(FN)` the base rates
/// `k / (k + m)`. A model without a vertex is dominated: whatever the condition, another does as well. Of models with equal points the
/// first owns them.
///
/// **Undefined when** a class is absent from one of the rankings.
///
/// **Example**
/// ```
/// use tribunal_eval::{Ranking, conditions::{Owner, Ownership}};
///
/// let truth = [true, true, false, false];
/// let models = [[0.9, 0.1, 0.5, 0.2], [0.9, 0.8, 0.9, 0.1], [0.1, 0.2, 0.3, 0.4]];
/// let rankings: Vec<Ranking> =
///     models.iter().map(|scores| Ranking::from_scores(&truth, scores)).collect::<Result<_, _>>()?;
/// let ownership = Ownership::of_rankings(&rankings.iter().collect::<Vec<_>>())?;
/// let owners: Vec<Owner> = ownership.ranges(Some(0.5), None)?.iter().map(|range| range.owner).collect();
/// assert_eq!(owners, [Owner::Model(0), Owner::Model(1)]);
/// assert_eq!(ownership.dominated(), [2]);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** · Provost and Fawcett 2001
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Ownership {
    /// How many models were given.
    pub n_models: usize,
    /// Their joint hull.
    pub hull: Hull,
}

impl Ownership {
    /// Of ROC curves; those with thresholds tell the score of each vertex.
    pub fn of_curves(curves: &[&Curve]) -> Self {
        Self { n_models: curves.len(), hull: Hull::of_curves(curves) }
    }

    /// Of rankings, each by its own hull first.
    ///
    /// # Errors
    /// A class is absent from one of them.
    pub fn of_rankings(rankings: &[&Ranking]) -> Result<Self, Undefined> {
        let hulls = rankings.iter().map(|ranking| Ok(Hull::of_ranking(ranking)?.curve()));
        let hulls: Vec<Curve> = hulls.collect::<Result<_, Undefined>>()?;
        Ok(Self::of_curves(&hulls.iter().collect::<Vec<_>>()))
    }

    /// Who owns which slopes, from the steepest down: from dear false alarms and rare positives to dear misses and frequent
    /// positives. Vertices that are best under no condition but a single slope are left out.
    ///
    /// # Errors
    /// The base rate is not strictly between 0 and 1, or a cost is not above 0.
    pub fn ranges(
        &self,
        base_rate: Option<f64>,
        costs: Option<ErrorCosts>,
    ) -> Result<Vec<OwnedRange>, Error> {
        let odds = base_rate.map(check_base_rate).transpose()?.map(|rate| (1.0 - rate) / rate);
        let ratio = costs.map(ErrorCosts::checked).transpose()?.map(|c| c.false_positive / c.false_negative);
        let owned = |Range { vertex, low, high }| OwnedRange {
            owner: Owner::of(&vertex),
            vertex,
            slope: Span::new(low, high),
            cost_ratio: odds.map(|odds| Span::new(odds / high, odds / low)),
            base_rate: ratio.map(|ratio| Span::new(ratio / (ratio + high), ratio / (ratio + low))),
        };
        Ok(self.hull.ranges().into_iter().filter(|range| range.low < range.high).map(owned).collect())
    }

    /// The same with neighbouring ranges of one owner as one.
    ///
    /// # Errors
    /// Those of [`ranges`](Self::ranges).
    pub fn stretches(
        &self,
        base_rate: Option<f64>,
        costs: Option<ErrorCosts>,
    ) -> Result<Vec<OwnedStretch>, Error> {
        let mut stretches: Vec<OwnedStretch> = Vec::new();
        for OwnedRange { owner, vertex, slope, cost_ratio, base_rate } in self.ranges(base_rate, costs)? {
            let joined = |one: Option<Span>, other: Option<Span>| Some(one?.joined(other?));
            match stretches.last_mut().filter(|stretch| stretch.owner == owner) {
                Some(stretch) => {
                    stretch.last = vertex;
                    stretch.slope = stretch.slope.joined(slope);
                    stretch.cost_ratio = joined(stretch.cost_ratio, cost_ratio);
                    stretch.base_rate = joined(stretch.base_rate, base_rate);
                }
                None => {
                    stretches.push(OwnedStretch {
                        owner,
                        first: vertex,
                        last: vertex,
                        slope,
                        cost_ratio,
                        base_rate,
                    });
                }
            }
        }
        Ok(stretches)
    }

    /// The models without a vertex: nothing is lost without them.
    pub fn dominated(&self) -> Vec<usize> {
        let owns = |model: usize| self.hull.vertices().iter().any(|vertex| vertex.curve == Some(model));
        (0..self.n_models).filter(|model| !owns(*model)).collect()
    }

    /// Whether a vertex is as good as the best one under a condition.
    pub(super) fn is_tied(&self, vertex: &Vertex, best: &Vertex, condition: &Condition) -> bool {
        let slope = condition.slope();
        let merit = |vertex: &Vertex| vertex.tpr - slope * vertex.fpr;
        // The tolerance within which the hull takes the vertex with the fewest false alarms.
        vertex != best && merit(vertex) >= merit(best) - 1e-12
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::curves::CurveKind;
    use crate::golden::{second, tied};
    use proptest::prelude::*;

    /// The ten tied cases, the eight others, and a model that is never best.
    pub(in crate::conditions) fn three() -> Ownership {
        let worst = Ranking::from_scores(&[true, false, true, false], &[0.1, 0.9, 0.3, 0.5]).expect("finite");
        Ownership::of_rankings(&[&tied(), &second(), &worst]).expect("both classes")
    }

    #[test]
    fn golden_owners_of_the_joint_hull() {
        let costs = ErrorCosts { false_positive: 1.0, false_negative: 5.0 };
        let ranges = three().ranges(Some(0.2), Some(costs)).expect("usable");
        let found: Vec<_> =
            ranges.iter().map(|range| (range.owner, range.vertex.score, range.slope)).collect();
        let span = |low, high| Span { low, high };
        let expected = [
            (Owner::Model(1), Some(0.7), span(1.0, None)),
            (Owner::Model(1), Some(0.3), span(0.0, Some(1.0))),
        ];
        assert_eq!(found, expected);
        // Slope 1 at four negatives a positive: misses cost four times as much.
        assert_eq!(ranges[0].cost_ratio, Some(span(0.0, Some(4.0))));
        assert_eq!(ranges[1].cost_ratio, Some(span(4.0, None)));
        let sixth = 0.2 / 1.2;
        assert_eq!(ranges[0].base_rate, Some(span(0.0, Some(sixth))));
        assert_eq!(ranges[1].base_rate, Some(span(sixth, Some(1.0))));
    }

    #[test]
    fn neighbouring_ranges_of_one_owner_are_one() {
        let stretches = three().stretches(Some(0.2), None).expect("usable");
        assert_eq!(stretches.len(), 1);
        assert_eq!(
            (stretches[0].owner, stretches[0].slope),
            (Owner::Model(1), Span { low: 0.0, high: None })
        );
        assert_eq!((stretches[0].first.score, stretches[0].last.score), (Some(0.7), Some(0.3)));
        assert_eq!(
            (stretches[0].cost_ratio, stretches[0].base_rate),
            (Some(Span { low: 0.0, high: None }), None)
        );
    }

    #[test]
    fn dominated_models_and_useless_ones_own_nothing() {
        assert_eq!(three().dominated(), [0, 2]);
        let worst = Ranking::from_scores(&[true, false], &[0.1, 0.9]).expect("finite");
        let alone = Ownership::of_rankings(&[&worst]).expect("both classes");
        let owners: Vec<_> =
            alone.ranges(None, None).expect("usable").iter().map(|range| range.owner).collect();
        assert_eq!((owners, alone.dominated()), (vec![Owner::Nobody, Owner::Everybody], vec![0]));
    }

    #[test]
    fn conditions_that_do_not_exist_are_refused() {
        assert!(three().ranges(Some(0.0), None).is_err());
        let free = ErrorCosts { false_positive: 1.0, false_negative: 0.0 };
        assert!(
            three().ranges(None, Some(free)).expect_err("free").to_string().contains("false negative is 0")
        );
        let one_class = Ranking::from_scores(&[true], &[0.5]).expect("finite");
        assert_eq!(Ownership::of_rankings(&[&one_class]), Err(Undefined::NoNegatives));
    }

    pub(in crate::conditions) fn any_model() -> impl Strategy<Value = Vec<(bool, i32)>> {
        prop::collection::vec((any::<bool>(), -3i32..12), 4..40)
            .prop_filter("both classes", |rows| rows.iter().any(|row| row.0) && rows.iter().any(|row| !row.0))
    }

    pub(in crate::conditions) fn ranked(rows: &[(bool, i32)]) -> Ranking {
        let (truth, score): (Vec<bool>, Vec<f64>) = rows.iter().map(|row| (row.0, f64::from(row.1))).unzip();
        Ranking::from_scores(&truth, &score).expect("finite")
    }

    proptest! {
        /// The owner has the least cost of all points of all curves, and scaling both costs changes nothing.
        #[test]
        fn the_owner_is_the_cheapest(
            models in prop::collection::vec(any_model(), 1..4),
            base_rate in 0.01f64..0.99, false_negative in 0.05f64..20.0, scale in 0.1f64..50.0,
        ) {
            let rankings: Vec<Ranking> = models.iter().map(|rows| ranked(rows)).collect();
            let ownership = Ownership::of_rankings(&rankings.iter().collect::<Vec<_>>()).expect("both classes");
            let condition = Condition { base_rate, false_positive: 1.0, false_negative };
            let costs = ErrorCosts { false_positive: 1.0, false_negative };
            let scaled = ErrorCosts { false_positive: scale, false_negative: scale * false_negative };
            let ranges = ownership.ranges(Some(base_rate), Some(costs)).expect("usable");
            let cost = |vertex: &Vertex| condition.cost(vertex.fpr, vertex.tpr);
            let curves = rankings.iter().map(|ranking| Curve::of(CurveKind::Roc, ranking).expect("both classes"));
            let points: Vec<_> = curves.flat_map(|curve| curve.points).collect();
            let least = points.iter().map(|point| condition.cost(point.x, point.y)).fold(f64::INFINITY, f64::min);
            let slope = condition.slope();
            for range in &ranges {
                prop_assert_eq!(range.owner, Owner::of(&range.vertex));
                if range.slope.contains(slope) {
                    prop_assert!(cost(&range.vertex) <= least + 1e-9);
                }
                let near = |span: Span, value: f64| {
                    span.low <= value * (1.0 + 1e-9) && span.high.is_none_or(|high| value <= high * (1.0 + 1e-9))
                };
                if near(range.slope, slope) {
                    prop_assert!(near(range.cost_ratio.expect("asked"), false_negative));
                    prop_assert!(near(range.base_rate.expect("asked"), base_rate));
                }
            }
            prop_assert!(ranges.iter().any(|range| range.slope.contains(slope)));
            for (one, other) in ranges.iter().zip(ownership.ranges(None, Some(scaled)).expect("usable")) {
                let (one, other) = (one.base_rate.expect("asked"), other.base_rate.expect("asked"));
                prop_assert!((one.low - other.low).abs() < 1e-12);
            }
        }
    }
}
