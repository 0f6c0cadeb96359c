//! Choosing settings by cross-validation inside the training rows.
//!
//! It needs a learner and a metric, and this is the crate that knows both. All candidates meet the same inner folds, and the
//! work that they share is done once. What each of them came to is kept in a [`TuningCurve`], so that a reader sees whether
//! the choice was close and whether the grid went far enough.
//!
//! **Definition** The value of a candidate is the mean of the metric over the inner folds where it has one; its standard
//! error is the deviation of these values over the root of their number. The best candidate is chosen, the first of equals;
//! or, by the rule of one standard error, the first in the order of the grid that lies within one standard error of the best.
//!
//! **Undefined when** every candidate fails, or the metric has no value on any inner fold.
//!
//! **Reference** Breiman, Friedman, Olshen and Stone 1984 (one standard error); Varma and Simon 2006 (inner folds).

mod choice;
mod curve;
mod inside;
mod judge;
mod options;
#[cfg(test)]
mod tests;

use tribunal_learn::{Dataset, Folds, Learner, Target};

use self::choice::Choice;
use self::inside::Inside;
use self::judge::Judge;
use crate::error::Error;
use crate::resampling::{InnerPlan, LabelColumn};

pub use curve::{TunedCandidate, TuningCurve};
pub use options::{TuneOptions, TuneRule};

/// A learner with nothing left to choose.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuned {
    /// The learner.
    pub learner: Learner,
    /// What was tried; nothing where there was no choice.
    pub curve: Option<TuningCurve>,
}

impl Tuned {
    fn settled(learner: &Learner) -> Self {
        Tuned { learner: learner.clone(), curve: None }
    }
}

/// The candidate of a learner that does best on inner folds that share classes alike. A learner with nothing to tune is
/// returned as it is, and the first candidate where rows of two classes are lacking. With more than two classes a metric is
/// the mean over the classes, each against all others; `pcc` and `error_rate` count the most probable class.
///
/// ```
/// use tribunal::claims::{ClaimsRequest, TARGETS, generate};
/// use tribunal::{TuneOptions, tune};
///
/// let claims = generate(&ClaimsRequest { rows: 300, seed: 1 })?.dataset(&TARGETS[1])?;
/// let rows: Vec<u32> = (0..300).collect();
/// let tuned = tune(&"nb:{0,5,25}".parse()?, &claims, &rows, &TuneOptions::by("log_loss")?)?;
/// let curve = tuned.curve.expect("three candidates");
/// assert_eq!((curve.metric.as_str(), curve.folds, curve.candidates.len()), ("log_loss", 10, 3));
/// assert_eq!(curve.chosen().map(|chosen| chosen.learner.clone()), Some(tuned.learner.to_string()));
/// # Ok::<(), tribunal::Error>(())
/// ```
///
/// # Errors
/// The metric cannot be had from held-out scores, no candidate can learn from the rows, or none has a value.
pub fn tune(
    learner: &Learner,
    dataset: &Dataset,
    rows: &[u32],
    options: &TuneOptions,
) -> Result<Tuned, Error> {
    let rows = counting_rows(dataset, rows);
    let Some(candidates) = learner.candidates(rows.len()) else { return Ok(Tuned::settled(learner)) };
    options.check()?;
    let first = candidates.first().unwrap_or(learner);
    let target = dataset.target().filter(|target| has_two_classes(target, &rows));
    let Some(target) = target.filter(|_| candidates.len() > 1) else { return Ok(Tuned::settled(first)) };
    let classes = LabelColumn::of_target(target);
    let n_rows = rows.len();
    let plan = InnerPlan::of_at_most(options.folds, rows, Some(&classes), options.seed)?;
    let Some(fold_of_row) = plan.plan().fold_of_row(0) else { return Ok(Tuned::settled(first)) };
    let folds = Folds::new(plan.rows(), &fold_of_row)?;
    let inside = Inside { dataset, folds: &folds, seed: options.seed };
    let judge = Judge::new(options.metric, dataset, target, &plan);
    let results = inside.judged(&candidates, &judge);
    let choice = Choice::of(&results, options).map_err(|lack| lack.error(learner, options))?;
    let warnings = choice.warnings(&candidates, |best| learner.grid_edges(best, n_rows));
    Ok(Tuned {
        learner: candidates[choice.chosen].clone(),
        curve: Some(choice.curve(learner, options, plan.n_splits(), results, warnings)),
    })
}

/// The rows that count: one without weight is as good as absent.
fn counting_rows(dataset: &Dataset, rows: &[u32]) -> Vec<u32> {
    let counts = |row: &u32| dataset.weights().is_none_or(|weights| weights[*row as usize] > 0.0);
    rows.iter().copied().filter(counts).collect()
}

/// Whether at least two classes are there: without them every model says the same.
fn has_two_classes(target: &Target, rows: &[u32]) -> bool {
    let class = |row: &u32| target.codes()[*row as usize];
    rows.first().is_some_and(|first| rows.iter().any(|row| class(row) != class(first)))
}
