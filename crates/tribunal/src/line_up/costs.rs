//! What costs have to do with scores that are written, for whoever judges them elsewhere: costs must not count twice.

use std::fmt::Display;

use tribunal_learn::{CostsWithin, Posteriors};

/// How scores without costs in them are to be cut, or why no costs may be applied to them; nothing where there were none.
pub(crate) fn about_costs(learner: impl Display, posteriors: &Posteriors) -> Option<String> {
    match posteriors.costs_within() {
        CostsWithin::Nowhere | CostsWithin::Probabilities(_) => None,
        CostsWithin::Decision(_) if posteriors.n_classes() > 2 => Some(format!(
            "the scores of {learner} are probabilities of the rows as they are; the classes it predicts mind its costs"
        )),
        CostsWithin::Decision(_) => Some(format!(
            "the scores of {learner} are probabilities of the rows as they are; by its costs the cut-off is {:.4}",
            posteriors.cut()
        )),
        CostsWithin::Training => Some(format!(
            "the scores of {learner} have its costs in them and cannot be freed of them: cut them at {}, and apply no costs to \
             them again",
            posteriors.output().cut()
        )),
    }
}
