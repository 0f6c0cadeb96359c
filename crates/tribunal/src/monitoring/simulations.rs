//! Whether what happened is named: models that decay, selections that change and populations that drift, made with known truth.
//!
//! Names are right in at least 90 of 100 runs, and false in at most 5 of 100. The hard cases are those of practice: cases are acted
//! on above a cut-off that lies inside of a band, so that a selection that changes, or a population that drifts, changes which
//! cases of a band were acted on although the model is as good as it was.

use rayon::prelude::*;
use tribunal_random::Random;

use super::cases::{Cases, Fate};
use super::periods::NamedCases;
use super::request::{AskedBands, MonitorRequest};
use super::results::{ChangeKind, Monitoring, PeriodFacts, RankingChange};
use super::run::{ReadPeriods, judge};

/// How a period comes about.
#[derive(Clone, Copy)]
struct World {
    rows: usize,
    /// The mean of the log-odds that scores are made of.
    mean: f64,
    /// What is added to the log-odds of the outcome.
    shift: f64,
    /// How much of the score the outcome follows.
    slope: f64,
    select: fn(f64, &mut Random) -> bool,
    /// Whether positives have amounts, which are skewed.
    has_amounts: bool,
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn by_chance(score: f64, random: &mut Random) -> bool {
    random.uniform() < 0.1 + 0.8 * score
}

fn bolder(score: f64, random: &mut Random) -> bool {
    random.uniform() < 0.2 + 0.8 * score
}

fn above_cutoff(score: f64, _: &mut Random) -> bool {
    score >= 0.47
}

fn above_lower_cutoff(score: f64, _: &mut Random) -> bool {
    score >= 0.33
}

const USUAL: World =
    World { rows: 3000, mean: -1.0, shift: 0.0, slope: 1.0, select: by_chance, has_amounts: false };

impl World {
    fn draw(self, random: &mut Random) -> Cases {
        let mut cases = Cases::new(self.has_amounts);
        for _ in 0..self.rows {
            let seen = self.mean + 1.2 * random.normal();
            let score = logistic(seen);
            let is_positive = random.uniform() < logistic(self.shift + self.slope * seen);
            let fate = match ((self.select)(score, random), is_positive) {
                (false, _) => Fate::Idle,
                (true, true) => Fate::Positive,
                (true, false) => Fate::Negative,
            };
            cases.push(score, fate, self.has_amounts.then(|| (6.0 + 0.9 * random.normal()).exp()));
        }
        cases
    }
}

fn named(name: &str, cases: Cases) -> (PeriodFacts, NamedCases) {
    let facts = PeriodFacts { period: name.to_owned(), ..PeriodFacts::default() };
    (facts, NamedCases { name: name.to_owned(), cases })
}

fn judged(reference: Cases, current: Cases, bands: usize) -> Monitoring {
    let mut request = MonitorRequest::new("p", "y");
    (request.bands, request.replicates) = (AskedBands::Count(bands), 100);
    request.columns.amount = reference.amounts.as_ref().map(|_| "paid".to_owned());
    let read = ReadPeriods {
        reference: named("old", reference),
        periods: vec![named("new", current)],
        notices: Vec::new(),
        are_same_bytes: false,
    };
    judge(read, &request).expect("rows")
}

/// How often each change is named, and anything at all.
#[derive(Debug)]
struct Names {
    drift: usize,
    /// Drift and selection as one.
    mix: usize,
    selection: usize,
    decay: usize,
    any: usize,
}

fn names(reference: World, current: World, n_runs: u64) -> Names {
    let run = |run: u64| {
        let mut random = Random::derived(23, &[run]);
        let (reference, current) = (reference.draw(&mut random), current.draw(&mut random));
        judged(reference, current, 10).periods[0].named.clone()
    };
    let found: Vec<Vec<ChangeKind>> = (0..n_runs).into_par_iter().map(run).collect();
    let count = |kind: ChangeKind| found.iter().filter(|named| named.contains(&kind)).count();
    Names {
        drift: count(ChangeKind::Drift),
        mix: count(ChangeKind::Mix),
        selection: count(ChangeKind::Selection),
        decay: count(ChangeKind::Decay),
        any: found.iter().filter(|named| !named.is_empty()).count(),
    }
}

const RUNS: u64 = 100;

#[test]
fn nothing_is_named_where_nothing_happened() {
    let usual = names(USUAL, USUAL, 4 * RUNS);
    assert!(usual.any <= 20, "{usual:?}");
    let sharp = World { select: above_cutoff, ..USUAL };
    assert!(names(sharp, sharp, RUNS).any <= 5);
}

/// Skewed amounts, and a few dozen outcomes in each period.
#[test]
fn nothing_is_named_of_amounts_and_of_few_rows() {
    let paid = World { has_amounts: true, ..USUAL };
    let found = names(paid, paid, 3 * RUNS);
    assert!(found.any <= 21, "{found:?}");
    let few = World { rows: 150, ..USUAL };
    let found = names(few, few, 3 * RUNS);
    assert!(found.any <= 21, "{found:?}");
}

#[test]
fn where_every_row_was_acted_on_the_mix_and_the_model_are_told_apart() {
    let acted = World { select: |_, _| true, ..USUAL };
    let found = names(acted, World { mean: -0.7, ..acted }, RUNS);
    assert!(found.mix >= 90 && found.decay <= 5, "{found:?}");
    // Rates rise in low bands and fall in high ones, which cancels across bands.
    let found = names(acted, World { slope: 0.4, shift: -0.6, ..acted }, RUNS);
    assert!(found.decay >= 90 && found.mix <= 5, "{found:?}");
    let mut random = Random::new(3);
    let (before, after) =
        (acted.draw(&mut random), World { slope: 0.0, shift: -0.85, ..acted }.draw(&mut random));
    let found = judged(before, after, 10);
    let change =
        found.periods[0].changes.iter().find(|change| change.kind == ChangeKind::Decay).expect("looked at");
    assert_eq!(change.ranking, Some(RankingChange::Worse));
    assert!(found.verdict.starts_with("The model got worse"), "{}", found.verdict);
}

#[test]
fn amounts_name_what_happened_too() {
    let paid = World { has_amounts: true, ..USUAL };
    let found = names(paid, World { slope: 0.2, shift: -1.0, ..paid }, RUNS);
    assert!(found.decay >= 90 && found.drift <= 5 && found.selection <= 5, "{found:?}");
    let found = names(paid, World { select: bolder, ..paid }, RUNS);
    assert!(found.selection >= 90 && found.drift <= 5 && found.decay <= 5, "{found:?}");
}

#[test]
fn a_model_that_decays_is_named() {
    let found = names(USUAL, World { slope: 0.4, shift: -0.6, ..USUAL }, RUNS);
    assert!(found.decay >= 90 && found.drift <= 5 && found.selection <= 5, "{found:?}");
}

#[test]
fn a_selection_that_changes_is_named() {
    let found = names(USUAL, World { select: bolder, ..USUAL }, RUNS);
    assert!(found.selection >= 90 && found.drift <= 5 && found.decay <= 5, "{found:?}");
    let sharp = World { select: above_cutoff, ..USUAL };
    let found = names(sharp, World { select: above_lower_cutoff, ..USUAL }, RUNS);
    assert!(found.selection >= 90 && found.drift <= 5 && found.decay <= 5, "{found:?}");
}

#[test]
fn a_population_that_drifts_is_named() {
    let found = names(USUAL, World { mean: -0.7, ..USUAL }, RUNS);
    assert!(found.drift >= 90 && found.selection <= 5 && found.decay <= 5, "{found:?}");
    let sharp = World { select: above_cutoff, ..USUAL };
    let found = names(sharp, World { mean: -0.7, ..sharp }, RUNS);
    assert!(found.drift >= 90 && found.selection <= 5 && found.decay <= 5, "{found:?}");
}

#[test]
fn all_three_are_named_together() {
    let current = World { mean: -0.7, slope: 0.4, shift: -0.6, select: bolder, ..USUAL };
    let found = names(USUAL, current, RUNS);
    assert!(found.drift >= 90 && found.selection >= 90 && found.decay >= 90, "{found:?}");
}

/// A figure of the current period with its interval.
fn interval(found: &Monitoring, period: &str, id: &str) -> Option<(f64, f64)> {
    let row = found.row(period, id)?;
    Some((row.lower?, row.upper?))
}

/// The base rate and the AUROC of a whole population, and the strike rate of those acted on.
fn whole(world: World) -> [f64; 3] {
    let everybody = World { rows: 300_000, select: |_, _| true, ..world };
    let cases = everybody.draw(&mut Random::new(77));
    let base_rate = cases.count(|fate| fate == Fate::Positive) as f64 / cases.n_rows() as f64;
    let auroc = tribunal_eval::metrics::auroc(&cases.ranking().expect("finite")).expect("both classes");
    let acted = World { rows: 300_000, ..world }.draw(&mut Random::new(78));
    let [positives, actioned] = [acted.count(|fate| fate == Fate::Positive), acted.count(Fate::is_actioned)];
    [base_rate, auroc, positives as f64 / actioned as f64]
}

/// Intervals of what is said of the population, found and expected, hold what is so.
#[test]
fn intervals_of_population_figures_hold_the_truth() {
    const N_RUNS: u64 = 200;
    let drifted = World { mean: -0.7, ..USUAL };
    let [base_rate, auroc, strike_rate] = whole(drifted);
    let expected = [
        ("post_stratified_strike_rate", base_rate),
        ("auroc", auroc),
        ("strike_rate", strike_rate),
        ("expected_post_stratified", base_rate),
        ("expected_auroc", auroc),
        ("expected_rate", strike_rate),
    ];
    let run = |run: u64| {
        let mut random = Random::derived(29, &[run]);
        let (reference, current) = (USUAL.draw(&mut random), drifted.draw(&mut random));
        let found = judged(reference, current, 10);
        expected.map(|(id, truth)| {
            let (lower, upper) = interval(&found, "new", id).expect(id);
            u64::from((lower..=upper).contains(&truth))
        })
    };
    let held: Vec<[u64; 6]> = (0..N_RUNS).into_par_iter().map(run).collect();
    for (at, (id, _)) in expected.iter().enumerate() {
        let share = held.iter().map(|held| held[at]).sum::<u64>() as f64 / N_RUNS as f64;
        assert!((0.89..=0.99).contains(&share), "{id}: {share}");
    }
}

/// A contribution as large as the one that is said to show does show in about four of five samples.
#[test]
fn detectable_contributions_are_detected_as_often_as_they_say() {
    let run = |shift: f64, run: u64| {
        let mut random = Random::derived(31, &[run]);
        let (reference, current) = (USUAL.draw(&mut random), World { shift, ..USUAL }.draw(&mut random));
        let found = judged(reference, current, 10);
        let change = found.periods[0].changes.iter().find(|change| change.kind == ChangeKind::Decay).cloned();
        change.expect("looked at")
    };
    // How large a shift of the log-odds makes the contribution that would show.
    let tried: Vec<_> = (0..400).into_par_iter().map(|at| run(-0.3, at)).collect();
    let contribution: f64 =
        tried.iter().filter_map(|change| change.contribution).map(|value| value.estimate).sum();
    let detectable: f64 = tried.iter().filter_map(|change| change.detectable).sum();
    let shift = -0.3 * detectable / contribution.abs();
    let found: Vec<_> = (1000..1400).into_par_iter().map(|at| run(shift, at)).collect();
    let p_values = found.iter().filter_map(|change| change.test);
    let strict = p_values.clone().filter(|test| 3.0 * test.p < 0.05).count() as f64 / found.len() as f64;
    let shown = found.iter().filter(|change| change.is_shown).count() as f64 / found.len() as f64;
    assert!((0.73..=0.88).contains(&strict), "{strict} by the strictest step, shift {shift}");
    assert!(shown >= 0.65, "{shown} named, {strict} by the strictest step");
}
