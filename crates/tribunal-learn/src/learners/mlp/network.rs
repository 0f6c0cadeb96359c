//! A network with one hidden layer of tanh units and a logistic output, as a terrain to go down: the cross-entropy of
//! training rows and the decay of weights.
//!
//! What enters a hidden unit is linear in its weights, so that a step along a direction needs the products of rows and
//! weights once for the direction, and none for the places on it. The slope at some distance follows from the same
//! products, without passing anything back, and close by without asking units again.

use tribunal_algebra::{dot, vectorised};

use super::elementary::{decayed, log_of_one_and, logistic, tanh};
use super::layout::Layout;
use super::scg::Terrain;
use super::tiles::{LANES, Lane, Sums, Tiles};

/// What enters a unit is close to what entered it before if it is no further away than this: the first derivatives of what
/// the unit makes of it then say as much as numbers hold.
const CLOSE: f64 = 3e-3;

/// A network in training.
#[derive(Debug)]
pub(super) struct Network<'a> {
    pub(super) tiles: &'a Tiles,
    pub(super) layout: Layout,
    /// The decay of each weight.
    decay: Vec<f64>,
    weights: Vec<f64>,
    direction: Vec<f64>,
    /// What the direction adds to each hidden unit, by tiles.
    aim: Vec<Lane>,
    here: Place,
    there: Place,
    there_distance: f64,
    unit_rows: Vec<f64>,
    /// What hidden units say where a slope is asked for.
    hidden_there: Vec<Lane>,
    log_odds: Vec<Lane>,
    /// How fast log-odds change along the direction.
    changes: Vec<Lane>,
    /// What is to be summed over rows.
    terms: Vec<Lane>,
    passed_back: Vec<Lane>,
    sums: Sums,
}

/// What units say of every row, by tiles.
#[derive(Clone, Debug)]
struct Place {
    /// What enters the hidden units.
    entering: Vec<Lane>,
    /// What they make of it.
    hidden: Vec<Lane>,
    /// The weight of each row times what its probability exceeds the truth by.
    residuals: Vec<Lane>,
}

impl Place {
    fn new(n_tiles: usize, n_hidden: usize) -> Self {
        let lanes = |n: usize| vec![[0.0; LANES]; n];
        Place {
            entering: lanes(n_tiles * n_hidden),
            hidden: lanes(n_tiles * n_hidden),
            residuals: lanes(n_tiles),
        }
    }
}

/// What enters units at some distance, and what they make of it.
#[inline(always)]
fn ask(from: &[Lane], distance: f64, aim: &[Lane], entering: &mut [Lane], hidden: &mut [Lane]) {
    let (from, aim) = (from.as_flattened(), aim.as_flattened());
    let (entering, hidden) = (entering.as_flattened_mut(), hidden.as_flattened_mut());
    for (((hidden, entering), from), aim) in hidden.iter_mut().zip(entering).zip(from).zip(aim) {
        *entering = distance.mul_add(*aim, *from);
        *hidden = tanh(*entering);
    }
}

/// What units make of what enters them close by, from what they say here: four terms of a Taylor series.
#[inline(always)]
fn ask_close_by(here: &[Lane], distance: f64, aim: &[Lane], hidden: &mut [Lane]) {
    let (here, aim) = (here.as_flattened(), aim.as_flattened());
    for ((hidden, said), aim) in hidden.as_flattened_mut().iter_mut().zip(here).zip(aim) {
        let (step, square) = (distance * aim, said * said);
        let bent = (said * step).mul_add(2.0 / 3.0 - square, square - 1.0 / 3.0);
        let turned = step.mul_add(step.mul_add(bent, -said), 1.0);
        *hidden = ((1.0 - square) * step).mul_add(turned, *said);
    }
}

/// The sum of numbers, lane by lane.
fn total(terms: &[Lane]) -> f64 {
    let mut sums = [0.0; LANES];
    for term in terms {
        for lane in 0..LANES {
            sums[lane] += term[lane];
        }
    }
    sums.iter().sum()
}

impl<'a> Network<'a> {
    /// A network for rows, which stands nowhere yet.
    pub(super) fn new(tiles: &'a Tiles, layout: Layout) -> Self {
        let (n_weights, n_units) = (layout.n_weights(), tiles.n_tiles() * layout.n_hidden);
        let lanes = |n: usize| vec![[0.0; LANES]; n];
        let place = Place::new(tiles.n_tiles(), layout.n_hidden);
        Network {
            tiles,
            layout,
            decay: vec![0.0; n_weights],
            weights: vec![0.0; n_weights],
            direction: vec![0.0; n_weights],
            aim: lanes(n_units),
            there: place.clone(),
            here: place,
            there_distance: 0.0,
            unit_rows: vec![0.0; layout.n_hidden * tiles.width],
            hidden_there: lanes(n_units),
            log_odds: lanes(tiles.n_tiles()),
            changes: lanes(tiles.n_tiles()),
            terms: lanes(tiles.n_tiles()),
            passed_back: lanes(n_units),
            sums: Sums::default(),
        }
    }

    /// Sets the decay of each group of weights.
    pub(super) fn set_decay(&mut self, of_groups: &[f64]) {
        self.decay = self.layout.spread(of_groups);
    }

    /// What hidden units make of each row, and the residuals, where the network stands.
    pub(super) fn said(&self) -> (&[Lane], &[Lane]) {
        (&self.here.hidden, &self.here.residuals)
    }

    /// The weights where the network stands.
    pub(super) fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Makes a place of that at some distance; returns the cross-entropy there.
    fn visit(&mut self, distance: f64) -> f64 {
        let (layout, tiles) = (self.layout, self.tiles);
        let at = |idx: usize| self.weights[idx] + distance * self.direction[idx];
        let outputs: Vec<f64> = layout.outputs().map(at).collect();
        let bias = at(layout.output_bias());
        let (from, aim, to) = (&self.here.entering, &self.aim, &mut self.there);
        let (log_odds, terms) = (&mut self.log_odds, &mut self.terms);
        vectorised(
            #[inline(always)]
            || {
                ask(from, distance, aim, &mut to.entering, &mut to.hidden);
                for (log_odds, hidden) in log_odds.iter_mut().zip(to.hidden.chunks_exact(outputs.len())) {
                    *log_odds = [bias; LANES];
                    for (output, hidden) in outputs.iter().zip(hidden) {
                        for lane in 0..LANES {
                            log_odds[lane] = output.mul_add(hidden[lane], log_odds[lane]);
                        }
                    }
                }
                let (log_odds, targets) = (log_odds.as_flattened(), tiles.targets.as_flattened());
                let known = log_odds.iter().zip(targets).zip(tiles.weights.as_flattened());
                let found = terms.as_flattened_mut().iter_mut().zip(to.residuals.as_flattened_mut());
                for ((term, residual), ((&x, target), weight)) in found.zip(known) {
                    let left = decayed(x.abs());
                    *term = weight * ((x.max(0.0) - target * x) + log_of_one_and(left));
                    *residual = weight * (logistic(x, left) - target);
                }
            },
        );
        total(&self.terms)
    }

    /// The decay of weights at some distance.
    fn decayed_at(&self, distance: f64) -> f64 {
        let moved = |(weight, direction): (&f64, &f64)| (weight + distance * direction).powi(2);
        let squares = self.weights.iter().zip(&self.direction).map(moved);
        0.5 * squares.zip(&self.decay).map(|(square, decay)| decay * square).sum::<f64>()
    }

    /// How far the direction leads from what enters units here, at most, for each unit of distance.
    fn reach(&self) -> f64 {
        let mut most = [0.0_f64; LANES];
        for aim in &self.aim {
            for lane in 0..LANES {
                most[lane] = most[lane].max(aim[lane].abs());
            }
        }
        most.into_iter().fold(0.0, f64::max)
    }

    /// The slope of the cross-entropy at some distance.
    fn entropy_slope(&mut self, distance: f64) -> f64 {
        let is_close = self.reach() * distance.abs() <= CLOSE;
        let (layout, tiles) = (self.layout, self.tiles);
        let at = |idx: usize| (self.weights[idx] + distance * self.direction[idx], self.direction[idx]);
        let outputs: Vec<(f64, f64)> = layout.outputs().map(at).collect();
        let (bias, bias_change) = at(layout.output_bias());
        let (here, aim, hidden) = (&self.here, &self.aim, &mut self.hidden_there);
        // Whatever is passed back is made anew for every gradient.
        let entering = &mut self.passed_back;
        let (log_odds, changes, terms) = (&mut self.log_odds, &mut self.changes, &mut self.terms);
        vectorised(
            #[inline(always)]
            || {
                match is_close {
                    true => ask_close_by(&here.hidden, distance, aim, hidden),
                    false => ask(&here.entering, distance, aim, entering, hidden),
                }
                let units = hidden.chunks_exact(outputs.len()).zip(aim.chunks_exact(outputs.len()));
                for ((log_odds, change), (hidden, aim)) in log_odds.iter_mut().zip(&mut *changes).zip(units) {
                    (*log_odds, *change) = ([bias; LANES], [bias_change; LANES]);
                    for ((output, output_change), (hidden, aim)) in outputs.iter().zip(hidden.iter().zip(aim))
                    {
                        for lane in 0..LANES {
                            let bent = output * (-hidden[lane]).mul_add(hidden[lane], 1.0) * aim[lane];
                            log_odds[lane] = output.mul_add(hidden[lane], log_odds[lane]);
                            change[lane] += output_change.mul_add(hidden[lane], bent);
                        }
                    }
                }
                let (log_odds, changes) = (log_odds.as_flattened(), changes.as_flattened());
                let (targets, weights) = (tiles.targets.as_flattened(), tiles.weights.as_flattened());
                let known = log_odds.iter().zip(changes).zip(targets).zip(weights);
                for (term, (((x, change), target), weight)) in terms.as_flattened_mut().iter_mut().zip(known)
                {
                    *term = weight * (logistic(*x, decayed(x.abs())) - target) * change;
                }
            },
        );
        total(&self.terms)
    }

    /// What the output passes back to the hidden units.
    fn pass_back(&mut self) {
        let outputs = &self.weights[self.layout.outputs()];
        let (hidden, residuals, passed_back) =
            (&self.here.hidden, &self.here.residuals, &mut self.passed_back);
        vectorised(
            #[inline(always)]
            || {
                let n_hidden = outputs.len();
                for (tile, residuals) in residuals.iter().enumerate() {
                    let units = tile * n_hidden..(tile + 1) * n_hidden;
                    let (passed_back, hidden) = (&mut passed_back[units.clone()], &hidden[units]);
                    for unit in 0..n_hidden {
                        let (said, mut found) = (hidden[unit], [0.0; LANES]);
                        for lane in 0..LANES {
                            let slope = (-said[lane]).mul_add(said[lane], 1.0);
                            found[lane] = residuals[lane] * outputs[unit] * slope;
                        }
                        passed_back[unit] = found;
                    }
                }
            },
        );
    }

    /// The gradient of the weights of the output.
    fn output_gradient(&self, gradient: &mut [f64]) {
        let n_hidden = self.layout.n_hidden;
        for (unit, slope) in gradient.iter_mut().enumerate() {
            let mut sums = [0.0; LANES];
            for (tile, residuals) in self.here.residuals.iter().enumerate() {
                // The bias of the output is the weight of a unit that always says one.
                let hidden =
                    if unit < n_hidden { self.here.hidden[tile * n_hidden + unit] } else { [1.0; LANES] };
                for lane in 0..LANES {
                    sums[lane] += residuals[lane] * hidden[lane];
                }
            }
            *slope = sums.iter().sum();
        }
    }
}

impl Terrain for Network<'_> {
    fn begin(&mut self, weights: &[f64]) -> f64 {
        self.weights.copy_from_slice(weights);
        self.direction.fill(0.0);
        self.aim.fill([0.0; LANES]);
        self.layout.unit_rows(weights, &mut self.unit_rows);
        self.tiles.project(&self.unit_rows, &mut self.here.entering);
        let value = self.value_at(0.0);
        self.go();
        value
    }

    fn gradient(&mut self, gradient: &mut [f64]) {
        let layout = self.layout;
        self.pass_back();
        self.tiles.collect(&self.passed_back, &mut self.sums);
        for (unit, sums) in self.sums.values.chunks_exact(self.tiles.width).enumerate() {
            for (input, sum) in sums.iter().enumerate() {
                gradient[layout.of_unit(unit, input)] = *sum;
            }
        }
        self.output_gradient(&mut gradient[layout.outputs().start..]);
        let decay = self.decay.iter().zip(&self.weights).map(|(decay, weight)| decay * weight);
        gradient.iter_mut().zip(decay).for_each(|(slope, decay)| *slope += decay);
    }

    fn aim(&mut self, direction: &[f64]) {
        self.direction.copy_from_slice(direction);
        self.layout.unit_rows(direction, &mut self.unit_rows);
        self.tiles.project(&self.unit_rows, &mut self.aim);
    }

    fn slope_at(&mut self, distance: f64) -> f64 {
        let moved = self.weights.iter().zip(&self.direction).map(|(weight, part)| weight + distance * part);
        let decaying: Vec<f64> = moved.zip(&self.decay).map(|(weight, decay)| decay * weight).collect();
        self.entropy_slope(distance) + dot(&decaying, &self.direction)
    }

    fn value_at(&mut self, distance: f64) -> f64 {
        self.there_distance = distance;
        self.visit(distance) + self.decayed_at(distance)
    }

    fn go(&mut self) {
        let distance = self.there_distance;
        tribunal_algebra::add_scaled(&mut self.weights, distance, &self.direction);
        std::mem::swap(&mut self.here, &mut self.there);
    }
}
