//! Who votes for what, and with how many votes.

use serde::{Deserialize, Serialize};

use crate::dataset::Dataset;
use crate::target::Target;
use crate::training::Training;

/// The class and the weight of each training row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Voters {
    pub(super) n_classes: usize,
    pub(super) classes: Vec<u32>,
    /// `None` where every row counts once.
    pub(super) weights: Option<Vec<f64>>,
}

impl Voters {
    pub(super) fn of(training: &Training<'_>) -> Voters {
        Voters {
            n_classes: training.n_classes,
            classes: training.classes.to_vec(),
            weights: training.weights.as_ref().map(|weights| weights.to_vec()),
        }
    }

    /// Rows of a data set.
    pub(super) fn taken(dataset: &Dataset, target: &Target, rows: &[u32]) -> Voters {
        let taken = |weights: &[f64]| rows.iter().map(|&row| weights[row as usize]).collect();
        Voters {
            n_classes: target.classes().len(),
            classes: rows.iter().map(|&row| target.codes()[row as usize]).collect(),
            weights: dataset.weights().map(taken),
        }
    }

    pub(super) fn weight(&self, row: u32) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[row as usize])
    }

    pub(super) fn class(&self, row: u32) -> usize {
        self.classes[row as usize] as usize
    }

    /// The weight of all rows, added in their order.
    pub(super) fn total(&self) -> f64 {
        (0..self.classes.len() as u32).map(|row| self.weight(row)).sum()
    }

    /// Whether these are `n_rows` votes that can be counted.
    pub(super) fn is_sound(&self, n_rows: usize) -> bool {
        let is_weight = |weight: &f64| weight.is_finite() && *weight > 0.0;
        let has_weights = |weights: &Vec<f64>| weights.len() == n_rows && weights.iter().all(is_weight);
        self.classes.len() == n_rows
            && self.classes.iter().all(|&class| (class as usize) < self.n_classes)
            && self.weights.as_ref().is_none_or(has_weights)
    }
}
