//! The nearest of very many rows, without looking closely at all of them.
//!
//! Training rows are arranged in buckets of neighbours, each within a box. Rows to be judged are taken in the same order,
//! some at a time; they visit the buckets in the order of the distance between the boxes until no box can hold anybody near
//! enough. Within a bucket a filter in single precision rules out most rows (see [`filter`]); only for those that are left
//! is the distance computed as everywhere else. What is ruled out by either is farther away than enough others, beyond every
//! rounding error, so the votes are the same bits as without any of this. Rows that are equal are looked at once.
//!
//! Memory: half a copy of the training numbers, and per thread the candidates of 48 rows: two for each of the k, 16 bytes
//! each, four times as many where rows tie. A row that more are equally near to is judged by all distances.

mod arrange;
mod boxes;
mod candidates;
mod filter;
mod twins;

use std::ops::Range;

use rayon::prelude::*;

use self::arrange::arranged;
use self::boxes::{Box, slack_below};
use self::candidates::Candidates;
use self::filter::{Filter, TILE, Tile};
use self::twins::Twins;
use super::electorate::Electorate;
use super::field::elect_plainly;
use super::near::Ruler;
use super::points::{Points, squared_distance};
use super::voters::Voters;

/// Training rows in a bucket, at most.
const BUCKET: usize = 256;

/// Rows that are judged together.
const TOGETHER: usize = 4 * TILE;

/// With fewer training rows it is quicker to look at all.
const FEWEST_ROWS: usize = 2048;

/// Nor does it pay if more than one training row of so many votes.
const ROWS_PER_VOTE: f64 = 8.0;

/// Training rows in buckets.
#[derive(Clone, Debug)]
pub(super) struct Search {
    /// The training rows, bucket by bucket; of equal ones the first.
    order: Vec<u32>,
    twins: Option<Twins>,
    buckets: Vec<Bucket>,
    filter: Filter,
}

#[derive(Clone, Debug)]
struct Bucket {
    /// Places in the order.
    places: Range<usize>,
    around: Box,
    /// The largest square of the length of any row.
    longest: f64,
}

/// Who is asked about which rows.
#[derive(Clone, Copy)]
struct Inquiry<'a> {
    points: &'a Points,
    rows: &'a Points,
    election: &'a Electorate<'a>,
    /// The weights of those in the order.
    voters: &'a Voters,
}

impl Search {
    /// Whether it is quicker than looking at all training rows.
    pub(super) fn pays(n_rows: usize, election: &Electorate<'_>) -> bool {
        n_rows >= FEWEST_ROWS && election.most() * ROWS_PER_VOTE <= election.total
    }

    /// Arranges training rows; equal ones can only be taken together where nobody is kept from voting.
    pub(super) fn new(points: &Points, has_apart: bool) -> Search {
        let all = || (0..points.n_rows as u32).collect();
        let (rows, twins) = if has_apart { (all(), None) } else { Twins::of(points) };
        let (order, ranges) = arranged(points, rows, BUCKET);
        let bucket = |places: Range<usize>| {
            let rows = || order[places.clone()].iter().map(|&row| points.row(row as usize));
            let longest = rows().map(square_length).fold(0.0, f64::max);
            Bucket { around: Box::around(points.n_columns, rows()), longest, places: places.clone() }
        };
        // By one thread: others may be waiting for this, and would never be done if it waited for them.
        let buckets = ranges.into_iter().map(bucket).collect();
        Search { filter: Filter::new(points, &order), twins, buckets, order }
    }

    /// The shares of every row.
    pub(super) fn elect(&self, points: &Points, rows: &Points, election: &Electorate<'_>) -> Vec<f64> {
        debug_assert!(self.twins.is_none() || election.apart.is_none());
        let merged = self.twins.as_ref().map(|twins| twins.merged(election.voters, &self.order));
        let voters = merged.as_ref().unwrap_or(election.voters);
        let inquiry = Inquiry { points, rows, election, voters };
        let (order, _) = arranged(rows, (0..rows.n_rows as u32).collect(), TOGETHER);
        let found = order.par_chunks(TOGETHER).map(|together| self.elect_together(inquiry, together));
        let (found, n_shares): (Vec<Vec<f64>>, usize) = (found.collect(), election.n_shares());
        let mut shares = vec![0.0; rows.n_rows * n_shares];
        let of_rows = found.iter().flat_map(|found| found.chunks_exact(n_shares));
        for (&row, of_row) in order.iter().zip(of_rows) {
            shares[row as usize * n_shares..][..n_shares].copy_from_slice(of_row);
        }
        shares
    }

    /// The shares of rows that are near to each other, in their order.
    fn elect_together(&self, inquiry: Inquiry<'_>, together: &[u32]) -> Vec<f64> {
        let Inquiry { points, rows, election, .. } = inquiry;
        let mut ruler = Ruler::default();
        let asking = self.candidates(inquiry, together, &mut ruler);
        let n_shares = election.n_shares();
        let mut shares = vec![0.0; together.len() * n_shares];
        for (candidates, shares) in asking.into_iter().zip(shares.chunks_exact_mut(n_shares)) {
            let row = candidates.row;
            match candidates.settled(self.twins.as_ref()) {
                Some(found) => election.elect(row, found.iter().copied(), &mut ruler, shares),
                None => elect_plainly(points, rows, row, election, shares),
            }
        }
        shares
    }

    /// Everybody who may have a vote on some rows.
    fn candidates(&self, inquiry: Inquiry<'_>, together: &[u32], ruler: &mut Ruler) -> Vec<Candidates> {
        let Inquiry { rows, election, .. } = inquiry;
        let points_of =
            |together: &[u32]| together.iter().map(|&row| rows.row(row as usize)).collect::<Vec<_>>();
        let mut asking: Vec<Candidates> =
            together.iter().map(|&row| Candidates::new(row as usize, election)).collect();
        let mut tiles: Vec<Tile> =
            together.chunks(TILE).map(|tile| Tile::new(rows.n_columns, &points_of(tile))).collect();
        let around = Box::around(rows.n_columns, points_of(together).into_iter());
        for (apart, bucket) in self.by_distance(&around) {
            let limit = asking.iter().map(|candidates| candidates.limit).fold(0.0, f64::max);
            if slack_below(apart) > limit {
                break;
            }
            for (tile, asking) in tiles.iter_mut().zip(asking.chunks_mut(TILE)) {
                self.visit(bucket, tile, asking, inquiry, ruler);
            }
        }
        asking
    }

    /// The buckets, those that may hold the nearest first, with how far away they are at least.
    fn by_distance(&self, around: &Box) -> impl Iterator<Item = (f64, &Bucket)> {
        let mut buckets: Vec<(f64, &Bucket)> =
            self.buckets.iter().map(|bucket| (around.apart(&bucket.around), bucket)).collect();
        buckets.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.places.start.cmp(&b.1.places.start)));
        buckets.into_iter()
    }

    /// Looks for rows of a bucket that are near enough to the rows of a tile.
    fn visit(
        &self,
        bucket: &Bucket,
        tile: &mut Tile,
        asking: &mut [Candidates],
        Inquiry { points, rows, election, voters }: Inquiry<'_>,
        ruler: &mut Ruler,
    ) {
        let mut is_wanted = false;
        for (idx, candidates) in asking.iter().enumerate() {
            let apart = bucket.around.apart_from(rows.row(candidates.row));
            let is_open = slack_below(apart) <= candidates.limit;
            is_wanted |= is_open;
            tile.ask(idx, is_open.then_some(candidates.limit), bucket.longest);
        }
        if !is_wanted {
            return;
        }
        for (idx, place) in self.filter.pass(tile, bucket.places.clone()) {
            let (candidates, voter) = (&mut asking[idx], self.order[place]);
            if election.may_vote(candidates.row, voter) {
                let distance = squared_distance(rows.row(candidates.row), points.row(voter as usize));
                candidates.add((distance, voter), voters, ruler);
            }
        }
    }
}

/// The square of the length of a row.
fn square_length(row: &[f64]) -> f64 {
    row.iter().map(|value| value * value).sum()
}
