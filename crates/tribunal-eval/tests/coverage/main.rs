//! Whether a 95 % interval holds what it promises: intervals of every kind, over and over, on scores whose truth is
//! known.
//!
//! Samples are drawn at three base rates, with continuous scores and with scores rounded to a coarse grid, and the share
//! of the intervals that hold the true value must lie between 93 and 97 %. True values are integrals over the
//! population, exact enough to be called so: the population is a [`Ranking`] whose rows are cells of the score, each
//! weighing what it is likely. Where rows are drawn again within classes the samples have fixed class counts, and the
//! truth is that of the population at their base rate.
//!
//! This takes minutes and is no part of `cargo test`; `make coverage` runs it and prints the table.
//!
//! What is left out, because the method and not the code fails there:
//!
//! - **Percentile and BCa intervals of KS and H-measure.** Both rest on the best of many cut-offs. That biases the figure
//!   upwards, and its replicates once more. With continuous scores the percentile interval holds the truth of the KS in
//!   82 to 84 of 100 samples of the sizes below and that of the H-measure in 70 to 80, BCa either in 90 to 92. The
//!   corrected interval, which results show, is judged; for these two it must reach 91 %, not 93.
//! - **The basic bootstrap interval of anything skewed.** It mirrors the skewness to the wrong side (92 to 93 of 100 for
//!   an AUROC or an average precision); it is judged on mean losses, which are nearly symmetric.
//! - **The lift of a list that is all but full of positives.** Near its largest value a lift can hardly vary upwards, and
//!   a sample of the negatives may have none at all at the top: at base rate one half the top fifth is judged, not
//!   the top tenth.
//!
//! References: Efron (1987), "Better bootstrap confidence intervals"; Davison & Hinkley (1997), chapter 5; Brown, Cai &
//! DasGupta (2001) for shares; Hanley & McNeil (1982) and DeLong, DeLong & Clarke-Pearson (1988) for AUROCs; Morris,
//! White & Crowther (2019), "Using simulation studies to evaluate statistical methods".

mod population;

use std::ops::RangeInclusive;

use rayon::prelude::*;
use tribunal_eval::Error;
use tribunal_eval::intervals::{
    ClassCounts, ClassScores, Interval, Level, Placements, Proportion, Replicates, ScoredModels,
    bootstrap_aurocs, bootstrap_basic, bootstrap_bca, bootstrap_corrected, bootstrap_normal,
    bootstrap_percentile, clopper_pearson, delong, delong_pair, delong_pair_sampled, delong_placements,
    hanley_mcneil, stratified_acceleration, wald, wilson,
};
use tribunal_eval::metrics::{Measure, Spread, auroc};
use tribunal_eval::significance::delong_test;
use tribunal_eval::{Confusion, Ranking, ResampledRows, Resampler, ScoredSet, Split};
use tribunal_random::Random;

use population::{CUT, EXPONENTIAL, GOOD, POORER, Setting, settings, sized};

/// Samples for each share of intervals that hold the truth: it errs by half a point (one standard error).
const SAMPLES: u64 = 2000;
/// The same for formulas, which cost next to nothing.
const SAMPLES_OF_FORMULAS: u64 = 10_000;
/// Bootstrap replicates of each sample. With so few a percentile interval loses a quarter of a point.
const REPLICATES: u64 = 400;
/// A standard deviation needs fewer.
const PAIRED_REPLICATES: u64 = 200;
/// Groups of rows that the jackknife leaves out, one at a time, in either class.
const GROUPS: usize = 20;

/// How often an interval at 95 % may hold the truth.
const NEAR_95: RangeInclusive<f64> = 0.93..=0.97;
/// The same for a figure that is the best of many: no interval known to us does better.
const NEARLY_95: RangeInclusive<f64> = 0.91..=0.97;
/// The same for an exact interval, which promises at least 95 %: two standard errors of the simulation below.
const AT_LEAST_95: RangeInclusive<f64> = 0.945..=1.0;

/// An interval to be judged: what it is called, the true value and how often it may hold it.
struct Case {
    name: String,
    truth: f64,
    limits: RangeInclusive<f64>,
}

impl Case {
    fn new(name: impl Into<String>, truth: f64) -> Self {
        Self { name: name.into(), truth, limits: NEAR_95 }
    }
}

/// Draws samples, makes the intervals of each, and asserts how often they hold the truth.
fn covers(
    n_samples: u64,
    setting: &Setting,
    cases: &[Case],
    intervals: impl Fn(&mut Random) -> Vec<Interval> + Sync,
) {
    let seed = setting.seed(&cases[0].name);
    let held = |sample: u64| -> Vec<u64> {
        let intervals = intervals(&mut Random::derived(seed, &[sample]));
        assert_eq!(intervals.len(), cases.len(), "one interval a case");
        intervals.iter().zip(cases).map(|(interval, case)| u64::from(interval.contains(case.truth))).collect()
    };
    let nothing = || vec![0; cases.len()];
    let add = |a: Vec<u64>, b: Vec<u64>| a.iter().zip(b).map(|(a, b)| a + b).collect();
    let counts = (0..n_samples).into_par_iter().map(held).reduce(nothing, add);
    let shares: Vec<f64> = counts.iter().map(|&count| count as f64 / n_samples as f64).collect();
    let judged = || cases.iter().zip(&shares);
    print!("{}", judged().map(|(case, share)| line(setting, case, *share)).collect::<String>());
    let outside = judged().filter(|(case, share)| !case.limits.contains(share));
    let outside: String = outside.map(|(case, share)| line(setting, case, *share)).collect();
    assert!(outside.is_empty(), "these hold the truth too seldom or too often:\n{outside}");
}

/// One line of the table: the interval, the base rate, the rows, the kind of scores, and how often it held the truth.
fn line(setting: &Setting, case: &Case, share: f64) -> String {
    let Setting { base_rate, n_rows, tied } = setting;
    let scores = if *tied { "tied" } else { "continuous" };
    format!("{:<50} {base_rate:>5} {n_rows:>6} {scores:<10} {:>6.2} %\n", case.name, 100.0 * share)
}

fn measure(id: &str) -> Measure {
    id.parse().expect("a metric of the registry")
}

/// The value of a metric, at the fixed cut-off where it needs one.
fn value(measure: &Measure, ranking: &Ranking, cut: f64) -> f64 {
    let at_cut = || measure.of_confusion(&Confusion::at_score(ranking, cut));
    measure.of_ranking(ranking).or_else(at_cut).expect("no amounts here").expect("both classes")
}

fn rank(truth: &[bool], scores: &[f64]) -> Ranking {
    Ranking::of(&ScoredSet::new(truth, scores).expect("finite scores")).expect("few rows")
}

/// What a bootstrap interval is made of.
struct Drawn {
    replicates: Replicates,
    estimate: f64,
    acceleration: f64,
}

/// A bootstrap interval and its name.
struct Bootstrap {
    name: &'static str,
    interval: fn(&Drawn, Level) -> Result<Interval, Error>,
}

impl Bootstrap {
    fn of(&self, drawn: &Drawn) -> Interval {
        (self.interval)(drawn, Level::P95).expect("many replicates on both sides of the estimate")
    }
}

const PERCENTILE: Bootstrap = Bootstrap {
    name: "percentile",
    interval: |drawn, level| Ok(bootstrap_percentile(&drawn.replicates, level)),
};
const BCA: Bootstrap = Bootstrap {
    name: "BCa",
    interval: |drawn, level| bootstrap_bca(&drawn.replicates, drawn.estimate, drawn.acceleration, level),
};
const NORMAL: Bootstrap = Bootstrap {
    name: "normal",
    interval: |drawn, level| bootstrap_normal(&drawn.replicates, drawn.estimate, level),
};
const CORRECTED: Bootstrap = Bootstrap {
    name: "corrected",
    interval: |drawn, level| bootstrap_corrected(&drawn.replicates, drawn.estimate, level),
};
const BASIC: Bootstrap = Bootstrap {
    name: "basic",
    interval: |drawn, level| bootstrap_basic(&drawn.replicates, drawn.estimate, level),
};

/// A metric and the bootstrap intervals that suit it.
struct Figure {
    measure: Measure,
    kinds: &'static [Bootstrap],
    limits: RangeInclusive<f64>,
}

impl Figure {
    /// Any figure whose replicates may lean to one side.
    fn skewed(measure: Measure) -> Self {
        Self { measure, kinds: &[PERCENTILE, BCA], limits: NEAR_95 }
    }

    /// A mean over the rows.
    fn mean_loss(id: &str) -> Self {
        Self { measure: measure(id), kinds: &[PERCENTILE, BCA, NORMAL, BASIC], limits: NEAR_95 }
    }

    /// A figure that chance inflates.
    fn best_of_many(id: &str) -> Self {
        Self { measure: measure(id), kinds: &[CORRECTED], limits: NEARLY_95 }
    }

    /// A figure whose replicates are moved before quantiles are taken.
    fn moved(measure: Measure) -> Self {
        Self { measure, kinds: &[PERCENTILE], limits: NEAR_95 }
    }
}

#[test]
fn populations_are_what_they_are_said_to_be() {
    for law in [GOOD, POORER, EXPONENTIAL] {
        let setting = Setting { base_rate: 0.2, n_rows: 800, tied: false };
        let found = auroc(&setting.population(law)).expect("both classes");
        assert!((found - law.auroc()).abs() < 1e-6, "{found}, expected {}", law.auroc());
    }
}

#[test]
fn shares_at_a_fixed_cutoff() {
    let measures = ["sensitivity", "specificity", "pcc", "precision"].map(measure);
    for setting in settings() {
        let (population, cut) = (setting.population(GOOD), setting.stated(CUT));
        let cases = |measure: &Measure| {
            let truth = value(measure, &population, cut);
            let case = |kind: &str| Case::new(format!("{kind}, {measure}"), truth);
            [case("Wilson"), Case { limits: AT_LEAST_95, ..case("Clopper-Pearson") }, case("Wald")]
        };
        let cases: Vec<Case> = measures.iter().flat_map(cases).collect();
        covers(SAMPLES_OF_FORMULAS, &setting, &cases, |random| {
            let truth = setting.random_classes(random);
            let ranking = rank(&truth, &setting.scores(&truth, GOOD, random));
            let confusion = Confusion::at_score(&ranking, cut);
            measures.iter().flat_map(|measure| of_share(measure, &ranking, &confusion)).collect()
        });
    }
}

/// Wilson's interval as results show it, and the other two.
fn of_share(measure: &Measure, ranking: &Ranking, confusion: &Confusion) -> [Interval; 3] {
    let Spread::Proportion(counts) = measure.metric.spread else { panic!("{measure} is no share") };
    let (successes, n) = counts(confusion);
    let share = Proportion::new(successes, n).expect("some cases");
    let shown = measure.judge(ranking, Some(confusion), Level::P95).1.expect("some cases");
    [shown, clopper_pearson(share, Level::P95), wald(share, Level::P95)]
}

#[test]
fn weighted_shares() {
    for setting in settings() {
        let truth = value(&measure("specificity"), &setting.population(GOOD), setting.stated(CUT));
        covers(
            SAMPLES_OF_FORMULAS,
            &setting,
            &[Case::new("Wilson, weighted specificity", truth)],
            |random| {
                let (mut flagged, mut total, mut squares) = (0.0, 0.0, 0.0);
                for _ in 0..setting.n_rows - setting.n_positives() {
                    let (x, weight) = (GOOD.draw(false, random), weight(random));
                    flagged += if setting.score(x) >= setting.stated(CUT) { weight } else { 0.0 };
                    total += weight;
                    squares += weight * weight;
                }
                let share = Proportion::weighted(total - flagged, total, squares).expect("some cases");
                vec![wilson(share, Level::P95)]
            },
        );
    }
}

/// 1, 2 or 3.
fn weight(random: &mut Random) -> f64 {
    1.0 + random.below(3) as f64
}

#[test]
fn aurocs_by_delong() {
    let area = measure("auroc");
    for setting in settings() {
        let truth = value(&area, &setting.population(GOOD), 0.0);
        let cases = ["DeLong, auroc", "DeLong logit, auroc"].map(|name| Case::new(name, truth));
        covers(SAMPLES_OF_FORMULAS, &setting, &cases, |random| {
            let rows = setting.fixed_classes();
            let scores = setting.scores(&rows, GOOD, random);
            let shown = area.judge(&rank(&rows, &scores), None, Level::P95).1.expect("both classes");
            let classes = Classes::of(&rows, &scores);
            let estimate = delong(classes.scores()).expect("both classes");
            vec![shown, estimate.logit_interval(Level::P95).expect("overlapping classes")]
        });
    }
}

/// The scores of each class, ascending.
struct Classes {
    positives: Vec<f64>,
    negatives: Vec<f64>,
}

impl Classes {
    fn of(truth: &[bool], scores: &[f64]) -> Self {
        let of_class = |class: bool| {
            let members = truth.iter().zip(scores).filter(|(truth, _)| **truth == class);
            let mut scores: Vec<f64> = members.map(|(_, score)| *score).collect();
            scores.sort_unstable_by(f64::total_cmp);
            scores
        };
        Self { positives: of_class(true), negatives: of_class(false) }
    }

    fn scores(&self) -> ClassScores<'_> {
        ClassScores { positives: &self.positives, negatives: &self.negatives }
    }
}

/// Scores are exponential in both classes, as the formula assumes.
#[test]
fn aurocs_by_hanley_and_mcneil() {
    for setting in settings() {
        let truth = value(&measure("auroc"), &setting.population(EXPONENTIAL), 0.0);
        let cases = ["Hanley-McNeil, auroc", "Hanley-McNeil logit, auroc"].map(|name| Case::new(name, truth));
        covers(SAMPLES_OF_FORMULAS, &setting, &cases, |random| {
            let rows = setting.fixed_classes();
            let ranking = rank(&rows, &setting.scores(&rows, EXPONENTIAL, random));
            let Split { positive: positives, negative: negatives } = ranking.totals();
            let area = auroc(&ranking).expect("both classes");
            let estimate = hanley_mcneil(area, ClassCounts { positives, negatives }).expect("both classes");
            let logit = estimate.logit_interval(Level::P95).expect("overlapping classes");
            vec![estimate.interval(Level::P95), logit]
        });
    }
}

#[test]
fn aurocs_by_the_exact_bootstrap() {
    let kinds = [PERCENTILE, BCA, NORMAL];
    for setting in settings() {
        let truth = value(&measure("auroc"), &setting.population(GOOD), 0.0);
        let cases =
            kinds.each_ref().map(|kind| Case::new(format!("exact bootstrap {}, auroc", kind.name), truth));
        covers(SAMPLES, &setting, &cases, |random| {
            let rows = setting.fixed_classes();
            let classes = Classes::of(&rows, &setting.scores(&rows, GOOD, random));
            let drawn = drawn_exactly(classes.scores(), random.next_u64()).expect("both classes");
            kinds.iter().map(|kind| kind.of(&drawn)).collect()
        });
    }
}

/// The AUROC, its replicates, and its acceleration: without a case it is the mean placement of the others of the class.
fn drawn_exactly(scores: ClassScores<'_>, seed: u64) -> Result<Drawn, Error> {
    let estimate = delong(scores)?.auroc;
    let without_one = |placements: Vec<f64>| -> Vec<f64> {
        let n = placements.len() as f64;
        placements.iter().map(|placement| (n * estimate - placement) / (n - 1.0)).collect()
    };
    let Placements { positives, negatives, .. } = delong_placements(scores)?;
    Ok(Drawn {
        replicates: Replicates::new(bootstrap_aurocs(scores, REPLICATES as usize, seed)?)?,
        estimate,
        acceleration: stratified_acceleration(&[&without_one(positives), &without_one(negatives)])?,
    })
}

/// Figures of the first model of a resampler.
struct Resampled<'a> {
    resampler: Resampler,
    figures: &'a [Figure],
    cut: f64,
}

impl Resampled<'_> {
    fn values(&self, rankings: &[Ranking]) -> Vec<f64> {
        self.figures.iter().map(|figure| value(&figure.measure, &rankings[0], self.cut)).collect()
    }

    /// For each figure its value on each replicate.
    fn replicates(&self, seed: u64) -> Vec<Vec<f64>> {
        columns((0..REPLICATES).map(|index| self.values(&self.resampler.replicate(seed, index))))
    }

    /// For each figure its acceleration, from a jackknife of groups.
    fn accelerations(&self) -> Vec<f64> {
        let jackknife = |class: bool| {
            columns((0..GROUPS).map(|group| self.values(&self.resampler.without(class, group, GROUPS))))
        };
        let of_figure = |(positives, negatives): (Vec<f64>, Vec<f64>)| {
            stratified_acceleration(&[&positives, &negatives]).expect("two groups of each class")
        };
        jackknife(true).into_iter().zip(jackknife(false)).map(of_figure).collect()
    }

    /// For each figure the intervals of its kinds.
    fn intervals(&self, seed: u64) -> Vec<Interval> {
        let estimates = self.values(&self.resampler.rows());
        let all = self.figures.iter().zip(self.replicates(seed)).zip(estimates).zip(self.accelerations());
        let of_figure = |(((figure, replicates), estimate), acceleration): (((&Figure, _), _), _)| {
            let drawn = Drawn { replicates: sorted(replicates), estimate, acceleration };
            figure.kinds.iter().map(|kind| kind.of(&drawn)).collect::<Vec<_>>()
        };
        all.flat_map(of_figure).collect()
    }
}

fn sorted(replicates: Vec<f64>) -> Replicates {
    Replicates::new(replicates).expect("finite values")
}

/// Columns out of rows.
fn columns(rows: impl Iterator<Item = Vec<f64>>) -> Vec<Vec<f64>> {
    let rows: Vec<Vec<f64>> = rows.collect();
    (0..rows[0].len()).map(|column| rows.iter().map(|row| row[column]).collect()).collect()
}

/// For each figure a case of each of its kinds.
fn bootstrap_cases(study: &str, setting: &Setting, figures: &[Figure]) -> Vec<Case> {
    let population = setting.population(GOOD);
    let of_figure = |Figure { measure, kinds, limits }: &Figure| -> Vec<Case> {
        let truth = value(measure, &population, setting.stated(CUT));
        let name = |kind: &Bootstrap| format!("{study} {}, {measure}", kind.name);
        kinds.iter().map(|kind| Case { name: name(kind), truth, limits: limits.clone() }).collect()
    };
    figures.iter().flat_map(of_figure).collect()
}

/// Rows of weight one, or weighing 1, 2 or 3.
#[derive(Clone, Copy, PartialEq)]
enum Weights {
    One,
    Random,
}

fn resampler_covers(study: &str, setting: &Setting, figures: &[Figure], weights: Weights) {
    covers(SAMPLES, setting, &bootstrap_cases(study, setting, figures), |random| {
        let truth = setting.fixed_classes();
        let scores = setting.scores(&truth, GOOD, random);
        let drawn: Vec<f64> = truth.iter().map(|_| weight(random)).collect();
        let weight = (weights == Weights::Random).then_some(drawn.as_slice());
        let rows = ResampledRows { weight, ..ResampledRows::new(&truth, vec![&scores]) };
        let resampler = Resampler::new(&rows).expect("both classes");
        Resampled { resampler, figures, cut: setting.stated(CUT) }.intervals(random.next_u64())
    });
}

#[test]
fn metrics_by_the_resampler() {
    for setting in settings() {
        let figures = [
            Figure::skewed(measure("auroc")),
            Figure::skewed(measure("average_precision")),
            Figure::skewed(setting.lift()),
            Figure::skewed(measure("f1")),
            Figure::skewed(measure("mcc")),
            Figure::mean_loss("brier"),
            Figure::mean_loss("log_loss"),
        ];
        resampler_covers("bootstrap", &setting, &figures, Weights::One);
    }
}

#[test]
fn figures_that_chance_inflates() {
    for setting in settings() {
        let figures = ["ks", "h_measure", "brier_resolution"].map(Figure::best_of_many);
        resampler_covers("bootstrap", &setting, &figures, Weights::One);
    }
}

/// Six rows of weight one say as much as seven that weigh 1, 2 or 3; so there are more of them.
#[test]
fn weighted_rows() {
    for setting in sized([(0.05, 2400), (0.2, 950), (0.5, 600)]) {
        let figures = [Figure::skewed(measure("auroc"))];
        resampler_covers("weighted bootstrap", &setting, &figures, Weights::Random);
    }
}

/// With more than 2,048 distinct scores neighbours share cells, three rows each here but for the top of the list; ties
/// never get there.
#[test]
fn shared_cells() {
    for base_rate in [0.05, 0.2, 0.5] {
        let setting = Setting { base_rate, n_rows: 3072, tied: false };
        let measures = [measure("auroc"), measure("average_precision"), setting.lift(), measure("brier")];
        resampler_covers("shared cells", &setting, &measures.map(Figure::skewed), Weights::One);
    }
}

/// Only a part of the negatives is kept. The replicates have the spread of the whole class, but they vary around the
/// value on the kept rows; they are moved to the value on all rows. The lists are longer here, so that their tops hold
/// some of the kept negatives.
#[test]
fn a_sample_of_the_negatives() {
    for setting in sized([(0.05, 3000), (0.2, 2000), (0.5, 2000)]) {
        let measures = [measure("auroc"), measure("average_precision"), setting.lift(), measure("brier")];
        let figures = measures.map(Figure::moved);
        covers(SAMPLES, &setting, &bootstrap_cases("sampled negatives", &setting, &figures), |random| {
            let truth = setting.fixed_classes();
            let scores = setting.scores(&truth, GOOD, random);
            of_kept_rows(&setting, &figures, &scores, random.next_u64())
        });
    }
}

/// Intervals from the kept rows around the values on all rows.
fn of_kept_rows(setting: &Setting, figures: &[Figure], scores: &[f64], seed: u64) -> Vec<Interval> {
    let (truth, (n_kept, taken)) = (setting.fixed_classes(), setting.kept());
    let rows = ResampledRows { taken, ..ResampledRows::new(&truth[..n_kept], vec![&scores[..n_kept]]) };
    let resampler = Resampler::new(&rows).expect("both classes");
    let resampled = Resampled { resampler, figures, cut: setting.stated(CUT) };
    let on_all = resampled.values(&[rank(&truth, scores)]);
    let on_kept = resampled.values(&resampled.resampler.rows());
    let moves = on_all.iter().zip(on_kept).map(|(all, kept)| all - kept);
    let moved = |(replicates, by): (Vec<f64>, f64)| {
        let replicates = sorted(replicates.iter().map(|replicate| replicate + by).collect());
        bootstrap_percentile(&replicates, Level::P95)
    };
    resampled.replicates(seed).into_iter().zip(moves).map(moved).collect()
}

/// The class of each row is random here: these intervals do not take the class counts as given.
#[test]
fn recalibrations_by_the_sandwich() {
    let measures = ["calibration_slope", "calibration_intercept"].map(measure);
    for setting in settings() {
        let population = setting.population(GOOD);
        let case =
            |measure: &Measure| Case::new(format!("sandwich, {measure}"), value(measure, &population, 0.0));
        let cases: Vec<Case> = measures.iter().map(case).collect();
        covers(SAMPLES_OF_FORMULAS, &setting, &cases, |random| {
            let truth = setting.random_classes(random);
            let ranking = rank(&truth, &setting.scores(&truth, GOOD, random));
            let shown = |measure: &Measure| measure.judge(&ranking, None, Level::P95).1;
            measures.iter().map(|measure| shown(measure).expect("overlapping classes")).collect()
        });
    }
}

#[test]
fn differences_of_two_models() {
    let measures = ["auroc", "average_precision"].map(measure);
    for setting in settings() {
        let (good, poorer) = (setting.population(GOOD), setting.population(POORER));
        let [areas, precisions] =
            [0, 1].map(|m: usize| value(&measures[m], &good, 0.0) - value(&measures[m], &poorer, 0.0));
        let cases = [
            Case::new("DeLong, difference of auroc", areas),
            Case::new("DeLong sampled negatives, difference of auroc", areas),
            Case::new("paired bootstrap, difference of auroc", areas),
            Case::new("paired bootstrap, difference of average_precision", precisions),
        ];
        covers(SAMPLES, &setting, &cases, |random| {
            let truth = setting.fixed_classes();
            let scores = setting.paired_scores(&truth, random);
            let mut intervals = delong_differences(&setting, &truth, &scores);
            intervals.extend(paired_differences(&measures, &truth, &scores, random.next_u64()));
            intervals
        });
    }
}

/// From all rows, and with the covariances that a sample of the negatives gives.
fn delong_differences(setting: &Setting, truth: &[bool], scores: &[Vec<f64>; 2]) -> Vec<Interval> {
    let all = ScoredModels { positive: truth, scores: scores.iter().map(Vec::as_slice).collect() };
    let of_all = delong_pair(&all).expect("both classes");
    let (n_kept, taken) = setting.kept();
    let kept = ScoredModels {
        positive: &truth[..n_kept],
        scores: scores.iter().map(|scores| &scores[..n_kept]).collect(),
    };
    let mut of_kept = delong_pair_sampled(&kept, taken).expect("both classes");
    of_kept.aurocs.clone_from(&of_all.aurocs);
    let interval = |pair| delong_test(pair, 0, 1, Level::P95).expect("two models").effect.interval;
    vec![interval(&of_all), interval(&of_kept)]
}

/// One resampler draws both models, so that each difference is of the same rows.
fn paired_differences(
    measures: &[Measure],
    truth: &[bool],
    scores: &[Vec<f64>; 2],
    seed: u64,
) -> Vec<Interval> {
    let rows = ResampledRows::new(truth, scores.iter().map(Vec::as_slice).collect());
    let resampler = Resampler::new(&rows).expect("both classes");
    let difference = |rankings: &[Ranking]| -> Vec<f64> {
        let of = |measure: &Measure| value(measure, &rankings[0], 0.0) - value(measure, &rankings[1], 0.0);
        measures.iter().map(of).collect()
    };
    let replicates =
        columns((0..PAIRED_REPLICATES).map(|index| difference(&resampler.replicate(seed, index))));
    let normal = |(replicates, estimate): (Vec<f64>, f64)| {
        bootstrap_normal(&sorted(replicates), estimate, Level::P95).expect("many replicates")
    };
    replicates.into_iter().zip(difference(&resampler.rows())).map(normal).collect()
}
