//! The last digits: which coefficients are at a bound is known after enough steps, and those between have errors that are
//! all equal, which is a system of linear equations.
//!
//! Steps of two coefficients at a time come nearer to the optimum ever more slowly; from a rounding error away they would
//! never tell whether two models are the same. A solution that leaves the bounds is followed to the first of them, which
//! takes one coefficient out of the equations (an active-set method; Scheinberg 2006).

use tribunal_algebra::{Cholesky, Symmetric, add_scaled, dot};

use super::smo::{Bounds, Smo};

/// No more coefficients between bounds are solved for at once.
const MOST_FREE: usize = 1_000;

/// What is done for all faces together, in multiplications; it bounds the time where many coefficients leave.
const MOST_WORK: f64 = 4e7;

/// Added to the diagonal, as a share of its largest element, so that rows which say the same do no harm.
const RIDGE: f64 = 1e-10;

/// Errors that differ by less are equal.
const EQUAL: f64 = 1e-14;

/// Solutions of the same equations, each of which takes away most of what the ridge left of the errors.
const MOST_REFINEMENTS: usize = 8;

/// The coefficients that are between their bounds, with what they mean for each other.
struct Face {
    /// Which rows they are of.
    free: Vec<usize>,
    bounds: Vec<Bounds>,
    coefficients: Vec<f64>,
    errors: Vec<f64>,
    /// The kernel among these rows, row by row.
    kernel: Vec<Vec<f64>>,
}

/// Solves for the coefficients between bounds, if they are no more than so many. What does not make the objective larger is
/// forgotten.
pub(super) fn polish(smo: &mut Smo<'_>, most_free: usize) -> Polished {
    let Some(mut face) = Face::of(smo, most_free.min(MOST_FREE)) else { return Polished::TooMany };
    let (coefficients, errors) = (face.coefficients.clone(), face.errors.clone());
    face.descend();
    let moves = face.coefficients.iter().zip(&coefficients).map(|(after, before)| after - before);
    let slopes = face.errors.iter().zip(&errors).map(|(after, before)| (before + after) / 2.0);
    let gain: f64 = moves.zip(slopes).map(|(by, slope)| by * slope).sum();
    if gain > 0.0 {
        smo.shift(face.free.iter().copied().zip(face.coefficients));
    }
    Polished::Solved
}

/// Whether equations were solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Polished {
    Solved,
    /// There are too many coefficients between bounds.
    TooMany,
}

impl Face {
    fn of(smo: &mut Smo<'_>, most_free: usize) -> Option<Self> {
        let free: Vec<usize> = (0..smo.active.len()).filter(|&row| smo.is_free(row)).collect();
        if free.len() > most_free {
            return None;
        }
        let taken = |values: &[f64]| free.iter().map(|&row| values[row]).collect::<Vec<f64>>();
        let kernel = free.iter().map(|&row| taken(smo.rows.row(row))).collect();
        Some(Face {
            bounds: free.iter().map(|&row| smo.bounds[row]).collect(),
            coefficients: taken(&smo.coefficients),
            errors: taken(&smo.errors),
            kernel,
            free,
        })
    }

    /// Goes to where all errors are equal, or as far as bounds allow, and on without what is at a bound then.
    fn descend(&mut self) {
        let mut moving: Vec<usize> = (0..self.free.len()).collect();
        let mut work = 0.0;
        while moving.len() > 1 && work < MOST_WORK {
            work += (moving.len() as f64).powi(3) / 6.0;
            let Some(equations) = Equations::of(self, &moving) else { return };
            if self.solve(&equations, &moving) == Ended::Inside {
                return;
            }
            moving.retain(|&idx| self.bounds[idx].is_inside(self.coefficients[idx]));
        }
    }

    fn solve(&mut self, equations: &Equations, moving: &[usize]) -> Ended {
        for _ in 0..MOST_REFINEMENTS {
            if self.spread(moving) <= EQUAL {
                break;
            }
            let direction = equations.direction(&self.errors, moving);
            if self.advance(&direction, moving) == Ended::AtBound {
                return Ended::AtBound;
            }
        }
        Ended::Inside
    }

    /// By how much errors differ.
    fn spread(&self, moving: &[usize]) -> f64 {
        let errors = || moving.iter().map(|&idx| self.errors[idx]);
        errors().fold(f64::NEG_INFINITY, f64::max) - errors().fold(f64::INFINITY, f64::min)
    }

    /// Moves along a direction, to its end or to the first bound.
    fn advance(&mut self, direction: &[f64], moving: &[usize]) -> Ended {
        let room = |(&idx, &by): (&usize, &f64)| {
            let (Bounds { least, most }, from) = (self.bounds[idx], self.coefficients[idx]);
            match by {
                by if by > 0.0 => (most - from) / by,
                by if by < 0.0 => (least - from) / by,
                // What stands still meets no bound.
                _ => f64::INFINITY,
            }
        };
        let rooms: Vec<f64> = moving.iter().zip(direction).map(room).collect();
        let length = rooms.iter().copied().fold(1.0, f64::min);
        for ((&idx, &by), &room) in moving.iter().zip(direction).zip(&rooms) {
            let Bounds { least, most } = self.bounds[idx];
            self.coefficients[idx] = match room <= length && length < 1.0 {
                true if by > 0.0 => most,
                true => least,
                false => self.bounds[idx].moved(self.coefficients[idx], length * by),
            };
            add_scaled(&mut self.errors, -length * by, &self.kernel[idx]);
        }
        if length < 1.0 { Ended::AtBound } else { Ended::Inside }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    Inside,
    AtBound,
}

/// The equations for coefficients that move while their sum stays: the first gives what the others take.
struct Equations {
    factor: Cholesky,
}

impl Equations {
    fn of(face: &Face, moving: &[usize]) -> Option<Self> {
        let (first, others) = (moving[0], &moving[1..]);
        let own = |a: usize, b: usize| face.kernel[a][b];
        let mut matrix = Symmetric::zeros(others.len());
        for (column, &b) in others.iter().enumerate() {
            let shift = own(first, first) - own(first, b);
            let below = matrix.below_mut(column).iter_mut();
            below.zip(&others[column..]).for_each(|(place, &a)| *place = own(a, b) - own(a, first) + shift);
        }
        let largest = (0..others.len()).map(|idx| matrix.at(idx, idx)).fold(0.0, f64::max);
        (0..others.len()).for_each(|idx| *matrix.at_mut(idx, idx) += RIDGE * largest + f64::MIN_POSITIVE);
        Cholesky::of(matrix).map(|factor| Equations { factor })
    }

    /// Where coefficients go for their errors to be equal.
    fn direction(&self, errors: &[f64], moving: &[usize]) -> Vec<f64> {
        let right: Vec<f64> = moving[1..].iter().map(|&idx| errors[idx] - errors[moving[0]]).collect();
        let others = self.factor.solution(&right);
        let first = -dot(&others, &vec![1.0; others.len()]);
        std::iter::once(first).chain(others).collect()
    }
}
