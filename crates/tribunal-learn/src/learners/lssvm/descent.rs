//! Conjugate gradients towards the coefficients of a machine, and how wrong it can still be.
//!
//! The sum of the coefficients is zero, as the bias wants it. With r what the equations lack, less the multiple of ones that
//! makes it smallest, what is said of a row is wrong by no more than `sqrt((k + c) r' M^-1 r)`: k is the kernel of the row with
//! itself, and c, the least value of `v' (K + ridges) v` for weights v whose sum is one, at most the largest k plus
//! `1 / (gamma W)` for training rows of the weight W.
//!
//! With the Gram matrix G of the leading columns L over the training rows, `M^-1 r = gamma w (r - L s)`, where s solves
//! `(1 + gamma G) s = gamma L' w r`: lengths and biases need s alone, and only who goes on needs the product with L.

use tribunal_algebra::{Cholesky, Rectangle, add_scaled, dot, vectorised};

use super::model::margins;
use super::summed::Fold;
use crate::posteriors::Posteriors;

/// What rounding errors may come to in what is said of a row.
const ROUNDING: f64 = 2e-6;

/// The equations of a fold.
pub(super) struct Machine<'a> {
    fold: &'a Fold,
    guide: Guide<'a>,
    outputs: Vec<Output>,
}

/// What the guide is made of.
struct Guide<'a> {
    fold: &'a Fold,
    gamma: f64,
    /// Of `1 + gamma G`.
    factor: Cholesky,
    /// The s of ones, and the sum of what the guide makes of ones.
    ones: Vec<f64>,
    of_ones: f64,
}

/// How far an output of a machine has come.
struct Output {
    /// What the equations lack, where a row is trained on.
    lack: Vec<f64>,
    bias: f64,
    /// The s of what is lacking.
    guided: Vec<f64>,
    /// The squared length of what is lacking as the guide measures it, now and before the last step.
    length: f64,
    former: f64,
    /// Where the next step goes, its products with the leading columns, and what the guide makes it lead to.
    direction: Vec<f64>,
    direction_leading: Vec<f64>,
    through: Vec<f64>,
    /// Products of the coefficients with the leading columns.
    leading: Vec<f64>,
    /// Products of the coefficients with the rest, in the rows that are asked about.
    beyond: Vec<f64>,
}

impl<'a> Machine<'a> {
    /// At the start; `None` where rounding errors are in the way.
    pub(super) fn new(fold: &'a Fold, gamma: f64) -> Option<Self> {
        let moments = &fold.moments;
        let mut matrix = moments.gram.clone();
        matrix.scale(gamma);
        matrix.add_diagonal(&vec![1.0; matrix.n()]);
        let mut guide = Guide { fold, gamma, factor: Cholesky::of(matrix)?, ones: Vec::new(), of_ones: 0.0 };
        guide.ones = guide.small(moments.with_sides.column(0));
        guide.of_ones = guide.sum(moments.weight(), &guide.ones);
        let outputs = 1..fold.sides.n_columns();
        let start = |idx: usize| Output::new(fold.sides.column(idx), fold);
        let mut machine = Machine { fold, guide, outputs: outputs.clone().map(start).collect() };
        outputs.for_each(|idx| machine.look(idx - 1, moments.with_sides.column(idx)));
        Some(machine)
    }

    pub(super) fn n_outputs(&self) -> usize {
        self.outputs.len()
    }

    /// What the leading columns are to be multiplied by, for each output.
    pub(super) fn guided(&self) -> impl Iterator<Item = &[f64]> {
        self.outputs.iter().map(|output| output.guided.as_slice())
    }

    /// Where each output goes.
    pub(super) fn directions(&self) -> impl Iterator<Item = &[f64]> {
        self.outputs.iter().map(|output| output.direction.as_slice())
    }

    /// Adds what each output lacks, each row by its weight, to columns.
    pub(super) fn add_lack(&self, columns: &mut Vec<f64>) {
        for output in &self.outputs {
            columns.extend(output.lack.iter().zip(&self.fold.weights).map(|(lack, weight)| lack * weight));
        }
    }

    /// Finds where to go, from the product of the leading columns with what is guided.
    pub(super) fn turn(&mut self, idx: usize, leading: &[f64]) {
        self.outputs[idx].turn(&self.guide, leading);
    }

    /// Goes where its direction leads, which the rest of the kernel makes lead to what is beyond.
    pub(super) fn step(&mut self, idx: usize, beyond: &[f64]) {
        self.outputs[idx].step(beyond, &self.fold.tested);
    }

    /// Finds what is lacking, from the product of the leading columns with it.
    pub(super) fn look(&mut self, idx: usize, leading: &[f64]) {
        self.outputs[idx].look(&self.guide, leading);
    }

    /// What it says of its fold, if none of it can change sides.
    pub(super) fn decided(&self, leading: &Rectangle) -> Option<Posteriors> {
        let said = |output: &Output| {
            let tested = self.fold.tested.iter().zip(&output.beyond);
            let leading = |place: u32| dot(leading.column(place as usize), &output.leading);
            tested.map(|(&place, beyond)| output.bias + leading(place) + beyond).collect::<Vec<f64>>()
        };
        let bounds: Vec<f64> =
            self.outputs.iter().map(|output| self.guide.bound(output.length) + ROUNDING).collect();
        let values: Vec<Vec<f64>> = self.outputs.iter().map(said).collect();
        let is_sure = (0..self.fold.tested.len()).all(|row| is_sure(&values, &bounds, row));
        is_sure.then(|| margins(&values, self.fold.n_classes))
    }

    /// Whether rounding errors are all that is left, so that no further step tells more.
    pub(super) fn is_as_good_as_solved(&self) -> bool {
        self.outputs.iter().all(|output| self.guide.bound(output.length) < ROUNDING)
    }
}

impl Guide<'_> {
    /// The s of a column, from its product with the leading columns.
    fn small(&self, leading: &[f64]) -> Vec<f64> {
        let mut small: Vec<f64> = leading.iter().map(|value| self.gamma * value).collect();
        self.factor.solve(&mut small);
        small
    }

    /// The sum of what the guide makes of a column, from the sum of the column and its s.
    fn sum(&self, sum: f64, small: &[f64]) -> f64 {
        self.gamma * (sum - dot(self.fold.moments.with_sides.column(0), small))
    }

    /// How wrong an output can be, in exact arithmetic; a bell is one at its centre.
    fn bound(&self, length: f64) -> f64 {
        ((2.0 + 1.0 / (self.gamma * self.fold.moments.weight())) * length).sqrt()
    }
}

impl Output {
    fn new(targets: &[f64], fold: &Fold) -> Output {
        let (n_rows, n_leading) = (targets.len(), fold.moments.with_sides.n_rows());
        Output {
            lack: targets.to_vec(),
            bias: 0.0,
            guided: Vec::new(),
            length: 0.0,
            former: 0.0,
            direction: vec![0.0; n_rows],
            direction_leading: vec![0.0; n_leading],
            through: vec![0.0; n_rows],
            leading: vec![0.0; n_leading],
            beyond: vec![0.0; fold.tested.len()],
        }
    }

    fn look(&mut self, guide: &Guide<'_>, leading: &[f64]) {
        let weights = &guide.fold.weights;
        let (mut leading, mut small) = (leading.to_vec(), guide.small(leading));
        let more = guide.sum(dot(weights, &self.lack), &small) / guide.of_ones;
        self.bias += more;
        add_scaled(&mut leading, -more, guide.fold.moments.with_sides.column(0));
        add_scaled(&mut small, -more, &guide.ones);
        let lack = &mut self.lack;
        vectorised(
            #[inline(always)]
            || lack.iter_mut().for_each(|lack| *lack -= more),
        );
        let weighted: Vec<f64> = self.lack.iter().zip(weights).map(|(lack, weight)| lack * weight).collect();
        let squares = dot(&weighted, &self.lack);
        self.former = self.length;
        self.length = (guide.gamma * (squares - dot(&leading, &small))).max(0.0);
        self.guided = small;
    }

    fn turn(&mut self, guide: &Guide<'_>, leading: &[f64]) {
        let ratio = if self.former > 0.0 { self.length / self.former } else { 0.0 };
        let (lack, direction, through) = (&self.lack, &mut self.direction, &mut self.through);
        vectorised(
            #[inline(always)]
            || {
                let known = lack.iter().zip(leading).zip(&guide.fold.weights);
                let turned = direction.iter_mut().zip(&mut *through).zip(known);
                for ((direction, through), ((lack, leading), weight)) in turned {
                    *direction = guide.gamma * weight * (lack - leading) + ratio * *direction;
                    *through = lack + ratio * *through;
                }
            },
        );
        let small = self.direction_leading.iter_mut().zip(&self.guided);
        small.for_each(|(direction, guided)| *direction = guided + ratio * *direction);
    }

    fn step(&mut self, beyond: &[f64], tested: &[u32]) {
        let slope = dot(&self.direction, &self.through) + dot(&self.direction, beyond);
        let step = if slope > 0.0 { self.length / slope } else { 0.0 };
        let (lack, through) = (&mut self.lack, &self.through);
        vectorised(
            #[inline(always)]
            || {
                let change = through.iter().zip(beyond);
                lack.iter_mut().zip(change).for_each(|(lack, (guide, rest))| *lack -= step * (guide + rest));
            },
        );
        add_scaled(&mut self.leading, step, &self.direction_leading);
        let sums = tested.iter().zip(&mut self.beyond);
        sums.for_each(|(&place, sum)| *sum += step * beyond[place as usize]);
    }
}

/// Whether a row stays on its side of zero, and of several outputs the largest stays the largest, if each is wrong by no more
/// than its bound.
fn is_sure(values: &[Vec<f64>], bounds: &[f64], row: usize) -> bool {
    let outputs = || values.iter().map(|values| values[row]).zip(bounds);
    let largest = outputs().enumerate().max_by(|(_, one), (_, other)| one.0.total_cmp(&other.0));
    let Some((largest, (most, bound))) = largest else { return true };
    let is_less =
        |(idx, (value, other)): (usize, (f64, &f64))| idx == largest || most - value > bound + other;
    outputs().all(|(value, bound)| value.abs() > *bound) && outputs().enumerate().all(is_less)
}
