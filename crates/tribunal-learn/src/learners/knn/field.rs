//! Training rows among which neighbours are found, by whichever way is the shortest. All of them give the same bits.

use std::ops::Range;
use std::sync::OnceLock;

use rayon::prelude::*;
use serde::{Serialize, Serializer};

use super::blocks::{Blocks, PAIR};
use super::electorate::Electorate;
use super::near::{Found, Ruler};
use super::points::{Points, squared_distance};
use super::search::Search;
use super::voters::Voters;
use crate::posteriors::Posteriors;

/// Rows that one thread judges at a time.
const PIECE: usize = 32;

/// For fewer rows nothing is prepared.
const FEW_ROWS: usize = 16;

/// Training rows and what is made of them once, when it is first needed: at most one more copy of their numbers.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) points: Points,
    blocks: OnceLock<Blocks>,
    search: OnceLock<Search>,
}

impl PartialEq for Field {
    fn eq(&self, other: &Self) -> bool {
        self.points == other.points
    }
}

/// Only the points are stored; everything else follows from them.
impl Serialize for Field {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.points.serialize(serializer)
    }
}

impl Field {
    pub(super) fn new(points: Points) -> Self {
        Field { points, blocks: OnceLock::new(), search: OnceLock::new() }
    }

    /// What members that ask `ks` neighbours say of rows.
    pub(super) fn posteriors(&self, voters: &Voters, rows: &Points, ks: &[usize]) -> Vec<Posteriors> {
        let election = Electorate::new(voters, ks, None);
        let shares = self.elect(rows, std::slice::from_ref(&election)).remove(0);
        by_member(&shares, ks.len(), voters.n_classes)
    }

    /// The shares of every row in each election.
    pub(super) fn elect(&self, rows: &Points, elections: &[Electorate<'_>]) -> Vec<Vec<f64>> {
        if rows.n_rows <= FEW_ROWS {
            return elections.iter().map(|election| self.elect_few(rows, election)).collect();
        }
        if elections.iter().all(|election| Search::pays(self.points.n_rows, election)) {
            let has_apart = elections.iter().any(|election| election.apart.is_some());
            let search = self.search.get_or_init(|| Search::new(&self.points, has_apart));
            return elections.iter().map(|election| search.elect(&self.points, rows, election)).collect();
        }
        self.elect_all(rows, elections)
    }

    /// One row at a time, straight from the points.
    pub(super) fn elect_few(&self, rows: &Points, election: &Electorate<'_>) -> Vec<f64> {
        let mut shares = vec![0.0; rows.n_rows * election.n_shares()];
        for (row, shares) in shares.chunks_exact_mut(election.n_shares()).enumerate() {
            elect_plainly(&self.points, rows, row, election, shares);
        }
        shares
    }

    /// All distances, computed once for all elections.
    pub(super) fn elect_all(&self, rows: &Points, elections: &[Electorate<'_>]) -> Vec<Vec<f64>> {
        let blocks = self.blocks.get_or_init(|| Blocks::of(&self.points));
        let starts: Vec<usize> = (0..rows.n_rows).step_by(PIECE).collect();
        let piece =
            |start: &usize| elect_piece(blocks, rows, *start..(start + PIECE).min(rows.n_rows), elections);
        let of_pieces: Vec<Vec<Vec<f64>>> = starts.par_iter().map(piece).collect();
        let of_election = |idx: usize| of_pieces.iter().flat_map(|shares| &shares[idx]).copied().collect();
        (0..elections.len()).map(of_election).collect()
    }

    /// All training rows with their distances to a row.
    pub(super) fn around(&self, row: &[f64]) -> Vec<Found> {
        all_distances(&self.points, row, |_| true)
    }
}

/// The shares of a row by its distances to every training row.
pub(super) fn elect_plainly(
    points: &Points,
    rows: &Points,
    row: usize,
    election: &Electorate<'_>,
    shares: &mut [f64],
) {
    let found = all_distances(points, rows.row(row), |voter| election.may_vote(row, voter));
    election.elect(row, found.iter().copied(), &mut Ruler::default(), shares);
}

fn all_distances(points: &Points, row: &[f64], may_vote: impl Fn(u32) -> bool) -> Vec<Found> {
    let voters = (0..points.n_rows as u32).filter(|&voter| may_vote(voter));
    voters.map(|voter| (squared_distance(row, points.row(voter as usize)), voter)).collect()
}

fn elect_piece(
    blocks: &Blocks,
    rows: &Points,
    piece: Range<usize>,
    elections: &[Electorate<'_>],
) -> Vec<Vec<f64>> {
    let mut shares: Vec<Vec<f64>> =
        elections.iter().map(|election| vec![0.0; piece.len() * election.n_shares()]).collect();
    let (mut ruler, mut distances) = (Ruler::default(), [const { Vec::new() }; PAIR]);
    for first in piece.clone().step_by(PAIR) {
        let second = (first + 1).min(piece.end - 1);
        blocks.distances([rows.row(first), rows.row(second)], &mut distances);
        for (row, distances) in (first..=second).zip(&distances) {
            for (election, shares) in elections.iter().zip(&mut shares) {
                let all = distances.iter().copied().zip(0..);
                let found = all.filter(|(_, voter)| election.may_vote(row, *voter));
                let start = (row - piece.start) * election.n_shares();
                election.elect(row, found, &mut ruler, &mut shares[start..][..election.n_shares()]);
            }
        }
    }
    shares
}

/// Shares that stand row by row, member by member, for each member.
pub(super) fn by_member(shares: &[f64], n_members: usize, n_classes: usize) -> Vec<Posteriors> {
    let of_member = |member: usize| {
        let rows = shares.chunks_exact(n_members * n_classes);
        Posteriors::from_rows(n_classes, rows.map(|row| &row[member * n_classes..][..n_classes]))
    };
    (0..n_members).map(of_member).collect()
}
