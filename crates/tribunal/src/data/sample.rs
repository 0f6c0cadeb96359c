//! A sample of rows that does not depend on how the rows come in batches.
//!
//! Each row has a random number of its own; a row is kept while that number begins with so many zero bits. When too
//! many rows are kept, one more bit is asked for, which halves them.

use tribunal_random::derive_seed;

/// The rows that are kept.
#[derive(Clone, Debug)]
pub(crate) struct RowSample {
    seed: u64,
    most_rows: usize,
    zero_bits: u32,
    rows: Vec<u64>,
}

impl RowSample {
    /// An empty sample that never holds more than `most_rows`, give or take a batch.
    pub(crate) fn new(most_rows: usize, seed: u64) -> Self {
        RowSample { seed, most_rows, zero_bits: 0, rows: Vec::new() }
    }

    /// Whether rows were left out.
    pub(crate) fn is_partial(&self) -> bool {
        self.zero_bits > 0
    }

    /// How many rows are kept.
    pub(crate) fn n_rows(&self) -> u64 {
        self.rows.len() as u64
    }

    /// Adds the rows of a batch and returns which of them are kept; `None` for all.
    pub(crate) fn pick(&mut self, first_row: u64, n_rows: usize) -> Option<Vec<usize>> {
        let before = self.rows.len();
        let new =
            (first_row..first_row + n_rows as u64).filter(|&row| is_kept(self.seed, row, self.zero_bits));
        self.rows.extend(new.collect::<Vec<_>>());
        let picked = &self.rows[before..];
        (picked.len() < n_rows).then(|| picked.iter().map(|row| (row - first_row) as usize).collect())
    }

    /// Leaves rows out until the sample is small enough; returns which of those held stay, if any went.
    pub(crate) fn thin(&mut self) -> Option<Vec<usize>> {
        let mut positions: Option<Vec<usize>> = None;
        while self.rows.len() > self.most_rows {
            self.zero_bits += 1;
            let (seed, zero_bits) = (self.seed, self.zero_bits);
            let stays = |&position: &usize| is_kept(seed, self.rows[position], zero_bits);
            let kept: Vec<usize> = (0..self.rows.len()).filter(stays).collect();
            self.rows = kept.iter().map(|&position| self.rows[position]).collect();
            positions = Some(match positions {
                None => kept,
                Some(earlier) => kept.iter().map(|&position| earlier[position]).collect(),
            });
        }
        positions
    }
}

fn is_kept(seed: u64, row: u64, zero_bits: u32) -> bool {
    zero_bits == 0 || derive_seed(seed, &[row]).leading_zeros() >= zero_bits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampled(batch_sizes: impl Iterator<Item = usize>) -> Vec<u64> {
        let mut sample = RowSample::new(100, 7);
        let (mut first, mut held) = (0, Vec::new());
        for n_rows in batch_sizes {
            match sample.pick(first, n_rows) {
                None => held.extend(first..first + n_rows as u64),
                Some(picked) => held.extend(picked.iter().map(|&row| first + row as u64)),
            }
            if let Some(stay) = sample.thin() {
                held = stay.iter().map(|&position| held[position]).collect();
            }
            first += n_rows as u64;
        }
        assert_eq!(held, sample.rows);
        held
    }

    #[test]
    fn the_sample_does_not_depend_on_batches() {
        let small = sampled(std::iter::repeat_n(10, 500));
        assert_eq!(small, sampled([3000, 2000].into_iter()));
        assert!((25..=100).contains(&small.len()), "{}", small.len());
    }

    #[test]
    fn few_rows_are_all_kept() {
        assert_eq!(sampled([40, 60].into_iter()).len(), 100);
    }
}
