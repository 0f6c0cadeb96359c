//! Training rows that count by the cost of misclassifying them.
//!
//! **Definition** The weight of a row is multiplied by the cost of its class, and all are rescaled so that they add up to what
//! they did: without weights of their own to a mean of 1, so that settings that are numbers of rows keep their meaning. Rows of
//! classes without cost are left out, and a warning says so.
//!
//! **Reference** Ting 2002.

use crate::costs::{CostMatrix, rescaled};
use crate::dataset::Dataset;
use crate::error::Error;
use crate::training::needed_target;

/// The data set with weights by cost, rescaled over some training rows.
pub(super) fn weighted(dataset: &Dataset, rows: &[u32], costs: &CostMatrix) -> Result<Dataset, Error> {
    let own = |row: usize| dataset.weights().map_or(1.0, |weights| weights[row]);
    let costs = costs.class_weights().of_rows(needed_target(dataset)?.codes());
    let products: Vec<f64> = costs.iter().enumerate().map(|(row, cost)| cost * own(row)).collect();
    let sum = |weight: &dyn Fn(usize) -> f64| rows.iter().map(|&row| weight(row as usize)).sum::<f64>();
    let (before, after) = (sum(&own), sum(&|row| products[row]));
    dataset.clone().with_weights(rescaled(&products, before, after))
}
