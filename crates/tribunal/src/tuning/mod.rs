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
    let part = TrainingPart { rows: rows.to_vec(), seed: options.seed, target: None };
    tune_each(learner, dataset, &[part], options).remove(0)
}

/// Rows to choose settings on.
#[derive(Clone, Debug)]
pub struct TrainingPart<'a> {
    /// The rows.
    pub rows: Vec<u32>,
    /// The seed of their inner folds and of what candidates draw.
    pub seed: u64,
    /// The classes of all rows of the table; `None` for the target of the data set.
    pub target: Option<&'a Target>,
}

/// [`tune`] for several training parts of a table, as those of the folds of a cross-validation, each of any target. What
/// comes of each is the same as if it were alone; learners that can share work between parts and targets do so.
pub fn tune_each(
    learner: &Learner,
    dataset: &Dataset,
    parts: &[TrainingPart<'_>],
    options: &TuneOptions,
) -> Vec<Result<Tuned, Error>> {
    parts.chunks(PARTS_AT_ONCE).flat_map(|parts| tune_some(learner, dataset, parts, options)).collect()
}

/// So many parts are worked on together: ten folds of each of six targets. More would share no more, and take up memory.
pub(crate) const PARTS_AT_ONCE: usize = 64;

/// A part whose learner is settled, or that is to be searched.
enum Prepared<'a> {
    Settled(Learner),
    Open(Box<Inside<'a>>),
}

fn tune_some(
    learner: &Learner,
    dataset: &Dataset,
    parts: &[TrainingPart<'_>],
    options: &TuneOptions,
) -> Vec<Result<Tuned, Error>> {
    let search = Search { learner, dataset, measure: options.measure(learner), options };
    let (mut open, mut settled) = (Vec::new(), Vec::with_capacity(parts.len()));
    for part in parts {
        settled.push(match prepare(&search, part) {
            Ok(Prepared::Open(inside)) => {
                open.push(*inside);
                None
            }
            Ok(Prepared::Settled(learner)) => Some(Ok(Tuned { learner, curve: None })),
            Err(error) => Some(Err(error)),
        });
    }
    let mut searched = search.run(open).into_iter();
    settled.into_iter().filter_map(|settled| settled.or_else(|| searched.next())).collect()
}

/// What there is to search in a part.
fn prepare<'a>(search: &Search<'a>, part: &TrainingPart<'a>) -> Result<Prepared<'a>, Error> {
    let Search { learner, dataset, .. } = *search;
    let rows = counting_rows(dataset, &part.rows);
    let Some(candidates) = learner.candidates(rows.len()) else {
        return Ok(Prepared::Settled(learner.clone()));
    };
    search.options.check()?;
    let first = candidates.first().unwrap_or(learner).clone();
    let target = part.target.or(dataset.target());
    target.map_or(Ok(()), |target| check_length(target, dataset))?;
    let target = target.filter(|target| candidates.len() > 1 && has_two_classes(target, &rows));
    let Some(target) = target else { return Ok(Prepared::Settled(first)) };
    let inside = search.inside(target, rows, part.seed, candidates)?;
    Ok(inside.map_or(Prepared::Settled(first), |inside| Prepared::Open(Box::new(inside))))
}

/// The rows that count: one without weight is as good as absent.
fn counting_rows(dataset: &Dataset, rows: &[u32]) -> Vec<u32> {
    let counts = |row: &u32| dataset.weights().is_none_or(|weights| weights[*row as usize] > 0.0);
    rows.iter().copied().filter(counts).collect()
}

/// Checks that a target is one of the rows of a table.
///
/// # Errors
/// It has another number of rows.
fn check_length(target: &Target, dataset: &Dataset) -> Result<(), Error> {
    let (n_codes, n_rows) = (target.codes().len(), dataset.n_rows());
    match n_codes == n_rows {
        true => Ok(()),
        false => Err(Error::data(format!(
            "the target \"{}\" is one of {n_codes} rows and the data have {n_rows}; make it of the same table",
            target.name()
        ))),
    }
}

/// Whether at least two classes are there: without them every model says the same.
fn has_two_classes(target: &Target, rows: &[u32]) -> bool {
    let class = |row: &u32| target.codes()[*row as usize];
    rows.first().is_some_and(|first| rows.iter().any(|row| class(row) != class(first)))
}
