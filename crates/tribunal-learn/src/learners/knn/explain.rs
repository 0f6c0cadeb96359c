//! Why neighbours say what they say: who they are, how far away, and how many of the votes each of them has.

use super::electorate::Electorate;
use super::model::KnnModel;
use super::near::{Found, Ruler, Side};
use super::points::Points;
use crate::explanation::{Explanation, Neighbour, Reasons};
use crate::model::{Case, Scorer};
use crate::names::Names;

/// So many neighbours are named.
const MOST_NEIGHBOURS: usize = 25;

pub(super) fn explain(model: &KnnModel, case: &Case<'_>, names: &Names) -> Explanation {
    let posteriors = model.posteriors(case.rows).row(case.row).to_vec();
    let points = Points::of(case.rows.matrix());
    let (k, mut items) = neighbours(model, points.row(case.row), names);
    items.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.row.cmp(&b.row)));
    let left = items.len().saturating_sub(MOST_NEIGHBOURS);
    items.truncate(MOST_NEIGHBOURS);
    Explanation { posteriors, reasons: Reasons::Neighbours { k, items, left } }
}

/// How many votes there are, and everybody who has a share of them.
fn neighbours(model: &KnnModel, row: &[f64], names: &Names) -> (f64, Vec<Neighbour>) {
    let voters = &model.voters;
    let votes = Electorate::new(voters, &[model.k], None).votes(0);
    let (found, k) = (model.field.around(row), votes[0]);
    let border = Ruler::default().borders(found.iter().copied(), &votes, voters)[0];
    let weight_of = |side: Side| -> f64 {
        let there = found.iter().filter(|(distance, _)| border.side(*distance) == side);
        there.map(|&(_, row)| voters.weight(row)).sum()
    };
    let of_tied = (k - weight_of(Side::Nearer)) / weight_of(Side::Tied);
    let neighbour = |&(distance, row): &Found| {
        let share = match border.side(distance) {
            Side::Nearer => 1.0,
            Side::Tied => of_tied,
            Side::Beyond => return None,
        };
        Some(Neighbour {
            row: u64::from(model.rows[row as usize]) + 1,
            distance: distance.sqrt(),
            class: names.classes[voters.class(row)].clone(),
            vote: share * voters.weight(row) / k,
        })
    };
    (k, found.iter().filter_map(neighbour).collect())
}
