//! The list that earns most: where to cut, and what that cut earns on new cases.
//!
//! The best cut of a sample flatters: around its maximum, profit is a Brownian motion on a parabola (Kim and Pollard 1990). Its
//! maximum is too high by `b`, and on new cases the chosen cut earns `b/3` less than the best one, so that the profit shown is too
//! high by `4/3 b`. A bootstrap replicate draws from cases that vary already: it sees twice the variance, and its cut earns
//! `2^(2/3) b/3` less than the best one on the cases that were left out, which are new to it. So what the replicates lose between all
//! cases and those left out is `(1 + 2^(2/3)/3) b`, and the optimism is a known part of that, 0.872. Where folds are given, each is
//! judged at the cut that was the best one on the others.
//!
//! The depth of the best cut converges with the cube root of the number of cases, so that quantiles of replicates do not have its
//! distribution (Abrevaya and Huang 2005): they spread by a factor `2^(1/3)` farther. Plain quantiles therefore hold a little more often
//! than they say where positives bring in the same - a 95 % interval in 96 to 98 of 100 simulated samples of 300 to 4,000 cases - and
//! mirrored ones in 71 to 77. Where positives bring in lognormal amounts, of which a few decide, plain ones hold in 86 to 96: the best
//! cuts of samples lie too high in the list, and replicates with them. There is no interval of the depth then.
//!
//! References: Kim & Pollard (1990), "Cube root asymptotics"; Abrevaya & Huang (2005), "On the bootstrap of the maximum score
//! estimator"; Efron & Tibshirani (1997), "Improvements on cross-validation: the .632+
//! bootstrap method", for cases left out; Witten & Frank (2005) for profit over a list.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::actions::{Actions, ListLength};
use super::case_values::CaseValues;
use super::interval_estimate::IntervalEstimate;
use super::profit_bootstrap::{OutOfBag, ProfitBootstrap};
use crate::checks::{check_finite, check_length};
use crate::error::Error;
use crate::influence::BaseRate;
use crate::intervals::{Interval, Level, NoInterval, Replicates, bootstrap_percentile};
use crate::ranking::{ListedRow, listed_rows};
use crate::sum::Sum;

/// Profits that differ by less than this part of all that is gained and lost are equal.
const EQUAL: f64 = 1e-12;

/// The cut that earns most.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct BestList {
    /// The lowest score to act on; `None` where acting on nobody is best.
    pub score: Option<f64>,
    /// Weight of the cases to act on.
    pub cases: f64,
    /// Share of all cases.
    pub share: f64,
    /// The profit there, which flatters.
    pub profit: f64,
    /// The best number of cases if tied scores were told apart by the order of the rows, where that is another one. No cut-off
    /// separates tied scores, so it cannot be had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_rank: Option<BestRank>,
}

/// The best cut in the order of the rows, through ties.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct BestRank {
    /// Weight of the cases to act on.
    pub cases: f64,
    /// The profit there.
    pub profit: f64,
}

/// How the profit of a chosen cut is judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Judge<'a> {
    /// By the cases that bootstrap replicates left out.
    OutOfBag {
        /// How many replicates.
        n_replicates: usize,
        /// Of the draws.
        seed: u64,
    },
    /// Each fold at the cut that was the best one on the others. The fold of each case.
    Folds(&'a [u32]),
}

/// How the optimism of a chosen cut was corrected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum OptimismCorrection {
    /// By the cases that bootstrap replicates left out.
    OutOfBag {
        /// How many replicates.
        n_replicates: usize,
    },
    /// Each fold was judged at the cut that was the best one on the others.
    Folds {
        /// How many folds.
        n_folds: usize,
    },
    /// Acting on nobody or on everybody is best, so nothing was fitted to the cases.
    NothingChosen,
}

/// The cut that earns most, and what it earns on new cases.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct BestListProfit {
    /// The cut.
    pub best: BestList,
    /// The profit that as many new cases are expected to bring in at this cut.
    pub on_new_cases: IntervalEstimate,
    /// How the optimism was corrected.
    pub correction: OptimismCorrection,
    /// What was taken off the profit on these cases; zero where the profit of the folds stands for it.
    pub optimism: f64,
    /// The share of the cases above the cut. Its interval are quantiles of the share above the best cuts of the replicates that
    /// correct the optimism; there is none where no replicates were drawn, and where positives bring in different amounts.
    pub depth: IntervalEstimate,
}

/// Rows from the highest score down.
struct Descending<'a> {
    values: &'a CaseValues<'a>,
    scores: &'a [f64],
    rows: Vec<ListedRow>,
    /// What acting on each is worth, times its weight.
    worth: Vec<f64>,
}

impl<'a> Descending<'a> {
    fn new(values: &'a CaseValues<'a>, scores: &'a [f64], takes: impl Fn(usize) -> bool + Sync) -> Self {
        let rows = listed_rows(scores, |row| values.weight_of(row) > 0.0 && takes(row));
        let worth = |listed: &ListedRow| values.weight_of(listed.row()) * values.acting[listed.row()];
        let worth = rows.par_iter().map(worth).collect();
        Self { values, scores, rows, worth }
    }

    /// The number of rows from the top that earn most, of equals the fewest, with their profit beyond acting on nobody. Only the last
    /// rows of blocks of tied scores may end a list, or any row.
    fn best(&self, splits_ties: bool) -> (usize, f64) {
        let is_tied =
            |place: usize| self.rows.get(place + 1).is_some_and(|next| self.rows[place].is_tied_with(*next));
        let (mut best, mut sum, mut size) = ((0, 0.0), Sum::default(), 0.0);
        for (place, own) in self.worth.iter().enumerate() {
            sum.add(*own);
            size += own.abs();
            if sum.value() > best.1 + EQUAL * size && (splits_ties || !is_tied(place)) {
                best = (place + 1, sum.value());
            }
        }
        best
    }

    fn weight_of_first(&self, n_rows: usize) -> f64 {
        self.rows[..n_rows].iter().map(|listed| self.values.weight_of(listed.row())).collect::<Sum>().value()
    }

    fn last_score(&self, n_rows: usize) -> Option<f64> {
        n_rows.checked_sub(1).map(|last| self.scores[self.rows[last].row()])
    }
}

impl CaseValues<'_> {
    fn check_scores(&self, scores: &[f64]) -> Result<(), Error> {
        check_length("score", scores.len(), self.n_rows())?;
        check_finite("score", scores)
    }

    /// The cut that earns most on these cases, of equals the shortest list. Tied scores stay together.
    ///
    /// ```
    /// use tribunal_eval::decisions::{BenefitMatrix, CaseValues};
    ///
    /// let matrix = BenefitMatrix { hit: 4.0, false_positive: -6.0, ..BenefitMatrix::default() };
    /// let values = CaseValues::new(&[true, false, true, true, false], &matrix.into())?;
    /// let best = values.best_list(&[0.9, 0.8, 0.7, 0.7, 0.1])?;
    /// assert_eq!((best.score, best.profit), (Some(0.7), 6.0));
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    ///
    /// # Errors
    /// There is not one finite score a case, or no case carries weight.
    pub fn best_list(&self, scores: &[f64]) -> Result<BestList, Error> {
        self.check_scores(scores)?;
        let total = self.total_weight()?;
        let rows = Descending::new(self, scores, |_| true);
        let nobody = self.sum(|row| self.passing_of(row));
        let ((n_rows, profit), (n_ranked, ranked)) = (rows.best(false), rows.best(true));
        let cases = rows.weight_of_first(n_rows);
        let by_rank = || BestRank { cases: rows.weight_of_first(n_ranked), profit: nobody + ranked };
        Ok(BestList {
            score: rows.last_score(n_rows),
            cases,
            share: cases / total,
            profit: nobody + profit,
            by_rank: (n_ranked != n_rows).then(by_rank),
        })
    }

    /// Acts in each fold on the cases from the score on that was the best cut on the other folds.
    ///
    /// # Errors
    /// There is not one finite score and one fold a case, or fewer than two folds.
    pub fn best_on_other_folds(&self, scores: &[f64], folds: &[u32]) -> Result<Actions, Error> {
        self.check_scores(scores)?;
        check_length("fold", folds.len(), self.n_rows())?;
        let mut names = folds.to_vec();
        names.sort_unstable();
        names.dedup();
        crate::checks::at_least("folds", names.len(), 2)?;
        let cut = |fold: &u32| {
            let others = Descending::new(self, scores, |row| folds[row] != *fold);
            others.last_score(others.best(false).0)
        };
        let cuts: Vec<Option<f64>> = names.iter().map(cut).collect();
        let acts = |(&score, fold): (&f64, &u32)| {
            let place = names.binary_search(fold).unwrap_or_default();
            cuts[place].is_some_and(|cut| score >= cut)
        };
        Ok(Actions::on(&scores.iter().zip(folds).map(acts).collect::<Vec<_>>()))
    }

    /// The cut that earns most, and what it earns on new cases.
    ///
    /// **Definition** · by folds: the sum, over the folds, of the profit at the cut that was the best one on the others. Out of bag:
    /// `P - 0.872 (P - O)`, where `P` is the profit at the best cut and `O` the mean, over bootstrap replicates, of the profit on the
    /// cases left out at the replicate's best cut, scaled to all cases. Where acting on nobody or on everybody is best, nothing was
    /// chosen and the profit stands.
    ///
    /// **Undefined when** no case carries weight.
    ///
    /// **Example**
    /// ```
    /// use tribunal_eval::decisions::{BenefitMatrix, CaseValues, Judge};
    /// use tribunal_eval::{influence::BaseRate, intervals::Level};
    ///
    /// let truth: Vec<bool> = (0..300).map(|i| i * i % 7 == 1).collect();
    /// let scores: Vec<f64> = (0..300).map(|i| f64::from(i * i % 7 == 1) + f64::from(i * 37 % 100) / 40.0).collect();
    /// let matrix = BenefitMatrix { hit: 10.0, false_positive: -8.0, ..BenefitMatrix::default() };
    /// let values = CaseValues::new(&truth, &matrix.into())?;
    /// let judge = Judge::OutOfBag { n_replicates: 200, seed: 1 };
    /// let found = values.best_list_profit(&scores, judge, Level::P95, BaseRate::Random)?;
    /// assert!(found.on_new_cases.value < found.best.profit);
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    ///
    /// **Reference** · Kim & Pollard 1990; Efron & Tibshirani 1997
    pub fn best_list_profit(
        &self,
        scores: &[f64],
        judge: Judge<'_>,
        level: Level,
        base_rate: BaseRate,
    ) -> Result<BestListProfit, Error> {
        let best = self.best_list(scores)?;
        let figure = |actions: &Actions, optimism: f64| {
            let profit = self.profit(actions)?.less_optimism(optimism);
            Ok::<_, Error>(profit.expected(level, base_rate))
        };
        let acted = best.score.map_or_else(|| self.nobody(), |score| Actions::from_score(scores, score));
        let mut optimism = 0.0;
        let mut depth = Err(NoInterval::NeedsReplicates);
        let (on_new_cases, correction) = match judge {
            Judge::Folds(folds) => {
                let n_folds = folds.iter().collect::<std::collections::BTreeSet<_>>().len();
                let of_folds = self.best_on_other_folds(scores, folds)?;
                let judged = self.profit_of_folds(&of_folds, &acted)?.expected(level, base_rate);
                (judged, OptimismCorrection::Folds { n_folds })
            }
            Judge::OutOfBag { .. } if best.share <= 0.0 || best.share >= 1.0 => {
                (figure(&acted, 0.0)?, OptimismCorrection::NothingChosen)
            }
            Judge::OutOfBag { n_replicates, seed } => {
                let found = self.optimism(scores, &best, n_replicates, seed)?;
                optimism = found.as_ref().map_or(0.0, |found| found.optimism);
                let found_depth = |found: &ChosenCut| match self.has_one_value_a_class() {
                    true => found.depth(level),
                    false => Err(NoInterval::AmountsDecide),
                };
                depth = found.as_ref().ok_or(NoInterval::FewReplicates).and_then(found_depth);
                let judged = match found {
                    Some(_) => figure(&acted, optimism)?,
                    None => IntervalEstimate::new(best.profit, Err(NoInterval::FewReplicates)),
                };
                (judged, OptimismCorrection::OutOfBag { n_replicates })
            }
        };
        let depth = IntervalEstimate::new(best.share, depth.map(|ends| ends.holding(best.share)));
        Ok(BestListProfit { best, on_new_cases, correction, optimism, depth })
    }

    /// Whether acting on all cases of a class is worth the same.
    fn has_one_value_a_class(&self) -> bool {
        let same = |positive: bool| {
            let rows =
                (0..self.n_rows()).filter(|&row| self.truth[row] == positive && self.weight_of(row) > 0.0);
            let mut values = rows.map(|row| self.acting[row]);
            values.next().is_none_or(|first| values.all(|value| (value - first).abs() <= EQUAL * first.abs()))
        };
        same(true) && same(false)
    }

    /// By how much the profit at the best cut is too high on new cases.
    fn optimism(
        &self,
        scores: &[f64],
        best: &BestList,
        n_replicates: usize,
        seed: u64,
    ) -> Result<Option<ChosenCut>, Error> {
        // What leaving cases alone is worth does not depend on the cut; left in, its chance would blur the optimism.
        let gain = best.profit - self.sum(|row| self.passing_of(row));
        let acting = Self { passing: None, ..self.clone() };
        let bootstrap = ProfitBootstrap::new(&acting, &[scores], ListLength::Share(best.share.min(1.0)))?;
        let left_out = bootstrap.out_of_bag(n_replicates, seed);
        // Loss from the sample to new cases, over that from the sample to the cases left out, in units of b.
        let part = (4.0 / 3.0) / (1.0 + 2.0_f64.powf(2.0 / 3.0) / 3.0);
        Ok(left_out.map(|OutOfBag { profit, shares }| ChosenCut {
            optimism: (part * (gain - profit)).max(0.0),
            shares,
        }))
    }
}

/// What replicates say of a cut that was chosen on the cases.
struct ChosenCut {
    /// By how much its profit is too high on new cases.
    optimism: f64,
    /// Share of the cases above the best cut of each replicate.
    shares: Vec<f64>,
}

impl ChosenCut {
    /// How far the depth of the best cut may lie off.
    fn depth(&self, level: Level) -> Result<Interval, NoInterval> {
        let replicates = Replicates::new(self.shares.clone()).map_err(|_| NoInterval::FewReplicates)?;
        Ok(bootstrap_percentile(&replicates, level))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curves::{Benefit, Payoff};
    use crate::scored_set::ScoredSet;

    const LABELS: &str = "1101111101011010101";
    const SCORES: [f64; 19] = [
        0.95, 0.93, 0.93, 0.88, 0.86, 0.85, 0.82, 0.80, 0.80, 0.79, 0.77, 0.76, 0.73, 0.65, 0.63, 0.58, 0.56,
        0.49, 0.48,
    ];

    fn truth() -> Vec<bool> {
        LABELS.chars().map(|label| label == '1').collect()
    }

    fn values<'a>(truth: &'a [bool], benefit: f64, cost: f64) -> CaseValues<'a> {
        let set = ScoredSet::new(truth, &SCORES[..truth.len()]).expect("valid");
        CaseValues::of_payoff(&set, &Payoff { benefit: Benefit::Fixed(benefit), cost }).expect("finite")
    }

    #[test]
    fn golden_profit_of_table_5_6() {
        let truth = truth();
        let best = values(&truth, 10.0, 6.0).best_list(&SCORES).expect("rows");
        assert_eq!((best.score, best.cases, best.profit), (Some(0.73), 13.0, 22.0));
        // By rank, eight cases earn as much: the ninth has the score of the eighth.
        assert_eq!(best.by_rank, Some(BestRank { cases: 8.0, profit: 22.0 }));
    }

    #[test]
    fn golden_profit_by_rank() {
        let (truth, expected) =
            (truth(), [4, 8, 2, 6, 10, 14, 18, 22, 16, 20, 14, 18, 22, 16, 20, 14, 18, 12, 16]);
        let values = values(&truth, 10.0, 6.0);
        let in_order: Vec<f64> = (0..19).map(|rank| -f64::from(rank)).collect();
        for (k, expected) in (1..=19).zip(expected) {
            let list = values.top(&in_order, ListLength::Cases(f64::from(k))).expect("nineteen cases");
            assert!((values.profit(&list).expect("rows").total - f64::from(expected)).abs() < 1e-9, "{k}");
        }
        let best = values.best_list(&in_order).expect("rows");
        assert_eq!((best.cases, best.profit, best.by_rank), (8.0, 22.0, None));
    }

    #[test]
    fn equal_optima_but_for_rounding_are_the_shortest_list() {
        let truth = [true, true, false, true, false];
        let set = ScoredSet::new(&truth, &SCORES[..5]).expect("valid");
        let payoff = Payoff { benefit: Benefit::Fixed(0.3), cost: 0.1 };
        let values = CaseValues::of_payoff(&set, &payoff).expect("finite");
        let scores = [0.9, 0.8, 0.7, 0.6, 0.5];
        assert_eq!(values.best_list(&scores).expect("rows").cases, 4.0);
        let even =
            CaseValues::of_payoff(&set, &Payoff { benefit: Benefit::Fixed(0.2), cost: 0.1 }).expect("finite");
        assert_eq!(even.best_list(&scores).expect("rows").cases, 2.0);
    }

    #[test]
    fn nobody_and_everybody_are_no_choice() {
        let truth = truth();
        let judge = Judge::OutOfBag { n_replicates: 50, seed: 3 };
        let of = |cost: f64| {
            let values = values(&truth, 10.0, cost);
            values.best_list_profit(&SCORES, judge, Level::P95, BaseRate::Random).expect("rows")
        };
        let (nobody, everybody) = (of(20.0), of(0.5));
        assert_eq!((nobody.best.score, nobody.on_new_cases.value), (None, 0.0));
        assert_eq!(nobody.on_new_cases.no_interval, Some(NoInterval::NothingAtStake));
        assert_eq!((everybody.best.share, everybody.on_new_cases.value), (1.0, everybody.best.profit));
        assert_eq!(everybody.correction, OptimismCorrection::NothingChosen);
        assert!(everybody.on_new_cases.interval.is_some());
    }

    #[test]
    fn folds_are_judged_at_the_cut_of_the_others() {
        let truth = [true, false, true, false, true, false];
        let scores = [0.9, 0.1, 0.8, 0.3, 0.6, 0.7];
        let folds = [0, 0, 1, 1, 2, 2];
        let matrix = crate::decisions::BenefitMatrix { hit: 5.0, false_positive: -4.0, ..Default::default() };
        let values = CaseValues::new(&truth, &matrix.into()).expect("finite");
        let actions = values.best_on_other_folds(&scores, &folds).expect("three folds");
        // Without fold 0 the best cut is 0.6 (5 - 4 + 5 = 6), without fold 1 it is 0.6 too, without fold 2 it is 0.8.
        assert_eq!(actions.shares(), [1.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
        assert!(values.best_on_other_folds(&scores, &[1; 6]).is_err());
    }
}
