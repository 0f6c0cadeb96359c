//! Points between two vertices: a caseload or a false-positive rate that no cut-off reaches exactly is reached by using one scheme for
//! some cases, drawn at random, and its neighbour for the others.

use serde::{Deserialize, Serialize};

use super::ownership::{Owner, Ownership, Span};
use crate::base_rate::check_base_rate;
use crate::checks::within;
use crate::curves::{Mixture, Vertex};
use crate::error::Error;
use crate::ranking::Split;
use crate::undefined::Undefined;

/// Two neighbouring vertices and the points between them.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct MixtureRange {
    /// Whose the vertex with fewer cases is.
    pub first_owner: Owner,
    /// The vertex with fewer cases.
    pub first: Vertex,
    /// Whose the other is.
    pub second_owner: Owner,
    /// The vertex with more cases.
    pub second: Vertex,
    /// The false-positive rates between them.
    pub fpr: Span,
    /// The shares of all cases between them that are acted on.
    pub caseload: Span,
}

/// How to reach a point of the hull: the first scheme for a share `q` of the cases, drawn at random, the second for the others.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Recipe {
    /// Whose the first scheme is.
    pub first_owner: Owner,
    /// Used with probability `q`.
    pub first: Vertex,
    /// Whose the second scheme is.
    pub second_owner: Owner,
    /// Used otherwise.
    pub second: Vertex,
    /// Share of the first.
    pub q: f64,
    /// False-positive rate of the mixture.
    pub fpr: f64,
    /// True-positive rate of the mixture.
    pub tpr: f64,
    /// Cases acted on, in the units of the population.
    pub cases: f64,
    /// Positives among them.
    pub hits: f64,
}

impl Recipe {
    fn of(mixture: &Mixture, population: Split) -> Self {
        let point = mixture.point();
        let hits = point.y * population.positive;
        Self {
            first_owner: Owner::of(&mixture.first),
            first: mixture.first,
            second_owner: Owner::of(&mixture.second),
            second: mixture.second,
            q: mixture.q,
            fpr: point.x,
            tpr: point.y,
            cases: hits + point.x * population.negative,
            hits,
        }
    }
}

impl Ownership {
    /// What to mix for which shares of all cases at a base rate, from the shortest list to the longest.
    ///
    /// ```
    /// use tribunal_eval::{Ranking, conditions::{Owner, Ownership}};
    ///
    /// let ranking = Ranking::from_scores(&[true, false, true, false], &[0.9, 0.8, 0.7, 0.1])?;
    /// let ranges = Ownership::of_rankings(&[&ranking])?.mixtures(0.1)?;
    /// assert_eq!((ranges[0].first_owner, ranges[0].second_owner), (Owner::Nobody, Owner::Model(0)));
    /// // A tenth are positive: cutting at 0.9 finds half of them without a false alarm.
    /// assert_eq!(ranges[0].caseload.high, Some(0.05));
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    ///
    /// # Errors
    /// The base rate is not strictly between 0 and 1.
    pub fn mixtures(&self, base_rate: f64) -> Result<Vec<MixtureRange>, Error> {
        let b = check_base_rate(base_rate)?;
        let caseload = |vertex: &Vertex| b * vertex.tpr + (1.0 - b) * vertex.fpr;
        let span = |of: &dyn Fn(&Vertex) -> f64, [first, second]: [&Vertex; 2]| Span {
            low: of(first),
            high: Some(of(second)),
        };
        let range = |pair: &[Vertex]| MixtureRange {
            first_owner: Owner::of(&pair[0]),
            first: pair[0],
            second_owner: Owner::of(&pair[1]),
            second: pair[1],
            fpr: span(&|vertex| vertex.fpr, [&pair[0], &pair[1]]),
            caseload: span(&caseload, [&pair[0], &pair[1]]),
        };
        Ok(self.hull.vertices().windows(2).map(range).collect())
    }

    /// The workforce-utilisation point: at most so many cases of a population with these numbers of either class.
    ///
    /// ```
    /// use tribunal_eval::{Ranking, Split, conditions::Ownership};
    ///
    /// let ranking = Ranking::from_scores(&[true, false, true, false], &[0.9, 0.8, 0.7, 0.1])?;
    /// let recipe = Ownership::of_rankings(&[&ranking])?.at_caseload(200.0, Split { positive: 100.0, negative: 400.0 })?;
    /// // Cutting at 0.9 takes 50 cases, at 0.7 300: 200 are reached by 40 : 60.
    /// assert_eq!((recipe.q, recipe.cases, recipe.hits), (0.4, 200.0, 80.0));
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    ///
    /// # Errors
    /// A class is absent from the population, or the caseload is not above 0 or larger than the population.
    pub fn at_caseload(&self, cases: f64, population: Split) -> Result<Recipe, Error> {
        let available = population.both_classes()?.total();
        within("the caseload", cases, cases > 0.0, "a number of cases above 0")?;
        if cases > available {
            return Err(Undefined::TooFewRows { asked: cases, available }.into());
        }
        Ok(Recipe::of(&self.hull.at_caseload(cases, population), population))
    }

    /// The Neyman-Pearson point: the most positives with at most this share of the negatives. Cases and hits are those of a population
    /// with these numbers of either class.
    ///
    /// # Errors
    /// A class is absent from the population, or the rate lies outside [0, 1].
    pub fn at_fpr(&self, fpr: f64, population: Split) -> Result<Recipe, Error> {
        population.both_classes()?;
        within("the false-positive rate", fpr, (0.0..=1.0).contains(&fpr), "a number from 0 to 1")?;
        Ok(Recipe::of(&self.hull.at_fpr(fpr), population))
    }
}

#[cfg(test)]
mod tests {
    use super::super::ownership::tests::{any_model, ranked, three};
    use super::*;
    use crate::ranking::Ranking;
    use proptest::prelude::*;

    const POPULATION: Split = Split { positive: 40.0, negative: 60.0 };

    #[test]
    fn golden_mixture() {
        let recipe = three().at_fpr(0.3, POPULATION).expect("a rate");
        assert!((recipe.q - 0.4).abs() < 1e-12 && (recipe.tpr - 0.8).abs() < 1e-12);
        assert_eq!((recipe.first.score, recipe.second.score), (Some(0.7), Some(0.3)));
        assert!((recipe.cases - 50.0).abs() < 1e-9 && (recipe.hits - 32.0).abs() < 1e-9);
    }

    #[test]
    fn no_false_alarm_at_all_is_a_point_of_its_own() {
        let recipe = three().at_fpr(0.0, POPULATION).expect("a rate");
        assert_eq!((recipe.fpr, recipe.tpr), (0.0, 0.5));
        assert_eq!(three().at_fpr(1.0, POPULATION).expect("a rate").hits, 40.0);
    }

    #[test]
    fn shares_of_the_list_follow_the_base_rate() {
        let ranges = three().mixtures(0.2).expect("a base rate");
        let owners: Vec<_> = ranges.iter().map(|range| (range.first_owner, range.second_owner)).collect();
        let q = Owner::Model(1);
        assert_eq!(owners, [(Owner::Nobody, q), (q, q), (q, Owner::Everybody)]);
        let ends: Vec<_> = ranges.iter().filter_map(|range| range.caseload.high).collect();
        assert!(ends.iter().zip([0.1, 0.6, 1.0]).all(|(end, expected)| (end - expected).abs() < 1e-12));
    }

    #[test]
    fn impossible_wishes_are_refused() {
        let message =
            |cases: f64| three().at_caseload(cases, POPULATION).expect_err("impossible").to_string();
        assert_eq!(message(101.0), "the list holds 100 cases, fewer than the 101 asked for");
        assert!(message(0.0).starts_with("the caseload is 0") && message(f64::NAN).contains("NaN"));
        assert!(three().at_fpr(1.1, POPULATION).is_err() && three().mixtures(1.0).is_err());
        assert!(three().at_fpr(0.5, Split { positive: 1.0, negative: 0.0 }).is_err());
    }

    proptest! {
        /// A mixture has the caseload that was asked for, and no cut-off of that length finds more.
        #[test]
        fn recipes_are_exact_and_at_least_as_good_as_any_cutoff(
            models in prop::collection::vec(any_model(), 1..4), share in 0.001f64..=1.0,
        ) {
            let rankings: Vec<Ranking> = models.iter().map(|rows| ranked(rows)).collect();
            let ownership = Ownership::of_rankings(&rankings.iter().collect::<Vec<_>>()).expect("both classes");
            let asked = share * POPULATION.total();
            let recipe = ownership.at_caseload(asked, POPULATION).expect("possible");
            prop_assert!((recipe.cases - asked).abs() < 1e-9);
            prop_assert!((0.0..=1.0).contains(&recipe.q));
            for ranking in &rankings {
                let totals = ranking.totals();
                for at in ranking.path() {
                    let (t, f) = (at.positive / totals.positive, at.negative / totals.negative);
                    if t * POPULATION.positive + f * POPULATION.negative <= asked {
                        prop_assert!(t * POPULATION.positive <= recipe.hits + 1e-9);
                    }
                }
            }
            let by_rate = ownership.at_fpr(recipe.fpr, POPULATION).expect("a rate");
            prop_assert!(by_rate.tpr >= recipe.tpr - 1e-9);
        }
    }
}
