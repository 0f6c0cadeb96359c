//! Training rows that may vote on a row, as far as they are known.

use crate::learners::knn::electorate::Electorate;
use crate::learners::knn::near::{Found, Ruler};
use crate::learners::knn::voters::Voters;

use super::twins::Twins;

/// So many times the rows that are kept at first are kept at most.
const MOST_KEPT: usize = 4;

/// The candidates of a row.
#[derive(Clone, Debug)]
pub(super) struct Candidates {
    pub(super) row: usize,
    found: Vec<Found>,
    /// With the weight of so many rows nobody farther away has a vote.
    enough: f64,
    /// Who is farther away has no vote.
    pub(super) limit: f64,
    /// So many are kept before those that are too far are sorted out.
    room: usize,
    most: usize,
}

impl Candidates {
    pub(super) fn new(row: usize, election: &Electorate<'_>) -> Self {
        let votes = election.votes(row).first().copied().unwrap_or_default();
        // Sums of broken weights depend on who is among them.
        let enough = if election.voters.weights.is_some() { votes * (1.0 + 1e-9) } else { votes };
        let room = 2 * votes as usize + 32;
        Candidates { row, found: Vec::new(), enough, limit: f64::INFINITY, room, most: MOST_KEPT * room }
    }

    pub(super) fn add(&mut self, candidate: Found, voters: &Voters, ruler: &mut Ruler) {
        if candidate.0 > self.limit {
            return;
        }
        self.found.push(candidate);
        if self.found.len() >= self.room {
            self.sort_out(voters, ruler);
        }
    }

    /// Keeps those that may have a vote, if there are enough.
    fn sort_out(&mut self, voters: &Voters, ruler: &mut Ruler) {
        let weight: f64 = self.found.iter().map(|&(_, voter)| voters.weight(voter)).sum();
        if weight >= self.enough {
            let border = ruler.borders(self.found.iter().copied(), &[self.enough], voters)[0];
            self.limit = border.farthest();
            self.found.retain(|(distance, _)| *distance <= self.limit);
        }
        self.room = self.room.max(2 * self.found.len());
        if self.room > self.most {
            // Nobody is nearer than this.
            (self.limit, self.found) = (f64::NEG_INFINITY, Vec::new());
        }
    }

    /// All that may have a vote, in the order of the rows; `None` if they were too many to be kept.
    pub(super) fn settled(self, twins: Option<&Twins>) -> Option<Vec<Found>> {
        if self.limit == f64::NEG_INFINITY {
            return None;
        }
        let mut found = match twins {
            Some(twins) => twins.all(&self.found),
            None => self.found,
        };
        found.sort_unstable_by_key(|&(_, voter)| voter);
        Some(found)
    }
}
