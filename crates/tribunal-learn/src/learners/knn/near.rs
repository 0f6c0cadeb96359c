//! How far the k-th of some training rows is, and who is nearer.

use super::voters::Voters;

/// A training row with its distance.
pub(super) type Found = (f64, u32);

/// How far the k-th row is, and what is as far as that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Border {
    pub(super) distance: f64,
    tolerance: f64,
}

/// Where a row stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Nearer,
    Tied,
    Beyond,
}

/// Distances that differ by less, as a share of the larger of one and the distance of the k-th row, are the same.
const TOLERANCE: f64 = 1e-9;

impl Border {
    pub(super) fn at(distance: f64) -> Border {
        Border { distance, tolerance: TOLERANCE * distance.max(1.0) }
    }

    #[inline]
    pub(super) fn side(&self, distance: f64) -> Side {
        match distance - self.distance {
            difference if difference.abs() <= self.tolerance => Side::Tied,
            difference if difference < 0.0 => Side::Nearer,
            _ => Side::Beyond,
        }
    }

    /// No row that votes is farther.
    pub(super) fn farthest(&self) -> f64 {
        // Rounded up: the sum may be a bit below a distance whose difference is within the tolerance.
        (self.distance + self.tolerance).next_up()
    }
}

/// Room to put distances in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Ruler {
    keys: Vec<u64>,
    sorted: Vec<Found>,
}

impl Ruler {
    /// The borders of several numbers of votes, the largest first, among rows that have as many votes.
    pub(super) fn borders(
        &mut self,
        found: impl Iterator<Item = Found>,
        votes: &[f64],
        voters: &Voters,
    ) -> Vec<Border> {
        debug_assert!(votes.is_sorted_by(|a, b| a >= b));
        let distances = match voters.weights {
            None => self.by_count(found, votes),
            Some(_) => self.by_weight(found, votes, voters),
        };
        distances.into_iter().map(Border::at).collect()
    }

    /// The distances of the rows with these numbers, the farthest first. Each is looked for among those before it.
    fn by_count(&mut self, found: impl Iterator<Item = Found>, votes: &[f64]) -> Vec<f64> {
        self.keys.clear();
        // Numbers that are not negative are in the order of their bits.
        self.keys.extend(found.map(|(distance, _)| distance.to_bits()));
        let mut among = &mut self.keys[..];
        let mut distance = |&votes: &f64| {
            let place = (votes as usize).min(among.len()).saturating_sub(1);
            let (before, &mut found, _) = std::mem::take(&mut among).select_nth_unstable(place);
            among = before;
            f64::from_bits(found)
        };
        let mut distances: Vec<f64> = Vec::with_capacity(votes.len());
        for (idx, asked) in votes.iter().enumerate() {
            let is_same = idx > 0 && votes[idx - 1] == *asked;
            distances.push(if is_same { distances[idx - 1] } else { distance(asked) });
        }
        distances
    }

    /// The distances at which the weight of the rows so far reaches these numbers of votes.
    fn by_weight(&mut self, found: impl Iterator<Item = Found>, votes: &[f64], voters: &Voters) -> Vec<f64> {
        self.sorted.clear();
        self.sorted.extend(found);
        let (mut n_sorted, mut place, mut weight, mut distance) = (0, 0, 0.0, 0.0);
        let mut distances = vec![0.0; votes.len()];
        for (idx, &asked) in votes.iter().enumerate().rev() {
            while weight < asked && place < self.sorted.len() {
                if place == n_sorted {
                    n_sorted = sort_some_more(&mut self.sorted, n_sorted);
                }
                let (nearest, row) = self.sorted[place];
                (weight, distance, place) = (weight + voters.weight(row), nearest, place + 1);
            }
            distances[idx] = distance;
        }
        distances
    }
}

/// Puts the next rows in order: as many as are in order already, and some.
fn sort_some_more(rows: &mut [Found], n_sorted: usize) -> usize {
    let order = |a: &Found, b: &Found| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    let n_next = (2 * n_sorted + 64).min(rows.len());
    let rest = &mut rows[n_sorted..];
    let n_more = n_next - n_sorted;
    if n_more < rest.len() {
        rest.select_nth_unstable_by(n_more, order);
    }
    rest[..n_more].sort_unstable_by(order);
    n_next
}
