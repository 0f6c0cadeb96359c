//! Where samples come from: score laws whose every true figure is known, and the designs that are simulated.
//!
//! Scores are binormal: a latent score is standard normal among negatives and normal among positives, and a rising function
//! turns it into a probability. The population is a [`Ranking`] whose rows are cells of the latent score, each weighing what it
//! is likely, so that every metric of the registry gives its true value.

use tribunal_eval::intervals::{normal_quantile, normal_sf};
use tribunal_eval::{Ranking, ScoredSet};
use tribunal_random::{Random, derive_seed};

const SEED: u64 = 20_260_101;
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

    pub(crate) fn score(&self, x: f64) -> f64 {
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

/// How large samples are and what they are drawn from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Design {
    pub(crate) n_rows: usize,
    pub(crate) base_rate: f64,
    pub(crate) auroc: f64,
    pub(crate) scores: Scores,
    pub(crate) is_weighted: bool,
}

/// Truth, the scores of both models and weights of a random sample of cases.
pub(crate) struct Rows {
    pub(crate) truth: Vec<bool>,
    pub(crate) scores: [Vec<f64>; 2],
    pub(crate) weights: Option<Vec<f64>>,
}

impl Design {
    /// Expected cases of the rarer class.
    pub(crate) fn expected_cases(&self) -> f64 {
        self.n_rows as f64 * self.base_rate.min(1.0 - self.base_rate)
    }

    /// Small samples are cheap, and large ones vary less from design to design.
    pub(crate) fn n_samples(&self) -> u64 {
        match self.n_rows {
            ..=500 => 3000,
            501..=2000 => 2000,
            _ => 1000,
        }
    }

    /// For tables.
    pub(crate) fn scores_name(&self) -> String {
        let weights = if self.is_weighted { ", weighted" } else { "" };
        format!("AUROC {}, {}{weights}", self.auroc, self.scores.name())
    }

    /// The model and a poorer one.
    pub(crate) fn models(&self) -> [Model; 2] {
        let deviation = if self.scores == Scores::UnequalVariances { 1.5 } else { 1.0f64 };
        let mean = normal_quantile(self.auroc).expect("a probability") * deviation.hypot(1.0);
        let model = |mean: f64| Model { base_rate: self.base_rate, scores: self.scores, mean, deviation };
        [model(mean), model(POORER * mean)]
    }

    fn seed(&self) -> u64 {
        let scores = self.scores.name().bytes().map(u64::from);
        let numbers = [self.n_rows as u64, self.base_rate.to_bits(), self.auroc.to_bits()];
        let tags: Vec<u64> = numbers.into_iter().chain([u64::from(self.is_weighted)]).chain(scores).collect();
        derive_seed(SEED, &tags)
    }

    /// A sample of independent cases; drawn again where a class has fewer than two.
    pub(crate) fn draw(&self, sample: u64) -> Rows {
        let mut random = Random::derived(self.seed(), &[sample]);
        let truth = loop {
            let truth: Vec<bool> = (0..self.n_rows).map(|_| random.uniform() < self.base_rate).collect();
            let positives = truth.iter().filter(|&&positive| positive).count();
            if positives >= 2 && self.n_rows - positives >= 2 {
                break truth;
            }
        };
        let models = self.models();
        let mut pair = |&positive: &bool| {
            let (standard, own) = (random.normal(), random.normal());
            let other = CORRELATION * standard + (1.0 - CORRELATION * CORRELATION).sqrt() * own;
            let score = |model: &Model, standard: f64| model.score(model.latent(positive, standard));
            (score(&models[0], standard), score(&models[1], other))
        };
        let (first, second) = truth.iter().map(&mut pair).unzip();
        let weights =
            self.is_weighted.then(|| (0..self.n_rows).map(|_| 1.0 + random.below(3) as f64).collect());
        Rows { truth, scores: [first, second], weights }
    }
}

/// Rows, base rate and AUROC of a design.
type Size = (usize, f64, f64);

/// Corners of sizes, base rates and score laws, with ten expected positives at least.
pub(crate) fn designs() -> Vec<Design> {
    let of = |scores: Scores, is_weighted: bool, sizes: &[Size]| -> Vec<Design> {
        let design =
            |&(n_rows, base_rate, auroc): &Size| Design { n_rows, base_rate, auroc, scores, is_weighted };
        sizes.iter().map(design).collect()
    };
    [
        of(Scores::Calibrated, false, CALIBRATED),
        of(Scores::TooExtreme, false, TOO_EXTREME),
        of(Scores::Saturated, false, SATURATED_SIZES),
        of(Scores::TenLevels, false, TEN_LEVELS),
        of(Scores::UnequalVariances, false, UNEQUAL_VARIANCES),
        of(Scores::Calibrated, true, WEIGHTED),
        of(Scores::TenLevels, true, &[(2000, 0.3, 0.8)]),
    ]
    .concat()
}

const TOO_EXTREME: &[Size] = &[(200, 0.5, 0.8), (500, 0.1, 0.8), (2000, 0.02, 0.8), (10_000, 0.3, 0.95)];
const SATURATED_SIZES: &[Size] = &[(200, 0.3, 0.95), (500, 0.1, 0.95), (2000, 0.5, 0.8), (10_000, 0.1, 0.95)];
const TEN_LEVELS: &[Size] =
    &[(200, 0.5, 0.8), (200, 0.1, 0.65), (500, 0.02, 0.8), (2000, 0.1, 0.95), (10_000, 0.3, 0.8)];
const UNEQUAL_VARIANCES: &[Size] =
    &[(200, 0.1, 0.8), (500, 0.3, 0.65), (2000, 0.02, 0.95), (10_000, 0.1, 0.8)];
const WEIGHTED: &[Size] = &[(500, 0.1, 0.8), (2000, 0.02, 0.8), (500, 0.5, 0.95)];
const CALIBRATED: &[Size] = &[
    (200, 0.1, 0.65),
    (200, 0.1, 0.8),
    (200, 0.1, 0.95),
    (200, 0.3, 0.8),
    (200, 0.5, 0.65),
    (200, 0.5, 0.8),
    (200, 0.5, 0.95),
    (500, 0.02, 0.65),
    (500, 0.02, 0.8),
    (500, 0.02, 0.95),
    (500, 0.1, 0.8),
    (500, 0.3, 0.95),
    (500, 0.5, 0.8),
    (2000, 0.005, 0.65),
    (2000, 0.005, 0.8),
    (2000, 0.005, 0.95),
    (2000, 0.02, 0.8),
    (2000, 0.1, 0.65),
    (2000, 0.3, 0.8),
    (2000, 0.5, 0.95),
    (10_000, 0.005, 0.8),
    (10_000, 0.02, 0.95),
    (10_000, 0.1, 0.8),
    (10_000, 0.5, 0.65),
    (20_000, 0.005, 0.65),
];
