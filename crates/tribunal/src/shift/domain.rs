//! The domain classifier: how well rows of the population can be told from those of the training table.
//!
//! A linear learner sees what moves in one direction, a nonlinear one also scales, gaps and combinations of columns; both are
//! reported, and the p value pays for two. Boosted trees take missing values as they come, need no scale, and cost a fraction of what
//! as many unpruned trees of a forest do on columns of numbers. Of very many columns the nonlinear learner judges alone: the other
//! takes time and memory by their square.
//!
//! Out-of-fold scores are not independent: models of different folds share training rows, so that DeLong's test of the AUROC against
//! one half rejects where nothing shifts in 12 to 17 % of tables instead of 5 (`tests/reference/null_of_domain_test.py`). So the test
//! goes forward: each fold but the first is scored by a model of the folds before it. Given those, the rows of a fold are
//! exchangeable where nothing shifts, the AUROC has the mean 1/2 and the Mann-Whitney variance, and what exceeds the mean adds up
//! over folds as a martingale, which is normal in the limit.
//!
//! References: Friedman (2003), "On multivariate goodness-of-fit and two-sample testing"; Lopez-Paz and Oquab (2017), "Revisiting
//! classifier two-sample tests"; Dawid (1984) for forward validation; LeDell, Petersen and van der Laan (2015) for the interval.

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use tribunal_eval::intervals::{Level, SHARED_TRAINING, delong_of_ranking, normal_sf};
use tribunal_eval::significance::null_auroc_error;
use tribunal_eval::{Ranking, metrics};
use tribunal_learn::{Column, Dataset, Learner, Model};
use tribunal_random::{Random, derive_seed};

use super::MOST_LINEAR_COLUMNS;
use super::domain_rows::{DomainRows, FOLDS};
use super::results::{DomainClassifier, DomainLearner};
use crate::error::Error;

/// A penalty keeps the slopes finite where columns separate the tables; missing values have indicators.
const LINEAR: &str = "logit:l2=1,mark";
const NONLINEAR: &str = "boost:trees=50,rate=0.2,depth=3";
/// Rows of a fold that are scored anew for each column that is permuted.
const MOST_PERMUTED_ROWS: usize = 2_000;

/// The domain classifier with its scores and models.
pub(super) struct Domain {
    pub(super) classifier: DomainClassifier,
    /// The out-of-fold probabilities of the population by the nonlinear learner: what the training table leaves out altogether is cut
    /// off at some value, which a slope smooths over.
    pub(super) scores: Vec<f64>,
    /// The model of the better learner for each fold.
    models: Vec<Model>,
}

/// By how much the AUROC falls where a column is permuted.
#[derive(Clone, Copy, Debug)]
pub(super) struct AurocDrop {
    pub(super) mean: f64,
    pub(super) sd: f64,
}

/// A model of some folds, and what it says of the rows of another.
struct FoldScores {
    model: Model,
    rows: Vec<u32>,
    scores: Vec<f64>,
}

/// What one learner finds.
struct Learned {
    summary: DomainLearner,
    folds: Vec<FoldScores>,
}

impl Domain {
    /// Trains and judges both learners, or of very many columns the nonlinear one.
    pub(super) fn judge(rows: &DomainRows, seed: u64, level: Level) -> Result<Self, Error> {
        let learners: Vec<Learner> = match n_encoded(&rows.dataset) > MOST_LINEAR_COLUMNS {
            true => vec![NONLINEAR.parse()?],
            false => vec![LINEAR.parse()?, NONLINEAR.parse()?],
        };
        let shown = Shown { n_learners: learners.len(), level };
        let learned: Vec<Learned> = learners
            .par_iter()
            .map(|learner| learn(learner, rows, shown, seed))
            .collect::<Result<_, Error>>()?;
        let smallest = learned.iter().map(|found| found.summary.p).fold(1.0, f64::min);
        let is_better = |best: usize, place: usize| {
            if learned[place].summary.auroc > learned[best].summary.auroc { place } else { best }
        };
        let best = (0..learned.len()).fold(0, is_better);
        let classifier = DomainClassifier {
            rows: rows.sampled.as_ref().map(|rows| rows.len() as u64),
            twins: rows.twins,
            n_folds: FOLDS,
            plan: rows.plan.hash(),
            learners: learned.iter().map(|found| found.summary.clone()).collect(),
            best,
            p: (smallest * learned.len() as f64).min(1.0),
        };
        let mut scores = vec![0.0; rows.folds.len()];
        for fold in learned.last().iter().flat_map(|nonlinear| &nonlinear.folds) {
            fold.rows.iter().zip(&fold.scores).for_each(|(&row, &score)| scores[row as usize] = score);
        }
        let models = learned.into_iter().nth(best).map(|found| found.folds).unwrap_or_default();
        let models = models.into_iter().map(|fold| fold.model).collect();
        Ok(Domain { classifier, scores, models })
    }

    /// By how much the out-of-fold AUROC falls where a column is permuted among the held-out rows; nothing is trained anew.
    pub(super) fn drops(
        &self,
        rows: &DomainRows,
        columns: &[String],
        seed: u64,
    ) -> FxHashMap<String, AurocDrop> {
        let held_out: Vec<HeldOutFold<'_>> = self
            .models
            .iter()
            .zip(0..)
            .filter_map(|(model, fold)| HeldOutFold::of(rows, model, fold))
            .collect();
        let drop_of = |name: &String| Some((name.clone(), drop_of(name, &held_out, seed)?));
        columns.par_iter().filter_map(drop_of).collect()
    }
}

/// How many columns of numbers the linear learner sees: levels and missing values have indicators.
fn n_encoded(dataset: &Dataset) -> usize {
    let of_column = |column: &Column| {
        column.kind().levels().len().saturating_sub(1).max(1) + usize::from(column.values().n_missing() > 0)
    };
    dataset.columns().iter().map(of_column).sum()
}

/// Among how many learners the better one is shown.
#[derive(Clone, Copy)]
struct Shown {
    n_learners: usize,
    /// Of their intervals together.
    level: Level,
}

fn learn(learner: &Learner, rows: &DomainRows, shown: Shown, seed: u64) -> Result<Learned, Error> {
    let fit = |(tested, forward): (u32, bool)| {
        let trained = rows.rows_of(|fold| if forward { fold < tested } else { fold != tested });
        let held_out = rows.rows_of(|fold| fold == tested);
        let model =
            learner.fit(&rows.dataset, &trained, derive_seed(seed, &[tested.into(), forward.into()]))?;
        let scores = model.posteriors(&rows.dataset, &held_out)?.scores();
        Ok(FoldScores { model, rows: held_out, scores })
    };
    // Forward, the last fold has the model that out-of-fold scores have.
    let tasks: Vec<(u32, bool)> =
        (0..FOLDS).map(|fold| (fold, false)).chain((1..FOLDS - 1).map(|fold| (fold, true))).collect();
    let mut folds: Vec<FoldScores> = tasks.into_par_iter().map(fit).collect::<Result<_, Error>>()?;
    let forward = folds.split_off(FOLDS as usize);
    let tested = forward.iter().chain(folds.last());
    let (z, p) = forward_test(tested.filter_map(|fold| ranking(rows, fold)));
    let rankings: Vec<Ranking> = folds.iter().filter_map(|fold| ranking(rows, fold)).collect();
    let summary = DomainLearner { z, p, ..estimate(learner, &rankings, shown) };
    Ok(Learned { summary, folds })
}

fn ranking(rows: &DomainRows, fold: &FoldScores) -> Option<Ranking> {
    let truth: Vec<bool> = fold.rows.iter().map(|&row| rows.is_of_population(row)).collect();
    Ranking::from_scores(&truth, &fold.scores).ok().filter(|ranking| ranking.both_classes().is_ok())
}

/// The statistic of the test against one half and its upper tail. Where all scores are tied there is no evidence.
fn forward_test(folds: impl Iterator<Item = Ranking>) -> (f64, f64) {
    let (mut excess, mut variance) = (0.0, 0.0);
    for ranking in folds {
        if let (Ok(auroc), Ok(error)) = (metrics::auroc(&ranking), null_auroc_error(&ranking)) {
            excess += auroc - 0.5;
            variance += error * error;
        }
    }
    let z = if variance > 0.0 { excess / variance.sqrt() } else { 0.0 };
    (z, normal_sf(z))
}

/// The mean AUROC over folds with its interval; the test is yet to come.
fn estimate(learner: &Learner, folds: &[Ranking], shown: Shown) -> DomainLearner {
    let level = shown.level;
    let found: Vec<(f64, f64)> = folds
        .iter()
        .filter_map(|fold| delong_of_ranking(fold).ok())
        .map(|found| (found.auroc, found.variance))
        .collect();
    let n = (found.len() as f64).max(1.0);
    let auroc = if found.is_empty() { 0.5 } else { found.iter().map(|(auroc, _)| auroc).sum::<f64>() / n };
    let error = SHARED_TRAINING * found.iter().map(|(_, variance)| variance).sum::<f64>().sqrt() / n;
    // The better learner is shown: the intervals of all hold together at the level.
    let each = Level::new(1.0 - level.alpha() / shown.n_learners as f64).unwrap_or(level);
    let half = each.z() * error;
    DomainLearner {
        learner: learner.to_string(),
        auroc,
        lower: (auroc - half).max(0.0).min(highest_lower_end(folds, each)),
        upper: (auroc + half).min(1.0),
        level: level.get(),
        z: 0.0,
        p: 1.0,
    }
}

/// Rows of which none is on the wrong side do not show an AUROC of one: the chance of that is at least what is left of the level
/// where so small a share of the rarer table's rows is.
fn highest_lower_end(folds: &[Ranking], level: Level) -> f64 {
    let rarer = |ranking: &Ranking| {
        let totals = ranking.totals();
        totals.positive.min(totals.negative)
    };
    let n: f64 = folds.iter().map(rarer).sum();
    level.alpha().powf(1.0 / n.max(1.0))
}

/// Held-out rows of a fold with the model that scores them.
struct HeldOutFold<'a> {
    model: &'a Model,
    fold: u64,
    dataset: Dataset,
    truth: Vec<bool>,
    auroc: f64,
}

impl<'a> HeldOutFold<'a> {
    fn of(rows: &DomainRows, model: &'a Model, fold: u32) -> Option<Self> {
        let held_out = rows.rows_of(|found| found == fold);
        let step = held_out.len().div_ceil(MOST_PERMUTED_ROWS).max(1);
        let held_out: Vec<u32> = held_out.into_iter().step_by(step).collect();
        let truth: Vec<bool> = held_out.iter().map(|&row| rows.is_of_population(row)).collect();
        let dataset = rows.dataset.take(&held_out);
        let auroc = auroc(model, &dataset, &truth)?;
        Some(HeldOutFold { model, fold: fold.into(), dataset, truth, auroc })
    }

    fn drop_of(&self, name: &str, seed: u64) -> Option<f64> {
        let mut order: Vec<u32> = (0..self.dataset.n_rows() as u32).collect();
        let tag = name.bytes().fold(0, |tag: u64, byte| tag.wrapping_mul(257).wrapping_add(byte.into()));
        Random::derived(seed, &[self.fold, tag]).shuffle(&mut order);
        let column = self.dataset.column(name)?;
        let permuted = Dataset::new(vec![column.clone()]).ok()?.take(&order);
        let replaced = |column: &Column| match column.name() == name {
            true => permuted.column(name).cloned(),
            false => Some(column.clone()),
        };
        let columns = self.dataset.columns().iter().map(replaced).collect::<Option<Vec<Column>>>()?;
        let permuted = Dataset::new(columns).ok()?;
        Some(self.auroc - auroc(self.model, &permuted, &self.truth)?)
    }
}

fn auroc(model: &Model, dataset: &Dataset, truth: &[bool]) -> Option<f64> {
    let rows: Vec<u32> = (0..dataset.n_rows() as u32).collect();
    let scores = model.posteriors(dataset, &rows).ok()?.scores();
    metrics::auroc(&Ranking::from_scores(truth, &scores).ok()?).ok()
}

fn drop_of(name: &str, folds: &[HeldOutFold<'_>], seed: u64) -> Option<AurocDrop> {
    let drops: Vec<f64> = folds.iter().filter_map(|fold| fold.drop_of(name, seed)).collect();
    if drops.is_empty() {
        return None;
    }
    let n = drops.len() as f64;
    let mean = drops.iter().sum::<f64>() / n;
    let squares: f64 = drops.iter().map(|drop| (drop - mean).powi(2)).sum();
    Some(AurocDrop { mean, sd: (squares / (n - 1.0).max(1.0)).sqrt() })
}
