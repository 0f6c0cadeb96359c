//! Checks that models in long form speak of the same cases.

use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::message::{Message, Setting};

/// What one model says of the cases: how many there are, how many positive, and by id if there are ids.
#[derive(Debug, Default)]
pub(super) struct Cases {
    pub(super) rows: u64,
    pub(super) positives: u64,
    /// Whether the case of an id is positive.
    by_id: FxHashMap<u32, bool>,
}

impl Cases {
    /// Counts cases.
    pub(super) fn pass(&mut self, [negatives, positives]: [u64; 2]) {
        self.rows += negatives + positives;
        self.positives += positives;
    }

    /// Takes over other cases, whose ids are renumbered; the first that is there already is returned.
    pub(super) fn merge(&mut self, other: Self, ids: &[u32]) -> Option<u32> {
        self.pass([other.rows - other.positives, other.positives]);
        let renumbered =
            |(id, positive): (u32, bool)| (ids.get(id as usize).copied().unwrap_or(id), positive);
        let known =
            other.by_id.into_iter().map(renumbered).filter(|&(id, positive)| !self.add_id(id, positive));
        known.map(|(id, _)| id).min()
    }

    /// Notes the id of a case; `false` if the model had it already.
    pub(super) fn add_id(&mut self, id: u32, positive: bool) -> bool {
        self.by_id.insert(id, positive).is_none()
    }
}

/// Refuses models whose rows differ.
pub(super) fn same_cases(models: &[(String, Cases)], id_name: impl Fn(u32) -> String) -> Result<(), Error> {
    let Some(((first, reference), others)) = models.split_first() else { return Ok(()) };
    for (name, cases) in others {
        same_ids(first, reference, name, cases, &id_name)?;
        if (cases.rows, cases.positives) != (reference.rows, reference.positives) {
            let message = format!(
                "the models have different rows: \"{first}\" has {} ({} positive), \"{name}\" has {} ({} positive); \
                 models are compared on the same cases only. Name the column that identifies a case with ",
                reference.rows, reference.positives, cases.rows, cases.positives
            );
            let message = Message::from(message).setting(Setting::Id).text(" to see which differ");
            return Err(Error::data(message));
        }
    }
    Ok(())
}

fn same_ids(
    first: &str,
    reference: &Cases,
    name: &str,
    cases: &Cases,
    id_name: &impl Fn(u32) -> String,
) -> Result<(), Error> {
    let missing = |of: &Cases, from: &Cases| {
        // The smallest code is the id that the files mention first.
        of.by_id.keys().filter(|id| !from.by_id.contains_key(id)).min().copied()
    };
    if let Some(id) = missing(reference, cases) {
        return Err(different(id_name(id), first, name));
    }
    if let Some(id) = missing(cases, reference) {
        return Err(different(id_name(id), name, first));
    }
    let contradicted = reference.by_id.iter().filter(|(id, truth)| cases.by_id.get(id) != Some(truth));
    match contradicted.map(|(id, _)| *id).min() {
        Some(id) => Err(Error::data(format!(
            "the truth of case \"{}\" differs between \"{first}\" and \"{name}\"",
            id_name(id)
        ))),
        None => Ok(()),
    }
}

fn different(id: String, has: &str, lacks: &str) -> Error {
    Error::data(format!(
        "the models have different rows: case \"{id}\" is scored by \"{has}\" but not by \"{lacks}\"; \
         models are compared on the same cases only"
    ))
}
