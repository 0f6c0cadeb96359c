//! Gathers scored sets, batch by batch, into a ranking.

use super::chunks::{Part, ScoredChunks};
use super::pile::{Payload, Pile};
use super::side::Side;
use super::tally::Tally;
use super::{Mass, Ranking};
use crate::error::Error;
use crate::scored_set::{AmountsOf, ScoredSet};

/// A ranking may hold so many rows of one class.
pub(super) const MOST_ROWS: f64 = u32::MAX as f64;

/// Collects scored sets of any number and makes one [`Ranking`] of them.
///
/// The order of the batches does not matter for anything but the last bit of sums of tied amounts.
///
/// ```
/// use tribunal_eval::{RankingBuilder, ScoredSet};
///
/// let mut builder = RankingBuilder::default();
/// builder.push(&ScoredSet::new(&[true, false], &[0.9, 0.2])?)?;
/// builder.push(&ScoredSet::new(&[false], &[0.9])?)?;
/// let ranking = builder.finish()?;
/// assert_eq!((ranking.n_rows(), ranking.n_blocks()), (3.0, 2));
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct RankingBuilder {
    payload: Option<Payload>,
    tally: Tally,
    piles: Option<(Pile, Pile)>,
}

impl RankingBuilder {
    /// Rows that were counted by score.
    pub(super) fn of_tally(payload: Payload, tally: Tally) -> Self {
        Self { payload: Some(payload), tally, piles: None }
    }

    /// Adds a batch.
    pub fn push(&mut self, set: &ScoredSet<'_>) -> Result<(), Error> {
        self.absorb(ScoredChunks::of(set))
    }

    /// Adds a batch that was counted or split elsewhere. A batch comes to the same whichever way it is added.
    pub fn absorb(&mut self, chunks: ScoredChunks) -> Result<(), Error> {
        if *self.payload.get_or_insert(chunks.payload) != chunks.payload {
            return Err(Error::MixedColumns);
        }
        chunks.parts.into_iter().for_each(|part| self.absorb_part(part));
        Ok(())
    }

    /// Adds everything that another one gathered.
    pub fn merge(&mut self, other: Self) -> Result<(), Error> {
        let Some(payload) = other.payload else { return Ok(()) };
        if *self.payload.get_or_insert(payload) != payload {
            return Err(Error::MixedColumns);
        }
        self.tally.absorb(other.tally);
        if let Some((positives, negatives)) = other.piles {
            self.absorb_part(Part::Piled(positives, negatives));
        }
        Ok(())
    }

    fn absorb_part(&mut self, part: Part) {
        match (part, &mut self.piles) {
            (Part::Tallied(tally), _) => self.tally.absorb(tally),
            (Part::Piled(positives, negatives), None) => self.piles = Some((positives, negatives)),
            (Part::Piled(positives, negatives), Some((p, n))) => {
                p.append(positives);
                n.append(negatives);
            }
        }
    }

    /// Sorts what was gathered.
    pub fn finish(mut self) -> Result<Ranking, Error> {
        let amounts_of = self.payload.map_or(AmountsOf::Nobody, |payload| payload.amounts);
        let mut side = |positive: bool, has_amounts: bool| {
            let amounts = if has_amounts { self.tally.take_amounts(positive) } else { None };
            Side::of_groups(self.tally.groups(), |group| group.class(positive), amounts)
        };
        let mut positives = side(true, amounts_of != AmountsOf::Nobody);
        let mut negatives = side(false, amounts_of == AmountsOf::Everybody);
        if let Some((p, n)) = self.piles {
            let (p, n) = rayon::join(|| p.into_side(), || n.into_side());
            positives = positives.merge(p);
            negatives = negatives.merge(n);
        }
        check_rows([positives.total(), negatives.total()])?;
        Ok(Ranking::of_sides(positives, negatives, amounts_of))
    }
}

/// `Ok` where the rows of each class can be counted.
pub(super) fn check_rows(classes: [Mass; 2]) -> Result<(), Error> {
    if classes.iter().all(|class| class.rows <= MOST_ROWS) { Ok(()) } else { Err(Error::TooManyRows) }
}
