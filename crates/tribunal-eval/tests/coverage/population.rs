//! Where the samples come from: scores whose every true figure is known.

use tribunal_eval::intervals::normal_sf;
use tribunal_eval::metrics::Measure;
use tribunal_eval::{Ranking, ScoredSet, Split};
use tribunal_random::{Random, derive_seed};

pub(crate) const SEED: u64 = 20_260_101;
/// The step of the coarse grid: about twenty distinct scores.
pub(crate) const COARSE: f64 = 0.5;
/// The step over which a continuous population is integrated.
pub(crate) const FINE: f64 = 1.0 / 2048.0;
/// Where the cut-off lies before the score becomes a probability: between two points of the coarse grid.
pub(crate) const CUT: f64 = 1.25;

/// How a model's inner score is distributed. Negatives follow the standard law.
#[derive(Clone, Copy)]
pub(crate) enum Law {
    /// Positives are normal with this mean and standard deviation.
    Normal { mean: f64, deviation: f64 },
    /// Positives are exponential with this mean; what Hanley and McNeil assume.
    Exponential { mean: f64 },
}

/// Positives vary more than negatives, so that a straight line is not the right recalibration.
pub(crate) const GOOD: Law = Law::Normal { mean: 1.2, deviation: 1.2 };
pub(crate) const POORER: Law = Law::Normal { mean: 0.9, deviation: 1.2 };
pub(crate) const EXPONENTIAL: Law = Law::Exponential { mean: 3.0 };

impl Law {
    pub(crate) fn draw(self, positive: bool, random: &mut Random) -> f64 {
        match self {
            Self::Normal { .. } => self.of_normal(positive, random.normal()),
            Self::Exponential { mean } => {
                let standard = -(1.0 - random.uniform()).ln();
                if positive { mean * standard } else { standard }
            }
        }
    }

    /// The inner score that a standard normal number stands for.
    pub(crate) fn of_normal(self, positive: bool, standard: f64) -> f64 {
        match self {
            Self::Normal { mean, deviation } if positive => mean + deviation * standard,
            _ => standard,
        }
    }

    /// The share of a class up to an inner score.
    pub(crate) fn up_to(self, positive: bool, x: f64) -> f64 {
        match self {
            Self::Normal { mean, deviation } if positive => normal_sf((mean - x) / deviation),
            Self::Normal { .. } => normal_sf(-x),
            Self::Exponential { mean } => -(-x.max(0.0) / if positive { mean } else { 1.0 }).exp_m1(),
        }
    }

    /// Hardly anything lies outside.
    pub(crate) fn range(self) -> (f64, f64) {
        match self {
            Self::Normal { .. } => (-8.0, 12.0),
            Self::Exponential { .. } => (0.0, 100.0),
        }
    }

    /// The share of pairs in which the positive scores higher.
    pub(crate) fn auroc(self) -> f64 {
        match self {
            Self::Normal { mean, deviation } => normal_sf(-mean / deviation.hypot(1.0)),
            Self::Exponential { mean } => mean / (1.0 + mean),
        }
    }
}

/// Where samples come from and how large they are.
#[derive(Clone, Copy)]
pub(crate) struct Setting {
    pub(crate) base_rate: f64,
    pub(crate) n_rows: usize,
    pub(crate) tied: bool,
}

/// Three base rates with enough cases of the rarer class, continuous and tied.
pub(crate) fn settings() -> impl Iterator<Item = Setting> {
    sized([(0.05, 2000), (0.2, 800), (0.5, 500)])
}

/// Base rates and sizes, continuous and tied.
pub(crate) fn sized(sizes: [(f64, usize); 3]) -> impl Iterator<Item = Setting> {
    let of_size = |(base_rate, n_rows)| [false, true].map(|tied| Setting { base_rate, n_rows, tied });
    sizes.into_iter().flat_map(of_size)
}

impl Setting {
    /// Every study draws samples of its own.
    pub(crate) fn seed(&self, study: &str) -> u64 {
        let setting = [self.base_rate.to_bits(), self.n_rows as u64, u64::from(self.tied)];
        let tags: Vec<u64> = setting.into_iter().chain(study.bytes().map(u64::from)).collect();
        derive_seed(SEED, &tags)
    }

    pub(crate) fn n_positives(&self) -> usize {
        (self.base_rate * self.n_rows as f64).round() as usize
    }

    /// Truth with fixed class counts, positives first.
    pub(crate) fn fixed_classes(&self) -> Vec<bool> {
        (0..self.n_rows).map(|row| row < self.n_positives()).collect()
    }

    /// Truth as it comes.
    pub(crate) fn random_classes(&self, random: &mut Random) -> Vec<bool> {
        (0..self.n_rows).map(|_| random.uniform() < self.base_rate).collect()
    }

    /// The score of a drawn inner score.
    pub(crate) fn score(&self, x: f64) -> f64 {
        self.stated(if self.tied { (x / COARSE).round() * COARSE } else { x })
    }

    /// The probability that a model states, somewhat too sure of itself.
    pub(crate) fn stated(&self, x: f64) -> f64 {
        let logit = (self.base_rate / (1.0 - self.base_rate)).ln() + 1.2 * x - 0.72;
        1.0 / (1.0 + (-logit).exp())
    }

    pub(crate) fn scores(&self, truth: &[bool], law: Law, random: &mut Random) -> Vec<f64> {
        truth.iter().map(|&positive| self.score(law.draw(positive, random))).collect()
    }

    /// The scores of two models that agree by more than the truth.
    pub(crate) fn paired_scores(&self, truth: &[bool], random: &mut Random) -> [Vec<f64>; 2] {
        let mut draw = |&positive: &bool| {
            let (shared, own) = (random.normal(), random.normal());
            let other = 0.6 * shared + 0.8 * own;
            let score = |law: Law, standard: f64| self.score(law.of_normal(positive, standard));
            (score(GOOD, shared), score(POORER, other))
        };
        let (first, second) = truth.iter().map(&mut draw).unzip();
        [first, second]
    }

    /// The population as a ranking: its rows are cells of the score, each weighing what it is likely.
    pub(crate) fn population(&self, law: Law) -> Ranking {
        let step = if self.tied { COARSE } else { FINE };
        let (low, high) = law.range();
        let (mut truth, mut scores, mut weights) = (vec![], vec![], vec![]);
        for cell in (low / step) as i64..=(high / step) as i64 {
            let x = cell as f64 * step;
            for (positive, share) in [(true, self.base_rate), (false, 1.0 - self.base_rate)] {
                truth.push(positive);
                scores.push(self.stated(x));
                weights.push(
                    share * (law.up_to(positive, x + step / 2.0) - law.up_to(positive, x - step / 2.0)),
                );
            }
        }
        let set = ScoredSet::new(&truth, &scores).and_then(|set| set.with_weight(&weights));
        Ranking::of(&set.expect("finite scores and weights")).expect("few rows")
    }
}

impl Setting {
    /// A lift that leaves room above.
    pub(crate) fn lift(&self) -> Measure {
        let id = if self.base_rate < 0.5 { "lift@0.1" } else { "lift@0.2" };
        id.parse().expect("a metric of the registry")
    }

    /// All positives and three negatives in ten: the number of rows and the share of each class.
    pub(crate) fn kept(&self) -> (usize, Split) {
        let n_negatives = self.n_rows - self.n_positives();
        let kept = n_negatives * 3 / 10;
        (self.n_positives() + kept, Split { positive: 1.0, negative: kept as f64 / n_negatives as f64 })
    }
}
