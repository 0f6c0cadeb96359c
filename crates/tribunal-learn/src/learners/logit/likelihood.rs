//! The likelihood of a logistic regression with its derivatives, for two classes and for more.
//!
//! The first class is what all others are compared with: class k has the log-odds `eta_k` against it, linear in the columns.
//! A penalty of `lambda / 2` times the squared slopes is taken off. With more than two classes it is that of the symmetric
//! form, in which every class has slopes of its own and they add up to zero; it does not depend on which class is first.

use rayon::prelude::*;
use tribunal_algebra::{Symmetric, dot};

use super::design::{CHUNK, Design, chunks_at_once};

/// What coefficients are judged by.
#[derive(Clone, Debug)]
pub(super) struct Likelihood<'a> {
    pub(super) design: Design<'a>,
    /// The class of each row; the first is what others are compared with.
    pub(super) outcomes: &'a [u32],
    /// The weight of each row; zero for those that do not count.
    pub(super) weights: &'a [f64],
    /// One less than there are classes.
    pub(super) n_outputs: usize,
    pub(super) penalty: f64,
    /// How many rows at the head of every chunk are looked at.
    pub(super) looked_at: usize,
}

/// The share of the rows that a first look takes, and how many of them it is worth its while for.
const FIRST_LOOK: usize = 16;
const FIRST_LOOK_CHUNKS: usize = 8;

/// What coefficients are worth, and where to look for better ones.
#[derive(Clone, Debug)]
pub(super) struct Point {
    /// The log-likelihood.
    pub(super) log_likelihood: f64,
    /// The same less the penalty.
    pub(super) value: f64,
    /// Of the value.
    pub(super) gradient: Vec<f64>,
    /// The expected information, with the penalty; its lower triangle.
    pub(super) information: Symmetric,
}

/// What some rows contribute.
struct Part {
    /// NaN where only the gradient was asked for.
    log_likelihood: f64,
    gradient: Vec<f64>,
    information: Option<Symmetric>,
}

impl Part {
    /// Adds what other rows contribute.
    fn add(&mut self, other: &Part) {
        self.log_likelihood += other.log_likelihood;
        self.gradient.iter_mut().zip(&other.gradient).for_each(|(sum, part)| *sum += part);
        if let (Some(sum), Some(part)) = (&mut self.information, &other.information) {
            sum.add(part);
        }
    }
}

impl Likelihood<'_> {
    /// The same of a part of the rows, whose best coefficients are near those of all; `None` where rows are few.
    pub(super) fn at_a_first_look(&self) -> Option<Self> {
        let are_many = self.design.n_rows() >= FIRST_LOOK_CHUNKS * CHUNK;
        are_many.then(|| Likelihood { looked_at: CHUNK / FIRST_LOOK, ..self.clone() })
    }

    /// How many coefficients there are.
    pub(super) fn n_coefficients(&self) -> usize {
        self.n_outputs * self.design.width()
    }

    /// Value and derivatives.
    pub(super) fn at(&self, coefficients: &[f64]) -> Point {
        let (log_likelihood, mut gradient, information) = self.sums(coefficients, true);
        let mut information = information.unwrap_or_else(|| Symmetric::zeros(0));
        let penalised = self.penalise(coefficients, &mut gradient, Some(&mut information));
        Point { log_likelihood, value: log_likelihood - penalised, gradient, information }
    }

    /// The gradient alone.
    pub(super) fn gradient(&self, coefficients: &[f64]) -> Vec<f64> {
        let (_, mut gradient, _) = self.sums(coefficients, false);
        self.penalise(coefficients, &mut gradient, None);
        gradient
    }

    /// The coefficients that give every row the shares of the classes.
    pub(super) fn start(&self) -> Vec<f64> {
        let mut totals = vec![0.0; self.n_outputs + 1];
        self.outcomes.iter().zip(self.weights).for_each(|(&class, weight)| totals[class as usize] += weight);
        let mut start = vec![0.0; self.n_coefficients()];
        for output in 0..self.n_outputs {
            start[output * self.design.width()] = (totals[output + 1] / totals[0]).ln();
        }
        start
    }

    /// The log-likelihood of the shares of the classes.
    pub(super) fn null(&self) -> f64 {
        let mut totals = vec![0.0; self.n_outputs + 1];
        self.outcomes.iter().zip(self.weights).for_each(|(&class, weight)| totals[class as usize] += weight);
        let total: f64 = totals.iter().sum();
        totals.iter().filter(|&&weight| weight > 0.0).map(|weight| weight * (weight / total).ln()).sum()
    }

    /// The largest linear predictor of a row that counts, whatever its sign.
    pub(super) fn furthest(&self, coefficients: &[f64]) -> f64 {
        let mut predictors = vec![0.0; self.design.n_rows()];
        let mut furthest: f64 = 0.0;
        for coefficients in coefficients.chunks_exact(self.design.width()) {
            self.design.predict(coefficients, 0, &mut predictors);
            let counting = predictors.iter().zip(self.weights).filter(|(_, weight)| **weight > 0.0);
            furthest = counting.map(|(predictor, _)| predictor.abs()).fold(furthest, f64::max);
        }
        furthest
    }

    fn sums(&self, coefficients: &[f64], with_information: bool) -> (f64, Vec<f64>, Option<Symmetric>) {
        let n_chunks = self.design.n_rows().div_ceil(CHUNK);
        let n_held = if with_information { chunks_at_once(self.n_coefficients()) } else { n_chunks.max(1) };
        let of_chunk = |chunk: usize| self.part(coefficients, chunk * CHUNK, with_information);
        let mut sum: Option<Part> = None;
        for first in (0..n_chunks).step_by(n_held) {
            let chunks = first..(first + n_held).min(n_chunks);
            // A single chunk stays on its thread: that is what keeps small fits quick.
            let parts: Vec<Part> = match n_chunks {
                1 => chunks.map(of_chunk).collect(),
                _ => chunks.into_par_iter().map(of_chunk).collect(),
            };
            for part in parts {
                match &mut sum {
                    Some(sum) => sum.add(&part),
                    None => sum = Some(part),
                }
            }
        }
        let Some(sum) = sum else { return (0.0, vec![0.0; self.n_coefficients()], None) };
        (sum.log_likelihood, sum.gradient, sum.information)
    }

    fn part(&self, coefficients: &[f64], start: usize, with_information: bool) -> Part {
        let (width, n_rows) = (self.design.width(), self.looked_at.min(self.design.n_rows() - start));
        let mut predictors = vec![0.0; n_rows * self.n_outputs];
        for (predictors, coefficients) in
            predictors.chunks_exact_mut(n_rows).zip(coefficients.chunks_exact(width))
        {
            self.design.predict(coefficients, start, predictors);
        }
        let rows = start..start + n_rows;
        let (outcomes, weights) = (&self.outcomes[rows.clone()], &self.weights[rows]);
        let log_likelihood = match with_information || self.n_outputs > 1 {
            true => to_probabilities(&mut predictors, outcomes, weights, self.n_outputs),
            // Logarithms take longer than all the rest, and a gradient needs none.
            false => {
                predictors.iter_mut().for_each(|predictor| *predictor = 1.0 / (1.0 + (-*predictor).exp()));
                f64::NAN
            }
        };
        let probabilities = predictors;
        let mut gradient = vec![0.0; self.n_coefficients()];
        let mut residuals = vec![0.0; n_rows];
        for output in 0..self.n_outputs {
            let probabilities = &probabilities[output * n_rows..][..n_rows];
            for (row, residual) in residuals.iter_mut().enumerate() {
                let is_so = f64::from(u8::from(outcomes[row] as usize == output + 1));
                *residual = weights[row] * (is_so - probabilities[row]);
            }
            self.design.add_gradient(&residuals, start, &mut gradient[output * width..][..width]);
        }
        let information = with_information.then(|| self.information(&probabilities, start, weights));
        Part { log_likelihood, gradient, information }
    }

    /// The information of rows whose classes have these probabilities.
    pub(super) fn information(&self, probabilities: &[f64], start: usize, weights: &[f64]) -> Symmetric {
        let (width, n_rows) = (self.design.width(), weights.len());
        let mut information = Symmetric::zeros(self.n_coefficients());
        let of_output = |output: usize| &probabilities[output * n_rows..][..n_rows];
        for first in 0..self.n_outputs {
            for second in 0..=first {
                let (p, q) = (of_output(first), of_output(second));
                let curvature = |row: usize| match first == second {
                    true => weights[row] * p[row] * (1.0 - p[row]),
                    false => -weights[row] * p[row] * q[row],
                };
                let block = self.design.gram_of(start, &(0..n_rows).map(curvature).collect::<Vec<f64>>());
                for column in 0..width {
                    for row in if first == second { column } else { 0 }..width {
                        *information.at_mut(first * width + row, second * width + column) =
                            block.at(row, column);
                    }
                }
            }
        }
        information
    }

    /// Takes the penalty off the gradient, adds it to the information, and returns it.
    fn penalise(
        &self,
        coefficients: &[f64],
        gradient: &mut [f64],
        information: Option<&mut Symmetric>,
    ) -> f64 {
        if self.penalty == 0.0 {
            return 0.0;
        }
        let width = self.design.width();
        let is_slope = |idx: usize| !idx.is_multiple_of(width);
        let mut slopes = vec![0.0; coefficients.len()];
        for idx in (0..coefficients.len()).filter(|&idx| is_slope(idx)) {
            let weighted = |output: usize| {
                self.coupling(idx / width, output) * coefficients[output * width + idx % width]
            };
            slopes[idx] = self.penalty * (0..self.n_outputs).map(weighted).sum::<f64>();
        }
        gradient.iter_mut().zip(&slopes).for_each(|(gradient, slope)| *gradient -= slope);
        if let Some(information) = information {
            for idx in (0..coefficients.len()).filter(|&idx| is_slope(idx)) {
                for output in 0..=idx / width {
                    let coupling = self.coupling(idx / width, output);
                    *information.at_mut(idx, output * width + idx % width) += self.penalty * coupling;
                }
            }
        }
        0.5 * dot(coefficients, &slopes)
    }

    /// How the slopes of two outputs share the penalty.
    fn coupling(&self, first: usize, second: usize) -> f64 {
        let same = f64::from(u8::from(first == second));
        if self.n_outputs == 1 { 1.0 } else { same - 1.0 / (self.n_outputs + 1) as f64 }
    }
}

/// Turns linear predictors, output after output, into probabilities; returns the log-likelihood.
pub(super) fn to_probabilities(
    predictors: &mut [f64],
    outcomes: &[u32],
    weights: &[f64],
    n_outputs: usize,
) -> f64 {
    let n_rows = outcomes.len();
    if n_outputs == 1 {
        let rows = predictors.iter_mut().zip(outcomes).zip(weights);
        return rows.map(|((predictor, &outcome), weight)| weight * to_probability(predictor, outcome)).sum();
    }
    let mut log_likelihood = 0.0;
    for row in 0..n_rows {
        let places = || (0..n_outputs).map(|output| output * n_rows + row);
        let highest = places().map(|place| predictors[place]).fold(0.0, f64::max);
        let own = match outcomes[row] {
            0 => 0.0,
            class => predictors[(class as usize - 1) * n_rows + row],
        };
        let mut total = (-highest).exp();
        for place in places() {
            predictors[place] = (predictors[place] - highest).exp();
            total += predictors[place];
        }
        places().for_each(|place| predictors[place] /= total);
        log_likelihood += weights[row] * (own - highest - total.ln());
    }
    log_likelihood
}

/// The same for one row of two classes.
#[inline]
fn to_probability(predictor: &mut f64, outcome: u32) -> f64 {
    let eta = *predictor;
    let small = (-eta.abs()).exp();
    *predictor = if eta >= 0.0 { 1.0 / (1.0 + small) } else { small / (1.0 + small) };
    let softplus = eta.max(0.0) + small.ln_1p();
    if outcome == 1 { eta - softplus } else { -softplus }
}
