//! Training: weights by scaled conjugate gradients, alphas by their evidence, in turns.

use rayon::prelude::*;
use tribunal_random::Random;

use super::evidence::Curvature;
use super::hessian::hessian;
use super::layout::Layout;
use super::network::Network;
use super::scg::{Limits, Outcome, minimise};
use super::settings::Mlp;
use super::tiles::Tiles;

/// The tag of the seeds of what weights begin with.
const WEIGHTS_SEED: u64 = 0x3117;

const FIRST_ALPHA: f64 = 0.01;

/// Where the steps of a cycle end: no weight and no value changes by more.
const TOLERANCE: f64 = 1e-5;

/// What was learned of a class.
#[derive(Clone, Debug)]
pub(super) struct Trained {
    pub(super) weights: Vec<f64>,
    /// The decay of each group of weights.
    pub(super) alphas: Vec<f64>,
    /// How many weights of each group the rows determine.
    pub(super) determined: Vec<f64>,
    pub(super) log_evidence: f64,
    /// The steps of all cycles.
    pub(super) n_steps: usize,
    /// Whether the steps of the last cycle came to their end.
    pub(super) has_converged: bool,
    /// Which of several beginnings it comes from.
    pub(super) restart: usize,
    pub(super) curvature: Curvature,
}

/// A network under training.
pub(super) struct Trainer<'a> {
    network: Network<'a>,
    limits: Limits,
    pub(super) weights: Vec<f64>,
    pub(super) alphas: Vec<f64>,
}

/// What a cycle came to.
pub(super) struct Cycle {
    pub(super) outcome: Outcome,
    pub(super) curvature: Curvature,
    /// The alphas that the weights were found with.
    pub(super) used_alphas: Vec<f64>,
    pub(super) determined: Vec<f64>,
}

impl<'a> Trainer<'a> {
    /// A network that begins with weights.
    pub(super) fn new(tiles: &'a Tiles, layout: Layout, weights: Vec<f64>, iterations: usize) -> Self {
        Trainer {
            network: Network::new(tiles, layout),
            limits: Limits { iterations, tolerance: TOLERANCE },
            weights,
            alphas: vec![FIRST_ALPHA; layout.n_groups()],
        }
    }

    /// The best weights for the alphas, and then alphas for these weights; `None` where numbers are not finite any more.
    pub(super) fn cycle(&mut self) -> Option<Cycle> {
        self.network.set_decay(&self.alphas);
        let outcome = minimise(&mut self.network, &mut self.weights, self.limits);
        let curvature = Curvature::new(self.network.layout, hessian(&self.network))?;
        let used_alphas = self.alphas.clone();
        let determined = curvature.re_estimate(&self.weights, &mut self.alphas)?;
        Some(Cycle { outcome, curvature, used_alphas, determined })
    }
}

/// The network of the greatest evidence among several beginnings; `None` where the weights of rows are too large to compute
/// with.
pub(super) fn train(settings: &Mlp, tiles: &Tiles, seed: u64, class: usize) -> Option<Trained> {
    let layout = Layout { n_inputs: tiles.width - 1, n_hidden: settings.hidden };
    let one = |restart: usize| {
        let mut random = Random::derived(seed, &[WEIGHTS_SEED, class as u64, restart as u64]);
        train_from(settings, tiles, layout, drawn(layout, &mut random), restart)
    };
    let all: Vec<Option<Trained>> = (0..settings.restarts).into_par_iter().map(one).collect();
    let better = |best: Trained, next: Trained| match next.log_evidence > best.log_evidence {
        true => next,
        false => best,
    };
    all.into_iter().flatten().reduce(better)
}

fn train_from(
    settings: &Mlp,
    tiles: &Tiles,
    layout: Layout,
    weights: Vec<f64>,
    restart: usize,
) -> Option<Trained> {
    let mut trainer = Trainer::new(tiles, layout, weights, settings.iterations);
    let mut last = trainer.cycle()?;
    let mut n_steps = last.outcome.n_iterations;
    for _ in 1..settings.cycles {
        last = trainer.cycle()?;
        n_steps += last.outcome.n_iterations;
    }
    Some(Trained {
        // Of the alphas that the weights were found with: only those they are the best for.
        log_evidence: last.curvature.log_evidence(last.outcome.value, &last.used_alphas)?,
        weights: Some(trainer.weights).filter(|weights| weights.iter().all(|weight| weight.is_finite()))?,
        alphas: trainer.alphas,
        determined: last.determined,
        n_steps,
        has_converged: last.outcome.has_converged,
        restart,
        curvature: last.curvature,
    })
}

/// Weights to begin with: small where many inputs are added up.
fn drawn(layout: Layout, random: &mut Random) -> Vec<f64> {
    let deviation = |n_added: usize| (1.0 / (n_added + 1) as f64).sqrt();
    let (hidden, output) = (deviation(layout.n_inputs), deviation(layout.n_hidden));
    let is_hidden = |idx: usize| idx < layout.outputs().start;
    let draw = |idx: usize| random.normal() * if is_hidden(idx) { hidden } else { output };
    (0..layout.n_weights()).map(draw).collect()
}
