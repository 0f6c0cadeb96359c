//! The dual, solved: steps of two coefficients until the tolerance is met, then the equations of those between bounds.

use super::cache::KernelRows;
use super::kernel::{Kernel, Points};
use super::polish::polish;
use super::smo::{Bounds, Extremes, Smo};

/// Rows of two classes, -1 and 1, with what each may give: C times its weight.
#[derive(Clone, Debug)]
pub(super) struct Problem<'a> {
    pub(super) kernel: Kernel,
    pub(super) points: Points<'a>,
    pub(super) targets: Vec<f64>,
    pub(super) caps: Vec<f64>,
}

/// The optimum, or what comes next to it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Solution {
    /// alpha y for every row.
    pub(super) coefficients: Vec<f64>,
    pub(super) intercept: f64,
    pub(super) objective: f64,
    pub(super) violation: f64,
    pub(super) n_steps: usize,
}

/// Violations that are left to rounding, in units of the largest error.
const FINEST: f64 = 1e-13;

/// Attempts at the last digits after the tolerance is met.
const MOST_ATTEMPTS: usize = 6;

impl Problem<'_> {
    /// Solves the dual until its violation is less than a tolerance, and to rounding errors where that can be had.
    pub(super) fn solve(&self, tolerance: f64) -> Solution {
        let rows = KernelRows::new(self.kernel, &self.points);
        let mut smo = Smo::new(rows, &self.targets, &self.caps);
        let (mut goal, mut n_attempts) = (tolerance, 0);
        let extremes = loop {
            let n_before = smo.n_steps;
            smo.run(goal, self.steps_at_once());
            polish(&mut smo);
            let extremes = smo.extremes();
            let violation = extremes.violation();
            if violation < tolerance {
                n_attempts += 1;
                goal = goal.min(violation) / 10.0;
            }
            let is_finest = violation <= FINEST * largest(&smo.errors);
            let is_stuck = smo.n_steps == n_before && violation >= tolerance;
            let is_over = n_attempts == MOST_ATTEMPTS || smo.n_steps >= self.most_steps();
            if is_finest || is_stuck || is_over {
                break extremes;
            }
        };
        self.solution(smo, extremes)
    }

    /// Steps between attempts to solve the equations.
    fn steps_at_once(&self) -> usize {
        (2 * self.targets.len()).max(500)
    }

    /// After so many steps the tolerance is out of reach.
    fn most_steps(&self) -> usize {
        10 * self.targets.len() + 1_000_000
    }

    fn solution(&self, smo: Smo<'_>, extremes: Extremes) -> Solution {
        Solution {
            intercept: intercept(&smo, extremes),
            objective: smo.objective(),
            violation: extremes.violation(),
            n_steps: smo.n_steps,
            coefficients: smo.coefficients,
        }
    }
}

/// The error of coefficients between bounds, which is the same for all of them; else halfway between the extremes.
fn intercept(smo: &Smo<'_>, extremes: Extremes) -> f64 {
    let is_free = |((_, bounds), coefficient): &((&f64, &Bounds), &f64)| bounds.is_inside(**coefficient);
    let free = smo.errors.iter().zip(&smo.bounds).zip(&smo.coefficients).filter(is_free);
    let (sum, n_free) = free.fold((0.0, 0), |(sum, n), ((error, _), _)| (sum + error, n + 1));
    match n_free {
        0 => (extremes.rising + extremes.falling) / 2.0,
        n_free => sum / f64::from(n_free),
    }
}

fn largest(errors: &[f64]) -> f64 {
    errors.iter().fold(1.0, |most, error| error.abs().max(most))
}
