//! Profits of lists and rules with their intervals against numpy and scipy, and what must hold of any policy.
//!
//! `reference/make_decisions_reference.py` wrote `reference/decisions.json`, with versions.

use proptest::prelude::*;
use serde_json::Value;
use tribunal_eval::curves::{Benefit, Payoff, best_profit};
use tribunal_eval::decisions::{
    Actions, BenefitMatrix, CaseValues, Judge, ListLength, OptimismCorrection, ProfitBootstrap,
};
use tribunal_eval::influence::BaseRate;
use tribunal_eval::intervals::{IntervalMethod, Level, NoInterval, TopGain};
use tribunal_eval::{Ranking, ScoredSet};

fn reference() -> Value {
    serde_json::from_str(include_str!("../reference/decisions.json")).expect("JSON")
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|value| value.as_f64().expect("a number")).collect()
}

#[track_caller]
fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-7 * expected.abs().max(1.0), "{found}, expected {expected}");
}

#[track_caller]
fn check(values: &CaseValues<'_>, actions: &Actions, expected: &Value, method: IntervalMethod) {
    let (profit, expected) = (values.profit(actions).expect("rows"), numbers(expected));
    let interval = profit.interval(Level::P95, BaseRate::Random).expect("an interval");
    [profit.total, interval.lower, interval.upper].into_iter().zip(expected).for_each(|(a, b)| close(a, b));
    assert_eq!(interval.method, method);
}

#[test]
fn profits_and_their_intervals_agree_with_numpy_and_scipy() {
    let reference = reference();
    let truth: Vec<bool> = numbers(&reference["truth"]).iter().map(|&y| y == 1.0).collect();
    let (scores, amount) = (numbers(&reference["scores"]), numbers(&reference["amount"]));
    let number = |name: &str| reference[name].as_f64().expect("a number");
    let set = ScoredSet::new(&truth, &scores).and_then(|set| set.with_amount(&amount)).expect("valid");
    let values = CaseValues::of_payoff(&set, &Payoff { benefit: Benefit::Amount, cost: number("cost") });
    let values = values.expect("amounts");
    let size = ListLength::Cases(number("size"));
    let (list, rule) =
        (values.top(&scores, size).expect("a list"), Actions::from_score(&scores, number("cut")));
    check(&values, &list, &reference["list"], IntervalMethod::InfluenceLog);
    check(&values, &rule, &reference["rule"], IntervalMethod::SquareAndAdd);
    let four = serde_json::from_value::<BenefitMatrix>(reference["four"].clone()).expect("a matrix");
    let four = CaseValues::new(&truth, &four.into()).expect("finite");
    check(&four, &rule, &reference["four_cells"], IntervalMethod::InfluenceHall);
    let total = |actions: &Actions| values.profit(actions).expect("rows").total;
    close(total(&values.at_random(size).expect("a list")), number("random"));
    close(total(&values.where_it_pays()), number("ceiling"));
    let best = values.best_list(&scores).expect("rows");
    let expected = numbers(&reference["best"]);
    close(best.score.expect("some acted on"), expected[0]);
    close(best.profit, expected[1]);
}

/// Rows with distinct or tied scores, amounts of which some are zero or negative, and weights.
fn rows() -> impl Strategy<Value = Vec<(bool, u8, i16, u8)>> {
    prop::collection::vec((any::<bool>(), 0u8..12, -20i16..200, 1u8..4), 12..80)
}

struct Table {
    truth: Vec<bool>,
    scores: Vec<f64>,
    amount: Vec<f64>,
    weight: Vec<f64>,
}

impl Table {
    fn of(rows: &[(bool, u8, i16, u8)]) -> Self {
        Self {
            truth: rows.iter().map(|row| row.0).collect(),
            scores: rows.iter().map(|row| f64::from(row.1)).collect(),
            amount: rows
                .iter()
                .map(|row| f64::from(row.2.max(0)) - f64::from(u8::from(row.2 < -15)))
                .collect(),
            weight: rows.iter().map(|row| f64::from(row.3)).collect(),
        }
    }

    fn set(&self) -> ScoredSet<'_> {
        let set = ScoredSet::new(&self.truth, &self.scores).and_then(|set| set.with_amount(&self.amount));
        set.and_then(|set| set.with_weight(&self.weight)).expect("valid")
    }
}

const AMOUNTS: Payoff = Payoff { benefit: Benefit::Amount, cost: 5.0 };

proptest! {
    /// The profit of a list is its gain less its cost, with the same interval where amounts differ.
    #[test]
    fn a_list_earns_its_gain_less_its_cost(rows in rows(), share in 0.05f64..1.0) {
        let table = Table::of(&rows);
        let values = CaseValues::of_payoff(&table.set(), &AMOUNTS)?;
        let profit = values.profit(&values.top(&table.scores, ListLength::Share(share))?)?;
        let gain = TopGain::in_share(&table.set(), share)?;
        prop_assert!((profit.total - gain.profit(5.0)).abs() < 1e-8);
        let amounts: Vec<f64> = table.truth.iter().zip(&table.amount).filter(|row| *row.0).map(|row| *row.1).collect();
        if amounts.iter().any(|amount| *amount != amounts[0]) {
            let expected = gain.profit_interval(5.0, Level::P95, BaseRate::Random);
            match (profit.interval(Level::P95, BaseRate::Random), expected) {
                (Ok(found), Ok(expected)) => {
                    prop_assert!((found.lower - expected.lower).abs() < 1e-6 * expected.lower.abs().max(1.0));
                    prop_assert!((found.upper - expected.upper).abs() < 1e-6 * expected.upper.abs().max(1.0));
                }
                // A list of fewer than four cases says nothing of what another would earn.
                (Err(NoInterval::ShortList), _) => {}
                (found, expected) => prop_assert_eq!(found, expected),
            }
        }
    }

    /// Influence values add up to zero, and every interval holds its profit, between the values that profits can have.
    #[test]
    fn intervals_hold_their_profit(rows in rows(), share in 0.05f64..1.0, cut in 0u8..12) {
        let table = Table::of(&rows);
        let values = CaseValues::of_payoff(&table.set(), &AMOUNTS)?;
        let list = values.top(&table.scores, ListLength::Share(share))?;
        for actions in [list.rest(), list, Actions::from_score(&table.scores, f64::from(cut)), values.everybody()] {
            let profit = values.profit(&actions)?;
            let sum: f64 = profit.influence_values().iter().zip(&table.weight).map(|(value, weight)| value * weight).sum();
            prop_assert!(sum.abs() < 1e-6 * profit.total.abs().max(1e3), "{sum}");
            match profit.interval(Level::P95, BaseRate::Random) {
                Ok(ends) => prop_assert!(ends.contains(profit.total) && ends.upper > ends.lower - 1e-9, "{ends:?}"),
                Err(reason) => prop_assert!(matches!(
                    reason,
                    NoInterval::FewCases | NoInterval::NoHit | NoInterval::NothingAtStake | NoInterval::ShortList
                ), "{reason}"),
            }
            let itself = values.difference(&profit, &profit, Level::P95, BaseRate::Random);
            prop_assert_eq!(itself.difference, 0.0);
            prop_assert!(itself.p.is_none_or(|p| p == 1.0));
        }
    }

    /// The best list of rows is that of the ranking.
    #[test]
    fn the_best_list_of_rows_is_that_of_the_ranking(rows in rows()) {
        let table = Table::of(&rows);
        let found = CaseValues::of_payoff(&table.set(), &AMOUNTS)?.best_list(&table.scores)?;
        let expected = best_profit(&Ranking::of(&table.set())?, &AMOUNTS)?;
        prop_assert!((found.profit - expected.profit).abs() < 1e-8);
        prop_assert_eq!((found.score, found.cases), (expected.score, expected.cases));
    }

    /// Replicates are what drawing the rows one by one gives: as often as they are drawn, their weights count.
    #[test]
    fn a_replicate_lies_within_what_can_be_drawn(rows in rows(), seed in any::<u64>()) {
        let table = Table::of(&rows);
        let values = CaseValues::of_payoff(&table.set(), &AMOUNTS)?;
        let bootstrap = ProfitBootstrap::new(&values, &[&table.scores, &table.scores], ListLength::Share(0.3))?;
        let total: f64 = table.weight.iter().sum();
        let largest = table.amount.iter().fold(0.0_f64, |a, b| a.max(*b));
        for models in bootstrap.replicates(5, seed) {
            prop_assert_eq!(models[0], models[1]);
            prop_assert!(models[0].best >= models[0].list - 1e-9 * total * largest && models[0].best >= 0.0);
            prop_assert!(models[0].best <= total * (largest - 5.0).max(0.0) + 1e-6);
        }
        prop_assert_eq!(bootstrap.replicates(3, seed), bootstrap.replicates(5, seed)[..3].to_vec());
    }
}

/// Five thousand cases, a tenth of them positive, with lognormal amounts.
fn drawn(n_rows: usize, seed: u64) -> Table {
    let mut random = tribunal_random::Random::new(seed);
    let truth: Vec<bool> = (0..n_rows).map(|_| random.uniform() < 0.1).collect();
    let scores = truth.iter().map(|&y| random.normal() + 1.5 * f64::from(y)).collect();
    let amount = (0..n_rows).map(|_| 40.0 * random.normal().exp()).collect();
    Table { truth, scores, amount, weight: vec![1.0; n_rows] }
}

/// Mean and standard deviation.
fn moments(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (mean, (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt())
}

/// Replicates of long lists pool rows, those of short ones do not; both spread like the influence values say.
#[test]
fn replicates_spread_like_the_influence_values() {
    for n_rows in [5_000, 100_000] {
        let table = drawn(n_rows, 3);
        let values = CaseValues::of_payoff(&table.set(), &AMOUNTS).expect("amounts");
        let length = ListLength::Share(0.1);
        let bootstrap = ProfitBootstrap::new(&values, &[&table.scores], length).expect("a list");
        let at_list: Vec<f64> = bootstrap.replicates(2000, 9).iter().map(|models| models[0].list).collect();
        let profit = values.profit(&values.top(&table.scores, length).expect("a list")).expect("rows");
        let error =
            profit.influence_values().iter().map(|value| value * value).sum::<f64>().sqrt() / n_rows as f64;
        let (mean, deviation) = moments(&at_list);
        assert!(
            (mean - profit.total).abs() < 4.0 * error / 2000.0_f64.sqrt(),
            "{n_rows}: {mean} {}",
            profit.total
        );
        assert!((deviation / error - 1.0).abs() < 0.08, "{n_rows}: {deviation} {error}");
    }
}

/// On average over samples, the corrected profit is what new cases bring in at the chosen cut.
#[test]
fn the_profit_of_a_chosen_cut_is_corrected_for_optimism() {
    let (mut raw, mut corrected, mut folds) = (0.0, 0.0, 0.0);
    let new = drawn(100_000, 999);
    let new_values = CaseValues::of_payoff(&new.set(), &AMOUNTS).expect("amounts");
    const SAMPLES: u64 = 60;
    for seed in 0..SAMPLES {
        let table = drawn(600, seed);
        let values = CaseValues::of_payoff(&table.set(), &AMOUNTS).expect("amounts");
        let found = |judge| {
            values.best_list_profit(&table.scores, judge, Level::P95, BaseRate::Random).expect("rows")
        };
        let out_of_bag = found(Judge::OutOfBag { n_replicates: 100, seed });
        let score = out_of_bag.best.score.expect("some are acted on");
        let truth = new_values.profit(&Actions::from_score(&new.scores, score)).expect("rows").mean * 600.0;
        let fold: Vec<u32> = (0..600).map(|row| row % 10).collect();
        let by_folds = found(Judge::Folds(&fold));
        assert_eq!(by_folds.correction, OptimismCorrection::Folds { n_folds: 10 });
        raw += (out_of_bag.best.profit - truth) / SAMPLES as f64;
        corrected += (out_of_bag.on_new_cases.value - truth) / SAMPLES as f64;
        folds += (by_folds.on_new_cases.value - truth) / SAMPLES as f64;
    }
    assert!(raw > 2.0 * corrected.abs() && raw > 2.0 * folds.abs(), "{raw} {corrected} {folds}");
}
