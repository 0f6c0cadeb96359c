//! An election: how the votes of the rows around a row become shares.

use super::near::{Border, Found, Ruler, Side};
use super::voters::Voters;

/// Who votes, how many votes are asked for, and who may not vote on which row.
#[derive(Clone, Debug)]
pub(super) struct Electorate<'a> {
    pub(super) voters: &'a Voters,
    /// How many neighbours each member asks.
    ks: Vec<f64>,
    /// The members, those that ask most first.
    order: Vec<usize>,
    /// The weight of those who vote on a row, at least.
    pub(super) total: f64,
    pub(super) apart: Option<Apart<'a>>,
}

/// Rows are not judged by those of their own fold.
#[derive(Clone, Debug)]
pub(super) struct Apart<'a> {
    /// The fold of each training row; [`NEVER`] if it has no vote at all.
    pub(super) of_voter: &'a [u32],
    /// The fold of each row that is judged.
    pub(super) of_row: &'a [u32],
    /// The weight of all rows outside of each fold.
    pub(super) totals: &'a [f64],
}

/// The fold of rows that never vote.
pub(super) const NEVER: u32 = u32::MAX;

impl<'a> Electorate<'a> {
    pub(super) fn new(voters: &'a Voters, ks: &[usize], apart: Option<Apart<'a>>) -> Self {
        let mut order: Vec<usize> = (0..ks.len()).collect();
        order.sort_by_key(|&member| std::cmp::Reverse(ks[member]));
        let ks = ks.iter().map(|&k| k as f64).collect();
        let total = match &apart {
            None => voters.total(),
            Some(apart) => apart.totals.iter().copied().fold(f64::INFINITY, f64::min),
        };
        Electorate { voters, ks, order, total, apart }
    }

    /// How many shares a row gets: one for each class, for each member.
    pub(super) fn n_shares(&self) -> usize {
        self.ks.len() * self.voters.n_classes
    }

    /// How many neighbours are asked at most.
    pub(super) fn most(&self) -> f64 {
        self.order.first().map_or(0.0, |&member| self.ks[member])
    }

    /// Whether a training row may vote on a row.
    #[inline]
    pub(super) fn may_vote(&self, row: usize, voter: u32) -> bool {
        self.apart.as_ref().is_none_or(|apart| {
            let fold = apart.of_voter[voter as usize];
            fold != apart.of_row[row] && fold != NEVER
        })
    }

    /// How many votes there are on a row, those that ask most first.
    pub(super) fn votes(&self, row: usize) -> Vec<f64> {
        let total = self.apart.as_ref().map_or(self.total, |apart| apart.totals[apart.of_row[row] as usize]);
        self.order.iter().map(|&member| self.ks[member].min(total)).collect()
    }

    /// The shares of a row, member by member, class by class. Of `found` nobody is missing who is as near as anybody who
    /// votes, and they stand in the order of the training rows, so that weights are always added in that order.
    pub(super) fn elect(
        &self,
        row: usize,
        found: impl Iterator<Item = Found> + Clone,
        ruler: &mut Ruler,
        shares: &mut [f64],
    ) {
        let votes = self.votes(row);
        let borders = ruler.borders(found.clone(), &votes, self.voters);
        let n_classes = self.voters.n_classes;
        let mut counts = Counts::new(borders.len(), n_classes);
        counts.add_all(found, &borders, self.voters);
        for (place, &member) in self.order.iter().enumerate() {
            counts.shares(place, votes[place], &mut shares[member * n_classes..][..n_classes]);
        }
    }
}

/// The votes of those nearer than each border, and of those as far, class by class.
struct Counts {
    n_classes: usize,
    nearer: Vec<f64>,
    tied: Vec<f64>,
}

impl Counts {
    fn new(n_borders: usize, n_classes: usize) -> Self {
        Counts { n_classes, nearer: vec![0.0; n_borders * n_classes], tied: vec![0.0; n_borders * n_classes] }
    }

    fn add_all(&mut self, found: impl Iterator<Item = Found>, borders: &[Border], voters: &Voters) {
        let farthest = borders.first().map_or(0.0, Border::farthest);
        for (distance, row) in found.filter(|(distance, _)| *distance <= farthest) {
            let (class, weight) = (voters.class(row), voters.weight(row));
            // Borders lie one within the other.
            for (idx, border) in borders.iter().enumerate() {
                match border.side(distance) {
                    Side::Nearer => self.nearer[idx * self.n_classes + class] += weight,
                    Side::Tied => self.tied[idx * self.n_classes + class] += weight,
                    Side::Beyond => break,
                }
            }
        }
    }

    fn shares(&self, border: usize, votes: f64, shares: &mut [f64]) {
        let of_border = border * self.n_classes..(border + 1) * self.n_classes;
        let (nearer, tied) = (&self.nearer[of_border.clone()], &self.tied[of_border]);
        let (left, n_tied) = (votes - nearer.iter().sum::<f64>(), tied.iter().sum::<f64>());
        for ((share, nearer), tied) in shares.iter_mut().zip(nearer).zip(tied) {
            // One division, so that equal shares are equal numbers. Weights that are no whole numbers may add up to a bit more.
            *share = ((nearer * n_tied + left * tied) / (n_tied * votes)).clamp(0.0, 1.0);
        }
    }
}
