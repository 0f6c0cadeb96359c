//! Sequential minimal optimisation: two coefficients at a time, the pair by second-order information (Fan, Chen and Lin
//! 2005).
//!
//! With y of -1 or 1 and coefficients c = alpha y, the dual is to find the most of `c.y - c.Kc / 2` where the coefficients
//! add up to nothing and each lies between 0 and C w y. Errors are `e = y - Kc`, the gradient. Let M be the largest error of
//! a coefficient that may rise, m the smallest of one that may fall: at the optimum M <= m, and M - m is the violation of
//! that. Steps are taken among active rows; see `shrinking.rs` for those that are put aside.

use tribunal_algebra::{add_scaled, vectorised};

use super::cache::KernelRows;
use super::solve::Problem;

/// Where two rows are the same, their difference is taken for this.
const LEAST_CURVATURE: f64 = 1e-12;

/// Coefficients that are that near to a bound, compared with what they were moved by, are at it but for rounding.
const AT_BOUND: f64 = 1e-14;

/// Rows that are searched at a time.
const BLOCK: usize = 64;

/// Rows that are compared side by side.
const LANES: usize = 8;

/// Steps between looks at which rows can be put aside, or as many as there are rows.
const STEPS_BEFORE_SHRINKING: usize = 1_000;

/// Where coefficients are, and how far they may go. Vectors are as long as there are active rows, unless it says otherwise.
#[derive(Debug)]
pub(super) struct Smo<'a> {
    pub(super) problem: &'a Problem<'a>,
    pub(super) whole: Whole,
    /// The rows that steps are taken among, ascending.
    pub(super) active: Vec<u32>,
    pub(super) rows: KernelRows<'a>,
    pub(super) bounds: Vec<Bounds>,
    pub(super) coefficients: Vec<f64>,
    pub(super) errors: Vec<f64>,
    /// Zero where a coefficient may rise, minus infinity where not.
    pub(super) rising: Vec<f64>,
    /// Zero where a coefficient may fall, infinity where not.
    pub(super) falling: Vec<f64>,
    gains: Vec<f64>,
    pub(super) n_steps: usize,
}

/// What is known of all rows, active or not.
#[derive(Debug, Default)]
pub(super) struct Whole {
    /// Coefficients; those of active rows may have moved on.
    pub(super) coefficients: Vec<f64>,
    /// Errors when they were last computed, and the coefficients of then.
    pub(super) errors: Vec<f64>,
    pub(super) of_errors: Vec<f64>,
}

/// The least and the most that a coefficient may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bounds {
    pub(super) least: f64,
    pub(super) most: f64,
}

/// The largest error of coefficients that may rise and the smallest of those that may fall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extremes {
    pub(super) rising: f64,
    pub(super) falling: f64,
}

impl Extremes {
    /// By how much the optimum is violated.
    pub(super) fn violation(self) -> f64 {
        (self.rising - self.falling).max(0.0)
    }
}

impl Bounds {
    /// The bounds of a row of class `target` (-1 or 1) with so much to give.
    pub(super) fn new(target: f64, cap: f64) -> Self {
        if target > 0.0 { Bounds { least: 0.0, most: cap } } else { Bounds { least: -cap, most: 0.0 } }
    }

    pub(super) fn is_inside(self, coefficient: f64) -> bool {
        coefficient > self.least && coefficient < self.most
    }

    /// A coefficient after a move, at its bound if that is where it was meant to be.
    pub(super) fn moved(self, from: f64, by: f64) -> f64 {
        let (to, rounding) = (from + by, AT_BOUND * (from.abs() + by.abs()));
        match to {
            to if to - self.least <= rounding => self.least,
            to if self.most - to <= rounding => self.most,
            to => to,
        }
    }
}

impl<'a> Smo<'a> {
    /// All rows are active. The kernel cache may take `room` bytes.
    pub(super) fn new(problem: &'a Problem<'a>, whole: Whole, room: usize) -> Self {
        let n = whole.errors.len();
        let bounds =
            problem.targets.iter().zip(&problem.caps).map(|(&target, &cap)| Bounds::new(target, cap));
        let mut smo = Smo {
            problem,
            active: (0..n as u32).collect(),
            rows: KernelRows::new(problem.kernel, problem.points.borrowed(), room),
            bounds: bounds.collect(),
            coefficients: whole.coefficients.clone(),
            errors: whole.errors.clone(),
            whole,
            rising: vec![0.0; n],
            falling: vec![0.0; n],
            gains: vec![0.0; n],
            n_steps: 0,
        };
        (0..n).for_each(|row| smo.mark(row));
        smo
    }

    /// Takes steps until the violation is less than `goal`, or so many were taken, or one leads nowhere.
    pub(super) fn run(&mut self, goal: f64, most_steps: usize) {
        let mut extremes = self.extremes();
        for n_taken in 1..=most_steps {
            if extremes.violation() < goal {
                return;
            }
            let Some((up, down)) = self.pair(extremes.rising) else { return };
            let Some(step) = self.step(up, down) else { return };
            let places = [self.rows.place(up), self.rows.place(down)];
            self.n_steps += 1;
            extremes = self.change_errors(step, places);
            if n_taken % STEPS_BEFORE_SHRINKING.min(self.active.len()) == 0 {
                self.shrink(extremes);
            }
        }
    }

    /// Moves coefficients of active rows to where they are told.
    pub(super) fn shift(&mut self, moves: impl Iterator<Item = (usize, f64)>) {
        for (row, to) in moves {
            let by = to - self.coefficients[row];
            self.coefficients[row] = to;
            self.mark(row);
            add_scaled(&mut self.errors, -by, self.rows.row(row));
        }
    }

    pub(super) fn is_free(&self, row: usize) -> bool {
        self.bounds[row].is_inside(self.coefficients[row])
    }

    pub(super) fn mark(&mut self, row: usize) {
        let (Bounds { least, most }, coefficient) = (self.bounds[row], self.coefficients[row]);
        self.rising[row] = if coefficient < most { 0.0 } else { f64::NEG_INFINITY };
        self.falling[row] = if coefficient > least { 0.0 } else { f64::INFINITY };
    }

    /// Goes on with some of the active rows, by their places.
    pub(super) fn keep(&mut self, places: &[u32]) {
        let taken = |values: &[f64]| places.iter().map(|&place| values[place as usize]).collect::<Vec<f64>>();
        self.coefficients = taken(&self.coefficients);
        self.errors = taken(&self.errors);
        self.rising = taken(&self.rising);
        self.falling = taken(&self.falling);
        self.bounds = places.iter().map(|&place| self.bounds[place as usize]).collect();
        self.active = places.iter().map(|&place| self.active[place as usize]).collect();
        self.gains.truncate(places.len());
        self.rows.restrict(places);
    }

    /// The coefficient to rise and the one to fall: that of the largest error, and the one that gains most with it.
    fn pair(&mut self, most: f64) -> Option<(usize, usize)> {
        let (errors, rising) = (&self.errors, &self.rising);
        let up = first(errors.len(), |idx| errors[idx] + rising[idx] == most)?;
        let place = self.rows.place(up);
        let (row, diagonal) = (self.rows.at(place), self.rows.diagonal());
        let best = gains(
            most,
            diagonal[up],
            Partners { errors: &self.errors, falling: &self.falling, row, diagonal },
            &mut self.gains,
        );
        let gains = &self.gains;
        let down = first(gains.len(), |idx| gains[idx] == best).filter(|_| best > 0.0)?;
        Some((up, down))
    }

    /// Moves two coefficients as far as that gains anything; `None` if rounding leaves both where they were.
    fn step(&mut self, up: usize, down: usize) -> Option<f64> {
        let place = self.rows.place(up);
        let (row, diagonal) = (self.rows.at(place), self.rows.diagonal());
        let curvature = (diagonal[up] + diagonal[down] - 2.0 * row[down]).max(LEAST_CURVATURE);
        let (from_up, from_down) = (self.coefficients[up], self.coefficients[down]);
        let room = (self.bounds[up].most - from_up).min(from_down - self.bounds[down].least);
        let step = ((self.errors[up] - self.errors[down]) / curvature).min(room);
        self.coefficients[up] = self.bounds[up].moved(from_up, step);
        self.coefficients[down] = self.bounds[down].moved(from_down, -step);
        self.mark(up);
        self.mark(down);
        (self.coefficients[up] != from_up || self.coefficients[down] != from_down).then_some(step)
    }

    fn change_errors(&mut self, step: f64, [up, down]: [usize; 2]) -> Extremes {
        let rows = [self.rows.at(up), self.rows.at(down)];
        change_errors(&mut self.errors, step, rows, [&self.rising, &self.falling])
    }

    /// The extremes of the errors as they are.
    pub(super) fn extremes(&mut self) -> Extremes {
        // Rows that are the same change nothing.
        let same = std::mem::take(&mut self.gains);
        let extremes = change_errors(&mut self.errors, 0.0, [&same; 2], [&self.rising, &self.falling]);
        self.gains = same;
        extremes
    }
}

/// The first index for which something holds: looked for many at a time, as most hold nothing.
#[inline(always)]
fn first(n: usize, holds: impl Fn(usize) -> bool) -> Option<usize> {
    let block_holds = |start: usize| (start..(start + BLOCK).min(n)).fold(false, |any, idx| any | holds(idx));
    let start = vectorised(
        #[inline(always)]
        || (0..n).step_by(BLOCK).find(|&start| block_holds(start)),
    )?;
    (start..n).find(|&idx| holds(idx))
}

/// What the partner of a coefficient is chosen by.
struct Partners<'a> {
    errors: &'a [f64],
    falling: &'a [f64],
    row: &'a [f64],
    diagonal: &'a [f64],
}

/// What a step with each partner gains, twice over; the most of it.
fn gains(most: f64, own: f64, partners: Partners<'_>, gains: &mut [f64]) -> f64 {
    let n = gains.len();
    let Partners { errors, falling, row, diagonal } = partners;
    let (errors, falling, row, diagonal) = (&errors[..n], &falling[..n], &row[..n], &diagonal[..n]);
    let gain = |idx: usize| {
        let ahead = larger(most - (errors[idx] + falling[idx]), 0.0);
        ahead * ahead / larger(own + diagonal[idx] - 2.0 * row[idx], LEAST_CURVATURE)
    };
    vectorised(
        #[inline(always)]
        || {
            let mut best = [0.0; LANES];
            let (chunks, rest) = gains.as_chunks_mut::<LANES>();
            for (chunk, gains) in chunks.iter_mut().enumerate() {
                for lane in 0..LANES {
                    gains[lane] = gain(chunk * LANES + lane);
                    best[lane] = larger(best[lane], gains[lane]);
                }
            }
            for (idx, place) in rest.iter_mut().enumerate() {
                *place = gain(n / LANES * LANES + idx);
                best[0] = larger(best[0], *place);
            }
            best.into_iter().fold(0.0, larger)
        },
    )
}

/// Takes `step` times the difference of two rows off the errors; tells their extremes.
fn change_errors(errors: &mut [f64], step: f64, rows: [&[f64]; 2], marks: [&[f64]; 2]) -> Extremes {
    let n = errors.len();
    let ([up, down], [rising, falling]) = (rows.map(|row| &row[..n]), marks.map(|marks| &marks[..n]));
    vectorised(
        #[inline(always)]
        || {
            let (mut most, mut least) = ([f64::NEG_INFINITY; LANES], [f64::INFINITY; LANES]);
            let (chunks, rest) = errors.as_chunks_mut::<LANES>();
            for (chunk, errors) in chunks.iter_mut().enumerate() {
                for lane in 0..LANES {
                    let idx = chunk * LANES + lane;
                    errors[lane] -= step * (up[idx] - down[idx]);
                    most[lane] = larger(most[lane], errors[lane] + rising[idx]);
                    least[lane] = -larger(-least[lane], -(errors[lane] + falling[idx]));
                }
            }
            for (idx, error) in (n / LANES * LANES..n).zip(rest) {
                *error -= step * (up[idx] - down[idx]);
                most[0] = larger(most[0], *error + rising[idx]);
                least[0] = -larger(-least[0], -(*error + falling[idx]));
            }
            let most = most.into_iter().fold(f64::NEG_INFINITY, larger);
            let least = least.into_iter().fold(f64::INFINITY, |a, b| -larger(-a, -b));
            Extremes { rising: most, falling: least }
        },
    )
}

/// The larger of two numbers that are numbers: one instruction, where `f64::max` takes several.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}
