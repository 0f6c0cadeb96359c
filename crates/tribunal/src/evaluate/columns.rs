//! Columns of a batch without gaps; what is wrong with them is said with its place in the file.

use std::borrow::Cow;

use tribunal_eval::{InvalidSet, ScoredSet};
use tribunal_io::{Batch, Labels, Numbers};

use super::gather::{Layout, Rows};
use crate::error::Error;

/// The whole batch as a scored set; what is wrong is said with its place in the file.
pub(super) fn scored<'s>(
    rows: &'s Rows<'_>,
    scores: &'s [f64],
    layout: &Layout,
    at: usize,
) -> Result<ScoredSet<'s>, Error> {
    let placed = |column: usize| {
        move |error: InvalidSet| {
            let place = error
                .row()
                .map_or_else(|| rows.place.file().to_owned(), |row| rows.place.locate(row).to_string());
            let problem = match error {
                InvalidSet::NotFinite { value, .. } => format!("{value} is not a finite number"),
                InvalidSet::NegativeWeight { value, .. } => {
                    format!("{value} is negative; a weight must be 0 or more")
                }
                other => other.to_string(),
            };
            Error::data(format!("{place}, column \"{}\": {problem}", layout.name(column)))
        }
    };
    let mut set = ScoredSet::new(&rows.truth, scores).map_err(placed(at))?;
    if let (Some(weight), Some(column)) = (rows.weight, layout.weight) {
        set = set.with_weight(weight).map_err(placed(column))?;
    }
    if let (Some(amount), Some(column)) = (rows.amount.as_deref(), layout.amount) {
        set = set.with_amount(amount).map_err(placed(column))?;
    }
    Ok(set)
}

fn missing(batch: &Batch<'_>, row: usize, column: &str) -> Error {
    Error::data(format!(
        "{}, column \"{column}\": the value is missing; fill it in, or leave out the row or the column",
        batch.place.locate(row)
    ))
}

/// A column of numbers without gaps.
pub(super) fn complete<'b>(batch: &'b Batch<'_>, at: usize, column: &str) -> Result<&'b [f64], Error> {
    let Some(numbers) = batch.numbers(at) else { return Err(missing(batch, 0, column)) };
    match numbers.first_missing() {
        Some(row) => Err(missing(batch, row, column)),
        None => Ok(&numbers.values),
    }
}

/// A column of labels without gaps.
pub(crate) fn labelled<'b>(batch: &'b Batch<'_>, at: usize, column: &str) -> Result<&'b [u32], Error> {
    let Some(labels) = batch.labels(at) else { return Err(missing(batch, 0, column)) };
    match labels.codes.iter().position(|&code| code == Labels::MISSING) {
        Some(row) => Err(missing(batch, row, column)),
        None => Ok(&labels.codes),
    }
}

/// More models or folds than this are taken for a mistake: an id in the wrong place.
const MOST_GROUPS: usize = 1000;

/// A column of labels that names models or folds, of which there are not too many.
pub(super) fn few_labels<'b>(
    batch: &'b Batch<'_>,
    at: usize,
    column: &str,
    what: &str,
) -> Result<&'b [u32], Error> {
    let codes = labelled(batch, at, column)?;
    match batch.labels(at).map_or(0, |labels| labels.dictionary.len()) {
        n if n > MOST_GROUPS => Err(Error::usage(format!(
            "column \"{column}\" names more than {MOST_GROUPS} {what}s; is it the column of the {what}s?"
        ))),
        _ => Ok(codes),
    }
}

/// Amounts; a negative case without one is worth nothing.
pub(super) fn amounts<'b>(
    batch: &'b Batch<'_>,
    at: usize,
    truth: &[bool],
    column: &str,
) -> Result<Cow<'b, [f64]>, Error> {
    let Some(numbers) = batch.numbers(at) else { return Err(missing(batch, 0, column)) };
    if numbers.first_missing().is_none() {
        return Ok(Cow::Borrowed(&numbers.values));
    }
    let amount = |row: usize| Numbers::get(numbers, row).or((!truth[row]).then_some(0.0));
    (0..truth.len()).map(|row| amount(row).ok_or_else(|| missing(batch, row, column))).collect()
}
