//! A network with one hidden layer of tanh units and a logistic output, as a terrain to go down: the cross-entropy of
//! training rows and the decay of weights.
//!
//! What enters a hidden unit is linear in its weights, so that a step along a direction needs the products of rows and
//! weights once for the direction, and none for the places on it. The slope at some distance follows from the same
//! products, without passing anything back, and close by without asking units again.

use pulp::Arch;
use tribunal_algebra::dot;

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

/// What enters a unit at some distance, and what it makes of it.
#[inline(always)]
fn said(from: &Lane, distance: f64, aim: &Lane) -> (Lane, Lane) {
    let mut entering = [0.0; LANES];
    for lane in 0..LANES {
        entering[lane] = from[lane] + distance * aim[lane];
    }
    let mut hidden = [0.0; LANES];
    for lane in 0..LANES {
        hidden[lane] = tanh(entering[lane]);
    }
    (entering, hidden)
}

/// What a unit makes of what enters it close by, from what it says here: four terms of a Taylor series.
#[inline(always)]
fn said_close_by(here: &Lane, distance: f64, aim: &Lane) -> Lane {
    let mut hidden = [0.0; LANES];
    for lane in 0..LANES {
        let (said, step) = (here[lane], distance * aim[lane]);
        let square = said * said;
        let bent = (3.0 * square - 1.0) + said * (2.0 - 3.0 * square) * step;
        hidden[lane] = said + (1.0 - square) * step * (1.0 - step * (said - step * bent / 3.0));
    }
    hidden
}

impl<'a> Network<'a> {
    /// A network for rows, which stands nowhere yet.
    pub(super) fn new(tiles: &'a Tiles, layout: Layout) -> Self {
        let (n_weights, n_units) = (layout.n_weights(), tiles.n_tiles() * layout.n_hidden);
        let place = Place::new(tiles.n_tiles(), layout.n_hidden);
        Network {
            tiles,
            layout,
            decay: vec![0.0; n_weights],
            weights: vec![0.0; n_weights],
            direction: vec![0.0; n_weights],
            aim: vec![[0.0; LANES]; n_units],
            there: place.clone(),
            here: place,
            there_distance: 0.0,
            unit_rows: vec![0.0; layout.n_hidden * tiles.width],
            passed_back: vec![[0.0; LANES]; n_units],
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
        let mut sums = [0.0; LANES];
        Arch::new().dispatch(
            #[inline(always)]
            || {
                for tile in 0..tiles.n_tiles() {
                    let mut log_odds = [bias; LANES];
                    for (unit, output) in outputs.iter().enumerate() {
                        let idx = tile * outputs.len() + unit;
                        let (entering, hidden) = said(&from[idx], distance, &aim[idx]);
                        for lane in 0..LANES {
                            log_odds[lane] += output * hidden[lane];
                        }
                        (to.entering[idx], to.hidden[idx]) = (entering, hidden);
                    }
                    let (targets, weights) = (&tiles.targets[tile], &tiles.weights[tile]);
                    for lane in 0..LANES {
                        let x = log_odds[lane];
                        let left = decayed(x.abs());
                        let loss = x.max(0.0) - targets[lane] * x + log_of_one_and(left);
                        sums[lane] += weights[lane] * loss;
                        to.residuals[tile][lane] = weights[lane] * (logistic(x, left) - targets[lane]);
                    }
                }
            },
        );
        sums.iter().sum()
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
    fn entropy_slope(&self, distance: f64) -> f64 {
        let here = &self.here;
        match self.reach() * distance.abs() <= CLOSE {
            true => self.slope_of(distance, |idx, aim| said_close_by(&here.hidden[idx], distance, aim)),
            false => self.slope_of(distance, |idx, aim| said(&here.entering[idx], distance, aim).1),
        }
    }

    /// The same by what hidden units say there.
    #[inline(always)]
    fn slope_of(&self, distance: f64, said: impl Fn(usize, &Lane) -> Lane) -> f64 {
        let (layout, tiles) = (self.layout, self.tiles);
        let at = |idx: usize| (self.weights[idx] + distance * self.direction[idx], self.direction[idx]);
        let outputs: Vec<(f64, f64)> = layout.outputs().map(at).collect();
        let (bias, bias_change) = at(layout.output_bias());
        let mut sums = [0.0; LANES];
        Arch::new().dispatch(
            #[inline(always)]
            || {
                for tile in 0..tiles.n_tiles() {
                    let (mut log_odds, mut change) = ([bias; LANES], [bias_change; LANES]);
                    for (unit, (output, output_change)) in outputs.iter().enumerate() {
                        let idx = tile * outputs.len() + unit;
                        let aim = &self.aim[idx];
                        let hidden = said(idx, aim);
                        for lane in 0..LANES {
                            let bent = output * (1.0 - hidden[lane] * hidden[lane]) * aim[lane];
                            log_odds[lane] += output * hidden[lane];
                            change[lane] += output_change * hidden[lane] + bent;
                        }
                    }
                    let (targets, weights) = (&tiles.targets[tile], &tiles.weights[tile]);
                    for lane in 0..LANES {
                        let share = logistic(log_odds[lane], decayed(log_odds[lane].abs()));
                        sums[lane] += weights[lane] * (share - targets[lane]) * change[lane];
                    }
                }
            },
        );
        sums.iter().sum()
    }

    /// What the output passes back to the hidden units.
    fn pass_back(&mut self) {
        let outputs = &self.weights[self.layout.outputs()];
        let (hidden, residuals, passed_back) =
            (&self.here.hidden, &self.here.residuals, &mut self.passed_back);
        Arch::new().dispatch(
            #[inline(always)]
            || {
                let tiles =
                    passed_back.chunks_exact_mut(outputs.len()).zip(hidden.chunks_exact(outputs.len()));
                for ((passed_back, hidden), residuals) in tiles.zip(residuals) {
                    for ((passed_back, hidden), output) in passed_back.iter_mut().zip(hidden).zip(outputs) {
                        for lane in 0..LANES {
                            passed_back[lane] =
                                residuals[lane] * output * (1.0 - hidden[lane] * hidden[lane]);
                        }
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
