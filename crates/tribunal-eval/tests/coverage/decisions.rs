//! Profit, capacity and the best list: how often their intervals hold, on populations whose every figure has a closed form.
//!
//! Latent scores are binormal; a positive is worth its amount, which is lognormal and grows with the latent score: amounts have
//! mean 1, and `E[amount; score > t]` among positives is a normal tail whose mean is moved. The second model sees a latent score of
//! correlation 0.6. What a rule does that acts when probability times amount exceeds a cost is taken from two million cases.
//!
//! Expected figures are compared with the population, predictions with the figure of another sample that is drawn for each.

use rayon::prelude::*;
use tribunal_eval::curves::{Benefit, Payoff};
use tribunal_eval::decisions::{
    Actions, AmountRule, BenefitMatrix, Capacity, CaseValues, IntervalEstimate, Judge, ListLength,
    capacity_hits,
};
use tribunal_eval::influence::BaseRate;
use tribunal_eval::intervals::{Interval, Level, NoInterval, Sampled, normal_sf};
use tribunal_eval::{Ranking, ScoredSet};
use tribunal_random::Random;

use crate::report::{OtherTable, share};

const LEVEL: Level = Level::P95;
const RATE: BaseRate = BaseRate::Random;
/// Correlation of the latent scores of the two models within a class, and the part of the first one's mean that the second has.
const CORRELATION: f64 = 0.6;
const POORER: f64 = 0.75;
/// By how much the logarithm of an amount grows with the latent score.
const GROWTH: f64 = 0.3;
/// Share of the list that is acted on.
const LIST: f64 = 0.1;
const BENEFIT: f64 = 6.0;
const COST: f64 = 1.0;
/// Cases of the other lists of which a capacity speaks.
const OTHER_LIST: usize = 500;
const N_REPLICATES: usize = 100;
const N_FOLDS: u32 = 10;
const N_SAMPLES: u64 = 1000;
const N_POPULATION: usize = 2_000_000;

/// Where cases come from.
#[derive(Clone, Copy, Debug)]
struct Design {
    n_rows: usize,
    base_rate: f64,
    mean: f64,
    /// Standard deviation of the logarithm of an amount at a given score.
    deviation: f64,
    /// Whether there are ten distinct scores.
    is_tied: bool,
    is_weighted: bool,
}

const PLAIN: Design =
    Design { n_rows: 500, base_rate: 0.1, mean: 1.5, deviation: 1.0, is_tied: false, is_weighted: false };

fn designs() -> Vec<Design> {
    let plain = |n_rows, base_rate, mean| Design { n_rows, base_rate, mean, ..PLAIN };
    vec![
        plain(200, 0.05, 1.5),
        plain(200, 0.1, 1.0),
        plain(200, 0.5, 1.0),
        plain(500, 0.02, 1.5),
        plain(500, 0.1, 1.5),
        plain(2000, 0.005, 1.5),
        plain(2000, 0.02, 1.5),
        plain(2000, 0.1, 1.0),
        plain(2000, 0.5, 1.0),
        plain(20_000, 0.005, 1.5),
        plain(20_000, 0.1, 1.5),
        Design { deviation: 0.5, ..plain(500, 0.1, 1.5) },
        Design { deviation: 1.5, ..plain(2000, 0.1, 1.5) },
        Design { is_tied: true, ..plain(500, 0.1, 1.0) },
        Design { is_tied: true, ..plain(2000, 0.1, 1.5) },
        Design { is_weighted: true, ..plain(500, 0.1, 1.5) },
        Design { is_weighted: true, ..plain(2000, 0.02, 1.5) },
    ]
}

/// Cases of a sample.
struct Cases {
    truth: Vec<bool>,
    scores: [Vec<f64>; 2],
    amount: Vec<f64>,
    weight: Option<Vec<f64>>,
    folds: Vec<u32>,
}

impl Design {
    fn name(&self) -> String {
        let Self { n_rows, base_rate, mean, deviation, .. } = self;
        let tied = if self.is_tied { ", ten levels" } else { "" };
        let weighted = if self.is_weighted { ", weighted" } else { "" };
        format!("{n_rows} rows, {} %, mean {mean}, deviation {deviation}{tied}{weighted}", 100.0 * base_rate)
    }

    fn step(&self) -> f64 {
        (self.mean + 3.0) / 9.0
    }

    fn shown(&self, latent: f64) -> f64 {
        if !self.is_tied {
            return latent;
        }
        -1.5 + ((latent + 1.5) / self.step()).round().clamp(0.0, 9.0) * self.step()
    }

    fn draw(&self, random: &mut Random, n_rows: usize) -> Cases {
        let mut cases = Cases {
            truth: vec![],
            scores: [vec![], vec![]],
            amount: vec![],
            weight: self.is_weighted.then(Vec::new),
            folds: (0..n_rows as u32).map(|row| row % N_FOLDS).collect(),
        };
        for _ in 0..n_rows {
            let positive = random.uniform() < self.base_rate;
            let (first, other, own) = (random.normal(), random.normal(), random.normal());
            let second = CORRELATION * first + (1.0 - CORRELATION * CORRELATION).sqrt() * other;
            let mean = if positive { self.mean } else { 0.0 };
            let centre = (self.deviation.powi(2) + GROWTH * GROWTH) / 2.0;
            cases.truth.push(positive);
            cases.scores[0].push(self.shown(first + mean));
            cases.scores[1].push(self.shown(second + POORER * mean));
            cases.amount.push((self.deviation * own + GROWTH * first - centre).exp());
            if let Some(weight) = &mut cases.weight {
                weight.push([0.5, 1.0, 2.0, 4.0][random.below(4) as usize]);
            }
        }
        cases
    }

    /// Shares of all cases above a latent score: all, positives, and amount of the positives.
    fn above_latent(&self, model: usize, t: f64) -> [f64; 3] {
        let (mean, growth) =
            if model == 0 { (self.mean, GROWTH) } else { (POORER * self.mean, GROWTH * CORRELATION) };
        let positives = self.base_rate * normal_sf(t - mean);
        let amount = self.base_rate * normal_sf(t - mean - growth);
        [positives + (1.0 - self.base_rate) * normal_sf(t), positives, amount]
    }

    /// The same for scores of at least so much.
    fn worth_above(&self, model: usize, score: f64) -> [f64; 3] {
        let edge = if self.is_tied { score - self.step() / 2.0 } else { score };
        let edge = if self.is_tied && score < -1.5 + self.step() / 2.0 { f64::NEG_INFINITY } else { edge };
        self.above_latent(model, edge)
    }

    /// The same for the top of the list.
    fn top(&self, model: usize, share: f64) -> [f64; 3] {
        if share >= 1.0 {
            return [1.0, self.base_rate, self.base_rate];
        }
        if self.is_tied {
            let mut above = [0.0; 3];
            for level in (0..10).rev() {
                let through = self.worth_above(model, -1.5 + f64::from(level) * self.step());
                if through[0] >= share {
                    let part = (share - above[0]) / (through[0] - above[0]);
                    return std::array::from_fn(|k| above[k] + part * (through[k] - above[k]));
                }
                above = through;
            }
            return above;
        }
        let (mut low, mut high) = (-12.0, 12.0);
        for _ in 0..200 {
            let middle = (low + high) / 2.0;
            if self.above_latent(model, middle)[0] > share { low = middle } else { high = middle }
        }
        self.above_latent(model, low)
    }

    /// The share of all cases above the cut of the first model that earns most where positives bring in the same.
    fn best_depth(&self) -> f64 {
        let at = |step: i32| self.worth_above(0, self.shown(-4.0 + f64::from(step) / 500.0));
        let profit = |at: &[f64; 3]| BENEFIT * at[1] - COST * at[0];
        let better = |best: [f64; 3], next: [f64; 3]| if profit(&next) > profit(&best) { next } else { best };
        (0..6000).map(at).fold([0.0; 3], better)[0]
    }
}

/// What became of one figure in one sample: whether the truth lay below and above, and the width; nothing without an interval.
type Place = Option<(bool, bool, f64)>;

struct Checks(Vec<(&'static str, Place)>);

impl Checks {
    fn add(&mut self, name: &'static str, interval: Result<Interval, NoInterval>, truth: f64) {
        let place = interval.ok().map(|ends| {
            let little = 1e-9 * truth.abs().max(1e-3);
            (truth < ends.lower - little, truth > ends.upper + little, ends.upper - ends.lower)
        });
        self.0.push((name, place));
    }

    fn figure(&mut self, name: &'static str, figure: &IntervalEstimate, truth: f64) {
        self.add(name, figure.interval.ok_or(NoInterval::NotAsked), truth);
    }
}

/// True values that no closed form gives, per case.
struct Population {
    amount_rule: f64,
    /// Share of all cases above the best cut, for fixed benefits and for amounts.
    best_depth: f64,
}

fn amount_rule(design: &Design, cases: &Cases) -> Actions {
    let odds = design.base_rate / (1.0 - design.base_rate);
    let p = |x: &f64| {
        let odds = odds * (design.mean * x - design.mean.powi(2) / 2.0).exp();
        odds / (1.0 + odds)
    };
    let p: Vec<f64> = cases.scores[0].iter().map(p).collect();
    let amount: Vec<f64> = cases.amount.iter().map(|amount| BENEFIT * amount).collect();
    Actions::on(&AmountRule { cost: COST }.acts(&p, &amount).expect("probabilities"))
}

fn values<'a>(cases: &'a Cases, amounts: &'a [f64], payoff: Payoff) -> CaseValues<'a> {
    let set = ScoredSet::new(&cases.truth, &cases.scores[0]).and_then(|set| set.with_amount(amounts));
    let values = CaseValues::of_payoff(&set.expect("valid"), &payoff).expect("amounts");
    match &cases.weight {
        Some(weight) => values.with_weight(weight).expect("weights"),
        None => values,
    }
}

fn ranking(cases: &Cases, model: usize) -> Ranking {
    let set = ScoredSet::new(&cases.truth, &cases.scores[model]).expect("valid");
    let set = match &cases.weight {
        Some(weight) => set.with_weight(weight).expect("weights"),
        None => set,
    };
    Ranking::of(&set).expect("rankable")
}

const FIXED: Payoff = Payoff { benefit: Benefit::Fixed(BENEFIT), cost: COST };
const AMOUNTS: Payoff = Payoff { benefit: Benefit::Amount, cost: COST };
const ERRORS: BenefitMatrix =
    BenefitMatrix { hit: 0.0, false_positive: -1.0, false_negative: -5.0, correct_rejection: 0.0 };

/// Every figure of one sample.
fn judge(design: &Design, population: &Population, sample: u64) -> Vec<(&'static str, Place)> {
    let mut random = Random::derived(77, &[design.n_rows as u64, sample]);
    let cases = design.draw(&mut random, design.n_rows);
    let paid: Vec<f64> = cases.amount.iter().map(|amount| BENEFIT * amount).collect();
    let (fixed, amounts) = (values(&cases, &paid, FIXED), values(&cases, &paid, AMOUNTS));
    let errors = CaseValues::new(&cases.truth, &ERRORS.into()).expect("finite");
    let errors = match &cases.weight {
        Some(weight) => errors.with_weight(weight).expect("weights"),
        None => errors,
    };
    let total = cases.weight.as_ref().map_or(design.n_rows as f64, |weight| weight.iter().sum());
    let ranked = ranking(&cases, 0);
    let list = |model: usize| fixed.top(&cases.scores[model], ListLength::Share(LIST)).expect("a list");
    let lists = [list(0), list(1)];
    let [_, hits, gained] = design.top(0, LIST);
    let [_, other_hits, other_gained] = design.top(1, LIST);
    let threshold = design.shown(0.8 * design.mean);
    let rule = Actions::from_score(&cases.scores[0], threshold);
    let at = design.worth_above(0, threshold);
    let mut checks = Checks(Vec::new());

    let interval = |values: &CaseValues<'_>, actions: &Actions| {
        values.profit(actions).expect("rows").interval(LEVEL, RATE)
    };
    checks.add("list, fixed benefit", interval(&fixed, &lists[0]), total * (BENEFIT * hits - COST * LIST));
    checks.add("list, amounts", interval(&amounts, &lists[0]), total * (BENEFIT * gained - COST * LIST));
    checks.add(
        "list, four cells",
        interval(&errors, &lists[0]),
        total * (-(LIST - hits) - 5.0 * (design.base_rate - hits)),
    );
    checks.add("rule, fixed benefit", interval(&fixed, &rule), total * (BENEFIT * at[1] - COST * at[0]));
    checks.add("rule, amounts", interval(&amounts, &rule), total * (BENEFIT * at[2] - COST * at[0]));
    checks.add(
        "rule, four cells",
        interval(&errors, &rule),
        total * (-(at[0] - at[1]) - 5.0 * (design.base_rate - at[1])),
    );
    checks.add(
        "everybody, amounts",
        interval(&amounts, &amounts.everybody()),
        total * (BENEFIT * design.base_rate - COST),
    );
    if !design.is_tied {
        checks.add(
            "p x amount > cost",
            interval(&amounts, &amount_rule(design, &cases)),
            total * population.amount_rule,
        );
    }

    let difference = |values: &CaseValues<'_>, one: &Actions, other: &Actions| {
        let [one, other] = [one, other].map(|actions| values.profit(actions).expect("rows"));
        values.difference(&one, &other, LEVEL, RATE).interval.ok_or(NoInterval::FewCases)
    };
    let truth = total * BENEFIT * (hits - other_hits);
    checks.add("difference of lists, fixed benefit", difference(&fixed, &lists[0], &lists[1]), truth);
    let truth = total * BENEFIT * (gained - other_gained);
    checks.add("difference of lists, amounts", difference(&amounts, &lists[0], &lists[1]), truth);
    let random_list = amounts.at_random(ListLength::Share(LIST)).expect("a list");
    let truth = total * BENEFIT * (gained - LIST * design.base_rate);
    checks.add("list less random, amounts", difference(&amounts, &lists[0], &random_list), truth);

    let size = OTHER_LIST as f64;
    for (capacity, names) in [
        (Capacity::of_this_list(LIST * total), ["hits", "next hits, same size", "next amount, same size"]),
        (
            Capacity::of_lists(LIST * size, size),
            ["hits of other lists", "next hits, 500 cases", "next amount, 500 cases"],
        ),
    ] {
        let capacity = capacity.expect("a capacity");
        let n = capacity.list_size(total);
        let found = capacity_hits(&Sampled::new(&ranked), capacity).expect("positives");
        let gains = values(&cases, &paid, Payoff { cost: 0.0, ..AMOUNTS });
        let worth = gains.capacity_of(&ranked, &cases.scores[0], capacity, LEVEL, RATE).expect("rows");
        checks.figure(names[0], &found.hits, n * hits);
        // The lists to come are not weighted.
        if !(design.is_weighted && names[0] == "hits") {
            let n_rows = n.round() as usize;
            let next = Design { is_weighted: false, ..*design }.draw(&mut random, n_rows);
            let next_paid: Vec<f64> = next.amount.iter().map(|amount| BENEFIT * amount).collect();
            let next_values = values(&next, &next_paid, Payoff { cost: 0.0, ..AMOUNTS });
            let list = broken_ties(&next_values, &next.scores[0], &mut random);
            let profit = next_values.profit(&list).expect("rows");
            checks.figure(names[1], &found.hits_in_next_list, profit.hits);
            checks.figure(names[2], &worth.in_next_list, profit.total);
        }
        if names[0] == "hits" {
            checks.figure("missed positives", &found.missed, n * (design.base_rate - hits));
            checks.figure("missed amount", &worth.missed, n * BENEFIT * (design.base_rate - gained));
            if !design.is_tied {
                let around = [0.5 * LIST, 1.5 * LIST].map(|share| design.top(0, share));
                checks.figure("marginal rate", &found.marginal_rate, (around[1][1] - around[0][1]) / LIST);
                checks.figure(
                    "marginal amount",
                    &worth.marginal,
                    BENEFIT * (around[1][2] - around[0][2]) / LIST,
                );
            }
        }
    }

    if design.n_rows <= 2000 {
        let judges =
            [Judge::OutOfBag { n_replicates: N_REPLICATES, seed: sample }, Judge::Folds(&cases.folds)];
        let names = [
            ["best list, fixed benefit", "best list, fixed benefit, folds"],
            ["best list, amounts", "best list, amounts, folds"],
        ];
        for (values, names, worth) in [(&fixed, names[0], 1), (&amounts, names[1], 2)] {
            for (place, (judge, name)) in judges.into_iter().zip(names).enumerate() {
                let found = values.best_list_profit(&cases.scores[0], judge, LEVEL, RATE).expect("rows");
                // The depth has an interval where positives bring in the same.
                if place == 0 && worth == 1 {
                    checks.figure("depth of the best list", &found.depth, population.best_depth);
                }
                let at = found.best.score.map_or([0.0; 3], |score| design.worth_above(0, score));
                checks.figure(name, &found.on_new_cases, total * (BENEFIT * at[worth] - COST * at[0]));
            }
        }
    }
    checks.0
}

/// The first tenth of a list, ties in random order.
fn broken_ties(values: &CaseValues<'_>, scores: &[f64], random: &mut Random) -> Actions {
    let mut order: Vec<(f64, u64, usize)> =
        scores.iter().enumerate().map(|(row, &score)| (score, random.next_u64(), row)).collect();
    order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut acts = vec![false; values.n_rows()];
    let n = (LIST * scores.len() as f64).round() as usize;
    order[..n].iter().for_each(|&(_, _, row)| acts[row] = true);
    Actions::on(&acts)
}

/// The table, and what is wrong with it.
pub(crate) fn simulate() -> (OtherTable, Vec<String>) {
    let (mut rows, mut failures) = (vec![], vec![]);
    for design in designs() {
        let population = {
            let cases = design.draw(&mut Random::new(5), N_POPULATION);
            let paid: Vec<f64> = cases.amount.iter().map(|amount| BENEFIT * amount).collect();
            let profit = values(&cases, &paid, AMOUNTS).profit(&amount_rule(&design, &cases)).expect("rows");
            Population { amount_rule: profit.mean, best_depth: design.best_depth() }
        };
        let n = N_SAMPLES;
        let judged: Vec<_> =
            (0..n).into_par_iter().map(|sample| judge(&design, &population, sample)).collect();
        for (place, &(name, _)) in judged[0].iter().enumerate() {
            let found: Vec<(bool, bool, f64)> = judged.iter().filter_map(|checks| checks[place].1).collect();
            let with = found.len() as f64;
            let part = |of: &dyn Fn(&(bool, bool, f64)) -> bool| {
                found.iter().filter(|f| of(f)).count() as f64 / with
            };
            let (below, above) = (part(&|f| f.0), part(&|f| f.1));
            let width = found.iter().map(|f| f.2).sum::<f64>() / with;
            let (coverage, without) = (1.0 - below - above, 1.0 - with / n as f64);
            let least = least(name) - 2.0 * (0.95 * 0.05 / with).sqrt();
            if coverage < least {
                failures.push(format!("{name}, {}: {coverage:.4} is below {least}", design.name()));
            }
            let mut row = vec![name.to_owned(), design.name()];
            row.extend([coverage, below, above, without].map(share));
            row.push(format!("{width:.4}"));
            rows.push(row);
        }
    }
    let table = OtherTable {
        heading: "Profit, capacity and the best list",
        explanation: "The top tenth of the list is acted on, or all cases from a score on. Acting costs 1; a positive brings in 6, or 6 times its\n\
            amount, which is lognormal. Predictions are compared with another sample that is drawn for each; the best list with what\n\
            its cut brings in on new cases.",
        header: &["figure", "design", "coverage", "lower tail", "upper tail", "without", "width"],
        rows,
    };
    (table, failures)
}

/// The least coverage of a figure.
fn least(name: &str) -> f64 {
    match name {
        // A few amounts decide these.
        "marginal amount" | "list less random, amounts" | "next amount, 500 cases" => 0.92,
        _ => 0.93,
    }
}
