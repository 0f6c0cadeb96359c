//! Many rows that are sent down a tree together.
//!
//! At a test with two branches the rows of a node are dealt to its children, without a branch of the program that nobody could
//! foresee; each leaf computes its probabilities once. From any other test, and where a value is missing, every row goes its
//! own way.

use std::ops::Range;

use super::classify::Classifier;
use super::tree::Test;
use crate::column::MISSING;
use crate::encoding::NominalColumn;

/// Rows of which each stands at one node.
struct Descent {
    rows: Vec<u32>,
    spare: Vec<u32>,
}

impl Classifier<'_> {
    /// Adds the probability of each class to `sums`, row by row.
    pub(crate) fn add_all(&self, columns: &[NominalColumn], sums: &mut [f64]) {
        let n_rows = (sums.len() / self.tree.n_classes) as u32;
        if self.least > 0.0 {
            return (0..n_rows).for_each(|row| self.add_row(0, columns, row, sums));
        }
        let mut descent = Descent { rows: (0..n_rows).collect(), spare: vec![0; n_rows as usize] };
        let mut open = vec![(0, 0..n_rows as usize)];
        while let Some((node, range)) = open.pop() {
            match self.tree.nodes[node].test {
                Test::Leaf => self.add_leaf(node, &descent.rows[range], sums),
                test => match descent.deal(test, columns, range.clone()) {
                    Some((first, middle)) => {
                        open.extend([(first + 1, middle..range.end), (first, range.start..middle)]);
                    }
                    None => {
                        descent.rows[range].iter().for_each(|&row| self.add_row(node, columns, row, sums));
                    }
                },
            }
        }
    }

    fn add_row(&self, node: usize, columns: &[NominalColumn], row: u32, sums: &mut [f64]) {
        let n_classes = self.tree.n_classes;
        self.add_from(node, columns, row as usize, 1.0, &mut sums[row as usize * n_classes..][..n_classes]);
    }

    fn add_leaf(&self, node: usize, rows: &[u32], sums: &mut [f64]) {
        let n_classes = self.tree.n_classes;
        let mut added = vec![0.0; n_classes];
        self.smoothing.add(self.tree.weights(node), self.tree.nodes[node].class, 1.0, &mut added);
        for &row in rows {
            let sums = &mut sums[row as usize * n_classes..][..n_classes];
            sums.iter_mut().zip(&added).for_each(|(sum, added)| *sum += added);
        }
    }
}

impl Descent {
    /// Orders rows by their branch of a test with two, and returns the child of the first and where the rows of the second
    /// begin; `None` where there are more branches or a row has no value.
    fn deal(&mut self, test: Test, columns: &[NominalColumn], range: Range<usize>) -> Option<(usize, usize)> {
        let column = columns.get(test.column()?)?;
        let rows = &self.rows[range.clone()];
        let (first, middle) = match (test, column) {
            (Test::Numeric { cut, first, .. }, NominalColumn::Numbers(numbers)) => {
                let is_known = rows.iter().all(|&row| !numbers[row as usize].is_nan());
                (first, is_known.then(|| self.part(range, |row| numbers[row as usize] > cut)))
            }
            (Test::Nominal { n_codes: 2, n_branches: 2, first, .. }, NominalColumn::Codes { codes, .. }) => {
                let most = rows.iter().map(|&row| codes[row as usize]).max().unwrap_or(MISSING);
                (first, (most < 2).then(|| self.part(range, |row| codes[row as usize] == 1)))
            }
            _ => return None,
        };
        Some((first as usize, middle?))
    }

    /// Brings the rows of the first branch to the front, all in their order.
    fn part(&mut self, range: Range<usize>, is_second: impl Fn(u32) -> bool) -> usize {
        let rows = &mut self.rows[range.clone()];
        let (mut n_first, mut n_second) = (0, 0);
        for place in 0..rows.len() {
            let row = rows[place];
            let is_second = usize::from(is_second(row));
            rows[n_first] = row;
            self.spare[n_second] = row;
            n_first += 1 - is_second;
            n_second += is_second;
        }
        rows[n_first..].copy_from_slice(&self.spare[..n_second]);
        range.start + n_first
    }
}
