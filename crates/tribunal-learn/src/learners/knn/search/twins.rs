//! Training rows that are equal: they are looked at once, and vote together.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use crate::learners::knn::near::Found;
use crate::learners::knn::points::Points;
use crate::learners::knn::voters::Voters;

/// For each row the next that is equal to it.
#[derive(Clone, Debug)]
pub(super) struct Twins {
    next: Vec<Option<u32>>,
}

impl Twins {
    /// The first of all rows that are equal, and who follows; every row by itself if none are equal.
    pub(super) fn of(points: &Points) -> (Vec<u32>, Option<Twins>) {
        let mut next = vec![None; points.n_rows];
        let mut order: Vec<(u64, u32)> =
            (0..points.n_rows as u32).map(|row| (hash(points, row), row)).collect();
        order.sort_unstable();
        let mut firsts = Vec::new();
        for run in order.chunk_by(|a, b| a.0 == b.0) {
            // The last of each row so far; but for the rarest chance there is only one.
            let mut lasts: Vec<u32> = Vec::new();
            for &(_, row) in run {
                match lasts.iter_mut().find(|last| is_equal(points, **last, row)) {
                    Some(last) => next[std::mem::replace(last, row) as usize] = Some(row),
                    None => {
                        lasts.push(row);
                        firsts.push(row);
                    }
                }
            }
        }
        firsts.sort_unstable();
        let has_twins = firsts.len() < points.n_rows;
        (firsts, has_twins.then_some(Twins { next }))
    }

    /// A row and all that are equal to it.
    fn from(&self, row: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(Some(row), |&row| self.next[row as usize])
    }

    /// Voters of whom the first of equals has the weight of all.
    pub(super) fn merged(&self, voters: &Voters, firsts: &[u32]) -> Voters {
        let mut weights = vec![0.0; self.next.len()];
        for &row in firsts {
            weights[row as usize] = self.from(row).map(|row| voters.weight(row)).sum();
        }
        Voters { n_classes: voters.n_classes, classes: Vec::new(), weights: Some(weights) }
    }

    /// All rows that are as far away as the first of them.
    pub(super) fn all(&self, found: &[Found]) -> Vec<Found> {
        let all = |&(distance, row): &Found| self.from(row).map(move |row| (distance, row));
        found.iter().flat_map(all).collect()
    }
}

fn hash(points: &Points, row: u32) -> u64 {
    let mut hasher = FxHasher::default();
    points.row(row as usize).iter().for_each(|value| hasher.write_u64(value.to_bits()));
    hasher.finish()
}

fn is_equal(points: &Points, a: u32, b: u32) -> bool {
    points.row(a as usize) == points.row(b as usize)
}
