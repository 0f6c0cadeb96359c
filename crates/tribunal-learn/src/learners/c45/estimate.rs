//! Probabilities from the training rows of a leaf.

use serde::{Deserialize, Serialize};

/// How the classes of few rows become probabilities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Estimate {
    /// `(k + b m) / (l + m)`: drawn towards the share `b` of the class, as if by `m` more rows; the product of `m` and the
    /// share of the positive class is given (Cestnik 1990; Zadrozny and Elkan 2001).
    M(f64),
    /// The share in the leaf.
    Raw,
    /// `(k + 1) / (l + classes)`.
    Laplace,
}

/// An estimate with what it needs of the training rows: `(k + a_c) / (l + sum a)`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Smoothing {
    /// What is added to the weight of each class.
    added: Vec<f64>,
}

impl Smoothing {
    /// From the weight of each class among the training rows.
    pub(crate) fn new(estimate: Estimate, class_weights: &[f64]) -> Self {
        let added = match estimate {
            Estimate::M(product) => {
                let base = base_weight(class_weights);
                class_weights.iter().map(|weight| product * weight / base).collect()
            }
            Estimate::Raw => vec![0.0; class_weights.len()],
            Estimate::Laplace => vec![1.0; class_weights.len()],
        };
        Smoothing { added }
    }

    /// Adds `share` times the probability of each class to `sums`. All of a leaf without rows goes to its class, unless
    /// something is added to the weights.
    pub(crate) fn add(&self, weights: &[f64], class: u32, share: f64, sums: &mut [f64]) {
        let total: f64 = weights.iter().sum::<f64>() + self.added.iter().sum::<f64>();
        if total > 0.0 {
            for ((sum, weight), added) in sums.iter_mut().zip(weights).zip(&self.added) {
                *sum += share * ((weight + added) / total);
            }
        } else if let Some(sum) = sums.get_mut(class as usize) {
            *sum += share;
        }
    }

    /// The same for a branch that no training row took.
    pub(crate) fn add_empty(&self, class: u32, share: f64, sums: &mut [f64]) {
        let total: f64 = self.added.iter().sum();
        if total > 0.0 {
            sums.iter_mut().zip(&self.added).for_each(|(sum, added)| *sum += share * (added / total));
        } else if let Some(sum) = sums.get_mut(class as usize) {
            *sum += share;
        }
    }

    pub(crate) fn n_classes(&self) -> usize {
        self.added.len()
    }

    /// Whether it can be worked with, for a model that was read.
    pub(crate) fn is_sound(&self) -> bool {
        self.added.iter().all(|added| added.is_finite() && *added >= 0.0)
    }
}

/// The weight of the class whose product with `m` is given: the positive one of two, the smallest of more.
fn base_weight(class_weights: &[f64]) -> f64 {
    match class_weights {
        [_, positive] if *positive > 0.0 => *positive,
        _ => class_weights.iter().copied().filter(|&weight| weight > 0.0).fold(f64::INFINITY, f64::min),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(estimate: Estimate, classes: &[f64], leaf: &[f64], expected: f64) {
        let mut sums = vec![0.0; classes.len()];
        Smoothing::new(estimate, classes).add(leaf, 0, 1.0, &mut sums);
        assert!((sums[1] - expected).abs() < 1e-9, "{leaf:?}: {}", sums[1]);
        assert!((sums.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_m_estimate_draws_towards_the_share_of_the_class() {
        let classes = [1003.0, 396.0];
        check(Estimate::M(5.0), &classes, &[2.0, 0.0], 0.254269937);
        check(Estimate::M(5.0), &classes, &[0.0, 3.0], 0.387144079);
        check(Estimate::M(5.0), &classes, &[30.0, 10.0], 0.260126998);
        check(Estimate::M(5.0), &classes, &[0.0, 0.0], 0.283059328);
    }

    #[test]
    fn of_more_classes_the_smallest_share_sets_m() {
        // m = 5 / 0.1 = 50, of which the second class has 30.
        check(Estimate::M(5.0), &[10.0, 60.0, 30.0], &[0.0, 0.0, 10.0], 0.5);
    }

    #[test]
    fn a_leaf_without_rows_is_of_its_class() {
        check(Estimate::Raw, &[3.0, 1.0], &[0.0, 0.0], 0.0);
        check(Estimate::Raw, &[3.0, 1.0], &[1.0, 1.0], 0.5);
        check(Estimate::Laplace, &[3.0, 1.0], &[0.0, 0.0], 0.5);
        check(Estimate::Laplace, &[3.0, 1.0], &[2.0, 0.0], 0.25);
    }
}
