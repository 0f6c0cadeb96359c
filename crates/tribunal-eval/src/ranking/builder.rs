//! Gathers scored sets, batch by batch, into a ranking.

use thiserror::Error;

use super::chunks::{Part, ScoredChunks};
use super::pile::{Payload, Pile};
use super::side::Side;
use super::tally::Tally;
use super::{Mass, Ranking};
use crate::scored_set::ScoredSet;

/// A ranking may hold so many rows of one class.
const MOST_ROWS: f64 = u32::MAX as f64;

/// Why batches do not make a ranking.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum CannotRank {
    /// One batch has weights or amounts and another has not.
    #[error("some batches have weights or amounts and others have not")]
    MixedColumns,
    /// There are more rows than positions can count.
    #[error("one class has more than 4,294,967,295 rows")]
    TooManyRows,
}

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
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct RankingBuilder {
    payload: Option<Payload>,
    tally: Tally,
    piles: Option<(Pile, Pile)>,
}

impl RankingBuilder {
    /// Adds a batch.
    pub fn push(&mut self, set: &ScoredSet<'_>) -> Result<(), CannotRank> {
        self.absorb(ScoredChunks::of(set))
    }

    /// Adds a batch that was counted or split elsewhere. A batch comes to the same whichever way it is added.
    pub fn absorb(&mut self, chunks: ScoredChunks) -> Result<(), CannotRank> {
        if *self.payload.get_or_insert(chunks.payload) != chunks.payload {
            return Err(CannotRank::MixedColumns);
        }
        chunks.parts.into_iter().for_each(|part| self.absorb_part(part));
        Ok(())
    }

    /// Adds everything that another one gathered.
    pub fn merge(&mut self, other: Self) -> Result<(), CannotRank> {
        let Some(payload) = other.payload else { return Ok(()) };
        if *self.payload.get_or_insert(payload) != payload {
            return Err(CannotRank::MixedColumns);
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
    pub fn finish(self) -> Result<Ranking, CannotRank> {
        let groups = self.tally.groups();
        let has_amounts = self.payload.is_some_and(|payload| payload.amount);
        let mut positives = Side::of_groups(groups, |group| group.class(true));
        let mut negatives = Side::of_groups(groups, |group| group.class(false));
        if let Some((p, n)) = self.piles {
            let (p, n) = rayon::join(|| p.into_side(), || n.into_side());
            positives = positives.merge(p);
            negatives = negatives.merge(n);
        }
        let within = |mass: Mass| mass.rows <= MOST_ROWS;
        if within(positives.total()) && within(negatives.total()) {
            Ok(Ranking::of_sides(positives, negatives, has_amounts))
        } else {
            Err(CannotRank::TooManyRows)
        }
    }
}
