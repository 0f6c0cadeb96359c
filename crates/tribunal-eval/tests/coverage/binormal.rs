//! Binormal scores: a latent score is standard normal among negatives and normal among positives, and a rising function turns
//! it into a probability.
//!
//! The population is a [`Ranking`] whose rows are cells of the latent score, each weighing what it is likely, so that every metric
//! of the registry gives its true value.

use tribunal_eval::intervals::{normal_quantile, normal_sf};
use tribunal_eval::{Ranking, ScoredSet};
use tribunal_random::Random;

/// The step over which a continuous population is integrated.
const FINE: f64 = 1.0 / 2048.0;
/// Distinct scores of tied designs.
const N_LEVELS: f64 = 10.0;
/// Saturated probabilities below this are 0, and those as near to 1 are 1.
const SATURATED: f64 = 0.05;
/// The latent mean of the second model, as a multiple of that of the first.
const POORER: f64 = 0.75;
/// Correlation of the latent scores of the two models within a class.
const CORRELATION: f64 = 0.6;

/// How a latent score becomes a probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Scores {
    Calibrated,
    /// Log-odds lie twice as far from those of the base rate as they should.
    TooExtreme,
    /// Calibrated but for the ends, which are exactly 0 and 1.
    Saturated,
    /// Ten distinct scores.
    TenLevels,
    /// The latent scores of positives have a standard deviation of 1.5.
    UnequalVariances,
}

impl Scores {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Calibrated => "calibrated",
            Self::TooExtreme => "too extreme",
            Self::Saturated => "saturated",
            Self::TenLevels => "ten levels",
            Self::UnequalVariances => "unequal variances",
        }
    }
}

/// One model of a population: the law of its latent scores and what it states.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    base_rate: f64,
    scores: Scores,
    mean: f64,
    deviation: f64,
}

impl Model {
    /// The latent score that a standard normal number stands for.
    fn latent(&self, positive: bool, standard: f64) -> f64 {
        if positive { self.mean + self.deviation * standard } else { standard }
    }

    /// The share of a class above a latent score.
    fn above(&self, positive: bool, x: f64) -> f64 {
        normal_sf(if positive { (x - self.mean) / self.deviation } else { x })
    }

    fn lowest_level(&self) -> f64 {
        -1.5
    }

    fn level_step(&self) -> f64 {
        (self.mean + 3.0) / (N_LEVELS - 1.0)
    }

    fn level(&self, x: f64) -> f64 {
        let index = ((x - self.lowest_level()) / self.level_step()).round().clamp(0.0, N_LEVELS - 1.0);
        self.lowest_level() + index * self.level_step()
    }

    /// The probability of a latent score, before it is rounded; calibrated where the variances are equal.
    fn stated(&self, x: f64) -> f64 {
        let factor = if self.scores == Scores::TooExtreme { 2.0 } else { 1.0 };
        let logit = (self.base_rate / (1.0 - self.base_rate)).ln()
            + factor * (self.mean * x - self.mean * self.mean / 2.0);
        1.0 / (1.0 + (-logit).exp())
    }

    fn score(&self, x: f64) -> f64 {
        match self.scores {
            Scores::TenLevels => self.stated(self.level(x)),
            Scores::Saturated => match self.stated(x) {
                p if p < SATURATED => 0.0,
                p if p > 1.0 - SATURATED => 1.0,
                p => p,
            },
            _ => self.stated(x),
        }
    }

    /// A cut-off near the median of the positives, on the edge of a cell of the population.
    pub(crate) fn fixed_cutoff(&self) -> f64 {
        let (from, step) = match self.scores {
            Scores::TenLevels => (self.lowest_level(), self.level_step()),
            _ => (0.0, FINE),
        };
        self.stated(from + (((self.mean - from) / step).round() + 0.5) * step)
    }

    /// The cells of the latent score: both edges and the middle.
    fn cells(&self) -> Vec<[f64; 3]> {
        match self.scores {
            Scores::TenLevels => (0..N_LEVELS as usize)
                .map(|index| {
                    let middle = self.lowest_level() + index as f64 * self.level_step();
                    let (low, high) = (middle - self.level_step() / 2.0, middle + self.level_step() / 2.0);
                    let is_last = index + 1 == N_LEVELS as usize;
                    [if index == 0 { -40.0 } else { low }, if is_last { 40.0 } else { high }, middle]
                })
                .collect(),
            _ => {
                let (from, to) = (-8.0, self.mean + 8.0 * self.deviation);
                let cells = (from / FINE) as i64..=(to / FINE) as i64;
                cells
                    .map(|cell| cell as f64 * FINE)
                    .map(|middle| [middle - FINE / 2.0, middle + FINE / 2.0, middle])
                    .collect()
            }
        }
    }

    /// The population as a ranking.
    pub(crate) fn population(&self) -> Ranking {
        let (mut truth, mut scores, mut weights) = (vec![], vec![], vec![]);
        for [low, high, middle] in self.cells() {
            for (positive, share) in [(true, self.base_rate), (false, 1.0 - self.base_rate)] {
                truth.push(positive);
                scores.push(self.score(middle));
                weights.push(share * (self.above(positive, low) - self.above(positive, high)));
            }
        }
        let set = ScoredSet::new(&truth, &scores).and_then(|set| set.with_weight(&weights));
        Ranking::of(&set.expect("finite scores and weights")).expect("few rows")
    }
}

/// Two models of the same cases, the second poorer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Binormal {
    pub(crate) base_rate: f64,
    pub(crate) auroc: f64,
    pub(crate) scores: Scores,
}

impl Binormal {
    /// The model and a poorer one.
    pub(crate) fn models(&self) -> [Model; 2] {
        let deviation = if self.scores == Scores::UnequalVariances { 1.5 } else { 1.0f64 };
        let mean = normal_quantile(self.auroc).expect("a probability") * deviation.hypot(1.0);
        let model = |mean: f64| Model { base_rate: self.base_rate, scores: self.scores, mean, deviation };
        [model(mean), model(POORER * mean)]
    }

    /// The scores of both models for cases of these classes.
    pub(crate) fn draw(&self, truth: &[bool], random: &mut Random) -> [Vec<f64>; 2] {
        let models = self.models();
        let mut pair = |&positive: &bool| {
            let (standard, own) = (random.normal(), random.normal());
            let other = CORRELATION * standard + (1.0 - CORRELATION * CORRELATION).sqrt() * own;
            let score = |model: &Model, standard: f64| model.score(model.latent(positive, standard));
            (score(&models[0], standard), score(&models[1], other))
        };
        let (first, second) = truth.iter().map(&mut pair).unzip();
        [first, second]
    }
}
