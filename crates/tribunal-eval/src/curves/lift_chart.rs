//! Scenarios on the lift chart, and the campaign that pays best.
//!
//! The lift chart shows hits over the length of the list, between the diagonal of a random list and the line of a perfect one. A
//! scenario is a point of it: "10 % of the households yield 400 of 1000 responses". What a contact costs and a response is worth
//! turns it into money. References: Witten & Frank (2005), chapter 5; Piatetsky-Shapiro & Masand (1999).

use serde::{Deserialize, Serialize};

use super::{Benefit, BestProfit, Payoff, best_profit};
use crate::checks::within;
use crate::error::Error;
use crate::ranking::Ranking;
use crate::undefined::Undefined;

/// How many cases there are and how many of them are positive.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Population {
    /// All cases.
    pub cases: f64,
    /// The positives among them.
    pub positives: f64,
}

impl Population {
    /// Share of positives.
    pub fn base_rate(self) -> f64 {
        self.positives / self.cases
    }
}

/// A point of the lift chart: what the first cases of a list hold.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct LiftScenario {
    /// The cases that it is a part of.
    pub population: Population,
    /// Length of the list as a share of all cases.
    pub share: f64,
    /// Length of the list.
    pub cases: f64,
    /// Expected positives in the list, ties in random order.
    pub hits: f64,
    /// Share of positives in the list.
    pub success_rate: f64,
    /// CPH: share of all positives that the list holds.
    pub cph: f64,
    /// Success rate over the share of positives among all cases.
    pub lift: f64,
    /// Expected positives in a random list of this length: the diagonal.
    pub random_hits: f64,
    /// Positives in a list of this length that has them all first: the perfect line.
    pub perfect_hits: f64,
}

impl LiftScenario {
    /// The first `share` of the list.
    ///
    /// ```
    /// use tribunal_eval::{Ranking, ScoreCounts, curves::LiftScenario};
    ///
    /// // A million households; those with the highest scores hold 400 of the 1000 responses.
    /// let ranking = Ranking::from_counts(&ScoreCounts {
    ///     score: &[0.9, 0.1],
    ///     positives: &[400, 600],
    ///     negatives: &[99_600, 899_400],
    ///     amount: None,
    ///     negative_amount: None,
    /// })?;
    /// let scenario = LiftScenario::in_share(&ranking, 0.1)?;
    /// assert_eq!((scenario.cases, scenario.hits), (100_000.0, 400.0));
    /// assert_eq!((scenario.random_hits, scenario.perfect_hits), (100.0, 1000.0));
    /// assert!((scenario.lift - 4.0).abs() < 1e-12);
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    ///
    /// # Errors
    /// The share is not above 0 and at most 1, or there are no positives.
    pub fn in_share(ranking: &Ranking, share: f64) -> Result<Self, Error> {
        let is_share = share > 0.0 && share <= 1.0;
        within("the share of the list", share, is_share, "a number above 0 and at most 1")?;
        Self::of_weight(ranking, share * ranking.totals().total())
    }

    /// The first `count` cases of the list; of weighted cases so much weight.
    ///
    /// # Errors
    /// The count is not above 0, there are fewer cases, or no positives.
    pub fn in_first(ranking: &Ranking, count: f64) -> Result<Self, Error> {
        within("the length of the list", count, count > 0.0, "a number of cases above 0")?;
        let available = ranking.totals().total();
        if available < count {
            return Err(Undefined::TooFewRows { asked: count, available }.into());
        }
        Self::of_weight(ranking, count)
    }

    fn of_weight(ranking: &Ranking, weight: f64) -> Result<Self, Error> {
        let totals = ranking.totals();
        if totals.total() <= 0.0 {
            return Err(Undefined::NoRows.into());
        }
        let population = Population { cases: totals.total(), positives: totals.positive };
        Self::of_list(weight, ranking.top(weight).positive, population)
    }

    /// The same list as the first cases of a larger population, of which it was drawn.
    ///
    /// # Errors
    /// The population has fewer cases or fewer positives than the list.
    pub fn in_population(self, population: Population) -> Result<Self, Error> {
        let Population { cases, positives } = population;
        let others = cases - self.cases;
        let is_whole = others >= 0.0 && positives >= self.hits && others >= positives - self.hits;
        let expected = "as many cases and positives as the list has, at least";
        within("the size of the population", cases, is_whole, expected)?;
        Self::of_list(self.cases, self.hits, population)
    }

    fn of_list(cases: f64, hits: f64, population: Population) -> Result<Self, Error> {
        if population.positives <= 0.0 {
            return Err(Undefined::NoPositives.into());
        }
        let (success_rate, base_rate) = (hits / cases, population.base_rate());
        Ok(Self {
            population,
            share: cases / population.cases,
            cases,
            hits,
            success_rate,
            cph: hits / population.positives,
            lift: success_rate / base_rate,
            random_hits: cases * base_rate,
            perfect_hits: cases.min(population.positives),
        })
    }

    /// What acting on the list earns: `N s (base rate · lift · value - cost)`, which is the value of its hits less the cost of its
    /// contacts. The cost of the model is not taken off.
    pub fn payoff(&self, campaign: &Campaign) -> f64 {
        self.hits * campaign.value_per_response - self.cases * campaign.cost_per_contact
    }
}

/// The economics of a campaign.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Campaign {
    /// Spent on every case that is contacted.
    pub cost_per_contact: f64,
    /// Gained from every positive that is contacted.
    pub value_per_response: f64,
    /// Spent once for the model, and not at all where everybody or nobody is contacted.
    pub model_cost: f64,
}

/// Whom to contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Contacted {
    /// Nobody: no campaign pays.
    Nobody,
    /// Everybody: the mass mailing.
    Everybody,
    /// The first cases of the list.
    TopOfTheList,
}

/// A targeted campaign beside the mass mailing.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct CampaignPlan {
    /// The length of list that earns most, without the cost of the model.
    pub best: BestProfit,
    /// What it earns less the cost of the model.
    pub targeted: f64,
    /// What contacting everybody earns.
    pub mass_mailing: f64,
    /// Whether the targeted campaign earns more than the mass mailing.
    pub beats_mass_mailing: bool,
    /// What earns most; of equals the simplest.
    pub contacted: Contacted,
}

impl Campaign {
    /// The depth of list that earns most, and whether the model is worth its cost.
    ///
    /// **Definition** the depth of [`best_profit`]; a targeted campaign is worth it if and only if what it earns less the cost of the
    /// model is more than what contacting everybody earns.
    ///
    /// **Undefined when** there are no rows, or a number is not finite.
    ///
    /// **Example**
    /// ```
    /// use tribunal_eval::{Ranking, curves::{Campaign, Contacted}};
    ///
    /// let ranking = Ranking::from_scores(&[true, true, false, false, false], &[0.9, 0.8, 0.4, 0.3, 0.1])?;
    /// let campaign = Campaign { cost_per_contact: 1.0, value_per_response: 5.0, model_cost: 2.0 };
    /// let plan = campaign.plan(&ranking)?;
    /// assert_eq!((plan.best.cases, plan.targeted, plan.mass_mailing), (2.0, 6.0, 5.0));
    /// assert_eq!(plan.contacted, Contacted::TopOfTheList);
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    ///
    /// **Reference** Witten & Frank (2005); Piatetsky-Shapiro & Masand (1999).
    pub fn plan(&self, ranking: &Ranking) -> Result<CampaignPlan, Error> {
        let Self { cost_per_contact, value_per_response, model_cost } = *self;
        for (what, value) in [
            ("the cost of a contact", cost_per_contact),
            ("the value of a response", value_per_response),
            ("the cost of the model", model_cost),
        ] {
            within(what, value, value.is_finite(), "a finite number")?;
        }
        let payoff = Payoff { benefit: Benefit::Fixed(value_per_response), cost: cost_per_contact };
        let best = best_profit(ranking, &payoff)?;
        let (targeted, mass_mailing) = (best.profit - model_cost, best.everybody);
        let contacted = if targeted > mass_mailing.max(0.0) {
            Contacted::TopOfTheList
        } else if mass_mailing > 0.0 {
            Contacted::Everybody
        } else {
            Contacted::Nobody
        };
        Ok(CampaignPlan {
            best,
            targeted,
            mass_mailing,
            beats_mass_mailing: targeted > mass_mailing,
            contacted,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::{ranked, table_5_6};
    use crate::ranking::ScoreCounts;

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 6e-7, "found {found}, expected {expected}");
    }

    /// A million households, 1000 of which respond: 400 in the first 100,000 and 800 in the first 400,000.
    fn households() -> Ranking {
        let counts = ScoreCounts {
            score: &[0.9, 0.5, 0.1],
            positives: &[400, 400, 200],
            negatives: &[99_600, 299_600, 599_800],
            amount: None,
            negative_amount: None,
        };
        Ranking::from_counts(&counts).expect("valid")
    }

    #[test]
    fn golden_mailing() {
        let campaign = Campaign { cost_per_contact: 0.05, value_per_response: 20.0, model_cost: 500.0 };
        for (share, hits, lift, payoff) in
            [(0.1, 400.0, 4.0, 3000.0), (0.4, 800.0, 2.0, -4000.0), (1.0, 1000.0, 1.0, -30_000.0)]
        {
            let scenario = LiftScenario::in_share(&households(), share).expect("a share");
            close(scenario.hits, hits);
            close(scenario.lift, lift);
            close(scenario.payoff(&campaign), payoff);
            let by_lift = 1e6 * share * (0.001 * scenario.lift * 20.0 - 0.05);
            close(scenario.payoff(&campaign) - by_lift, 0.0);
        }
        let plan = campaign.plan(&households()).expect("rows");
        assert_eq!((plan.best.cases, plan.best.profit, plan.targeted), (100_000.0, 3000.0, 2500.0));
        assert!(plan.beats_mass_mailing && plan.contacted == Contacted::TopOfTheList);
        close(plan.mass_mailing, -30_000.0);
    }

    /// Rank, hits, success rate, lift of 150 cases with 50 positives, CPH of 50, lift and CPH within the nineteen.
    const TABLE: [(f64, f64, f64, f64, f64, f64, f64); 19] = [
        (1.0, 1.0, 1.000000, 3.000000, 0.02, 1.461538, 0.076923),
        (2.0, 2.0, 1.000000, 3.000000, 0.04, 1.461538, 0.153846),
        (3.0, 2.0, 0.666667, 2.000000, 0.04, 0.974359, 0.153846),
        (4.0, 3.0, 0.750000, 2.250000, 0.06, 1.096154, 0.230769),
        (5.0, 4.0, 0.800000, 2.400000, 0.08, 1.169231, 0.307692),
        (6.0, 5.0, 0.833333, 2.500000, 0.10, 1.217949, 0.384615),
        (7.0, 6.0, 0.857143, 2.571429, 0.12, 1.252747, 0.461538),
        (8.0, 7.0, 0.875000, 2.625000, 0.14, 1.278846, 0.538462),
        (9.0, 7.0, 0.777778, 2.333333, 0.14, 1.136752, 0.538462),
        (10.0, 8.0, 0.800000, 2.400000, 0.16, 1.169231, 0.615385),
        (11.0, 8.0, 0.727273, 2.181818, 0.16, 1.062937, 0.615385),
        (12.0, 9.0, 0.750000, 2.250000, 0.18, 1.096154, 0.692308),
        (13.0, 10.0, 0.769231, 2.307692, 0.20, 1.124260, 0.769231),
        (14.0, 10.0, 0.714286, 2.142857, 0.20, 1.043956, 0.769231),
        (15.0, 11.0, 0.733333, 2.200000, 0.22, 1.071795, 0.846154),
        (16.0, 11.0, 0.687500, 2.062500, 0.22, 1.004808, 0.846154),
        (17.0, 12.0, 0.705882, 2.117647, 0.24, 1.031674, 0.923077),
        (18.0, 12.0, 0.666667, 2.000000, 0.24, 0.974359, 0.923077),
        (19.0, 13.0, 0.684211, 2.052632, 0.26, 1.000000, 1.000000),
    ];

    #[test]
    fn golden_table_of_nineteen_ranks() {
        // The printed order tells tied customers apart.
        let ranks: Vec<f64> = (0..19).map(|rank| -f64::from(rank)).collect();
        let printed = ranked("++-+++++-+-++-+-+-+", &ranks);
        let population = Population { cases: 150.0, positives: 50.0 };
        for (rank, hits, success_rate, lift, cph, lift_within, cph_within) in TABLE {
            let within = LiftScenario::in_first(&printed, rank).expect("a rank");
            assert_eq!((within.cases, within.hits), (rank, hits));
            close(within.success_rate, success_rate);
            close(within.lift, lift_within);
            close(within.cph, cph_within);
            let of_all = within.in_population(population).expect("larger");
            close(of_all.lift, lift);
            close(of_all.cph, cph);
            close(of_all.share, rank / 150.0);
            close(of_all.random_hits, rank / 3.0);
        }
        // In the ranking the second and the third are one block.
        close(LiftScenario::in_first(&table_5_6(), 2.0).expect("a rank").hits, 1.5);
    }

    #[test]
    fn what_makes_no_scenario_is_refused() {
        let list = LiftScenario::in_first(&table_5_6(), 10.0).expect("a rank");
        for (cases, positives) in [(9.0, 8.0), (150.0, 7.0), (11.0, 10.0), (f64::NAN, 9.0)] {
            assert!(list.in_population(Population { cases, positives }).is_err(), "{cases} {positives}");
        }
        assert!(
            LiftScenario::in_share(&table_5_6(), 0.0).is_err()
                && LiftScenario::in_share(&table_5_6(), 1.1).is_err()
        );
        assert!(
            LiftScenario::in_first(&table_5_6(), 20.0).is_err()
                && LiftScenario::in_first(&table_5_6(), f64::NAN).is_err()
        );
        let negatives = Ranking::from_scores(&[false], &[0.5]).expect("finite");
        assert_eq!(LiftScenario::in_share(&negatives, 0.5), Err(Undefined::NoPositives.into()));
        let nobody = Ranking::from_scores(&[], &[]).expect("finite");
        assert_eq!(LiftScenario::in_share(&nobody, 0.5), Err(Undefined::NoRows.into()));
        let campaign = Campaign { cost_per_contact: f64::NAN, value_per_response: 1.0, model_cost: 0.0 };
        assert!(campaign.plan(&table_5_6()).is_err());
    }

    #[test]
    fn a_model_that_costs_too_much_is_not_worth_it() {
        let plan = |model_cost: f64, cost_per_contact: f64| {
            let campaign = Campaign { cost_per_contact, value_per_response: 10.0, model_cost };
            campaign.plan(&table_5_6()).expect("rows")
        };
        // At block ends 22 is the most, everybody is worth 16.
        assert_eq!((plan(0.0, 6.0).best.cases, plan(0.0, 6.0).contacted), (13.0, Contacted::TopOfTheList));
        let equal = plan(6.0, 6.0);
        assert!(!equal.beats_mass_mailing && equal.contacted == Contacted::Everybody);
        let dear = plan(1.0, 11.0);
        assert!(
            dear.beats_mass_mailing && dear.contacted == Contacted::Nobody,
            "a loss may be the smaller one"
        );
    }
}
