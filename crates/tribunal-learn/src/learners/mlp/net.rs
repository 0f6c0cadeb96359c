//! A trained network as it is kept and applied: weights, what is known of them, and log-odds.

use serde::{Deserialize, Serialize};
use tribunal_algebra::{add_scaled, dot};

use super::elementary::tanh;
use super::layout::Layout;
use super::tiles::FURTHEST;
use super::train::Trained;
use crate::encoding::Matrix;

/// Log-odds that are moderated keep at least this, or what they had: their side of zero can be told.
const LEAST_LOG_ODDS: f64 = 1e-15;

/// What was learned of a class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Net {
    pub(super) weights: Vec<f64>,
    /// The decay of each group of weights.
    pub(super) alphas: Vec<f64>,
    /// How many weights of each group the rows determine.
    pub(super) determined: Vec<f64>,
    pub(super) log_evidence: f64,
    pub(super) n_steps: usize,
    pub(super) has_converged: bool,
    pub(super) restart: usize,
    /// Of the weights, the lower triangle row by row; only where it moderates what the network says.
    covariance: Option<Vec<f64>>,
}

impl Net {
    /// What was trained; `None` where a covariance is asked for that is not finite.
    pub(super) fn new(trained: &Trained, is_smoothed: bool) -> Option<Self> {
        let covariance = match is_smoothed {
            true => Some(trained.curvature.covariance(&trained.alphas)?),
            false => None,
        };
        let net = Net {
            weights: trained.weights.clone(),
            alphas: trained.alphas.clone(),
            determined: trained.determined.clone(),
            log_evidence: trained.log_evidence,
            n_steps: trained.n_steps,
            has_converged: trained.has_converged,
            restart: trained.restart,
            covariance,
        };
        net.is_finite().then_some(net)
    }

    /// Whether it is a network of this size, with numbers that can be computed with.
    pub(super) fn fits(&self, layout: Layout) -> bool {
        let n = layout.n_weights();
        self.weights.len() == n
            && self.alphas.len() == layout.n_groups()
            && self.determined.len() == layout.n_groups()
            && self.covariance.as_ref().is_none_or(|covariance| covariance.len() == n * (n + 1) / 2)
            && self.is_finite()
    }

    fn is_finite(&self) -> bool {
        let covariance = self.covariance.iter().flatten();
        let numbers = self.weights.iter().chain(&self.alphas).chain(&self.determined).chain(covariance);
        numbers.chain(&[self.log_evidence]).all(|number| number.is_finite())
    }

    pub(super) fn is_smoothed(&self) -> bool {
        self.covariance.is_some()
    }

    /// What enters the hidden units for every row of a matrix, unit after unit.
    fn entering(&self, layout: Layout, matrix: &Matrix) -> Vec<f64> {
        let n_rows = matrix.n_rows();
        let biases = self.weights[layout.biases()].iter();
        let mut entering: Vec<f64> = biases.flat_map(|&bias| std::iter::repeat_n(bias, n_rows)).collect();
        let mut near = vec![0.0; n_rows];
        for input in 0..layout.n_inputs {
            let values = matrix.column(input).iter().map(|value| value.clamp(-FURTHEST, FURTHEST));
            near.iter_mut().zip(values).for_each(|(place, value)| *place = value);
            for (unit, entering) in entering.chunks_exact_mut(n_rows.max(1)).enumerate() {
                add_scaled(entering, self.weights[layout.of_unit(unit, input)], &near);
            }
        }
        entering
    }

    /// The log-odds of every row of a matrix, and what moderates them.
    pub(super) fn judge(&self, layout: Layout, matrix: &Matrix) -> Vec<Judgement> {
        let n_rows = matrix.n_rows();
        let mut hidden = self.entering(layout, matrix);
        hidden.iter_mut().for_each(|value| *value = tanh(*value));
        let mut log_odds = vec![self.weights[layout.output_bias()]; n_rows];
        for (hidden, weight) in hidden.chunks_exact(n_rows.max(1)).zip(&self.weights[layout.outputs()]) {
            add_scaled(&mut log_odds, *weight, hidden);
        }
        let mut gradient = vec![0.0; layout.n_weights()];
        let judge = |(row, log_odds): (usize, f64)| {
            let Some(covariance) = &self.covariance else { return Judgement { log_odds, variance: 0.0 } };
            let hidden = |unit: usize| hidden[unit * n_rows + row];
            self.fill_gradient(layout, matrix, row, hidden, &mut gradient);
            Judgement { log_odds, variance: quadratic(covariance, &gradient) }
        };
        log_odds.into_iter().enumerate().map(judge).collect()
    }

    /// The derivatives of the log-odds of a row by each weight.
    fn fill_gradient(
        &self,
        layout: Layout,
        matrix: &Matrix,
        row: usize,
        hidden: impl Fn(usize) -> f64,
        gradient: &mut [f64],
    ) {
        for unit in 0..layout.n_hidden {
            let output = layout.outputs().start + unit;
            let slope = self.weights[output] * (1.0 - hidden(unit) * hidden(unit));
            for input in 0..layout.n_inputs {
                let value = matrix.column(input)[row].clamp(-FURTHEST, FURTHEST);
                gradient[layout.of_unit(unit, input)] = slope * value;
            }
            gradient[layout.of_unit(unit, layout.n_inputs)] = slope;
            gradient[output] = hidden(unit);
        }
        gradient[layout.output_bias()] = 1.0;
    }
}

/// What a network says of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Judgement {
    /// By the most probable weights.
    pub(super) log_odds: f64,
    /// Of the log-odds, where weights are not sure.
    pub(super) variance: f64,
}

impl Judgement {
    /// The log-odds over all probable weights (MacKay 1992). They never cross zero, nor come so close that rounding does.
    pub(super) fn moderated(self) -> f64 {
        let kappa = 1.0 / (1.0 + std::f64::consts::PI * self.variance / 8.0).sqrt();
        let least = self.log_odds.abs().min(LEAST_LOG_ODDS);
        (kappa * self.log_odds).abs().max(least).copysign(self.log_odds)
    }
}

/// `g' C g` for the lower triangle of a symmetric matrix, row by row.
fn quadratic(triangle: &[f64], vector: &[f64]) -> f64 {
    let (mut sum, mut start) = (0.0, 0);
    for (idx, &number) in vector.iter().enumerate() {
        let before = dot(&triangle[start..start + idx], &vector[..idx]);
        sum += number * (2.0 * before + number * triangle[start + idx]);
        start += idx + 1;
    }
    f64::max(sum, 0.0)
}
