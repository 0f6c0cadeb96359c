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
mod judge;
mod options;
mod search;
#[cfg(test)]
mod tests;

use tribunal_learn::{Dataset, Learner, Target};

use self::search::{Inside, Search};
use crate::error::Error;

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
    let part = TrainingPart { rows: rows.to_vec(), seed: options.seed };
    tune_each(learner, dataset, &[part], options).remove(0)
}

/// Rows to choose settings on.
#[derive(Clone, Debug)]
pub struct TrainingPart {
    /// The rows.
    pub rows: Vec<u32>,
    /// The seed of their inner folds and of what candidates draw.
    pub seed: u64,
}

/// [`tune`] for several training parts of a table, as those of the folds of a cross-validation. What comes of each is the
/// same as if it were alone; learners that can share work between parts do so.
pub fn tune_each(
    learner: &Learner,
    dataset: &Dataset,
    parts: &[TrainingPart],
    options: &TuneOptions,
) -> Vec<Result<Tuned, Error>> {
    parts.chunks(PARTS_AT_ONCE).flat_map(|parts| tune_some(learner, dataset, parts, options)).collect()
}

/// More parts at once share no more, and take up memory.
const PARTS_AT_ONCE: usize = 32;

/// A part whose learner is settled, or that is to be searched.
enum Prepared {
    Settled(Learner),
    Open(Box<Inside>),
}

fn tune_some(
    learner: &Learner,
    dataset: &Dataset,
    parts: &[TrainingPart],
    options: &TuneOptions,
) -> Vec<Result<Tuned, Error>> {
    let measure = options.measure(learner);
    let search = dataset.target().map(|target| Search { learner, dataset, target, measure, options });
    let (mut open, mut settled) = (Vec::new(), Vec::with_capacity(parts.len()));
    for part in parts {
        settled.push(match prepare(search.as_ref(), learner, dataset, part, options) {
            Ok(Prepared::Open(inside)) => {
                open.push(*inside);
                None
            }
            Ok(Prepared::Settled(learner)) => Some(Ok(Tuned { learner, curve: None })),
            Err(error) => Some(Err(error)),
        });
    }
    let searched = search.map_or_else(Vec::new, |search| search.run(open));
    let mut searched = searched.into_iter();
    settled.into_iter().filter_map(|settled| settled.or_else(|| searched.next())).collect()
}

/// What there is to search in a part.
fn prepare(
    search: Option<&Search<'_>>,
    learner: &Learner,
    dataset: &Dataset,
    part: &TrainingPart,
    options: &TuneOptions,
) -> Result<Prepared, Error> {
    let rows = counting_rows(dataset, &part.rows);
    let Some(candidates) = learner.candidates(rows.len()) else {
        return Ok(Prepared::Settled(learner.clone()));
    };
    options.check()?;
    let first = candidates.first().unwrap_or(learner).clone();
    let search = search.filter(|search| candidates.len() > 1 && has_two_classes(search.target, &rows));
    let Some(search) = search else { return Ok(Prepared::Settled(first)) };
    let inside = search.inside(rows, part.seed, candidates)?;
    Ok(inside.map_or(Prepared::Settled(first), |inside| Prepared::Open(Box::new(inside))))
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
