//! Rows with their folds, for an election in which nobody votes on rows of the own fold.

use rayon::prelude::*;

use super::electorate::{Apart, Electorate, NEVER};
use super::voters::Voters;
use crate::cross::Folds;
use crate::dataset::Dataset;
use crate::error::Error;
use crate::training::{is_whole, needed_target};

/// The votes of all rows, and where they count.
pub(super) struct Divided {
    voters: Voters,
    of_row: Vec<u32>,
    /// The same, but for rows without weight.
    of_voter: Vec<u32>,
    /// The weight of the rows outside of each fold.
    totals: Vec<f64>,
    /// Whether there is more than one class outside of each fold.
    pub(super) has_classes: Vec<bool>,
}

impl Divided {
    pub(super) fn new(dataset: &Dataset, folds: &Folds<'_>) -> Result<Divided, Error> {
        let voters = Voters::taken(dataset, needed_target(dataset)?, folds.rows);
        let mut of_row = vec![0; folds.n_rows()];
        for fold in 0..folds.n_folds() {
            folds.tested(fold).iter().for_each(|&row| of_row[row as usize] = fold as u32);
        }
        let fold_of = |(row, &fold): (u32, &u32)| if voters.weight(row) > 0.0 { fold } else { NEVER };
        let of_voter = (0..).zip(&of_row).map(fold_of).collect();
        let totals = totals_without(&voters, folds);
        let has_classes = classes_without(&voters, folds);
        Ok(Divided { voters, of_row, of_voter, totals, has_classes })
    }

    pub(super) fn election(&self, ks: &[usize]) -> Electorate<'_> {
        let apart = Apart { of_voter: &self.of_voter, of_row: &self.of_row, totals: &self.totals };
        Electorate::new(&self.voters, ks, Some(apart))
    }
}

/// The weight of all rows outside of each fold, as if they were added in their order.
fn totals_without(voters: &Voters, folds: &Folds<'_>) -> Vec<f64> {
    let weight = |rows: &[u32]| -> f64 { rows.iter().map(|&row| voters.weight(row)).sum() };
    let total = voters.total();
    let is_exact = voters.weights.as_ref().is_none_or(|weights| weights.iter().all(is_whole));
    let without = |fold: usize| match is_exact {
        true => total - weight(folds.tested(fold)),
        false => weight(&folds.trained(fold)),
    };
    (0..folds.n_folds()).into_par_iter().map(without).collect()
}

/// Whether rows of more than one class are left outside of each fold.
fn classes_without(voters: &Voters, folds: &Folds<'_>) -> Vec<bool> {
    let count = |rows: &mut dyn Iterator<Item = u32>| {
        let mut counts = vec![0; voters.n_classes];
        rows.filter(|&row| voters.weight(row) > 0.0).for_each(|row| counts[voters.class(row)] += 1);
        counts
    };
    let all = count(&mut (0..folds.n_rows() as u32));
    let has_classes = |fold: usize| {
        let gone = count(&mut folds.tested(fold).iter().copied());
        all.iter().zip(&gone).filter(|(all, gone)| all > gone).count() > 1
    };
    (0..folds.n_folds()).map(has_classes).collect()
}
