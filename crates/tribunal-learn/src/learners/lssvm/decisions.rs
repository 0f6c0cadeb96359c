//! On which side of zero machines put the rows that they were not trained on, without an inverse.
//!
//! A wide bell makes a kernel that is nearly a product of few columns: `K = L L' + E`, where E is small next to the ridges.
//! The equations of all folds and gammas are solved side by side by conjugate gradients (see [`Machine`]) with
//! `M = L L' + ridges` for a guide: a step is one product with E, and M has as many dimensions as L has columns. E is no more
//! than a correction, and seven digits of it suffice. A fold is done as soon as none of its rows can change sides, which is
//! long before the equations are solved. What takes too many steps or is too near to tell is left to an inverse or, where
//! these are few folds, to fits of their own.

use rayon::prelude::*;
use tribunal_algebra::{Leading, Rectangle, Rough, Symmetric, dot};

use super::cross::Member;
use super::descent::Machine;
use super::divided::{Divided, OfFolds, Part};
use super::kernel::Kernel;
use super::summed::Fold;
use crate::posteriors::Posteriors;

/// So many columns stand for the kernel at most.
const N_LEADING: usize = 64;

/// Kernels of fewer rows than this are inverted in no time.
const LEAST_ROWS: usize = 400;

/// Gamma times what the columns leave of the diagonal: below the one no further column is worth while, beyond the other steps
/// are too many.
const LITTLE_LEFT: f64 = 0.3;
const MOST_LEFT: f64 = 1000.0;

const MOST_STEPS: usize = 30;

/// Outputs that are worked on at a time.
const AT_ONCE: usize = 128;

/// So many folds that are fitted by themselves cost no more than an inverse.
const MOST_OPEN: usize = 3;

/// A kernel as few columns and a rest, with all folds of all scenarios.
pub(super) struct Decisions<'a> {
    divided: &'a Divided,
    /// A column for each row.
    leading: Rectangle,
    rest: Rough,
    /// What the columns leave of the diagonal, each row by its weight.
    n_left: f64,
    folds: Vec<Fold>,
}

impl<'a> Decisions<'a> {
    /// Of a bell, from the distances of all rows, for members that have it; `None` where there are too few rows, too many
    /// folds or nothing but large gammas.
    pub(super) fn of(
        bell: Kernel,
        distances: &Symmetric,
        members: &[&Member],
        divided: &'a Divided,
    ) -> Option<Self> {
        let n_outputs = |(_, part): (usize, &Part)| part.targets.n_columns() * part.folds.len();
        let n_columns = |member: &&Member| member.asked_of(divided).map(n_outputs).sum();
        let n_columns: usize = members.iter().map(n_columns).max().unwrap_or(0);
        if distances.n() < LEAST_ROWS || 2 * n_columns > distances.n() {
            return None;
        }
        let gammas = members.iter().map(|member| member.gamma);
        let (least, most) =
            gammas.fold((f64::INFINITY, 0.0_f64), |(least, most), gamma| (least.min(gamma), most.max(gamma)));
        let change = |values: &mut [f64]| bell.apply(values);
        let weighted = |left: &[f64]| dot(left, &divided.weights);
        let leading =
            Leading::of((distances, &change), N_LEADING, |left| most * weighted(left) < LITTLE_LEFT);
        let n_left = weighted(&leading.left);
        if least * n_left > MOST_LEFT {
            return None;
        }
        let leading = leading.columns;
        let rest = Rough::rest_of((distances, &change), &leading);
        let folds = divided.summed(&leading, |part| members.iter().any(|member| member.is_asked[part]));
        Some(Decisions { divided, leading, rest, n_left, folds })
    }

    /// What members say of every fold of the scenarios in which they are asked, farther from zero than it can be wrong; `None`
    /// where that is too much work.
    pub(super) fn at(&self, members: &[&Member]) -> Vec<Option<OfFolds>> {
        let parts = &self.divided.parts;
        let is_likely = |member: &Member| member.gamma * self.n_left <= MOST_LEFT;
        let likely = (0..members.len()).filter(|&idx| is_likely(members[idx]));
        let asked = |idx: usize| {
            let folds = self.folds.iter().filter(move |fold| members[idx].is_asked[fold.part]);
            folds.map(move |fold| (idx, fold))
        };
        let asked: Vec<(usize, &Fold)> = likely.flat_map(asked).collect();
        let n_outputs = parts.iter().map(|part| part.targets.n_columns()).max().unwrap_or(1);
        let said = |asked: &[(usize, &Fold)]| {
            let machines: Option<Vec<Machine<'_>>> =
                asked.iter().map(|&(idx, fold)| Machine::new(fold, members[idx].gamma)).collect();
            machines.map_or(vec![None; asked.len()], |machines| self.solved(machines))
        };
        let said = asked.par_chunks((AT_ONCE / n_outputs.max(1)).max(1)).flat_map(said);
        let (mut found, mut n_open) = (vec![self.divided.nothing(); members.len()], vec![0; members.len()]);
        for ((idx, fold), said) in asked.iter().zip(said.collect::<Vec<Option<Posteriors>>>()) {
            n_open[*idx] += usize::from(said.is_none());
            found[*idx][fold.part][fold.fold] = said;
        }
        let known = found.into_iter().zip(n_open).zip(members);
        known
            .map(|((found, n_open), member)| (is_likely(member) && n_open <= MOST_OPEN).then_some(found))
            .collect()
    }

    /// What machines say of their folds; `None` where one does not come to an end.
    fn solved(&self, mut open: Vec<Machine<'_>>) -> Vec<Option<Posteriors>> {
        let mut found = vec![None; open.len()];
        let mut places: Vec<usize> = (0..open.len()).collect();
        for _ in 0..MOST_STEPS {
            self.step(&mut open);
            let mut still_open = Vec::new();
            for (machine, place) in open.into_iter().zip(std::mem::take(&mut places)) {
                match machine.decided(&self.leading) {
                    Some(decided) => found[place] = Some(decided),
                    None if machine.is_as_good_as_solved() => {}
                    None => {
                        places.push(place);
                        still_open.push(machine);
                    }
                }
            }
            open = still_open;
            if open.is_empty() {
                break;
            }
        }
        found
    }

    /// Finds where to go, goes there, and finds what is still lacking.
    fn step(&self, machines: &mut [Machine<'_>]) {
        let (n_leading, n_rows) = (self.leading.n_rows(), self.leading.n_columns());
        let guided: Vec<&[f64]> = machines.iter().flat_map(Machine::guided).collect();
        let guided = Rectangle::of(n_leading, guided.len(), guided.concat());
        let leading = self.leading.transposed_times(&guided);
        each(machines, &leading, |machine, idx, leading| machine.turn(idx, leading));
        let directions: Vec<&[f64]> = machines.iter().flat_map(Machine::directions).collect();
        let beyond = self.rest.times(&directions);
        each(machines, &beyond, |machine, idx, beyond| machine.step(idx, beyond));
        let mut lacking = Vec::with_capacity(n_rows * guided.n_columns());
        machines.iter().for_each(|machine| machine.add_lack(&mut lacking));
        let lacking = Rectangle::of(n_rows, guided.n_columns(), lacking);
        each(machines, &self.leading.times(&lacking), |machine, idx, leading| machine.look(idx, leading));
    }
}

/// Hands each output of each machine its column.
fn each(machines: &mut [Machine<'_>], columns: &Rectangle, take: impl Fn(&mut Machine<'_>, usize, &[f64])) {
    let mut columns = (0..columns.n_columns()).map(|idx| columns.column(idx));
    for machine in machines {
        (0..machine.n_outputs()).zip(columns.by_ref()).for_each(|(idx, column)| take(machine, idx, column));
    }
}
