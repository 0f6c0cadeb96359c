//! The rows and columns that a tree is grown on.
//!
//! They are drawn with `rand` 0.8 and not with our own random numbers, so that a seed means the trees that it always meant.
//!
//! **Reference** Friedman 2002 (rows); Breiman 2001 (columns).

use rand::rngs::StdRng;
use rand::seq::IteratorRandom;
use rand::{Rng, SeedableRng};

use super::settings::Boost;

/// A share of columns is meant to be one at least.
const JUST_OVER_ONE: f64 = 1.0 + 1e-9;

/// Draws rows and columns for one tree after another.
pub(super) struct Draws {
    random: StdRng,
    n_rows: u32,
    n_columns: usize,
    share_of_rows: f32,
    share_of_columns: f64,
}

impl Draws {
    pub(super) fn new(settings: &Boost, n_rows: usize, n_columns: usize, seed: u64) -> Draws {
        Draws {
            random: StdRng::seed_from_u64(seed),
            n_rows: n_rows as u32,
            n_columns,
            share_of_rows: settings.sample,
            share_of_columns: settings.columns.max(JUST_OVER_ONE / n_columns.max(1) as f64).min(1.0),
        }
    }

    /// The rows that a tree is grown on and the others, both in ascending order.
    pub(super) fn rows(&mut self) -> (Vec<u32>, Vec<u32>) {
        match self.share_of_rows < 1.0 {
            true => (0..self.n_rows).partition(|_| self.random.gen_range(0.0..1.0) < self.share_of_rows),
            false => ((0..self.n_rows).collect(), Vec::new()),
        }
    }

    /// The columns that a tree may be split on, in ascending order; `None` for all.
    pub(super) fn columns(&mut self) -> Option<Vec<usize>> {
        if self.share_of_columns == 1.0 {
            return None;
        }
        let n_drawn = (self.n_columns as f64 * self.share_of_columns).floor() as usize;
        let mut columns = (0..self.n_columns).choose_multiple(&mut self.random, n_drawn);
        columns.sort_unstable();
        Some(columns)
    }
}

#[cfg(test)]
mod tests {
    use super::super::settings::USUAL;
    use super::*;

    #[test]
    fn one_column_at_least_is_looked_at() {
        let settings = Boost { columns: 0.001, ..USUAL };
        for n_columns in [1, 2, 3, 7, 49, 1000] {
            let drawn = Draws::new(&settings, 40, n_columns, 1).columns();
            assert_eq!(drawn.map_or(n_columns, |columns| columns.len()), 1, "{n_columns}");
        }
    }

    #[test]
    fn every_row_is_drawn_or_left_out() {
        let mut draws = Draws::new(&Boost { sample: 0.3, ..USUAL }, 1000, 3, 1);
        let (drawn, left_out) = draws.rows();
        assert!((250..350).contains(&drawn.len()) && drawn.is_sorted(), "{}", drawn.len());
        let mut all = [drawn, left_out].concat();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..1000));
    }
}
