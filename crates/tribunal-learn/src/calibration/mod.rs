//! Calibrators: what a score is worth as a probability, learned from scores of rows whose class is known.
//!
//! A calibrator knows nothing of the model that gave the scores. It should meet scores of rows that the model was not
//! trained on: on its own training rows a model is surer than it ought to be.

pub(crate) mod binning;
pub(crate) mod by_class;
pub(crate) mod pool;
pub(crate) mod steps;

mod beta;
mod calibrator;
mod isotonic;
mod kind;
mod logistic;
mod platt;

pub use calibrator::{Calibrator, Scored};
pub use kind::CalibratorKind;

/// How many bins there are unless told otherwise.
pub(crate) const USUAL_BINS: usize = 10;

/// Rows of weight one, a label `1` being positive.
#[cfg(test)]
pub(crate) fn scored(scores: &[f64], labels: &str) -> Vec<Scored> {
    let row = |(&score, label): (&f64, char)| Scored { score, weight: 1.0, is_positive: label == '1' };
    scores.iter().zip(labels.chars()).map(row).collect()
}
