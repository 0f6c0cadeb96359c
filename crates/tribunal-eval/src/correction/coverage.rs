//! How often the intervals of corrected figures hold the truth, where cases were acted on by their scores.
//!
//! Scores are even on [0, 1], the chance of a hit is 0.02 + 0.5 s², and that of being acted on 0.02 + 0.28 s²: a tenth of the
//! cases, mostly of high scores, so that the raw strike rate is nearly twice that of the population. Strata are the deciles of the
//! scores of the population.

use tribunal_random::Random;

use super::*;
use crate::ScoreBands;
use crate::intervals::Level;
use crate::unlabelled::Square;

const N: usize = 4000;
const CUTOFF: f64 = 0.5;
const STRIKE_RATE: f64 = 0.02 + 0.5 / 3.0;
/// The integral of 0.02 + 0.5 s² from the cut-off up.
const HITS: f64 = 0.02 * 0.5 + 0.5 / 3.0 * (1.0 - 0.125);

fn chance_of_hit(score: f64) -> f64 {
    0.02 + 0.5 * score * score
}

/// `P(a positive outranks a negative)`, by the midpoint rule.
fn auroc() -> f64 {
    const STEPS: usize = 100_000;
    let scores = (0..STEPS).map(|step| (step as f64 + 0.5) / STEPS as f64);
    let (mut below, mut won) = (0.0, 0.0);
    for score in scores {
        let (p, m) = (chance_of_hit(score), 1.0 - chance_of_hit(score));
        won += p * (below + 0.5 * m);
        below += m;
    }
    won / (STRIKE_RATE * (1.0 - STRIKE_RATE)) / (STEPS * STEPS) as f64
}

fn truth_of(name: FigureName) -> f64 {
    let specificity = (0.5 - (STRIKE_RATE - HITS)) / (1.0 - STRIKE_RATE);
    match name {
        FigureName::StrikeRate => STRIKE_RATE,
        FigureName::Precision => HITS / 0.5,
        FigureName::Sensitivity => HITS / STRIKE_RATE,
        FigureName::Specificity => specificity,
        FigureName::Pcc => HITS + specificity * (1.0 - STRIKE_RATE),
        FigureName::Auroc => auroc(),
    }
}

/// A population, the rows that were acted on, and their outcomes.
struct World {
    scores: Vec<f64>,
    actioned: Vec<f64>,
    truth: Vec<bool>,
    strata: Vec<u32>,
    counts: StratumCounts,
}

/// The chance of being acted on: a tenth of the cases, mostly of high scores.
fn steep(score: f64) -> f64 {
    0.02 + 0.28 * score * score
}

/// The same with log-odds of the stack that are linear in the score, as a selection model takes them to be.
fn log_linear(score: f64) -> f64 {
    0.02 * (2.7 * score).exp()
}

impl World {
    fn new(seed: u64) -> Self {
        Self::with_selection(seed, steep)
    }

    fn with_selection(seed: u64, selection: fn(f64) -> f64) -> Self {
        let mut random = Random::derived(seed, &[41]);
        let scores: Vec<f64> = (0..N).map(|_| random.uniform()).collect();
        let chosen = scores.iter().filter(|score| random.uniform() < selection(**score));
        let actioned: Vec<f64> = chosen.copied().collect();
        let truth = actioned.iter().map(|score| random.uniform() < chance_of_hit(*score)).collect();
        let mut bands = ScoreBands::from_quantiles(&scores, None, 10).expect("bands");
        // Bands with fewer than two actioned cases join the next one.
        let (mut strata, mut counts);
        loop {
            strata = actioned.iter().map(|score| bands.band_of(*score) as u32).collect::<Vec<u32>>();
            counts = [vec![0; bands.n_bands()], vec![0; bands.n_bands()]];
            scores.iter().for_each(|score| counts[0][bands.band_of(*score)] += 1);
            strata.iter().for_each(|stratum| counts[1][*stratum as usize] += 1);
            match counts[1].iter().position(|rows| *rows < 2) {
                Some(thin) => {
                    let lower = thin.min(bands.n_bands() - 2);
                    bands = bands.joined_above(lower);
                }
                None => break,
            }
        }
        let [prevalence, incidence] = counts;
        let counts = StratumCounts::new(prevalence, incidence).expect("counts");
        Self { scores, actioned, truth, strata, counts }
    }

    fn design(&self, drawn: Option<f64>) -> SamplingDesign<'_> {
        SamplingDesign::Stratified(Strata {
            of_row: &self.strata,
            n_strata: self.counts.n_strata(),
            population: N as f64,
            drawn,
        })
    }

    fn figures(&self, weights: &[f64], design: &SamplingDesign<'_>) -> Vec<CorrectedFigure> {
        let sample = WeightedSample::new(&self.truth).expect("cases").with_scores(&self.actioned, CUTOFF);
        sample.expect("scores").figures(weights, design, Level::P95).expect("figures")
    }
}

/// How often each figure was held by its interval, over simulated worlds.
fn coverage(n_worlds: u64, of: impl Fn(&World) -> Vec<CorrectedFigure>) -> Vec<(FigureName, f64)> {
    coverage_of(n_worlds, World::new, of)
}

fn coverage_of(
    n_worlds: u64,
    world: impl Fn(u64) -> World,
    of: impl Fn(&World) -> Vec<CorrectedFigure>,
) -> Vec<(FigureName, f64)> {
    let mut held: Vec<(FigureName, u64)> = Vec::new();
    for seed in 0..n_worlds {
        for figure in of(&world(seed)) {
            let is_held = figure.interval.is_ok_and(|interval| interval.contains(truth_of(figure.name)));
            match held.iter_mut().find(|(name, _)| *name == figure.name) {
                Some((_, n)) => *n += u64::from(is_held),
                None => held.push((figure.name, u64::from(is_held))),
            }
        }
    }
    held.into_iter().map(|(name, n)| (name, n as f64 / n_worlds as f64)).collect()
}

/// The shares of a method; `least` to `most` for every figure but those that are excepted.
#[track_caller]
fn check(method: &str, found: &[(FigureName, f64)], (least, most): (f64, f64)) {
    for (name, share) in found {
        assert!((least..=most).contains(share), "{method}: {} is held {share}", name.id());
    }
}

fn strike_rate_of(found: &[(FigureName, f64)]) -> f64 {
    found.iter().find(|(name, _)| *name == FigureName::StrikeRate).map_or(f64::NAN, |found| found.1)
}

#[test]
fn the_raw_strike_rate_does_not_hold_the_truth() {
    let raw =
        coverage(300, |world| world.figures(&vec![1.0; world.truth.len()], &SamplingDesign::Independent));
    assert!(strike_rate_of(&raw) < 0.01, "{raw:?}");
}

#[test]
fn post_stratified_figures_hold_the_truth() {
    let found = coverage(2000, |world| {
        let weights = post_stratification_weights(&world.counts, &world.strata).expect("weights");
        world.figures(&weights, &world.design(None))
    });
    check("poststratify", &found, (0.93, 0.98));
    assert!((0.93..=0.97).contains(&strike_rate_of(&found)), "{found:?}");
}

#[test]
fn figures_of_resampled_rows_hold_the_truth() {
    let weights_of = |world: &World, plan: Resampling| -> Vec<f64> {
        multiplicities(&world.strata, &plan, 3).expect("draws").into_iter().map(f64::from).collect()
    };
    let mixed = coverage(2000, |world| {
        let plan = mixed(&world.counts, Rounding::Nearest).expect("a plan");
        world.figures(&weights_of(world, plan), &world.design(None))
    });
    let over = coverage(2000, |world| {
        let plan = over(&world.counts, BetaVariant::Rounded).expect("a plan");
        world.figures(&weights_of(world, plan), &world.design(None))
    });
    check("mixed", &mixed, (0.93, 0.98));
    check("over", &over, (0.93, 0.98));
    for found in [strike_rate_of(&mixed), strike_rate_of(&over)] {
        assert!((0.93..=0.97).contains(&found), "{found}");
    }
}

#[test]
fn substituted_figures_hold_the_truth() {
    for draw in [SubstitutionDraw::Jackknife, SubstitutionDraw::Bootstrap] {
        let found = coverage(600, |world| {
            let size = world.truth.len() as u64;
            let sample = substitute(&world.counts, &world.strata, size, (draw, EmptyStratum::Error), 3);
            let times = sample.expect("a sample").multiplicities;
            let weights: Vec<f64> = times.into_iter().map(f64::from).collect();
            world.figures(&weights, &world.design(Some(size as f64)))
        });
        check("substitution", &found, (0.92, 0.985));
        assert!((0.92..=0.975).contains(&strike_rate_of(&found)), "{found:?}");
    }
}

/// The coefficients of a logistic regression of the ones against the zeros.
fn logit(ones: &[Vec<f64>], zeros: &[Vec<f64>]) -> Vec<f64> {
    let width = ones[0].len();
    let mut coefficients = vec![0.0; width];
    for _ in 0..25 {
        let (mut gradient, mut hessian) = (vec![0.0; width], Square::zeros(width));
        for (rows, class) in [(ones, 1.0), (zeros, 0.0)] {
            for row in rows {
                let eta: f64 = row.iter().zip(&coefficients).map(|(x, b)| x * b).sum();
                let p = 1.0 / (1.0 + (-eta).exp());
                for a in 0..width {
                    gradient[a] += (class - p) * row[a];
                    (0..width).for_each(|b| *hessian.at_mut(a, b) += p * (1.0 - p) * row[a] * row[b]);
                }
            }
        }
        let step = hessian.inverse().expect("no separation").times(&gradient);
        coefficients.iter_mut().zip(step).for_each(|(b, step)| *b += step);
    }
    coefficients
}

/// The selection model and the coefficients of the outcome model, on the score and its square or on the score alone.
fn models(world: &World, with_square: bool) -> (SelectionModel, Vec<f64>) {
    let columns = |scores: &[f64]| -> Vec<Vec<f64>> {
        let square = with_square.then(|| scores.iter().map(|s| s * s).collect());
        std::iter::once(scores.to_vec()).chain(square).collect()
    };
    let rows = |scores: &[f64]| -> Vec<Vec<f64>> {
        let row = |s: &f64| if with_square { vec![1.0, *s, s * s] } else { vec![1.0, *s] };
        scores.iter().map(row).collect()
    };
    let (actioned, population) = (columns(&world.actioned), columns(&world.scores));
    fn of(columns: &[Vec<f64>]) -> ModelRows<'_> {
        ModelRows { columns: columns.iter().map(Vec::as_slice).collect(), n_rows: columns[0].len() }
    }
    let selection = logit(&rows(&world.actioned), &rows(&world.scores));
    let model = SelectionModel::new(&of(&actioned), &of(&population), &selection).expect("a model");
    let of_class = |class: bool| -> Vec<f64> {
        let cases = world.actioned.iter().zip(&world.truth).filter(|(_, truth)| **truth == class);
        cases.map(|(score, _)| *score).collect()
    };
    (model, logit(&rows(&of_class(true)), &rows(&of_class(false))))
}

fn robust(world: &World, with_square: bool) -> Vec<CorrectedFigure> {
    let (model, outcome) = models(world, with_square);
    let flagged = |scores: &[f64]| scores.iter().map(|score| *score >= CUTOFF).collect::<Vec<bool>>();
    let flagged = (flagged(&world.actioned), flagged(&world.scores));
    let outcome = OutcomeModel { coefficients: &outcome, flagged: Some((&flagged.0, &flagged.1)) };
    doubly_robust(&model, &world.truth, outcome, Level::P95).expect("figures")
}

#[test]
fn weights_of_a_selection_model_hold_the_truth() {
    let world = |seed| World::with_selection(seed, log_linear);
    let found = coverage_of(400, world, |world| {
        let (model, _) = models(world, true);
        world.figures(model.weights(), &SamplingDesign::Modelled(&model))
    });
    check("ipw", &found, (0.915, 0.985));
}

#[test]
fn doubly_robust_figures_hold_the_truth() {
    check("doubly robust", &coverage(400, |world| robust(world, true)), (0.92, 0.98));
}

#[test]
fn variances_of_models_are_those_of_repetition() {
    // The spread of estimates over worlds is what their variances say.
    let (mut estimates, mut widths) = (Vec::new(), Vec::new());
    for seed in 0..400 {
        let world = World::new(seed);
        let figure = robust(&world, true).swap_remove(0);
        let interval = figure.interval.expect("an interval");
        widths.push((interval.upper - interval.lower) / (2.0 * Level::P95.z()));
        estimates.push(figure.value.expect("a value"));
    }
    let n = estimates.len() as f64;
    let mean = estimates.iter().sum::<f64>() / n;
    let spread = (estimates.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt();
    let said = widths.iter().sum::<f64>() / n;
    assert!((mean - STRIKE_RATE).abs() < 3.0 * spread / n.sqrt() + 0.002, "{mean}");
    assert!((said / spread - 1.0).abs() < 0.12, "{said} for {spread}");
}
