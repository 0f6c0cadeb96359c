//! Cross-validation of a logistic regression from one fit: the fold that is left out is a small step away.
//!
//! Unpenalised coefficients do not depend on the scale of the columns, so one matrix serves every fold. At the coefficients of
//! all rows the information of a fold's training rows is that of all rows less that of the fold; steps by its factor need no
//! more than a gradient, and where they do not come close quickly the information is made anew. A fold whose steps do not end
//! at machine precision, or whose training rows lack a class or a column that says something, is left to a plain fit.

use rayon::prelude::*;
use tribunal_algebra::{Cholesky, Symmetric, add_scaled, dot};

use super::design::{Design, new_columns};
use super::likelihood::{Likelihood, to_probabilities};
use super::model::{Rows, posteriors_of};
use super::newton::{Stop, maximise, relative};
use super::{MOST_COEFFICIENTS, n_coefficients};
use crate::cross::Folds;
use crate::posteriors::Posteriors;
use crate::training::Training;

const MOST_STEPS: usize = 30;

/// What may be left to gain, relative to the log-likelihood.
const LEFT_PROMISE: f64 = 1e-22;

/// Without a row of less leverage at least half stays of what is new in a column.
const MOST_LEVERAGE: f64 = 0.5;

/// Where a step leaves more than this share of the last promise, the information is too old.
const STALE: f64 = 1e-2;

/// The posteriors of every fold by a fit of all other rows; `None` for folds that need a plain fit, as those do whose training
/// rows do not make the same numbers of columns.
pub(crate) fn cross(training: &Training<'_>, folds: &Folds<'_>, is_same: &[bool]) -> Vec<Option<Posteriors>> {
    let nothing = || vec![None; folds.n_folds()];
    if n_coefficients(training) > MOST_COEFFICIENTS {
        return nothing();
    }
    let rows = Rows::of(training);
    let design = Design::of(training.matrix(), &rows.weights);
    let likelihood = rows.likelihood(design, 0.0);
    let optimum = maximise(&likelihood, Stop::Precise);
    if !optimum.has_converged {
        return nothing();
    }
    let gram = likelihood.design.gram(&rows.weights);
    let Some(gram_factor) = Cholesky::of(gram.clone()) else { return nothing() };
    let whole = Whole {
        gram,
        gram_factor,
        gradient: optimum.point.gradient,
        information: optimum.point.information,
        coefficients: optimum.coefficients,
        value: optimum.point.value,
        likelihood,
        rows: &rows,
        n_classes: training.n_classes,
    };
    let of_fold = |fold: usize| is_same[fold].then(|| whole.posteriors(folds.tested(fold))).flatten();
    (0..folds.n_folds()).into_par_iter().map(of_fold).collect()
}

/// The fit of all rows.
struct Whole<'a> {
    likelihood: Likelihood<'a>,
    rows: &'a Rows<'a>,
    coefficients: Vec<f64>,
    value: f64,
    gradient: Vec<f64>,
    information: Symmetric,
    gram: Symmetric,
    gram_factor: Cholesky,
    n_classes: usize,
}

impl Whole<'_> {
    /// The posteriors of tested rows by a fit of all others.
    fn posteriors(&self, tested: &[u32]) -> Option<Posteriors> {
        let mut weights = self.rows.weights.to_vec();
        tested.iter().for_each(|&row| weights[row as usize] = 0.0);
        let likelihood = Likelihood { weights: &weights, ..self.likelihood.clone() };
        if !self.has_all_classes(&weights) || !self.has_all_columns(tested) {
            return None;
        }
        let coefficients = self.refined(&likelihood, tested)?;
        Some(self.posteriors_by(&coefficients, tested))
    }

    fn has_all_classes(&self, weights: &[f64]) -> bool {
        let mut totals = vec![0.0; self.rows.present.len()];
        self.rows.outcomes.iter().zip(weights).for_each(|(&class, weight)| totals[class as usize] += weight);
        totals.iter().all(|&weight| weight > 0.0)
    }

    /// Whether no column is a combination of others once the tested rows are gone.
    fn has_all_columns(&self, tested: &[u32]) -> bool {
        if let [row] = *tested
            && self.leverage(row) < MOST_LEVERAGE
        {
            return true;
        }
        let mut gram = self.gram.clone();
        for &row in tested {
            self.likelihood.design.add_row(&mut gram, row as usize, -self.rows.weights[row as usize]);
        }
        new_columns(&gram).len() + 1 == self.likelihood.design.width()
    }

    /// By what share, at most, what is new in a column shrinks without a row.
    fn leverage(&self, row: u32) -> f64 {
        let values = self.likelihood.design.row(row as usize);
        self.rows.weights[row as usize] * dot(&values, &self.gram_factor.solution(&values))
    }

    /// The coefficients of the training rows of a fold.
    fn refined(&self, likelihood: &Likelihood<'_>, tested: &[u32]) -> Option<Vec<f64>> {
        let mut coefficients = self.coefficients.clone();
        let mut factor = Cholesky::of(self.information_without(tested))?;
        let mut gradient = self.gradient_without(tested);
        let mut last = f64::INFINITY;
        for _ in 0..MOST_STEPS {
            let mut step = factor.solution(&gradient);
            let mut promise = relative(dot(&gradient, &step), self.value);
            if promise > STALE * last {
                factor = Cholesky::of(likelihood.at(&coefficients).information)?;
                step = factor.solution(&gradient);
                promise = relative(dot(&gradient, &step), self.value);
            }
            coefficients.iter_mut().zip(&step).for_each(|(coefficient, step)| *coefficient += step);
            // Each step leaves about the same share of what it promised; of the first nobody knows.
            let left = if last.is_finite() { promise * (promise / last) } else { promise };
            if left < LEFT_PROMISE {
                return Some(coefficients);
            }
            last = promise;
            gradient = likelihood.gradient(&coefficients);
        }
        None
    }

    /// The gradient of all rows less that of the tested ones, at the coefficients of all rows.
    fn gradient_without(&self, tested: &[u32]) -> Vec<f64> {
        let width = self.likelihood.design.width();
        let mut gradient = self.gradient.clone();
        let probabilities = self.probabilities(&self.coefficients, tested);
        for (position, &row) in tested.iter().enumerate() {
            let values = self.likelihood.design.row(row as usize);
            for (output, gradient) in gradient.chunks_exact_mut(width).enumerate() {
                let is_so = f64::from(u8::from(self.rows.outcomes[row as usize] as usize == output + 1));
                let residual = is_so - probabilities[output * tested.len() + position];
                add_scaled(gradient, -self.rows.weights[row as usize] * residual, &values);
            }
        }
        gradient
    }

    /// The information of all rows less that of the tested ones, at the coefficients of all rows.
    fn information_without(&self, tested: &[u32]) -> Symmetric {
        let (width, n_outputs) = (self.likelihood.design.width(), self.likelihood.n_outputs);
        let mut information = self.information.clone();
        let probabilities = self.probabilities(&self.coefficients, tested);
        for (position, &row) in tested.iter().enumerate() {
            let values = self.likelihood.design.row(row as usize);
            let of_output = |output: usize| probabilities[output * tested.len() + position];
            for first in 0..n_outputs {
                for second in 0..=first {
                    let same = f64::from(u8::from(first == second));
                    let curvature = of_output(first) * (same - of_output(second));
                    let weight = self.rows.weights[row as usize] * curvature;
                    for column in 0..width {
                        let start = if first == second { column } else { 0 };
                        for idx in start..width {
                            *information.at_mut(first * width + idx, second * width + column) -=
                                weight * values[idx] * values[column];
                        }
                    }
                }
            }
        }
        information
    }

    /// The log-odds of each output for some rows, output after output.
    fn log_odds(&self, coefficients: &[f64], tested: &[u32]) -> Vec<f64> {
        let design = &self.likelihood.design;
        let predictor = |coefficients: &[f64], row: u32| dot(coefficients, &design.row(row as usize));
        let outputs = coefficients.chunks_exact(design.width());
        outputs.flat_map(|output| tested.iter().map(move |&row| predictor(output, row))).collect()
    }

    /// The probability of each output for some rows, output after output.
    fn probabilities(&self, coefficients: &[f64], tested: &[u32]) -> Vec<f64> {
        let mut values = self.log_odds(coefficients, tested);
        let outcomes: Vec<u32> = tested.iter().map(|&row| self.rows.outcomes[row as usize]).collect();
        to_probabilities(&mut values, &outcomes, &vec![1.0; tested.len()], self.likelihood.n_outputs);
        values
    }

    fn posteriors_by(&self, coefficients: &[f64], tested: &[u32]) -> Posteriors {
        let (log_odds, n_rows) = (self.log_odds(coefficients, tested), tested.len());
        posteriors_of(&self.rows.present, self.n_classes, n_rows, |output, row| {
            log_odds[output * n_rows + row]
        })
    }
}
