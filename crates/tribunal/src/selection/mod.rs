//! Choosing a learner for a population whose labels are not known, when the labelled rows may be a biased sample of it.

mod criterion;
mod reverse;
mod tournament;

pub use criterion::{Acting, ActingBenefits, LabelledRows, ReverseLabels, SelectionMetric};
pub use reverse::{Labelling, Populations, ReverseTest, representatives};
pub use tournament::{Duel, Ranked, ReverseEvidence, Tournament};
