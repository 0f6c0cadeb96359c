//! Scaled conjugate gradients: steps along conjugate directions whose length follows from the curvature there, without a
//! search along the line.
//!
//! **Reference** Moller 1993; the constants are those of Nabney (2002).

use tribunal_algebra::{add_scaled, dot};

/// A function of weights that knows where it stands and which way it looks.
pub(super) trait Terrain {
    /// Goes to weights; returns the value there.
    fn begin(&mut self, weights: &[f64]) -> f64;

    /// The gradient here.
    fn gradient(&mut self, gradient: &mut [f64]);

    /// Looks into a direction.
    fn aim(&mut self, direction: &[f64]);

    /// The slope along the direction at some distance, in units of its length.
    fn slope_at(&mut self, distance: f64) -> f64;

    /// The value at some distance.
    fn value_at(&mut self, distance: f64) -> f64;

    /// Goes where the value was asked for last.
    fn go(&mut self);
}

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) iterations: usize,
    /// A step that moves no weight and no value by more is the last.
    pub(super) tolerance: f64,
}

/// Where the steps ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Outcome {
    pub(super) value: f64,
    pub(super) n_iterations: usize,
    pub(super) has_converged: bool,
}

/// How far to look for the curvature.
const PROBE: f64 = 1e-4;
const LEAST_SCALE: f64 = 1e-15;
const LARGEST_SCALE: f64 = 1e100;

/// Where a direction stands still.
const NO_LENGTH: f64 = 2.22e-16;

/// Looks for the least value from weights on, and leaves those it found in their place.
pub(super) fn minimise(terrain: &mut impl Terrain, weights: &mut [f64], limits: Limits) -> Outcome {
    let mut search = Search::new(terrain, weights);
    let mut is_success = true;
    for iteration in 1..=limits.iterations {
        if is_success && !search.look() {
            return search.outcome(iteration, true);
        }
        let step = search.step();
        is_success = step.ratio >= 0.0;
        if is_success && search.take(step, limits.tolerance) {
            return search.outcome(iteration, true);
        }
        search.rescale(step.ratio);
        search.turn(is_success);
    }
    search.outcome(limits.iterations, false)
}

/// A search under way.
struct Search<'a, T> {
    terrain: &'a mut T,
    weights: &'a mut [f64],
    value: f64,
    gradient: Vec<f64>,
    last_gradient: Vec<f64>,
    direction: Vec<f64>,
    /// Of the value along the direction.
    slope: f64,
    /// Of the direction, squared.
    length: f64,
    /// The second derivative along the direction.
    curvature: f64,
    /// What is added to the curvature for every unit of length.
    scale: f64,
    n_successes: usize,
}

/// A step that may be taken.
#[derive(Clone, Copy)]
struct Step {
    distance: f64,
    value: f64,
    /// How much of the fall that the curvature promised there is; no number where the value is none.
    ratio: f64,
}

impl<'a, T: Terrain> Search<'a, T> {
    fn new(terrain: &'a mut T, weights: &'a mut [f64]) -> Self {
        let value = terrain.begin(weights);
        let mut gradient = vec![0.0; weights.len()];
        terrain.gradient(&mut gradient);
        let direction = gradient.iter().map(|slope| -slope).collect();
        let last_gradient = vec![0.0; weights.len()];
        let (slope, length, curvature, scale, n_successes) = (0.0, 0.0, 0.0, 1.0, 0);
        Search {
            terrain,
            weights,
            value,
            gradient,
            last_gradient,
            direction,
            slope,
            length,
            curvature,
            scale,
            n_successes,
        }
    }

    /// Slope and curvature along the direction; false where it has no length.
    fn look(&mut self) -> bool {
        self.slope = dot(&self.direction, &self.gradient);
        if self.slope >= 0.0 {
            reverse(&self.gradient, &mut self.direction);
            self.slope = dot(&self.direction, &self.gradient);
        }
        self.length = dot(&self.direction, &self.direction);
        if self.length < NO_LENGTH {
            return false;
        }
        self.terrain.aim(&self.direction);
        let probe = PROBE / self.length.sqrt();
        self.curvature = (self.terrain.slope_at(probe) - self.slope) / probe;
        true
    }

    /// How far to go, and what is there.
    fn step(&mut self) -> Step {
        let mut scaled = self.curvature + self.scale * self.length;
        if scaled <= 0.0 {
            scaled = self.scale * self.length;
            self.scale -= self.curvature / self.length;
        }
        let distance = -self.slope / scaled;
        let value = self.terrain.value_at(distance);
        Step { distance, value, ratio: 2.0 * (value - self.value) / (distance * self.slope) }
    }

    /// Takes a step; true where it was the last.
    fn take(&mut self, step: Step, tolerance: f64) -> bool {
        self.n_successes += 1;
        self.terrain.go();
        add_scaled(self.weights, step.distance, &self.direction);
        let furthest =
            self.direction.iter().fold(0.0, |most: f64, part| most.max((step.distance * part).abs()));
        let fall = (step.value - self.value).abs();
        self.value = step.value;
        if furthest < tolerance && fall < tolerance {
            return true;
        }
        std::mem::swap(&mut self.gradient, &mut self.last_gradient);
        self.terrain.gradient(&mut self.gradient);
        self.gradient.iter().all(|&slope| slope == 0.0)
    }

    /// Trusts the curvature less or more, by what came of it. A ratio that is no number is that of a step far too long.
    fn rescale(&mut self, ratio: f64) {
        if ratio > 0.75 {
            self.scale = f64::max(0.5 * self.scale, LEAST_SCALE);
        } else if ratio.is_nan() || ratio < 0.25 {
            self.scale = f64::min(4.0 * self.scale, LARGEST_SCALE);
        }
    }

    /// The next direction; straight down after as many successes as there are weights.
    fn turn(&mut self, is_success: bool) {
        if self.n_successes == self.weights.len() {
            reverse(&self.gradient, &mut self.direction);
            self.n_successes = 0;
        } else if is_success {
            add_scaled(&mut self.last_gradient, -1.0, &self.gradient);
            let conjugacy = dot(&self.last_gradient, &self.gradient) / self.slope;
            let parts = self.direction.iter_mut().zip(&self.gradient);
            parts.for_each(|(part, slope)| *part = conjugacy * *part - slope);
        }
    }

    fn outcome(&self, n_iterations: usize, has_converged: bool) -> Outcome {
        Outcome { value: self.value, n_iterations, has_converged }
    }
}

/// The way straight down.
fn reverse(gradient: &[f64], direction: &mut [f64]) {
    direction.iter_mut().zip(gradient).for_each(|(part, slope)| *part = -slope);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The valley of Rosenbrock (1960), in one piece with its derivatives.
    struct Valley {
        here: [f64; 2],
        direction: [f64; 2],
        distance: f64,
        n_values: usize,
    }

    impl Valley {
        fn at(&self, distance: f64) -> [f64; 2] {
            std::array::from_fn(|idx| self.here[idx] + distance * self.direction[idx])
        }
    }

    fn gradient_of([x, y]: [f64; 2]) -> [f64; 2] {
        [-2.0 * (1.0 - x) - 400.0 * x * (y - x * x), 200.0 * (y - x * x)]
    }

    impl Terrain for Valley {
        fn begin(&mut self, weights: &[f64]) -> f64 {
            self.here = [weights[0], weights[1]];
            self.value_at(0.0)
        }

        fn gradient(&mut self, gradient: &mut [f64]) {
            gradient.copy_from_slice(&gradient_of(self.here));
        }

        fn aim(&mut self, direction: &[f64]) {
            self.direction = [direction[0], direction[1]];
        }

        fn slope_at(&mut self, distance: f64) -> f64 {
            dot(&gradient_of(self.at(distance)), &self.direction)
        }

        fn value_at(&mut self, distance: f64) -> f64 {
            (self.distance, self.n_values) = (distance, self.n_values + 1);
            let [x, y] = self.at(distance);
            // A place that nobody can stand on must not stop the search.
            if x < -1.5 { f64::NAN } else { (1.0 - x).powi(2) + 100.0 * (y - x * x).powi(2) }
        }

        fn go(&mut self) {
            self.here = self.at(self.distance);
        }
    }

    fn check(start: [f64; 2], iterations: usize, converges: bool) {
        let mut valley = Valley { here: start, direction: [0.0; 2], distance: 0.0, n_values: 0 };
        let mut weights = start;
        let first = valley.value_at(0.0);
        let outcome = minimise(&mut valley, &mut weights, Limits { iterations, tolerance: 1e-9 });
        assert_eq!(outcome.has_converged, converges, "{outcome:?}");
        assert!(outcome.n_iterations <= iterations && outcome.value <= first, "{outcome:?}");
        assert_eq!(weights, valley.here);
        if converges {
            assert!((weights[0] - 1.0).abs() + (weights[1] - 1.0).abs() < 1e-6, "{weights:?}");
        }
    }

    #[test]
    fn the_bottom_of_a_valley_is_found() {
        check([-1.2, 1.0], 2_000, true);
        check([2.0, -3.0], 2_000, true);
        check([1.0, 1.0], 10, true);
        check([-1.2, 1.0], 3, false);
    }
}
