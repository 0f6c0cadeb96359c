//! Why a network says of a row what it says: integrated gradients from the mean row.
//!
//! On the straight way from the mean of all columns to the row, every column adds its part of the slope at each place. With
//! one hidden layer the sum along the way has a closed form: a unit adds `v (tanh(b + s) - tanh(b))`, where s is what the
//! columns bring into it, and each column has the share of that which it has of s. The shares of all columns add up to the
//! log-odds of the row less those of the mean row. What moderation takes off has an item of its own.
//!
//! **Reference** Sundararajan, Taly and Yan 2017.

use super::model::MlpModel;
use super::net::Net;
use super::tiles::FURTHEST;
use crate::explanation::{Explanation, Reasons};
use crate::model::Case;
use crate::names::Names;

/// Explains the probabilities of a row.
pub(super) fn explain(model: &MlpModel, case: &Case<'_>, names: &Names, posteriors: Vec<f64>) -> Explanation {
    let uncertainty = "uncertainty of the weights".to_owned();
    let whats = case.readings.iter().cloned().chain([uncertainty]).collect();
    let of_class = |class: usize| of_class(model, class, case, names);
    let reasons = Reasons::learned_apart(names, &posteriors, whats, of_class);
    Explanation { posteriors, reasons }
}

/// The log-odds of a class at the mean row, and what each column adds to them, then moderation.
fn of_class(model: &MlpModel, class: usize, case: &Case<'_>, names: &Names) -> (f64, Vec<f64>) {
    let mut added = vec![0.0; case.readings.len() + 1];
    let place = if model.nets.len() == 1 { class.checked_sub(1) } else { Some(class) };
    let Some(place) = place else { return (0.0, added) };
    let Some(Some(net)) = model.nets.get(place) else { return (f64::NEG_INFINITY, added) };
    let features = integrated(model, net, case);
    for (feature, log_odds) in names.features.iter().zip(features) {
        added[feature.column] += log_odds;
    }
    let judgement = net.judge(model.layout(), case.rows.matrix())[case.row];
    if net.is_smoothed() {
        added[case.readings.len()] = judgement.moderated() - judgement.log_odds;
    }
    (at_mean(model, net), added)
}

/// The log-odds of the row that has the mean of every column.
fn at_mean(model: &MlpModel, net: &Net) -> f64 {
    let layout = model.layout();
    let hidden = net.weights[layout.biases()].iter().zip(&net.weights[layout.outputs()]);
    net.weights[layout.output_bias()] + hidden.map(|(bias, output)| output * bias.tanh()).sum::<f64>()
}

/// What each feature adds to the log-odds on the way from the mean row.
fn integrated(model: &MlpModel, net: &Net, case: &Case<'_>) -> Vec<f64> {
    let (layout, matrix) = (model.layout(), case.rows.matrix());
    let mut added = vec![0.0; layout.n_inputs];
    for unit in 0..layout.n_hidden {
        let brought = |input: usize| {
            let value = matrix.column(input)[case.row].clamp(-FURTHEST, FURTHEST);
            net.weights[layout.of_unit(unit, input)] * value
        };
        let bias = net.weights[layout.of_unit(unit, layout.n_inputs)];
        let slope = mean_slope(bias, (0..layout.n_inputs).map(brought).sum());
        let output = net.weights[layout.outputs().start + unit];
        added.iter_mut().enumerate().for_each(|(input, sum)| *sum += output * slope * brought(input));
    }
    added
}

/// The mean slope of tanh from a place over a distance.
fn mean_slope(from: f64, distance: f64) -> f64 {
    // Below this the difference has fewer digits than the slope in the middle.
    if distance.abs() < 1e-5 {
        return 1.0 - (from + 0.5 * distance).tanh().powi(2);
    }
    ((from + distance).tanh() - from.tanh()) / distance
}
