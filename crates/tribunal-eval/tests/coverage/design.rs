//! The designs that are simulated: how many rows, drawn from which population.

use tribunal_eval::Ranking;
use tribunal_eval::influence::BaseRate;
use tribunal_random::{Random, derive_seed};

use crate::binormal::{Binormal, Scores};
use crate::recorded::{DataSet, Learner, Recorded};

const SEED: u64 = 20_260_101;

/// Where cases come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Source {
    Binormal(Binormal),
    Recorded(Recorded),
}

/// How large samples are and what they are drawn from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Design {
    pub(crate) n_rows: usize,
    pub(crate) source: Source,
    pub(crate) is_weighted: bool,
    /// Whether the number of positives varies from sample to sample, as the intervals are then told.
    pub(crate) base_rate: BaseRate,
}

/// Truth, the scores of both models and weights of a sample of cases.
pub(crate) struct Rows {
    pub(crate) truth: Vec<bool>,
    pub(crate) scores: [Vec<f64>; 2],
    pub(crate) weights: Option<Vec<f64>>,
}

impl Design {
    pub(crate) fn share_of_positives(&self) -> f64 {
        match self.source {
            Source::Binormal(law) => law.base_rate,
            Source::Recorded(recorded) => recorded.base_rate(),
        }
    }

    /// Expected cases of the rarer class.
    pub(crate) fn expected_cases(&self) -> f64 {
        let share = self.share_of_positives();
        self.n_rows as f64 * share.min(1.0 - share)
    }

    /// Whether some scores are exactly 0 or 1.
    pub(crate) fn is_saturated(&self) -> bool {
        matches!(self.source, Source::Binormal(Binormal { scores: Scores::Saturated, .. }))
    }

    /// Whether scores are those of real data.
    pub(crate) fn is_recorded(&self) -> bool {
        matches!(self.source, Source::Recorded(_))
    }

    /// Whether probabilities are far too extreme, as those of naive Bayes are.
    pub(crate) fn is_overconfident(&self) -> bool {
        matches!(self.source, Source::Recorded(Recorded { learner: Learner::NaiveBayes, .. }))
    }

    /// Small samples are cheap, and large ones vary less from design to design.
    pub(crate) fn n_samples(&self) -> u64 {
        match self.n_rows {
            ..=500 => 2000,
            501..=2000 => 1000,
            _ => 300,
        }
    }

    /// For tables.
    pub(crate) fn scores_name(&self) -> String {
        let scores = match self.source {
            Source::Binormal(law) => format!("AUROC {}, {}", law.auroc, law.scores.name()),
            Source::Recorded(recorded) => recorded.name(),
        };
        let weights = if self.is_weighted { ", weighted" } else { "" };
        let fixed = if self.base_rate == BaseRate::Fixed { ", fixed base rate" } else { "" };
        format!("{scores}{weights}{fixed}")
    }

    /// For tables.
    pub(crate) fn base_rate_name(&self) -> String {
        format!("{}", (self.share_of_positives() * 1000.0).round() / 1000.0)
    }

    pub(crate) fn name(&self) -> String {
        format!("{} rows, base rate {}, {}", self.n_rows, self.base_rate_name(), self.scores_name())
    }

    /// The population as each model ranks it.
    pub(crate) fn populations(&self) -> [Ranking; 2] {
        match self.source {
            Source::Binormal(law) => law.models().map(|model| model.population()),
            Source::Recorded(recorded) => recorded.populations(),
        }
    }

    /// A score at about the median of the positives, for each model.
    pub(crate) fn fixed_cutoffs(&self) -> [f64; 2] {
        match self.source {
            Source::Binormal(law) => law.models().map(|model| model.fixed_cutoff()),
            Source::Recorded(recorded) => recorded.fixed_cutoffs(),
        }
    }

    fn seed(&self) -> u64 {
        let name = self.name();
        let tags: Vec<u64> = name.bytes().map(u64::from).collect();
        derive_seed(SEED, &tags)
    }

    /// A sample of independent cases; drawn again where a class has fewer than two.
    pub(crate) fn draw(&self, sample: u64) -> Rows {
        let mut random = Random::derived(self.seed(), &[sample]);
        let share = self.share_of_positives();
        let n_fixed = (share * self.n_rows as f64).round() as usize;
        let truth = loop {
            let truth: Vec<bool> = match self.base_rate {
                BaseRate::Random => (0..self.n_rows).map(|_| random.uniform() < share).collect(),
                BaseRate::Fixed => (0..self.n_rows).map(|row| row < n_fixed).collect(),
            };
            let positives = truth.iter().filter(|&&positive| positive).count();
            if positives >= 2 && self.n_rows - positives >= 2 {
                break truth;
            }
        };
        let scores = match self.source {
            Source::Binormal(law) => law.draw(&truth, &mut random),
            Source::Recorded(recorded) => recorded.draw(&truth, &mut random),
        };
        let weights =
            self.is_weighted.then(|| (0..self.n_rows).map(|_| 1.0 + random.below(3) as f64).collect());
        Rows { truth, scores, weights }
    }
}

/// Rows, base rate and AUROC of a design.
type Size = (usize, f64, f64);

/// Corners of sizes, base rates and score laws, with ten expected positives at least.
pub(crate) fn designs() -> Vec<Design> {
    let of = |scores: Scores, is_weighted: bool, base_rate: BaseRate, sizes: &[Size]| -> Vec<Design> {
        let design = |&(n_rows, share, auroc): &Size| {
            let source = Source::Binormal(Binormal { base_rate: share, auroc, scores });
            Design { n_rows, source, is_weighted, base_rate }
        };
        sizes.iter().map(design).collect()
    };
    let recorded = |&(n_rows, set, learner): &(usize, DataSet, Learner)| Design {
        n_rows,
        source: Source::Recorded(Recorded { set, learner }),
        is_weighted: false,
        base_rate: BaseRate::Random,
    };
    [
        of(Scores::Calibrated, false, BaseRate::Random, CALIBRATED),
        of(Scores::TooExtreme, false, BaseRate::Random, TOO_EXTREME),
        of(Scores::Saturated, false, BaseRate::Random, SATURATED),
        of(Scores::TenLevels, false, BaseRate::Random, TEN_LEVELS),
        of(Scores::UnequalVariances, false, BaseRate::Random, UNEQUAL_VARIANCES),
        of(Scores::Calibrated, true, BaseRate::Random, WEIGHTED),
        of(Scores::TenLevels, true, BaseRate::Random, &[(2000, 0.3, 0.8)]),
        of(Scores::Calibrated, false, BaseRate::Fixed, FIXED_BASE_RATE),
        of(Scores::TenLevels, false, BaseRate::Fixed, &[(500, 0.1, 0.8)]),
        RECORDED.iter().map(recorded).collect(),
    ]
    .concat()
}

const TOO_EXTREME: &[Size] = &[(200, 0.5, 0.8), (500, 0.1, 0.8), (2000, 0.02, 0.8), (10_000, 0.3, 0.95)];
const SATURATED: &[Size] = &[(200, 0.3, 0.95), (500, 0.1, 0.95), (2000, 0.5, 0.8), (10_000, 0.1, 0.95)];
const TEN_LEVELS: &[Size] =
    &[(200, 0.5, 0.8), (200, 0.1, 0.65), (500, 0.02, 0.8), (2000, 0.1, 0.95), (10_000, 0.3, 0.8)];
const UNEQUAL_VARIANCES: &[Size] =
    &[(200, 0.1, 0.8), (500, 0.3, 0.65), (2000, 0.02, 0.95), (10_000, 0.1, 0.8)];
const WEIGHTED: &[Size] = &[(500, 0.1, 0.8), (2000, 0.02, 0.8), (500, 0.5, 0.95)];
const FIXED_BASE_RATE: &[Size] =
    &[(200, 0.1, 0.8), (200, 0.5, 0.8), (500, 0.02, 0.95), (500, 0.3, 0.8), (2000, 0.02, 0.8)];
const RECORDED: &[(usize, DataSet, Learner)] = &[
    (200, DataSet::Bank, Learner::Logit),
    (2000, DataSet::Bank, Learner::Logit),
    (20_000, DataSet::Bank, Learner::Logit),
    (500, DataSet::Bank, Learner::NaiveBayes),
    (300, DataSet::Caravan, Learner::Logit),
    (2000, DataSet::Caravan, Learner::Logit),
    (300, DataSet::Caravan, Learner::NaiveBayes),
    (10_000, DataSet::Caravan, Learner::NaiveBayes),
    (500, DataSet::CarClaims, Learner::Logit),
    (2000, DataSet::CarClaims, Learner::NaiveBayes),
    (200, DataSet::Donors, Learner::Logit),
    (2000, DataSet::Donors, Learner::NaiveBayes),
];
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
