//! The dual, solved: steps of two coefficients until the tolerance is met, then the equations of those between bounds.

use rayon::prelude::*;
use tribunal_algebra::add_scaled;

use super::kernel::{Kernel, Points};
use super::polish::{Polished, polish};
use super::smo::{Bounds, Extremes, Smo, Whole};

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

/// Rows whose errors are computed together.
const ROWS_AT_ONCE: usize = 256;

impl Problem<'_> {
    /// Solves the dual until its violation is less than a tolerance, and to rounding errors where that can be had. The kernel
    /// cache may take `room` bytes.
    pub(super) fn solve(&self, tolerance: f64, room: usize) -> Solution {
        let zeros = vec![0.0; self.targets.len()];
        let whole = Whole { coefficients: zeros.clone(), errors: self.targets.clone(), of_errors: zeros };
        let mut smo = Smo::new(self, whole, room);
        let (mut goal, mut n_attempts) = (tolerance, 0);
        let extremes = loop {
            let n_before = smo.n_steps;
            smo.run(goal, steps_at_once(&smo));
            let (n_taken, n_active) = (smo.n_steps - n_before, smo.active.len());
            let (is_met, is_over) = (smo.extremes().violation() < goal, smo.n_steps >= self.most_steps());
            if !is_met && !is_over && n_taken > 0 {
                polish(&mut smo, affordable(n_taken, n_active));
                continue;
            }
            let polished = polish(&mut smo, usize::MAX);
            smo.activate_all();
            let extremes = smo.extremes();
            let violation = extremes.violation();
            if violation < tolerance {
                n_attempts += 1;
                goal = goal.min(violation) / 10.0;
            }
            let is_enough = violation < tolerance && polished == Polished::TooMany;
            let is_finest = violation <= FINEST * largest(&smo.errors);
            let is_stuck = !is_met && n_taken == 0 && n_active == self.targets.len();
            if is_enough || is_finest || is_over || is_stuck || n_attempts == MOST_ATTEMPTS {
                break extremes;
            }
            if is_met {
                smo.shrink(extremes);
            }
        };
        self.solution(smo, extremes)
    }

    /// The kernel matrix times coefficients; where there are bells, in blocks of rows on all cores.
    pub(super) fn products(&self, coefficients: &[f64]) -> Vec<f64> {
        if self.kernel == Kernel::Linear {
            return self.points.weighed(&self.points.combined(coefficients));
        }
        let vectors = (0..coefficients.len()).filter(|&row| coefficients[row] != 0.0);
        let vectors: Vec<(f64, Vec<f64>)> =
            vectors.map(|row| (coefficients[row], self.points.row(row))).collect();
        let of_block = |rows: &[u32]| {
            let (points, mut sums, mut row) = (self.points.take(rows), vec![0.0; rows.len()], Vec::new());
            for (coefficient, vector) in &vectors {
                self.kernel.row_into(&points, vector, &mut row);
                add_scaled(&mut sums, *coefficient, &row);
            }
            sums
        };
        let rows: Vec<u32> = (0..coefficients.len() as u32).collect();
        rows.par_chunks(ROWS_AT_ONCE).flat_map_iter(of_block).collect()
    }

    /// After so many steps the tolerance is out of reach.
    fn most_steps(&self) -> usize {
        10 * self.targets.len() + 1_000_000
    }

    fn solution(&self, smo: Smo<'_>, extremes: Extremes) -> Solution {
        Solution {
            intercept: intercept(&smo, extremes),
            objective: self.objective(&smo),
            violation: extremes.violation(),
            n_steps: smo.n_steps,
            coefficients: smo.coefficients,
        }
    }

    /// What is to become as large as possible, where all rows are active.
    fn objective(&self, smo: &Smo<'_>) -> f64 {
        let term = |((c, e), y): ((&f64, &f64), &f64)| c * (y + e);
        smo.coefficients.iter().zip(&smo.errors).zip(&self.targets).map(term).sum::<f64>() / 2.0
    }
}

/// Steps between attempts to solve the equations.
fn steps_at_once(smo: &Smo<'_>) -> usize {
    (2 * smo.active.len()).max(500)
}

/// So many coefficients can be solved for in the time that so many steps took.
fn affordable(n_steps: usize, n_active: usize) -> usize {
    (6.0 * n_steps as f64 * n_active as f64).cbrt() as usize
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
