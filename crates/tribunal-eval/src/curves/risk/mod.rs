//! The risk chart: recall, cumulative amount and strike rate over the caseload, between the limits of any order.
//!
//! The caseload is the share of the list that is acted on. The best order has all positives first and the worst has them last, so
//! that recall lies between two straight lines that follow from the base rate; a share of the amount lies between the orders by
//! amount, from the largest and from the smallest on. The areas between them standardise the area under a curve
//! ([`omega`](mod@crate::metrics::omega), [`omega_amount`](mod@crate::metrics::omega_amount)), and at a caseload they say how much of what was possible
//! was reached ([`Capture`]). References: Williams (2011), "Data Mining with Rattle and R"; Koesmarno (2019).

mod amount_limits;
mod caseload;

use serde::{Deserialize, Serialize};

pub use self::amount_limits::AmountLimits;
pub use self::caseload::{Capture, RiskLimits, RiskPoint};
use crate::checks::within;
use crate::cut_table::{CutAmountOrder, CutTable};
use crate::error::Error;
use crate::metrics::{omega, omega_amount::AmountAreas};
use crate::ranking::Ranking;
use crate::undefined::Undefined;

/// The area under a curve of a risk chart between those of the worst and of the best order.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RiskArea {
    /// The area under the curve.
    pub area: f64,
    /// That of the worst order.
    pub lowest: f64,
    /// That of the best order.
    pub highest: f64,
    /// `(area - lowest) / (highest - lowest)`, 0.5 where the two are equal.
    pub standardised: f64,
}

/// The amounts of a risk chart.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RiskAmounts {
    /// The amount of all cases.
    pub total: f64,
    /// The area under the share of the amount over the caseload.
    pub area: f64,
    /// Its limits, where the amounts of the rows are known.
    pub limits: Option<AmountLimits>,
}

/// The risk chart of a ranking as plain data; several charts can share their axes.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RiskChart {
    /// Share of the cases that are positive.
    pub base_rate: f64,
    /// The area under the recall curve.
    pub cases: RiskArea,
    /// The amounts, where shares of them have a meaning.
    pub amounts: Option<RiskAmounts>,
    /// Why there are no amounts, or no limits of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amounts_undefined: Option<Undefined>,
    /// The curves: where nobody is acted on, and after each block of equal scores.
    pub points: Vec<RiskPoint>,
}

/// A part of the list between two caseloads.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RiskSlice {
    /// Caseload down to its end.
    pub share: f64,
    /// Share of positives among its own cases.
    pub strike_rate: f64,
    /// Share of the amount in it, where there are amounts.
    pub amount: Option<f64>,
}

impl RiskChart {
    /// The chart with a point after every block of equal scores.
    ///
    /// # Errors
    /// A class is absent.
    ///
    /// ```
    /// use tribunal_eval::{Ranking, ScoredSet, curves::RiskChart};
    ///
    /// let set = ScoredSet::new(&[true, false, true, false], &[0.9, 0.8, 0.3, 0.1])?;
    /// let chart = RiskChart::of(&Ranking::of(&set.with_amount(&[20.0, 0.0, 80.0, 0.0])?)?)?;
    /// assert_eq!((chart.cases.lowest, chart.cases.highest), (0.25, 0.75));
    /// let half = chart.capture(0.5)?;
    /// assert_eq!((half.recall, half.best_recall, half.of_cases), (0.5, 1.0, 0.5));
    /// assert_eq!((half.amount, half.best_amount, half.of_amount), (Some(0.2), Some(1.0), Some(0.2)));
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    pub fn of(ranking: &Ranking) -> Result<Self, Undefined> {
        CutTable::of(ranking).risk()?.with_areas_of(ranking)
    }

    /// The chart at some ascending blocks only; [`Ranking::landmarks`] picks few that show it well. Areas are those of the whole
    /// ranking, and the best order by amount is kept to within a share of one over the number of blocks.
    ///
    /// # Errors
    /// A class is absent.
    pub fn at_blocks(ranking: &Ranking, blocks: &[usize]) -> Result<Self, Undefined> {
        let tolerance = Some(1.0 / blocks.len().max(1) as f64);
        CutTable::at_blocks(ranking, blocks.to_vec(), tolerance).risk()?.with_areas_of(ranking)
    }

    /// The chart at the cuts of a table. Areas are those under the polygons.
    pub(crate) fn of_table(table: &CutTable) -> Result<Self, Undefined> {
        let totals = table.totals().both_classes()?;
        let base_rate = totals.positive / totals.total();
        let total = table.len().checked_sub(1).and_then(|last| table.amount_of_everybody(last));
        let share_of_amount = |cut: usize| match total {
            Some(total) if total > 0.0 => Some(table.amount_of_everybody(cut)? / total),
            _ => None,
        };
        let point = |cut: usize| {
            let above = table.above(cut)?;
            Some(RiskPoint {
                share: above.total() / totals.total(),
                score: Some(table.score()[cut]),
                recall: above.positive / totals.positive,
                strike_rate: (above.total() > 0.0).then(|| above.positive / above.total()),
                amount: share_of_amount(cut),
            })
        };
        let origin =
            RiskPoint { amount: total.filter(|total| *total > 0.0).map(|_| 0.0), ..RiskPoint::default() };
        let points: Vec<RiskPoint> =
            std::iter::once(origin).chain((0..table.len()).filter_map(point)).collect();
        let area = trapezoids(&points, |point| point.recall);
        let standardised = ((area - base_rate / 2.0) / (1.0 - base_rate)).clamp(0.0, 1.0);
        let chart = Self {
            base_rate,
            cases: RiskArea::of_cases(base_rate, standardised),
            amounts: None,
            amounts_undefined: None,
            points,
        };
        Ok(chart.with_amounts(total, table.amount_order()))
    }

    /// Adds the amounts of all cases and the rows in the order of their amounts.
    fn with_amounts(self, total: Option<f64>, order: Option<&CutAmountOrder>) -> Self {
        let reason = match (total, order) {
            (None, _) => Some(Undefined::NoAmounts),
            (Some(total), _) if total <= 0.0 => Some(Undefined::NonPositiveTotal { total }),
            (_, None) => Some(Undefined::AmountsNotByRow),
            _ => None,
        };
        let amounts = total.filter(|total| *total > 0.0).map(|total| {
            let area = trapezoids(&self.points, |point| point.amount.unwrap_or_default());
            RiskAmounts { total, area, limits: order.map(|order| AmountLimits::of(order, total, area)) }
        });
        Self { amounts, amounts_undefined: reason, ..self }
    }

    /// The same with the areas of the whole ranking.
    fn with_areas_of(mut self, ranking: &Ranking) -> Result<Self, Undefined> {
        self.cases = RiskArea::of_cases(self.base_rate, omega(ranking)?);
        if let Some(amounts) = &mut self.amounts {
            let total = ranking.totals().total();
            let Some(limits) = &mut amounts.limits else {
                amounts.area = 0.5 + ranking.amount_area() / (amounts.total / total);
                return Ok(self);
            };
            let areas = AmountAreas::of(ranking)?;
            let (found, half) = (areas.found / areas.mean, areas.best / areas.mean);
            amounts.area = 0.5 + found;
            limits.area = RiskArea {
                area: amounts.area,
                lowest: 0.5 - half,
                highest: 0.5 + half,
                standardised: areas.standardised(),
            };
        }
        Ok(self)
    }

    /// The curves at any caseload from 0 to 1, linear inside blocks: what is expected where ties are taken in random order.
    ///
    /// # Errors
    /// The caseload is no share.
    pub fn at(&self, share: f64) -> Result<RiskPoint, Error> {
        within("the caseload", share, (0.0..=1.0).contains(&share), "a share from 0 to 1")?;
        let after = self.points.partition_point(|point| point.share < share);
        let right = self.points.get(after).or(self.points.last()).copied().unwrap_or_default();
        let left = after.checked_sub(1).map_or(right, |left| self.points[left]);
        let run = right.share - left.share;
        let part = if run > 0.0 { ((share - left.share) / run).clamp(0.0, 1.0) } else { 1.0 };
        let between = |a: f64, b: f64| a + part * (b - a);
        let recall = between(left.recall, right.recall);
        Ok(RiskPoint {
            share,
            score: if share > 0.0 { right.score } else { None },
            recall,
            strike_rate: (share > 0.0).then(|| recall * self.base_rate / share),
            amount: left.amount.zip(right.amount).map(|(a, b)| between(a, b)),
        })
    }

    /// The list cut into parts of equal size, from the top, with the strike rate inside each.
    pub fn slices(&self, n_slices: usize) -> Result<Vec<RiskSlice>, Error> {
        let mut above = self.at(0.0)?;
        let slice = |k: usize| {
            let through = self.at((k + 1) as f64 / n_slices as f64)?;
            let hits = (through.recall - above.recall) * self.base_rate;
            let strike_rate = hits / (through.share - above.share);
            let amount = above.amount.zip(through.amount).map(|(above, through)| through - above);
            above = through;
            Ok(RiskSlice { share: through.share, strike_rate, amount })
        };
        (0..n_slices).map(slice).collect()
    }

    /// The share of the positives that the best order holds at a caseload.
    pub fn best_recall(&self, share: f64) -> f64 {
        (share / self.base_rate).min(1.0)
    }

    /// The share of the positives that the worst order holds at a caseload.
    pub fn worst_recall(&self, share: f64) -> f64 {
        1.0 - self.best_recall(1.0 - share)
    }

    /// How much of what was possible at a caseload was reached.
    ///
    /// # Errors
    /// The caseload is not above 0 and at most 1.
    pub fn capture(&self, share: f64) -> Result<Capture, Error> {
        let is_share = share > 0.0 && share <= 1.0;
        within("the caseload", share, is_share, "a share above 0 and at most 1")?;
        let reached = self.at(share)?;
        let best_amount = self.amount_limits().map(|limits| limits.best(share));
        Ok(Capture::of(reached, self.best_recall(share), best_amount))
    }

    /// The limits of the amounts, where the amounts of the rows are known.
    pub fn amount_limits(&self) -> Option<&AmountLimits> {
        self.amounts.as_ref()?.limits.as_ref()
    }
}

impl RiskArea {
    /// The area under a recall curve of this standardised area: `α/2 + (1 - α) ω`.
    fn of_cases(base_rate: f64, standardised: f64) -> Self {
        let lowest = base_rate / 2.0;
        let area = lowest + (1.0 - base_rate) * standardised;
        Self { area, lowest, highest: 1.0 - lowest, standardised }
    }
}

/// The area under one of the curves by the trapezoid rule.
fn trapezoids(points: &[RiskPoint], of: impl Fn(&RiskPoint) -> f64) -> f64 {
    let trapezoid =
        |pair: &[RiskPoint]| (pair[1].share - pair[0].share) * (of(&pair[0]) + of(&pair[1])) / 2.0;
    points.windows(2).map(trapezoid).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::curves::gains_table;
    use crate::golden::table_5_6;
    use crate::metrics::{auroc, omega_amount, standardised_area};
    use crate::ranking::{AmountSums, ScoreCounts};
    use crate::scored_set::{AmountsOf, ScoredSet};

    const LABELS: &str = "++-+++++-+-++-+-+-+";
    const SCORES: [f64; 19] = [
        0.95, 0.93, 0.93, 0.88, 0.86, 0.85, 0.82, 0.80, 0.80, 0.79, 0.77, 0.76, 0.73, 0.65, 0.63, 0.58, 0.56,
        0.49, 0.48,
    ];

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 6e-7, "found {found}, expected {expected}");
    }

    /// The nineteen customers with amounts of everybody.
    fn customers(amounts: &[f64; 19]) -> Ranking {
        let truth: Vec<bool> = LABELS.chars().map(|label| label == '+').collect();
        let set = ScoredSet::new(&truth, &SCORES).and_then(|set| set.with_amount_of_everybody(amounts));
        Ranking::of(&set.expect("valid")).expect("few rows")
    }

    #[test]
    fn golden_recall_and_strike_rate() {
        let chart = RiskChart::of(&table_5_6()).expect("both classes");
        close(chart.base_rate, 0.684211);
        let RiskArea { area, lowest, highest, standardised } = chart.cases;
        for (found, expected) in
            [(area, 0.540486), (lowest, 0.342105), (highest, 0.657895), (standardised, 0.628205)]
        {
            close(found, expected);
        }
        for (rows, expected) in [(1.0, 1.0), (3.0, 0.666667), (10.0, 0.8)] {
            close(chart.at(rows / 19.0).expect("a share").strike_rate.expect("cases"), expected);
        }
        assert_eq!((chart.amounts, chart.amounts_undefined), (None, Some(Undefined::NoAmounts)));
        assert_eq!((chart.points[0].strike_rate, chart.points[0].score), (None, None));
    }

    #[test]
    fn golden_amounts() {
        let amounts = [
            1200.0, 300.0, 0.0, 850.0, 90.0, 2400.0, 410.0, 60.0, 0.0, 700.0, 0.0, 150.0, 980.0, 0.0, 35.0,
            0.0, 500.0, 0.0, 20.0,
        ];
        let chart = RiskChart::of(&customers(&amounts)).expect("both classes");
        let found = chart.amounts.as_ref().expect("amounts");
        let area = found.limits.as_ref().expect("rows").area;
        assert_eq!(found.total, 7695.0);
        close(found.area, 0.653381);
        for (found, expected) in
            [(area.lowest, 0.154937), (area.highest, 0.845063), (area.standardised, 0.722250)]
        {
            close(found, expected);
        }
        let expected = [(1.0, 0.155945), (3.0, 0.194932), (4.0, 0.305393), (6.0, 0.628980), (10.0, 0.781027)];
        for (rows, amount) in expected {
            close(chart.at(rows / 19.0).expect("a share").amount.expect("amounts"), amount);
        }
        // The positives hold all of it.
        let truth: Vec<bool> = LABELS.chars().map(|label| label == '+').collect();
        let set = ScoredSet::new(&truth, &SCORES).and_then(|set| set.with_amount(&amounts)).expect("valid");
        let of_positives = Ranking::of(&set).expect("few rows");
        assert_eq!(RiskChart::of(&of_positives).expect("both classes"), chart);
    }

    #[test]
    fn golden_signed_amounts() {
        let amounts = [
            1200.0, -300.0, -40.0, 850.0, 90.0, 2400.0, -410.0, 60.0, -10.0, 700.0, 0.0, 150.0, 980.0, -5.0,
            35.0, 0.0, 500.0, -100.0, 20.0,
        ];
        let chart = RiskChart::of(&customers(&amounts)).expect("both classes");
        let found = chart.amounts.as_ref().expect("amounts");
        let area = found.limits.as_ref().expect("rows").area;
        assert_eq!(found.total, 6120.0);
        for (found, expected) in [
            (found.area, 0.637341),
            (area.highest, 0.985294),
            (area.lowest, 0.014706),
            (area.standardised, 0.641503),
        ] {
            close(found, expected);
        }
        let limits = chart.amount_limits().expect("rows");
        assert!(limits.best.iter().any(|point| point.y > 1.0), "the best order has the losses last");
    }

    #[test]
    fn what_cannot_be_a_chart_says_why() {
        let one_class =
            |truth: &[bool]| RiskChart::of(&Ranking::from_scores(truth, &[0.5, 0.4]).expect("finite"));
        assert_eq!(one_class(&[true, true]), Err(Undefined::NoNegatives));
        assert_eq!(one_class(&[false, false]), Err(Undefined::NoPositives));
        assert_eq!(RiskChart::of(&Ranking::from_scores(&[], &[]).expect("finite")), Err(Undefined::NoRows));
        let losses = RiskChart::of(&customers(&[-1.0; 19])).expect("both classes");
        assert_eq!(losses.amounts_undefined, Some(Undefined::NonPositiveTotal { total: -19.0 }));
        assert!(losses.amounts.is_none() && losses.points.iter().all(|point| point.amount.is_none()));
        let equal = RiskChart::of(&customers(&[3.0; 19])).expect("both classes");
        assert_eq!(equal.amount_limits().map(|limits| limits.area.standardised), Some(0.5));
        let chart = RiskChart::of(&table_5_6()).expect("both classes");
        assert!(chart.at(1.01).is_err() && chart.at(f64::NAN).is_err() && chart.capture(0.0).is_err());
        assert_eq!(chart.slices(0), Ok(vec![]));
    }

    #[test]
    fn sums_by_score_have_a_curve_without_limits() {
        let counts = ScoreCounts {
            score: &[0.9, 0.2],
            positives: &[2, 1],
            negatives: &[1, 3],
            amount: Some(AmountSums { sum: &[30.0, 10.0], sum_of_squares: &[500.0, 100.0] }),
            negative_amount: None,
        };
        let chart = RiskChart::of(&Ranking::from_counts(&counts).expect("valid")).expect("both classes");
        assert_eq!(chart.amounts_undefined, Some(Undefined::AmountsNotByRow));
        let amounts = chart.amounts.as_ref().expect("sums");
        assert_eq!((amounts.total, amounts.limits.as_ref()), (40.0, None));
        assert_eq!(chart.points[1].amount, Some(0.75));
        let capture = chart.capture(3.0 / 7.0).expect("a share");
        assert_eq!((capture.amount, capture.of_amount), (Some(0.75), None));
    }

    /// Rows that are awkward: ties, weights, negative amounts.
    fn ranking(rows: &[(bool, u8, i16, u8)], of: AmountsOf, weighted: bool, sign: f64) -> Ranking {
        let truth: Vec<bool> = rows.iter().map(|row| row.0).collect();
        let scores: Vec<f64> = rows.iter().map(|row| sign * f64::from(row.1)).collect();
        let amounts: Vec<f64> = rows.iter().map(|row| f64::from(row.2)).collect();
        let weights: Vec<f64> = rows.iter().map(|row| f64::from(row.3) / 3.0).collect();
        let set = ScoredSet::new(&truth, &scores).expect("finite");
        let set = match of {
            AmountsOf::Nobody => set,
            AmountsOf::Positives => set.with_amount(&amounts).expect("finite"),
            AmountsOf::Everybody => set.with_amount_of_everybody(&amounts).expect("finite"),
        };
        Ranking::of(&if weighted { set.with_weight(&weights).expect("weights") } else { set })
            .expect("few rows")
    }

    proptest! {
        #[test]
        fn curves_lie_between_their_limits(
            rows in prop::collection::vec((any::<bool>(), 0u8..9, -20i16..60, 0u8..4), 4..60),
            of in prop::sample::select(vec![AmountsOf::Positives, AmountsOf::Everybody]),
            weighted: bool,
            share in 0.01f64..1.0,
        ) {
            let ranking = ranking(&rows, of, weighted, 1.0);
            let Ok(chart) = RiskChart::of(&ranking) else { return Ok(()) };
            let RiskArea { area, lowest, highest, standardised } = chart.cases;
            prop_assert!(lowest - 1e-12 <= area && area <= highest + 1e-12);
            prop_assert!((standardised - auroc(&ranking).expect("both classes")).abs() < 1e-12);
            let polygon = trapezoids(&chart.points, |point| point.recall);
            let by_formula = standardised_area(polygon, chart.base_rate).expect("possible");
            prop_assert!((by_formula - standardised).abs() < 1e-9, "{} {}", by_formula, standardised);
            for at in chart.points.iter().map(|point| point.share.min(1.0)).chain([share]) {
                let point = chart.at(at).expect("a share");
                prop_assert!(chart.worst_recall(at) - 1e-9 <= point.recall && point.recall <= chart.best_recall(at) + 1e-9);
                if let (Some(amount), Some(limits)) = (point.amount, chart.amount_limits()) {
                    let slack = 1e-9 * (1.0 + limits.best(at).abs());
                    prop_assert!(limits.worst(at) - slack <= amount && amount <= limits.best(at) + slack);
                }
            }
            if let Some(limits) = chart.amount_limits() {
                prop_assert!((0.0..=1.0).contains(&limits.area.standardised));
                let polygon = AmountLimits::of(
                    CutTable::of(&ranking).amount_order().expect("rows"),
                    chart.amounts.as_ref().expect("amounts").total,
                    trapezoids(&chart.points, |point| point.amount.expect("amounts")),
                );
                // Shares of a total near zero are large.
                let size = limits.area.highest.abs();
                prop_assert!((polygon.area.highest - limits.area.highest).abs() < 1e-9 * (1.0 + size));
                prop_assert!((polygon.area.area - limits.area.area).abs() < 1e-9 * (1.0 + size));
                prop_assert!((polygon.area.standardised - limits.area.standardised).abs() < 1e-9);
            }
            let expected = gains_table(&ranking, 10).expect("positives");
            for (slice, row) in chart.slices(10).expect("shares").iter().zip(expected) {
                prop_assert!((slice.strike_rate - row.precision).abs() < 1e-9);
            }
        }

        #[test]
        fn the_list_upside_down_has_the_rest_of_the_area(
            rows in prop::collection::vec((any::<bool>(), 0u8..9, -20i16..60, 0u8..4), 4..60),
            weighted: bool,
            factor in 0.001f64..1000.0,
        ) {
            let of = |sign: f64| ranking(&rows, AmountsOf::Everybody, weighted, sign);
            if let (Ok(a), Ok(b)) = (omega(&of(1.0)), omega(&of(-1.0))) {
                prop_assert!((a + b - 1.0).abs() < 1e-12);
            }
            let scaled = {
                let truth: Vec<bool> = rows.iter().map(|row| row.0).collect();
                let scores: Vec<f64> = rows.iter().map(|row| f64::from(row.1)).collect();
                let amounts: Vec<f64> = rows.iter().map(|row| factor * f64::from(row.2)).collect();
                let weights: Vec<f64> = rows.iter().map(|row| f64::from(row.3) / 3.0).collect();
                let set = ScoredSet::new(&truth, &scores).and_then(|set| set.with_amount_of_everybody(&amounts)).expect("finite");
                Ranking::of(&if weighted { set.with_weight(&weights).expect("weights") } else { set }).expect("few rows")
            };
            if let Ok(a) = omega_amount(&of(1.0)) {
                let b = omega_amount(&of(-1.0)).expect("the same amounts");
                prop_assert!((a + b - 1.0).abs() < 1e-9, "{} {}", a, b);
                // A total of zero may become positive by rounding, and the other way round.
                if let Ok(c) = omega_amount(&scaled) {
                    prop_assert!((a - c).abs() < 1e-9, "{} {}", a, c);
                }
            }
        }

        #[test]
        fn amounts_of_one_have_the_area_of_the_cases(
            rows in prop::collection::vec((any::<bool>(), 0u8..9, Just(1i16), 0u8..4), 4..60),
            weighted: bool,
        ) {
            let ranking = ranking(&rows, AmountsOf::Positives, weighted, 1.0);
            if let Ok(omega) = omega(&ranking) {
                prop_assert!((omega_amount(&ranking).expect("positives") - omega).abs() < 1e-12);
                let chart = RiskChart::of(&ranking).expect("both classes");
                for point in &chart.points {
                    prop_assert!((point.amount.expect("amounts") - point.recall).abs() < 1e-12);
                }
                let limits = chart.amount_limits().expect("rows");
                prop_assert!((limits.area.highest - chart.cases.highest).abs() < 1e-12);
            }
        }

        #[test]
        fn thinned_tables_show_the_chart(
            rows in prop::collection::vec((any::<bool>(), 0u8..255, 0i16..600, 1u8..4), 300..600),
            of in prop::sample::select(vec![AmountsOf::Positives, AmountsOf::Everybody]),
        ) {
            let ranking = ranking(&rows, of, true, 1.0);
            let (all, few) = (RiskChart::of(&ranking).expect("both"), CutTable::thinned(&ranking, 50).risk().expect("both"));
            let landmarks = RiskChart::at_blocks(&ranking, &ranking.landmarks(40)).expect("both");
            prop_assert!(few.points.len() < all.points.len() && landmarks.points.len() < all.points.len());
            prop_assert_eq!(landmarks.cases, all.cases);
            prop_assert_eq!(landmarks.amount_limits().map(|limits| limits.area), all.amount_limits().map(|limits| limits.area));
            for point in &all.points {
                let near = few.at(point.share.min(1.0)).expect("a share");
                prop_assert!((near.recall - point.recall).abs() < 0.0201);
                prop_assert!((near.amount.expect("amounts") - point.amount.expect("amounts")).abs() < 0.0201);
                let (a, b) = (few.amount_limits().expect("rows"), all.amount_limits().expect("rows"));
                prop_assert!((a.best(point.share) - b.best(point.share)).abs() < 0.0201);
            }
        }
    }

    #[test]
    fn single_points_need_no_chart() {
        let ranking = table_5_6();
        let chart = RiskChart::of(&ranking).expect("both classes");
        for share in [0.02, 2.0 / 19.0, 0.1, 0.5, 0.77, 1.0] {
            let (point, expected) =
                (RiskPoint::of_ranking(&ranking, share).expect("a share"), chart.at(share).expect("a share"));
            assert_eq!((point.score, point.amount), (expected.score, None));
            assert!((point.recall - expected.recall).abs() < 1e-12);
            assert!((point.strike_rate.unwrap_or(9.0) - expected.strike_rate.unwrap_or(0.0)).abs() < 1e-12);
            let limits = RiskLimits::of_ranking(&ranking, share).expect("a share");
            assert!((limits.best_recall - chart.best_recall(share)).abs() < 1e-12);
            assert!((limits.worst_recall - chart.worst_recall(share)).abs() < 1e-12);
        }
        assert!(RiskPoint::of_ranking(&ranking, 1.1).is_err() && Capture::of_ranking(&ranking, 0.0).is_err());
    }
}
