//! Fisher scoring with relative ridging: a step that lowers the likelihood is taken again with a heavier diagonal.

use tribunal_algebra::{Cholesky, dot};

use super::likelihood::{Likelihood, Point};

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// When another step would change nothing but rounding errors.
    Precise,
    /// Where PROC LOGISTIC of SAS stops by default, as Viaene et al. (2002) used it.
    Sas,
}

/// Where the steps ended.
#[derive(Clone, Debug)]
pub(super) struct Optimum {
    pub(super) coefficients: Vec<f64>,
    pub(super) point: Point,
    pub(super) n_steps: usize,
    pub(super) has_converged: bool,
}

const MOST_STEPS: usize = 25;

/// What a step promises, relative to the log-likelihood, where SAS takes none any more.
const SAS_PROMISE: f64 = 1e-8;

/// A step that promises less is the last: the error left is about the square of this.
const LAST_PROMISE: f64 = 1e-12;

/// Steps that promise less are not judged by the likelihood, which has no digits left for them.
const TRUSTED_PROMISE: f64 = 1e-10;

const FIRST_RIDGE: f64 = 1e-4;
const RIDGE_FACTOR: f64 = 4.0;
const LARGEST_RIDGE: f64 = 2000.0;

/// The coefficients of the greatest value. Of many rows a part shows where to begin, unless each step is to be that of SAS.
pub(super) fn maximise(likelihood: &Likelihood<'_>, stop: Stop) -> Optimum {
    let first_look = likelihood.at_a_first_look().filter(|_| stop == Stop::Precise);
    let near = first_look.map(|part| maximise_from(&part, likelihood.start(), stop));
    let start = near.filter(|near| near.has_converged).map(|near| near.coefficients);
    maximise_from(likelihood, start.unwrap_or_else(|| likelihood.start()), stop)
}

/// The same from a start.
pub(super) fn maximise_from(likelihood: &Likelihood<'_>, start: Vec<f64>, stop: Stop) -> Optimum {
    let point = likelihood.at(&start);
    let mut best = Optimum { coefficients: start, point, n_steps: 0, has_converged: false };
    while best.n_steps < MOST_STEPS {
        let promise = promise_of(&best.point);
        if promise == 0.0 || (stop == Stop::Sas && promise < SAS_PROMISE) {
            best.has_converged = true;
            break;
        }
        let Some((coefficients, point)) = ridged_step(likelihood, &best, promise) else { break };
        best.has_converged = stop == Stop::Precise && promise < LAST_PROMISE;
        best = Optimum { coefficients, point, n_steps: best.n_steps + 1, ..best };
        if best.has_converged {
            break;
        }
    }
    best
}

/// What a full step promises, relative to the value; infinite where there is none to take.
pub(super) fn promise_of(point: &Point) -> f64 {
    let gain = Cholesky::of(point.information.clone())
        .map(|cholesky| dot(&point.gradient, &cholesky.solution(&point.gradient)));
    gain.map_or(f64::INFINITY, |gain| relative(gain, point.value))
}

/// A gain relative to the value, as SAS takes it.
pub(super) fn relative(gain: f64, value: f64) -> f64 {
    gain / (value.abs() + 1e-6)
}

/// A step that does not lower the value, or the shortest there is; `None` where no step can be computed.
fn ridged_step(likelihood: &Likelihood<'_>, from: &Optimum, promise: f64) -> Option<(Vec<f64>, Point)> {
    let mut ridge = 0.0;
    loop {
        let moved = step(&from.point, ridge).map(|step| {
            let sum = |(coefficient, step): (&f64, &f64)| coefficient + step;
            from.coefficients.iter().zip(&step).map(sum).collect::<Vec<f64>>()
        });
        let is_last = ridge > LARGEST_RIDGE;
        if let Some(coefficients) = moved {
            let point = likelihood.at(&coefficients);
            let is_better = point.value >= from.point.value || promise < TRUSTED_PROMISE;
            if point.value.is_finite() && (is_better || is_last) {
                return Some((coefficients, point));
            }
        }
        if is_last {
            return None;
        }
        ridge = if ridge == 0.0 { FIRST_RIDGE } else { RIDGE_FACTOR * ridge };
    }
}

/// The step from a point, with the diagonal of the information made heavier.
fn step(point: &Point, ridge: f64) -> Option<Vec<f64>> {
    let mut information = point.information.clone();
    for idx in 0..information.n() {
        *information.at_mut(idx, idx) *= 1.0 + ridge;
    }
    Some(Cholesky::of(information)?.solution(&point.gradient))
}
