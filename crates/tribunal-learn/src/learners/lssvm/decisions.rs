//! On which side of zero machines put the rows that they were not trained on, without an inverse.
//!
//! A wide bell makes a kernel that is nearly a product of few columns: `K = L L' + E`, where E is small next to the ridges.
//! The equations of all folds and gammas are solved side by side by conjugate gradients on coefficients whose sum is zero,
//! with `M = L L' + ridges` for a guide: a step is one product with E, and M has as many dimensions as L has columns. E is no
//! more than a correction, and seven digits of it suffice.
//!
//! With r what the equations still lack and m the multiple of ones that makes `r - m` smallest, what is said of a row is wrong
//! by no more than `sqrt((k + c) (r - m)' M^-1 (r - m))`: k is the kernel of the row with itself, and c, the least value of
//! `v' (K + ridges) v` for weights v whose sum is one, at most the largest k plus `1 / (gamma W)` for training rows of the
//! weight W. A fold is done as soon as none of its rows can change sides, which is long before the equations are solved.
//! What takes too many steps or is too near to tell is left to an inverse.

use rayon::prelude::*;
use tribunal_algebra::{Cholesky, Leading, Rectangle, Rough, Symmetric, add_scaled, dot};

use super::divided::{Divided, Part};
use super::kernel::Kernel;
use super::model::margins;
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

/// What rounding errors may come to in what is said of a row.
const ROUNDING: f64 = 2e-6;

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

/// A fold of a scenario.
struct Fold {
    part: usize,
    fold: usize,
    /// The places of the rows that the machine is not trained on.
    left_out: Vec<u32>,
    /// The places of those that it is asked about.
    tested: Vec<u32>,
    /// Products of the leading columns over the training rows, each by its weight.
    gram: Symmetric,
    /// The weight of all training rows.
    weight: f64,
}

impl<'a> Decisions<'a> {
    /// Of a bell, from the distances of all rows, for these gammas; `None` where there are too few rows, too many folds or
    /// nothing but large gammas.
    pub(super) fn of(
        bell: Kernel,
        distances: &Symmetric,
        gammas: &[f64],
        divided: &'a Divided,
    ) -> Option<Self> {
        let n_outputs = |part: &Part| part.targets.n_columns() * part.folds.len();
        let n_columns: usize = divided.parts.iter().map(n_outputs).sum();
        if distances.n() < LEAST_ROWS || 2 * n_columns > distances.n() {
            return None;
        }
        let (least, most) = gammas.iter().fold((f64::INFINITY, 0.0_f64), |(least, most), &gamma| {
            (least.min(gamma), most.max(gamma))
        });
        let change = |values: &mut [f64]| bell.apply(values);
        let weighted = |left: &[f64]| dot(left, &divided.weights);
        let leading = Leading::of((distances, &change), N_LEADING, |left| most * weighted(left) < LITTLE_LEFT);
        let n_left = weighted(&leading.left);
        if least * n_left > MOST_LEFT {
            return None;
        }
        let leading = leading.columns;
        let rest = Rough::rest_of((distances, &change), &leading);
        Some(Decisions { divided, folds: folds(divided, &leading), leading, rest, n_left })
    }

    /// What machines of each gamma say of every fold of every scenario, farther from zero than it can be wrong; `None` where
    /// that is too much work.
    pub(super) fn at(&self, gammas: &[f64]) -> Vec<Option<Vec<Vec<Option<Posteriors>>>>> {
        let parts = &self.divided.parts;
        let nothing: Vec<Vec<Option<Posteriors>>> =
            parts.iter().map(|part| vec![None; part.folds.len()]).collect();
        let is_likely = |gamma: &f64| gamma * self.n_left <= MOST_LEFT;
        let mut found: Vec<_> = gammas.iter().map(|gamma| is_likely(gamma).then(|| nothing.clone())).collect();
        let likely = (0..gammas.len()).filter(|&idx| is_likely(&gammas[idx]));
        let asked: Vec<(usize, &Fold)> =
            likely.flat_map(|idx| self.folds.iter().map(move |fold| (idx, fold))).collect();
        let n_outputs = parts.iter().map(|part| part.targets.n_columns()).max().unwrap_or(1);
        let said = |asked: &[(usize, &Fold)]| {
            let machines: Option<Vec<Machine<'_>>> =
                asked.iter().map(|&(idx, fold)| Machine::new(self, fold, gammas[idx])).collect();
            machines.map_or(vec![None; asked.len()], |machines| self.solved(machines))
        };
        let said = asked.par_chunks((AT_ONCE / n_outputs.max(1)).max(1)).flat_map(said);
        for ((idx, fold), said) in asked.iter().zip(said.collect::<Vec<Option<Posteriors>>>()) {
            match (said, &mut found[*idx]) {
                (Some(said), Some(found)) => found[fold.part][fold.fold] = Some(said),
                (None, found) => *found = None,
                (_, None) => {}
            }
        }
        found
    }

    /// What machines say of their folds; `None` where one does not come to an end.
    fn solved(&self, mut open: Vec<Machine<'_>>) -> Vec<Option<Posteriors>> {
        let mut found = vec![None; open.len()];
        let mut places: Vec<usize> = (0..open.len()).collect();
        self.start(&mut open);
        self.turn(&mut open);
        for _ in 0..MOST_STEPS {
            self.step(&mut open);
            self.turn(&mut open);
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

    /// What the guide makes of ones.
    fn start(&self, machines: &mut [Machine<'_>]) {
        let ones: Vec<Vec<f64>> = machines.iter().map(|machine| machine.in_training(|_| 1.0)).collect();
        let columns = machines.iter().zip(&ones).map(|(machine, ones)| (machine, ones.as_slice()));
        let guided = self.guided(&columns.collect::<Vec<_>>());
        for (machine, guided) in machines.iter_mut().zip(guided) {
            machine.of_ones = guided.column.iter().sum();
            machine.ones = guided;
        }
    }

    /// `M^-1` times columns, over the training rows of their machines.
    fn guided(&self, columns: &[(&Machine<'_>, &[f64])]) -> Vec<Guided> {
        let weights = &self.divided.weights;
        let weighted = columns.iter().flat_map(|(machine, column)| {
            column.iter().zip(weights).map(|(value, weight)| machine.gamma * weight * value)
        });
        let weighted = Rectangle::of(weights.len(), columns.len(), weighted.collect());
        let mut small = self.leading.times(&weighted);
        for (idx, (machine, _)) in columns.iter().enumerate() {
            machine.factor.solve(small.column_mut(idx));
        }
        let back = self.leading.transposed_times(&small);
        let of_column = |(idx, (machine, column)): (usize, &(&Machine<'_>, &[f64]))| {
            let values = column.iter().zip(back.column(idx)).zip(weights);
            let guided = values.map(|((value, back), weight)| machine.gamma * weight * (value - back));
            let mut column: Vec<f64> = guided.collect();
            machine.leave_out(&mut column);
            Guided { column, leading: small.column(idx).to_vec() }
        };
        columns.iter().enumerate().map(of_column).collect()
    }

    /// Finds how much is lacking, and where to go next.
    fn turn(&self, machines: &mut [Machine<'_>]) {
        let columns = machines.iter().flat_map(|machine| {
            machine.outputs.iter().map(move |output| (machine, output.lack.as_slice()))
        });
        let mut guided = self.guided(&columns.collect::<Vec<_>>()).into_iter();
        for machine in machines {
            for (output, guided) in machine.outputs.iter_mut().zip(guided.by_ref()) {
                output.turn(guided, (&machine.ones, machine.of_ones));
            }
        }
    }

    /// Goes where the directions lead.
    fn step(&self, machines: &mut [Machine<'_>]) {
        let outputs = machines.iter().flat_map(|machine| &machine.outputs);
        let directions: Vec<f64> = outputs.flat_map(|output| &output.direction.column).copied().collect();
        let n_rows = self.leading.n_columns();
        let beyond = self.rest.times(&Rectangle::of(n_rows, directions.len() / n_rows, directions));
        let mut columns = (0..beyond.n_columns()).map(|idx| beyond.column(idx));
        for machine in machines {
            let fold = machine.fold;
            for (output, beyond) in machine.outputs.iter_mut().zip(columns.by_ref()) {
                output.step(beyond, fold);
            }
        }
    }
}

/// The folds that one scale serves.
fn folds(divided: &Divided, leading: &Rectangle) -> Vec<Fold> {
    let all: Vec<u32> = (0..divided.weights.len() as u32).collect();
    let (of_all, weight) = (gram(divided, leading, &all), divided.weights.iter().sum::<f64>());
    let of_part = |(idx, part): (usize, &Part)| {
        let mut of_part = of_all.clone();
        of_part.subtract(&gram(divided, leading, &part.absent));
        let of_fold = |fold: usize| {
            let block = &part.folds[fold];
            let places: Vec<u32> = block.positions.iter().map(|&at| part.places[at as usize]).collect();
            let mut of_training = of_part.clone();
            of_training.subtract(&gram(divided, leading, &places));
            let tested = places[..block.n_tested].to_vec();
            let left_out = [part.absent.clone(), places].concat();
            let gone: f64 = left_out.iter().map(|&place| divided.weights[place as usize]).sum();
            Fold { part: idx, fold, left_out, tested, gram: of_training, weight: weight - gone }
        };
        (0..part.folds.len()).filter(|&fold| part.folds[fold].is_shared).map(of_fold).collect::<Vec<Fold>>()
    };
    divided.parts.iter().enumerate().flat_map(of_part).collect()
}

/// Products of the leading columns over some rows, each by its weight.
fn gram(divided: &Divided, leading: &Rectangle, places: &[u32]) -> Symmetric {
    let mut rows = leading.take(places);
    for (idx, &place) in places.iter().enumerate() {
        let root = divided.weights[place as usize].sqrt();
        rows.column_mut(idx).iter_mut().for_each(|value| *value *= root);
    }
    Symmetric::inner_products(&rows.transposed())
}

/// The equations of a fold.
struct Machine<'a> {
    fold: &'a Fold,
    part: &'a Part,
    gamma: f64,
    /// Of what the guide has in the dimensions of the leading columns.
    factor: Cholesky,
    /// What the guide makes of ones, and the sum of it.
    ones: Guided,
    of_ones: f64,
    outputs: Vec<Output>,
}

/// What the guide makes of a column, and the products of that with the leading columns.
struct Guided {
    column: Vec<f64>,
    leading: Vec<f64>,
}

impl Guided {
    fn zeros(n_rows: usize, n_leading: usize) -> Guided {
        Guided { column: vec![0.0; n_rows], leading: vec![0.0; n_leading] }
    }
}

/// How far an output of a machine has come.
struct Output {
    /// What the equations lack.
    lack: Vec<f64>,
    bias: f64,
    /// The squared length of what is lacking but for the bias, as the guide measures it.
    length: f64,
    /// Where the next step goes, and what the guide makes it lead to.
    direction: Guided,
    through: Vec<f64>,
    /// Products of the coefficients with the leading columns.
    leading: Vec<f64>,
    /// Products of the coefficients with the rest, in the rows that are asked about.
    beyond: Vec<f64>,
}

impl<'a> Machine<'a> {
    /// `None` where rounding errors are in the way.
    fn new(decisions: &'a Decisions<'a>, fold: &'a Fold, gamma: f64) -> Option<Self> {
        let (n_rows, n_leading) = (decisions.leading.n_columns(), decisions.leading.n_rows());
        let mut guide = fold.gram.clone();
        guide.scale(gamma);
        guide.add_diagonal(&vec![1.0; n_leading]);
        let part = &decisions.divided.parts[fold.part];
        let (factor, ones) = (Cholesky::of(guide)?, Guided::zeros(n_rows, n_leading));
        let mut machine = Machine { fold, part, gamma, factor, ones, of_ones: 0.0, outputs: Vec::new() };
        let output = |idx: usize| Output {
            lack: machine.in_training(|position| part.targets.column(idx)[position]),
            bias: 0.0,
            length: 0.0,
            direction: Guided::zeros(n_rows, n_leading),
            through: vec![0.0; n_rows],
            leading: vec![0.0; n_leading],
            beyond: vec![0.0; fold.tested.len()],
        };
        machine.outputs = (0..part.targets.n_columns()).map(output).collect();
        Some(machine)
    }

    /// Numbers for training rows, by their positions in the scenario, and zero for all others.
    fn in_training(&self, number: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut column = vec![0.0; self.ones.column.len()];
        let places = self.part.places.iter().enumerate();
        places.for_each(|(position, &place)| column[place as usize] = number(position));
        self.leave_out(&mut column);
        column
    }

    fn leave_out(&self, column: &mut [f64]) {
        self.fold.left_out.iter().for_each(|&place| column[place as usize] = 0.0);
    }

    /// What it says of its fold, if none of it can change sides.
    fn decided(&self, leading: &Rectangle) -> Option<Posteriors> {
        let said = |output: &Output| {
            let tested = self.fold.tested.iter().zip(&output.beyond);
            let leading = |place: u32| dot(leading.column(place as usize), &output.leading);
            tested.map(|(&place, beyond)| output.bias + leading(place) + beyond).collect::<Vec<f64>>()
        };
        let bounds: Vec<f64> = self.outputs.iter().map(|output| self.bound(output) + ROUNDING).collect();
        let values: Vec<Vec<f64>> = self.outputs.iter().map(said).collect();
        let is_sure = (0..self.fold.tested.len()).all(|row| is_sure(&values, &bounds, row));
        is_sure.then(|| margins(&values, self.part.n_classes))
    }

    /// How wrong an output can be, in exact arithmetic; a bell is one at its centre.
    fn bound(&self, output: &Output) -> f64 {
        ((2.0 + 1.0 / (self.gamma * self.fold.weight)) * output.length).sqrt()
    }

    /// Whether rounding errors are all that is left, so that no further step tells more.
    fn is_as_good_as_solved(&self) -> bool {
        self.outputs.iter().all(|output| self.bound(output) < ROUNDING)
    }
}

impl Output {
    /// Takes in what the guide makes of what is lacking.
    fn turn(&mut self, mut guided: Guided, (ones, of_ones): (&Guided, f64)) {
        self.bias = guided.column.iter().sum::<f64>() / of_ones;
        add_scaled(&mut guided.column, -self.bias, &ones.column);
        add_scaled(&mut guided.leading, -self.bias, &ones.leading);
        let length = dot(&self.lack, &guided.column).max(0.0);
        let ratio = if self.length > 0.0 { length / self.length } else { 0.0 };
        self.length = length;
        let add_old = |new: &mut [f64], old: &[f64]| add_scaled(new, ratio, old);
        add_old(&mut guided.column, &self.direction.column);
        add_old(&mut guided.leading, &self.direction.leading);
        self.direction = guided;
        let through = self.through.iter_mut().zip(&self.lack);
        through.for_each(|(through, lack)| *through = lack - self.bias + ratio * *through);
    }

    /// Goes where its direction leads, which the rest of the kernel makes lead to what is beyond.
    fn step(&mut self, beyond: &[f64], fold: &Fold) {
        let mut change: Vec<f64> = self.through.iter().zip(beyond).map(|(guide, rest)| guide + rest).collect();
        fold.left_out.iter().for_each(|&place| change[place as usize] = 0.0);
        let slope = dot(&self.direction.column, &change);
        let step = if slope > 0.0 { self.length / slope } else { 0.0 };
        add_scaled(&mut self.lack, -step, &change);
        add_scaled(&mut self.leading, step, &self.direction.leading);
        let tested = fold.tested.iter().zip(&mut self.beyond);
        tested.for_each(|(&place, sum)| *sum += step * beyond[place as usize]);
    }
}

/// Whether a row stays on its side of zero, and of several outputs the largest stays the largest, if each is wrong by no more
/// than its bound.
fn is_sure(values: &[Vec<f64>], bounds: &[f64], row: usize) -> bool {
    let outputs = || values.iter().map(|values| values[row]).zip(bounds);
    let largest = outputs().enumerate().max_by(|(_, one), (_, other)| one.0.total_cmp(&other.0));
    let Some((largest, (most, bound))) = largest else { return true };
    let is_less = |(idx, (value, other)): (usize, (f64, &f64))| idx == largest || most - value > bound + other;
    outputs().all(|(value, bound)| value.abs() > *bound) && outputs().enumerate().all(is_less)
}
