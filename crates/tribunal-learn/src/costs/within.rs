//! Where the costs of errors are in what a model says: the type that keeps them from being counted twice.

use super::ClassWeights;

/// Where the costs of errors are, so that nobody applies them again.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum CostsWithin {
    /// Nowhere: probabilities are those of the rows, and the likelier class is predicted.
    #[default]
    Nowhere,
    /// In the decision: probabilities are those of the rows, and the class with the largest weighted one is predicted. Other
    /// costs may take the place of these.
    Decision(ClassWeights),
    /// In the probabilities, which are those of rows that count by these weights. They can be undone.
    Probabilities(ClassWeights),
    /// In what was learned, and nothing undoes them: labels that were changed, or rows of a class left out altogether.
    Training,
}

impl CostsWithin {
    /// Of costs that weigh training rows.
    pub(crate) fn weighted_rows(weights: ClassWeights) -> Self {
        if weights.can_be_undone() { CostsWithin::Probabilities(weights) } else { CostsWithin::Training }
    }
}
