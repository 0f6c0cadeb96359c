//! Linear machines of large folds by their weights: as many equations as columns, from sums that all gammas share.

use rayon::prelude::*;
use tribunal_algebra::{Cholesky, Rectangle, dot};

use super::cross::Member;
use super::divided::{Divided, OfFolds};
use super::model::margins;
use super::summed::Fold;
use crate::posteriors::Posteriors;

/// What members say of every fold of scenarios in which they are asked and whose folds are large; there is a column for each
/// row.
pub(super) fn by_weights(columns: &Rectangle, divided: &Divided, members: &[&Member]) -> Vec<OfFolds> {
    let folds = divided.summed(columns, |part| divided.parts[part].has_large_folds(columns.n_rows()));
    let said = |fold: &Fold| {
        let of_member = |member: &&Member| {
            member.is_asked[fold.part].then(|| said(fold, columns, member.gamma)).flatten()
        };
        members.iter().map(of_member).collect()
    };
    let said: Vec<Vec<Option<Posteriors>>> = folds.par_iter().map(said).collect();
    let mut found = vec![divided.nothing(); members.len()];
    for (fold, said) in folds.iter().zip(said) {
        found.iter_mut().zip(said).for_each(|(found, said)| found[fold.part][fold.fold] = said);
    }
    found
}

/// What a machine says of its fold; `None` where rounding errors are in the way. Columns and targets are taken less their
/// means, which makes the bias drop out.
fn said(fold: &Fold, columns: &Rectangle, gamma: f64) -> Option<Posteriors> {
    let (moments, weight) = (&fold.moments, fold.moments.weight());
    let sums = moments.with_sides.column(0);
    let means: Vec<f64> = sums.iter().map(|sum| sum / weight).collect();
    let mut matrix = moments.gram.clone();
    for column in 0..matrix.n() {
        let below = matrix.below_mut(column).iter_mut().zip(&sums[column..]);
        below.for_each(|(value, sum)| *value -= sum * means[column]);
    }
    matrix.add_diagonal(&vec![1.0 / gamma; matrix.n()]);
    let factor = Cholesky::of(matrix)?;
    let of_output = |idx: usize| {
        let mean = moments.totals[idx] / weight;
        let with_targets = moments.with_sides.column(idx).iter().zip(sums);
        let weights =
            factor.solution(&with_targets.map(|(product, sum)| product - sum * mean).collect::<Vec<f64>>());
        let bias = mean - dot(&weights, &means);
        fold.tested.iter().map(|&place| bias + dot(columns.column(place as usize), &weights)).collect()
    };
    let values: Vec<Vec<f64>> = (1..moments.totals.len()).map(of_output).collect();
    Some(margins(&values, fold.n_classes))
}
