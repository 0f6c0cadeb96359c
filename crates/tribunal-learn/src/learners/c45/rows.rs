//! The rows of a node, and how a test divides them.
//!
//! Rows that never lacked a tested value stand in a range of one index, which every split orders anew in place; the
//! others are there in part, in lists with a share that siblings have in common.

use std::sync::Arc;

use super::cases::{Cases, Cell, Cells};
use super::tree::{Test, Tree, Way};
use super::weights::{Once, Weigh};
use crate::column::MISSING;

/// The rows of a node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    /// The range of the index that holds whole rows.
    start: usize,
    end: usize,
    parts: Vec<Part>,
}

/// Rows of which a node has the same share.
#[derive(Clone, Debug)]
struct Part {
    rows: Arc<[u32]>,
    factor: f64,
}

/// The rows of a node that take a branch.
#[derive(Debug)]
pub(crate) struct BranchRows {
    pub(crate) code: u32,
    /// The weight of those whose value is known.
    pub(crate) known: f64,
    pub(crate) rows: Rows,
}

impl Rows {
    pub(crate) fn all(n_rows: usize) -> Self {
        Rows { start: 0, end: n_rows, parts: Vec::new() }
    }

    /// How many rows there are, in whole or in part.
    pub(crate) fn n_entries(&self) -> usize {
        self.end - self.start + self.parts.iter().map(|part| part.rows.len()).sum::<usize>()
    }

    /// Rows with the share of each that is here.
    pub(crate) fn segments<'a>(&'a self, index: &'a [u32]) -> impl Iterator<Item = (&'a [u32], f64)> {
        let whole = (&index[self.start..self.end], 1.0);
        std::iter::once(whole).chain(self.parts.iter().map(|part| (&part.rows[..], part.factor)))
    }

    /// Adds the weight of each class to `weights`.
    pub(crate) fn add_classes<W: Weigh>(&self, cases: &Cases, index: &[u32], weigh: &W, weights: &mut [f64]) {
        let mut counts = vec![W::Sum::default(); weights.len()];
        for (rows, factor) in self.segments(index) {
            rows.iter().for_each(|&row| counts[cases.classes[row as usize] as usize] += weigh.weight(row));
            for (weight, count) in weights.iter_mut().zip(&mut counts) {
                *weight += std::mem::take(count).into() * factor;
            }
        }
    }

    /// The rows of each branch of a test that any row with a known value takes, by rising code; the others take all of
    /// these branches, by their share of what is known.
    pub(crate) fn split<W: Weigh>(
        &self,
        cases: &Cases,
        test: &Test,
        index: &mut Index,
        weigh: &W,
    ) -> Vec<BranchRows> {
        let Some((column, routing)) = cases.routing(test) else { return Vec::new() };
        let n_branches = routing.n_branches;
        match &column.cells {
            Cells::Narrow(cells) => {
                let branches: [u32; 256] = routing.of_narrow_cells();
                self.divide(index, weigh, n_branches, |row| branches[cells[row as usize].place()])
            }
            Cells::Middle(cells) => {
                self.divide(index, weigh, n_branches, |row| routing.branch(cells[row as usize].place()))
            }
            Cells::Wide(cells) => {
                self.divide(index, weigh, n_branches, |row| routing.branch(cells[row as usize].place()))
            }
        }
    }

    /// All rows that are here, and the same numbered by their place in that list.
    pub(crate) fn renumbered(&self, index: &[u32]) -> (Vec<u32>, Rows) {
        let listed: Vec<u32> = self.segments(index).flat_map(|(rows, _)| rows.iter().copied()).collect();
        let mut end = (self.end - self.start) as u32;
        let mut rows = Rows::all(end as usize);
        for part in &self.parts {
            let start = end;
            end += part.rows.len() as u32;
            rows.parts.push(Part { rows: (start..end).collect(), factor: part.factor });
        }
        (listed, rows)
    }

    fn divide<W: Weigh>(
        &self,
        index: &mut Index,
        weigh: &W,
        n_codes: usize,
        code: impl Fn(u32) -> u32,
    ) -> Vec<BranchRows> {
        let mut branches = Branches { weigh, known: Vec::new(), unknown: Vec::new() };
        for (code, start, end) in index.order(self.start, self.end, n_codes, &code) {
            branches.add(code, &index.rows[start..end], 1.0, Rows { start, end, parts: Vec::new() });
        }
        for part in &self.parts {
            let mut rows = part.rows.to_vec();
            rows.sort_by_key(|&row| code(row));
            for run in rows.chunk_by(|&a, &b| code(a) == code(b)) {
                let part = Part { rows: run.into(), factor: part.factor };
                branches.add(code(run[0]), run, part.factor, Rows { start: 0, end: 0, parts: vec![part] });
            }
        }
        branches.finish()
    }
}

/// Branches that are being gathered.
struct Branches<'a, W> {
    weigh: &'a W,
    known: Vec<BranchRows>,
    unknown: Vec<Part>,
}

impl<W: Weigh> Branches<'_, W> {
    fn add(&mut self, code: u32, run: &[u32], factor: f64, mut rows: Rows) {
        if code == MISSING {
            self.unknown.push(Part { rows: run.into(), factor });
            return;
        }
        let mut sum = W::Sum::default();
        run.iter().for_each(|&row| sum += self.weigh.weight(row));
        let known = sum.into() * factor;
        match self.known.binary_search_by_key(&code, |branch| branch.code) {
            Ok(at) => {
                self.known[at].known += known;
                self.known[at].rows.parts.append(&mut rows.parts);
            }
            Err(at) => self.known.insert(at, BranchRows { code, known, rows }),
        }
    }

    fn finish(mut self) -> Vec<BranchRows> {
        let total: f64 = self.known.iter().map(|branch| branch.known).sum();
        for branch in &mut self.known {
            let share = branch.known / total;
            let taken = |part: &Part| Part { rows: Arc::clone(&part.rows), factor: part.factor * share };
            branch.rows.parts.extend(self.unknown.iter().map(taken));
        }
        self.known
    }
}

/// The whole rows of a sample in the order of the leaves that they come to.
pub(crate) fn in_leaf_order(tree: &Tree, cases: &Cases, rows: &[u32]) -> Vec<u32> {
    let mut index = Index::new(rows.to_vec());
    let mut stack = vec![(0, Rows::all(rows.len()))];
    while let Some((node, rows)) = stack.pop() {
        let branches = rows.split(cases, &tree.nodes[node].test, &mut index, &Once);
        for branch in branches {
            if let Way::To(child) = tree.child(node, branch.code) {
                stack.push((child, Rows { parts: Vec::new(), ..branch.rows }));
            }
        }
    }
    index.rows
}

/// The rows in the order of the nodes that hold them.
#[derive(Debug)]
pub(crate) struct Index {
    pub(crate) rows: Vec<u32>,
    /// Room for rows with their codes.
    spare: Vec<(u32, u32)>,
    places: Vec<u32>,
}

impl Index {
    pub(crate) fn new(rows: Vec<u32>) -> Self {
        Index { rows, spare: Vec::new(), places: Vec::new() }
    }

    /// Orders a range by code, otherwise as it was, and says where each code that occurs starts and ends; what is missing
    /// comes last.
    fn order(
        &mut self,
        start: usize,
        end: usize,
        n_codes: usize,
        code: impl Fn(u32) -> u32,
    ) -> Vec<(u32, usize, usize)> {
        if n_codes > end - start { self.sort(start, end, code) } else { self.deal(start, end, n_codes, code) }
    }

    fn sort(&mut self, mut start: usize, end: usize, code: impl Fn(u32) -> u32) -> Vec<(u32, usize, usize)> {
        let rows = &mut self.rows[start..end];
        rows.sort_by_key(|&row| code(row));
        let run = |run: &[u32]| {
            let from = start;
            start += run.len();
            (code(run[0]), from, start)
        };
        rows.chunk_by(|&a, &b| code(a) == code(b)).map(run).collect()
    }

    fn deal(
        &mut self,
        start: usize,
        end: usize,
        n_codes: usize,
        code: impl Fn(u32) -> u32,
    ) -> Vec<(u32, usize, usize)> {
        let last = n_codes as u32;
        self.spare.clear();
        self.spare.extend(self.rows[start..end].iter().map(|&row| (row, code(row).min(last))));
        self.places.clear();
        self.places.resize(n_codes + 2, 0);
        self.spare.iter().for_each(|&(_, code)| self.places[code as usize + 1] += 1);
        (0..n_codes).for_each(|code| self.places[code + 1] += self.places[code]);
        let rows = &mut self.rows[start..end];
        for &(row, code) in &self.spare {
            let place = &mut self.places[code as usize];
            rows[*place as usize] = row;
            *place += 1;
        }
        // By now every place is where its code ends.
        let mut from = start;
        let mut runs = Vec::new();
        for (code, &end) in self.places[..=n_codes].iter().enumerate() {
            let end = start + end as usize;
            if end > from {
                runs.push((if code == n_codes { MISSING } else { code as u32 }, from, end));
            }
            from = end;
        }
        runs
    }
}
