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
use super::results::{ChangeKind, Monitoring, PeriodFacts};
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

const USUAL: World = World { rows: 3000, mean: -1.0, shift: 0.0, slope: 1.0, select: by_chance };

impl World {
    fn draw(self, random: &mut Random) -> Cases {
        let mut cases = Cases::new(false);
        for _ in 0..self.rows {
            let seen = self.mean + 1.2 * random.normal();
            let score = logistic(seen);
            let is_positive = random.uniform() < logistic(self.shift + self.slope * seen);
            let fate = match ((self.select)(score, random), is_positive) {
                (false, _) => Fate::Idle,
                (true, true) => Fate::Positive,
                (true, false) => Fate::Negative,
            };
            cases.push(score, fate, None);
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
    let read = ReadPeriods {
        reference: named("old", reference),
        periods: vec![named("new", current)],
        notices: Vec::new(),
        are_same_bytes: false,
    };
    judge(read, &request).expect("rows")
}

/// How often each change is named, and anything at all.
struct Names {
    drift: usize,
    selection: usize,
    decay: usize,
    any: usize,
}

fn names(what: &str, reference: World, current: World, n_runs: u64) -> Names {
    let run = |run: u64| {
        let mut random = Random::derived(23, &[run]);
        let (reference, current) = (reference.draw(&mut random), current.draw(&mut random));
        judged(reference, current, 10).periods[0].named.clone()
    };
    let found: Vec<Vec<ChangeKind>> = (0..n_runs).into_par_iter().map(run).collect();
    let count = |kind: ChangeKind| found.iter().filter(|named| named.contains(&kind)).count();
    let names = Names {
        drift: count(ChangeKind::Drift),
        selection: count(ChangeKind::Selection),
        decay: count(ChangeKind::Decay),
        any: found.iter().filter(|named| !named.is_empty()).count(),
    };
    println!(
        "{what}: of {n_runs} runs drift named in {}, selection in {}, decay in {}, anything in {}",
        names.drift, names.selection, names.decay, names.any
    );
    names
}

const RUNS: u64 = 100;

#[test]
fn nothing_is_named_where_nothing_happened() {
    let usual = names("nothing happened", USUAL, USUAL, 4 * RUNS);
    assert!(usual.any <= 20, "{}", usual.any);
    let sharp = World { select: above_cutoff, ..USUAL };
    assert!(names("nothing happened, cut-off", sharp, sharp, RUNS).any <= 5);
}

#[test]
fn a_model_that_decays_is_named() {
    let found = names("decay", USUAL, World { slope: 0.4, shift: -0.6, ..USUAL }, RUNS);
    assert!(found.decay >= 90 && found.drift <= 5 && found.selection <= 5);
}

#[test]
fn a_selection_that_changes_is_named() {
    let found = names("selection", USUAL, World { select: bolder, ..USUAL }, RUNS);
    assert!(found.selection >= 90 && found.drift <= 5 && found.decay <= 5);
    let sharp = World { select: above_cutoff, ..USUAL };
    let found = names("selection, cut-off", sharp, World { select: above_lower_cutoff, ..USUAL }, RUNS);
    assert!(found.selection >= 90 && found.drift <= 5 && found.decay <= 5);
}

#[test]
fn a_population_that_drifts_is_named() {
    let found = names("drift", USUAL, World { mean: -0.7, ..USUAL }, RUNS);
    assert!(found.drift >= 90 && found.selection <= 5 && found.decay <= 5);
    let sharp = World { select: above_cutoff, ..USUAL };
    let found = names("drift, cut-off", sharp, World { mean: -0.7, ..sharp }, RUNS);
    assert!(found.drift >= 90 && found.selection <= 5 && found.decay <= 5);
}

#[test]
fn all_three_are_named_together() {
    let current = World { mean: -0.7, slope: 0.4, shift: -0.6, select: bolder, ..USUAL };
    let found = names("all three", USUAL, current, RUNS);
    assert!(found.drift >= 90 && found.selection >= 90 && found.decay >= 90);
}
